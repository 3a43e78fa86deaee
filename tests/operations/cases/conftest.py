"""A whole portal whose ERP and bank take moments instead of days."""

from collections.abc import AsyncGenerator

import pytest
from temporalio.client import Client

from db.base import Sessions
from tests.checkout.placements.buying import QUICK, turn
from tests.drivers.database.own_database import database_url, sessions
from tests.drivers.stage import SIMULATED, Stage
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
    async with a_whole_portal(
        temporal,
        temporal_address,
        sessions,
        database_url,
        tmp_path_factory.mktemp("cases"),
        starts_cases=True,
        policy_placement=QUICK.model_dump(mode="json"),
    ) as here:
        for system in ("cards", "gateway"):
            await turn(here, system, lost_reply_seconds=0, slow_seconds=0.2, bank_days=0)
        quick = {"accept_seconds": 0.1, "ship_seconds": 0.2, "invoice_seconds": 0.2}
        (await here.stage.http.post(f"{SIMULATED}/erp/_knobs", json=quick)).raise_for_status()
        yield here


@pytest.fixture(scope="package")
async def stage(whole: Whole) -> Stage:
    return whole.stage
