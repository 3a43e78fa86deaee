"""A whole portal whose purchases wait seconds instead of minutes."""

from collections.abc import AsyncGenerator

import pytest
from temporalio.client import Client

from db.base import Sessions
from tests.drivers.database.own_database import database_url, sessions
from tests.drivers.whole_portal import Whole, a_whole_portal
from tests.plans.purchases.buying import QUICK, ready

__all__ = ["database_url", "sessions"]


@pytest.fixture(scope="package")
async def whole(
    temporal: Client,
    temporal_address: str,
    sessions: Sessions,
    database_url: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[Whole]:
    folder = tmp_path_factory.mktemp("purchases")
    async with a_whole_portal(
        temporal,
        temporal_address,
        sessions,
        database_url,
        folder,
        policy_purchase=QUICK.model_dump(mode="json"),
    ) as here:
        await ready(here)
        yield here
