"""The ERP's webhook: signed, kept once, and every order of the same events ends the same."""

import itertools
import time
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import orjson
from fastapi import FastAPI
from sqlalchemy import delete, update

from db.base import Sessions
from db.orders.orders import find_order, open_amount
from db.orders.tables import OrderInvoiceRow, OrderRow
from domain.billing.invoices.documents import Invoice
from domain.orders.orders import Order, OrderEventKind, OrderStatus
from settings import DEVELOPMENT_ERP_WEBHOOK_SECRET
from simulators.device_network.webhooks import sign
from tests.billing.invoices.factories import an_invoice, mirrored
from tests.drivers.factories import a_name, a_partner
from tests.drivers.portal import a_browser
from tests.drivers.sampled import sampled
from tests.orders.factories import a_line, an_order

AT = "2026-11-20T12:00:00Z"


def an_event(order: Order, type: str, **more: Any) -> dict[str, Any]:
    common = {"id": a_name(), "at": AT, "reference": order.number, "erp_number": f"E{order.number}"}
    return {**common, "type": type, **more}


def a_shipment(order: Order, pieces: int) -> dict[str, Any]:
    parcels = [{"sku": order.lines[0].sku, "quantity": pieces}]
    sent = {"number": a_name(), "carrier": "NP", "tracking_number": "1", "parcels": parcels}
    return an_event(order, "order.shipped", shipment=sent)


def story_of(order: Order) -> list[dict[str, Any]]:
    """Of an order of three pieces, that leave in two shipments."""
    story = [an_event(order, "order.accepted")]
    for n, pieces in enumerate((1, 2), 1):
        sent = a_shipment(order, pieces)
        invoice = {"invoice_number": f"INV-{n}", "amount": 10.0 * pieces}
        number = sent["shipment"]["number"]
        story += [sent, an_event(order, "order.invoiced", shipment_number=number, **invoice)]
    return story


async def post_events(portal: FastAPI, *events: dict[str, Any]) -> list[tuple[int, bool]]:
    """Status, and whether it was new, of each."""
    told: list[tuple[int, bool]] = []
    async with a_browser(portal) as erp:
        for event in events:
            body = orjson.dumps(event)
            signature = sign(DEVELOPMENT_ERP_WEBHOOK_SECRET, int(time.time()), body)
            headers = {"X-Signature": signature, "Content-Type": "application/json"}
            answer = await erp.post("/v1/webhooks/erp", content=body, headers=headers)
            told.append((answer.status_code, answer.json().get("is_new")))
    return told


async def three_pieces(sessions: Sessions) -> Order:
    return await an_order(sessions, await a_partner(sessions), [a_line(quantity=3)])


async def present(sessions: Sessions, order: Order) -> Order:
    async with sessions() as session:
        found = await find_order(session, order.id, order.partner_code)
    assert found is not None
    return found


async def test_the_status_follows_what_was_told(portal: FastAPI, sessions: Sessions) -> None:
    order = await three_pieces(sessions)
    seen: list[OrderStatus] = []
    for event in story_of(order):
        assert await post_events(portal, event) == [(202, True)]
        seen.append((await present(sessions, order)).status)
    assert seen == ["confirmed", "part_shipped", "part_shipped", "shipped", "invoiced"]
    shown = [one.invoice_number for one in (await present(sessions, order)).shipments]
    assert sorted(filter(None, shown)) == ["INV-1", "INV-2"]


async def test_a_shipment_of_a_thousand_parcels_is_recorded(
    portal: FastAPI, sessions: Sessions
) -> None:
    order = await an_order(sessions, await a_partner(sessions), [a_line(quantity=1_000)])
    event = a_shipment(order, 1)
    event["shipment"]["parcels"] *= 1_000
    assert await post_events(portal, event) == [(202, True)]
    assert (await present(sessions, order)).status is OrderStatus.SHIPPED


async def test_one_invoice_for_all_of_an_order_ends_it(portal: FastAPI, sessions: Sessions) -> None:
    order = await three_pieces(sessions)
    whole = an_event(order, "order.invoiced", invoice_number="INV-1", amount=30.0)
    await post_events(portal, a_shipment(order, 3), whole)
    assert (await present(sessions, order)).status is OrderStatus.INVOICED


def an_invoice_of(order: Order, sent: dict[str, Any] | None, pieces: int) -> Invoice:
    return an_invoice(
        order.partner_code,
        str(10 * pieces),
        order_number=order.number,
        shipment_number=sent["shipment"]["number"] if sent else None,
    )


def changed(invoice: Invoice) -> dict[str, Any]:
    document = invoice.model_dump(mode="json")
    return {"id": a_name(), "at": AT, "type": "invoice.changed", "document": document}


async def test_an_invoice_that_only_its_document_tells_of_reaches_its_order(
    portal: FastAPI, sessions: Sessions
) -> None:
    order = await three_pieces(sessions)
    first, second = a_shipment(order, 1), a_shipment(order, 2)
    await post_events(portal, first, second, changed(an_invoice_of(order, first, 1)))
    async with sessions() as session:
        assert await open_amount(session, order.partner_code) == order.total - 10
    await post_events(portal, changed(an_invoice_of(order, second, 2)))
    found = await present(sessions, order)
    assert found.status is OrderStatus.INVOICED
    assert [event.kind for event in found.history].count(OrderEventKind.INVOICED) == 2


async def test_a_later_invoice_opens_no_order_whose_earlier_one_was_told_to_nobody(
    portal: FastAPI, sessions: Sessions
) -> None:
    order = await three_pieces(sessions)
    first, second = a_shipment(order, 1), a_shipment(order, 2)
    earlier = an_invoice_of(order, first, 1)
    await mirrored(sessions, earlier)
    await post_events(portal, first)
    # As a release wrote it that knew one invoice of an order.
    async with sessions.begin() as session:
        await session.execute(delete(OrderInvoiceRow).where(OrderInvoiceRow.order_id == order.id))
        await session.execute(
            update(OrderRow)
            .where(OrderRow.id == order.id)
            .values(status=OrderStatus.INVOICED.value, invoice_number=earlier.number)
        )
    later = an_invoice_of(order, second, 2)
    number = second["shipment"]["number"]
    invoiced = {"invoice_number": later.number, "shipment_number": number, "amount": 20.0}
    await post_events(portal, second, an_event(order, "order.invoiced", **invoiced))
    found = await present(sessions, order)
    assert found.status is OrderStatus.INVOICED
    assert set(found.invoice_numbers) == {earlier.number, later.number}


async def test_what_is_not_invoiced_yet_stays_reserved(portal: FastAPI, sessions: Sessions) -> None:
    order = await three_pieces(sessions)
    began = datetime.now(UTC)

    async def reserved(balance_at: datetime | None = None) -> Decimal:
        async with sessions() as session:
            return await open_amount(session, order.partner_code, balance_at=balance_at)

    assert await reserved() == order.total
    _, sent, invoiced, *rest = story_of(order)
    await post_events(portal, sent, invoiced)
    assert await reserved() == order.total - 10
    assert await reserved(datetime.now(UTC)) == order.total - 10
    assert await reserved(began) == order.total, "a balance told before does not hold it"
    await post_events(portal, *rest)
    assert await reserved() == 0
    assert await reserved(began) == order.total


async def test_every_order_of_the_same_events_ends_the_same(
    portal: FastAPI, sessions: Sessions
) -> None:
    """Five, and the first of them once more."""
    ends: set[tuple[object, ...]] = set()
    for places in sampled(itertools.permutations(range(6)), 45):
        order = await three_pieces(sessions)
        story = story_of(order)
        story.append(story[0])
        await post_events(portal, *(story[place] for place in places))
        found = await present(sessions, order)
        ends.add((found.status, found.invoice_number, len(found.shipments), len(found.history)))
    assert ends == {(OrderStatus.INVOICED, "INV-1", 2, 6)}


async def test_an_event_that_comes_again_changes_nothing(
    portal: FastAPI, sessions: Sessions
) -> None:
    order = await three_pieces(sessions)
    sent = a_shipment(order, 2)
    assert await post_events(portal, sent, sent) == [(202, True), (202, False)]
    found = await present(sessions, order)
    assert (found.status, len(found.shipments)) == (OrderStatus.PART_SHIPPED, 1)


async def test_an_order_that_nobody_knows_is_kept_and_changes_nothing(portal: FastAPI) -> None:
    unknown = {"id": a_name(), "at": AT, "reference": "T-1", "erp_number": "1"}
    assert await post_events(portal, {**unknown, "type": "order.accepted"}) == [(202, True)]


async def test_bad_signatures_and_shapes_are_refused(portal: FastAPI) -> None:
    async with a_browser(portal) as erp:
        answer = await erp.post("/v1/webhooks/erp", json={}, headers={"X-Signature": "no"})
    assert (answer.status_code, answer.json()["code"]) == (401, "bad_signature")
    wrong: dict[str, Any] = {"id": "1", "at": AT, "reference": "T-1", "erp_number": "1"}
    for event in (
        {**wrong, "type": "order.eaten"},
        {**wrong, "type": "order.invoiced", "invoice_number": "1", "amount": -1},
        {**wrong, "type": "order.accepted", "at": 17},
        {**wrong, "type": "order.accepted", "id": ""},
    ):
        assert (await post_events(portal, event))[0][0] == 422
