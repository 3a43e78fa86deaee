"""A stage with a database of its own: a round looks at every open run there is."""

import uuid
from collections.abc import AsyncGenerator, Generator
from datetime import timedelta

import pytest
from temporalio.client import Client

from db.base import Sessions, make_engine, make_sessions
from dev.servers import Servers
from tests.drivers.stage import EVERY_ROW, Stage, a_stage


@pytest.fixture(scope="package")
def own_database(servers: Servers) -> Generator[str]:
    with servers.database("reconciler") as urls:
        yield urls[0]


@pytest.fixture(scope="package")
async def own_sessions(own_database: str) -> AsyncGenerator[Sessions]:
    engine = make_engine(own_database)
    yield make_sessions(engine)
    await engine.dispose()


@pytest.fixture(scope="package")
async def stage(
    temporal: Client,
    own_sessions: Sessions,
    own_database: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[Stage]:
    async with a_stage(
        temporal,
        own_sessions,
        own_database,
        f"test-{uuid.uuid4().hex[:12]}",
        tmp_path_factory.mktemp("reconciler"),
        bounds=EVERY_ROW.model_copy(update={"grace": timedelta(0)}),
    ) as stage:
        yield stage
