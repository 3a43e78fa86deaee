"""A database that hangs: its server is there, and says nothing (promise 14)."""

import asyncio
import time

import httpx
import pytest

from db.base import Sessions
from tests.drivers.factories import a_dealer, an_installer
from tests.drivers.outside.lines import a_line_to
from tests.drivers.portal import a_browser, running_portal, sign_in
from tests.drivers.until import until


async def until_answered(browser: httpx.AsyncClient) -> None:
    await until(lambda: browser.get("/v1/activations"), lambda answer: answer.is_success, within=90)


@pytest.mark.whole
async def test_a_hung_database_is_said_within_seconds_and_leaves_nothing_to_restart(
    sessions: Sessions, database_url: str
) -> None:
    person = await an_installer(sessions, await a_dealer(sessions))
    async with (
        a_line_to(database_url) as (line, address),
        running_portal(address) as app,
        a_browser(app) as browser,
    ):
        await sign_in(browser, person)
        line.open.clear()
        began = time.monotonic()
        answers = await asyncio.gather(*(browser.get("/v1/activations") for _ in range(20)))
        assert {answer.status_code for answer in answers} == {503}
        assert time.monotonic() - began < 5
        began = time.monotonic()
        ready = await browser.get("/readyz")
        assert (ready.status_code, ready.json()["database"]["state"]) == (503, "down")
        assert time.monotonic() - began < 2
        line.open.set()
        async with asyncio.timeout(15):
            await until_answered(browser)
