"""What can happen to a round of reconciliation. They come one after the other: one round is open at most."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from temporalio.client import WorkflowHandle

from db.billing.reconciliation.rounds import begin_round, end_round
from domain.billing.reconciliation.differences import NEEDS, Part
from domain.billing.reconciliation.facts import Look
from tests.drivers.stage import Stage
from workflows.billing.reconciliation import (
    ReconciliationPolicy,
    ReconciliationStart,
    ReconciliationWorkflow,
)

Handle = WorkflowHandle[Any, Any]
Story = Callable[[Stage], Awaitable[Handle]]

_alone = asyncio.Lock()


async def begun(stage: Stage, **ask: Any) -> Handle:
    return await stage.client.start_workflow(
        ReconciliationWorkflow.run,
        ReconciliationStart(**ask),
        id=f"reconciliation-{uuid.uuid4().hex}",
        task_queue=stage.task_queue,
    )


async def compared(stage: Stage) -> Handle:
    async with _alone:
        handle = await begun(stage)
        done = await handle.result()
    assert done.is_done
    assert done.failed == ()
    assert set(done.compared) == set(Part)
    return handle


async def continued(stage: Stage) -> Handle:
    """Each run makes one leg of one page; the first one is answered."""
    async with _alone:
        handle = await begun(stage, policy=ReconciliationPolicy(pages=1, legs=1))
        done = await handle.result()
    assert set(done.compared) == set(Part)
    first = handle.first_execution_run_id
    return stage.client.get_workflow_handle(handle.id, run_id=first)


async def part_failed(stage: Stage) -> Handle:
    """It goes on at a place that is not there: the part fails, and those that need it are left out."""
    now = datetime.now(UTC)
    async with _alone:
        handle = await begun(
            stage,
            look=Look(since=now - timedelta(days=1), until=now),
            part=Part.BOOKS,
            cursor="9|",
            policy=ReconciliationPolicy(tries=1),
        )
        done = await handle.result()
    left_out = {part.value for part, needs in NEEDS.items() if Part.BOOKS in needs}
    assert set(done.failed) == {Part.BOOKS.value, *left_out}
    return handle


async def another_under_way(stage: Stage) -> Handle:
    async with _alone:
        other = uuid.uuid4().hex
        async with stage.sessions.begin() as session:
            await begin_round(session, other, "test")
        handle = await begun(stage)
        done = await handle.result()
        async with stage.sessions.begin() as session:
            await end_round(session, other, {}, ())
    assert not done.is_done
    return handle


RECONCILIATION: dict[str, Story] = {
    "compared": compared,
    "compared-with-payouts": compared,
    "continued": continued,
    "part-failed": part_failed,
    "another-under-way": another_under_way,
}
