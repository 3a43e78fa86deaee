"""A database of their own for the tests of a folder, or of a file: what others left there is looked at by nobody.

A round of the reconciler looks at every row there is and takes up what has no run, a starter of cases begins those of
other portals, too, and relays take what is there.
"""

from collections.abc import AsyncGenerator, Generator

import pytest

from db.base import Sessions, make_engine, make_sessions
from dev.servers import Servers


@pytest.fixture(scope="package")
def database_url(servers: Servers, worker_id: str) -> Generator[str]:
    with servers.database(f"own_{worker_id}") as (url, _):
        yield url


@pytest.fixture(scope="package")
async def sessions(database_url: str) -> AsyncGenerator[Sessions]:
    engine = make_engine(database_url)
    yield make_sessions(engine)
    await engine.dispose()
