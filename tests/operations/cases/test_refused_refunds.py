"""A refund that the provider refuses: the purchase ends, a case goes on, and then a person; never more than was kept."""

from datetime import timedelta

from domain.operations.cases import CasePolicy
from domain.plans.purchases import LineStatus
from tests.billing.invoice_payments import runs as invoices
from tests.drivers.stage import SIMULATED, Stage
from tests.faults.judge import Verdict
from tests.faults.judge_money import beyond_plans, settled_by_hand
from tests.faults.judge_purchases import judge_purchases
from tests.operations.cases.factories import case_on
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
    by_hand = await settled_by_hand(database_url)
    assert by_hand[run.start.id] == -round(owed.total * 100), (
        "as the judge of the fault runs reads it"
    )
    assert await judged(stage, run, database_url) == []


async def test_what_is_refused_for_good_waits_for_a_person(stage: Stage, database_url: str) -> None:
    run = await given_up(stage, "refundRefused")
    case = await case_on(stage, "purchase", run.start.id, "needs_attention")
    assert case.error is not None
    assert (case.error.code, case.given_back) == ("refund_refused", 0)
    cents = round((await run.view()).final_charge * 100)
    assert await run.kept() == cents
    (fault,) = await judged(stage, run, database_url)
    worth = cents - round(case.amount * 100) if case.amount else 0
    assert fault == f"{run.start.id}: {cents} cents for plans of {worth}", (
        "the judge of the fault runs finds what is kept for no plan, although our receipt has it so"
    )


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
