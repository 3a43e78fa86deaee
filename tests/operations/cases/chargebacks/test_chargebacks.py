"""A card's holder takes a payment back, a bank's debit comes back after it had settled: what becomes of orders and invoices."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from db.billing.payments import payments_of_flow
from db.identity.people import find_user
from db.operations.cases.lists import cases_of
from db.orders.orders import order_of_token
from domain.billing.disputes import Dispute, DisputeStatus, overtakes
from domain.billing.invoices.documents import discount_of, last_discount_day
from domain.billing.payments import PayingFlow
from domain.identity.people import User
from domain.operations.cases import BelongsTo, CaseCause, CasePolicy, CaseView, left_of
from tests.billing.invoice_payments import runs as invoices
from tests.checkout.placements.runs import begun, ended
from tests.drivers.rewards import a_reward, rewards_with
from tests.drivers.stage import SIMULATED, Stage
from tests.drivers.until import until
from tests.operations.cases.chargebacks.dispute_stories import (
    decided_while_it_waited,
    decided_while_it_was_asked,
)
from tests.operations.cases.factories import case_in, case_on, handle_of, kept, send_command
from tests.operations.cases.stories import HASTY, decided, id_of, opened
from tests.plans.purchases import runs as purchases


async def erp_status(stage: Stage, number: str) -> str:
    answer = await stage.http.get(f"{SIMULATED}/erp/_ledger", params={"reference": number})
    return answer.json()["orders"][0]["status"]


async def dispute_of(stage: Stage, flow: str, flow_id: str) -> str:
    """The provider's name of the one dispute of this run."""
    async with stage.sessions() as session:
        held = await payments_of_flow(session, flow, flow_id)
    answer = await stage.http.get(
        f"{SIMULATED}/cards/_disputes", params={"payment_intent": held[0].provider_id or ""}
    )
    return answer.json()["results"][0]["id"]


async def test_a_chargeback_holds_an_order_until_the_bank_has_decided(stage: Stage) -> None:
    run = await begun(stage, card="createDispute", po_number="ERP-WAITS")
    await ended(run, "confirmed")
    async with stage.sessions() as session:
        order = await order_of_token(session, run.token)
    assert order is not None
    case = await case_on(stage, "order", order.id, "needs_attention")
    assert (case.cause, case.amount) == ("chargeback", order.total)
    assert case.error is not None
    assert 6 <= (case.due_at - case.opened_at).days <= 7
    assert await erp_status(stage, order.number) == "held"
    async with stage.sessions() as session:
        held = await payments_of_flow(session, "placement", run.token)
    assert left_of(held[0].outcome) == await kept(stage, run.token) == 0
    await decided(stage, await dispute_of(stage, "placement", run.token), "won")
    await case_on(stage, "order", order.id, "solved")
    assert await erp_status(stage, order.number) == "taken"
    async with stage.sessions() as session:
        held = await payments_of_flow(session, "placement", run.token)
    assert left_of(held[0].outcome) == order.total


async def test_a_bank_that_decides_while_it_is_asked_is_asked_again(stage: Stage) -> None:
    await decided_while_it_was_asked(stage)


async def test_a_bank_that_decides_before_the_next_try_is_asked_at_once(stage: Stage) -> None:
    await decided_while_it_waited(stage)


async def find_buyer(stage: Stage, person_id: str) -> User:
    async with stage.sessions() as session:
        buyer = await find_user(session, person_id)
    assert buyer is not None
    return buyer


async def lost_mails(stage: Stage, to: str) -> list[str]:
    mails = await stage.mails(to)
    return [one["text"] for one in mails if "has decided for the holder" in one["text"]]


async def test_plans_rest_after_a_lost_chargeback_that_nobody_paid_again(stage: Stage) -> None:
    run = await purchases.begun(stage, card="createDispute", at_once=True)
    await purchases.ended(run, "confirmed")
    device_key = (await run.view()).lines[0].device_key
    case = await case_on(stage, "purchase", run.start.id, "needs_attention")
    total = (await run.view()).final_charge
    assert (case.cause, case.amount) == ("chargeback", total)
    await decided(stage, await dispute_of(stage, "purchase", run.start.id), "lost")
    owed = await case_on(stage, "purchase", run.start.id, "owed")
    assert owed.owed == total
    plan = await stage.systems.device_cloud.plan(device_key)
    assert not plan.is_suspended, "there are days to pay it again"
    assert owed.deadline is not None
    assert owed.deadline > owed.opened_at + CasePolicy().grace, "counted from the decision"
    buyer = await find_buyer(stage, run.start.buyer.person_id)
    mails = await until(lambda: lost_mails(stage, buyer.email))
    assert f"The plans are suspended after {owed.deadline:%Y-%m-%d}. Please pay" in mails[0]


async def test_a_plan_that_nobody_pays_again_takes_back_what_was_earned_with_it(
    stage: Stage,
) -> None:
    run = await purchases.begun(stage, at_once=True)
    await purchases.ended(run, "confirmed")
    line, now = (await run.view()).lines[0], datetime.now(UTC)
    earned = {"device_key": line.device_key, "plan_slug": line.plan_slug}
    with_it = await a_reward(stage.sessions, run.buyer, now, **earned)
    before = await a_reward(stage.sessions, run.buyer, now - timedelta(days=1), **earned)
    plain = await a_reward(stage.sessions, run.buyer, now, device_key=line.device_key)
    flow = PayingFlow.PURCHASE
    plans = BelongsTo(
        kind="purchase", id=run.start.id, name="Plans", flow=flow, flow_id=run.start.id
    )
    case = await opened(
        stage,
        cause=CaseCause.DEBIT_RETURNED,
        amount="104.99",
        is_paid=False,
        policy=HASTY,
        belongs_to=plans,
    )
    await case_in(stage, id_of(case), "suspended")
    rewards = await rewards_with(stage.sessions, line.device_key)
    assert {(flow_id, kind) for flow_id, kind, _ in rewards} == {
        (before, "earned"),
        (with_it, "earned"),
        (plain, "earned"),
        (with_it, "taken_back"),
    }
    assert sum(amount for _, _, amount in rewards) == 10
    assert await send_command(case, "resolve", note="A cheque came.") is None
    await case.result()


async def reopened(stage: Stage, run: invoices.Run) -> None:
    """The invoice is open again as it was, its discount and its memo free; the discount until its last day alone. The statement
    keeps what was paid, and says that it was taken back."""
    await case_on(stage, "invoice_payment", run.start.id, "solved")
    invoice = await run.invoice()
    assert (invoice.balance, invoice.paid) == (Decimal(100), 0)
    assert [(one.kind, one.amount) for one in invoice.settled_with] == [
        ("payment", Decimal(68)),
        ("discount", Decimal(2)),
        ("returned_payment", Decimal(68)),
        ("returned_discount", Decimal(2)),
    ]
    assert invoice.payoff == Decimal("98.00")
    last = last_discount_day(invoice)
    assert last is not None
    assert discount_of(invoice, last) == Decimal("2.00")
    assert discount_of(invoice, last + timedelta(days=1)) == 0
    memo = await run.memo(run.start.plan.allocations[0].memos[0].number)
    assert (memo.applied, memo.applied_to) == (0, ())
    statement = await run.statement()
    assert (statement.closing, statement.total) == (invoice.balance - memo.balance, 6)
    shown = await run.shown()
    assert [one.status for one in shown.lines] == ["returned"]
    assert (shown.taken_back, shown.refunded) == (shown.charged, 0)


async def test_promise_19_a_debit_that_comes_back_after_posting_opens_its_invoice_again(
    stage: Stage,
) -> None:
    run = await invoices.begun(stage, bank="late", memo="30.00")
    await invoices.ended(run, "confirmed")
    assert (await run.invoice()).balance == 0
    assert (await run.statement()).closing == 0
    await reopened(stage, run)
    assert await run.kept("gateway") == 0


async def test_a_lost_chargeback_opens_its_invoices_again(stage: Stage) -> None:
    run = await invoices.begun(stage, card="createDispute", memo="30.00")
    await invoices.ended(run, "confirmed")
    await case_on(stage, "invoice_payment", run.start.id, "needs_attention")
    assert (await run.invoice()).balance == 0
    await decided(stage, await dispute_of(stage, "invoice_payment", run.start.id), "lost")
    await reopened(stage, run)
    buyer = await find_buyer(stage, run.start.payer.person_id)
    mails = await until(lambda: lost_mails(stage, buyer.email))
    assert "The invoices are open again" in mails[0]
    assert len(mails) == 1


async def test_what_a_bank_still_holds_is_given_back_once_it_has_decided(stage: Stage) -> None:
    """An invoice was refused, and its payment was disputed before its part was given back."""
    run = await invoices.begun(stage, "REFUSED", "", card="createDispute")
    await invoices.ended(run, "confirmed")
    refused, posted = (await run.view()).lines

    async def refund() -> CaseView | None:
        """Its case, looked at anew each time."""
        async with stage.sessions() as session:
            found = await cases_of(session, "invoice_payment", run.start.id)
        case = next((one for one in found if one.cause is CaseCause.REFUND_REFUSED), None)
        if case is not None and case.state != "solved":
            await send_command(handle_of(stage, case.id), "retry", note="Is it decided?")
        return case

    def is_waiting(case: CaseView | None) -> bool:
        return case is not None and case.error is not None and case.error.code == "owed_before"

    await until(refund, is_waiting)
    await decided(stage, await dispute_of(stage, "invoice_payment", run.start.id), "won")
    case = await until(refund, lambda case: case is not None and case.state == "solved")
    assert case is not None
    assert case.given_back == refused.charged
    assert await run.kept() == posted.charged


async def test_an_inquiry_takes_nothing_and_is_answered_all_the_same(stage: Stage) -> None:
    run = await invoices.begun(stage, card="createDisputeInquiry", memo="30.00")
    await invoices.ended(run, "confirmed")
    await case_on(stage, "invoice_payment", run.start.id, "needs_attention")
    assert await run.kept() == Decimal("68.00")

    async def one_case() -> bool:
        async with stage.sessions() as session:
            found = await cases_of(session, "invoice_payment", run.start.id)
        return [one.state for one in found] == ["solved"]

    dispute_id = await dispute_of(stage, "invoice_payment", run.start.id)
    await decided(stage, dispute_id, "warning_closed")
    await until(one_case)
    assert (await run.invoice()).balance == 0


@pytest.mark.parametrize(
    ("before", "after", "does"),
    [
        ("inquiry", "open", True),
        ("open", "open", True),
        ("open", "inquiry", False),
        ("lost", "open", False),
        ("lost", "won", True),
        ("won", "open", False),
    ],
)
def test_an_overtaken_answer_of_a_bank_changes_nothing(before: str, after: str, does: bool) -> None:
    assert overtakes(DisputeStatus(before), DisputeStatus(after)) is does


def test_only_what_the_bank_has_taken_is_missing() -> None:
    dispute = Dispute(
        id="du_1", provider_id="pi_1", status=DisputeStatus.OPEN, amount=Decimal(5), currency="USD"
    )
    taken = {
        status: dispute.model_copy(update={"status": status}).taken_back for status in DisputeStatus
    }
    assert taken == {"inquiry": 0, "open": 5, "won": 0, "lost": 5}
