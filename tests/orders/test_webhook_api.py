"""The ERP's webhook: signed, kept once, and every order of the same events ends the same."""

import itertools
import time
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import orjson
from fastapi import FastAPI

from db.base import Sessions
from db.orders.orders import find_order, open_amount
from domain.orders.orders import Order, OrderStatus
from settings import DEVELOPMENT_ERP_WEBHOOK_SECRET
from simulators.device_network.webhooks import sign
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


async def tell(portal: FastAPI, *events: dict[str, Any]) -> list[tuple[int, bool]]:
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
        assert await tell(portal, event) == [(202, True)]
        seen.append((await present(sessions, order)).status)
    assert seen == ["confirmed", "part_shipped", "part_shipped", "shipped", "invoiced"]
    shown = [one.invoice_number for one in (await present(sessions, order)).shipments]
    assert sorted(filter(None, shown)) == ["INV-1", "INV-2"]


async def test_one_invoice_for_all_of_an_order_ends_it(portal: FastAPI, sessions: Sessions) -> None:
    order = await three_pieces(sessions)
    whole = an_event(order, "order.invoiced", invoice_number="INV-1", amount=30.0)
    await tell(portal, a_shipment(order, 3), whole)
    assert (await present(sessions, order)).status is OrderStatus.INVOICED


async def test_what_is_not_invoiced_yet_stays_reserved(portal: FastAPI, sessions: Sessions) -> None:
    order = await three_pieces(sessions)
    began = datetime.now(UTC)

    async def reserved(told_at: datetime | None = None) -> Decimal:
        async with sessions() as session:
            return await open_amount(session, order.partner_code, told_at=told_at)

    assert await reserved() == order.total
    _, sent, invoiced, *rest = story_of(order)
    await tell(portal, sent, invoiced)
    assert await reserved() == order.total - 10
    assert await reserved(datetime.now(UTC)) == order.total - 10
    assert await reserved(began) == order.total, "a balance told before does not hold it"
    await tell(portal, *rest)
    assert await reserved() == 0
    assert await reserved(began) == order.total


async def test_every_order_of_the_same_events_ends_the_same(
    portal: FastAPI, sessions: Sessions
) -> None:
    ends: set[tuple[object, ...]] = set()
    for places in sampled(itertools.permutations(range(5)), 8):
        order = await three_pieces(sessions)
        story = story_of(order)
        await tell(portal, *(story[place] for place in places))
        found = await present(sessions, order)
        ends.add((found.status, found.invoice_number, len(found.shipments), len(found.history)))
    assert ends == {(OrderStatus.INVOICED, "INV-1", 2, 6)}


async def test_an_event_that_comes_again_changes_nothing(
    portal: FastAPI, sessions: Sessions
) -> None:
    order = await three_pieces(sessions)
    sent = a_shipment(order, 2)
    assert await tell(portal, sent, sent) == [(202, True), (202, False)]
    found = await present(sessions, order)
    assert (found.status, len(found.shipments)) == (OrderStatus.PART_SHIPPED, 1)


async def test_an_order_that_nobody_knows_is_kept_and_changes_nothing(portal: FastAPI) -> None:
    unknown = {"id": a_name(), "at": AT, "reference": "T-1", "erp_number": "1"}
    assert await tell(portal, {**unknown, "type": "order.accepted"}) == [(202, True)]


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
        assert (await tell(portal, event))[0][0] == 422
