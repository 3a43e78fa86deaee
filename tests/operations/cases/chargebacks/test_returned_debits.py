"""A bank's debit comes back after what it paid for was confirmed: it is owed again, unsent goods are held, plans rest after a
while; paid again, everything goes on."""

import uuid
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from db.identity.people import find_user
from db.operations.cases.lists import owed_by_cases
from db.operations.cases.opening import open_case
from db.orders.orders import order_of_token
from domain.billing.payments import PayingFlow
from domain.checkout.cart import NoPurchasingRights
from domain.operations.cases import BelongsTo, CaseCause, CasePolicy, CaseStart, CaseView, on_order
from tests.billing.invoice_payments.runs import retire
from tests.billing.payments.factories import a_method
from tests.checkout.placements.runs import begun, ended
from tests.drivers.factories import a_dealer, an_installer, an_owner
from tests.drivers.stage import SIMULATED, Stage
from tests.drivers.until import until as come
from tests.operations.cases.factories import (
    case_in,
    case_on,
    handle_of,
    kept,
    mailed_about,
    send_command,
)
from tests.operations.cases.stories import HASTY, Owing, id_of, opened, owing, until
from tests.plans.purchases import runs as purchases
from workflows.operations.case import CaseWorkflow


async def paid_by_bank(stage: Stage, po_number: str) -> str:
    """A confirmed order whose debit will come back; its token."""
    run = await begun(stage, bank="insufficient", po_number=po_number)
    await ended(run, "confirmed")
    return run.token


async def mail_to(stage: Stage, person_id: str) -> str:
    """What the buyer was written when the case was opened."""
    return (await mailed_about(stage, person_id, "is owed again"))[0]


async def erp_status(stage: Stage, number: str) -> str:
    answer = await stage.http.get(f"{SIMULATED}/erp/_ledger", params={"reference": number})
    return answer.json()["orders"][0]["status"]


async def test_an_order_whose_debit_comes_back_is_held_until_it_is_paid(stage: Stage) -> None:
    token = await paid_by_bank(stage, "ERP-WAITS")
    async with stage.sessions() as session:
        order = await order_of_token(session, token)
    assert order is not None
    case = await case_on(stage, "order", order.id, "owed")
    assert (case.owed, case.amount) == (order.total, order.total)
    assert await erp_status(stage, order.number) == "held"
    assert await kept(stage, token, "gateway") == 0
    text = await mail_to(stage, order.placed_by)
    assert "What was not sent yet is held." in text
    assert "suspended" not in text
    method = await a_method(stage.sessions, partner_code=order.partner_code)
    pays = {"type": "CARD", "method_id": method.id, "actor_id": order.placed_by}
    assert await send_command(handle_of(stage, case.id), "pay", **pays) is None
    await case_on(stage, "order", order.id, "solved")
    assert await erp_status(stage, order.number) == "taken"
    assert await kept(stage, token) == int(order.total * 100)


async def test_owners_are_asked_for_what_a_buyer_without_the_right_may_not_pay(
    stage: Stage,
) -> None:
    dealer = await a_dealer(stage.sessions)
    owner, buyer = (
        await an_owner(stage.sessions, dealer),
        await an_installer(stage.sessions, dealer),
    )
    handle = await opened(
        stage, amount="104.99", is_paid=False, cause=CaseCause.DEBIT_RETURNED, buyer=buyer
    )
    await until(stage, handle, "owed")
    (asked,) = await mailed_about(stage, owner.id, "is owed again")
    assert "Please pay here" in asked
    assert await stage.mails(buyer.email) == []
    assert await send_command(handle, "resolve", note="A cheque came.") is None
    await handle.result()


async def test_whoever_has_lost_the_right_pays_nothing_of_what_is_owed(stage: Stage) -> None:
    """Asked while they had it, or not: it is read where money moves (promise 38)."""
    debt = await owing(stage)
    await until(stage, debt.handle, "owed")
    await retire(stage.sessions, debt.buyer.id)
    assert await debt.pay() is None

    async def declined() -> CaseView:
        return await case_in(stage, id_of(debt.handle), "owed")

    case = await come(declined, lambda now: now.payment is not None and bool(now.payment.detail))
    assert case.payment is not None
    assert (case.payment.detail, case.owed) == (NoPurchasingRights.detail, Decimal("104.99"))
    assert await kept(stage, case.belongs_to.flow_id) == 0
    assert await send_command(debt.handle, "resolve", note="A cheque came.") is None
    await debt.handle.result()


async def test_what_came_back_before_it_was_known_to_be_taken_is_owed_as_well(stage: Stage) -> None:
    """The reply to the taking is lost, and the bank answers before the provider is asked again."""
    token = await paid_by_bank(stage, "PAY-LOST")
    async with stage.sessions() as session:
        order = await order_of_token(session, token)
    assert order is not None
    case = await case_on(stage, "order", order.id, "owed")
    assert (case.owed, await kept(stage, token, "gateway")) == (order.total, 0)


async def never_sent(stage: Stage, token: str, amount: str | None) -> CaseStart:
    """Opened as the ERP's word does: goods of this order are never sent; all of them without an amount."""
    async with stage.sessions() as session:
        order = await order_of_token(session, token)
    assert order is not None
    start = CaseStart(
        id=uuid.uuid4().hex,
        cause=CaseCause.SHIPMENT_CANCELLED if amount else CaseCause.ORDER_CANCELLED,
        belongs_to=on_order(order.id, order.number, token),
        amount=Decimal(amount) if amount else None,
        partner_code=order.partner_code,
        person_id=order.placed_by,
        site="ca",
        opened_at=datetime.now(UTC),
        policy=CasePolicy(soon=timedelta(milliseconds=50), bank=timedelta(milliseconds=200)),
    )
    async with stage.sessions.begin() as session:
        await open_case(session, start)
    return start


async def test_what_is_withdrawn_while_all_is_owed_lowers_what_is_asked_for(stage: Stage) -> None:
    token = await paid_by_bank(stage, "ERP-WAITS")
    async with stage.sessions() as session:
        order = await order_of_token(session, token)
    assert order is not None
    owed = await case_on(stage, "order", order.id, "owed")
    withdrawn = await never_sent(stage, token, "10.00")
    ended_ = await case_in(stage, withdrawn.id, "solved")
    assert (ended_.given_back, ended_.taken_off) == (0, Decimal("10.00"))
    left = await case_in(stage, owed.id, "owed")
    assert (left.owed, left.amount) == (order.total - 10, order.total)
    async with stage.sessions() as session:
        assert await owed_by_cases(session, order.partner_code) == order.total - 10
    (opened_,) = await mailed_about(stage, order.placed_by, "What is owed is lowered")
    assert "is being paid back" not in opened_
    await mailed_about(stage, order.placed_by, "$10.00 less is asked for than before.")
    method = await a_method(stage.sessions, partner_code=order.partner_code)
    pays = {"type": "CARD", "method_id": method.id, "actor_id": order.placed_by}
    assert await send_command(handle_of(stage, owed.id), "pay", **pays) is None
    await case_in(stage, owed.id, "solved")
    assert await kept(stage, token) == round(order.total * 100) - 1_000
    assert await erp_status(stage, order.number) == "taken"


async def test_of_an_order_that_is_cancelled_while_it_is_owed_nothing_is_asked_for(
    stage: Stage,
) -> None:
    token = await paid_by_bank(stage, "ERP-WAITS")
    async with stage.sessions() as session:
        order = await order_of_token(session, token)
    assert order is not None
    owed = await case_on(stage, "order", order.id, "owed")
    cancelled = await never_sent(stage, token, None)
    assert (await case_in(stage, owed.id, "solved")).owed == 0
    assert (await case_in(stage, cancelled.id, "solved")).given_back == 0
    assert await kept(stage, token) == await kept(stage, token, "gateway") == 0
    assert await erp_status(stage, order.number) == "taken", "nothing is held any more"
    (opened_,) = await mailed_about(stage, order.placed_by, "Nothing is owed for it any more")
    assert "is being paid back" not in opened_
    told_ended = await mailed_about(stage, order.placed_by, "Nothing is owed.", times=2)
    assert len(told_ended) == 2


async def test_plans_that_were_not_paid_are_suspended_and_restored(stage: Stage) -> None:
    run = await purchases.begun(stage, at_once=True)
    await purchases.ended(run, "confirmed")
    device_key = (await run.view()).lines[0].device_key
    async with stage.sessions() as session:
        buyer = await find_user(session, run.start.buyer.person_id)
    assert buyer is not None
    handle = await opened(
        stage,
        amount="10.00",
        policy=HASTY,
        is_paid=False,
        cause=CaseCause.DEBIT_RETURNED,
        buyer=buyer,
        belongs_to=BelongsTo(
            kind="purchase",
            id=run.start.id,
            name="Purchase of plans",
            flow=PayingFlow.PURCHASE,
            flow_id=run.start.id,
        ),
    )
    await until(stage, handle, "suspended")
    text = await mail_to(stage, buyer.id)
    rests_at = (await handle.query(CaseWorkflow.view)).opened_at + HASTY.grace
    assert f"suspended after {rests_at:%Y-%m-%d}" in text
    assert "not sent" not in text
    assert await is_suspended(stage, device_key)
    before = await run.kept()
    assert await Owing(stage, handle, buyer).pay() is None
    await until(stage, handle, "solved")
    assert not await is_suspended(stage, device_key)
    assert await run.kept() == before + 1_000


async def is_suspended(stage: Stage, device_key: str) -> bool:
    plan = await stage.systems.device_cloud.plan(device_key)
    return plan.is_suspended
