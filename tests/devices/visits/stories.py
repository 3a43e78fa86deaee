"""One visit for every branch, as the replay tests record them."""

import uuid
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

from temporalio.client import WorkflowHandle

from domain.devices.visits import Event, VisitMessage, VisitPolicy
from tests.devices.visits.factories import an_asked_visit
from tests.drivers.stage import Stage
from workflows.client import send_update
from workflows.visit import VisitWorkflow

Handle = WorkflowHandle[Any, Any]

QUICK = VisitPolicy(late=timedelta(milliseconds=50), look=timedelta(milliseconds=50))
SOON = QUICK.model_copy(update={"answer": timedelta(milliseconds=300)})
BRIEF = QUICK.model_copy(update={"lasts": timedelta(milliseconds=200)})


async def asked(stage: Stage, policy: VisitPolicy = QUICK) -> Handle:
    visit, start = await an_asked_visit(stage.sessions, policy)
    return await stage.client.start_workflow(
        VisitWorkflow.run, start, id=visit.workflow_id, task_queue=stage.task_queue
    )


async def answered(handle: Handle, event: Event) -> str:
    ask = VisitMessage(event=event, person_id="olivia")
    reply = await send_update(handle, VisitWorkflow.answer, ask, update_id=uuid.uuid4().hex)
    return reply.state


async def ended(handle: Handle) -> Handle:
    await handle.result()
    return handle


async def permitted(stage: Stage) -> Handle:
    handle = await asked(stage)
    await answered(handle, "PERMIT")
    return handle


async def permitted_and_ended(stage: Stage) -> Handle:
    handle = await permitted(stage)
    await answered(handle, "END")
    return await ended(handle)


async def permitted_and_over(stage: Stage) -> Handle:
    handle = await asked(stage, BRIEF)
    await answered(handle, "PERMIT")
    return await ended(handle)


async def refused(stage: Stage) -> Handle:
    handle = await asked(stage)
    await answered(handle, "REFUSE")
    return await ended(handle)


async def taken_back(stage: Stage) -> Handle:
    handle = await asked(stage)
    await answered(handle, "END")
    return await ended(handle)


async def lapsed(stage: Stage) -> Handle:
    return await ended(await asked(stage, SOON))


async def cancelled(stage: Stage) -> Handle:
    handle = await permitted(stage)
    await handle.cancel()
    return await ended(handle)


VISIT: dict[str, Callable[[Stage], Awaitable[Handle]]] = {
    "permitted-and-ended": permitted_and_ended,
    "permitted-and-over": permitted_and_over,
    "refused": refused,
    "taken-back": taken_back,
    "lapsed": lapsed,
    "cancelled": cancelled,
}
