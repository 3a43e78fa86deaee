"""Invoices and credit memos whose webhooks were lost: the feed finds them."""

import asyncio
from datetime import timedelta
from decimal import Decimal

import httpx
import pytest
from fastapi import FastAPI
from structlog.testing import capture_logs

from db.base import Sessions
from db.billing.invoices.documents import find_invoice, find_memo
from db.orders.orders import find_order
from domain.billing.invoices.documents import Invoice
from domain.orders.orders import OrderStatus
from providers.erp.cancellations import ErpCancellations
from providers.erp.documents import ErpDocuments
from providers.erp.shipments import ErpShipments
from providers.errors import Unavailable
from tests.billing.invoices.factories import a_memo, an_invoice, mirrored
from tests.billing.invoices.test_api import asked, numbers
from tests.checkout.cart.buyers import a_buyer, buying
from tests.drivers.factories import a_name, a_partner
from tests.drivers.outside.erp_records import a_service_layer, issue
from tests.drivers.until import until
from tests.orders.factories import an_order, code_of
from workers.document_feed import READ_EVERY, DocumentFeed


async def test_the_feed_finds_what_no_webhook_told(
    erp: httpx.AsyncClient, sessions: Sessions
) -> None:
    code = await a_partner(sessions)
    invoice, memo = an_invoice(code), a_memo(code)
    await issue(erp, invoice)
    (await erp.post(
        "/erp/_documents",
        json={"kind": "invoice", "document": {"number": a_name(), "partner_code": code}},
    )).raise_for_status()  # fmt: skip
    await issue(erp, memo)
    await issue(erp, invoice.model_copy(update={"paid": Decimal(5)}))
    client = ErpDocuments(a_service_layer(erp))
    first = await client.changed_since("")
    assert [(one.number, one.version) for one in first.invoices] == [(invoice.number, 2)]
    assert not first.has_more
    again = await client.changed_since(first.cursor)
    assert set(again.invoices) <= set(first.invoices), "the last second, once more"
    assert await a_feed(erp, sessions).read() is False
    async with sessions() as session:
        found = await find_invoice(session, invoice.number, code)
        found_memo = await find_memo(session, memo.number, code)
    assert (found and found.paid, found and found.version) == (Decimal("5.00"), 2)
    assert found_memo == memo


async def test_the_feed_tells_an_order_of_an_invoice_that_was_mirrored_before(
    erp: httpx.AsyncClient, sessions: Sessions
) -> None:
    order = await an_order(sessions, await a_partner(sessions))
    invoice = an_invoice(order.partner_code, str(order.total), order_number=order.number)
    await mirrored(sessions, invoice)
    await issue(erp, invoice)
    await a_feed(erp, sessions).read()
    async with sessions() as session:
        found = await find_order(session, order.id, order.partner_code)
    assert (found and found.status) is OrderStatus.INVOICED


async def test_an_outage_of_the_erp_is_no_end_of_the_feed(erp: httpx.AsyncClient) -> None:
    (await erp.post("/erp/_knobs", json={"outage": True})).raise_for_status()
    with pytest.raises(Unavailable):
        await ErpDocuments(a_service_layer(erp)).changed_since("")


async def test_the_feed_reads_again_and_an_outage_is_waited_out(
    erp: httpx.AsyncClient, sessions: Sessions
) -> None:
    assert timedelta(0) < READ_EVERY <= timedelta(minutes=1)
    code = await a_partner(sessions)
    (await erp.post("/erp/_knobs", json={"outage": True})).raise_for_status()

    async def find(number: str) -> Invoice | None:
        async with sessions() as session:
            return await find_invoice(session, number, code)

    with capture_logs() as told:

        async def events() -> list[str]:
            return [one["event"] for one in told]

        often = timedelta(seconds=0.1)
        reading = asyncio.create_task(a_feed(erp, sessions, read_every=often).run())
        try:
            await until(events, lambda seen: "reading documents was interrupted" in seen)
            (await erp.post("/erp/_knobs", json={"outage": False})).raise_for_status()
            for invoice in (an_invoice(code), an_invoice(code)):
                await issue(erp, invoice)
                await until(lambda number=invoice.number: find(number))
        finally:
            reading.cancel()


async def test_the_feed_by_itself_rights_what_a_lost_webhook_left_wrong(
    portal: FastAPI, erp: httpx.AsyncClient, sessions: Sessions
) -> None:
    """Of an invoice that is shown, its payment; and a memo that nobody knew of."""
    user = await a_buyer(sessions)
    invoice, memo = an_invoice(code_of(user)), a_memo(code_of(user))
    await mirrored(sessions, invoice)
    async with buying(portal, user) as browser:

        async def shown() -> tuple[int, list[str]]:
            paid = await asked(browser, "invoices", status=["paid"])
            return paid["count"], numbers(await asked(browser, "credit-memos"))

        assert await shown() == (0, [])
        often = timedelta(seconds=0.1)
        reading = asyncio.create_task(a_feed(erp, sessions, read_every=often).run())
        try:
            for document in (invoice, invoice.model_copy(update={"paid": invoice.total}), memo):
                await issue(erp, document)
            await until(shown, lambda now: now == (1, [memo.number]))
        finally:
            reading.cancel()


def a_feed(
    erp: httpx.AsyncClient, sessions: Sessions, *, read_every: timedelta = READ_EVERY
) -> DocumentFeed:
    service_layer = a_service_layer(erp)
    return DocumentFeed(
        ErpDocuments(service_layer),
        ErpShipments(service_layer),
        ErpCancellations(service_layer),
        sessions,
        read_every=read_every,
    )
