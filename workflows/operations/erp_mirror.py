"""The feed of the ERP's master data, a round each minute, and the comparison of our mirror with it, each night or when it is
asked for; both are begun by schedules of Temporal (decision 57)."""

from datetime import timedelta
from typing import Any

from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.operations.erp_mirror import (
        ErpMirrorActivities,
        PageCompared,
        PageOfComparison,
    )
    from domain.base import Frozen
    from domain.operations.erp_mirror import Records, TakenOver
    from workflows.operations.rounds import Rounds, go_round

FEED_EVERY = timedelta(minutes=1)
FEED = "erp-feed"
COMPARISON = "erp-comparison"
"""Ids of the schedules, and the start of their runs' ids."""
PAGES = 50
"""Pages of one kind that a round takes; the next round goes on."""
PAGES_OF_A_HISTORY = 200

ONCE: dict[str, Any] = {
    "start_to_close_timeout": timedelta(seconds=30),
    "schedule_to_close_timeout": timedelta(seconds=65),
    "retry_policy": RetryPolicy(maximum_attempts=2),
}
"""The next round is the retry."""
PATIENT: dict[str, Any] = {
    "start_to_close_timeout": timedelta(seconds=60),
    "schedule_to_close_timeout": timedelta(hours=2),
    "retry_policy": RetryPolicy(
        initial_interval=timedelta(seconds=2), maximum_interval=timedelta(minutes=5)
    ),
}
"""An ERP that is away at night is waited for."""


class Delivery(Frozen):
    """What a round of the feed brought, and of what it brought nothing because of a failure."""

    taken: TakenOver
    failed: tuple[Records, ...]


@workflow.defn(name="ErpFeed")
class ErpFeedWorkflow:
    """One round, or many."""

    @workflow.init
    def __init__(self, rounds: Rounds | None = None) -> None:
        self.taken = TakenOver()

    @workflow.run
    async def run(self, rounds: Rounds | None = None) -> Delivery:
        return await (self.round() if rounds is None else go_round(rounds, self.round))

    async def round(self) -> Delivery:
        self.taken = TakenOver()
        failed: list[Records] = []
        for records in Records:
            try:
                await self.take(records)
            except ActivityError:
                failed.append(records)
        return Delivery(taken=self.taken, failed=tuple(failed))

    async def take(self, records: Records) -> None:
        for _ in range(PAGES):
            page = await workflow.execute_activity_method(
                ErpMirrorActivities.take_changes,
                records,
                summary=f"take changes of {records}",
                **ONCE,
            )
            self.taken = self.taken.plus(page)
            if not page.has_more:
                break
        again = await workflow.execute_activity_method(
            ErpMirrorActivities.ask_again, records, summary=f"ask again for {records}", **ONCE
        )
        self.taken = self.taken.plus(again)


class ComparisonStart(Frozen):
    """Where it goes on after a history that grew long; empty at the begin."""

    id: str = ""
    records: Records = Records.BUSINESSES
    after: str = ""


@workflow.defn(name="ErpComparison")
class ErpComparisonWorkflow:
    """One comparison of everything."""

    @workflow.init
    def __init__(self, start: ComparisonStart) -> None:
        self.pages = 0

    @workflow.run
    async def run(self, start: ComparisonStart) -> str:
        id = start.id or str(workflow.uuid4())
        if not start.id:
            await workflow.execute_activity_method(
                ErpMirrorActivities.begin_comparison, id, **PATIENT
            )
        kinds = list(Records)
        for records in kinds[kinds.index(start.records) :]:
            after: str | None = start.after if records is start.records else ""
            while after is not None:
                if self.pages == PAGES_OF_A_HISTORY:
                    workflow.continue_as_new(ComparisonStart(id=id, records=records, after=after))
                after = (await self.compare(id, records, after)).last
        await workflow.execute_activity_method(ErpMirrorActivities.end_comparison, id, **PATIENT)
        return id

    async def compare(self, id: str, records: Records, after: str) -> PageCompared:
        self.pages += 1
        return await workflow.execute_activity_method(
            ErpMirrorActivities.compare_page,
            PageOfComparison(id=id, records=records, after=after),
            summary=f"compare {records} behind {after or 'the begin'}",
            **PATIENT,
        )
