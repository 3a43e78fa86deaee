"""What can happen to a purchase of plans: together these take every edge of its table."""

from collections.abc import Awaitable, Callable

from db.operations.cases.lists import cases_of
from db.operations.cases.starts import find_start
from domain.billing.payments import PayingFlow
from domain.operations.cases import IN_A_CASE, ON_ITS_WAY, UNANSWERED, CaseCause, CasePolicy
from tests.billing.payments.factories import named
from tests.drivers.stage import Stage
from tests.drivers.until import looks_given_up, times_asked, under_way, until
from tests.plans.purchases.runs import (
    BASIC,
    PATIENT,
    SECOND,
    SOON,
    Handle,
    Run,
    a_hopeless_line,
    a_line,
    a_stubborn_line,
    begun,
    ended,
    quoted,
)
from workflows.plans.purchase import NO_RIGHTS
from workflows.plans.purchase_failed import AT_ONCE

Story = Callable[[Stage], Awaitable[Handle]]

IN_A_HURRY = PATIENT.model_copy(update={"brief": SOON / 2})
KEPT = PATIENT.model_copy(update={"case": CasePolicy(tries=3, pause=60 * SECOND)})
ASKS = "authenticationRequired"
REFUSES = "transactionDeclined"
UNSEEN = "unseen"
ASKS_AND_KEEPS = "authenticationRefundRefused"
ASKS_AND_HANGS = "authenticationNeverAnswered"
ALWAYS = 1_000_000
GOOD_BANK = "good"


async def confirmed(stage: Stage) -> Handle:
    run = await quoted(stage, a_line(), a_line(plan_id=BASIC))
    assert await run.confirm() is None
    handle = await ended(run, "confirmed")
    assert await run.kept() == round((await run.view()).final_charge * 100)
    return handle


async def bought_at_once(stage: Stage) -> Handle:
    return await ended(await begun(stage, at_once=True), "confirmed")


async def quoted_again_and_cancelled(stage: Stage) -> Handle:
    run = await quoted(stage)
    first = (await run.view()).quote_hash
    assert await run.requote(a_line(plan_id=BASIC)) is None
    await run.until("quoted")
    assert await run.confirm(first) == "quote_changed"
    assert await run.retry() == "step_out_of_order"
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    assert await run.kept() == 0
    return handle


async def never_agreed_to(stage: Stage) -> Handle:
    policy = PATIENT.model_copy(update={"quote": SOON})
    return await ended(await begun(stage, policy=policy), "expired")


async def changed_before_it_was_charged(stage: Stage) -> Handle:
    """The device gets a plan by another purchase meanwhile."""
    line = a_line()
    first = await quoted(stage, line)
    other = await begun(stage, line, at_once=True)
    await ended(other, "confirmed")
    assert await first.confirm() is None
    await first.until("quoted")
    error = (await first.view()).error
    assert error is not None
    assert error.code == "quote_changed"
    assert await first.kept() == 0
    assert await first.cancel() is None
    return await ended(first, "cancelled")


async def declined_then_paid(stage: Stage) -> Handle:
    run = await begun(stage, card=REFUSES, at_once=True)
    await run.until("declined")
    assert await run.requote() is None
    await run.until("quoted")
    assert await run.confirm() is None
    await run.until("declined")
    assert await run.pay("visa") is None
    return await ended(run, "confirmed")


async def declined_and_left(stage: Stage) -> Handle:
    policy = PATIENT.model_copy(update={"declined": SOON})
    return await ended(await begun(stage, card=REFUSES, at_once=True, policy=policy), "expired")


async def declined_and_cancelled(stage: Stage) -> Handle:
    run = await begun(stage, card=REFUSES, at_once=True)
    await run.until("declined")
    assert await run.cancel() is None
    return await ended(run, "cancelled")


async def confirmed_at_the_bank(stage: Stage) -> Handle:
    run = await begun(stage, card=ASKS, at_once=True)
    await run.until("action_required")
    await run.prove()
    return await ended(run, "confirmed")


async def confirmed_at_the_bank_without_the_right(stage: Stage) -> Handle:
    """Who lost the right while the bank was asked is charged nothing, then nor later."""
    run = await begun(stage, card=ASKS, at_once=True)
    await run.until("action_required")
    await run.lose_rights()
    await run.prove()
    await run.until("declined")
    assert await run.pay("visa") is None
    await run.until("declined")
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    assert await run.kept() == 0
    return handle


async def refused_at_the_bank(stage: Stage) -> Handle:
    run = await begun(stage, card=ASKS, at_once=True)
    await run.until("action_required")
    await run.prove(agreed=False)
    await run.until("declined")
    assert await run.cancel() is None
    return await ended(run, "cancelled")


async def cancelled_at_the_bank(stage: Stage) -> Handle:
    run = await begun(stage, card=ASKS, at_once=True)
    await run.until("action_required")
    assert await run.cancel() is None
    return await ended(run, "cancelled")


async def never_confirmed_at_the_bank(stage: Stage) -> Handle:
    policy = PATIENT.model_copy(update={"action": SOON, "declined": SOON})
    return await ended(await begun(stage, card=ASKS, at_once=True, policy=policy), "expired")


async def found_to_be_paid(stage: Stage) -> Handle:
    """The charge hangs for longer than it is waited for; looked up, it is there."""
    policy = PATIENT.model_copy(update={"charge": 3 * SECOND})
    run = await begun(stage, card="neverAnswered", at_once=True, policy=policy)
    handle = await ended(run, "confirmed")
    assert await run.kept() == round((await run.view()).final_charge * 100)
    return handle


async def voided_in_the_end(stage: Stage) -> Handle:
    """Nobody can say what became of the charge: it is given back, whatever it was."""
    policy = PATIENT.model_copy(update={"charge": SOON, "look": SECOND / 100})
    run = await begun(stage, card="slow", at_once=True, policy=policy)
    await run.until("declined")
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    assert await run.kept() == 0
    return handle


async def paid_otherwise_while_it_was_charged(stage: Stage) -> Handle:
    """The first charge never answers; it is given back at once, or by a case."""
    run = await begun(stage, card="neverAnswered", at_once=True, policy=IN_A_HURRY)
    await run.until("charging")
    assert await run.pay("visa") is None
    handle = await ended(run, "confirmed")
    view = await run.view()
    assert view.payment is not None
    assert (view.payment.attempt, view.payment.status) == (2, "CAPTURED")
    return handle


async def cancelled_while_it_was_charged(stage: Stage) -> Handle:
    run = await begun(stage, card="away", at_once=True, policy=IN_A_HURRY)
    await run.until("charging")
    await named(stage.sessions, PayingFlow.PURCHASE, run.start.id)
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    assert await let_go(stage, run) == 1
    return handle


async def paid_otherwise_when_it_was_unclear(stage: Stage) -> Handle:
    policy = IN_A_HURRY.model_copy(update={"charge": SOON, "look": 60 * SECOND})
    run = await begun(stage, card="away", at_once=True, policy=policy)
    await run.until("needs_attention")
    await named(stage.sessions, PayingFlow.PURCHASE, run.start.id)
    assert await run.pay("visa") is None
    handle = await ended(run, "confirmed")
    assert await let_go(stage, run) == 1
    return handle


async def cancelled_when_it_was_unclear(stage: Stage) -> Handle:
    policy = IN_A_HURRY.model_copy(update={"charge": SOON, "look": 60 * SECOND})
    run = await begun(stage, card="away", at_once=True, policy=policy)
    await run.until("needs_attention")
    assert await run.cancel() is None
    return await ended(run, "cancelled")


async def paid_otherwise_while_it_was_voided(stage: Stage) -> Handle:
    """It was looked up often enough, and its provider is away: who pays by another card meanwhile waits for nobody."""
    run = await voided(stage)
    assert await run.pay("visa") is None
    handle = await ended(run, "confirmed")
    assert await let_go(stage, run) == 1
    assert await run.kept() == round((await run.view()).final_charge * 100)
    return handle


async def cancelled_while_it_was_voided(stage: Stage) -> Handle:
    run = await voided(stage)
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    assert await let_go(stage, run) == 1
    assert await run.kept() == 0
    return handle


async def cancelled_while_it_was_looked_up(stage: Stage) -> Handle:
    """At a provider that does not answer."""
    run = await begun(stage, card=UNSEEN, at_once=True, policy=IN_A_HURRY)
    await under_way(run.handle, "look_up_payment")
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    assert await looks_given_up(handle) == 1
    assert await run.kept() == 0
    return handle


async def never_confirmed_at_a_bank_that_is_asked_no_more(stage: Stage) -> Handle:
    run = await begun(
        stage, card=ASKS, at_once=True, policy=IN_A_HURRY.model_copy(update={"action": SOON})
    )
    await run.until("declined")
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    assert await run.kept() == 0
    return handle


async def confirmed_without_the_right_at_once(stage: Stage) -> Handle:
    """Nothing is charged, then nor later, and the provider is not waited for."""
    run = await begun(stage, card=ASKS, at_once=True)
    await run.until("action_required")
    await run.lose_rights()
    await run.prove()
    await run.until("declined")
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    assert await run.kept() == 0
    return handle


async def confirmed_without_the_right_and_not_paid_back(stage: Stage) -> Handle:
    """The provider's no is a case of its own, and nobody says that nothing was charged."""
    run = await begun(stage, card=ASKS_AND_KEEPS, at_once=True, policy=KEPT)
    await run.until("action_required")
    await run.lose_rights()
    await run.prove()
    await run.until("declined")
    error = (await run.view()).error
    assert error is not None
    assert error.detail.endswith(IN_A_CASE)
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    async with stage.sessions() as session:
        (case,) = await cases_of(session, "purchase", run.start.id)
        start = await find_start(session, case.id)
    assert case.cause is CaseCause.REFUND_REFUSED
    assert start is not None
    assert start.policy == KEPT.case
    return handle


async def found_at_the_bank_when_it_was_unclear(stage: Stage) -> Handle:
    """Nobody knew what became of the charge; looked up, its payer is asked. Nobody waits for that any more."""
    policy = IN_A_HURRY.model_copy(update={"charge": 3 * SECOND})
    run = await begun(stage, card=ASKS_AND_HANGS, at_once=True, policy=policy)
    await run.until("declined")
    error = (await run.view()).error
    assert error is not None
    assert error.detail == UNANSWERED
    assert await let_go(stage, run) == 1
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    assert await run.kept() == 0
    return handle


async def found_to_be_paid_without_the_right(stage: Stage) -> Handle:
    """The charge hangs; when it is found, its buyer has lost the right: it is given back at once, or by a case."""
    policy = IN_A_HURRY.model_copy(update={"charge": 3 * SECOND, "look": 2 * SECOND})
    run = await begun(stage, card="neverAnswered", at_once=True, policy=policy)
    await run.until("needs_attention")
    await run.lose_rights()
    return await declined_without_the_right(run)


async def confirmed_without_the_right_while_its_run_was_gone(stage: Stage) -> Handle:
    """Its payer was asked at the bank; the run in its place finds a charge that nobody may make any more."""
    run = await begun(stage, card=ASKS, at_once=True)
    await run.until("action_required")
    await run.lose_rights()
    await run.lose()
    await run.prove()
    await run.go_on()
    return await declined_without_the_right(run)


async def declined_without_the_right(run: Run) -> Handle:
    """Nothing is kept and nothing is set up; a case goes on with what is not back at once."""
    await run.until("declined")
    view = await run.view()
    assert view.error is not None
    assert view.error.detail.startswith(NO_RIGHTS.detail)
    assert view.refused_methods == (), "the card is as good as before"
    assert await run.kept() == 0 or await let_go(run.stage, run) == 1
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    assert await times_asked(handle, "provision_plan") == 0
    return handle


async def paid_back_behind(stage: Stage) -> Handle:
    """A device will never take its plan, and the provider gives nothing back for a while: nobody waits for it."""
    lines = [a_line(), await a_hopeless_line(stage), await a_hopeless_line(stage)]
    run = await begun(stage, *lines, card="refundsAway", at_once=True, policy=IN_A_HURRY)
    handle = await ended(run, "confirmed")
    view = await run.view()
    assert [line.status for line in view.lines] == ["provisioned", "owed", "owed"]
    assert view.refunded == 0
    return handle


async def given_up_and_paid_back_behind(stage: Stage) -> Handle:
    lines = (a_line(), await a_stubborn_line(stage, ALWAYS))
    run = await begun(stage, *lines, card="refundsAway", at_once=True, policy=IN_A_HURRY)
    await run.until("part_failed")
    assert await run.give_up() is None
    return await ended(run, "confirmed")


async def cancelled_while_its_bank_was_asked(stage: Stage) -> Handle:
    """The debit is under way, and cannot be called back: a case follows it."""
    policy = PATIENT.model_copy(update={"brief": 30 * SECOND})
    run = await begun(stage, bank="unanswered", at_once=True, policy=policy)
    await until(run.processing)
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    assert (await run.view()).left == ON_ITS_WAY
    assert await let_go(stage, run) == 1
    return handle


async def voided(stage: Stage) -> Run:
    """A purchase whose charge is being voided at a provider that is away, as nobody could tell what became of it."""
    policy = PATIENT.model_copy(
        update={"charge": 3 * SECOND, "look": SECOND / 100, "brief": 4 * SECOND}
    )
    run = await begun(stage, card="away", at_once=True, policy=policy)
    await under_way(run.handle, "void_payment")
    return run


async def let_go(stage: Stage, run: Run) -> int:
    """How many of its payments a case lets go of."""
    async with stage.sessions() as session:
        found = await cases_of(session, "purchase", run.start.id)
    return [one.cause for one in found].count(CaseCause.LET_GO)


async def retried(stage: Stage) -> Handle:
    run = await begun(stage, a_line(), await a_stubborn_line(stage, 1), at_once=True)
    await run.until("part_failed")
    charged = await run.kept()
    assert await run.retry() is None
    handle = await ended(run, "confirmed")
    assert await run.kept() == charged
    return handle


async def given_up(stage: Stage) -> Handle:
    run = await begun(stage, a_line(), await a_stubborn_line(stage, ALWAYS), at_once=True)
    await run.until("part_failed")
    assert await run.give_up() is None
    handle = await ended(run, "confirmed")
    view = await run.view()
    assert await run.kept() == round((view.final_charge - view.refunded) * 100)
    return handle


async def nothing_came_of_it(stage: Stage) -> Handle:
    """Of before version 3: its time is over, and it is given up by itself."""
    policy = PATIENT.model_copy(update={"retry": SOON})
    line = await a_stubborn_line(stage, ALWAYS)
    run = await begun(stage, line, at_once=True, policy=policy, version=2)
    handle = await ended(run, "cancelled")
    assert await run.kept() == 0
    return handle


async def tried_until_its_buyer_was_asked(stage: Stage) -> Handle:
    """It is tried again until its time is over, and then its buyer is asked, a few times: nothing is given back without their
    yes. Who does not answer is shown to operators."""
    reminders = (1.2 * SOON, 1.4 * SOON)
    policy = PATIENT.model_copy(
        update={"again": SOON / 4, "retry": SOON, "reminders": reminders, "most_tries": 1}
    )
    line = await a_stubborn_line(stage, ALWAYS)
    run = await begun(stage, line, at_once=True, policy=policy)
    await until(run.asked, lambda asked: asked == 3)
    assert await times_asked(run.handle, "provision_plan") > 1
    assert await run.kept() > 0
    assert (await run.view()).deadline is None
    shown = await stage.flow(run.start.id, "purchase")
    assert shown is not None
    assert shown.state == "part_failed"
    assert await run.retry() is None
    await run.until("part_failed")
    assert await run.retry() == "tried_too_often"
    assert await run.give_up() is None
    handle = await ended(run, "cancelled")
    assert await run.kept() == 0
    return handle


async def tried_again_by_itself(stage: Stage) -> Handle:
    policy = PATIENT.model_copy(update={"again": SOON / 4})
    run = await begun(stage, a_line(), await a_stubborn_line(stage, 2), at_once=True, policy=policy)
    handle = await ended(run, "confirmed")
    view = await run.view()
    assert (view.refunded, {line.status for line in view.lines}) == (0, {"provisioned"})
    assert await run.kept() == round(view.final_charge * 100)
    return handle


async def given_up_by_an_operator(stage: Stage) -> Handle:
    """A cancel in Temporal's own page gives up what failed, and says so."""
    run = await begun(stage, a_line(), await a_stubborn_line(stage, ALWAYS), at_once=True)
    await run.until("part_failed")
    await run.handle.cancel()
    handle = await ended(run, "confirmed")
    view = await run.view()
    assert view.refunded == view.lines[1].total > 0
    assert await run.kept() == round((view.final_charge - view.refunded) * 100)
    return handle


async def returned_while_some_failed(stage: Stage) -> Handle:
    """The bank takes its debit back while a device is tried again: that one is neither set up nor paid back."""
    run = await begun(
        stage, a_line(), await a_stubborn_line(stage, ALWAYS), bank=GOOD_BANK, at_once=True
    )
    await run.until("part_failed")
    await run.signal_return()
    return await ended_unpaid(run)


async def retried_after_it_was_returned(stage: Stage) -> Handle:
    """Nobody told so: it is looked up before anything is set up for it. The device would take its plan by now."""
    run = await begun(
        stage, a_line(), await a_stubborn_line(stage, 1), bank=GOOD_BANK, at_once=True
    )
    await run.until("part_failed")
    await run.bounce()
    assert await run.retry() is None
    return await ended_unpaid(run)


async def given_up_after_it_was_returned(stage: Stage) -> Handle:
    run = await begun(
        stage, a_line(), await a_stubborn_line(stage, ALWAYS), bank=GOOD_BANK, at_once=True
    )
    await run.until("part_failed")
    await run.bounce()
    assert await run.give_up() is None
    return await ended_unpaid(run)


async def ended_unpaid(run: Run) -> Handle:
    """What was set up is owed, what was not is neither paid nor owed."""
    handle = await ended(run, "confirmed")
    view = await run.view()
    set_up, failed = view.lines
    assert [one.status for one in view.lines] == ["provisioned", "unpaid"]
    assert (failed.paid, failed.refunded, view.refunded) == (0, 0, 0)
    assert set_up.total > 0
    assert (await run.sums()).get("refunded", 0) == 0
    return handle


async def settled_while_others_wait(stage: Stage) -> Handle:
    """Five are set up at a time: those are free before the sixth is asked for, which fails and is tried again by itself."""
    policy = PATIENT.model_copy(update={"again": SOON / 4})
    lines = [*(a_line() for _ in range(AT_ONCE)), await a_stubborn_line(stage, 2)]
    run = await begun(stage, *lines, at_once=True, policy=policy)
    handle = await ended(run, "confirmed")
    assert await times_asked(handle, "mail_purchase") == 2
    assert await run.held() == set()
    return handle


async def in_the_place_of_one_that_is_gone(stage: Stage) -> Handle:
    """It settles and tells again what the other may not have."""
    run = await begun(stage, a_line(), await a_stubborn_line(stage, ALWAYS), at_once=True)
    await run.until("part_failed")
    await run.take_place()
    await until(lambda: times_asked(run.handle, "mail_purchase"))
    assert await run.held() == {run.start.lines[1].device_key}
    assert await run.give_up() is None
    return await ended(run, "confirmed")


async def refused_for_good(stage: Stage) -> Handle:
    """What can never be is paid back at once, while what may still succeed waits for its buyer."""
    run = await begun(
        stage,
        a_line(),
        await a_hopeless_line(stage),
        await a_stubborn_line(stage, 1),
        at_once=True,
    )
    await run.until("part_failed")
    view = await run.view()
    set_up, hopeless, stubborn = view.lines
    assert [one.status for one in view.lines] == ["provisioned", "refunded", "failed"]
    assert (hopeless.paid, hopeless.refunded) == (hopeless.total, hopeless.total)
    assert [one.refunded for one in (set_up, stubborn)] == [0, 0]
    assert view.refunded == hopeless.total
    assert await run.kept() == round((view.final_charge - hopeless.total) * 100)
    assert await run.retry() is None
    handle = await ended(run, "confirmed")
    assert (await run.view()).refunded == hopeless.total
    return handle


async def all_refused_for_good(stage: Stage) -> Handle:
    run = await begun(stage, await a_hopeless_line(stage), at_once=True)
    handle = await ended(run, "cancelled")
    assert await run.kept() == 0
    return handle


PURCHASE: dict[str, Story] = {
    "confirmed": confirmed,
    "bought-at-once": bought_at_once,
    "quoted-again-and-cancelled": quoted_again_and_cancelled,
    "never-agreed-to": never_agreed_to,
    "changed-before-it-was-charged": changed_before_it_was_charged,
    "declined-then-paid": declined_then_paid,
    "declined-and-left": declined_and_left,
    "declined-and-cancelled": declined_and_cancelled,
    "confirmed-at-the-bank": confirmed_at_the_bank,
    "confirmed-at-the-bank-without-the-right": confirmed_at_the_bank_without_the_right,
    "refused-at-the-bank": refused_at_the_bank,
    "cancelled-at-the-bank": cancelled_at_the_bank,
    "never-confirmed-at-the-bank": never_confirmed_at_the_bank,
    "found-to-be-paid": found_to_be_paid,
    "voided-in-the-end": voided_in_the_end,
    "paid-otherwise-while-it-was-charged": paid_otherwise_while_it_was_charged,
    "cancelled-while-it-was-charged": cancelled_while_it_was_charged,
    "paid-otherwise-when-it-was-unclear": paid_otherwise_when_it_was_unclear,
    "cancelled-when-it-was-unclear": cancelled_when_it_was_unclear,
    "retried": retried,
    "given-up": given_up,
    "refused-for-good": refused_for_good,
    "all-refused-for-good": all_refused_for_good,
}

PURCHASE_OF_BEFORE: dict[str, Story] = {"nothing-came-of-it": nothing_came_of_it}
"""What no run of the present version does."""

PURCHASE_V3: dict[str, Story] = {
    "tried-again-by-itself": tried_again_by_itself,
    "tried-until-its-buyer-was-asked": tried_until_its_buyer_was_asked,
    "given-up-by-an-operator": given_up_by_an_operator,
    "returned-while-some-failed": returned_while_some_failed,
    "retried-after-it-was-returned": retried_after_it_was_returned,
    "given-up-after-it-was-returned": given_up_after_it_was_returned,
    "settled-while-others-wait": settled_while_others_wait,
    "settled-and-returned": given_up_after_it_was_returned,
    "settled-and-given-up-by-an-operator": given_up_by_an_operator,
    "in-the-place-of-one-that-is-gone": in_the_place_of_one_that_is_gone,
}
"""Those of a purchase that nobody gives up but its buyer. The first six were recorded before devices were settled while others
wait."""

PURCHASE_BEHIND: dict[str, Story] = {
    "paid-back-behind": paid_back_behind,
    "given-up-and-paid-back-behind": given_up_and_paid_back_behind,
    "cancelled-while-its-bank-was-asked": cancelled_while_its_bank_was_asked,
    "paid-otherwise-while-it-was-voided": paid_otherwise_while_it_was_voided,
    "cancelled-while-it-was-voided": cancelled_while_it_was_voided,
    "cancelled-while-it-was-looked-up": cancelled_while_it_was_looked_up,
    "never-confirmed-at-a-bank-that-is-asked-no-more": never_confirmed_at_a_bank_that_is_asked_no_more,
    "confirmed-without-the-right-at-once": confirmed_without_the_right_at_once,
    "confirmed-without-the-right-and-not-paid-back": confirmed_without_the_right_and_not_paid_back,
    "found-at-the-bank-when-it-was-unclear": found_at_the_bank_when_it_was_unclear,
}
"""Those that go otherwise since nobody waits for a provider that is away."""

PURCHASE_PATH_2: dict[str, Story] = {
    "found-to-be-paid": found_to_be_paid,
    "found-to-be-paid-without-the-right": found_to_be_paid_without_the_right,
    "confirmed-without-the-right-while-its-run-was-gone": confirmed_without_the_right_while_its_run_was_gone,
}
"""Those that go otherwise since rights are read again after every wait."""
