"""The reconciler's rounds: what PostgreSQL shows is compared with what Temporal says, and put right where that is safe.

One activity for each kind of repair, so that one which fails keeps nobody else from theirs. All are idempotent: a repair
replaces the very row that was found wrong, and what is right is left alone.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import structlog
from sqlalchemy.ext.asyncio import AsyncSession
from temporalio import activity
from temporalio.client import (
    Client,
    WorkflowExecutionDescription,
    WorkflowExecutionStatus,
    WorkflowHandle,
    WorkflowQueryFailedError,
)
from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError, RPCStatusCode

from activities.identity import invitations
from activities.runs.begin import begin_or_join, begun_as
from db.base import Sessions
from db.billing import invoice_payments
from db.checkout import placements
from db.devices import visits
from db.operations import cases, operations, repairs
from db.operations.audit import record
from db.operations.repairs import Check, Due
from db.plans import purchase_starts
from domain.activation.activation import FirmwareMoved
from domain.base import Frozen
from domain.billing.invoice_payment import InvoicePaymentStart
from domain.checkout.placement import PlacementStart
from domain.devices.visits import VisitStart
from domain.firmware.firmware import FirmwareView
from domain.kinds import BY_NAME, INVOICE_PAYMENT, KINDS, PLACEMENT, VISIT
from domain.operations.operations import (
    MANY_TRIES,
    Pass,
    PendingActivity,
    Repair,
    Reproject,
    RunName,
    Standing,
)
from domain.operations.retrying import CANNOT_GO_ON, WORKFLOW_TASK
from domain.runs.projection import Projection

log = structlog.stdlib.get_logger()

Item = TypeVar("Item")
Found = TypeVar("Found")

AT_ONCE = 8
NOT_COMPARED = -1
"""No history is as short: the run is asked by the next round."""

ANSWER_WITHIN = timedelta(seconds=5)

_TYPES = ", ".join(f'"{kind.workflow}"' for kind in KINDS if kind.row == "flow")
SHOWING = f'ExecutionStatus = "Running" AND WorkflowType IN ({_TYPES}) AND TaskQueue = "{{queue}}"'
"""The open runs that have a row, of our own workers."""


class Bounds(Frozen):
    """How much one round may do. `grace` is how long a run may take to be seen, or to give up what it holds."""

    looked: int = 500
    asked: int = 60
    listed: int = 500
    grace: timedelta = timedelta(seconds=10)


class Compared(Frozen):
    """What came of one comparison of rows with runs."""

    looked: int = 0
    asked: int = 0
    repaired: dict[Repair, int] = {}


class Reprojection(Frozen):
    """A run's row as it should be, and the wrong one that it may replace."""

    projection: Projection
    wrong: Reproject


class InvitationReprojection(Frozen):
    standing: invitations.Standing
    wrong: Reproject


class ShowingActivities:
    """What a run writes of itself when it is asked to: short transactions, run as local activities."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    @activity.defn
    async def show_again(self, again: Reprojection) -> None:
        """Writes an open run's row again. Idempotent: only the wrong row, an older one or none is replaced."""
        async with self._sessions.begin() as session:
            await repairs.replace_projection(session, again.projection, again.wrong)

    @activity.defn
    async def show_invitation_again(self, again: InvitationReprojection) -> None:
        """The same for an open invitation."""
        right = again.standing
        async with self._sessions.begin() as session:
            await repairs.replace_invitation(
                session, right.id, again.wrong, rev=right.rev, state=right.state, at=right.at
            )


class ReconcilerActivities:
    def __init__(self, client: Client, sessions: Sessions, bounds: Bounds | None = None) -> None:
        self._client = client
        self._sessions = sessions
        self._bounds = bounds or Bounds()

    @activity.defn
    async def compare(self) -> Compared:
        """Looks at open rows and at their runs. A run whose row is wrong is told to show itself again; a row whose run is
        gone is ended. A run is asked itself only when it or its row has moved since the last time."""
        async with self._sessions() as session:
            due = await repairs.due_for_check(session, limit=self._bounds.looked)
        comparison = _Comparison(self._client, self._sessions, self._bounds.asked)
        checks = await _each(due, comparison.look)
        async with self._sessions.begin() as session:
            await repairs.keep_checks(session, [check for check in checks if check is not None])
        return Compared(looked=len(due), asked=comparison.asked, repaired=comparison.repaired)

    @activity.defn
    async def find_unseen(self) -> int:
        """Open runs that nobody can see are told to show themselves, and orders that were submitted and never begun are
        begun; answers how many."""
        young = datetime.now(UTC) - self._bounds.grace
        begun = (
            await self._begin_placements(young)
            + await self._begin_visits(young)
            + await self._begin_invoice_payments(young)
        )
        listed = [
            run
            async for run in self._client.list_workflows(
                SHOWING.format(queue=activity.info().task_queue), limit=self._bounds.listed
            )
            if run.start_time < young
        ]
        async with self._sessions() as session:
            hidden = await repairs.unseen(session, [run.id for run in listed])
        told = await _each(
            [run for run in listed if run.id in hidden],
            lambda run: _told(self._client.get_workflow_handle(run.id, run_id=run.run_id)),
        )
        return begun + sum(told)

    async def _begin_placements(self, before: datetime) -> int:
        async with self._sessions() as session:
            waiting = await placements.not_begun(session, before=before)
        for workflow_id, start in waiting:
            await _begin(self._client, self._sessions, workflow_id, start)
        return len(waiting)

    async def _begin_visits(self, before: datetime) -> int:
        async with self._sessions() as session:
            waiting = await visits.not_begun(session, before=before)
        return sum([await _begin_visit(self._client, self._sessions, start) for start in waiting])

    async def _begin_invoice_payments(self, before: datetime) -> int:
        async with self._sessions() as session:
            waiting = list(await invoice_payments.not_begun(session, before=before))
            for id_ in await invoice_payments.left_behind(session):
                start = await invoice_payments.start_in_place_of(session, id_)
                if start is not None:
                    waiting.append((INVOICE_PAYMENT.workflow_id(start), start))
        for workflow_id, start in waiting:
            await _begin_invoice_payment(self._client, workflow_id, start)
        return len(waiting)

    @activity.defn
    async def release_orphans(self) -> int:
        """Gives up devices that are held by runs which are over; answers how many."""
        old = datetime.now(UTC) - self._bounds.grace
        async with self._sessions() as session:
            found = await operations.orphans(session, limit=100)
        released = 0
        for orphan in found:
            if orphan.created_at > old or await self._is_under_way(orphan):
                continue
            async with self._sessions.begin() as session:
                released += await repairs.release_orphan(session, orphan.id)
        return released

    @activity.defn
    async def send_logs_again(self) -> int:
        """Wakes the relays for logs that they passed over; answers how many wait."""
        async with self._sessions.begin() as session:
            return await repairs.send_logs_again(session)

    @activity.defn
    async def settle_intents(self) -> int:
        """Closes effects whose outcome is known by now though nobody noted it; answers how many."""
        async with self._sessions.begin() as session:
            return await repairs.settle_intents(session)

    @activity.defn
    async def free_claims(self) -> int:
        """Frees what dead API processes had begun; answers how many requests."""
        async with self._sessions.begin() as session:
            return await repairs.free_claims(session)

    @activity.defn
    async def keep_pass(self, done: Pass) -> None:
        """Notes the round, for the operators' page."""
        async with self._sessions.begin() as session:
            await operations.keep_pass(session, done)

    async def _is_under_way(self, orphan: operations.Orphan) -> bool:
        """Whether the run that took the device is still there; one run of that name may follow another."""
        described = await _describe(self._client.get_workflow_handle(orphan.workflow_id))
        if described is None or described.status is not WorkflowExecutionStatus.RUNNING:
            return False
        standing = await _ask(self._client.get_workflow_handle(orphan.workflow_id))
        return standing is None or standing.id == orphan.flow_id


_IN_PLACE: Mapping[RunName, Callable[[AsyncSession, str], Awaitable[Any]]] = {
    "purchase": purchase_starts.start_in_place_of,
    "case": cases.start_in_place_of,
    "invoice_payment": invoice_payments.start_in_place_of,
}
"""Kinds of which a run that is gone goes on as another: what its start is then."""


class _Comparison:
    """Rows beside their runs, in one round."""

    def __init__(self, client: Client, sessions: Sessions, may_ask: int) -> None:
        self._client = client
        self._sessions = sessions
        self._may_ask = may_ask
        self.asked = 0
        self.repaired: dict[Repair, int] = {}

    async def look(self, due: Due) -> Check | None:
        """What was found, to be remembered; nothing of a run that is gone."""
        handle = self._client.get_workflow_handle(due.workflow_id)
        described = await _describe(handle)
        if described is None or described.status is not WorkflowExecutionStatus.RUNNING:
            return await self._lost(due)
        found = Check(
            run=due.id,
            kind=due.kind,
            temporal_run=described.run_id,
            events=described.history_length,
            rev=due.rev,
            row_at=due.updated_at,
            pending=_often_tried(described),
        )
        if any(one.activity == WORKFLOW_TASK for one in found.pending):
            return found.model_copy(update={"events": NOT_COMPARED})
        if not due.is_new and (due.temporal_run, due.events) == (found.temporal_run, found.events):
            return found
        if self.asked < self._may_ask:
            self.asked += 1
            if await self._is_right(due, handle):
                return found
        return found.model_copy(update={"events": NOT_COMPARED})

    async def _is_right(self, due: Due, handle: WorkflowHandle[object, object]) -> bool:
        standing = await _ask(handle)
        if standing is None or standing.settled != standing.rev:
            return False
        if standing.id != due.id:
            # Another run bears the name by now.
            await self._lost(due)
            return False
        async with self._sessions() as session:
            row = await repairs.row_of(session, due.kind, due.id)
        if row is None or row.over_rev is None:
            return False
        if (row.over_rev, row.over_at) == (due.rev, due.updated_at) and _agree(due, standing):
            return True
        if row.over_rev >= standing.rev:
            # It may have moved on between the question and the look.
            again = await _ask(handle)
            if again is None or again.rev != standing.rev or again.settled != again.rev:
                return False
            if row.over_rev == standing.rev and row.over_at != due.updated_at:
                return False
        if await _told(handle, row):
            self._count(Repair.PROJECTION)
        return False

    async def _lost(self, due: Due) -> None:
        if due.kind == "placement" and await self._taken_up_again(due):
            return
        if due.kind in _IN_PLACE and await self._goes_on(due):
            return
        async with self._sessions.begin() as session:
            if not await repairs.give_up(session, due):
                return
            if due.kind == "purchase":
                await cases.open_lost(session, due.id)
        self._count(Repair.LOST)
        log.warning("a run was gone", kind=due.kind, run=due.id)
        if due.kind == "firmware":
            await self._tell_activation(due)

    async def _taken_up_again(self, due: Due) -> bool:
        """A placement whose run is gone goes on as another: money and goods may be held. False when it had ended."""
        async with self._sessions() as session:
            start = await placements.start_in_place_of(session, due.id)
        if start is None or start.rev_from != due.rev + 1:
            return start is not None
        await _begin(self._client, self._sessions, due.workflow_id, start)
        self._count(Repair.BEGUN)
        return True

    async def _goes_on(self, due: Due) -> bool:
        """A run that is gone goes on as another, under the same keys. False for a purchase that was begun before its start
        was kept."""
        async with self._sessions() as session:
            start = await _IN_PLACE[due.kind](session, due.id)
        if start is None or start.rev_from != due.rev + 1:
            return start is not None
        kind = BY_NAME[due.kind]
        await begin_or_join(
            self._client,
            kind,
            start,
            task_queue=activity.info().task_queue,
            workflow_id=due.workflow_id,
            anew=True,
            rpc_timeout=ANSWER_WITHIN,
        )
        self._count(Repair.GONE_ON)
        log.warning("a run goes on as another", kind=due.kind, run=due.id)
        async with self._sessions.begin() as session:
            await record(session, Repair.GONE_ON, actor=repairs.RECONCILER, on=(due.kind, due.id))
        return True

    async def _tell_activation(self, due: Due) -> None:
        """An activation that waits for a firmware run would wait for ever: it is told of its end."""
        async with self._sessions() as session:
            shown = await operations.find_run(session, "firmware", due.id)
            if shown is None:
                return
            holders = await repairs.activations_of(session, shown.subject)
        view = FirmwareView(
            run_id=due.id, state=shown.state, since=shown.updated_at, error=shown.error
        )
        for workflow_id in holders:
            with suppress(RPCError):
                await self._client.get_workflow_handle(workflow_id).signal(
                    "firmware_progress", FirmwareMoved(id=f"{due.id}-lost", firmware=view)
                )

    def _count(self, repair: Repair) -> None:
        self.repaired[repair] = self.repaired.get(repair, 0) + 1


async def _begin(
    client: Client, sessions: Sessions, workflow_id: str, start: PlacementStart
) -> None:
    """Begun once: one that runs is left alone."""
    await begin_or_join(
        client,
        PLACEMENT,
        start,
        task_queue=activity.info().task_queue,
        workflow_id=workflow_id,
        anew=True,
        rpc_timeout=ANSWER_WITHIN,
    )
    log.warning("a placement was taken up", run=start.token, resumed=start.resume is not None)
    async with sessions.begin() as session:
        await record(session, Repair.BEGUN, actor=repairs.RECONCILER, on=("placement", start.token))


async def _begin_invoice_payment(
    client: Client, workflow_id: str, start: InvoicePaymentStart
) -> None:
    """Begun once: one that runs is left alone. One that was ended from outside before it was shown has done nothing yet."""
    await begin_or_join(
        client,
        INVOICE_PAYMENT,
        start,
        task_queue=activity.info().task_queue,
        workflow_id=workflow_id,
        anew=True,
        rpc_timeout=ANSWER_WITHIN,
    )
    log.warning("a payment of invoices was taken up", run=start.id)


async def _begin_visit(client: Client, sessions: Sessions, start: VisitStart) -> bool:
    """Begun once: one that runs, or has run, is left alone."""
    try:
        await client.start_workflow(  # pyright: ignore[reportUnknownMemberType] one overload of the SDK is open
            VISIT.workflow,
            start,
            id=VISIT.workflow_id(start),
            task_queue=activity.info().task_queue,
            id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
            rpc_timeout=ANSWER_WITHIN,
            **begun_as(VISIT, start),
        )
    except WorkflowAlreadyStartedError:
        return False
    log.warning("a visit was taken up", visit=start.id)
    async with sessions.begin() as session:
        await record(session, Repair.VISIT_BEGUN, actor=repairs.RECONCILER, on=("visit", start.id))
    return True


def _agree(due: Due, standing: Standing) -> bool:
    return (due.rev, due.state) == (standing.rev, standing.state)


async def _told(handle: WorkflowHandle[object, object], wrong: Reproject | None = None) -> bool:
    """Asks a run to show itself again; one that ended meanwhile has done so."""
    try:
        await handle.signal("reproject", wrong or Reproject(), rpc_timeout=ANSWER_WITHIN)
    except RPCError as error:
        if error.status is RPCStatusCode.NOT_FOUND:
            return False
        raise
    return True


async def _ask(handle: WorkflowHandle[object, object]) -> Standing | None:
    """What the run says of itself; nothing when no worker answers for it in time."""
    try:
        return await handle.query(
            "standing",
            result_type=Standing,
            rpc_timeout=ANSWER_WITHIN,
        )
    except WorkflowQueryFailedError:
        return None
    except RPCError as error:
        if error.status in (RPCStatusCode.NOT_FOUND, RPCStatusCode.DEADLINE_EXCEEDED):
            return None
        raise


async def _describe(
    handle: WorkflowHandle[object, object],
) -> WorkflowExecutionDescription | None:
    """None for a run that Temporal does not know."""
    try:
        return await handle.describe(rpc_timeout=ANSWER_WITHIN)
    except RPCError as error:
        if error.status is RPCStatusCode.NOT_FOUND:
            return None
        raise


def _often_tried(described: WorkflowExecutionDescription) -> tuple[PendingActivity, ...]:
    """Activities, and the run's own next step."""
    task = described.raw_description.pending_workflow_task
    own = (PendingActivity(activity=WORKFLOW_TASK, attempt=task.attempt, failure=CANNOT_GO_ON),) * (
        task.attempt > MANY_TRIES
    )
    return own + tuple(
        PendingActivity(
            activity=pending.activity_type.name,
            attempt=pending.attempt,
            failure=pending.last_failure.message or None,
            next_at=pending.scheduled_time.ToDatetime(tzinfo=UTC)
            if pending.HasField("scheduled_time")
            else None,
        )
        for pending in described.raw_description.pending_activities
        if pending.attempt > MANY_TRIES
    )


async def _each(items: Sequence[Item], work: Callable[[Item], Awaitable[Found]]) -> Iterable[Found]:
    """The work for each, a few at once. The first error ends it all."""
    places = asyncio.Semaphore(AT_ONCE)

    async def one(item: Item) -> Found:
        async with places:
            return await work(item)

    async with asyncio.TaskGroup() as tasks:
        begun = [tasks.create_task(one(item)) for item in items]
    return [task.result() for task in begun]
