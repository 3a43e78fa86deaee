"""What runs on this machine is found, whichever command has started it."""

import os
import socket
from pathlib import Path

import pytest

from dev.cluster.ports import inner_ports
from dev.cluster.stack import APIS, WORKERS, ClusterStack
from dev.console import CannotStart
from dev.places import cluster_dir
from dev.ports import LOOPBACK, free, remember, remembered
from dev.processes import Ledger, state_at_work, states_at_work
from dev.status import main, ports_shown


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
