"""A whole portal whose placements wait seconds instead of minutes."""

from collections.abc import AsyncGenerator

import pytest
from temporalio.client import Client

from db.base import Sessions
from tests.checkout.placements.buying import QUICK, turn
from tests.drivers.database.own_database import database_url, sessions
from tests.drivers.whole_portal import Whole, a_whole_portal

__all__ = ["database_url", "sessions"]


@pytest.fixture(scope="package")
async def whole(
    temporal: Client,
    temporal_address: str,
    sessions: Sessions,
    database_url: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[Whole]:
    folder = tmp_path_factory.mktemp("placements")
    async with a_whole_portal(
        temporal,
        temporal_address,
        sessions,
        database_url,
        folder,
        policy_placement=QUICK.model_dump(mode="json"),
    ) as here:
        for system in ("cards", "gateway"):
            await turn(here, system, lost_reply_seconds=0, slow_seconds=0.2, bank_days=0)
        yield here
