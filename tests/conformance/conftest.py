"""`--all`, or WHOLE=1, walks every plan; without it, plans that together hold every pair of neighbouring steps, or every step."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from temporalio.client import Client

from db.base import Sessions
from dev.testing import is_whole
from tests.drivers.stage import Stage, a_stage


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="conformance: every plan of every flow")


@pytest.fixture(scope="package")
def every_plan(pytestconfig: pytest.Config) -> bool:
    return is_whole() or bool(pytestconfig.getoption("all", default=False))


@pytest.fixture
async def stage(
    temporal: Client, sessions: Sessions, database_url: str, task_queue: str, tmp_path: Path
) -> AsyncGenerator[Stage]:
    async with a_stage(temporal, sessions, database_url, task_queue, tmp_path) as stage:
        yield stage
