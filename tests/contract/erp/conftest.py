"""The ERP's stand-in alone, for what asks it and its client together."""

from collections.abc import AsyncGenerator
from pathlib import Path

import httpx
import pytest

from simulators.main import create_app
from tests.drivers.outside.erp_records import ErpDesk


@pytest.fixture
async def client(tmp_path: Path) -> AsyncGenerator[httpx.AsyncClient]:
    stand_ins = create_app(tmp_path / "simulators.sqlite")
    transport = httpx.ASGITransport(stand_ins)
    async with httpx.AsyncClient(transport=transport, base_url="http://erp") as client:
        yield client


@pytest.fixture
async def desk(client: httpx.AsyncClient) -> ErpDesk:
    desk = ErpDesk(client)
    await desk.name_numbers()
    return desk
