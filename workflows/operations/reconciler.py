"""The reconciler: a round every half minute, in a run that a schedule of Temporal begins (promises 7 and 51; decisions 17
and 68).

Each part may fail by itself: what could not be done this time is named, shown to operators, and tried by the next round.
"""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, TypeVar

from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.operations.reconciler import Compared, ReconcilerActivities
    from domain.operations.operations import Pass, Repair
    from workflows.operations.rounds import Rounds, go_round

Answer = TypeVar("Answer")

ONCE: dict[str, Any] = {
    "start_to_close_timeout": timedelta(seconds=25),
    "schedule_to_close_timeout": timedelta(seconds=40),
    "retry_policy": RetryPolicy(maximum_attempts=2),
}
"""The next round is the retry."""

EVERY = timedelta(seconds=30)
SCHEDULE = "reconciler"
"""The id of the schedule and the start of its runs' ids."""


PARTS: tuple[tuple[Repair, str, Callable[[ReconcilerActivities], Awaitable[int]]], ...] = (
    (Repair.UNSEEN, "find unseen runs", ReconcilerActivities.find_unseen),
    (Repair.RESERVATION, "release devices", ReconcilerActivities.release_orphans),
    (Repair.LOG, "send logs again", ReconcilerActivities.send_logs_again),
    (Repair.CLAIM, "free claims", ReconcilerActivities.free_claims),
    (Repair.INTENT, "settle effects", ReconcilerActivities.settle_intents),
)
"""What a round does beside comparing; each answers how much it put right."""


@workflow.defn(name="Reconciler")
class ReconcilerWorkflow:
    """One round, or many."""

    @workflow.init
    def __init__(self, rounds: Rounds | None = None) -> None:
        self.failed: list[str] = []
        self.repaired: dict[Repair, int] = {}

    @workflow.run
    async def run(self, rounds: Rounds | None = None) -> Pass:
        return await (self.round() if rounds is None else go_round(rounds, self.round))

    async def round(self) -> Pass:
        at = workflow.now()
        self.failed = []
        compared = await self.part("compare rows with runs", self.compare()) or Compared()
        self.repaired = dict(compared.repaired)
        for repair, name, counting in PARTS:
            count = await self.part(name, self.counted(name, counting))
            if count:
                self.repaired[repair] = count
        done = Pass(
            at=at,
            took_ms=round((workflow.now() - at).total_seconds() * 1000),
            looked=compared.looked,
            asked=compared.asked,
            repaired=self.repaired,
            failed=tuple(self.failed),
        )
        await self.part(
            "note the round",
            workflow.execute_activity_method(ReconcilerActivities.save_pass, done, **ONCE),
        )
        return done

    async def compare(self) -> Compared:
        return await workflow.execute_activity(
            "compare", summary="compare rows with runs", result_type=Compared, **ONCE
        )

    async def counted(
        self, name: str, counting: Callable[[ReconcilerActivities], Awaitable[int]]
    ) -> int:
        return await workflow.execute_activity(
            counting.__name__, summary=name, result_type=int, **ONCE
        )

    async def part(self, name: str, work: Awaitable[Answer]) -> Answer | None:
        """What came of it; nothing, and its name, when it failed."""
        try:
            return await work
        except ActivityError:
            self.failed.append(name)
            return None
