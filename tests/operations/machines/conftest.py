"""Two APIs of one portal, in one process: they share nothing but what they would on two machines."""

from collections.abc import AsyncGenerator

import httpx
import pytest

from tests.drivers.portal import running_portal
from tests.drivers.stage import SIMULATED
from tests.drivers.whole_portal import Whole, whole

__all__ = ["whole"]


@pytest.fixture(scope="package")
async def another(whole: Whole, database_url: str, temporal_address: str) -> AsyncGenerator[Whole]:
    """A second API in front of the same stage."""
    async with running_portal(
        database_url,
        temporal_address=temporal_address,
        outside=httpx.ASGITransport(whole.stage.app),
        task_queue=whole.stage.task_queue,
        simulators_url=SIMULATED,
    ) as app:
        yield Whole(app, whole.stage, whole.sessions)
