"""Orders in the ERP: our client against its stand-in, and what the stand-in tells back."""

import asyncio
import uuid
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from sqlalchemy import select

from api.billing.invoices.invoice_pdf import invoice_pdf
from db.base import Sessions
from db.billing.invoices.documents import find_invoice
from db.orders.erp_events import record_cancelled, record_event, record_invoice, record_shipment
from db.orders.orders import find_order
from db.orders.progress import mark_handed_over
from db.orders.tables import OrderRow
from domain.orders.erp_events import CancelledOrder, OrderAccepted, SentShipment
from domain.orders.orders import Order, OrderStatus
from domain.paper.buyer import Buyer
from domain.paper.seller import DEMO_SELLER
from providers.erp import ErpOrders
from providers.erp.cancellations import ErpCancellations, cancelled_of
from providers.erp.documents import ErpDocuments
from providers.erp.orders import AlreadyShipped
from providers.erp.service_layer import Record, ServiceLayer
from providers.erp.shipments import ErpShipments
from providers.errors import Refused, Unavailable
from simulators.main import create_app as create_simulators
from tests.drivers.factories import a_partner
from tests.drivers.outside.erp_records import a_service_layer
from tests.drivers.until import until
from tests.orders.conftest import AT_ONCE
from tests.orders.factories import a_line, an_order
from tests.orders.paper.test_paper import pages


async def an_order_with(sessions: Sessions, po_number: str) -> Order:
    """Three pieces of which one follows later."""
    lines = [a_line(quantity=3, now=2, later=1), a_line()]
    return await an_order(sessions, await a_partner(sessions), lines, po_number=po_number)


def orders_of(client: httpx.AsyncClient, *, seconds: float = 7.0) -> ErpOrders:
    return ErpOrders(a_service_layer(client, seconds=seconds))


async def effects(client: httpx.AsyncClient, order: Order) -> dict[str, int]:
    answer = await client.get("/erp/_ledger", params={"reference": order.number})
    return answer.json()["effects"]


async def until_it_is(
    sessions: Sessions, order: Order, status: OrderStatus, *, events: int = 0
) -> Order:
    """The order in this status, with so many events at least."""

    async def found() -> Order:
        async with sessions() as session:
            order_now = await find_order(session, order.id, order.partner_code)
        assert order_now is not None
        return order_now

    return await until(
        found, lambda now: now.status is status and len(now.history) >= events, within=10
    )


async def test_an_order_is_of_the_day_on_which_it_was_placed_there(
    sessions: Sessions, world: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = datetime(2026, 11, 21, 4, 30, tzinfo=UTC)  # still the 20th in Toronto
    order = await an_order(sessions, await a_partner(sessions), created_at=late)
    create, written = ServiceLayer.create, list[Record]()

    async def noted(here: ServiceLayer, entity: str, record: Record) -> Record:
        written.append(record)
        return await create(here, entity, record)

    monkeypatch.setattr(ServiceLayer, "create", noted)
    await orders_of(world).hand_over(order)
    assert [(one["DocDate"], one["DocDueDate"]) for one in written] == [("2026-11-20",) * 2]


async def test_an_order_is_taken_once_however_often_it_is_handed_over(
    sessions: Sessions, world: httpx.AsyncClient
) -> None:
    order, erp = await an_order_with(sessions, "1"), orders_of(world)
    receipts = await asyncio.gather(*(erp.hand_over(order) for _ in range(5)))
    assert len({receipt.erp_number for receipt in receipts}) == 1
    assert await effects(world, order) == {"erp-order": 1}
    assert await erp.find_order(order.number) == receipts[0]


async def test_a_new_order_is_handed_over_by_one_call_and_still_once(
    sessions: Sessions, world: httpx.AsyncClient
) -> None:
    order, erp, asked = await an_order_with(sessions, "1"), orders_of(world), list[str]()
    assert await erp.find_order(order.number) is None, "signed in"

    async def note(request: httpx.Request) -> None:
        asked.append(request.method)

    world.event_hooks = {"request": [note]}
    receipt = await erp.hand_over(order, is_new=True)
    world.event_hooks = {}
    assert asked == ["POST"]
    assert await erp.hand_over(order, is_new=True) == receipt
    assert await effects(world, order) == {"erp-order": 1}


async def test_a_buyers_tax_number_goes_with_the_order_and_comes_back_on_its_invoices(
    sessions: Sessions, world: httpx.AsyncClient
) -> None:
    order = await an_order_with(sessions, "PO 1")
    await orders_of(world).hand_over(order, "81234 5678 RT0001")
    record = await a_service_layer(world).first("Orders", f"U_Reference eq '{order.number}'")
    assert record is not None
    assert record["FederalTaxID"] == "81234 5678 RT0001"
    found = await until_it_is(sessions, order, OrderStatus.INVOICED, events=6)
    async with sessions() as session:
        invoice = await find_invoice(session, found.invoice_numbers[0], order.partner_code)
    assert invoice is not None
    assert invoice.tax_number == "81234 5678 RT0001"
    shown = pages(invoice_pdf(invoice, invoice.create_date, Buyer(name="Harbour"), DEMO_SELLER))
    assert "81234 5678 RT0001" in shown[0]


@pytest.mark.parametrize("po_number", ["PO 1", "PO 2 ERP-TWICE", "PO 3 ERP-MIXED"])
async def test_what_the_erp_tells_ends_the_same_in_any_order_and_twice(
    sessions: Sessions, world: httpx.AsyncClient, po_number: str
) -> None:
    order = await an_order_with(sessions, po_number)
    receipt = await orders_of(world).hand_over(order)
    found = await until_it_is(sessions, order, OrderStatus.INVOICED, events=6)
    assert found.erp_number == receipt.erp_number
    number = f"INV-{receipt.erp_number}"
    assert found.invoice_numbers == (f"{number}-1", f"{number}-2")
    assert {one.invoice_number for one in found.shipments} == set(found.invoice_numbers)
    assert sorted(event.kind for event in found.history) == [
        "accepted",
        "invoiced",
        "invoiced",
        "placed",
        "shipped",
        "shipped",
    ]
    sent = {(parcel.sku, parcel.quantity) for one in found.shipments for parcel in one.parcels}
    first, second = found.lines
    assert sent == {(first.sku, 2), (first.sku, 1), (second.sku, 2)}


async def test_a_lost_reply_is_looked_up(sessions: Sessions, world: httpx.AsyncClient) -> None:
    order, erp = await an_order_with(sessions, "ERP-LOST"), orders_of(world)
    with pytest.raises(Unavailable) as lost:
        await erp.hand_over(order)
    assert lost.value.may_have_worked
    assert await erp.find_order(order.number) is not None
    assert await effects(world, order) == {"erp-order": 1}


@pytest.mark.parametrize("po_number", ["ERP-AWAY", "ERP-PROXY"])
async def test_an_erp_that_is_away_takes_it_later(
    sessions: Sessions, world: httpx.AsyncClient, po_number: str
) -> None:
    order, erp = await an_order_with(sessions, po_number), orders_of(world)
    for _ in range(3):
        with pytest.raises(Unavailable) as away:
            await erp.hand_over(order)
        assert away.value.may_have_worked is (po_number == "ERP-AWAY")
        assert await erp.find_order(order.number) is None
    await erp.hand_over(order)
    assert await effects(world, order) == {"erp-order": 1}


async def test_an_order_of_before_a_restore_is_not_taken_for_a_new_one_of_its_number(
    sessions: Sessions, world: httpx.AsyncClient
) -> None:
    """Of the same business and for the same amount."""
    erp = orders_of(world)
    lost = await an_order_with(sessions, "ERP-WAITS")
    receipt = await erp.hand_over(lost)
    new = lost.model_copy(update={"token": uuid.uuid4().hex})
    with pytest.raises(Refused) as refusal:
        await erp.hand_over(new)
    assert refusal.value.code == "reference_reused"
    whose = {"partner_code": new.partner_code, "token": new.token}
    assert await erp.cancel_order(new.number, "Not this one", **whose) is None
    assert await erp.hold_order(new.number, is_held=True, **whose) is None
    assert await erp.hand_over(lost) == receipt


@pytest.mark.parametrize("told", ["another", "its own", "none"])
async def test_what_is_told_of_an_order_reaches_no_other_one_of_its_number(
    sessions: Sessions, told: str
) -> None:
    order = await an_order_with(sessions, "ERP-WAITS")
    receipt = uuid.uuid4().hex
    token = {"another": uuid.uuid4().hex, "its own": order.token, "none": None}[told]
    event = OrderAccepted(
        id=uuid.uuid4().hex,
        at=datetime.now(UTC),
        reference=order.number,
        token=token,
        erp_number=receipt,
    )
    async with sessions.begin() as session:
        assert await record_event(session, event), "it is kept"
    async with sessions() as session:
        found = await find_order(session, order.id, order.partner_code)
    assert found is not None
    assert found.erp_number == (None if told == "another" else receipt)


@pytest.mark.parametrize("told", ["another", "its own", "none"])
async def test_what_the_books_say_reaches_no_other_order_of_its_number(
    sessions: Sessions, told: str
) -> None:
    order = await an_order_with(sessions, "ERP-WAITS")
    about = {
        "reference": order.number,
        "partner_code": order.partner_code,
        "at": order.created_at,
        "token": {"another": uuid.uuid4().hex, "its own": order.token, "none": None}[told],
    }
    parcels = [{"sku": order.lines[0].sku, "quantity": 1}]
    sent = SentShipment.model_validate(
        about | {"shipment": {"number": uuid.uuid4().hex, "parcels": parcels}}
    )
    erp_number = uuid.uuid4().hex
    cancelled = CancelledOrder.model_validate(about | {"erp_number": erp_number, "reason": "Twice"})
    is_its_own = told != "another"
    async with sessions.begin() as session:
        await mark_handed_over(session, order.id, erp_number, order.created_at)
        assert await record_shipment(session, sent) is is_its_own
        assert await record_cancelled(session, cancelled) is is_its_own


async def test_a_delivery_note_names_the_token_of_its_order(
    sessions: Sessions, world: httpx.AsyncClient
) -> None:
    order = await an_order_with(sessions, "PO 1")
    await orders_of(world).hand_over(order)

    async def sent() -> list[SentShipment]:
        found = await ErpShipments(a_service_layer(world)).changed_since("")
        return [one for one in found.shipments if one.reference == order.number]

    assert {one.token for one in await until(sent, bool, within=10)} == {order.token}


def test_what_the_books_say_of_a_cancelled_order_names_its_token() -> None:
    read = cancelled_of(a_record(U_Token="one", U_Withdrawn=WITHDRAWN))
    assert read is not None
    assert {one.token for one in read.events} == {read.token} == {"one"}


async def test_a_clear_no_is_told_apart(sessions: Sessions, world: httpx.AsyncClient) -> None:
    order, erp = await an_order_with(sessions, "ERP-REFUSED"), orders_of(world)
    with pytest.raises(Refused, match="does not accept"):
        await erp.hand_over(order)
    assert await erp.find_order(order.number) is None
    assert (
        await erp.cancel_order(
            order.number, "Typed twice", partner_code=order.partner_code, token=order.token
        )
        is None
    )


async def test_an_order_is_cancelled_until_it_is_on_its_way(
    sessions: Sessions, world: httpx.AsyncClient
) -> None:
    erp = orders_of(world)
    waiting = await an_order_with(sessions, "ERP-WAITS")
    await erp.hand_over(waiting)
    foreign = await a_partner(sessions)
    assert (
        await erp.cancel_order(
            waiting.number, "Not theirs", partner_code=foreign, token=waiting.token
        )
        is None
    )
    assert (
        await erp.hold_order(
            waiting.number, is_held=True, partner_code=foreign, token=waiting.token
        )
        is None
    )
    untouched = await erp.find_order(waiting.number)
    assert untouched is not None
    assert not untouched.is_cancelled
    cancelled = await erp.cancel_order(
        waiting.number, "Typed twice", partner_code=waiting.partner_code, token=waiting.token
    )
    assert cancelled is not None
    assert cancelled.is_cancelled
    assert (
        await erp.cancel_order(
            waiting.number, "Again", partner_code=waiting.partner_code, token=waiting.token
        )
        == cancelled
    )
    shipped = await an_order_with(sessions, "PO 9")
    receipt = await erp.hand_over(shipped)
    await until_it_is(sessions, shipped, OrderStatus.INVOICED)
    with pytest.raises(AlreadyShipped) as refusal:
        await erp.cancel_order(
            shipped.number, "Too late", partner_code=shipped.partner_code, token=shipped.token
        )
    assert (refusal.value.code, refusal.value.receipt) == ("already_shipped", receipt)


async def test_what_the_erp_cancels_is_cancelled(
    sessions: Sessions, world: httpx.AsyncClient
) -> None:
    order = await an_order_with(sessions, "ERP-CANCELS")
    await orders_of(world).hand_over(order)
    found = await until_it_is(sessions, order, OrderStatus.CANCELLED)
    assert found.history[-1].note == "The account is blocked."


async def test_a_slow_erp_is_given_up_on_in_time(
    sessions: Sessions, world: httpx.AsyncClient
) -> None:
    order, erp = await an_order_with(sessions, "ERP-SLOW"), orders_of(world, seconds=0.2)
    with pytest.raises(Unavailable) as late:
        await erp.hand_over(order)
    assert late.value.may_have_worked
    assert await erp.find_order(order.number) is not None


async def test_an_invoice_is_issued_with_the_order_told_of_or_not(
    world: httpx.AsyncClient, sessions: Sessions
) -> None:
    told = await an_order_with(sessions, "PO 1")
    untold = await an_order_with(sessions, "PO ERP-UNTOLD")
    for order in (told, untold):
        await orders_of(world).hand_over(order)
    await until_it_is(sessions, told, OrderStatus.INVOICED)
    await until_it_is(sessions, untold, OrderStatus.SHIPPED)
    feed = ErpDocuments(a_service_layer(world))
    told_of = await until(
        lambda: feed.changed_since(""), lambda found: len(found.invoices) == 4, within=10
    )
    for order in (told, untold):
        issued = [one for one in told_of.invoices if one.order_number == order.number]
        assert sum(one.total for one in issued) == order.total
        assert sorted([line.quantity for line in one.lines] for one in issued) == [[1], [2, 2]]
        assert len({one.shipment_number for one in issued}) == 2
    async with sessions() as session:
        found = await find_order(session, untold.id, untold.partner_code)
    assert found is not None
    assert found.invoice_number is None


async def test_what_no_webhook_told_is_found_in_the_books(
    sessions: Sessions, tmp_path: Path
) -> None:
    app = create_simulators(tmp_path / "simulators.sqlite")
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://erp") as untold:
        (await untold.post("/erp/_knobs", json=AT_ONCE)).raise_for_status()
        order = await an_order_with(sessions, "PO 1")
        await orders_of(untold).hand_over(order)
        found = await until(
            lambda: _after_reading(sessions, untold, order),
            lambda now: now.status is OrderStatus.INVOICED,
            within=10,
        )
    assert len(found.shipments) == 2
    assert {one.invoice_number for one in found.shipments} == set(found.invoice_numbers)


async def test_what_the_books_say_again_changes_nothing(
    sessions: Sessions, world: httpx.AsyncClient
) -> None:
    order = await an_order_with(sessions, "PO 1")
    await orders_of(world).hand_over(order)
    told = await until_it_is(sessions, order, OrderStatus.INVOICED, events=6)
    again = await _after_reading(sessions, world, order)
    assert (again.status, again.shipments, again.history) == (
        told.status,
        told.shipments,
        told.history,
    )


@pytest.mark.parametrize("po_number", ["ERP-REVOKES", "ERP-PARTS"])
async def test_what_is_cancelled_is_recorded_once_from_events_and_books(
    sessions: Sessions, world: httpx.AsyncClient, po_number: str
) -> None:
    order = await an_order_with(sessions, po_number)
    receipt = await orders_of(world).hand_over(order)
    async with sessions.begin() as session:
        await mark_handed_over(session, order.id, receipt.erp_number, order.created_at)

    async def booked() -> list[CancelledOrder]:
        found = await ErpCancellations(a_service_layer(world)).changed_since("")
        return [one for one in found.orders if one.reference == order.number]

    (cancelled,) = await until(booked, lambda found: len(found) == 1, within=10)
    status = OrderStatus.CANCELLED if po_number == "ERP-REVOKES" else OrderStatus.CONFIRMED
    answer = await world.get("/erp/_ledger", params={"reference": order.number})
    (kept,) = answer.json()["orders"]
    assert (kept["status"] == "cancelled") is (status is OrderStatus.CANCELLED)
    told = await until_it_is(sessions, order, status, events=4)
    before = await _updated_at(sessions, order)
    async with sessions.begin() as session:
        assert not await record_cancelled(session, cancelled)
    assert await _updated_at(sessions, order) == before, "nobody is told of it again"
    again = await _after_reading(sessions, world, order)
    assert (again.status, again.withdrawals, again.history) == (
        told.status,
        told.withdrawals,
        told.history,
    )
    foreign = cancelled.model_copy(update={"partner_code": await a_partner(sessions)})
    unlike = cancelled.model_copy(update={"erp_number": "1"})
    assert cancelled.token == order.token
    lost = cancelled.model_copy(update={"token": uuid.uuid4().hex})
    async with sessions.begin() as session:
        assert not await record_cancelled(session, foreign)
        assert not await record_cancelled(session, unlike)
        assert not await record_cancelled(session, lost)


async def test_an_order_that_its_run_still_hands_over_is_left_to_it(
    sessions: Sessions, world: httpx.AsyncClient
) -> None:
    order = await an_order_with(sessions, "ERP-WAITS")
    (await world.post("/erp/_knobs", json={"silent": True})).raise_for_status()
    await orders_of(world).hand_over(order)
    await orders_of(world).cancel_order(
        order.number, "Twice", partner_code=order.partner_code, token=order.token
    )
    books = await ErpCancellations(a_service_layer(world)).changed_since("")
    assert order.number in [one.reference for one in books.orders]
    found = await _after_reading(sessions, world, order)
    assert found.status is OrderStatus.PLACED


WITHDRAWN = (
    '[{"number": "W-1", "at": "2026-11-20T10:00:00Z", "parcels": [{"sku": "A", "quantity": 1}]}]'
)


def a_record(**given: object) -> dict[str, object]:
    """An order that is cancelled there, as the ERP shows it."""
    return {
        "DocEntry": 1,
        "DocNum": 7001,
        "CardCode": "C1",
        "DocTotal": 10.0,
        "Cancelled": "tYES",
        "U_Reference": "T-1",
        "U_CancelReason": "Twice",
        "UpdateDate": "2026-11-20T00:00:00Z",
        "UpdateTime": "10:00:00",
    } | given


@pytest.mark.parametrize(
    "withdrawn",
    ["no JSON", '[{"number": "W-1"}]', WITHDRAWN.replace("1}", "0}"), 7],
)
def test_shipments_that_cannot_be_read_hide_no_cancellation(withdrawn: object) -> None:
    read = cancelled_of(a_record(U_Withdrawn=withdrawn))
    assert read == cancelled_of(a_record())
    assert read is not None
    assert (read.reason, f"{read.at:%Y-%m-%d %H:%M}") == ("Twice", "2026-11-20 10:00")
    assert cancelled_of(a_record(Cancelled="tNO", U_Withdrawn=withdrawn)) is None


@pytest.mark.parametrize("when", [{"UpdateTime": None}, {"UpdateTime": 99}, {"UpdateDate": None}])
@pytest.mark.parametrize("cancelled", ["tYES", "tNO"])
def test_a_cancellation_without_a_time_is_of_the_moment_of_reading(
    when: dict[str, object], cancelled: str
) -> None:
    before = datetime.now(UTC)
    read = cancelled_of(a_record(Cancelled=cancelled, U_Withdrawn=WITHDRAWN, **when))
    assert read is not None
    assert before <= read.at <= datetime.now(UTC)
    assert [one.number for one in read.withdrawn] == ["W-1"]


async def _updated_at(sessions: Sessions, order: Order) -> datetime:
    async with sessions() as session:
        return (
            await session.scalars(select(OrderRow.updated_at).where(OrderRow.id == order.id))
        ).one()


async def _after_reading(sessions: Sessions, erp: httpx.AsyncClient, order: Order) -> Order:
    """The order, after the books were read from their begin."""
    service_layer = a_service_layer(erp)
    sent = (await ErpShipments(service_layer).changed_since("")).shipments
    issued = (await ErpDocuments(service_layer).changed_since("")).invoices
    cancelled = (await ErpCancellations(service_layer).changed_since("")).orders
    async with sessions.begin() as session:
        for shipment in sent:
            await record_shipment(session, shipment)
        for invoice in issued:
            await record_invoice(session, invoice)
        for one in cancelled:
            await record_cancelled(session, one)
    async with sessions() as session:
        found = await find_order(session, order.id, order.partner_code)
    assert found is not None
    return found
