"""A stage with a database and stand-ins of its own: a round looks at everything that there is."""

import uuid
from collections.abc import AsyncGenerator, Generator
from datetime import timedelta

import pytest
from temporalio.client import Client

from db.base import Sessions, make_engine, make_sessions
from dev.servers import Servers
from domain.billing.reconciliation.bounds import ReconciliationBounds
from tests.drivers.stage import Stage, a_stage


@pytest.fixture
def own_database(servers: Servers) -> Generator[str]:
    with servers.database("reconciliation") as urls:
        yield urls[0]


@pytest.fixture
async def stage(
    temporal: Client, own_database: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Stage]:
    engine = make_engine(own_database)
    sessions: Sessions = make_sessions(engine)
    nothing = timedelta(0)
    async with a_stage(
        temporal,
        sessions,
        own_database,
        f"test-{uuid.uuid4().hex[:12]}",
        tmp_path_factory.mktemp("reconciliation"),
        reconciled=ReconciliationBounds(grace=nothing, late=nothing),
    ) as here:
        yield here
    await engine.dispose()
