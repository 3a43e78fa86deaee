"""Whoever looks around hides nothing: a refused stream and an error of their own are faults of the run."""

import asyncio

from db.base import Sessions
from tests.drivers.factories import a_dealer, an_owner
from tests.drivers.portal import running_portal, serving
from tests.drivers.until import until
from tests.faults.crowd import failures_of
from tests.faults.driver import Browser, Progress


async def until_told(progress: Progress, answer: str) -> None:
    async def times() -> int:
        return progress.answers[answer]

    await until(times, within=30)


async def test_a_refused_stream_is_a_fault_and_one_without_a_sign_in_signs_in(
    sessions: Sessions, database_url: str
) -> None:
    person = await an_owner(sessions, await a_dealer(sessions))
    async with running_portal(database_url) as app, serving(app) as address:
        progress = Progress()
        browser = Browser(address, person.email, progress)
        live = asyncio.create_task(browser.follow("session:me"))
        await until_told(progress, "stream 200")
        assert (progress.answers["stream 401"], progress.broken) == (1, [])
        refused = asyncio.create_task(browser.follow(f"activation:{'0' * 32}"))
        await until_told(progress, "stream 404")
        for task in (live, refused):
            task.cancel()
        assert await failures_of([live, refused]) == []
        assert progress.broken[0].startswith("GET /v1/events?follow=activation:")
        await browser.close()


async def test_what_a_visitor_failed_of_is_kept() -> None:
    async def fail() -> None:
        raise KeyError("page")

    assert await failures_of([asyncio.create_task(fail())]) == ["KeyError('page')"]
