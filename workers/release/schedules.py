"""What schedules of Temporal begin, one row each: `workers/setup.py` brings them there, the doctor looks for them."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from temporalio.client import (
    Client,
    Schedule,
    ScheduleActionExecutionStartWorkflow,
    ScheduleActionStartWorkflow,
    ScheduleAlreadyRunningError,
    ScheduleCalendarSpec,
    ScheduleIntervalSpec,
    ScheduleOverlapPolicy,
    SchedulePolicy,
    ScheduleRange,
    ScheduleSpec,
    ScheduleUpdate,
    ScheduleUpdateInput,
)
from temporalio.service import RPCError, RPCStatusCode

from workflows import payouts
from workflows.billing import reconciliation
from workflows.operations import erp_mirror, reconciler
from workflows.operations.rounds import LONGEST_RUN, Rounds

MISSED = timedelta(seconds=10)
"""A round that a server could not begin within this time is left out: the next one does its work."""
LATEST_PAYOUTS = timedelta(days=1)
LONGEST_ROUND = timedelta(hours=6)
NIGHT = "America/Toronto"
"""Where it is night when the books are compared."""
ANOTHER_RELEASE = "another release goes round now"


@dataclass(frozen=True, kw_only=True)
class Recurring:
    """One schedule. `limit` ends a run that hangs; one that could not begin within `missed` is left out."""

    id: str
    workflow: Any
    argument: Any
    spec: ScheduleSpec
    summary: str
    limit: timedelta | None = None
    missed: timedelta = MISSED

    @property
    def goes_round(self) -> bool:
        """Its run does round after round, and may be ended between any two of its effects."""
        return isinstance(self.argument, Rounds)


def rounds(id: str, workflow: Any, every: timedelta, summary: str) -> Recurring:
    """One run goes round for long; a round that takes long delays the next one."""
    return Recurring(
        id=id,
        workflow=workflow,
        argument=Rounds(every=every),
        spec=ScheduleSpec(intervals=[ScheduleIntervalSpec(every=every)]),
        summary=summary,
        limit=LONGEST_RUN,
    )


RECONCILER = rounds(
    reconciler.SCHEDULE,
    reconciler.ReconcilerWorkflow.run,
    reconciler.EVERY,
    "compares what people see with the runs, and repairs",
)
FEED = rounds(
    erp_mirror.FEED,
    erp_mirror.ErpFeedWorkflow.run,
    erp_mirror.FEED_EVERY,
    "takes the ERP's changes into our mirror",
)
COMPARISON = Recurring(
    id=erp_mirror.COMPARISON,
    workflow=erp_mirror.ErpComparisonWorkflow.run,
    argument=erp_mirror.ComparisonStart(),
    spec=ScheduleSpec(calendars=[ScheduleCalendarSpec(hour=[ScheduleRange(7)])]),
    summary="compares our mirror with the ERP, and repairs",
    limit=timedelta(hours=8),
    missed=LONGEST_ROUND,
)
"""At 07:00 UTC, when it is 2 or 3 in the warehouse. A night that was missed is made up for."""
RECONCILIATION = Recurring(
    id=reconciliation.SCHEDULE,
    workflow=reconciliation.ReconciliationWorkflow.run,
    argument=reconciliation.ReconciliationStart(),
    spec=ScheduleSpec(
        calendars=[ScheduleCalendarSpec(hour=[ScheduleRange(3)])], time_zone_name=NIGHT
    ),
    summary="compares our money with the providers' and the ERP's",
    limit=LONGEST_ROUND,
    missed=LONGEST_ROUND,
)
"""At three, when the day's debits and documents are in. A night that was missed is made up for."""
PAYOUTS = Recurring(
    id=payouts.SCHEDULE,
    workflow=payouts.PayoutsWorkflow.run,
    argument=payouts.PayoutsStart(),
    spec=ScheduleSpec(
        calendars=[
            ScheduleCalendarSpec(day_of_month=[ScheduleRange(2, 31)], hour=[ScheduleRange(12)])
        ]
    ),
    summary="pays dealers what they earned in the last month",
    missed=LATEST_PAYOUTS,
)
"""From the second on at noon, when the month before is over everywhere and its last rewards are written: a day's run goes on with
what one before it has left, whatever became of that. One that was missed is made up for."""

SCHEDULES = (RECONCILER, RECONCILIATION, FEED, COMPARISON, PAYOUTS)


async def bring(client: Client, task_queue: str, recurring: Recurring) -> None:
    """Makes the schedule, or brings the one that is there up to date."""
    wanted = Schedule(
        action=ScheduleActionStartWorkflow(
            recurring.workflow,
            recurring.argument,
            id=recurring.id,
            task_queue=task_queue,
            execution_timeout=recurring.limit,
            static_summary=recurring.summary,
        ),
        spec=recurring.spec,
        policy=SchedulePolicy(overlap=ScheduleOverlapPolicy.SKIP, catchup_window=recurring.missed),
    )

    async def as_wanted(found: ScheduleUpdateInput) -> ScheduleUpdate:
        """One that an operator has paused stays so."""
        return ScheduleUpdate(schedule=replace(wanted, state=found.description.schedule.state))

    try:
        await client.create_schedule(recurring.id, wanted)
    except ScheduleAlreadyRunningError:
        await client.get_schedule_handle(recurring.id).update(as_wanted)


async def end_rounds(client: Client, recurring: Recurring) -> int:
    """Ends the run that goes round, which another release may have begun and this one cannot read; the schedule begins
    another within one interval. Answers how many there were."""
    described = await client.get_schedule_handle(recurring.id).describe()
    ended = 0
    for running in described.info.running_actions:
        assert isinstance(running, ScheduleActionExecutionStartWorkflow)
        handle = client.get_workflow_handle(
            running.workflow_id, first_execution_run_id=running.first_execution_run_id
        )
        try:
            await handle.terminate(reason=ANOTHER_RELEASE)
            ended += 1
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise
    return ended
