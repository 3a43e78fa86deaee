"""No placement is lost: one that nobody began is begun, and one whose run is gone goes on (promises 4 and 17)."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Text, literal, update

from api.checkout.placing import Submit, freeze_quote
from api.platform.deps import Portal
from db.base import Sessions
from db.billing.payments import payments_of_flow
from db.checkout.placements import (
    PlacementRow,
    open_start,
    snapshot_of,
    start_in_place_of,
    submit,
)
from db.checkout.reservations import held_credit, held_pieces
from db.operations.cases.lists import cases_of
from db.orders.tables import OrderRow
from db.runs.flows import FlowRow
from domain.billing.payments import PaymentStatus
from domain.checkout.placement import UNDOING_UNCLEAR
from domain.identity.people import Actor
from domain.kinds import PLACEMENT
from domain.operations.cases import CaseCause
from domain.operations.operations import Repair
from tests.checkout.placements.buying import a_basket, on_hand_of
from tests.checkout.placements.runs import Run, begun, ended, submitted
from tests.drivers.stage import SIMULATED, Stage
from tests.drivers.whole_portal import Whole
from tests.operations.reconciler.rounds import a_round, audited
from tests.operations.reconciler.unseen import gone_before_it_was_shown, times
from tests.replay.histories import commands
from workflows import ids
from workflows.checkout.placement import PlacementWorkflow
from workflows.client import begun_as


@pytest.fixture(scope="module")
async def stage(whole: Whole) -> Stage:
    return whole.stage


async def long_ago(sessions: Sessions, run: Run) -> None:
    async with sessions.begin() as session:
        await session.execute(
            update(PlacementRow)
            .where(PlacementRow.token == run.token)
            .values(created_at=PlacementRow.created_at - timedelta(minutes=1))
        )


async def another_turn(run: Run, *, rev_from: int) -> Run:
    """The same cart, submitted again once the first time came to nothing."""
    async with run.stage.sessions.begin() as session:
        before = await snapshot_of(session, run.token, 1)
        turn = before.start.model_copy(update={"turn": 2, "rev_from": rev_from})
        workflow_id = ids.placement_id(run.token, 2)
        kept = before.model_copy(update={"start": turn, "workflow_id": workflow_id})
        await submit(session, kept)
    handle = await run.stage.client.start_workflow(  # pyright: ignore[reportUnknownMemberType]
        PlacementWorkflow.run,
        turn,
        id=workflow_id,
        task_queue=run.stage.task_queue,
        **begun_as(PLACEMENT, turn),
    )
    return replace(run, start=turn, handle=handle)


async def test_what_was_submitted_while_temporal_was_away_is_begun(stage: Stage) -> None:
    run = await submitted(stage)
    await long_ago(stage.sessions, run)
    done = await a_round(stage)
    assert done.repaired[Repair.UNSEEN] >= 1
    handle = await ended(run, "confirmed")
    found = await handle.describe()
    assert found.typed_search_attributes[ids.FLOW_KIND] == "placement"
    assert found.typed_search_attributes[ids.BP_CODE] == run.start.partner_code
    assert await found.static_summary() == PLACEMENT.summary(run.start)
    assert (Repair.BEGUN, {}) in await audited(stage, "placement", run.token)


async def test_a_run_that_is_gone_before_it_was_shown_is_begun_anew(stage: Stage) -> None:
    run = await submitted(stage)
    await gone_before_it_was_shown(stage, PLACEMENT, run.start)
    await long_ago(stage.sessions, run)
    await a_round(stage)
    await ended(run, "confirmed")
    assert await run.kept() == round(run.start.total * 100)
    assert await times(stage, "placement", run.token, Repair.BEGUN) == 1


async def test_what_a_submit_holds_is_held_until_its_run_is_begun(whole: Whole) -> None:
    """The API dies between the two: nobody else gets the pieces, and the run that is begun later looks again."""
    portal: Portal = whole.app.state.portal
    async with a_basket(whole, payment="TERMS", quantity=2, on_hand=2) as basket:
        site = await portal.sites.of("localhost")
        actor = Actor(request_id="test", site=site, user=basket.shop.buyer)
        start = await freeze_quote(portal, actor, Submit(token=basket.token))
        assert start is not None
        assert start.held
        async with whole.sessions() as session:
            variant = basket.product.variant_id
            assert await held_pieces(session, [variant]) == {variant: 2}
            assert await held_credit(session, basket.shop.code) == start.total
        async with whole.sessions.begin() as session:
            placed = update(PlacementRow).where(PlacementRow.token == basket.token)
            await session.execute(
                placed.values(created_at=PlacementRow.created_at - timedelta(minutes=1))
            )
        await a_round(whole.stage)
        await basket.until("confirmed")
        handle = whole.stage.client.get_workflow_handle(ids.placement_id(basket.token))
        asked = commands(json.loads((await handle.fetch_history()).to_json()))
        effects = [one for one in asked if one.startswith(("local ", "activity "))]
        assert effects[0] == "local check_and_reserve_placement"
        assert await on_hand_of(whole.sessions, basket.product) == 0
        async with whole.sessions() as session:
            assert await held_pieces(session, [variant]) == {}
            assert await held_credit(session, basket.shop.code) == 0


async def test_a_run_that_is_gone_goes_on_with_the_same_payment(stage: Stage) -> None:
    run = await begun(stage, po_number="ERP-DOWN")
    await run.until("handing_over")
    await run.handle.terminate("lost")
    await a_round(stage)
    again = stage.client.get_workflow_handle_for(PlacementWorkflow.run, run.handle.id)
    resumed = Run(stage, run.shop, run.product, run.start, again)
    await resumed.until("handing_over")
    assert (await resumed.moving()).payment.attempt == 1
    assert await resumed.cancel() is None
    await ended(resumed, "cancelled")
    assert await run.kept() == 0
    ledger = await stage.http.get(f"{SIMULATED}/cards/_ledger", params={"flow_id": run.token})
    assert len(ledger.json()["intents"]) == 1


@pytest.mark.parametrize("type_", ["TERMS", "CARD"])
async def test_an_order_that_is_stored_is_handed_over_by_the_run_that_goes_on_with_it(
    stage: Stage, type_: str
) -> None:
    """It counts against the credit itself by now, and may be at the ERP: nothing is judged anew."""
    run = await begun(stage, type_=type_, po_number="ERP-DOWN", limit="300")
    await run.until("handing_over")
    order = (await run.moving()).order
    await run.handle.terminate("lost")
    await a_round(stage)
    again = stage.client.get_workflow_handle_for(PlacementWorkflow.run, run.handle.id)
    resumed = Run(stage, run.shop, run.product, run.start, again)
    assert await resumed.until("handing_over", "payment_failed") == "handing_over"
    assert (await resumed.moving()).order == order
    async with stage.sessions.begin() as session:
        taken = update(OrderRow).where(OrderRow.token == run.token)
        await session.execute(taken.values(po_number=None))
    await ended(resumed, "confirmed")


async def test_a_stored_order_goes_on_where_it_was_lost(stage: Stage) -> None:
    run = await begun(stage, type_="TERMS", po_number="ERP-DOWN", limit="300")
    await run.until("handing_over")
    async with stage.sessions.begin() as session:
        lost = update(FlowRow).where(FlowRow.id == run.token)
        without_order = FlowRow.view.op("-")(literal("order", Text))
        await session.execute(lost.values(state="recording", view=without_order))
        goes_on = await start_in_place_of(session, run.token)
        await session.execute(lost.values(state="capturing"))
        pays = await start_in_place_of(session, run.token)
        await session.execute(lost.values(state="authorising"))
        looks = await start_in_place_of(session, run.token)
    assert goes_on is not None
    assert goes_on.resume is not None
    assert goes_on.resume.order == (await run.moving()).order
    assert goes_on.resume.begins == "handing_over"
    assert pays is not None
    assert pays.resume is not None
    assert pays.resume.begins == "capturing"
    assert looks is not None
    assert looks.resume is not None
    assert looks.resume.begins is None
    await run.cancel()


async def test_payments_of_an_earlier_turn_are_none_of_the_run_that_goes_on(stage: Stage) -> None:
    run = await begun(stage, card="chargeCustomerFail")
    await run.until("payment_failed")
    assert await run.cancel() is None
    await ended(run, "cancelled")
    second = await another_turn(run, rev_from=(await run.standing()).rev + 1)
    await second.until("payment_failed")
    async with stage.sessions() as session:
        paid = await payments_of_flow(session, "placement", run.token)
        goes_on = await start_in_place_of(session, run.token)
    assert [one.request.attempt for one in paid] == [1, 1]
    assert goes_on is not None
    assert goes_on.resume is not None
    assert goes_on.resume.tried is not None
    assert [one.key for one in goes_on.resume.tried] == [f"{second.handle.id}:1"]
    await second.cancel()


async def test_a_run_that_is_gone_takes_back_whatever_its_earlier_payments_were_paid_by(
    stage: Stage,
) -> None:
    run = await begun(stage, card="authenticationRequired", po_number="PAY-KEPT")
    await run.until("action_required")
    assert await run.choose("chargeCustomerFail") is None
    await run.until("payment_failed")
    await run.handle.terminate("lost")
    await a_round(stage)
    again = stage.client.get_workflow_handle_for(PlacementWorkflow.run, run.handle.id)
    resumed = Run(stage, run.shop, run.product, run.start, again)
    await resumed.until("payment_failed")
    assert await resumed.cancel() is None
    await ended(resumed, "cancelled")
    assert await run.kept() == 0
    async with stage.sessions() as session:
        assert await open_start(session, run.token) is None
        paid = await payments_of_flow(session, "placement", run.token)
        (case,) = await cases_of(session, "cart", run.token)
    assert [one.attempt for one in (each.request for each in paid)] == [1, 2]
    assert paid[1].status is PaymentStatus.DECLINED
    assert case.cause is CaseCause.LET_GO


async def test_a_run_that_was_being_taken_back_still_is(stage: Stage) -> None:
    policy = (await submitted(stage)).start.policy
    hasty = policy.model_copy(update={"undo": timedelta(seconds=1)})
    run = await begun(stage, po_number="PAY-KEPT ERP-REFUSED", policy=hasty)
    await run.until("needs_attention")
    await run.handle.terminate("lost")
    await a_round(stage)
    again = stage.client.get_workflow_handle_for(PlacementWorkflow.run, run.handle.id)
    resumed = Run(stage, run.shop, run.product, run.start, again)
    await resumed.until("needs_attention")
    moving = await resumed.moving()
    assert (moving.stuck_in, moving.error) == ("compensating", UNDOING_UNCLEAR)
    assert await resumed.resolve("undone") is None
    await ended(resumed, "compensated")
