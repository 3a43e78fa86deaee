"""A database that hangs: its server is there, and says nothing (promise 14)."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit, urlunsplit

import httpx
import pytest

from db.base import Sessions
from tests.drivers.factories import a_dealer, an_installer
from tests.drivers.portal import a_browser, running_portal, sign_in


class Line:
    """Carries bytes between the portal and PostgreSQL, until it is told to hold them."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.open.set()

    async def carry(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while piece := await source.read(65_536):
                await self.open.wait()
                target.write(piece)
                await target.drain()
        except OSError:
            pass
        finally:
            target.close()


@asynccontextmanager
async def a_line(url: str) -> AsyncGenerator[tuple[Line, str]]:
    """The line, and the address of the database at its near end."""
    line, parts = Line(), urlsplit(url)
    carrying: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(parts.hostname, parts.port)
        for one in (line.carry(reader, far_writer), line.carry(far_reader, writer)):
            task = asyncio.create_task(one)
            carrying.add(task)
            task.add_done_callback(carrying.discard)

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    near = parts.netloc.rpartition(":")[0] + f":{port}"
    try:
        yield line, urlunsplit(parts._replace(netloc=near))
    finally:
        line.open.set()
        server.close()
        for task in carrying:
            task.cancel()


async def until_answered(browser: httpx.AsyncClient) -> None:
    while (await browser.get("/v1/activations")).status_code != 200:  # noqa: ASYNC110 nothing tells us
        await asyncio.sleep(0.2)


@pytest.mark.whole
async def test_a_hung_database_is_said_within_seconds_and_leaves_nothing_to_restart(
    sessions: Sessions, database_url: str
) -> None:
    person = await an_installer(sessions, await a_dealer(sessions))
    async with (
        a_line(database_url) as (line, address),
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
