"""Orders that are measured without the mails that confirm them."""

import psycopg

from bench.confirmations import await_mailed, held_back
from bench.orders import fill
from db.base import make_engine, make_sessions, one_statement
from db.orders.mails import mark_mailed, queue_mail, take_mails
from dev.servers import Servers
from tests.catalogue.factories import a_product
from tests.drivers.factories import a_partner

TOKEN = "bench-order-1"


async def test_a_confirmation_that_is_held_back_is_nobodys_to_mail(servers: Servers) -> None:
    with servers.database("confirmations") as (url, owner_url):
        engine = make_engine(url)
        sessions = make_sessions(engine)
        await a_partner(sessions)
        await a_product(sessions)
        async with await psycopg.AsyncConnection.connect(owner_url, autocommit=True) as database:
            await fill(database, 1)

        async def taken() -> list[str]:
            async with sessions.begin() as session:
                await queue_mail(session, TOKEN, "http://localhost")
            async with one_statement(sessions) as connection:
                return [one.token for one in await take_mails(connection, limit=10)]

        with held_back(owner_url):
            assert await taken() == []
            await_mailed(owner_url)
        assert await taken() == [TOKEN]
        async with one_statement(sessions) as connection:
            await mark_mailed(connection, TOKEN)
        await_mailed(owner_url)
        await engine.dispose()
