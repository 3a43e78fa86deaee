"""Runs that are ended from outside before any worker has seen them."""

from datetime import timedelta
from typing import Any

from domain.operations.operations import Repair
from domain.runs.kind import RunKind
from tests.drivers.stage import Stage
from tests.drivers.until import until
from tests.operations.reconciler.rounds import a_round, audited, change
from workflows.client import begun_as


async def gone_before_it_was_shown(stage: Stage, kind: RunKind[Any], start: Any) -> None:
    handle = await stage.client.start_workflow(  # pyright: ignore[reportUnknownMemberType]
        kind.workflow,
        start,
        id=kind.workflow_id(start),
        task_queue=stage.task_queue,
        start_delay=timedelta(hours=1),
        **begun_as(kind, start),
    )
    await handle.terminate("lost")


async def shown_by_a_round(stage: Stage, kind: Any, run: str) -> None:
    """Temporal's list of what has ended comes a moment later."""

    async def is_shown() -> bool:
        await a_round(stage)
        return await stage.flow(run, kind) is not None

    await until(is_shown)


async def forgotten(stage: Stage, run: str) -> None:
    """As if it had never been shown."""
    await change(stage, "delete from transition where flow_id = :id", id=run)
    await change(stage, "delete from flow where id = :id", id=run)


async def times(stage: Stage, kind: str, run: str, repair: Repair) -> int:
    """How often the audit says that it was repaired like this."""
    return [action for action, _ in await audited(stage, kind, run)].count(repair)
