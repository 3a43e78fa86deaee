"""The portal of these tests, with all vehicles and their wiring."""

from collections.abc import AsyncGenerator

import httpx
import pytest
from fastapi import FastAPI

from db.base import Sessions
from db.demo.wiring.load import add_wiring
from simulators.main import create_app as create_simulators
from tests.drivers.portal import running_portal

SIMULATED = "http://simulators"


@pytest.fixture(scope="package")
def stand_ins(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    return create_simulators(tmp_path_factory.mktemp("vehicles") / "state.sqlite")


@pytest.fixture(scope="package")
async def wired(
    sessions: Sessions, database_url: str, stand_ins: FastAPI
) -> AsyncGenerator[FastAPI]:
    """Temporal is down; the vendors of wiring are their stand-ins."""
    async with sessions.begin() as session:
        await add_wiring(session)
    outside = httpx.ASGITransport(stand_ins)
    async with running_portal(database_url, outside=outside, simulators_url=SIMULATED) as app:
        yield app
