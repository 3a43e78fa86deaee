"""The reconciler's rounds: what PostgreSQL shows is compared with what Temporal says, and put right where that is safe.

One activity for each kind of repair, so that one which fails keeps nobody else from theirs. All are idempotent: a repair
replaces the very row that was found wrong, and what is right is left alone.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import structlog
from temporalio import activity
from temporalio.client import Client, WorkflowExecutionStatus

from activities.operations.comparison import Comparison, Questions, describe, tell
from activities.operations.taking_up import (
    begin_case,
    begin_invoice_payment,
    begin_placement,
    begin_purchase,
    begin_visit,
)
from db.base import Sessions
from db.billing import invoice_payments
from db.checkout import placements
from db.devices import visits
from db.operations import cases, repairs, rounds
from db.plans import purchase_starts
from domain.base import Frozen
from domain.kinds import INVOICE_PAYMENT, KINDS, PURCHASE
from domain.operations.operations import Orphan, Pass, Repair

log = structlog.stdlib.get_logger()

Item = TypeVar("Item")
Found = TypeVar("Found")

AT_ONCE = 8
_TYPES = ", ".join(f'"{kind.workflow}"' for kind in KINDS if kind.row == "flow")
SHOWING = f'ExecutionStatus = "Running" AND WorkflowType IN ({_TYPES}) AND TaskQueue = "{{queue}}"'
"""The open runs that have a row, of our own workers."""
ENDED = f'ExecutionStatus = "Terminated" AND WorkflowType = "{PURCHASE.workflow}" AND TaskQueue = "{{queue}}" AND CloseTime > "{{since}}"'
"""The purchases that were ended from outside."""


class Bounds(Frozen):
    """How much one round may do. `grace` is how long a run may take to be seen, or to give up what it holds;
    `back` how long after its end a purchase is looked for that nobody has seen."""

    looked: int = 500
    asked: int = 60
    listed: int = 500
    grace: timedelta = timedelta(seconds=10)
    back: timedelta = timedelta(days=1)


class Compared(Frozen):
    """What came of one comparison of rows with runs."""

    looked: int = 0
    asked: int = 0
    repaired: dict[Repair, int] = {}


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
        questions = Questions(self._bounds.asked)
        comparison = Comparison(self._client, self._sessions, questions)
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
            + await self._begin_cases(young)
            + await self._begin_purchases()
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
            lambda run: tell(self._client.get_workflow_handle(run.id, run_id=run.run_id)),
        )
        return begun + sum(told)

    async def _begin_placements(self, before: datetime) -> int:
        async with self._sessions() as session:
            waiting = await placements.not_begun(session, before=before)
        for workflow_id, start in waiting:
            await begin_placement(self._client, self._sessions, workflow_id, start)
        return len(waiting)

    async def _begin_visits(self, before: datetime) -> int:
        async with self._sessions() as session:
            waiting = await visits.not_begun(session, before=before)
        return sum([await begin_visit(self._client, self._sessions, start) for start in waiting])

    async def _begin_invoice_payments(self, before: datetime) -> int:
        async with self._sessions() as session:
            waiting = list(await invoice_payments.not_begun(session, before=before))
            left = [
                start
                for id_ in await invoice_payments.left_behind(session)
                if (start := await invoice_payments.start_in_place_of(session, id_)) is not None
            ]
        for start in left:
            if start.resume is None or not start.resume.is_untouched:
                waiting.append((INVOICE_PAYMENT.workflow_id(start), start))
                continue
            async with self._sessions.begin() as session:
                await invoice_payments.cancel_left_behind(session, start)
            log.warning("a payment that was given up was cancelled", payment_id=start.id)
        for workflow_id, start in waiting:
            await begin_invoice_payment(self._client, workflow_id, start)
        return len(waiting)

    async def _begin_cases(self, before: datetime) -> int:
        async with self._sessions() as session:
            waiting = await cases.not_shown(session, before=before)
        for start in waiting:
            await begin_case(self._client, start)
        return len(waiting)

    async def _begin_purchases(self) -> int:
        """Only those that Temporal had taken: whose start it never heard of, its buyer was refused, and may have bought again."""
        since = datetime.now(UTC) - self._bounds.back
        query = ENDED.format(queue=activity.info().task_queue, since=since.isoformat())
        ended = {
            run.id.removeprefix(f"{PURCHASE.id_prefix}-")
            async for run in self._client.list_workflows(query, limit=self._bounds.listed)
        }
        async with self._sessions() as session:
            waiting = await purchase_starts.not_shown(session, ended) if ended else ()
        for start in waiting:
            await begin_purchase(self._client, self._sessions, start)
        return len(waiting)

    @activity.defn
    async def release_orphans(self) -> int:
        """Gives up devices that are held by runs which are over; answers how many. In another order each time: where some
        runs answer nobody, each of the others is asked in one of the next rounds."""
        old = datetime.now(UTC) - self._bounds.grace
        async with self._sessions() as session:
            found = await rounds.orphans(session, limit=100)
        waiting = [orphan for orphan in found if orphan.created_at <= old]
        random.shuffle(waiting)
        questions = Questions(self._bounds.asked)
        return sum(await _each(waiting, lambda orphan: self._released(orphan, questions)))

    async def _released(self, orphan: Orphan, questions: Questions) -> bool:
        if await self._is_under_way(orphan, questions):
            return False
        async with self._sessions.begin() as session:
            return await repairs.release_orphan(session, orphan.id)

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
            await rounds.keep_pass(session, done)

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
