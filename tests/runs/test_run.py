"""The base of all runs, tried with the smallest kind there can be: one record and its steps."""

import uuid
from collections.abc import AsyncGenerator
from datetime import timedelta

import pytest
from temporalio import workflow
from temporalio.client import (
    Client,
    WorkflowHandle,
    WorkflowUpdateFailedError,
    WorkflowUpdateStage,
)
from temporalio.exceptions import ApplicationError
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from domain.base import Frozen
from domain.operations.operations import RunStatus
from domain.runs.kind import Refusal, RunKind, Subject
from workflows.run import CONDITION_MET, Machine


class Start(Frozen):
    id: str


class Ask(Frozen):
    actor: str = "Ina"


ERRAND = RunKind[Start](
    name="errand",
    workflow="Errand",
    word="Errand",
    does="Goes somewhere, or stays at home.",
    begins="at_home",
    versions={1: {"at_home": {"GO": "away", "SHUT": "shut"}, "away": {"SHUT": "shut"}, "shut": {}}},
    labels={"at_home": "At home", "away": "Away", "shut": "Shut"},
    asks=("GO",),
    id_prefix="errand",
    id_of=lambda start: start.id,
    about=lambda start: Subject(site="CA"),
    summary=lambda start: "errand",
    not_now=Refusal(status=409, code="not_now", detail="Not now."),
    over=Refusal(status=410, code="over", detail="It is over."),
)


@workflow.defn(name="Errand")
class ErrandWorkflow(Machine[Ask]):
    """Deaf until it is woken; then it does what was asked, or shuts."""

    kind = ERRAND

    @workflow.init
    def __init__(self, start: Start) -> None:
        super().__init__(start.id)
        self.woken: str | None = None
        self.shown: list[str] = []

    @workflow.run
    async def run(self, start: Start) -> list[str]:
        await self.carry_out()
        return self.shown

    async def execute(self) -> None:
        await self.publish()
        await workflow.wait_condition(lambda: self.woken is not None or self.cancelled)
        if self.woken == "listen":
            happened = await self.wait(timedelta(minutes=1))
            assert happened != CONDITION_MET
            await self.move(happened)
            await workflow.wait_condition(workflow.all_handlers_finished)
        await self.move("SHUT")

    async def write(self) -> None:
        self.shown.append(self.state)

    def reply(self) -> str:
        return self.state

    @workflow.update
    async def go(self, ask: Ask) -> str:
        return await self.respond("GO", ask)

    @go.validator
    def may_go(self, ask: Ask) -> None:
        self.refuse_unless("GO")

    @workflow.signal
    def wake(self, how: str) -> None:
        self.woken = how


Errand = WorkflowHandle[ErrandWorkflow, list[str]]


@pytest.fixture
async def errand(temporal: Client, task_queue: str) -> AsyncGenerator[Errand]:
    async with Worker(
        temporal,
        task_queue=task_queue,
        workflows=[ErrandWorkflow],
        workflow_runner=UnsandboxedWorkflowRunner(),
    ):
        start = Start(id=uuid.uuid4().hex)
        yield await temporal.start_workflow(
            ErrandWorkflow.run, start, id=ERRAND.workflow_id(start), task_queue=task_queue
        )


def refusal(refused: pytest.ExceptionInfo[WorkflowUpdateFailedError]) -> tuple[str | None, str]:
    """Its code and its words."""
    cause = refused.value.cause
    assert isinstance(cause, ApplicationError)
    return cause.type, cause.message


async def test_a_command_is_answered_once_it_had_its_effect(errand: Errand) -> None:
    going = await errand.start_update(
        ErrandWorkflow.go, Ask(), wait_for_stage=WorkflowUpdateStage.ACCEPTED
    )
    standing = await errand.query(ErrandWorkflow.standing)
    assert standing == RunStatus(id=standing.id, rev=0, settled=0, state="at_home")
    await errand.signal(ErrandWorkflow.wake, "listen")
    assert await going.result() == "away"
    assert await errand.result() == ["at_home", "away", "shut"]


async def test_a_command_that_was_overtaken_has_lapsed_and_is_refused(errand: Errand) -> None:
    going = await errand.start_update(
        ErrandWorkflow.go, Ask(), wait_for_stage=WorkflowUpdateStage.ACCEPTED
    )
    await errand.signal(ErrandWorkflow.wake, "shut")
    with pytest.raises(WorkflowUpdateFailedError) as refused:
        await going.result()
    assert refusal(refused) == ("over", "It is over.")
    assert await errand.result() == ["at_home", "shut"]


async def test_while_one_command_waits_another_is_refused(errand: Errand) -> None:
    await errand.start_update(ErrandWorkflow.go, Ask(), wait_for_stage=WorkflowUpdateStage.ACCEPTED)
    with pytest.raises(WorkflowUpdateFailedError) as refused:
        await errand.execute_update(ErrandWorkflow.go, Ask())
    assert refusal(refused) == ("not_now", "Not now.")
    await errand.signal(ErrandWorkflow.wake, "shut")


async def test_a_cancel_in_temporals_page_ends_it_in_its_own_way(errand: Errand) -> None:
    await errand.query(ErrandWorkflow.standing)
    await errand.cancel()
    assert await errand.result() == ["at_home", "shut"]
