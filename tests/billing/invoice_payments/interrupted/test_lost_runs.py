"""A payment of invoices whose run is gone goes on as another, wherever it stood: charged, posted and paid back once."""

from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import update

from db.billing.invoice_payments import InvoicePaymentRow
from db.runs.flows import find_flow
from domain.billing.invoice_payment import InvoiceStatus
from domain.billing.payments import MOST_ATTEMPTS
from domain.kinds import INVOICE_PAYMENT
from domain.operations.cases import UNANSWERED
from domain.operations.operations import Repair
from tests.billing.invoice_payments.runs import PATIENT, SECOND, Run, begun, ended, kept_only
from tests.drivers.stage import SIMULATED, Stage, stage
from tests.drivers.until import until
from tests.operations.cases.factories import left_to_a_case
from tests.operations.reconciler.rounds import a_round, ask, audited, change
from tests.operations.reconciler.unseen import gone_before_it_was_shown, times
from workflows import ids

__all__ = ["stage"]

ONE = Decimal("98.00")
TINY = PATIENT.model_copy(update={"post": SECOND / 2, "late": timedelta(milliseconds=200)})
REFUSES, ASKS = "transactionDeclined", "authenticationRequired"


async def lost(run: Run) -> None:
    """Terminated where it stands, and taken up by the next round."""
    await run.handle.terminate("lost")
    await a_round(run.stage)
    told = await audited(run.stage, "invoice_payment", run.start.id)
    assert (Repair.GONE_ON, {}) in told
    assert Repair.LOST not in {action for action, _ in told}
    run.handle = run.stage.client.get_workflow_handle(run.handle.id)


async def away(stage: Stage, system: str, *, lasts: bool) -> None:
    call = "erp/_knobs" if system == "erp" else "cards/_control"
    answer = await stage.http.post(f"{SIMULATED}/{call}", json={"outage": lasts})
    answer.raise_for_status()


async def taken(run: Run, within: float = 30.0) -> None:
    """Until the card provider has the money, whatever the run knows of it."""
    await until(run.kept, lambda kept: kept > 0, within=within)


async def intents(run: Run) -> int:
    """How often the card was asked for money."""
    answer = await run.stage.http.get(
        f"{SIMULATED}/cards/_ledger", params={"flow_id": run.start.id}
    )
    return len(answer.json()["intents"])


async def postings(run: Run) -> list[int]:
    """How often each of its invoices was posted."""
    counts: list[int] = []
    for one in run.start.plan.allocations:
        answer = await run.stage.http.get(
            f"{SIMULATED}/erp/_payments", params={"invoice_number": one.number}
        )
        counts.append(len(answer.json()["payments"]))
    return counts


async def test_gone_before_it_was_shown(stage: Stage) -> None:
    start, _ = await kept_only(stage)
    await gone_before_it_was_shown(stage, INVOICE_PAYMENT, start)
    async with stage.sessions.begin() as session:
        await session.execute(
            update(InvoicePaymentRow)
            .where(InvoicePaymentRow.id == start.id)
            .values(created_at=InvoicePaymentRow.created_at - timedelta(minutes=1))
        )
    await a_round(stage)
    run = Run(stage, start, stage.client.get_workflow_handle(ids.invoice_payment_id(start.id)))
    await ended(run, "confirmed")
    assert (await run.kept(), await postings(run)) == (ONE, [1])
    assert await times(stage, "invoice_payment", start.id, Repair.GONE_ON) == 1


async def test_gone_while_charging_with_money_taken(stage: Stage) -> None:
    run = await begun(stage, card="neverAnswered")
    await run.until("charging")
    await taken(run)
    await lost(run)
    await ended(run, "confirmed")
    assert (await run.kept(), await intents(run), await postings(run)) == (ONE, 1, [1])


@pytest.mark.whole
async def test_gone_while_charging_with_nobody_asked(stage: Stage) -> None:
    await away(stage, "cards", lasts=True)
    run = await begun(stage)
    await run.until("charging")
    await lost(run)
    await run.until("needs_attention", "declined")
    await away(stage, "cards", lasts=False)
    await run.until("declined")
    view = await run.view()
    assert view.payment is not None
    assert (view.payment.attempt, view.refused_methods) == (1, (view.payment.method_id,))
    assert (await run.kept(), await run.held()) == (0, 1)
    assert await run.pay("visa") is None
    await ended(run, "confirmed")
    assert (await run.kept(), await postings(run)) == (ONE, [1])


@pytest.mark.whole
async def test_gone_while_nobody_could_tell(stage: Stage) -> None:
    policy = PATIENT.model_copy(update={"charge": 2 * SECOND, "look": timedelta(hours=1)})
    run = await begun(stage, card="neverAnswered", policy=policy)
    await run.until("needs_attention")
    await lost(run)
    await ended(run, "confirmed")
    assert (await run.kept(), await intents(run), await postings(run)) == (ONE, 1, [1])


async def test_gone_while_its_payer_is_asked(stage: Stage) -> None:
    run = await begun(stage, card=ASKS)
    await run.until("action_required")
    before = await run.view()
    await lost(run)
    await run.until("action_required")
    view = await run.view()
    assert (view.deadline, view.payment) == (before.deadline, before.payment)
    await run.prove()
    await ended(run, "confirmed")
    assert (await run.kept(), await intents(run)) == (ONE, 1)


@pytest.mark.whole
async def test_gone_after_a_decline(stage: Stage) -> None:
    run = await begun(stage, card=REFUSES)
    await run.until("declined")
    before = await run.view()
    await lost(run)
    await run.until("declined")
    view = await run.view()
    assert (view.deadline, view.error) == (before.deadline, before.error)
    assert view.refused_methods == before.refused_methods
    assert await run.held() == 1
    assert await run.pay("visa") is None
    await ended(run, "confirmed")
    assert (await run.kept(), await intents(run)) == (ONE, 2)


@pytest.mark.whole
async def test_gone_after_a_decline_can_be_cancelled(stage: Stage) -> None:
    run = await begun(stage, card=REFUSES)
    await run.until("declined")
    await lost(run)
    await run.until("declined")
    assert await run.cancel() is None
    await ended(run, "cancelled")
    assert await run.kept() == 0


async def test_gone_after_its_payment_was_left_to_a_case(stage: Stage) -> None:
    """What a case lets go of is not waited for: another way to pay may be chosen at once."""
    policy = PATIENT.model_copy(update={"look": timedelta(hours=1), "charge": SECOND})
    run = await begun(stage, card="away", policy=policy)
    await run.until("needs_attention")
    await left_to_a_case(stage, "invoice_payment", run.start.id)
    await lost(run)
    await run.until("declined")
    error = (await run.view()).error
    assert error is not None
    assert error.detail == UNANSWERED
    assert await run.pay("visa") is None
    await ended(run, "confirmed")
    assert await run.kept() == ONE


async def test_gone_after_so_many_ways_to_pay_that_no_other_is_taken(stage: Stage) -> None:
    run = await begun(stage, card=REFUSES)
    await run.until("declined")
    await change(
        stage,
        f"update payment set attempt = {MOST_ATTEMPTS} where flow_id = :id",
        id=run.start.id,
    )
    await lost(run)
    await run.until("declined")
    assert await run.pay("visa") == "tried_too_often"
    assert await run.cancel() is None
    await ended(run, "cancelled")
    assert await run.kept() == 0


@pytest.mark.whole
@pytest.mark.parametrize(
    ("bank", "state", "kept"), [("good", "confirmed", ONE), ("insufficient", "returned", 0)]
)
async def test_gone_while_the_bank_takes_its_time(
    stage: Stage, bank: str, state: str, kept: Decimal
) -> None:
    policy = PATIENT.model_copy(update={"bank": SECOND})
    run = await begun(stage, bank=bank, policy=policy)
    await run.until("processing")
    await lost(run)
    await ended(run, state)
    assert await run.kept("gateway") == kept
    assert await postings(run) == [int(kept > 0)]


@pytest.mark.whole
async def test_gone_while_the_erp_is_away_even_twice(stage: Stage) -> None:
    await away(stage, "erp", lasts=True)
    run = await begun(stage, "", "LOST", memo="30.00", policy=TINY)
    for _ in range(2):
        await run.until("posting_late")
        assert (await run.kept(), await run.held()) == (Decimal("166.00"), 3)
        await lost(run)
    await away(stage, "erp", lasts=False)
    await ended(run, "confirmed")
    assert (await run.kept(), await intents(run)) == (Decimal("166.00"), 1)
    assert await postings(run) == [1, 1]


async def test_gone_between_two_postings(stage: Stage) -> None:
    """What our books say is posted is not posted again."""
    policy = PATIENT.model_copy(update={"post": 3.5 * SECOND, "late": timedelta(hours=1)})
    run = await begun(stage, "", "AWAY", policy=policy)
    await run.until("posting_late")
    assert InvoiceStatus.POSTED in [one.status for one in (await run.view()).lines]
    await lost(run)
    await ended(run, "confirmed")
    assert await run.kept() == Decimal("196.00")
    assert await postings(run) == [1, 1]


@pytest.mark.whole
async def test_gone_while_it_pays_back(stage: Stage) -> None:
    await away(stage, "erp", lasts=True)
    run = await begun(stage, "REFUSED", "", policy=TINY)
    await run.until("posting_late")
    await away(stage, "cards", lasts=True)
    await away(stage, "erp", lasts=False)
    await run.until("refunding")
    assert await run.kept() == Decimal("196.00")
    await lost(run)
    await away(stage, "cards", lasts=False)
    await ended(run, "confirmed")
    view = await run.view()
    assert (view.refunded, await run.kept()) == (ONE, ONE)
    assert [one.status for one in view.lines] == [InvoiceStatus.REFUNDED, InvoiceStatus.POSTED]


@pytest.mark.whole
async def test_one_that_was_given_up_with_money_taken_goes_on(stage: Stage) -> None:
    """As an earlier release left it: its row is ended, its invoices are held."""
    await away(stage, "erp", lasts=True)
    run = await begun(stage, policy=TINY)
    await run.until("posting_late")
    await run.handle.terminate("lost")
    await change(
        stage,
        "update flow set ended_at = now(), state = 'needs_attention', rev = rev + 1, allowed = '{}' where id = :id",
        id=run.start.id,
    )
    assert await run.held() == 1
    await away(stage, "erp", lasts=False)
    await a_round(stage)
    run.handle = stage.client.get_workflow_handle(run.handle.id)
    await ended(run, "confirmed")
    assert (await run.kept(), await intents(run), await postings(run)) == (ONE, 1, [1])


async def test_one_that_was_given_up_before_any_payment_is_cancelled_and_charges_nobody(
    stage: Stage,
) -> None:
    await away(stage, "cards", lasts=True)
    run = await begun(stage)
    await until(
        lambda: ask(stage, "select count(*) from payment where flow_id = :id", id=run.start.id),
        holds=lambda count: count > 0,
    )
    await run.handle.terminate("lost")
    await change(
        stage,
        "update payment set flow_id = flow_id || '-elsewhere' where flow_id = :id",
        id=run.start.id,
    )
    await change(
        stage,
        "update flow set ended_at = now(), state = 'needs_attention', rev = rev + 1, allowed = '{}' where id = :id",
        id=run.start.id,
    )
    assert await run.held() == 1
    await away(stage, "cards", lasts=False)
    for _ in range(2):
        await a_round(stage)
    assert (await run.held(), await intents(run)) == (0, 0)
    async with stage.sessions() as session:
        shown = await find_flow(session, "invoice_payment", run.start.id)
    assert shown is not None
    assert shown.state == "cancelled"
    assert [one["status"] for one in shown.view["lines"]] == [InvoiceStatus.RELEASED]
