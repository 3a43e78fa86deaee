"""A portal that sells the demo plans; Temporal is down."""

from collections.abc import AsyncGenerator

import pytest
from fastapi import FastAPI

from db.base import Sessions
from db.demo.plans import add_plans
from tests.drivers.portal import running_portal


@pytest.fixture(scope="package")
async def portal(database_url: str, sessions: Sessions) -> AsyncGenerator[FastAPI]:
    async with sessions.begin() as session:
        await add_plans(session)
    async with running_portal(database_url) as app:
        yield app
