"""No placement is lost: one that nobody began is begun, and one whose run is gone goes on (promises 4 and 17)."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from db.base import Sessions
from db.checkout.placements import PlacementRow
from domain.kinds import PLACEMENT
from domain.operations.operations import Repair
from tests.checkout.placements.runs import Run, begun, ended, submitted
from tests.drivers.stage import SIMULATED, Stage
from tests.drivers.whole_portal import Whole
from tests.operations.reconciler.rounds import a_round, audited
from workflows import ids
from workflows.checkout.placement import PlacementWorkflow


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
    assert (await resumed.moving()).stuck_in == "compensating"
    assert await resumed.settle("undone") is None
    await ended(resumed, "compensated")
