"""Runs that are measured without the mails that confirm them."""

import httpx
import psycopg
from fastapi import FastAPI

from activities.billing.invoice_payments import InvoicePaymentActivities, InvoicePaymentMail
from activities.plans.purchase_mails import PurchaseMail, PurchaseMailActivities
from assembly import systems_of
from bench.confirmations import await_mailed, count_as_mailed, held_back
from bench.orders import fill
from db.base import Sessions, make_engine, make_sessions, one_statement
from db.orders.mails import mark_mailed, queue_mail, take_mails
from dev.servers import Servers
from domain.billing import invoice_payment
from domain.paper.seller import DEMO_SELLER
from domain.plans import purchase_mails
from settings import Settings
from tests.catalogue.factories import a_product
from tests.drivers.factories import a_name, a_partner, an_owner
from tests.drivers.outside.mail_server import taking_mail

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


async def test_what_counts_as_mailed_is_mailed_to_nobody(
    sessions: Sessions, simulators: FastAPI
) -> None:
    owner = await an_owner(sessions)
    held, free = a_name(), a_name()
    await count_as_mailed(
        sessions,
        owner.email,
        [f"{held}-{invoice_payment.RECEIPT}", f"{held}-{purchase_mails.RECEIPT}"],
    )
    transport = httpx.ASGITransport(simulators)
    async with (
        httpx.AsyncClient(transport=transport, base_url="http://stand-ins") as http,
        taking_mail(lambda: simulators) as mail_url,
    ):
        systems = systems_of(Settings(mail_url=mail_url, mail_encryption="none"), http, sessions)
        payments = InvoicePaymentActivities(
            systems.erp_payments, systems.messenger, sessions, DEMO_SELLER
        )
        purchases = PurchaseMailActivities(systems.messenger, sessions, DEMO_SELLER)

        async def mailed(run: str) -> list[str]:
            """What the owner was told by then."""
            told = {"person_id": owner.id, "text": run}
            await payments.mail(
                InvoicePaymentMail(payment_id=run, subject=invoice_payment.RECEIPT, **told)
            )
            await purchases.mail(
                PurchaseMail(purchase_id=run, subject=purchase_mails.RECEIPT, **told)
            )
            outbox = await http.get("/messenger/_outbox", params={"to": owner.email})
            return [one["text"] for one in outbox.json()["results"]]

        assert await mailed(held) == []
        assert await mailed(free) == [free, free]
