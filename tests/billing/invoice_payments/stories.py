"""What can happen to a payment of invoices: together these take every edge of its table."""

from collections.abc import Awaitable, Callable
from decimal import Decimal

from db.operations.cases.lists import cases_of
from domain.billing.invoice_payment import InvoiceStatus, MayNotPay
from domain.billing.payments import PayingFlow
from domain.operations.cases import CaseCause
from tests.billing.invoice_payments.runs import (
    PATIENT,
    SECOND,
    SOON,
    Handle,
    Run,
    begun,
    ended,
    retire,
)
from tests.billing.payments.factories import named
from tests.drivers.stage import Stage
from tests.drivers.until import looks_given_up, under_way

Story = Callable[[Stage], Awaitable[Handle]]

ASKS = "authenticationRequired"
REFUSES = "transactionDeclined"
IN_A_HURRY = PATIENT.model_copy(update={"brief": SOON / 2})


async def paid(stage: Stage) -> Handle:
    run = await begun(stage, "", "LOST")
    handle = await ended(run, "confirmed")
    assert await run.kept() == Decimal("196.00")
    for place in (0, 1):
        invoice = await run.invoice(place)
        assert (invoice.balance, invoice.paid) == (0, Decimal("100.00"))
        assert {one.kind for one in invoice.settled_with} == {"payment", "discount"}
    return handle


async def covered_by_a_memo(stage: Stage) -> Handle:
    """The memo is larger than the invoice: nothing is charged, and the rest of it stays."""
    run = await begun(stage, memo="250.00")
    number = run.start.plan.allocations[0].memos[0].number
    handle = await ended(run, "confirmed")
    assert await run.kept() == 0
    assert (await run.memo(number)).balance == Decimal("152.00")
    assert (await run.invoice()).balance == 0
    return handle


async def refused_before_it_was_charged(stage: Stage) -> Handle:
    """The payer was retired meanwhile."""
    run = await begun(stage, retired=True)
    handle = await ended(run, "cancelled")
    error = (await run.view()).error
    assert error is not None
    assert error.code == "may_not_pay_invoices"
    assert await run.kept() == 0
    return handle


async def declined_then_paid(stage: Stage) -> Handle:
    run = await begun(stage, card=REFUSES)
    await run.until("declined")
    assert await run.held() == 1
    assert await run.pay(REFUSES) is None
    await run.until("declined")
    assert await run.pay("visa") is None
    handle = await ended(run, "confirmed")
    assert await run.kept() == Decimal("98.00")
    return handle


async def declined_and_left(stage: Stage) -> Handle:
    policy = PATIENT.model_copy(update={"declined": SOON})
    return await ended(await begun(stage, card=REFUSES, policy=policy), "expired")


async def declined_and_cancelled(stage: Stage) -> Handle:
    run = await begun(stage, card=REFUSES)
    await run.until("declined")
    assert await run.cancel() is None
    return await ended(run, "cancelled")


async def confirmed_at_the_bank(stage: Stage) -> Handle:
    run = await begun(stage, card=ASKS)
    await run.until("action_required")
    assert await run.pay("visa") == "invoice_payment_moved"
    await run.prove()
    return await ended(run, "confirmed")


async def refused_at_the_bank(stage: Stage) -> Handle:
    run = await begun(stage, card=ASKS)
    await run.until("action_required")
    await run.prove(agreed=False)
    await run.until("declined")
    assert await run.cancel() is None
    return await ended(run, "cancelled")


async def cancelled_at_the_bank(stage: Stage) -> Handle:
    run = await begun(stage, card=ASKS)
    await run.until("action_required")
    assert await run.cancel() is None
    return await ended(run, "cancelled")


async def never_confirmed_at_the_bank(stage: Stage) -> Handle:
    policy = PATIENT.model_copy(update={"action": SOON, "declined": SOON})
    return await ended(await begun(stage, card=ASKS, policy=policy), "expired")


async def found_to_be_paid(stage: Stage) -> Handle:
    """The charge hangs for longer than it is waited for; looked up, it is there."""
    policy = PATIENT.model_copy(update={"charge": 3 * SECOND})
    run = await begun(stage, card="neverAnswered", policy=policy)
    handle = await ended(run, "confirmed")
    assert await run.kept() == Decimal("98.00")
    return handle


async def voided_in_the_end(stage: Stage) -> Handle:
    """Nobody can say what became of the charge: it is given back, whatever it was."""
    policy = PATIENT.model_copy(update={"charge": SOON, "look": SECOND / 100})
    run = await begun(stage, card="slow", policy=policy)
    await run.until("declined")
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    assert await run.kept() == 0
    return handle


async def paid_from_a_bank_account(stage: Stage) -> Handle:
    """Nothing is posted, and the invoice is held, until the bank has paid."""
    run = await begun(stage, bank="good")
    await run.until("processing")
    assert await run.held() == 1
    assert (await run.invoice()).paid == 0
    handle = await ended(run, "confirmed")
    assert await run.kept("gateway") == Decimal("98.00")
    assert (await run.invoice()).balance == 0
    return handle


async def returned_by_the_bank(stage: Stage) -> Handle:
    run = await begun(stage, bank="insufficient", memo="30.00")
    number = run.start.plan.allocations[0].memos[0].number
    handle = await ended(run, "returned")
    assert (await run.invoice()).paid == 0
    assert (await run.memo(number)).applied == 0
    return handle


async def a_debit_that_hung(stage: Stage) -> Handle:
    policy = PATIENT.model_copy(update={"charge": SOON})
    run = await begun(stage, "PAY-HANG", bank="slow", policy=policy)
    return await ended(run, "confirmed")


async def one_is_refused(stage: Stage) -> Handle:
    """Its money is given back and its memo is free, all others are paid."""
    run = await begun(stage, "REFUSED", "", "", memo="30.00")
    number = run.start.plan.allocations[0].memos[0].number
    handle = await ended(run, "confirmed")
    view = await run.view()
    assert [one.status for one in view.lines] == [
        InvoiceStatus.REFUNDED,
        InvoiceStatus.POSTED,
        InvoiceStatus.POSTED,
    ]
    assert view.lines[0].detail == "The ERP does not accept this payment."
    assert (view.charged, view.refunded) == (Decimal("264.00"), Decimal("68.00"))
    assert await run.kept() == Decimal("196.00")
    assert (await run.memo(number)).applied == 0
    return handle


async def all_are_refused(stage: Stage) -> Handle:
    run = await begun(stage, "REFUSED", "REFUSED")
    handle = await ended(run, "refused")
    assert await run.kept() == 0
    return handle


async def the_erp_was_away(stage: Stage) -> Handle:
    """Those that were posted stay so; the others follow when it is back."""
    policy = PATIENT.model_copy(update={"post": SECOND / 2})
    run = await begun(stage, "", "AWAY", policy=policy)
    handle = await ended(run, "confirmed")
    assert await run.kept() == Decimal("196.00")
    return handle


async def the_erp_was_away_for_all(stage: Stage) -> Handle:
    """After the first round one of them asks whether it is back."""
    policy = PATIENT.model_copy(update={"post": SECOND / 2})
    return await ended(await begun(stage, "AWAY", "AWAY", policy=policy), "confirmed")


async def paid_otherwise_while_it_was_charged(stage: Stage) -> Handle:
    """The first charge never answers; it is given back at once, or by a case."""
    run = await begun(stage, card="neverAnswered", policy=IN_A_HURRY)
    await run.until("charging")
    assert await run.pay("visa") is None
    handle = await ended(run, "confirmed")
    payment = (await run.view()).payment
    assert payment is not None
    assert (payment.attempt, payment.status) == (2, "CAPTURED")
    assert (await run.invoice()).balance == 0
    return handle


async def cancelled_while_it_was_charged(stage: Stage) -> Handle:
    run = await begun(stage, card="away", policy=IN_A_HURRY)
    await run.until("charging")
    await named(stage.sessions, PayingFlow.INVOICE_PAYMENT, run.start.id)
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    assert await run.held() == 0
    assert await let_go(stage, run) == 1
    return handle


async def paid_otherwise_when_it_was_unclear(stage: Stage) -> Handle:
    policy = IN_A_HURRY.model_copy(update={"charge": SOON, "look": 60 * SECOND})
    run = await begun(stage, card="away", policy=policy)
    await run.until("needs_attention")
    await named(stage.sessions, PayingFlow.INVOICE_PAYMENT, run.start.id)
    assert await run.pay("visa") is None
    handle = await ended(run, "confirmed")
    assert await let_go(stage, run) == 1
    assert await run.kept() == Decimal("98.00")
    return handle


async def cancelled_when_it_was_unclear(stage: Stage) -> Handle:
    policy = IN_A_HURRY.model_copy(update={"charge": SOON, "look": 60 * SECOND})
    run = await begun(stage, card="away", policy=policy)
    await run.until("needs_attention")
    assert await run.cancel() is None
    return await ended(run, "cancelled")


async def paid_otherwise_while_it_was_voided(stage: Stage) -> Handle:
    """It was looked up often enough, and its provider is away: who pays by another card meanwhile waits for nobody."""
    policy = PATIENT.model_copy(update={"charge": SOON, "look": SECOND / 100, "brief": 4 * SECOND})
    run = await begun(stage, card="away", policy=policy)
    await under_way(run.handle, "void_payment")
    assert await run.pay("visa") is None
    handle = await ended(run, "confirmed")
    assert await let_go(stage, run) == 1
    assert await run.kept() == Decimal("98.00")
    return handle


async def never_confirmed_at_a_bank_that_is_asked_no_more(stage: Stage) -> Handle:
    policy = IN_A_HURRY.model_copy(update={"action": SOON})
    run = await begun(stage, card=ASKS, policy=policy)
    await run.until("declined")
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    assert await run.kept() == 0
    return handle


async def cancelled_at_a_bank_that_is_asked_no_more(stage: Stage) -> Handle:
    run = await begun(stage, card=ASKS, policy=IN_A_HURRY)
    await run.until("action_required")
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    assert await run.kept() == 0
    return handle


async def cancelled_while_it_was_looked_up(stage: Stage) -> Handle:
    """At a provider that does not answer."""
    run = await begun(stage, card="unseen", policy=IN_A_HURRY)
    await under_way(run.handle, "look_up_payment")
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    assert await looks_given_up(handle) == 1
    assert (await run.kept(), await run.held()) == (0, 0)
    return handle


async def confirmed_at_the_bank_without_the_right(stage: Stage) -> Handle:
    """Who lost the right while the bank was asked has paid nothing, then nor later."""
    run = await begun(stage, card=ASKS)
    await run.until("action_required")
    await retire(stage.sessions, run.start.payer.person_id)
    await run.prove()
    await run.until("declined")
    view = await run.view()
    assert view.error is not None
    assert view.error.detail == MayNotPay.detail
    assert view.refused_methods == (), "the card is as good as before"
    assert await run.kept() == 0
    assert await run.pay("visa") is None
    handle = await ended(run, "cancelled")
    assert await run.kept() == 0
    assert (await run.invoice()).paid == 0
    return handle


async def found_to_be_paid_without_the_right(stage: Stage) -> Handle:
    """The charge hangs; when it is found, its payer has lost the right: it is given back at once, or by a case."""
    policy = IN_A_HURRY.model_copy(update={"charge": 3 * SECOND, "look": 2 * SECOND})
    run = await begun(stage, card="neverAnswered", policy=policy)
    await run.until("needs_attention")
    await retire(stage.sessions, run.start.payer.person_id)
    await run.until("declined")
    error = (await run.view()).error
    assert error is not None
    assert error.detail.startswith(MayNotPay.detail)
    assert await run.kept() == 0 or await let_go(stage, run) == 1
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    assert (await run.invoice()).paid == 0
    return handle


async def let_go(stage: Stage, run: Run) -> int:
    """How many of its payments a case lets go of."""
    async with stage.sessions() as session:
        found = await cases_of(session, "invoice_payment", run.start.id)
    return [one.cause for one in found].count(CaseCause.LET_GO)


async def paid_back_behind(stage: Stage) -> Handle:
    """The ERP refuses an invoice, and the provider gives nothing back for a while: nobody waits for it."""
    run = await begun(stage, "REFUSED", "", card="refundsAway", policy=IN_A_HURRY)
    handle = await ended(run, "confirmed")
    view = await run.view()
    assert (view.refunded, [one.status for one in view.lines]) == (0, ["refused", "posted"])
    return handle


INVOICE_PAYMENT: dict[str, Story] = {
    "paid": paid,
    "covered-by-a-memo": covered_by_a_memo,
    "refused-before-it-was-charged": refused_before_it_was_charged,
    "declined-then-paid": declined_then_paid,
    "declined-and-left": declined_and_left,
    "declined-and-cancelled": declined_and_cancelled,
    "confirmed-at-the-bank": confirmed_at_the_bank,
    "refused-at-the-bank": refused_at_the_bank,
    "cancelled-at-the-bank": cancelled_at_the_bank,
    "never-confirmed-at-the-bank": never_confirmed_at_the_bank,
    "found-to-be-paid": found_to_be_paid,
    "voided-in-the-end": voided_in_the_end,
    "paid-from-a-bank-account": paid_from_a_bank_account,
    "returned-by-the-bank": returned_by_the_bank,
    "a-debit-that-hung": a_debit_that_hung,
    "one-is-refused": one_is_refused,
    "all-are-refused": all_are_refused,
    "the-erp-was-away": the_erp_was_away,
}

INVOICE_PAYMENT_V2: dict[str, Story] = {
    "paid-back-behind": paid_back_behind,
    "paid-otherwise-while-it-was-charged": paid_otherwise_while_it_was_charged,
    "cancelled-while-it-was-charged": cancelled_while_it_was_charged,
    "paid-otherwise-when-it-was-unclear": paid_otherwise_when_it_was_unclear,
    "cancelled-when-it-was-unclear": cancelled_when_it_was_unclear,
    "paid-otherwise-while-it-was-voided": paid_otherwise_while_it_was_voided,
    "never-confirmed-at-a-bank-that-is-asked-no-more": never_confirmed_at_a_bank_that_is_asked_no_more,
    "cancelled-at-a-bank-that-is-asked-no-more": cancelled_at_a_bank_that_is_asked_no_more,
    "cancelled-while-it-was-looked-up": cancelled_while_it_was_looked_up,
    "confirmed-at-the-bank-with-the-right": confirmed_at_the_bank,
    "confirmed-at-the-bank-without-the-right": confirmed_at_the_bank_without_the_right,
    "found-to-be-paid-without-the-right": found_to_be_paid_without_the_right,
    "the-erp-was-away-for-all": the_erp_was_away_for_all,
}
"""What version 2 has beside version 1, and `path` 2 of it."""
