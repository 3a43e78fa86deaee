"""Rows beside their runs, in one round of the reconciler."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

import structlog
from sqlalchemy.ext.asyncio import AsyncSession
from temporalio.client import (
    Client,
    WorkflowExecutionDescription,
    WorkflowExecutionStatus,
    WorkflowHandle,
    WorkflowQueryFailedError,
)
from temporalio.service import RPCError, RPCStatusCode

from activities.operations.taking_up import ANSWER_WITHIN, Waiting, take_up
from activities.runs.failures import NOT_IN_TIME, pending_of
from db.base import Sessions, reading
from db.billing import lost_invoice_payments
from db.checkout import placements
from db.operations import repairs
from db.operations.cases import opening, starts
from db.operations.repairs import Check, Due
from db.plans import purchase_starts
from db.runs import flows
from domain.activation.lost_firmware import end_of
from domain.kinds import BY_NAME
from domain.operations.operations import (
    MANY_TRIES,
    PendingActivity,
    Repair,
    Reproject,
    RunName,
    RunStatus,
)
from domain.operations.retrying import CANNOT_GO_ON, WORKFLOW_TASK
from providers.security.payloads import SealBroken

log = structlog.stdlib.get_logger()

UNANSWERED = 10
"""As many questions a run costs that does not answer: where no worker is left for some, a round still comes to those that
are gone."""
UNHEARD = NOT_IN_TIME | {RPCStatusCode.NOT_FOUND, RPCStatusCode.FAILED_PRECONDITION}
"""What Temporal says for a run that is gone, that does not answer, or whose workers are gone for minutes."""
NOT_COMPARED = -1
"""No history is as short: the run is asked by the next round."""


_IN_PLACE: Mapping[RunName, Callable[[AsyncSession, str], Awaitable[Any]]] = {
    "placement": placements.start_in_place_of,
    "purchase": purchase_starts.start_in_place_of,
    "case": starts.start_in_place_of,
    "invoice_payment": lost_invoice_payments.start_in_place_of,
}
"""Kinds of which a run that is gone goes on as another: what its start is then."""


class Questions:
    """To runs, in one round: so many and no more."""

    def __init__(self, left: int) -> None:
        self.left = left

    async def ask(self, handle: WorkflowHandle[object, object]) -> RunStatus | None:
        """What the run says of itself; nothing when it does not answer, or no question is left."""
        if self.left <= 0:
            return None
        self.left -= 1
        status = await ask(handle)
        if status is None:
            self.left -= UNANSWERED
        return status


class Comparison:
    """Rows beside their runs, in one round."""

    def __init__(self, client: Client, sessions: Sessions, questions: Questions) -> None:
        self._client = client
        self._sessions = sessions
        self._questions = questions
        self.asked = 0
        self.repaired: dict[Repair, int] = {}

    async def look(self, due: Due) -> Check | None:
        """What was found, to be remembered; nothing of a run that is gone."""
        handle = self._client.get_workflow_handle(due.workflow_id)
        described = await describe(handle)
        if described is None or described.status is not WorkflowExecutionStatus.RUNNING:
            return await self._lost(due)
        found = Check(
            run=due.id,
            kind=due.kind,
            temporal_run=described.run_id,
            events=described.history_length,
            rev=due.rev,
            row_at=due.updated_at,
            pending=await _often_tried(self._client, described),
        )
        if any(one.activity == WORKFLOW_TASK for one in found.pending):
            return found.model_copy(update={"events": NOT_COMPARED})
        if not due.is_new and (due.temporal_run, due.events) == (found.temporal_run, found.events):
            return found
        if self._questions.left > 0:
            self.asked += 1
            if await self._is_right(due, handle):
                return found
        return found.model_copy(update={"events": NOT_COMPARED})

    async def _is_right(self, due: Due, handle: WorkflowHandle[object, object]) -> bool:
        status = await self._questions.ask(handle)
        if status is None or status.settled != status.rev:
            return False
        if status.id != due.id:
            # Another run bears the name by now.
            await self._lost(due)
            return False
        async with reading(self._sessions) as session:
            row = await repairs.row_of(session, due.kind, due.id)
        if row is None or row.over_rev is None:
            return False
        if (row.over_rev, row.over_at) == (due.rev, due.updated_at) and _agree(due, status):
            return True
        if row.over_rev >= status.rev:
            # It may have moved on between the question and the look.
            again = await ask(handle)
            if again is None or again.rev != status.rev or again.settled != again.rev:
                return False
            if row.over_rev == status.rev and row.over_at != due.updated_at:
                return False
        if await ask_to_publish(handle, row):
            self._count(Repair.PROJECTION)
        return False

    async def _lost(self, due: Due) -> None:
        if due.kind in _IN_PLACE and await self._goes_on(due):
            return
        async with self._sessions.begin() as session:
            if not await repairs.give_up(session, due):
                return
            if due.kind == "purchase":
                await opening.open_lost(session, due.id)
        self._count(Repair.LOST)
        log.warning("a run was gone", kind=due.kind, run=due.id)
        if due.kind == "firmware":
            await self._notify_activation(due)

    async def _goes_on(self, due: Due) -> bool:
        """A run that is gone goes on as another, under the same keys: money and goods may be held. False for a placement that
        had ended, and a purchase that was begun before its start was kept."""
        async with reading(self._sessions) as session:
            start = await _IN_PLACE[due.kind](session, due.id)
        if start is None or start.rev_from != due.rev + 1:
            return start is not None
        waiting = Waiting(BY_NAME[due.kind], due.id, start, due.workflow_id)
        repair = await take_up(self._client, self._sessions, waiting)
        if repair is not None:
            self._count(repair)
        return True

    async def _notify_activation(self, due: Due) -> None:
        """An activation that waits for a firmware run would wait for ever: it is told of its end."""
        async with reading(self._sessions) as session:
            shown = await flows.find_flow(session, "firmware", due.id)
            if shown is None:
                return
            progress = end_of(shown)
            owner = await flows.find_owner(session, "firmware", due.id)
            key = owner.device_key if owner else None
            holders = await repairs.activations_of(session, key) if key else ()
        for workflow_id in holders:
            with suppress(RPCError):
                await self._client.get_workflow_handle(workflow_id).signal(
                    "firmware_progress", progress, rpc_timeout=ANSWER_WITHIN
                )

    def _count(self, repair: Repair) -> None:
        self.repaired[repair] = self.repaired.get(repair, 0) + 1


def _agree(due: Due, status: RunStatus) -> bool:
    return (due.rev, due.state) == (status.rev, status.state)


async def ask_to_publish(
    handle: WorkflowHandle[object, object], wrong: Reproject | None = None
) -> bool:
    """Asks a run to show itself again; one that ended meanwhile has done so."""
    try:
        await handle.signal("reproject", wrong or Reproject(), rpc_timeout=ANSWER_WITHIN)
    except RPCError as error:
        if error.status is RPCStatusCode.NOT_FOUND:
            return False
        raise
    return True


async def ask(handle: WorkflowHandle[object, object]) -> RunStatus | None:
    """What the run says of itself; nothing when no worker answers for it in time, or under a key that is not here."""
    try:
        return await handle.query(
            "standing",
            result_type=RunStatus,
            rpc_timeout=ANSWER_WITHIN,
        )
    except (WorkflowQueryFailedError, SealBroken):
        return None
    except RPCError as error:
        if error.status in UNHEARD:
            return None
        raise


async def describe(
    handle: WorkflowHandle[object, object],
) -> WorkflowExecutionDescription | None:
    """None for a run that Temporal does not know."""
    try:
        return await handle.describe(rpc_timeout=ANSWER_WITHIN)
    except RPCError as error:
        if error.status is RPCStatusCode.NOT_FOUND:
            return None
        raise


async def _often_tried(
    client: Client, described: WorkflowExecutionDescription
) -> tuple[PendingActivity, ...]:
    """Activities, and the run's own next step."""
    task = described.raw_description.pending_workflow_task
    own = (PendingActivity(activity=WORKFLOW_TASK, attempt=task.attempt, failure=CANNOT_GO_ON),) * (
        task.attempt > MANY_TRIES
    )
    return (
        *own,
        *[
            await pending_of(client, pending)
            for pending in described.raw_description.pending_activities
            if pending.attempt > MANY_TRIES
        ],
    )
