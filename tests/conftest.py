"""Servers for the tests: one PostgreSQL and one Temporal for a run, one database for each test worker.

Started when the first test asks, shared by the workers of pytest-xdist, ended with the run. Tests keep apart by unique
ids, not by emptying tables.
"""

import gc
import uuid
from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest
import structlog
from fastapi import FastAPI
from temporalio.client import Client

from db.base import Sessions, make_engine, make_sessions
from dev.servers import Servers, close_run, open_run
from dev.testing import is_whole
from simulators.main import create_app as create_simulators
from tests.drivers.database.transactions import Watch, watched
from workflows.client import connect

_OPENED = pytest.StashKey[str | None]()


def pytest_configure(config: pytest.Config) -> None:
    """Before the workers of pytest-xdist start, so that they find the run in their environment."""
    # A traceback of a failure that a test asks for is drawn in colours nowhere.
    plain = structlog.dev.ConsoleRenderer(
        colors=False, exception_formatter=structlog.dev.plain_traceback
    )
    structlog.configure(processors=[structlog.stdlib.add_log_level, plain])
    config.stash[_OPENED] = open_run()
    gc.disable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """What was imported and collected stays to the end of the run: nothing is gained by looking through it for what is
    gone, with it or ever after."""
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests marked `whole` load, measure or take long: they run with WHOLE=1, as `make test-all` sets it."""
    if is_whole():
        return
    left_out = [item for item in items if item.get_closest_marker("whole")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("whole")]


def pytest_unconfigure(config: pytest.Config) -> None:
    opened = config.stash.get(_OPENED, None)
    if opened:
        close_run(opened)


@pytest.fixture(scope="session")
def watch() -> Generator[Watch]:
    with watched() as watch:
        yield watch


@pytest.fixture(autouse=True)
def nobody_asks_an_outside_system_within_a_transaction(watch: Watch) -> Generator[None]:
    watch.found.clear()
    yield
    assert not watch.found, watch.found


@pytest.fixture(scope="session")
def servers() -> Servers:
    return Servers()


@pytest.fixture(scope="session")
def postgres(servers: Servers) -> str:
    """An administrator's address of a real cluster."""
    return servers.postgres().admin_url


@pytest.fixture(scope="session")
def database_urls(servers: Servers, worker_id: str) -> Generator[tuple[str, str]]:
    """The migrated database of this test worker, for the application and for the owner of its tables."""
    with servers.database(f"test_{worker_id}") as urls:
        yield urls


@pytest.fixture(scope="session")
def database_url(database_urls: tuple[str, str]) -> str:
    """The migrated database of this test worker, as the application reaches it."""
    return database_urls[0]


@pytest.fixture(scope="session")
async def sessions(database_url: str) -> AsyncGenerator[Sessions]:
    engine = make_engine(database_url)
    yield make_sessions(engine)
    await engine.dispose()


@pytest.fixture(scope="session")
async def demo_sessions(servers: Servers, worker_id: str) -> AsyncGenerator[Sessions]:
    """A database with the demo data: among the rows of other tests its coupons would apply to their orders."""
    with servers.database(f"demo_{worker_id}", like=servers.demo()) as (url, _):
        engine = make_engine(url)
        yield make_sessions(engine)
        await engine.dispose()


@pytest.fixture(scope="session")
def temporal_address(servers: Servers) -> str:
    """A real development server that knows our search attributes."""
    return servers.temporal()


@pytest.fixture(scope="session")
async def temporal(temporal_address: str) -> Client:
    return await connect(temporal_address)


@pytest.fixture
def task_queue() -> str:
    """A queue that no other test uses."""
    return f"test-{uuid.uuid4().hex[:12]}"


@pytest.fixture
def simulators(tmp_path: Path) -> FastAPI:
    """The stand-ins in this process, with devices of their own; they answer at once and call no webhook."""
    return create_simulators(tmp_path / "simulators.sqlite", latency=(0.0, 0.01))


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]):
    """Prints a line of counts past pytest's capture: they are part of the proof."""

    def spoken(line: str) -> None:
        with capsys.disabled():
            print(f"\n  {line}")

    return spoken
