"""Whoever looks around hides nothing: a refused stream and an error of their own are faults of the run."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest

from db.base import Sessions
from dev.stack import Stack
from tests.drivers.factories import a_dealer, an_owner
from tests.drivers.portal import running_portal, serving
from tests.drivers.until import until
from tests.faults.crowd import failures_of
from tests.faults.people import driver, load
from tests.faults.people.buyers import Buyer
from tests.faults.people.driver import Browser, Progress
from tests.faults.people.load import Amount


async def until_answered(progress: Progress, answer: str) -> None:
    async def times() -> int:
        return progress.answers[answer]

    await until(times, within=30)


async def until_broken(progress: Progress) -> None:
    """What is refused is noted once its answer is read."""

    async def faults() -> list[str]:
        return progress.broken

    await until(faults, within=30)


async def test_a_refused_stream_is_a_fault_and_one_without_a_sign_in_signs_in(
    sessions: Sessions, database_url: str
) -> None:
    person = await an_owner(sessions, await a_dealer(sessions))
    async with running_portal(database_url) as app, serving(app) as address:
        progress = Progress()
        browser = Browser(address, person.email, progress)
        live = asyncio.create_task(browser.follow("session:me"))
        await until_answered(progress, "stream 200")
        assert (progress.answers["stream 401"], progress.broken) == (1, [])
        refused = asyncio.create_task(browser.follow(f"activation:{'0' * 32}"))
        await until_broken(progress)
        for task in (live, refused):
            task.cancel()
        assert await failures_of([live, refused]) == []
        assert progress.broken[0].startswith("GET /v1/events?follow=activation:")
        await browser.close()


async def test_what_a_visitor_failed_of_is_kept() -> None:
    async def fail() -> None:
        raise KeyError("page")

    assert await failures_of([asyncio.create_task(fail())]) == ["KeyError('page')"]


async def test_a_run_is_followed_to_its_end_and_one_that_goes_back_is_a_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    progress, path = Progress(), "/v1/placements/a"
    browser = Browser("http://portal.test", "olivia@people.example", progress)
    shown = iter(
        [
            httpx.Response(404),
            httpx.Response(200, json={"rev": 2, "state": "paying", "ended": False}),
            httpx.Response(200, json={"rev": 1, "state": "submitted", "ended": False}),
            httpx.Response(200, json={"rev": 3, "state": "confirmed", "ended": True}),
        ]
    )

    async def get(asked: str) -> httpx.Response:
        assert asked == path
        return next(shown)

    monkeypatch.setattr(browser, "get", get)
    monkeypatch.setattr(driver, "PAUSE_SECONDS", 0)
    seen: list[str] = []

    async def go_on(run: dict[str, Any]) -> None:
        seen.append(run["state"])

    assert (await browser.to_its_end(path, go_on))["state"] == "confirmed"
    assert seen == ["paying", "submitted"]
    assert progress.broken == [f"{path} went back from 2 to 1"]
    await browser.close()


async def test_a_load_says_now_and_then_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """So do the chaos run and the soak, which carry one out."""
    work = load.Load(seed=1, running=cast(Stack, None), urls=(), amount=Amount(orders=1))
    told: asyncio.Queue[str] = asyncio.Queue()
    monkeypatch.setattr(load, "TOLD_EVERY_SECONDS", 0)
    monkeypatch.setattr(load, "say", told.put_nowait)
    lines: list[str] = []

    async def order() -> None:
        lines.append(await told.get())
        await work.progress.step_done()
        lines.extend([await told.get() for _ in range(told.qsize() + 1)])

    work.shopping.append(cast(Buyer, SimpleNamespace(order=order)))
    await asyncio.wait_for(work.carry_out(), 30)
    assert lines[0].endswith(f" s: 0 steps of about {work.steps}")
    assert lines[-1].endswith(f" s: 1 steps of about {work.steps}")
