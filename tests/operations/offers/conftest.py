"""An empty, migrated database of its own for each test: what a file does not have is offered no more."""

from collections.abc import AsyncGenerator, Generator

import pytest

from db.base import Sessions, make_engine, make_sessions
from dev.servers import Servers


@pytest.fixture
def database_url(servers: Servers, worker_id: str) -> Generator[str]:
    with servers.database(f"offers_{worker_id}") as (url, _):
        yield url


@pytest.fixture
async def sessions(database_url: str) -> AsyncGenerator[Sessions]:
    engine = make_engine(database_url)
    yield make_sessions(engine)
    await engine.dispose()
