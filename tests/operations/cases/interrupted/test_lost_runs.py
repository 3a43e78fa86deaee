"""What holds money and whose run is gone goes on as another: nothing is charged or given back twice."""

import uuid
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import delete
from temporalio.service import RPCError

from db.operations.cases.opening import open_case
from db.operations.cases.starts import mark_begun, start_in_place_of
from db.plans.purchase_starts import PurchaseStartRow, save_start
from domain.kinds import CASE, PURCHASE
from domain.operations.cases import UNANSWERED, CaseCause, CaseStart, let_go, on_order
from domain.operations.operations import Repair
from tests.billing.payments.factories import a_payment_request
from tests.drivers.factories import a_name, an_owner
from tests.drivers.stage import SIMULATED, Stage
from tests.drivers.until import until as comes_to_be
from tests.operations.cases.factories import case_in, case_on, kept, send_command
from tests.operations.cases.stories import id_of, opened, until
from tests.operations.reconciler.rounds import a_round, audited, change
from tests.operations.reconciler.unseen import (
    forgotten,
    gone_before_it_was_shown,
    shown_by_a_round,
    times,
)
from tests.plans.purchases.approvals.stories import waiting
from tests.plans.purchases.runs import Run, a_line, a_stubborn_line, begun, ended, quoted
from workflows import ids


async def test_a_case_whose_run_is_gone_goes_on(stage: Stage) -> None:
    handle = await opened(stage, card="refundRefusedTwice")
    await until(stage, handle, "waiting")
    assert await send_command(handle, "add_note", note="The bank was called.") is None
    await handle.terminate("lost")
    await a_round(stage)
    assert (Repair.GONE_ON, {}) in await audited(stage, "case", id_of(handle))
    again = stage.client.get_workflow_handle(handle.id)
    await until(stage, again, "waiting")
    assert await send_command(again, "retry", note="Once more.") is None
    case = await case_in(stage, id_of(handle), "solved")
    assert "The bank was called." in [note.text for note in case.done]
    assert await kept(stage, case.belongs_to.flow_id) == 0


async def test_a_case_that_is_gone_does_not_look_for_a_payment_that_another_lets_go_of(
    stage: Stage,
) -> None:
    handle = await opened(
        stage, amount="104.99", is_paid=False, cause=CaseCause.DEBIT_RETURNED, tried=1
    )
    await until(stage, handle, "owed")
    case_id = id_of(handle)
    view = (await case_in(stage, case_id, "owed")).model_copy(update={"state": "charging"})
    shown = view.model_dump_json()
    await change(
        stage, "update flow set view = cast(:v as jsonb) where id = :id", id=case_id, v=shown
    )
    async with stage.sessions() as session:
        asked = await start_in_place_of(session, case_id)
        assert asked is not None
        assert asked.resume == view, "its charge is looked up"
        request = a_payment_request().model_copy(update={"key": f"{handle.id}:1"})
        case = let_go(view.belongs_to, request, at=view.opened_at, dealer_id=None, site="ca")
        await open_case(session, case)
        goes_on = await start_in_place_of(session, case_id)
        await session.rollback()
    assert goes_on is not None
    assert goes_on.resume is not None
    assert goes_on.resume.payment is not None
    assert (goes_on.resume.state, goes_on.resume.payment.detail) == ("owed", UNANSWERED)
    assert await send_command(handle, "resolve", note="A cheque came.") is None
    await handle.result()


async def the_same_run(stage: Stage, run: Run) -> Run:
    """Terminated, and taken up by the next round."""
    await run.handle.terminate("lost")
    await a_round(stage)
    handle = stage.client.get_workflow_handle(run.handle.id)
    return replace(run, handle=handle)


async def intents(stage: Stage, run: Run) -> int:
    """How often the card was asked for money."""
    answer = await stage.http.get(f"{SIMULATED}/cards/_ledger", params={"flow_id": run.start.id})
    return len(answer.json()["intents"])


async def test_a_purchase_that_is_gone_with_money_taken_goes_on(stage: Stage) -> None:
    stubborn = await a_stubborn_line(stage, 1)
    run = await begun(stage, a_line(), stubborn, at_once=True)
    await run.until("part_failed")
    charged = await run.kept()
    before = await run.view()
    again = await the_same_run(stage, run)
    await again.until("part_failed")
    view = await again.view()
    assert view.quote_hash == before.quote_hash
    assert [line.status for line in view.lines] == [line.status for line in before.lines]
    assert (view.trying, view.deadline) == (before.trying, before.deadline), "no day begins anew"
    assert await again.retry() is None
    await ended(again, "confirmed")
    assert (await again.kept(), await intents(stage, run)) == (charged, 1)


async def test_a_purchase_that_is_gone_before_its_settled_devices_were_free_frees_them(
    stage: Stage,
) -> None:
    stubborn = await a_stubborn_line(stage, 1_000_000)
    run = await begun(stage, a_line(), stubborn, at_once=True)
    await run.until("part_failed")
    await comes_to_be(run.held, lambda held: held == {stubborn.device_key})
    held_again = "update device_reservation set released_at = null where flow_id = :id"
    await change(stage, held_again, id=run.start.id)
    assert len(await run.held()) == 2
    again = await the_same_run(stage, run)
    await comes_to_be(again.held, lambda held: held == {stubborn.device_key})
    assert await again.give_up() is None
    await ended(again, "confirmed")


async def test_a_purchase_that_is_gone_while_its_payer_is_asked_charges_once(stage: Stage) -> None:
    run = await begun(stage, card="authenticationRequired", at_once=True)
    await run.until("action_required")
    await run.prove()
    again = await the_same_run(stage, run)
    await ended(again, "confirmed")
    view = await again.view()
    assert await again.kept() == round(view.final_charge * 100)
    assert await intents(stage, run) == 1


async def test_a_purchase_that_is_gone_while_it_waits_for_an_owner_waits_on(stage: Stage) -> None:
    """It is paid as its buyer said, once."""
    again = await the_same_run(stage, await waiting(stage))
    await again.until("waiting_for_approval")
    assert await again.approve() is None
    await ended(again, "confirmed")
    view = await again.view()
    assert await again.kept() == round(view.final_charge * 100) > 0
    assert view.payment is not None
    assert view.payment.method_id == again.card


async def test_a_purchase_that_is_gone_before_it_was_agreed_to_is_quoted_again(
    stage: Stage,
) -> None:
    again = await the_same_run(stage, await quoted(stage))
    await again.until("quoted")
    assert await again.cancel() is None
    await ended(again, "cancelled")
    assert await again.kept() == 0


async def test_a_purchase_that_is_gone_before_it_was_shown_is_begun_anew_once(
    stage: Stage,
) -> None:
    other = await quoted(stage)
    start = other.start.model_copy(update={"id": uuid.uuid4().hex, "lines": (a_line(),)})
    async with stage.sessions.begin() as session:
        await save_start(session, start)
    await gone_before_it_was_shown(stage, PURCHASE, start)
    await shown_by_a_round(stage, "purchase", start.id)
    handle = stage.client.get_workflow_handle(ids.purchase_id(start.id))
    again = replace(other, start=start, handle=handle)
    await again.until("quoted")

    await forgotten(stage, start.id)
    await shown_by_a_round(stage, "purchase", start.id)
    assert await times(stage, "purchase", start.id, Repair.GONE_ON) == 1
    assert await again.cancel() is None
    await ended(again, "cancelled")


async def test_a_purchase_that_temporal_never_took_is_not_begun(stage: Stage) -> None:
    """Its buyer was refused, and may have bought again."""
    start = (await quoted(stage)).start.model_copy(update={"id": uuid.uuid4().hex})
    async with stage.sessions.begin() as session:
        await save_start(session, start)
    await a_round(stage)
    with pytest.raises(RPCError, match="not found"):
        await stage.client.get_workflow_handle(ids.purchase_id(start.id)).describe()
    assert await audited(stage, "purchase", start.id) == []


async def test_a_purchase_of_before_says_that_nobody_should_pay_again(stage: Stage) -> None:
    run = await begun(stage, await a_stubborn_line(stage, 1_000_000), at_once=True)
    await run.until("part_failed")
    async with stage.sessions.begin() as session:
        await session.execute(delete(PurchaseStartRow).where(PurchaseStartRow.id == run.start.id))
    await run.handle.terminate("lost")
    await a_round(stage)
    shown = await stage.flow(run.start.id, "purchase")
    assert shown is not None
    assert shown.state == "needs_attention"
    assert "do not pay again" in shown.view["error"]["detail"]
    case = await case_on(stage, "purchase", run.start.id, "needs_attention")
    assert case.given_back == 0
    assert await run.kept() > 0


async def test_a_case_that_is_gone_before_it_was_shown_is_begun_anew(stage: Stage) -> None:
    buyer, flow = await an_owner(stage.sessions), a_name()
    start = CaseStart(
        id=uuid.uuid4().hex,
        cause=CaseCause.RUN_LOST,
        belongs_to=on_order(flow, "T-1", flow),
        partner_code=buyer.partner_code or "",
        person_id=buyer.id,
        site="ca",
        opened_at=datetime.now(UTC),
    )
    await gone_before_it_was_shown(stage, CASE, start)
    async with stage.sessions.begin() as session:
        await open_case(session, start)
        await mark_begun(session, [start.id])
    await change(
        stage,
        "update money_case set begun_at = begun_at - interval '1 hour' where id = :id",
        id=start.id,
    )
    await a_round(stage)
    await case_in(stage, start.id, "needs_attention")
    assert await times(stage, "case", start.id, Repair.GONE_ON) == 1
