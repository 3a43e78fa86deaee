"""What runs on this machine is found, whichever command has started it."""

import os
import socket
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from dev.backups import Manifest
from dev.cluster.ports import inner_ports
from dev.cluster.stack import APIS, WORKERS, ClusterStack
from dev.console import CannotStart
from dev.places import cluster_dir
from dev.ports import LOOPBACK, free, remember, remembered
from dev.processes import Ledger, state_at_work, states_at_work
from dev.status import last_backup_words, main, ports_shown
from tests.drivers.times import NOON


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STATE_DIR", str(tmp_path))
    return tmp_path


def begin(state: Path, *names: str) -> Path:
    """As if each were ourselves, who run."""
    state.mkdir(exist_ok=True)
    for name in names:
        Ledger(state / "processes.json").note(name, os.getpid())
    return state


def test_commands_find_the_cluster_as_they_find_make_dev(state: Path) -> None:
    with pytest.raises(CannotStart, match="Nothing runs here"):
        state_at_work(state)
    begun = begin(cluster_dir(state), "postgres", "worker-1")
    assert state_at_work(state) == begun
    begin(state, "simulators")
    assert states_at_work(state) == [state, begun]
    assert state_at_work(state) == begun, "the other has no database that could be asked"
    begin(state, "postgres")
    with pytest.raises(CannotStart, match=f"STATE_DIR={begun}"):
        state_at_work(state)
    inner_ports(begun, len(APIS))
    assert state_at_work(begun) == begun, "named itself it is the one"


def test_status_knows_every_process_of_a_cluster(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main()
    assert "Nothing is running" in capsys.readouterr().out
    running = ClusterStack(cluster_dir(state), free())
    remember(running.ports, running.state)
    shown = ports_shown(running.state, running.ports)
    servers = ["postgres", "temporal", "temporal-ui", "simulators", "traces", "codec", "proxy"]
    assert set(shown) == {*servers, *APIS, *WORKERS}
    for name in APIS:
        assert shown[name].startswith(f"{running.port_of(name)}, ")
    for name in (*APIS, *WORKERS):
        assert shown[name].endswith(f"metrics {running.metrics_port(name)}")

    begin(running.state, "worker-2", "api-1", "proxy", "supervisor")
    main()
    said = capsys.readouterr().out
    listed = [line.split()[0] for line in said.splitlines() if line.strip()]
    assert listed[1:5] == ["supervisor", "worker-2", "api-1", "proxy"]
    assert str(running.ports.portal) in said
    assert str(running.state) in said


def test_the_ports_of_what_runs_are_asked_for_and_not_chosen_anew(state: Path) -> None:
    chosen = free()
    remember(chosen, state)
    (state / "postgres.port").write_text(str(chosen.postgres))
    with socket.create_server((LOOPBACK, chosen.postgres)):
        assert remembered(state) == chosen
        assert (state / "postgres.port").read_text() == str(chosen.postgres)


def backed_up(folder: Path, at: datetime, temporal_at: datetime | None) -> None:
    made = Manifest(
        temporal_at=temporal_at, began_at=at, whole_from=at, postgres=15, bytes=1, seconds=1
    )
    backup = folder / f"{at:%Y%m%dT%H%M%SZ}"
    backup.mkdir(parents=True)
    (backup / "backup.json").write_text(made.model_dump_json())


def test_status_says_how_old_the_last_backup_is(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backups = state / "backups"
    assert last_backup_words(state, NOON) == f"none in {backups}"
    for days in (2, 1):
        at = NOON - timedelta(days=days)
        backed_up(backups, at, temporal_at=at)
    (backups / "begun").mkdir()
    (backups / "begun" / "backup.json").write_text("{")
    told = last_backup_words(state, NOON)
    assert told == f"{NOON - timedelta(days=1):%Y-%m-%d %H:%M} UTC, 24 hours ago, in {backups}"
    monkeypatch.setenv("BACKUPS", str(backups))
    backed_up(backups, NOON, temporal_at=None)
    assert last_backup_words(state, NOON) == told, "the cluster's is another's"
    clusters = begin(cluster_dir(state), "postgres")
    inner_ports(clusters, len(APIS))
    assert ", 0 hours ago, " in last_backup_words(clusters, NOON)
