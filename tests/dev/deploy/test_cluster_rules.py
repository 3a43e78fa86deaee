"""What a cluster is made of, before anything of it runs."""

import json
from pathlib import Path

import pytest

from dev import temporal
from dev.cluster import building, proxy, temporal_server
from dev.cluster.ports import SERVICES, inner_ports
from dev.cluster.stack import APIS, ClusterStack
from dev.cluster.start import NEEDED
from dev.console import CannotStart
from dev.ports import Ports, free
from dev.processes import Ledger


@pytest.fixture
def empty(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine with an empty cache, and no program on its path."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_without_go_one_sentence_says_what_is_missing(empty: Path) -> None:
    with pytest.raises(CannotStart, match=r"install Go 1\.24 or newer"):
        building.bring()
    with pytest.raises(CannotStart, match="make cluster-tools"):
        building.find_programs()


def test_what_was_built_is_found_under_its_version(empty: Path) -> None:
    building.folder().mkdir(parents=True)
    for source in building.SOURCES:
        assert source.version in building.folder().name
        for program in source.programs.values():
            (building.folder() / program).touch()
    building.bring()
    assert building.find_programs().is_relative_to(empty)


def test_without_a_package_for_this_machine_caddy_is_asked_for(
    empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proxy, "VENV", empty)
    with pytest.raises(CannotStart, match="caddy"):
        proxy.find_binary()


def test_services_find_each_other_again_after_a_restart(tmp_path: Path) -> None:
    first = inner_ports(tmp_path, len(APIS))
    assert inner_ports(tmp_path, len(APIS)) == first
    ports = [*first.apis, *first.rpc, *first.membership]
    assert len(set(ports)) == len(ports) == len(APIS) + 2 * len(SERVICES) - 1


def test_the_server_keeps_both_stores_in_postgresql_and_listens_on_this_machine_alone(
    tmp_path: Path,
) -> None:
    inner = inner_ports(tmp_path, len(APIS))
    settings = json.loads(json.dumps(temporal_server.settings_of(5432, "secret", 7233, inner)))
    stores = settings["persistence"]["datastores"]
    assert {store["sql"]["databaseName"] for store in stores.values()} == set(
        temporal_server.STORES
    )
    assert set(settings["services"]) == set(SERVICES)
    assert all(one["rpc"]["bindOnLocalHost"] for one in settings["services"].values())
    assert settings["services"]["frontend"]["rpc"]["grpcPort"] == 7233


def test_each_process_has_ports_of_its_own_for_its_metrics(tmp_path: Path) -> None:
    running = ClusterStack(tmp_path, free())
    names = ["api-1", "api-2", "worker-1", "worker-2", "worker-3", "worker-1-next"]
    ports = [running.metrics_port(name) for name in names]
    assert len({*ports, *(port + 1 for port in ports)}) == 2 * len(names)
    assert running.environment["TRUSTED_PROXIES"] == '["127.0.0.1"]'


KEYS = "a:" + "A" * 43 + "="


@pytest.mark.parametrize(
    ("keys", "observed", "is_opened"),
    [
        (KEYS, True, True),
        (f"none,{KEYS}", True, True),
        ("none", True, False),
        ("", True, False),
        (KEYS, False, False),
    ],
)
def test_what_is_sealed_is_opened_for_the_page_where_somebody_watches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keys: str, observed: bool, is_opened: bool
) -> None:
    monkeypatch.setattr(temporal_server, "find_programs", lambda: tmp_path)
    monkeypatch.delenv("CODEC_URL", raising=False)
    monkeypatch.setenv("PAYLOAD_KEYS", keys)
    running = ClusterStack(tmp_path, free(), observed=observed)
    url = f"http://127.0.0.1:{running.ports.codec}" if is_opened else ""
    assert running.codec_url == running.environment.get("CODEC_URL", "") == url
    page = temporal_server.page(
        tmp_path, "127.0.0.1:7233", 8233, running.ledger, codec_url=running.codec_url
    )
    assert page.command.folder
    told = json.loads((page.command.folder / "config" / "cluster.yaml").read_text())
    wanted = {"endpoint": url, "includeCredentials": True} if is_opened else None
    assert told.get("codec") == wanted
    started = temporal.server(
        tmp_path, tmp_path, 7233, 8233, running.ledger, codec_url=running.codec_url
    )
    assert (url in started.command.arguments) is is_opened


def test_every_port_that_people_know_is_looked_at_before_the_start() -> None:
    assert set(NEEDED) == set(Ports.__dataclass_fields__)


def test_the_password_of_the_stores_is_read_by_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(temporal_server, "find_programs", lambda: tmp_path)
    inner = inner_ports(tmp_path, len(APIS))
    temporal_server.server(tmp_path, 5432, 7233, inner, Ledger(tmp_path / "processes.json"))
    kept = tmp_path / "temporal" / "config" / "cluster.yaml"
    assert kept.stat().st_mode & 0o077 == 0
