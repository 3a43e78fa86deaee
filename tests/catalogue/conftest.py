"""A portal whose catalogue is what each test puts there; Temporal is down."""

from collections.abc import AsyncGenerator

import httpx
import pytest
from fastapi import FastAPI

from tests.drivers.portal import a_browser, running_portal


@pytest.fixture(scope="package")
async def portal(database_url: str) -> AsyncGenerator[FastAPI]:
    async with running_portal(database_url) as app:
        yield app


@pytest.fixture
async def browser(portal: FastAPI) -> AsyncGenerator[httpx.AsyncClient]:
    async with a_browser(portal) as client:
        yield client
