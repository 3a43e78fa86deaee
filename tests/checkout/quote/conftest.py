"""A portal with carts; Temporal is down."""

from collections.abc import AsyncGenerator

import pytest
from fastapi import FastAPI

from tests.drivers.portal import running_portal


@pytest.fixture(scope="package")
async def portal(database_url: str) -> AsyncGenerator[FastAPI]:
    async with running_portal(database_url) as app:
        yield app
