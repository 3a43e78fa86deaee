"""A portal with the stand-ins' ERP, with Temporal down."""

from collections.abc import AsyncGenerator

import httpx
import pytest
from fastapi import FastAPI

from simulators.main import create_app as create_simulators
from tests.drivers.portal import a_browser, running_portal


@pytest.fixture(scope="package")
def erp(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    return create_simulators(tmp_path_factory.mktemp("erp") / "simulators.sqlite")


@pytest.fixture(scope="package")
async def portal(database_url: str, erp: FastAPI) -> AsyncGenerator[FastAPI]:
    async with running_portal(database_url, outside=httpx.ASGITransport(erp)) as app:
        yield app


@pytest.fixture
async def browser(portal: FastAPI) -> AsyncGenerator[httpx.AsyncClient]:
    async with a_browser(portal) as client:
        yield client
