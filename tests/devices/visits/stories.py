"""One visit for every branch, as the replay tests record them."""

import uuid
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from temporalio.client import WorkflowHandle

from db.devices.visits import ask_visit
from domain.devices.ownership import Party
from domain.devices.visits import Event, Visit, VisitAsk, VisitPolicy, VisitStart
from tests.drivers.factories import a_dealer, an_installer, an_owner
from tests.drivers.stage import Stage, a_device_key
from workflows import ids
from workflows.client import send_update
from workflows.visit import VisitWorkflow

Handle = WorkflowHandle[Any, Any]

QUICK = VisitPolicy(late=timedelta(milliseconds=50), look=timedelta(milliseconds=50))
SOON = QUICK.model_copy(update={"answer": timedelta(milliseconds=300)})
BRIEF = QUICK.model_copy(update={"lasts": timedelta(milliseconds=200)})


async def kept(stage: Stage, policy: VisitPolicy = QUICK) -> VisitStart:
    """A request that no run has taken up yet."""
    owner, visitor = await an_owner(stage.sessions), await an_installer(stage.sessions)
    dealer = await a_dealer(stage.sessions)
    visit_id, now = uuid.uuid4().hex, datetime.now(UTC)
    start = VisitStart(
        id=visit_id,
        device_key=a_device_key(),
        visitor_id=visitor.id,
        visitor_dealer_id=visitor.dealer_id or dealer.id,
        owner=Party(dealer_id=owner.dealer_id),
        site="ca",
        expires_at=now + policy.answer,
        portal_url="http://portal.test",
        policy=policy,
    )
    visit = Visit(
        id=visit_id,
        workflow_id=ids.visit_id(visit_id),
        device_key=start.device_key,
        visitor_id=start.visitor_id,
        visitor_dealer_id=start.visitor_dealer_id,
        visitor_name=visitor.name,
        visitor_business="Prairie Remote Start",
        owner_dealer_id=owner.dealer_id,
        owner_partner_code=None,
        owner_person_id=None,
        reason="the siren",
        state="waiting",
        rev=0,
        answered_by=None,
        asked_at=now,
        expires_at=start.expires_at,
        updated_at=now,
        ended_at=None,
    )
    async with stage.sessions.begin() as session:
        await ask_visit(session, visit, start)
    return start


async def asked(stage: Stage, policy: VisitPolicy = QUICK) -> Handle:
    start = await kept(stage, policy)
    return await stage.client.start_workflow(
        VisitWorkflow.run, start, id=ids.visit_id(start.id), task_queue=stage.task_queue
    )


async def told(handle: Handle, event: Event) -> str:
    ask = VisitAsk(event=event, person_id="olivia")
    reply = await send_update(handle, VisitWorkflow.answer, ask, update_id=uuid.uuid4().hex)
    return reply.state


async def ended(handle: Handle) -> Handle:
    await handle.result()
    return handle


async def permitted(stage: Stage) -> Handle:
    handle = await asked(stage)
    await told(handle, "PERMIT")
    return handle


async def permitted_and_ended(stage: Stage) -> Handle:
    handle = await permitted(stage)
    await told(handle, "END")
    return await ended(handle)


async def permitted_and_over(stage: Stage) -> Handle:
    handle = await asked(stage, BRIEF)
    await told(handle, "PERMIT")
    return await ended(handle)


async def refused(stage: Stage) -> Handle:
    handle = await asked(stage)
    await told(handle, "REFUSE")
    return await ended(handle)


async def taken_back(stage: Stage) -> Handle:
    handle = await asked(stage)
    await told(handle, "END")
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
