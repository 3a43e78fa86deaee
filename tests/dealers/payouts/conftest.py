"""A stage with a database of its own: a run pays every dealer that there is."""

import uuid
from collections.abc import AsyncGenerator, Generator

import pytest
from temporalio.client import Client

from db.base import Sessions, make_engine, make_sessions
from dev.servers import Servers
from tests.drivers.stage import Stage, a_stage
from tests.drivers.whole_portal import Whole, a_whole_portal


@pytest.fixture(scope="module")
def own_database(servers: Servers) -> Generator[str]:
    with servers.database("payouts") as urls:
        yield urls[0]


@pytest.fixture(scope="module")
async def stage(
    temporal: Client, own_database: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Stage]:
    engine = make_engine(own_database)
    sessions: Sessions = make_sessions(engine)
    async with a_stage(
        temporal,
        sessions,
        own_database,
        f"test-{uuid.uuid4().hex[:12]}",
        tmp_path_factory.mktemp("payouts"),
        relays=False,
    ) as here:
        yield here
    await engine.dispose()


@pytest.fixture(scope="module")
async def whole(
    temporal: Client,
    temporal_address: str,
    own_database: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[Whole]:
    """The portal too, which the stand-ins tell what happens."""
    engine = make_engine(own_database)
    folder = tmp_path_factory.mktemp("payouts")
    async with a_whole_portal(
        temporal, temporal_address, make_sessions(engine), own_database, folder
    ) as here:
        yield here
    await engine.dispose()
