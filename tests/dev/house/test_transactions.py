"""What is said of transactions in every test fires: a call to an outside system within one is found, and no other."""

from collections.abc import Awaitable, Callable
from contextlib import suppress

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from assembly import systems_of
from db.base import Sessions, one_statement
from providers.errors import Refused, Unavailable
from providers.systems import Systems
from settings import Settings
from tests.drivers.database.transactions import Watch
from tests.drivers.stage import a_device_key

ASKS: dict[str, Callable[[Systems], Awaitable[object]]] = {
    "HttpClient": lambda systems: systems.device_cloud.plan(a_device_key()),
    "StripeTransport": lambda systems: systems.cards.dispute("dp_unknown"),
    "Mail": lambda systems: systems.messenger.send_mail("a@example.com", "Hello", "You.", key="k"),
}
"""Line → who is asked by it."""


@pytest.mark.parametrize("line", ASKS)
async def test_who_asks_within_a_transaction_is_found_and_nobody_else(
    sessions: Sessions, simulators: FastAPI, watch: Watch, line: str
) -> None:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(simulators)) as http:
        nobody = Settings(environment="test", mail_url="smtp://127.0.0.1:1", mail_encryption="none")
        systems = systems_of(nobody, http, sessions)

        async def found() -> list[str]:
            """Whom it was that was asked."""
            with suppress(Refused, Unavailable):
                await ASKS[line](systems)
            told, watch.found = watch.found, []
            return [one.partition(",")[0] for one in told]

        async with sessions() as session:
            assert await found() == []
            await session.execute(text("select 1"))
            assert await found() == [line]
            await session.commit()
            assert await found() == []
        async with sessions.begin() as session:
            await session.execute(text("select 1"))
            async with session.begin_nested():
                await session.execute(text("select 1"))
            assert await found() == [line]
        assert await found() == []
        engine: AsyncEngine = sessions.kw["bind"]
        async with engine.connect() as connection:
            await connection.execute(text("select 1"))
            assert await found() == [line], "no session is needed"
            await connection.rollback()
            assert await found() == []
        async with one_statement(sessions) as connection:
            await connection.execute(text("select 1"))
            assert await found() == [], "committed by itself"
