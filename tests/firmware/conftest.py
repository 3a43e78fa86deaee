"""The stage of the firmware's tests."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from temporalio.client import Client

from db.base import Sessions
from tests.drivers.stage import Stage, a_stage
from tests.drivers.whole_portal import whole

__all__ = ["whole"]


@pytest.fixture
async def stage(
    temporal: Client, sessions: Sessions, database_url: str, task_queue: str, tmp_path: Path
) -> AsyncGenerator[Stage]:
    async with a_stage(temporal, sessions, database_url, task_queue, tmp_path) as stage:
        yield stage
