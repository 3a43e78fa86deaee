"""A database whose host vanishes tells nobody: sockets stay as they are, and nothing comes through them any more."""

import asyncio
import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from api.platform.border.database_watch import DatabaseWatch
from api.platform.live import Live
from db.base import Sessions
from db.platform import lines
from db.platform.notices import CHANNEL
from tests.drivers.outside.lines import a_line_to
from tests.drivers.until import until
from workers.outbox import Outbox


@asynccontextmanager
async def running(process: DatabaseWatch | Live | Outbox) -> AsyncGenerator[None]:
    task = asyncio.create_task(process.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "QUIET", 0.3)
    monkeypatch.setattr(lines, "ANSWERED", 0.5)


async def notify(sessions: Sessions, channel: str, name: str) -> None:
    async with sessions.begin() as session:
        await session.execute(select(func.pg_notify(channel, name)))


async def test_the_watch_asks_on_a_new_connection_when_the_old_one_says_nothing(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "ANSWERED", 3.0)
    async with a_line_to(database_url) as (line, address):
        watch = DatabaseWatch(address)

        async def is_hung() -> bool:
            return watch.is_hung

        async with running(watch):
            await until(lambda: _connected(line.connections), lambda count: count == 1)
            line.lose()
            await until(is_hung)
            await until(is_hung, lambda hung: not hung)
            assert line.connections == 1


async def test_a_database_that_hangs_counts_as_hung_until_it_answers(
    database_url: str,
) -> None:
    async with a_line_to(database_url) as (line, address):
        watch = DatabaseWatch(address)
        seen = list[bool]()

        async def look() -> list[bool]:
            seen.append(watch.is_hung)
            return seen

        async with running(watch):
            await until(lambda: _connected(line.connections), lambda count: count == 1)
            line.open.clear()
            await until(look, lambda looks: looks[-1])
            seen.clear()
            await until(look, lambda looks: len(looks) == 50)
            assert all(seen)
            line.open.set()
            await until(look, lambda looks: not looks[-1])


async def test_who_follows_a_run_is_woken_again_after_the_host_of_the_database_vanished(
    sessions: Sessions, database_url: str
) -> None:
    name = f"act-{secrets.token_hex(8)}"
    async with a_line_to(database_url) as (line, address):
        live = Live(address)
        async with running(live):
            with live.following([name]) as woken:
                await _is_woken(sessions, CHANNEL, name, woken)
                line.lose()
                await _is_woken(sessions, CHANNEL, name, woken)


async def test_an_outbox_is_woken_again_after_the_host_of_the_database_vanished(
    sessions: Sessions, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = asyncio.Event()

    async def deliver() -> int:
        looked.set()
        return 0

    monkeypatch.setattr("workers.outbox.LOOK_EVERY", timedelta(hours=1))
    async with a_line_to(database_url) as (line, address):
        outbox = Outbox(deliver, batch=1, channel="of_this_test", database_url=address)
        async with running(outbox):
            await _is_woken(sessions, "of_this_test", "", looked)
            line.lose()
            await _is_woken(sessions, "of_this_test", "", looked)


async def test_what_is_told_of_others_wakes_no_outbox(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, looks_by_then = list[str](), list[int]()

    async def deliver() -> int:
        looks.append("looked")
        return 0

    async def received(_: object) -> AsyncGenerator[str]:
        for told_of in ("", "card", "bank"):
            if told_of:
                yield told_of
            # Whoever was woken has looked by then.
            for _ in range(100):
                await asyncio.sleep(0)
            looks_by_then.append(len(looks))
        await asyncio.Event().wait()

    async def all_delivered() -> bool:
        return len(looks_by_then) == 3

    monkeypatch.setattr("workers.outbox.LOOK_EVERY", timedelta(hours=1))
    monkeypatch.setattr("workers.outbox.received", received)
    outbox = Outbox(
        deliver, batch=1, channel="of_this_test", database_url=database_url, about="bank"
    )
    async with running(outbox):
        await until(all_delivered)
    assert looks_by_then == [1, 1, 2], "it looks as it begins to listen, and at what is its own"


async def _is_woken(sessions: Sessions, channel: str, name: str, woken: asyncio.Event) -> None:
    """By what is told from now on."""

    async def asked() -> bool:
        await notify(sessions, channel, name)
        return woken.is_set()

    woken.clear()
    await until(asked)


async def _connected(count: int) -> int:
    return count
