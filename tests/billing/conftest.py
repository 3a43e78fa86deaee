"""What tests of invoices and of their payments share."""

from collections.abc import AsyncGenerator

import httpx
import pytest

from simulators.main import create_app as create_simulators


@pytest.fixture
async def erp(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[httpx.AsyncClient]:
    """A stand-in that tells nobody of anything."""
    app = create_simulators(tmp_path_factory.mktemp("erp") / "simulators.sqlite")
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://erp") as client,
    ):
        yield client
