"""A portal with the stand-ins, with Temporal down: whose a thing is, is known before any run is asked."""

from collections.abc import AsyncGenerator
from datetime import timedelta

import httpx
import pytest
from fastapi import FastAPI

from api.runs.events import Pace
from db.base import Sessions
from db.catalogue.tables import AccessoryRow
from simulators.main import create_app as create_simulators
from tests.catalogue.factories import a_product
from tests.drivers.portal import running_portal
from tests.identity.policy.recipes import PRODUCT
from tests.identity.policy.world import World, let_try_again


@pytest.fixture(scope="package")
async def portal(
    database_url: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[FastAPI]:
    stand_ins = create_simulators(
        tmp_path_factory.mktemp("policy") / "simulators.sqlite", latency=(0.0, 0.01)
    )
    async with running_portal(database_url, outside=httpx.ASGITransport(stand_ins)) as app:
        short = Pace(heartbeat=timedelta(milliseconds=10), longest=timedelta(milliseconds=20))
        app.state.pace = short
        yield app


@pytest.fixture(autouse=True)
async def fresh_tries(sessions: Sessions) -> None:
    await let_try_again(sessions)


@pytest.fixture(scope="package")
async def world(portal: FastAPI, sessions: Sessions) -> World:
    made = await a_product(sessions, id=PRODUCT, sku="POLICY-1")
    async with sessions.begin() as session:
        session.add(
            AccessoryRow(goes_with="brand", slug=made.brand, product_id=made.id, position=0)
        )
    return World(portal, sessions)
