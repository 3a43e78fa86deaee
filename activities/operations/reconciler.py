"""The reconciler's rounds: what PostgreSQL shows is compared with what Temporal says, and put right where that is safe.

One activity for each kind of repair, so that one which fails keeps nobody else from theirs. All are idempotent: a repair
replaces the very row that was found wrong, and what is right is left alone.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import structlog
from temporalio import activity
from temporalio.client import (
    Client,
    WorkflowExecution,
    WorkflowExecutionAsyncIterator,
    WorkflowExecutionStatus,
)
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError

from activities.devices.changes import LostChanges
from activities.operations.comparison import Comparison, Questions, ask_to_publish, describe
from activities.operations.lost_rows import LostRows, lost_bank_verifications, lost_visits
from activities.operations.taking_up import (
    ANSWER_WITHIN,
    CannotRead,
    Waiting,
    take_up,
    untouched_start,
)
from db.base import Sessions, reading
from db.billing import lost_invoice_payments
from db.checkout import placements
from db.devices import visits
from db.operations import loose_ends, repairs, rounds
from db.operations.cases import starts
from db.plans import purchase_starts
from domain.base import Frozen
from domain.firmware.firmware import FirmwareStart
from domain.kinds import CASE, FIRMWARE, INVOICE_PAYMENT, KINDS, PLACEMENT, PURCHASE, VISIT
from domain.operations.operations import Orphan, Pass, Repair
from domain.runs.kind import RunKind
from providers.device_network.device_cloud import DeviceCloud

log = structlog.stdlib.get_logger()

Item = TypeVar("Item")
Found = TypeVar("Found")

AT_ONCE = 8
_TYPES = ", ".join(f'"{kind.workflow}"' for kind in KINDS if kind.row == "flow")
SHOWING = f'ExecutionStatus = "Running" AND WorkflowType IN ({_TYPES}) AND TaskQueue = "{{queue}}"'
"""The open runs that have a row, of our own workers."""
ENDED = 'ExecutionStatus = "Terminated" AND WorkflowType = "{type}" AND TaskQueue = "{queue}" AND CloseTime > "{since}"'
"""The runs of one kind that were ended from outside."""


class Bounds(Frozen):
    """How much one round may do; `visits` is how many of the open ones it describes, by lot. `grace` is how long a run may
    take to be seen, or to give up what it holds; `back` how long after its end a run is looked for that nobody has seen."""

    looked: int = 500
    asked: int = 60
    visits: int = 100
    listed: int = 500
    grace: timedelta = timedelta(seconds=10)
    back: timedelta = timedelta(days=1)
    accounts: int = 100
    """How many bank accounts that are being verified it describes, others in the next."""


class Compared(Frozen):
    """What came of one comparison of rows with runs."""

    looked: int = 0
    asked: int = 0
    repaired: dict[Repair, int] = {}


class ReconcilerActivities:
    def __init__(
        self,
        client: Client,
        sessions: Sessions,
        device_cloud: DeviceCloud,
        bounds: Bounds | None = None,
    ) -> None:
        self._client = client
        self._sessions = sessions
        self._changes = LostChanges(device_cloud, sessions)
        self._bounds = bounds or Bounds()

    @activity.defn
    async def compare(self) -> Compared:
        """Looks at open rows and at their runs. A run whose row is wrong is told to show itself again; a row, a service visit or
        the verification of a bank account whose run is gone is ended. A run is asked itself only when it or its row has moved
        since the last time."""
        async with reading(self._sessions) as session:
            due = await repairs.due_for_check(session, limit=self._bounds.looked)
        questions = Questions(self._bounds.asked)
        comparison = Comparison(self._client, self._sessions, questions)
        checks = await _each(due, comparison.look)
        async with self._sessions.begin() as session:
            await repairs.save_checks(session, [check for check in checks if check is not None])
        bounds, over = self._bounds, 0
        rows: tuple[LostRows[Any], ...] = (
            lost_visits(self._client, self._sessions, limit=bounds.visits),
            lost_bank_verifications(self._client, self._sessions, limit=bounds.accounts),
        )
        for lost in rows:
            over += await self._over(lost)
        repaired = Counter(comparison.repaired) + Counter({Repair.LOST: over})
        return Compared(looked=len(due), asked=comparison.asked, repaired=dict(repaired))

    async def _over(self, lost: LostRows[Any]) -> int:
        return sum(await _each(await lost.begun(), lost.look))

    @activity.defn
    async def find_unseen(self) -> int:
        """Open runs that nobody can see are told to show themselves. What was submitted and no run has shown yet is begun,
        whether it never was or was ended from outside before that; answers how many. Raises ApplicationError, after all that
        could be done, where the history of one that was ended cannot be read."""
        young = datetime.now(UTC) - self._bounds.grace
        # What needs our own rows alone does not wait for what Temporal has to be asked for.
        done = await self._begun([*await self._submitted(young), *await self._left_behind()])
        done += await self._begun(await self._ended_purchases())
        done += await self._ask_unseen(young)
        updates, unread = await self._ended_firmware()
        done += await self._begun(updates)
        if unread:
            raise ApplicationError(f"Cannot be read: {', '.join(unread)}", non_retryable=True)
        return done

    async def _ask_unseen(self, before: datetime) -> int:
        """How many open runs that have no row."""
        shown = SHOWING.format(queue=activity.info().task_queue)
        listed = [run async for run in self._listed(shown) if run.start_time < before]
        async with reading(self._sessions) as session:
            hidden = await repairs.unseen(session, [run.id for run in listed])
        asked = await _each(
            [run for run in listed if run.id in hidden],
            lambda run: ask_to_publish(self._client.get_workflow_handle(run.id, run_id=run.run_id)),
        )
        return sum(asked)

    async def _begun(self, waiting: Sequence[Waiting]) -> int:
        """How many of them."""
        taken = [await take_up(self._client, self._sessions, one) for one in waiting]
        return sum(one is not None for one in taken)

    async def _submitted(self, before: datetime) -> list[Waiting]:
        """What is kept before its run begins, and is seen to be open from then on."""
        async with reading(self._sessions) as session:
            orders = await placements.not_begun(session, before=before)
            asked = await visits.not_begun(session, before=before)
            paid = await lost_invoice_payments.not_begun(session, before=before)
            opened = await starts.not_shown(session, before=before)
        return [
            *(Waiting(PLACEMENT, start.token, start, name) for name, start in orders),
            *(Waiting(VISIT, start.id, start) for start in asked),
            *(Waiting(INVOICE_PAYMENT, start.id, start, name) for name, start in paid),
            *(Waiting(CASE, start.id, start) for start in opened),
        ]

    async def _left_behind(self) -> list[Waiting]:
        """Payments of invoices whose run was given up: those of which nothing was asked yet are cancelled, the others go on."""
        async with reading(self._sessions) as session:
            left = [
                start
                for id_ in await lost_invoice_payments.left_behind(session)
                if (start := await lost_invoice_payments.start_in_place_of(session, id_))
                is not None
            ]
        waiting: list[Waiting] = []
        for start in left:
            if start.resume is None or not start.resume.is_untouched:
                waiting.append(Waiting(INVOICE_PAYMENT, start.id, start))
                continue
            async with self._sessions.begin() as session:
                await lost_invoice_payments.cancel_left_behind(session, start)
            log.warning("a payment that was given up was cancelled", payment_id=start.id)
        return waiting

    async def _ended_purchases(self) -> list[Waiting]:
        """Only those that Temporal had taken: whose start it never knew of, its buyer was refused, and may have bought again."""
        ended = await self._ended(PURCHASE)
        ids = {run.id.removeprefix(f"{PURCHASE.id_prefix}-") for run in ended}
        async with reading(self._sessions) as session:
            starts = await purchase_starts.not_shown(session, ids) if ids else ()
        return [Waiting(PURCHASE, start.id, start) for start in starts]

    async def _ended_firmware(self) -> tuple[list[Waiting], list[str]]:
        """Those that an activation waits for and that no other has followed for their device; and the names of those that
        cannot be read. No row has what they were begun with; their history has, and says that nothing was sent to the device."""
        ended = await self._ended(FIRMWARE)
        async with reading(self._sessions) as session:
            shown = await repairs.shown(session, [run.id for run in ended]) if ended else ()
        unseen = [run for run in ended if run.run_id not in shown]
        unread: list[str] = []

        async def start_of(run: WorkflowExecution) -> FirmwareStart | None:
            try:
                return await self._awaited_start(run)
            except (CannotRead, RPCError) as error:
                log.warning("a run that was ended cannot be read", run=run.id, error=str(error))
                unread.append(run.id)
                return None

        starts = [start for start in await _each(unseen, start_of) if start is not None]
        return [Waiting(FIRMWARE, start.run_id, start) for start in starts], unread

    async def _awaited_start(self, run: WorkflowExecution) -> FirmwareStart | None:
        """Nothing where it is not the latest of its device, or its activation is over: one that was begun under its name since
        has not asked for it. Raises CannotRead, RPCError."""
        latest = await describe(self._client.get_workflow_handle(run.id))
        if latest is None or latest.run_id != run.run_id:
            return None
        handle = self._client.get_workflow_handle(run.id, run_id=run.run_id)
        start = await untouched_start(self._client, handle, FirmwareStart)
        if start is None or start.notify is None:
            return None
        waits = await describe(self._client.get_workflow_handle(start.notify))
        if waits is None or waits.status is not WorkflowExecutionStatus.RUNNING:
            return None
        return start if waits.start_time <= run.start_time else None

    async def _ended(self, kind: RunKind[Any]) -> list[WorkflowExecution]:
        """Its runs that were ended from outside not long ago."""
        since = datetime.now(UTC) - self._bounds.back
        query = ENDED.format(
            type=kind.workflow, queue=activity.info().task_queue, since=since.isoformat()
        )
        return [run async for run in self._listed(query)]

    def _listed(self, query: str) -> WorkflowExecutionAsyncIterator:
        return self._client.list_workflows(
            query, limit=self._bounds.listed, rpc_timeout=ANSWER_WITHIN
        )

    @activity.defn
    async def release_orphans(self) -> int:
        """Gives up devices that are held by runs which are over; answers how many. In another order each time: where some
        runs answer nobody, each of the others is asked in one of the next rounds."""
        old = datetime.now(UTC) - self._bounds.grace
        async with reading(self._sessions) as session:
            found = await rounds.orphans(session, limit=100)
        waiting = [orphan for orphan in found if orphan.created_at <= old]
        random.shuffle(waiting)
        questions = Questions(self._bounds.asked)
        return sum(await _each(waiting, lambda orphan: self._released(orphan, questions)))

    async def _released(self, orphan: Orphan, questions: Questions) -> bool:
        if await self._is_under_way(orphan, questions):
            return False
        async with self._sessions.begin() as session:
            return await loose_ends.release_orphan(session, orphan.id)

    @activity.defn
    async def send_logs_again(self) -> int:
        """Wakes the relays for logs that they passed over; answers how many wait."""
        async with self._sessions.begin() as session:
            return await loose_ends.send_logs_again(session)

    @activity.defn
    async def settle_intents(self) -> int:
        """Closes effects whose outcome is known by now though nobody noted it, and records the changes of devices that nobody
        recorded; answers how many."""
        async with self._sessions.begin() as session:
            closed = await loose_ends.complete_intents(session)
        return closed + await self._changes.complete()

    @activity.defn
    async def free_claims(self) -> int:
        """Frees what dead API processes had begun; answers how many requests."""
        async with self._sessions.begin() as session:
            return await loose_ends.free_claims(session)

    @activity.defn(name="keep_pass")
    async def save_pass(self, done: Pass) -> None:
        """Notes the round, for the operators' page."""
        async with self._sessions.begin() as session:
            await rounds.save_pass(session, done)

    async def _is_under_way(self, orphan: Orphan, questions: Questions) -> bool:
        """Whether the run that took the device is, or may be, still there; one run of that name may follow another."""
        described = await describe(self._client.get_workflow_handle(orphan.workflow_id))
        if described is None or described.status is not WorkflowExecutionStatus.RUNNING:
            return False
        standing = await questions.ask(self._client.get_workflow_handle(orphan.workflow_id))
        return standing is None or standing.id == orphan.flow_id


async def _each(items: Sequence[Item], work: Callable[[Item], Awaitable[Found]]) -> Iterable[Found]:
    """The work for each, a few at once. The first error ends it all."""
    places = asyncio.Semaphore(AT_ONCE)

    async def one(item: Item) -> Found:
        async with places:
            return await work(item)

    async with asyncio.TaskGroup() as tasks:
        begun = [tasks.create_task(one(item)) for item in items]
    return [task.result() for task in begun]
