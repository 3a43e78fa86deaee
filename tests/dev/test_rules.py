"""Settings, ports, processes and counting: what start-up and `make test` decide without a server."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp

import pytest
from pydantic import SecretStr, ValidationError

from dev import ports
from dev.console import CannotStart
from dev.places import load_secrets
from dev.processes import Command, Ledger, Process, began_at, end
from dev.reports import Report, read
from dev.servers import Servers
from dev.start import RUNS_WELL, Pauses
from dev.testing import APART, Part, run, slow_parts
from settings import DEVELOPMENT_CARD_WEBHOOK_SECRET, Settings
from tests.drivers.stage import a_device_key

SLEEPER = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(60)"]


def a_process(folder: Path, name: str = "sleeper", arguments: list[str] | None = None) -> Process:
    command = Command(name=name, arguments=arguments or SLEEPER, log=folder / f"{name}.log")
    return Process(command, Ledger(folder / "processes.json"))


def test_what_has_run_well_is_started_again_at_once() -> None:
    pauses = Pauses()
    waited: list[float] = []
    for now in (0.0, 5.0, 10.0):
        waited.append(pauses.before_start("worker", now))
        pauses.started("worker", now)
    assert waited == [1.0, 2.0, 4.0]
    assert pauses.before_start("worker", 10.0 + RUNS_WELL) == 1.0


@pytest.mark.parametrize("whole", ["", "1"])
def test_tests_that_are_apart_are_a_part_and_no_other_holds_them(
    monkeypatch: pytest.MonkeyPatch, whole: str
) -> None:
    """The cluster only with all the rest, for it needs Go."""
    monkeypatch.setenv("WHOLE", whole)
    holding = {
        folder: [part.name for part in slow_parts() if f"tests/{folder}" in part.command]
        for folder in APART
    }
    in_turn = {folder: [folder] for folder in APART}
    assert holding == (in_turn if whole else in_turn | {"cluster": []})


def test_addresses_of_third_parties_follow_from_the_stand_ins() -> None:
    settings = Settings(simulators_url="http://elsewhere:1/", database_url="postgresql://a@b/c")
    assert settings.device_cloud_url == "http://elsewhere:1/device-cloud"
    assert settings.sms_url == "http://elsewhere:1/sms"
    assert settings.mail_url == "smtp://elsewhere:9025"
    assert settings.vin_url == "http://elsewhere:1/vin"
    assert settings.migrations_database_url == "postgresql://a@b/c"


def test_production_refuses_a_development_secret_and_names_it() -> None:
    with pytest.raises(ValidationError, match="TOKEN_SECRET, VAULT_KEY, DEVICE_CLOUD_KEY"):
        Settings(environment="production")


@pytest.mark.parametrize("beside", ["whsec_own,{}", "{} , whsec_own", "whsec_own,"])
def test_production_refuses_a_development_secret_among_several(beside: str) -> None:
    secret = beside.format(DEVELOPMENT_CARD_WEBHOOK_SECRET)
    with pytest.raises(ValidationError, match="CARD_WEBHOOK_SECRET"):
        Settings(environment="production", card_webhook_secret=SecretStr(secret))
    with pytest.raises(ValidationError) as refused:
        Settings(environment="production", card_webhook_secret=SecretStr("whsec_a, whsec_b"))
    assert "CARD_WEBHOOK_SECRET" not in str(refused.value)


def test_a_malformed_vault_key_is_refused_without_being_shown() -> None:
    with pytest.raises(ValidationError, match="32 bytes in base64") as refused:
        Settings.model_validate({"vault_key": "c2hvcnQ="})
    assert "c2hvcnQ=" not in str(refused.value)


def test_default_pins_have_four_to_eight_digits_and_are_not_shown() -> None:
    assert Settings().keylocker_master_pin.get_secret_value() == ""  # never one of the code
    assert Settings.model_validate({"keylocker_master_pin": "4815"})
    with pytest.raises(ValidationError, match="4 to 8 digits") as refused:
        Settings.model_validate({"keylocker_secondary_pin": "48l5"})
    assert "48l5" not in str(refused.value)


def test_free_ports_are_free_and_differ() -> None:
    chosen = ports.free()
    numbers = [
        chosen.portal,
        chosen.temporal,
        chosen.temporal_ui,
        chosen.simulators,
        chosen.postgres,
    ]
    assert len(set(numbers)) == 5
    assert all(ports.is_free(number) for number in numbers)


def test_a_taken_port_is_named_with_the_setting_that_moves_it() -> None:
    chosen = ports.free()
    with ports.socket.socket() as other:
        other.bind((ports.LOOPBACK, chosen.portal))
        other.listen()
        with pytest.raises(
            CannotStart, match=f"Port {chosen.portal} .* API_PORT={chosen.portal + 1}"
        ):
            ports.refuse_taken(chosen, ["portal"])


def test_secrets_are_kept_and_only_their_owner_may_read_them(tmp_path: Path) -> None:
    first = load_secrets(tmp_path)
    assert load_secrets(tmp_path) == first
    assert (tmp_path / "secrets.json").stat().st_mode & 0o777 == 0o600


def test_every_webhook_has_a_random_secret_of_this_folder(tmp_path: Path) -> None:
    names = {name.upper() for name in Settings.model_fields if name.endswith("_webhook_secret")}
    first, second = (load_secrets(Path(mkdtemp(dir=tmp_path))) for _ in range(2))
    told = {name: Settings.model_fields[name.lower()].default.get_secret_value() for name in names}
    assert len(names) == 4
    assert all(len({first[n], second[n], told[n]}) == 3 for n in names)


def test_a_killed_process_is_forgotten_and_starts_again(tmp_path: Path) -> None:
    process = a_process(tmp_path)
    process.start()
    first = process.pid
    process.kill()
    assert process.exit_code == -signal.SIGKILL
    process.start()
    assert process.alive
    assert process.pid != first
    process.stop()
    assert Ledger(tmp_path / "processes.json").alive() == {}


def test_what_a_crash_left_is_found_and_ended(tmp_path: Path) -> None:
    process = a_process(tmp_path)
    process.start()
    assert process.pid is not None
    next_start = Ledger(tmp_path / "processes.json")
    assert next_start.alive() == {"sleeper": process.pid}
    assert next_start.sweep() == ["sleeper"]
    assert began_at(process.pid) is None


def test_a_number_that_now_belongs_to_somebody_else_is_left_alone(tmp_path: Path) -> None:
    with subprocess.Popen(SLEEPER, stdout=subprocess.DEVNULL, start_new_session=True) as other:
        ledger = Ledger(tmp_path / "processes.json")
        (tmp_path / "processes.json").write_text(
            f'{{"worker": {{"pid": {other.pid}, "began": "long ago"}}}}'
        )
        assert ledger.sweep() == []
        assert other.poll() is None
        end(other.pid, signal.SIGTERM, seconds=5)


def test_a_process_that_ignores_the_signal_is_killed(tmp_path: Path) -> None:
    stubborn = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(60)"
    with subprocess.Popen(
        [sys.executable, "-c", stubborn], stdout=subprocess.PIPE, start_new_session=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"up\n"
        end(other.pid, signal.SIGTERM, seconds=0.3)
        assert other.wait(5) == -signal.SIGKILL


def test_our_own_process_is_known_by_its_beginning() -> None:
    assert began_at(os.getpid())


def test_a_junit_report_is_counted_by_outcome(tmp_path: Path) -> None:
    report = tmp_path / "report"
    report.write_text(
        "<testsuites><testsuite><testcase/><testcase><failure/></testcase>"
        "<testcase><error/></testcase><testcase><skipped/></testcase></testsuite></testsuites>"
    )
    found = read("junit", report)
    assert (found.passed, found.failed, found.skipped) == (1, 2, 1)


def test_a_fixture_that_fails_for_many_tests_is_one_cause(tmp_path: Path) -> None:
    report = tmp_path / "report"
    broken = '<testcase classname="tests.a" name="{}"><error message="failed on setup&#10;more"/></testcase>'
    lost = '<testcase classname="tests.a" name="{}"><failure message="assert 1 == 2"/></testcase>'
    cases = [broken.format(name) for name in "bcde"] + [lost.format(name) for name in "fg"]
    report.write_text(f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>")
    found = read("junit", report)
    assert (found.failed, found.causes) == (6, 3)
    assert found.failures[0].name == "tests.a b"
    assert found.failures[0].reason == "failed on setup"


def test_a_missing_report_counts_nothing(tmp_path: Path) -> None:
    assert read("junit", tmp_path / "absent") == Report()


def test_failed_journeys_are_named_from_every_depth(tmp_path: Path) -> None:
    report = tmp_path / "report"
    error = {"message": "\x1b[31mTest timeout\x1b[0m\n  at somewhere"}
    tried = {"projectName": "phone", "status": "unexpected", "results": [{"errors": [error]}]}
    lost = {"file": "a.spec.ts", "title": "is lost", "ok": False, "tests": [tried]}
    found = {"file": "a.spec.ts", "title": "is found", "ok": True}
    suites = [{"specs": [found], "suites": [{"specs": [lost, found]}]}]
    stats = {"expected": 2, "flaky": 0, "unexpected": 1, "skipped": 0}
    report.write_text(json.dumps({"suites": suites, "stats": stats}))
    assert [(one.name, one.reason) for one in read("playwright", report).failures] == [
        ("a.spec.ts is lost [phone]", "Test timeout")
    ]


def a_part(folder: Path, first: str, second: str) -> Part:
    """Writes one report when it is tried first, and the other one with `again`."""
    program = (
        "import pathlib, sys; again = sys.argv[2:] == ['again'];"
        f"text = {second!r} if again else {first!r};"
        "pathlib.Path(sys.argv[1]).write_text(text); sys.exit('failure' in text)"
    )
    command = [sys.executable, "-c", program, "{report}"]
    return Part("part", command, "junit", folder, again=["again"])


LOST = '<s><testcase name="a"/><testcase name="b"><failure message="unlucky"/></testcase></s>'
SAVED = '<s><testcase name="b"/></s>'


def test_in_ci_what_passes_alone_is_named_with_the_reason_of_its_first_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "1")
    outcome = run(a_part(tmp_path, LOST, SAVED))
    assert [(one.name, one.reason) for one in outcome.second_try] == [("b", "unlucky")]


def test_a_second_failure_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "1")
    outcome = run(a_part(tmp_path, LOST, LOST))
    assert (outcome.report.failed, outcome.second_try) == (1, ())


def test_outside_ci_there_is_no_second_try(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    assert run(a_part(tmp_path, LOST, SAVED)).report.failed == 1


def test_a_second_try_that_tries_nothing_saves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "1")
    assert run(a_part(tmp_path, LOST, "<s></s>")).report.failed == 1


def test_a_command_that_fails_without_a_word_is_a_failure(tmp_path: Path) -> None:
    assert run(Part("part", ["false"], "junit", tmp_path)).report.failed == 1
    assert run(Part("part", ["true"], "junit", tmp_path)).report.failed == 1
    assert run(Part("part", ["true"], folder=tmp_path)).report.passed == 1


def test_no_two_numbers_of_a_run_are_equal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_RUN", str(tmp_path))
    servers = Servers()
    drawn = [number for _ in range(100) for number in servers.numbers(100)]
    assert len(set(drawn)) == len(drawn) == 10_000


def test_no_two_devices_of_a_run_are_equal() -> None:
    keys = [a_device_key() for _ in range(10_000)]
    assert len(set(keys)) == len(keys)
