"""Registers the search attributes, and the schedules of the reconciler, of reconciliation, of payouts, of the ERP's feed and
of the comparison with it: `python -m workers.setup`. Idempotent; waits for a server that is starting."""

import asyncio
from dataclasses import replace
from datetime import timedelta

from temporalio.api.enums.v1 import IndexedValueType
from temporalio.api.operatorservice.v1 import (
    AddSearchAttributesRequest,
    ListSearchAttributesRequest,
    RemoveSearchAttributesRequest,
)
from temporalio.client import (
    Client,
    Schedule,
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

from settings import Settings
from workers.connect import connect_when_there
from workers.shutdown import leave
from workflows import payouts
from workflows.billing import reconciliation
from workflows.ids import SEARCH_ATTRIBUTES
from workflows.operations.erp_mirror import (
    COMPARISON,
    FEED,
    FEED_EVERY,
    ComparisonStart,
    ErpComparisonWorkflow,
    ErpFeedWorkflow,
)
from workflows.operations.reconciler import EVERY, SCHEDULE, ReconcilerWorkflow
from workflows.operations.rounds import LONGEST_RUN, Rounds

MISSED = timedelta(seconds=10)
"""A round that a server could not begin within this time is left out: the next one does its work."""


LATEST_PAYOUTS = timedelta(days=20)
LONGEST_ROUND = timedelta(hours=6)
NIGHT = "America/Toronto"
"""Where it is night when the books are compared."""


EXAMPLE = "CustomKeywordField"
"""Made by Temporal's own set-up as an example, and used by nobody: it would take one of the ten places for keywords."""


async def register(client: Client) -> tuple[str, ...]:
    """Adds what is missing; answers the names added."""
    listed = await client.operator_service.list_search_attributes(
        ListSearchAttributesRequest(namespace=client.namespace)
    )
    missing = {
        key.name: IndexedValueType.ValueType(key.indexed_value_type)
        for key in SEARCH_ATTRIBUTES
        if key.name not in listed.custom_attributes
    }
    if missing and EXAMPLE in listed.custom_attributes:
        await client.operator_service.remove_search_attributes(
            RemoveSearchAttributesRequest(namespace=client.namespace, search_attributes=[EXAMPLE])
        )
    if missing:
        await client.operator_service.add_search_attributes(
            AddSearchAttributesRequest(namespace=client.namespace, search_attributes=missing)
        )
    return tuple(missing)


async def schedule_reconciler(
    client: Client, task_queue: str, *, schedule_id: str = SCHEDULE, every: timedelta = EVERY
) -> None:
    """One run goes round for long; a round that takes long delays the next one."""
    action = ScheduleActionStartWorkflow(
        ReconcilerWorkflow.run,
        Rounds(every=every),
        id=schedule_id,
        task_queue=task_queue,
        execution_timeout=LONGEST_RUN,
        static_summary="compares what people see with the runs, and repairs",
    )
    spec = ScheduleSpec(intervals=[ScheduleIntervalSpec(every=every)])
    await _schedule(client, schedule_id, action, spec)


async def schedule_erp(client: Client, task_queue: str) -> None:
    """A round of the feed each minute, the comparison each night at 07:00 UTC, when it is 2 or 3 in the warehouse."""
    feed = ScheduleActionStartWorkflow(
        ErpFeedWorkflow.run,
        Rounds(every=FEED_EVERY),
        id=FEED,
        task_queue=task_queue,
        execution_timeout=LONGEST_RUN,
        static_summary="takes the ERP's changes into our mirror",
    )
    minutes = ScheduleSpec(intervals=[ScheduleIntervalSpec(every=FEED_EVERY)])
    await _schedule(client, FEED, feed, minutes)
    comparison = ScheduleActionStartWorkflow(
        ErpComparisonWorkflow.run,
        ComparisonStart(),
        id=COMPARISON,
        task_queue=task_queue,
        execution_timeout=timedelta(hours=8),
        static_summary="compares our mirror with the ERP, and repairs",
    )
    nights = ScheduleSpec(calendars=[ScheduleCalendarSpec(hour=[ScheduleRange(7)])])
    await _schedule(client, COMPARISON, comparison, nights)


async def schedule_reconciliation(
    client: Client, task_queue: str, *, schedule_id: str = reconciliation.SCHEDULE
) -> None:
    """Every night at three, when the day's debits and documents are in. A night that was missed is made up for."""
    action = ScheduleActionStartWorkflow(
        reconciliation.ReconciliationWorkflow.run,
        reconciliation.ReconciliationAsk(),
        id=schedule_id,
        task_queue=task_queue,
        execution_timeout=LONGEST_ROUND,
        static_summary="compares our money with the providers' and the ERP's",
    )
    nights = ScheduleSpec(
        calendars=[ScheduleCalendarSpec(hour=[ScheduleRange(3)])], time_zone_name=NIGHT
    )
    await _schedule(client, schedule_id, action, nights, missed=LONGEST_ROUND)


async def schedule_payouts(
    client: Client, task_queue: str, *, schedule_id: str = payouts.SCHEDULE
) -> None:
    """On the second of each month at noon, when the month before is over everywhere and its last rewards are written. One that
    was missed is made up for."""
    action = ScheduleActionStartWorkflow(
        payouts.PayoutsWorkflow.run,
        payouts.PayoutsAsk(),
        id=schedule_id,
        task_queue=task_queue,
        static_summary="pays dealers what they earned in the last month",
    )
    months = ScheduleSpec(
        calendars=[ScheduleCalendarSpec(day_of_month=[ScheduleRange(2)], hour=[ScheduleRange(12)])]
    )
    await _schedule(client, schedule_id, action, months, missed=LATEST_PAYOUTS)


async def _schedule(
    client: Client,
    id: str,
    action: ScheduleActionStartWorkflow,
    spec: ScheduleSpec,
    *,
    missed: timedelta = MISSED,
) -> None:
    """Makes the schedule, or brings the one that is there up to date."""
    policy = SchedulePolicy(overlap=ScheduleOverlapPolicy.SKIP, catchup_window=missed)
    wanted = Schedule(action=action, spec=spec, policy=policy)

    async def as_wanted(found: ScheduleUpdateInput) -> ScheduleUpdate:
        """One that an operator has paused stays so."""
        state = found.description.schedule.state
        return ScheduleUpdate(schedule=replace(wanted, state=state))

    try:
        await client.create_schedule(id, wanted)
    except ScheduleAlreadyRunningError:
        await client.get_schedule_handle(id).update(as_wanted)


async def run() -> None:
    settings = Settings()
    client = await connect_when_there(settings.temporal_address, settings.temporal_namespace)
    await register(client)
    await schedule_reconciler(client, settings.task_queue)
    await schedule_reconciliation(client, settings.task_queue)
    await schedule_erp(client, settings.task_queue)
    await schedule_payouts(client, settings.task_queue)


if __name__ == "__main__":
    asyncio.run(run())
    leave()
