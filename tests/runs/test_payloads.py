"""What a release cannot read ends no run: it waits, and goes on with a release that can (decision 69)."""

import asyncio
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from temporalio import activity, workflow
from temporalio.client import (
    Client,
    WorkflowExecutionStatus,
    WorkflowHandle,
    WorkflowUpdateFailedError,
)
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from api.runs.messages import UNREADABLE
from domain.base import Frozen
from tests.drivers.until import until
from workers.worker import make_worker
from workflows.signals import patient_signal

SECONDS = timedelta(seconds=20)


class Strict(Frozen):
    """As a release has it whose predecessor did not know the field."""

    text: str
    added: str


class Lenient(Frozen):
    text: str
    added: str = "nothing"


@activity.defn
async def answer_errand() -> dict[str, str]:
    """As the release before answers."""
    return {"text": "answered"}


class _Letters:
    def __init__(self) -> None:
        self.letters: list[str] = []


@workflow.defn(name="Letters")
class StrictLetters(_Letters):
    @workflow.run
    async def run(self, start: Strict) -> list[str]:
        await workflow.wait_condition(lambda: bool(self.letters))
        answer = await workflow.execute_activity(
            "answer_errand", result_type=Strict, start_to_close_timeout=SECONDS
        )
        return [start.text, *self.letters, answer.text]

    @patient_signal
    async def letter(self, letter: Strict) -> None:
        self.letters.append(letter.text)

    @workflow.update
    def ask(self, ask: Strict) -> str:
        return ask.text


@workflow.defn(name="Letters")
class LenientLetters(_Letters):
    @workflow.run
    async def run(self, start: Lenient) -> list[str]:
        await workflow.wait_condition(lambda: bool(self.letters))
        answer = await workflow.execute_activity(
            "answer_errand", result_type=Lenient, start_to_close_timeout=SECONDS
        )
        return [start.text, *self.letters, answer.text]

    @patient_signal
    def letter(self, letter: Lenient) -> None:
        self.letters.append(letter.text)

    @workflow.update
    def ask(self, ask: Lenient) -> str:
        return ask.text


@asynccontextmanager
async def a_release(client: Client, task_queue: str, letters: type[Any]) -> AsyncGenerator[None]:
    async with Worker(
        client,
        task_queue=task_queue,
        workflows=[letters],
        activities=[answer_errand],
        workflow_runner=UnsandboxedWorkflowRunner(),
    ):
        yield


async def begin(client: Client, task_queue: str, **start: str) -> WorkflowHandle[Any, Any]:
    return await client.start_workflow(
        "Letters",
        start,
        id=f"letters-{uuid.uuid4().hex}",
        task_queue=task_queue,
        task_timeout=timedelta(seconds=1),
    )


async def _is_stuck(handle: WorkflowHandle[Any, Any]) -> bool:
    described = await handle.describe()
    assert described.status is WorkflowExecutionStatus.RUNNING
    return described.raw_description.pending_workflow_task.attempt > 1


async def test_a_start_a_signal_and_a_result_wait_for_a_release_that_reads_them(
    temporal: Client, task_queue: str
) -> None:
    async with a_release(temporal, task_queue, StrictLetters):
        begun = await begin(temporal, task_queue, text="begun")
        told = await begin(temporal, task_queue, text="told", added="now")
        await told.signal("letter", {"text": "read"})
        answered = await begin(temporal, task_queue, text="asked", added="now")
        await answered.signal("letter", {"text": "read", "added": "now"})
        with pytest.raises(WorkflowUpdateFailedError) as refused:
            await (await begin(temporal, task_queue, text="a", added="b")).execute_update(
                "ask", {"text": "asked"}
            )
        assert getattr(refused.value.cause, "type", None) == UNREADABLE
        for handle in (begun, told, answered):
            await until(lambda handle=handle: _is_stuck(handle))
    await begun.signal("letter", {"text": "read"})
    async with a_release(temporal, task_queue, LenientLetters):
        ends = await asyncio.gather(begun.result(), told.result(), answered.result())
    assert ends == [[text, "read", "answered"] for text in ("begun", "told", "asked")]


def test_no_error_that_a_worker_meets_by_reading_fails_a_run() -> None:
    assert "workflow_failure_exception_types" not in str(make_worker.__code__.co_consts)
