"""One round of the reconciler, and two by one run."""

import uuid
from collections.abc import Awaitable, Callable
from typing import Any

from temporalio.client import WorkflowHandle

from tests.drivers.stage import Stage
from tests.operations.erp.stories import TWICE
from workflows.operations.reconciler import ReconcilerWorkflow
from workflows.operations.rounds import Rounds

Story = Callable[[Stage], Awaitable[WorkflowHandle[Any, Any]]]


async def reconciled(stage: Stage, rounds: Rounds | None = None) -> WorkflowHandle[Any, Any]:
    handle = await stage.client.start_workflow(
        ReconcilerWorkflow.run,
        rounds,
        id=f"reconciler-{uuid.uuid4().hex}",
        task_queue=stage.task_queue,
    )
    await handle.result()
    return handle


async def twice(stage: Stage) -> WorkflowHandle[Any, Any]:
    return await reconciled(stage, TWICE)


RECONCILER: dict[str, Story] = {"once": reconciled, "twice": twice}
