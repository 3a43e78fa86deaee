"""The whole portal for the tests of bank accounts, and runs alone on a stage."""

from collections.abc import AsyncGenerator

import pytest
from temporalio.client import Client

from db.base import Sessions
from tests.stage import Stage, a_stage
from tests.whole_portal import whole

__all__ = ["stage", "whole"]


@pytest.fixture
async def stage(
    temporal: Client,
    sessions: Sessions,
    database_url: str,
    task_queue: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[Stage]:
    folder = tmp_path_factory.mktemp("bank")
    async with a_stage(temporal, sessions, database_url, task_queue, folder, relays=False) as here:
        yield here
