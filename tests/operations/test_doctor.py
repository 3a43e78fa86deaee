"""What `make doctor` finds: everything that is there, and by name what is away or does not take our key."""

from collections.abc import AsyncGenerator
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from settings import Settings
from simulators.main import create_app
from workers.operations.doctor import Finding, examine, written

AWAY = "http://away.test"


class World(httpx.AsyncBaseTransport):
    """The stand-ins; nobody listens at the one address."""

    def __init__(self, inside: httpx.ASGITransport) -> None:
        self._inside = inside

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.host == "away.test":
            raise httpx.ConnectError("nobody listens")
        return await self._inside.handle_async_request(request)


@pytest.fixture
async def outside(tmp_path: Path) -> AsyncGenerator[httpx.AsyncClient]:
    app = create_app(tmp_path / "stand-ins.sqlite")
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=World(httpx.ASGITransport(app))) as client,
    ):
        yield client


def settings_of(database_url: str, temporal_address: str) -> Settings:
    return Settings(
        simulators_url="http://stand-ins",
        database_url=database_url,
        temporal_address=temporal_address,
    )


def ill(findings: list[Finding]) -> dict[str, str]:
    return {one.name: one.said for one in findings if not one.is_well}


async def test_what_is_there_is_well_and_what_is_not_is_named(
    outside: httpx.AsyncClient, database_url: str, temporal_address: str
) -> None:
    settings = settings_of(database_url, temporal_address)
    findings = await examine(settings, outside)
    assert set(ill(findings)) <= {"schedules"}, written(settings, findings)
    worse = settings.model_copy(
        update={"gateway_url": AWAY, "device_cloud_key": SecretStr("another key")}
    )
    found = await examine(worse, outside)
    assert set(ill(found)) - set(ill(findings)) == {"ACH/COD gateway", "device network"}
    assert ill(found)["device network"] == "answers, and does not take the key"
    said = written(worse, found)
    assert (
        f"MISSING  ACH/COD gateway      does not answer at its address, or not as agreed  ({AWAY})"
        in said
    )
    assert "another key" not in said


async def test_a_temporal_and_a_database_that_are_away_are_named(
    outside: httpx.AsyncClient,
) -> None:
    settings = settings_of("postgresql://nobody@127.0.0.1:1/none", "127.0.0.1:1")
    found = ill(await examine(settings, outside))
    ours = {"database", "migrations", "Temporal", "search attributes", "schedules"}
    assert set(found) == ours
