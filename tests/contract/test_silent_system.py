"""A system that takes every call and answers none costs its own feature: calls to the others find a connection (promise 14)."""

import asyncio

from providers.http import HttpClient
from providers.instrumentation import WatchedClient
from settings import Settings

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
MANY = 128
"""As many postings as the ERP is asked for at a time, the most of any line."""


async def test_whoever_answers_is_reached_while_another_holds_all_its_calls() -> None:
    held, all_held = list[asyncio.StreamWriter](), asyncio.Event()

    async def hold(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        held.append(writer)
        if len(held) == MANY:
            all_held.set()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(ANSWER)
        await writer.drain()
        writer.close()

    silent = await asyncio.start_server(hold, "127.0.0.1", 0)
    well = await asyncio.start_server(answer, "127.0.0.1", 0)
    silent_url, well_url = (
        f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}" for server in (silent, well)
    )
    systems = Settings(environment="test", erp_url=silent_url, card_url=well_url).third_parties
    async with WatchedClient(systems=systems, process="test") as client, silent, well:
        held_up = HttpClient(client, system="ERP", base_url=silent_url, seconds=60, at_once=MANY)
        other = HttpClient(client, system="card provider", base_url=well_url, seconds=10)
        calls = [asyncio.create_task(held_up.call("post", "POST", "/")) for _ in range(MANY)]
        async with asyncio.timeout(30):
            await all_held.wait()
        assert await other.call("read", "GET", "/") == b"ok"
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        for writer in held:
            writer.close()
