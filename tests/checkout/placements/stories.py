"""What can happen to a placement: together these take every edge of its table."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal

from sqlalchemy import update

from db.checkout.placements import open_start, snapshot_of, stands, submit
from db.identity.people import InstallerRow, PersonRow
from db.operations.cases.lists import cases_of
from db.orders.orders import order_of_token
from db.partner_tables import PartnerRow
from domain.billing.payments import PayingFlow
from domain.checkout.placement import ALREADY_SENT
from domain.operations.cases import CaseCause
from tests.billing.payments.factories import named
from tests.checkout.placements.runs import (
    PATIENT,
    SOON,
    Handle,
    Run,
    begun,
    ended,
    priced,
    sold_out,
    start,
    submitted,
)
from tests.drivers.factories import Dealer, an_owner
from tests.drivers.stage import SIMULATED, Stage
from tests.drivers.until import looks_given_up, times_asked, under_way, until

Story = Callable[[Stage], Awaitable[Handle]]

IN_A_HURRY = PATIENT.model_copy(update={"brief": SOON / 2})
ASKS = "authenticationRequired"
REFUSES = "chargeCustomerFail"
MOST_WAITING = 10
"""Messages of one run that Temporal keeps waiting; it takes no other meanwhile."""


async def confirmed(stage: Stage) -> Handle:
    return await ended(await begun(stage), "confirmed")


async def on_terms(stage: Stage) -> Handle:
    return await ended(await begun(stage, type_="TERMS"), "confirmed")


async def held(stage: Stage) -> Handle:
    """By the submit: nothing is left to do but to store it and to hand it over."""
    run = await begun(stage, type_="TERMS", held=True)
    handle = await ended(run, "confirmed")
    assert await run.kept("gateway") == 0
    return handle


async def held_and_declined(stage: Stage) -> Handle:
    """After the wait for another card rights and stock are looked at again."""
    run = await begun(stage, card=REFUSES, held=True)
    await run.until("payment_failed")
    assert await run.choose("visa") is None
    return await ended(run, "confirmed")


async def every_way_to_pay(stage: Stage) -> Handle:
    """Declined, over the limit, refused at the bank, replaced while it was asked; cancelled with the ERP away."""
    run = await begun(stage, card=REFUSES, limit="50", po_number="ERP-DOWN")
    await run.until("payment_failed")
    assert await run.choose(type_="TERMS") is None
    assert (await run.moving()).error is not None
    await run.until("payment_failed")
    assert await run.choose(ASKS) is None
    await run.until("action_required")
    await run.prove(agreed=False)
    await run.until("payment_failed")
    assert await run.choose(ASKS) is None
    await run.until("action_required")
    assert await run.choose(type_="COD") is None
    await run.until("handing_over")
    assert await run.resolve("retry") is None
    await run.until("handing_over")
    assert await run.cancel("Too slow") is None
    return await ended(run, "cancelled")


async def never_proven(stage: Stage) -> Handle:
    policy = PATIENT.model_copy(update={"idle": SOON, "payment": SOON})
    return await ended(await begun(stage, card=ASKS, policy=policy), "expired")


async def proven(stage: Stage) -> Handle:
    run = await begun(stage, card=ASKS)
    await run.until("action_required")
    await run.prove()
    return await ended(run, "confirmed")


async def proven_without_the_right(stage: Stage) -> Handle:
    run = await begun(stage, card=ASKS)
    await run.until("action_required")
    async with stage.sessions.begin() as session:
        await session.execute(
            update(InstallerRow)
            .where(InstallerRow.person_id == run.shop.buyer.id)
            .values(is_owner=False)
        )
    await run.prove()
    return await ended(run, "compensated")


async def cancelled_while_asked(stage: Stage) -> Handle:
    run = await begun(stage, card=ASKS)
    await run.until("action_required")
    assert await run.cancel() is None
    return await ended(run, "cancelled")


async def cancelled_after_a_decline(stage: Stage) -> Handle:
    run = await begun(stage, card=REFUSES)
    await run.until("payment_failed")
    assert await run.cancel() is None
    return await ended(run, "cancelled")


async def cancelled_while_authorised(stage: Stage) -> Handle:
    run = await begun(stage, po_number="PAY-SLOW")
    await run.until("authorising")
    assert await run.cancel() is None
    return await ended(run, "cancelled")


async def stopped_by_an_operator(stage: Stage) -> Handle:
    """In Temporal's own page: money is never left where it is."""
    run = await begun(stage, po_number="ERP-DOWN")
    await run.until("handing_over")
    await run.handle.cancel()
    handle = await ended(run, "cancelled")
    assert await run.kept() == 0
    return handle


async def unclear_payment(stage: Stage) -> Handle:
    policy = PATIENT.model_copy(update={"unclear": SOON})
    run = await begun(stage, po_number="PAY-GONE", policy=policy)
    await run.until("needs_attention")
    assert await run.resolve("confirmed") == "order_moved"
    assert await run.resolve("retry") is None
    await run.until("needs_attention")
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    assert await let_go(stage, run) == 1
    return handle


async def unclear_payment_without_the_right(stage: Stage) -> Handle:
    """It waited for an operator, and its buyer is retired by then: nothing is asked for any more, and nothing kept."""
    policy = IN_A_HURRY.model_copy(update={"unclear": SOON})
    run = await begun(stage, po_number="PAY-GONE", policy=policy)
    await run.until("needs_attention")
    await retired(stage, run.shop.buyer.id)
    assert await run.resolve("retry") is None
    handle = await ended(run, "compensated")
    assert await times_asked(handle, "authorise_payment") == 1
    assert (await run.kept(), await run.kept("gateway")) == (0, 0)
    assert await let_go(stage, run) == 1
    return handle


async def unclear_undoing(stage: Stage) -> Handle:
    """Refused by the ERP, and the provider does not let go of the money."""
    policy = PATIENT.model_copy(update={"undo": SOON})
    run = await begun(stage, po_number="PAY-KEPT ERP-REFUSED", policy=policy)
    await run.until("needs_attention")
    assert await run.resolve("cancel") == "order_moved"
    assert await run.resolve("retry") is None
    await run.until("needs_attention")
    assert await run.resolve("undone") is None
    return await ended(run, "compensated")


async def cancelled_while_the_provider_is_away(stage: Stage) -> Handle:
    """The buyer waits for nobody; a case goes on with what the provider may still hold."""
    run = await begun(stage, card="away", policy=IN_A_HURRY)
    await run.until("authorising")
    await named(stage.sessions, PayingFlow.PLACEMENT, run.token)
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    assert await let_go(stage, run) == 1
    return handle


async def paid_otherwise_while_the_provider_is_away(stage: Stage) -> Handle:
    run = await begun(stage, card="away", policy=IN_A_HURRY)
    await run.until("authorising")
    await named(stage.sessions, PayingFlow.PLACEMENT, run.token)
    assert await run.choose("visa") is None
    handle = await ended(run, "confirmed")
    assert await run.kept() == round(run.start.total * 100)
    assert await let_go(stage, run) == 1
    return handle


async def paid_otherwise_again_and_again(stage: Stage) -> Handle:
    """No provider answers, and the buyer tries more cards than Temporal keeps messages of one run waiting: each is answered
    once the next one is asked for."""
    run = await begun(stage, card="away", policy=IN_A_HURRY)
    rev, asked = await authorising(run), list[asyncio.Task[str | None]]()
    for _ in range(MOST_WAITING + 1):
        asked.append(asyncio.create_task(run.choose("away")))
        rev = await authorising(run, after=rev)
    assert await run.choose(type_="COD") is None
    assert await asyncio.gather(*asked) == [None] * len(asked)
    return await ended(run, "confirmed")


async def authorising(run: Run, *, after: int = -1) -> int:
    """The change by which it asks for money, once that can be seen."""
    standing = await until(
        run.standing,
        lambda now: now.rev > after and (now.state, now.settled) == ("authorising", now.rev),
    )
    return standing.rev


async def unclear_and_paid_otherwise(stage: Stage) -> Handle:
    run = await begun(stage, card="away", policy=IN_A_HURRY.model_copy(update={"unclear": SOON}))
    await run.until("needs_attention")
    assert await run.choose(type_="COD") is None
    handle = await ended(run, "confirmed")
    assert await let_go(stage, run) == 1
    return handle


async def cancelled_while_it_was_looked_up(stage: Stage) -> Handle:
    """At a provider that does not answer."""
    policy = IN_A_HURRY.model_copy(update={"poll": SOON / 5})
    run = await begun(stage, card="unseen", policy=policy)
    await under_way(run.handle, "look_up_payment")
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    assert await looks_given_up(handle) == 1
    assert await run.kept() == 0
    return handle


async def lapsed_while_the_provider_keeps_the_money(stage: Stage) -> Handle:
    """Nobody confirmed it, nobody chose another way: the cart does not wait for the provider either."""
    policy = IN_A_HURRY.model_copy(update={"idle": SOON, "payment": SOON})
    run = await begun(stage, card=ASKS, po_number="PAY-KEPT", policy=policy)
    handle = await ended(run, "expired")
    assert await let_go(stage, run) == 1
    async with stage.sessions() as session:
        assert await open_start(session, run.token) is None
        before = await snapshot_of(session, run.token, 1)
        anew = before.start.model_copy(update={"turn": 2})
        await submit(session, before.model_copy(update={"start": anew}))
    return handle


async def left_waiting_for_a_provider_once(stage: Stage) -> Handle:
    """Of several payments at a provider that is away each is a case's, and the buyer waits for one alone."""
    policy = IN_A_HURRY.model_copy(update={"unclear": 3 * SOON})
    run = await begun(stage, card="away", policy=policy)
    for count in (1, 2):
        await run.until("needs_attention")
        await named(stage.sessions, PayingFlow.PLACEMENT, run.token, count=count)
        assert await run.choose("away") is None
    await run.until("needs_attention")
    await named(stage.sessions, PayingFlow.PLACEMENT, run.token, count=3)
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    assert await let_go(stage, run) == 3
    assert await times_asked(handle, "void_payment") == 1
    return handle


async def left_at_a_bank_that_is_away(stage: Stage) -> Handle:
    """Who chooses another way to pay leaves the first to a case, at once."""
    run = await begun(stage, card=ASKS, po_number="PAY-KEPT", policy=IN_A_HURRY)
    await run.until("action_required")
    assert await run.choose(type_="COD") is None
    handle = await ended(run, "confirmed")
    assert await let_go(stage, run) == 1
    return handle


async def let_go(stage: Stage, run: Run) -> int:
    """How many of its payments a case lets go of."""
    async with stage.sessions() as session:
        found = await cases_of(session, "cart", run.token)
        order = await order_of_token(session, run.token)
        if order is not None:
            found += await cases_of(session, "order", order.id)
    return [one.cause for one in found].count(CaseCause.LET_GO)


async def cancelled_as_it_was_sent(stage: Stage) -> Handle:
    """The ERP has taken the order, and not said so yet: it is asked, before anything is taken back."""
    run = await begun(stage, type_="COD", po_number="ERP-SLOW")
    await under_way(run.handle, "record_order")
    await run.handle.cancel()
    return await ended(run, "confirmed")


async def sent_before_it_could_be_cancelled(stage: Stage) -> Handle:
    """Nobody knew that the ERP has it. What has left is not taken back, and is paid once."""
    run = await begun(stage, po_number="ERP-UNSEEN")
    handle = await sent_meanwhile(stage, run)
    assert await run.kept() == round(run.start.total * 100)
    return handle


async def sent_on_terms(stage: Stage) -> Handle:
    """After a card that was declined."""
    run = await begun(stage, card=REFUSES, po_number="ERP-UNSEEN")
    await run.until("payment_failed")
    assert await run.choose(type_="TERMS") is None
    handle = await sent_meanwhile(stage, run)
    assert await run.kept() == 0
    return handle


async def sent_meanwhile(stage: Stage, run: Run) -> Handle:
    await run.until("handing_over")
    asked = asyncio.create_task(run.cancel("Too slow"))
    await under_way(run.handle, "cancel_order")
    order = (await run.moving()).order
    assert order is not None
    sent = await stage.http.post(f"{SIMULATED}/erp/_orders/{order.number}/_send")
    assert sent.status_code == 204, sent.text
    handle = await ended(run, "confirmed")
    assert await asked is None
    view = await run.moving()
    assert view.order is not None
    assert view.order.erp_number is not None
    assert view.error == ALREADY_SENT
    assert (view.next_token, view.reason, view.stands) == (None, None, True)
    async with stage.sessions() as session:
        assert await stands(session, run.token)
    return handle


async def unclear_hand_over(stage: Stage) -> Handle:
    policy = PATIENT.model_copy(update={"hand_over": SOON})
    run = await begun(stage, type_="COD", po_number="ERP-DOWN", policy=policy)
    await run.until("needs_attention")
    assert await run.resolve("retry") is None
    await run.until("needs_attention")
    assert await run.resolve("cancel") is None
    return await ended(run, "cancelled")


async def unclear_capture(stage: Stage) -> Handle:
    policy = PATIENT.model_copy(update={"capture": SOON})
    run = await begun(stage, po_number="PAY-STUCK", policy=policy)
    await run.until("needs_attention")
    assert await run.cancel() == "order_moved"
    assert await run.resolve("retry") is None
    await run.until("needs_attention")
    assert await run.resolve("confirmed") is None
    return await ended(run, "confirmed")


async def returned_before_it_was_known(stage: Stage) -> Handle:
    """The debit was taken, nobody knew of it, and its bank has taken it back: the order stands, as it would a moment later."""
    await stage.http.post(f"{SIMULATED}/gateway/_control", json={"bank_days": 0})
    return await ended(await begun(stage, bank="insufficient", po_number="PAY-LOST"), "confirmed")


async def refused_by_the_erp(stage: Stage) -> Handle:
    return await ended(await begun(stage, po_number="ERP-REFUSED"), "compensated")


async def sold_to_somebody_else(stage: Stage) -> Handle:
    run = await submitted(stage)
    await sold_out(run)
    await start(run)
    return await ended(run, "compensated")


LONG = timedelta(minutes=5)
"""For an approval that comes in time."""


async def approved(stage: Stage) -> Handle:
    run = await begun(stage, type_="TERMS", approval=LONG)
    await run.until("waiting_for_approval")
    assert await run.approve(run.shop.buyer) == "not_approver"
    assert await run.approve() is None
    return await ended(run, "confirmed")


async def rejected(stage: Stage) -> Handle:
    run = await begun(stage, approval=LONG)
    await run.until("waiting_for_approval")
    assert await run.reject() is None
    assert await run.approve() == "approval_answered"
    return await ended(run, "rejected")


async def never_approved(stage: Stage) -> Handle:
    return await ended(await begun(stage, approval=SOON), "expired")


async def cancelled_before_the_approval(stage: Stage) -> Handle:
    run = await begun(stage, approval=LONG)
    await run.until("waiting_for_approval")
    assert await run.cancel("Changed my mind") is None
    return await ended(run, "cancelled")


async def approved_without_the_right(stage: Stage) -> Handle:
    """The buyer may not order any more."""
    run = await begun(stage, approval=LONG)
    await run.until("waiting_for_approval")
    async with stage.sessions.begin() as session:
        await session.execute(
            update(InstallerRow)
            .where(InstallerRow.person_id == run.shop.buyer.id)
            .values(is_purchaser=False)
        )
    assert await run.approve() == "approval_answered"
    return await ended(run, "compensated")


async def approved_by_who_retired(stage: Stage) -> Handle:
    """Between the click and its effect; somebody else approves, and first the credit does not suffice."""
    run = await begun(stage, type_="TERMS", approval=LONG)
    await run.until("waiting_for_approval")
    assert run.owner is not None
    await retired(stage, run.owner.id)
    assert await run.approve() == "not_approver"
    dealer = Dealer(id=run.owner.dealer_id or "", partner_code=run.shop.code)
    other = await an_owner(stage.sessions, dealer)
    await credit(stage, run.shop.code, "10")
    assert await run.approve(other) == "over_credit_limit"
    await credit(stage, run.shop.code, "5000")
    assert await run.approve(other) is None
    return await ended(run, "confirmed")


async def requoted(stage: Stage) -> Handle:
    """The price rose while it waited: the buyer agrees first, then the owner is asked again."""
    run = await begun(stage, approval=LONG)
    await run.until("waiting_for_approval")
    await priced(run, "110.00")
    assert await run.approve() == "agreement_needed"
    await run.until("requoted")
    assert await run.approve() == "agreement_needed"
    assert await run.agree(run.start.quote_hash) == "quote_changed"
    assert await run.agree() is None
    assert await run.approve() is None
    handle = await ended(run, "confirmed")
    assert await run.kept() == cents_of_pieces(2, "110.00")
    return handle


async def requoted_and_cancelled(stage: Stage) -> Handle:
    run = await begun(stage, approval=LONG)
    await run.until("waiting_for_approval")
    await priced(run, "110.00")
    assert await run.approve() == "agreement_needed"
    assert await run.cancel() is None
    return await ended(run, "cancelled")


async def requoted_and_never_answered(stage: Stage) -> Handle:
    run = await begun(stage, approval=3 * SOON)
    await run.until("waiting_for_approval")
    await priced(run, "110.00")
    assert await run.approve() == "agreement_needed"
    return await ended(run, "expired")


async def retired(stage: Stage, person_id: str) -> None:
    async with stage.sessions.begin() as session:
        await session.execute(
            update(PersonRow).where(PersonRow.id == person_id).values(is_retired=True)
        )


async def credit(stage: Stage, code: str, limit: str) -> None:
    async with stage.sessions.begin() as session:
        await session.execute(
            update(PartnerRow)
            .where(PartnerRow.sap_bp_code == code)
            .values(credit_limit=Decimal(limit))
        )


def cents_of_pieces(quantity: int, price: str) -> int:
    """With the freight and the taxes of these shops."""
    net = quantity * Decimal(price) + Decimal("14.50")
    taxes = [(net * rate).quantize(Decimal("0.01"), ROUND_HALF_UP) for rate in RATES]
    return int((net + sum(taxes)) * 100)


RATES = (Decimal("0.05"), Decimal("0.07"))

APPROVALS: dict[str, Story] = {
    "approved": approved,
    "rejected": rejected,
    "never_approved": never_approved,
    "cancelled_before_the_approval": cancelled_before_the_approval,
    "approved_without_the_right": approved_without_the_right,
    "approved_by_who_retired": approved_by_who_retired,
    "requoted": requoted,
    "requoted_and_cancelled": requoted_and_cancelled,
    "requoted_and_never_answered": requoted_and_never_answered,
}

PATH_2: dict[str, Story] = {
    "confirmed": confirmed,
    "on_terms": on_terms,
    "every_way_to_pay": every_way_to_pay,
    "proven_without_the_right": proven_without_the_right,
    "sold_to_somebody_else": sold_to_somebody_else,
    "approved": approved,
}
"""Those that go otherwise since check and reservation are one."""

PATH_3: dict[str, Story] = {
    "confirmed": confirmed,
    "on_terms": on_terms,
    "held": held,
    "held_and_declined": held_and_declined,
    "every_way_to_pay": every_way_to_pay,
    "paid_otherwise_while_the_provider_is_away": paid_otherwise_while_the_provider_is_away,
    "unclear_and_paid_otherwise": unclear_and_paid_otherwise,
    "cancelled_as_it_was_sent": cancelled_as_it_was_sent,
    "unclear_hand_over": unclear_hand_over,
    "unclear_capture": unclear_capture,
    "returned_before_it_was_known": returned_before_it_was_known,
    "refused_by_the_erp": refused_by_the_erp,
    "approved": approved,
}
"""Those that go otherwise since an order is stored and handed over at once, and mailed by itself."""

BEHIND: dict[str, Story] = {
    "cancelled_while_it_was_looked_up": cancelled_while_it_was_looked_up,
    "lapsed_while_the_provider_keeps_the_money": lapsed_while_the_provider_keeps_the_money,
    "left_waiting_for_a_provider_once": left_waiting_for_a_provider_once,
    "left_at_a_bank_that_is_away": left_at_a_bank_that_is_away,
    "paid_otherwise_again_and_again": paid_otherwise_again_and_again,
}
"""Those that go otherwise since nobody waits for a provider that is away."""

SENT: dict[str, Story] = {
    "sent_before_it_could_be_cancelled": sent_before_it_could_be_cancelled,
    "sent_on_terms": sent_on_terms,
}
"""Those that only version 3 has."""

CHECKED_AGAIN: dict[str, Story] = {
    "unclear_payment": unclear_payment,
    "unclear_payment_without_the_right": unclear_payment_without_the_right,
}
"""Those that only version 4 has: a payment that is tried again is looked at from the beginning."""

PLACEMENT: dict[str, Story] = {
    "confirmed": confirmed,
    "on_terms": on_terms,
    "every_way_to_pay": every_way_to_pay,
    "never_proven": never_proven,
    "proven": proven,
    "proven_without_the_right": proven_without_the_right,
    "cancelled_while_asked": cancelled_while_asked,
    "cancelled_after_a_decline": cancelled_after_a_decline,
    "cancelled_while_authorised": cancelled_while_authorised,
    "stopped_by_an_operator": stopped_by_an_operator,
    "unclear_payment": unclear_payment,
    "unclear_undoing": unclear_undoing,
    "cancelled_while_the_provider_is_away": cancelled_while_the_provider_is_away,
    "paid_otherwise_while_the_provider_is_away": paid_otherwise_while_the_provider_is_away,
    "unclear_and_paid_otherwise": unclear_and_paid_otherwise,
    "unclear_hand_over": unclear_hand_over,
    "unclear_capture": unclear_capture,
    "refused_by_the_erp": refused_by_the_erp,
    "sold_to_somebody_else": sold_to_somebody_else,
}
