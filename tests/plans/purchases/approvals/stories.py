"""What can happen to a purchase of plans by somebody with limits: together these take every edge that version 2 has more."""

from datetime import timedelta
from decimal import Decimal

from sqlalchemy import update

from db.identity.people import PersonRow
from domain.checkout.limits import PurchaseLimits
from domain.plans.purchases import PurchasePolicy
from domain.plans.quote import PlanLineRequest
from tests.drivers.factories import Dealer, an_owner
from tests.drivers.stage import Stage
from tests.drivers.until import until
from tests.plans.purchases.runs import (
    BASIC,
    PATIENT,
    SOON,
    Handle,
    Run,
    a_line,
    begun,
    ended,
    quoted,
)
from tests.plans.purchases.stories import Story

NEEDS_APPROVAL = PurchaseLimits(approval_above=Decimal(1))
IN_TIME = PATIENT.model_copy(update={"approval": timedelta(minutes=5)})


async def waiting(stage: Stage, *lines: PlanLineRequest, policy: PurchasePolicy = IN_TIME) -> Run:
    run = await begun(stage, *lines, limits=NEEDS_APPROVAL, policy=policy, at_once=True)
    await run.until("waiting_for_approval")
    return run


async def approved(stage: Stage) -> Handle:
    run = await quoted(stage, limits=NEEDS_APPROVAL, policy=IN_TIME)
    assert (await run.view()).approval_above == 1
    assert await run.confirm() is None
    await run.until("waiting_for_approval")
    assert await run.kept() == 0
    assert await run.approve(run.buyer) == "not_approver"
    assert await run.approve() is None
    handle = await ended(run, "confirmed")
    view = await run.view()
    assert await run.kept() == round(view.final_charge * 100)
    assert view.approval is not None
    assert run.owner is not None
    assert (view.approval.answered_by, view.approval.note) == (run.owner.name, "Go ahead")
    return handle


async def rejected(stage: Stage) -> Handle:
    run = await waiting(stage)
    assert run.owner is not None
    asked = await until(lambda: stage.mails(run.owner.email), lambda mails: bool(mails))  # pyright: ignore[reportOptionalMemberAccess]
    assert f"/approvals/{run.start.id}?kind=purchase" in str(asked[0])
    assert await run.reject() is None
    handle = await ended(run, "rejected")
    assert await run.kept() == 0
    return handle


async def never_approved(stage: Stage) -> Handle:
    policy = PATIENT.model_copy(update={"approval": SOON})
    run = await begun(stage, limits=NEEDS_APPROVAL, policy=policy, at_once=True)
    return await ended(run, "expired")


async def cancelled_before_the_approval(stage: Stage) -> Handle:
    run = await waiting(stage)
    assert await run.cancel() is None
    return await ended(run, "cancelled")


async def approved_by_who_retired(stage: Stage) -> Handle:
    """Between the click and its effect; somebody else approves."""
    run = await waiting(stage)
    assert run.owner is not None
    async with stage.sessions.begin() as session:
        await session.execute(
            update(PersonRow).where(PersonRow.id == run.owner.id).values(is_retired=True)
        )
    assert await run.approve() == "not_approver"
    assert (await run.standing()).state == "waiting_for_approval"
    code = run.start.buyer.partner_code
    other = await an_owner(stage.sessions, Dealer(id=run.owner.dealer_id or "", partner_code=code))
    assert await run.approve(other) is None
    return await ended(run, "confirmed")


async def over_the_limit(stage: Stage) -> Handle:
    """Whatever the screen said: another line is taken, and nothing is charged for this one."""
    run = await quoted(stage, limits=PurchaseLimits(per_order=Decimal(1)))
    error = (await run.view()).over_limit
    assert error is not None
    assert error.code == "over_order_limit"
    assert await run.confirm() is None
    await run.until("quoted")
    view = await run.view()
    assert view.error == error
    assert view.expires_at is not None
    assert await run.cancel() is None
    handle = await ended(run, "cancelled")
    assert await run.kept() == 0
    return handle


async def requoted(stage: Stage) -> Handle:
    """The device got a plan while it waited: the buyer agrees first, then the owner is asked again."""
    run = await dearer(stage)
    before = (await run.view()).quote_hash
    assert await run.approve() is None
    await run.until("requoted")
    view = await run.view()
    assert view.agreed_charge is not None
    assert view.agreed_charge != view.final_charge
    assert await run.approve() == "agreement_needed"
    assert await run.agree(before) == "quote_changed"
    assert await run.agree() is None
    await run.until("waiting_for_approval")
    assert await run.approve() is None
    handle = await ended(run, "confirmed")
    assert await run.kept() == round(view.final_charge * 100)
    return handle


async def requoted_and_cancelled(stage: Stage) -> Handle:
    run = await dearer(stage)
    assert await run.approve() is None
    await run.until("requoted")
    assert await run.cancel() is None
    return await ended(run, "cancelled")


async def requoted_and_never_answered(stage: Stage) -> Handle:
    policy = PATIENT.model_copy(update={"approval": 20 * SOON})
    run = await dearer(stage, policy)
    assert await run.approve() is None
    return await ended(run, "expired")


async def dearer(stage: Stage, policy: PurchasePolicy = IN_TIME) -> Run:
    """One that waits while an owner of the same business buys another plan for its device."""
    line = a_line()
    run = await waiting(stage, line, policy=policy)
    other = await begun(
        stage, a_line(line.device_key, BASIC), buyer=run.owner, at_once=True, policy=policy
    )
    await ended(other, "confirmed")
    return run


PURCHASE_APPROVALS: dict[str, Story] = {
    "approved": approved,
    "rejected": rejected,
    "never-approved": never_approved,
    "cancelled-before-the-approval": cancelled_before_the_approval,
    "approved-by-who-retired": approved_by_who_retired,
    "over-the-limit": over_the_limit,
    "requoted": requoted,
    "requoted-and-cancelled": requoted_and_cancelled,
    "requoted-and-never-answered": requoted_and_never_answered,
}
