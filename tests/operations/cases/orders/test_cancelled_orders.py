"""The ERP cancels an order that it had accepted and that was paid: the money goes back to the cent, and its buyer is told."""

from decimal import Decimal

import pytest

from db.orders.orders import order_of_token
from domain.orders.orders import Order
from tests.checkout.placements.runs import Run, begun, ended
from tests.drivers.stage import SIMULATED, Stage
from tests.drivers.until import until
from tests.operations.cases.factories import case_in, case_on, kept, mailed
from workers.document_feed import DocumentFeed


async def the_order(run: Run) -> Order:
    async with run.stage.sessions() as session:
        order = await order_of_token(session, run.token)
    assert order is not None
    return order


async def test_an_order_that_the_erp_cancels_is_paid_back_and_its_buyer_is_told(
    stage: Stage,
) -> None:
    run = await begun(stage, po_number="ERP-REVOKES")
    await ended(run, "confirmed")
    order = await the_order(run)
    case = await case_on(stage, "order", order.id, "solved")
    assert (await the_order(run)).status == "cancelled"
    assert (case.given_back, case.amount) == (order.total, None)
    assert await kept(stage, run.token) == 0
    await mailed(
        stage, run.shop.buyer.email, f"Order {order.number} was cancelled by the warehouse"
    )
    await mailed(stage, run.shop.buyer.email, f"Order {order.number}: taken care of")


async def test_a_part_that_is_never_sent_is_paid_back_alone(stage: Stage) -> None:
    run = await begun(stage, po_number="ERP-PARTS", lines=2)
    await ended(run, "confirmed")
    order = await the_order(run)
    case = await case_on(stage, "order", order.id, "solved")
    order = await the_order(run)
    [withdrawal] = order.withdrawals
    assert withdrawal.amount == case.amount == case.given_back
    assert order.lines[1].total < withdrawal.amount < order.total
    assert await kept(stage, run.token) == int((order.total - withdrawal.amount) * 100)
    assert order.status == "confirmed"


async def test_a_debit_that_is_under_way_is_paid_back_too(stage: Stage) -> None:
    run = await begun(stage, po_number="ERP-REVOKES", bank="good")
    await ended(run, "confirmed")
    order = await the_order(run)
    await case_on(stage, "order", order.id, "solved")
    assert await kept(stage, run.token, "gateway") == 0


async def test_an_order_that_is_held_for_what_is_owed_is_cancelled_and_nothing_is_owed(
    stage: Stage,
) -> None:
    """Its debit comes back before the ERP cancels it, and nobody pays."""
    await stage.http.post(f"{SIMULATED}/erp/_knobs", json={"accept_seconds": 3_600})
    try:
        run = await begun(stage, po_number="ERP-REVOKES", bank="insufficient")
        await ended(run, "confirmed")
    finally:
        await stage.http.post(f"{SIMULATED}/erp/_knobs", json={"accept_seconds": 0.1})
    order = await the_order(run)
    owed = await case_on(stage, "order", order.id, "owed")
    await stage.http.post(f"{SIMULATED}/erp/_orders/{order.number}/_send")
    await until(lambda: the_order(run), lambda now: now.status == "cancelled")
    case = await case_in(stage, owed.id, "solved")
    assert (case.owed, await kept(stage, run.token, "gateway")) == (0, 0)


@pytest.mark.parametrize("fault", ["ERP-REVOKES", "ERP-PARTS"])
async def test_of_an_order_on_terms_there_is_nothing_to_pay_back_and_its_buyer_reads_so(
    stage: Stage, fault: str
) -> None:
    run = await begun(stage, po_number=fault, type_="TERMS", lines=2)
    await ended(run, "confirmed")
    order = await the_order(run)
    case = await case_on(stage, "order", order.id, "solved")
    assert case.given_back == 0
    await mailed(stage, run.shop.buyer.email, f"Order {order.number}: taken care of")
    mails = [
        mail["text"]
        for mail in await stage.mails(run.shop.buyer.email)
        if f"/order/{order.id}" in mail["text"] and order.number in mail["subject"]
    ]
    told = [text for text in mails if "Nothing was charged for it" in text]
    assert len(told) == 2
    assert not any("paid back" in text or "owed" in text for text in told)


@pytest.mark.parametrize("fault", ["ERP-REVOKES-UNTOLD", "ERP-PARTS-UNTOLD"])
async def test_what_no_event_told_is_paid_back_once_it_is_in_the_books(
    stage: Stage, fault: str
) -> None:
    run = await begun(stage, po_number=fault, lines=2)
    await ended(run, "confirmed")
    order = await the_order(run)
    systems = stage.systems
    feed = DocumentFeed(
        systems.erp_documents, systems.erp_shipments, systems.erp_cancellations, stage.sessions
    )

    async def read() -> Order:
        while await feed.read():
            pass
        return await the_order(run)

    told = await until(
        read, lambda now: now.status == "cancelled" or bool(now.withdrawals), within=20
    )
    case = await case_on(stage, "order", order.id, "solved")
    back = sum((one.amount for one in told.withdrawals), Decimal(0)) or order.total
    assert case.given_back == back
    assert await kept(stage, run.token) == int((order.total - back) * 100)
    again = await read()
    assert again.history == told.history
