"""What may still succeed is given up by nobody but its buyer: activations know of it, owners and operators are told."""

from datetime import UTC, datetime, timedelta

import httpx
from sqlalchemy import update
from temporalio.api.enums.v1 import EventType
from temporalio.client import WorkflowExecutionStatus

from activities.plans.purchase_mails import PurchaseMail, PurchaseMailActivities
from db.identity.people import PersonRow
from db.operations.runs import list_runs
from db.plans.plans import subscribe
from domain.checkout.limits import PurchaseLimits
from domain.operations.operations import RunList
from domain.paper.seller import DEMO_SELLER
from domain.plans.plans import Subscription, Term
from domain.plans.purchase_mails import SOME_FAILED
from domain.plans.purchases import Attach
from tests.catalogue.people import signed_in
from tests.drivers.factories import a_name, a_partner, an_admin
from tests.drivers.portal import a_key
from tests.drivers.stage import a_device_key
from tests.drivers.until import until
from tests.drivers.whole_portal import Caller, Whole, problem
from tests.operations.reconciler.rounds import came_of
from tests.partners.factories import an_address
from tests.plans.purchases.buying import PREMIUM, a_buyer
from tests.plans.purchases.runs import (
    PATIENT,
    SOON,
    a_hopeless_line,
    a_line,
    a_stubborn_line,
    begun,
    ended,
)
from tests.plans.purchases.stories import ALWAYS
from tests.plans.purchases.test_activation_api import at_the_choice
from workflows.plans.purchase import PurchaseWorkflow


async def test_an_activation_waits_on_for_a_device_that_failed_or_goes_on_without(
    whole: Whole,
) -> None:
    async with a_buyer(whole) as buyer:
        code = buyer.dealer.partner_code
        await an_address(whole.sessions, code, "SHIPPING", is_default=True)
        caller, device = Caller(buyer.browser, buyer.user), a_device_key(traits="100")
        await whole.stage.control(device, plan_refusals=ALWAYS)
        flow = await caller.started(device, type="purchase-subscription")
        await caller.send(flow["id"], "purchase", seq=flow["seq"], plan_id=PREMIUM)
        flow = await caller.until(
            flow["id"],
            lambda f: (f["view"]["facts"]["purchase"] or {}).get("state") == "part_failed",
        )
        assert flow["state"] == "purchase-plan/waiting"
        assert flow["view"]["error"] is None
        assert "SKIP" in flow["allowed"]
        bought = flow["view"]["facts"]["purchase"]["purchase_id"]
        skip = {"step": "purchase-plan", "reason": "The plan comes later"}
        answer = await caller.send(flow["id"], "skip", seq=flow["seq"], **skip)
        assert answer.status_code in (200, 202), answer.text
        await caller.until(flow["id"], lambda f: f["state"] == "complete-activation")
        await buyer.ask(bought, "give-up")
        await buyer.until(bought, "cancelled")


async def test_an_activation_goes_on_with_its_plan_while_another_device_failed(
    whole: Whole,
) -> None:
    async with a_buyer(whole) as buyer:
        code = buyer.dealer.partner_code
        await an_address(whole.sessions, code, "SHIPPING", is_default=True)
        caller, device, bad = (
            Caller(buyer.browser, buyer.user),
            a_device_key(traits="100"),
            a_device_key(),
        )
        await whole.stage.control(bad, plan_refusals=ALWAYS)
        flow = await caller.started(device, type="purchase-subscription")
        quote = await buyer.quoted({device: PREMIUM, bad: PREMIUM})
        await caller.send(
            flow["id"],
            "purchase",
            seq=flow["seq"],
            plan_id=PREMIUM,
            quote_uuid=quote["uuid"],
        )
        await caller.until(flow["id"], lambda f: f["state"] == "complete-activation")
        run = await buyer.look(quote["uuid"])
        assert run is not None
        assert run["state"] == "part_failed"
        await buyer.ask(quote["uuid"], "give-up")
        await buyer.until(quote["uuid"], "confirmed")


async def test_owners_are_asked_in_the_place_of_a_retired_buyer_and_operators_see_it(
    whole: Whole,
) -> None:
    stage = whole.stage
    policy = PATIENT.model_copy(
        update={"again": SOON, "retry": 2 * SOON, "reminders": (2.2 * SOON, 2.4 * SOON)}
    )
    line = await a_stubborn_line(stage, ALWAYS)
    run = await begun(stage, line, at_once=True, policy=policy, limits=PurchaseLimits())
    await run.until("part_failed")
    await until(lambda: stage.mails(run.buyer.email))
    async with stage.sessions.begin() as session:
        retires = update(PersonRow).where(PersonRow.id == run.buyer.id)
        await session.execute(retires.values(is_retired=True))
    await until(run.asked, lambda asked: asked == 3)
    async with stage.sessions() as session:
        shown = await list_runs(session, RunList.ATTENTION, kind="purchase", limit=100)
    assert run.start.id in [one.id for one in shown]
    assert run.owner is not None
    owner = run.owner

    async def subjects() -> list[str]:
        return [mail["subject"] for mail in await stage.mails(owner.email)]

    await until(subjects, lambda all_: len(all_) == 3)
    (times_notified,) = await stage.mails(run.buyer.email)
    assert times_notified["subject"] == SOME_FAILED, "nothing was asked of who may not answer"
    assert await run.give_up() is None
    await ended(run, "cancelled")
    assert await run.kept() == 0
    papers = PurchaseMailActivities(stage.systems.messenger, stage.sessions, DEMO_SELLER)
    times_notified = {
        "person_id": run.buyer.id,
        "subject": "Your receipt",
        "text": "As it is by now.",
    }
    await papers.mail(PurchaseMail(purchase_id=run.start.id, **times_notified))
    (receipt,) = [one for one in await stage.mails(owner.email) if one["subject"] == "Your receipt"]
    assert receipt["papers"], "they are the business's"
    assert len(await stage.mails(run.buyer.email)) == 1, "who has retired gets none"


async def test_a_device_that_is_somebody_elses_by_now_is_paid_back_and_never_set_up(
    whole: Whole,
) -> None:
    stage = whole.stage
    line = await a_stubborn_line(stage, 1)
    run = await begun(stage, a_line(), line, at_once=True)
    await run.until("part_failed")
    now = datetime.now(UTC)
    async with stage.sessions.begin() as session:
        theirs = Subscription(
            id=a_name(),
            device_key=line.device_key,
            product_name="ft-x1",
            plan_id=PREMIUM,
            plan_slug="premium_prepaid",
            plan_name="Premium Prepaid",
            rank=2,
            term=Term("1_year"),
            starts_at=now,
            ends_at=now + timedelta(days=365),
            worth=(await run.view()).lines[0].worth,
            partner_code=await a_partner(stage.sessions),
            dealer_id=None,
            owner_id=None,
            purchase_id=a_name(),
        )
        await subscribe(session, theirs)
    assert await run.retry() is None
    await ended(run, "confirmed")
    view = await run.view()
    assert [one.status for one in view.lines] == ["provisioned", "refunded"]
    assert view.lines[1].problem == "unknown_device"
    assert await run.kept() == round((view.final_charge - view.refunded) * 100)
    assert (await stage.effects(line.device_key)).get("set-plan", 0) == 0


async def test_who_joins_late_for_a_device_that_is_settled_is_told_at_once(
    whole: Whole,
) -> None:
    """It has its plan, or will never have it; of one that is still tried there is nothing to tell."""
    stage, good, bad = whole.stage, a_line(), await a_stubborn_line(whole.stage, ALWAYS)
    hopeless = await a_hopeless_line(stage)
    run = await begun(stage, good, hopeless, bad, at_once=True)
    await run.until("part_failed")
    assert await run.times_notified() == 0
    for line, times in ((bad, 0), (good, 1), (hopeless, 2)):
        joins = Attach(notify=f"act-{a_name()}", device_key=line.device_key)
        await run.handle.signal(PurchaseWorkflow.attach, joins)
        await until(run.times_notified, lambda times_notified, times=times: times_notified == times)
    assert await run.give_up() is None
    await ended(run, "confirmed")
    assert await run.times_notified() == 2 + 3


async def test_activations_are_told_again_only_when_another_device_is_settled(
    whole: Whole,
) -> None:
    stage = whole.stage
    late, bad = await a_stubborn_line(stage, 1), await a_stubborn_line(stage, ALWAYS)
    run = await begun(stage, a_line(), late, bad, at_once=True)
    await run.until("part_failed")
    joins = Attach(notify=f"act-{a_name()}", device_key=late.device_key)
    await run.handle.signal(PurchaseWorkflow.attach, joins)
    assert await run.retry() is None
    await until(run.times_notified, lambda times_notified: times_notified == 1)
    await run.until("part_failed")
    assert await run.retry() is None
    await run.until("part_failed")
    assert await run.give_up() is None
    await ended(run, "confirmed")
    assert await run.times_notified() == 2, "for the device that was settled, and at the end"


async def test_an_activation_waits_no_more_for_a_device_that_will_never_take_its_plan(
    whole: Whole,
) -> None:
    """While another device of the same purchase is still tried."""
    async with a_buyer(whole) as buyer:
        caller, flow, device = await at_the_choice(buyer)
        bad = a_device_key()
        await whole.stage.control(bad, plan_refusals=ALWAYS)
        await whole.stage.control(device, sim_retired=True)
        quote = await buyer.quoted({device: PREMIUM, bad: PREMIUM})
        await caller.send(
            flow["id"], "purchase", seq=flow["seq"], plan_id=PREMIUM, quote_uuid=quote["uuid"]
        )
        flow = await caller.until(flow["id"], lambda f: f["view"]["error"] is not None)
        assert flow["state"] == "purchase-plan"
        assert flow["view"]["error"]["code"] == "purchase_given_up"
        assert {"ACT", "SKIP"} <= set(flow["allowed"])
        run = await buyer.look(quote["uuid"])
        assert run is not None
        assert run["state"] == "part_failed"
        await buyer.ask(quote["uuid"], "give-up")
        await buyer.until(quote["uuid"], "cancelled")


async def test_a_purchase_of_a_version_that_is_not_known_waits_for_a_release_that_knows_it(
    whole: Whole,
) -> None:
    run = await begun(whole.stage, version=99)

    async def spoilt() -> bool:
        events = (await run.handle.fetch_history()).events
        return EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED in [event.event_type for event in events]

    await until(spoilt)
    described = await run.handle.describe()
    assert described.status is WorkflowExecutionStatus.RUNNING
    await run.handle.terminate("nobody knows it")


async def test_an_operator_gives_it_up_only_where_its_buyer_said_nothing(whole: Whole) -> None:
    stage = whole.stage
    policy = PATIENT.model_copy(
        update={"again": SOON, "retry": 2 * SOON, "reminders": (2.2 * SOON, 2.4 * SOON)}
    )
    waiting = await begun(stage, await a_stubborn_line(stage, ALWAYS), at_once=True, policy=PATIENT)
    run = await begun(stage, await a_stubborn_line(stage, ALWAYS), at_once=True, policy=policy)
    await waiting.until("part_failed")
    await until(run.asked, lambda asked: asked >= 2)
    await run.until("part_failed")
    async with signed_in(whole.app, await an_admin(stage.sessions)) as browser:

        async def give_up(id_: str, key: dict[str, str]) -> httpx.Response:
            body = {"note": "The buyer does not answer."}
            path = f"/v1/operations/runs/purchase/{id_}/give-up"
            return await browser.post(path, json=body, headers=key)

        assert problem(await give_up(waiting.start.id, a_key())) == (409, "nothing_to_settle")
        key = a_key()
        answers = [await give_up(run.start.id, key) for _ in range(2)]
        assert [one.status_code for one in answers] in ([200, 200], [202, 202])
    await ended(run, "cancelled")
    assert await run.kept() == 0
    assert "gave up a run for its buyer" in await came_of(stage, "purchase", run.start.id)
    await waiting.give_up()
    await ended(waiting, "cancelled")
