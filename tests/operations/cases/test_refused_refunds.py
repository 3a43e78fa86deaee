"""A refund that the provider refuses: the purchase ends, a case goes on, and then a person; never more than was kept."""

from datetime import timedelta
from decimal import Decimal
from pathlib import Path

from db.operations.cases.starts import find_start
from db.orders.orders import order_of_token
from db.plans.receipts import receipt_of
from db.runs.flows import find_flow
from domain.billing.payments import RefundRequest, payment_id_of
from domain.operations.cases import CasePolicy
from domain.plans.purchases import LineStatus, PurchaseView
from domain.plans.receipts import Receipt
from tests.billing.invoice_payments import runs as invoices
from tests.billing.payments.factories import a_payment_driver
from tests.drivers.stage import SIMULATED, Stage
from tests.faults.judges.judge import Verdict
from tests.faults.judges.money import beyond_plans, settled_by_hand
from tests.faults.judges.purchases import judge_purchases
from tests.operations.cases.factories import case_in, case_on, handle_of, kept, send_command
from tests.operations.cases.stories import id_of, opened
from tests.plans.purchases.runs import (
    PATIENT,
    Run,
    a_hopeless_line,
    a_line,
    a_stubborn_line,
    begun,
    ended,
)

ALWAYS = 1_000_000
QUICK = PATIENT.model_copy(
    update={"case": CasePolicy(tries=3, pause=timedelta(milliseconds=50))},
)


async def given_up(stage: Stage, card: str) -> Run:
    """One device has its plan, the other one never will."""
    stubborn = await a_stubborn_line(stage, ALWAYS)
    run = await begun(stage, a_line(), stubborn, card=card, policy=QUICK, at_once=True)
    await run.until("part_failed")
    assert await run.give_up() is None
    await ended(run, "confirmed")
    return run


async def test_a_refund_that_is_refused_ends_no_purchase_and_is_tried_again(
    stage: Stage, database_url: str
) -> None:
    run = await given_up(stage, "refundRefusedTwice")
    view = await run.view()
    owed = next(line for line in view.lines if line.status is LineStatus.OWED)
    case = await case_on(stage, "purchase", run.start.id, "solved")
    assert (case.amount, case.given_back) == (owed.total, owed.total)
    assert await run.kept() == round((view.final_charge - owed.total) * 100)
    assert run.start.id not in await settled_by_hand(database_url), (
        "the judge of the fault runs reads it off the receipt"
    )
    assert await judged(stage, run, database_url) == []
    shown, receipt = await shown_of(stage, run)
    assert shown.refunded == receipt.refunded == owed.total
    for lines in (shown.lines, receipt.lines):
        assert [one.status for one in lines] == ["provisioned", "refunded"]
    assert [one.refunded for one in shown.lines] == [0, owed.total]


async def shown_of(stage: Stage, run: Run) -> tuple[PurchaseView, Receipt]:
    """As everybody reads it by now, who asks no run."""
    async with stage.sessions() as session:
        found = await find_flow(session, "purchase", run.start.id)
        receipt = await receipt_of(session, run.start.id)
    assert found is not None
    assert receipt is not None
    return PurchaseView.model_validate(found.view), receipt


async def test_what_is_refused_for_good_waits_for_a_person(stage: Stage, database_url: str) -> None:
    run = await given_up(stage, "refundRefused")
    case = await case_on(stage, "purchase", run.start.id, "needs_attention")
    assert case.error is not None
    assert (case.error.code, case.given_back) == ("refund_refused", 0)
    cents = round((await run.view()).final_charge * 100)
    assert await run.kept() == cents
    shown, receipt = await shown_of(stage, run)
    assert shown.refunded == receipt.refunded == 0
    assert [one.status for one in shown.lines] == ["provisioned", "owed"]
    (fault,) = await judged(stage, run, database_url)
    worth = cents - round(case.amount * 100) if case.amount else 0
    assert fault == f"{run.start.id}: {cents} cents for plans of {worth}", (
        "the judge of the fault runs finds what is kept for no plan, although our receipt has it so"
    )


async def asked_once_more(stage: Stage, payment_id: str, key: str, amount: Decimal) -> None:
    """As a run does that was lost before it was written down that a case goes on with its refund."""
    async with a_payment_driver(stage.sessions, Path(), simulators=stage.app) as driver:
        await driver.pay.refund(RefundRequest(payment_id=payment_id, amount=amount, key=key))


async def test_what_a_case_paid_back_its_run_pays_back_no_more(stage: Stage) -> None:
    run = await given_up(stage, "refundRefusedTwice")
    owed = next(line for line in (await run.view()).lines if line.status is LineStatus.OWED)
    await case_on(stage, "purchase", run.start.id, "solved")
    kept = await run.kept()
    request_key = f"{run.handle.id}:1"
    await asked_once_more(stage, payment_id_of(request_key), f"{request_key}:failed", owed.total)
    assert await run.kept() == kept


async def test_each_refund_of_one_case_is_made_once(stage: Stage) -> None:
    lines = [a_line(), await a_hopeless_line(stage), await a_hopeless_line(stage)]
    run = await begun(stage, *lines, card="refundRefusedTwice", policy=QUICK, at_once=True)
    await ended(run, "confirmed")
    case = await case_on(stage, "purchase", run.start.id, "solved")
    owed = [line for line in (await run.view()).lines if line.status is LineStatus.OWED]
    assert case.given_back == sum(line.total for line in owed)
    kept, request_key = await run.kept(), f"{run.handle.id}:1"
    for line in owed:
        key = f"{request_key}:{line.device_key}"
        await asked_once_more(stage, payment_id_of(request_key), key, line.total)
    assert (len(owed), await run.kept()) == (2, kept)


async def judged(stage: Stage, run: Run, database_url: str) -> list[str]:
    verdict = Verdict()
    stage.http.base_url = SIMULATED
    await judge_purchases(
        verdict,
        [run.start.id],
        outside=stage.http,
        database_url=database_url,
        by_hand=await settled_by_hand(database_url),
        beyond_plans=await beyond_plans(database_url),
    )
    return verdict.faults


async def test_devices_that_are_refused_for_good_are_one_case_when_their_refunds_are_refused(
    stage: Stage,
) -> None:
    lines = [a_line(), await a_hopeless_line(stage), await a_hopeless_line(stage)]
    run = await begun(stage, *lines, card="refundRefused", policy=QUICK, at_once=True)
    await ended(run, "confirmed")
    view = await run.view()
    owed = [line.total for line in view.lines if line.status is LineStatus.OWED]
    case = await case_on(stage, "purchase", run.start.id, "needs_attention")
    assert len(owed) == 2
    assert case.amount == sum(owed)


async def test_a_payment_of_invoices_outlives_a_refund_that_is_refused(stage: Stage) -> None:
    run = await invoices.begun(stage, "REFUSED", "", card="refundRefused")
    await invoices.ended(run, "confirmed")
    view = await run.view()
    assert (view.refunded, [one.status for one in view.lines]) == (0, ["refused", "posted"])
    case = await case_on(stage, "invoice_payment", run.start.id, "waiting")
    assert case.amount == view.lines[0].charged
    async with stage.sessions() as session:
        start = await find_start(session, case.id)
    assert start is not None
    assert start.refund_key == f"{run.handle.id}:1:refused", "as its run would ask for it once more"


async def test_a_refund_that_fails_later_waits_for_a_person_and_is_made_once_more(
    stage: Stage,
) -> None:
    first = await opened(stage, card="refundFailsOnce", amount="60.00")
    case = await case_in(stage, id_of(first), "solved")
    assert case.given_back == Decimal(60)
    flow_id = case.belongs_to.flow_id

    async with stage.sessions() as session:
        order = await order_of_token(session, flow_id)
    assert order is not None
    again = await case_on(stage, "order", order.id, "needs_attention")
    assert (again.cause, again.amount) == ("refund_refused", Decimal(60))
    assert again.error is not None
    assert "expired or canceled card" in again.error.detail
    assert await kept(stage, flow_id) == 10_499, "it is ours again"
    handle = handle_of(stage, again.id)
    assert await send_command(handle, "retry", note="The bank knows the new card.") is None
    await case_in(stage, again.id, "solved")
    assert await kept(stage, flow_id) == 4_499


async def test_a_refund_that_always_fails_is_paid_in_another_way(stage: Stage) -> None:
    run = await given_up(stage, "refundFail")
    cents = round((await run.view()).final_charge * 100)
    case = await case_on(stage, "purchase", run.start.id, "needs_attention")
    assert await run.kept() == cents
    assert (
        await send_command(handle_of(stage, case.id), "resolve", note="A cheque was sent.") is None
    )
    assert (await case_in(stage, case.id, "resolved")).given_back == 0
