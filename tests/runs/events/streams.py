"""A stream of live events as a browser reads it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx
import orjson

from tests.drivers.whole_portal import Caller, Flow

PATIENCE = 20.0


class Stream:
    """What comes over one connection."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self._lines = answer.aiter_lines()
        self.signed_out: str | None = None
        self.gave_way = False

    async def event(self) -> Flow | None:
        """The next run that is shown; None for a heartbeat. A rep's business is passed over. Raises StopAsyncIteration at the end."""
        fields: dict[str, str] = {}
        async with asyncio.timeout(PATIENCE):
            while line := await anext(self._lines):
                name, _, value = line.partition(": ")
                fields[name] = value
        if "data" not in fields:
            return None
        if fields["event"] == "business":
            return await self.event()
        if fields["event"] == "signed-out":
            self.signed_out = orjson.loads(fields["data"])["code"]
            return None
        if fields["event"] == "gave-way":
            self.gave_way = True
            return None
        shown: Flow = orjson.loads(fields["data"])
        if fields["event"] in ("order", "own-case"):
            return shown
        assert (fields["event"], fields["id"]) == ("flow", str(shown["rev"]))
        return shown

    async def until(self, state: str) -> Flow:
        while True:
            shown = await self.event()
            if shown is not None and shown["state"] == state:
                return shown

    async def heartbeat(self) -> None:
        while await self.event() is not None:
            pass

    async def end(self) -> None:
        """Returns once the server has ended it."""
        try:
            while True:
                await self.event()
        except StopAsyncIteration:
            return


@asynccontextmanager
async def following(address: str, caller: Caller, follow: str) -> AsyncGenerator[Stream]:
    token = caller.browser.headers.get("Authorization", "")
    async with (
        httpx.AsyncClient(base_url=address, timeout=PATIENCE) as client,
        client.stream(
            "GET", "/v1/events", params={"follow": follow}, headers={"Authorization": token}
        ) as answer,
    ):
        yield Stream(answer)
