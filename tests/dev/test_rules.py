"""Settings, ports, processes and counting: what start-up and `make test` decide without a server."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from dev import ports
from dev.console import CannotStart
from dev.places import load_secrets
from dev.processes import Command, Ledger, Process, began_at, end
from dev.testing import count, failed_names
from settings import Settings

SLEEPER = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(60)"]


def a_process(folder: Path, name: str = "sleeper", arguments: list[str] | None = None) -> Process:
    command = Command(name=name, arguments=arguments or SLEEPER, log=folder / f"{name}.log")
    return Process(command, Ledger(folder / "processes.json"))


def test_addresses_of_third_parties_follow_from_the_stand_ins() -> None:
    settings = Settings(simulators_url="http://elsewhere:1/", database_url="postgresql://a@b/c")
    assert settings.device_cloud_url == "http://elsewhere:1/device-cloud"
    assert settings.messenger_url == "http://elsewhere:1/messenger"
    assert settings.vin_url == "http://elsewhere:1/vin"
    assert settings.migrations_database_url == "postgresql://a@b/c"


def test_production_refuses_a_development_secret_and_names_it() -> None:
    with pytest.raises(ValidationError, match="TOKEN_SECRET, VAULT_KEY, DEVICE_CLOUD_KEY"):
        Settings(environment="production")


def test_a_malformed_vault_key_is_refused_without_being_shown() -> None:
    with pytest.raises(ValidationError, match="32 bytes in base64") as refused:
        Settings.model_validate({"vault_key": "c2hvcnQ="})
    assert "c2hvcnQ=" not in str(refused.value)


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
    assert count("junit", report) == (1, 2, 1)
    assert len(failed_names("junit", report)) == 2


def test_a_missing_report_counts_nothing(tmp_path: Path) -> None:
    assert count("junit", tmp_path / "absent") == (0, 0, 0)


def test_failed_journeys_are_named_from_every_depth(tmp_path: Path) -> None:
    report = tmp_path / "report"
    lost = {"file": "a.spec.ts", "title": "is lost", "ok": False}
    found = {"file": "a.spec.ts", "title": "is found", "ok": True}
    suites = [{"specs": [found], "suites": [{"specs": [lost, found]}]}]
    report.write_text(json.dumps({"suites": suites}))
    assert failed_names("playwright", report) == ["a.spec.ts is lost"]
