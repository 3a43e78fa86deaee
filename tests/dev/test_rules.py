"""Settings, ports, processes and counting: what start-up and `make test` decide without a server."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import mkdtemp

import pytest
from pydantic import SecretStr, ValidationError

import bench.activation
from db.identity.erasure import token_for
from dev import ports, servers, temporal
from dev.console import CannotStart
from dev.places import load_secrets
from dev.processes import Command, Ledger, Process, began_at, end
from dev.servers import Servers
from dev.start import RUNS_WELL, Pauses
from dev.testing import APART, slow_parts
from domain.card_numbers import FEWEST
from settings import DEVELOPMENT_CARD_WEBHOOK_SECRET, Settings
from tests.billing.invoice_payments.factories import numbered
from tests.catalogue.factories import a_word
from tests.drivers.factories import a_name, an_email
from tests.drivers.numbers import a_phone_number, an_account_number
from tests.drivers.stage import a_device_key, an_opaque_key
from tests.simulators import harness

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
    """The cluster only with all the rest, for it needs Go; what of the faults is short is tried among the others else."""
    monkeypatch.setenv("WHOLE", whole)
    holding = {
        folder: [
            part.name
            for part in slow_parts()
            if f"tests/{folder}" in part.command and not part.within
        ]
        for folder in APART
    }
    in_turn = {folder: [folder] for folder in APART}
    assert holding == (in_turn if whole else {"faults": ["areas"], "cluster": []})


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


def test_threads_that_end_processes_at_once_lose_none_of_the_others(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "processes.json")
    names = [f"process {place}" for place in range(40)]
    for name in names:
        ledger.note(name, os.getpid())
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(ledger.forget, names[1:]))
    assert list(ledger.alive()) == names[:1]


def test_temporal_keeps_its_runs_in_a_file(tmp_path: Path) -> None:
    """Promise 9: never in memory, and no write is thrown away."""
    ledger = Ledger(tmp_path / "processes.json")
    said = temporal.server(Path("temporal"), tmp_path, 1, 2, ledger).command.arguments
    kept = said[said.index("--db-filename") + 1]
    assert kept == str(tmp_path / "temporal.sqlite")
    assert "synchronous=normal" in said
    assert "synchronous=off" not in said


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


def test_no_two_numbers_of_a_run_are_equal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_RUN", str(tmp_path))
    run = Servers()
    drawn = [number for _ in range(100) for number in run.numbers(100)]
    assert len(set(drawn)) == len(drawn) == 10_000


def test_a_run_lies_in_memory_only_where_it_fits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not servers.has_room(tmp_path / "none of this system")
    if not servers.MEMORY.is_dir():
        return
    monkeypatch.setattr(servers, "MEMORY_OF_A_RUN", 1)
    assert servers.has_room(tmp_path)
    monkeypatch.setattr(servers, "MEMORY_OF_A_RUN", 2**60)
    assert not servers.has_room(tmp_path)


DRAWN: list[Callable[[], str]] = [
    a_name,
    an_email,
    a_device_key,
    an_opaque_key,
    a_word,
    a_phone_number,
    an_account_number,
    numbered,
    token_for,
    bench.activation.a_device_key,
    harness.a_key,
]
"""What tests and the portal draw anew where a text may be looked through for card numbers."""


@pytest.mark.parametrize("draw", DRAWN, ids=lambda draw: f"{draw.__module__}.{draw.__name__}")
def test_what_is_drawn_is_drawn_once_and_is_no_card_number(draw: Callable[[], str]) -> None:
    drawn = [draw() for _ in range(10_000)]
    assert len(set(drawn)) == len(drawn)
    could_be_one = [one for one in drawn if re.search(rf"\d{{{FEWEST}}}", one)]
    assert not could_be_one, could_be_one[:3]
