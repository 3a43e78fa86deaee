"""Two releases of one small run: the later one wants a field more, and goes one way more once it is told."""

import asyncio
import uuid
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

from temporalio import activity, workflow
from temporalio.client import Client, WorkflowHandle
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from domain.base import Frozen
from tests.drivers.until import until
from workflows.release import is_known, taking_part

SECONDS = timedelta(seconds=30)
BEFORE, AFTER = "before", "after"


class Start(Frozen):
    text: str


class StartAfter(Frozen):
    text: str
    added: str


class Effects:
    """An effect says which release carried it out, and waits while `free` is not set."""

    def __init__(self, release: str, free: asyncio.Event) -> None:
        self._release = release
        self._free = free

    @activity.defn(name="carry")
    async def carry(self, _: Start) -> str:
        await self._free.wait()
        return self._release


class _Errand:
    def __init__(self) -> None:
        self.told = 0

    @workflow.signal
    def tell(self) -> None:
        self.told += 1

    async def carry(self, text: str) -> str:
        return await workflow.execute_activity(
            "carry", Start(text=text), result_type=str, start_to_close_timeout=SECONDS
        )


@workflow.defn(name="Errand")
class ErrandBefore(_Errand):
    @workflow.run
    async def run(self, start: Start) -> str:
        await workflow.wait_condition(lambda: self.told >= 2)
        return await self.carry(start.text)


@workflow.defn(name="Errand")
class ErrandAfter(_Errand):
    @workflow.run
    async def run(self, start: StartAfter) -> str:
        await workflow.wait_condition(lambda: self.told >= 1)
        await workflow.sleep(timedelta(milliseconds=1))
        await workflow.wait_condition(lambda: self.told >= 2)
        return await self.carry(start.text)


ERRANDS: dict[str, type] = {BEFORE: ErrandBefore, AFTER: ErrandAfter}


@asynccontextmanager
async def a_release(
    client: Client, task_queue: str, release: str, free: asyncio.Event | None = None
) -> AsyncGenerator[None]:
    """Its workers, for as long as it lasts, and from when Temporal knows of them: before that the current release carries
    out what a run of this one begins."""
    if free is None:
        free = asyncio.Event()
        free.set()
    effects = [Effects(release, free).carry]
    async with a_worker(
        client, task_queue, release, workflows=[ERRANDS[release]], activities=effects
    ):
        await until(lambda: is_known(client, task_queue, release), within=60)
        yield


def a_worker(
    client: Client,
    task_queue: str,
    release: str,
    *,
    workflows: Sequence[type] = (),
    activities: Sequence[Callable[..., Any]] = (),
) -> Worker:
    return Worker(
        client,
        task_queue=task_queue,
        workflows=workflows,
        activities=activities,
        workflow_runner=UnsandboxedWorkflowRunner(),
        deployment_config=taking_part(task_queue, release),
    )


async def begin(client: Client, task_queue: str, **start: str) -> WorkflowHandle[Any, Any]:
    return await client.start_workflow(
        "Errand",
        start,
        id=f"errand-{uuid.uuid4().hex}",
        task_queue=task_queue,
        task_timeout=timedelta(seconds=1),
    )
