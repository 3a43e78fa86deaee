"""A portal with second factors on, its messenger, and what the messenger carried."""

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from fastapi import FastAPI

from tests.drivers.portal import running_portal

STAND_INS = "http://stand-ins.test"


@dataclass(frozen=True)
class Reachable:
    """The portal, and the outbox of its messenger."""

    app: FastAPI
    stand_ins: httpx.AsyncClient

    async def texts_to(self, recipient: str) -> list[str]:
        await self.app.state.portal.errands.drain()
        answer = await self.stand_ins.get("/messenger/_outbox", params={"to": recipient})
        return [message["text"] for message in answer.json()["results"]]

    async def last_code(self, recipient: str) -> str:
        """The six digits in the newest message."""
        found = re.search(r"\b(\d{6})\b", (await self.texts_to(recipient))[-1])
        assert found
        return found[1]

    async def last_link(self, recipient: str) -> str:
        """The token of the newest mailed link."""
        found = re.search(r"token=([\w-]+)", (await self.texts_to(recipient))[-1])
        assert found
        return found[1]


@asynccontextmanager
async def a_reachable_portal(
    database_url: str, simulators: FastAPI, *, mfa_support: bool = True, **settings: Any
) -> AsyncGenerator[Reachable]:
    transport = httpx.ASGITransport(simulators)
    async with (
        running_portal(
            database_url,
            outside=transport,
            simulators_url=STAND_INS,
            mfa_support=mfa_support,
            **settings,
        ) as app,
        httpx.AsyncClient(transport=transport, base_url=STAND_INS) as stand_ins,
    ):
        yield Reachable(app, stand_ins)
