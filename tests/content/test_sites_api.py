"""The sites of an installation: their rows are at the hosts that its settings name."""

from collections.abc import AsyncGenerator

import pytest
from fastapi import FastAPI

from db.base import Sessions, make_engine, make_sessions
from db.partner_tables import load_sites
from dev.servers import Servers
from tests.drivers.portal import a_browser, running_portal

CANADA, USA = "portal.dealer.test", "us.portal.dealer.test"


@pytest.fixture
async def database_url(servers: Servers, worker_id: str) -> AsyncGenerator[str]:
    """Of its own: the sites are those of every other test."""
    with servers.database(f"sites_{worker_id}") as (url, _):
        yield url


@pytest.fixture
async def sessions(database_url: str) -> AsyncGenerator[Sessions]:
    engine = make_engine(database_url)
    yield make_sessions(engine)
    await engine.dispose()


async def site_at(app: FastAPI, host: str) -> dict[str, str]:
    """Its country, and where its sibling is."""
    async with a_browser(app, host=host, scheme="https") as browser:
        site = (await browser.get("/v1/site")).json()
    return {"country": site["country"], "other": site["other"]["login_url"]}


async def test_each_site_is_at_the_host_that_the_settings_name(
    database_url: str, sessions: Sessions
) -> None:
    url = f"https://{CANADA}"
    hosts = {"ca": CANADA, "us": USA}
    async with running_portal(database_url, portal_url=url, sites=hosts) as app:
        canadian = {"country": "CA", "other": f"https://{USA}/login"}
        assert await site_at(app, CANADA) == canadian
        assert await site_at(app, USA) == {"country": "US", "other": f"{url}/login"}
        assert await site_at(app, "10.0.0.7") == canadian  # neither: as a probe asks
    async with sessions() as session:
        assert {site.code: site.host for site in await load_sites(session)} == hosts


async def test_two_sites_change_places_and_stay_there_without_the_setting(
    database_url: str,
) -> None:
    async with running_portal(database_url, sites={"ca": CANADA, "us": USA}) as app:
        assert (await site_at(app, CANADA))["country"] == "CA"
    async with running_portal(database_url, sites={"ca": USA, "us": CANADA}) as app:
        assert (await site_at(app, CANADA))["country"] == "US"
    async with running_portal(database_url) as app:
        assert (await site_at(app, USA))["country"] == "CA"
