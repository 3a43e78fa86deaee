"""A whole portal that sells plans."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from temporalio.client import Client

from db.base import Sessions
from tests.drivers.whole_portal import Whole, a_whole_portal
from tests.plans.purchases.buying import ready


@pytest.fixture(scope="package")
async def whole(
    temporal: Client,
    temporal_address: str,
    sessions: Sessions,
    database_url: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[Whole]:
    folder: Path = tmp_path_factory.mktemp("plans")
    async with a_whole_portal(temporal, temporal_address, sessions, database_url, folder) as here:
        await ready(here)
        yield here
