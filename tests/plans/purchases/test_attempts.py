"""One purchase tries so many ways to pay and no more: its history has room for no end of them."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from temporalio.client import Client

from db.base import Sessions
from tests.drivers.stage import Stage, a_stage
from tests.operations.reconciler.rounds import a_round, change
from tests.plans.purchases.runs import begun, ended
from workflows.charging import MOST_ATTEMPTS


@pytest.fixture
async def stage(
    temporal: Client, sessions: Sessions, database_url: str, task_queue: str, tmp_path: Path
) -> AsyncGenerator[Stage]:
    async with a_stage(temporal, sessions, database_url, task_queue, tmp_path) as here:
        yield here


async def test_after_so_many_ways_to_pay_no_other_is_taken(stage: Stage) -> None:
    run = await begun(stage, card="transactionDeclined", at_once=True)
    await run.until("declined")
    await change(
        stage,
        f"update payment set attempt = {MOST_ATTEMPTS} where flow_id = :id",
        id=run.start.id,
    )
    await run.handle.terminate("lost")
    await a_round(stage)
    run.handle = stage.client.get_workflow_handle(run.handle.id)
    await run.until("quoted")
    assert await run.confirm() == "step_out_of_order"
    assert await run.cancel() is None
    await ended(run, "cancelled")
    assert await run.kept() == 0
