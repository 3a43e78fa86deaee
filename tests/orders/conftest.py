"""A portal with orders; Temporal is down."""

from collections.abc import AsyncGenerator

import httpx
import pytest
from fastapi import FastAPI

from settings import DEVELOPMENT_ERP_WEBHOOK_SECRET
from simulators.events import Listener
from simulators.main import create_app as create_simulators
from tests.drivers.portal import running_portal

URL = "http://portal.test/v1/webhooks/erp"
AT_ONCE = {"accept_seconds": 0, "ship_seconds": 0.01, "invoice_seconds": 0.01}


@pytest.fixture(scope="package")
async def portal(database_url: str) -> AsyncGenerator[FastAPI]:
    async with running_portal(database_url) as app:
        yield app


@pytest.fixture
async def world(
    portal: FastAPI, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[httpx.AsyncClient]:
    """Stand-ins that tell this portal of orders at once."""
    app = create_simulators(
        tmp_path_factory.mktemp("erp") / "simulators.sqlite",
        webhook_transport=httpx.ASGITransport(portal),
        listeners={"erp": Listener(URL, DEVELOPMENT_ERP_WEBHOOK_SECRET)},
    )
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://erp") as client,
    ):
        (await client.post("/erp/_knobs", json=AT_ONCE)).raise_for_status()
        yield client
