"""Reconciliation: a round each night, begun by a schedule of Temporal, or by an operator (decision 59).

A round goes through its parts in order, in legs of some pages. What it finds is written to a table, so that its history
stays small; a part that fails keeps no other from its work, but those that need what it reads.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.billing.reconciliation.rounds import (
        Beginning,
        Ending,
        Leg,
        ReconciliationActivities,
    )
    from domain.base import Frozen
    from domain.billing.reconciliation.differences import NEEDS, Part
    from domain.billing.reconciliation.facts import Look

SCHEDULE = "reconciliation"
"""The id of the schedule and the start of its runs' ids."""
ASKED_BY_SCHEDULE = "system:reconciliation"
_LEG: dict[str, Any] = {
    "start_to_close_timeout": timedelta(minutes=10),
    "schedule_to_close_timeout": timedelta(minutes=40),
    "heartbeat_timeout": timedelta(seconds=30),
}
_OWN: dict[str, Any] = {
    "start_to_close_timeout": timedelta(seconds=30),
    "schedule_to_close_timeout": timedelta(minutes=10),
    "retry_policy": RetryPolicy(initial_interval=timedelta(seconds=1), maximum_attempts=20),
}


class ReconciliationPolicy(Frozen):
    """`pages` are those of a leg. After `legs` a round goes on in a new run, so that no history grows long. A leg is tried
    so many times, each wait twice as long."""

    pages: int = 20
    legs: int = 200
    tries: int = 6


class ReconciliationStart(Frozen):
    """Who asked for it. The rest says how far an earlier run of the same round has come."""

    asked_by: str = ASKED_BY_SCHEDULE
    look: Look | None = None
    part: Part | None = None
    cursor: str | None = None
    compared: dict[str, int] = {}
    failed: tuple[str, ...] = ()
    policy: ReconciliationPolicy = ReconciliationPolicy()


class Reconciled(Frozen):
    """`is_done` is False where another round was under way."""

    is_done: bool
    compared: dict[str, int] = {}
    failed: tuple[str, ...] = ()


@workflow.defn(name="Reconciliation")
class ReconciliationWorkflow:
    """One round, named by the id of its workflow."""

    @workflow.init
    def __init__(self, ask: ReconciliationStart) -> None:
        self.compared = dict(ask.compared)
        self.failed = list(ask.failed)
        self.legs = 0

    @workflow.run
    async def run(self, ask: ReconciliationStart) -> Reconciled:
        look = ask.look or await self.begin(ask)
        if look is None:
            return Reconciled(is_done=False)
        for part in _from(ask.part):
            cursor = ask.cursor if part is ask.part else None
            await self.compare(ask, look, part, cursor)
        failed = tuple(self.failed)
        await workflow.execute_activity_method(
            ReconciliationActivities.end,
            Ending(round_id=self.round_id, compared=self.compared, failed=failed),
            summary="end the round",
            **_OWN,
        )
        return Reconciled(is_done=True, compared=self.compared, failed=failed)

    @property
    def round_id(self) -> str:
        return workflow.info().workflow_id

    async def begin(self, ask: ReconciliationStart) -> Look | None:
        return await workflow.execute_activity_method(
            ReconciliationActivities.begin,
            Beginning(round_id=self.round_id, asked_by=ask.asked_by),
            summary="begin a round",
            **_OWN,
        )

    async def compare(
        self, ask: ReconciliationStart, look: Look, part: Part, cursor: str | None
    ) -> None:
        """All of a part, or its name among those that failed."""
        if any(needed in self.failed for needed in NEEDS.get(part, ())):
            self.failed.append(part.value)
            return
        try:
            while True:
                done = await workflow.execute_activity_method(
                    ReconciliationActivities.compare,
                    Leg(
                        round_id=self.round_id,
                        part=part,
                        look=look,
                        cursor=cursor,
                        pages=ask.policy.pages,
                    ),
                    summary=f"compare {part.value}",
                    retry_policy=RetryPolicy(
                        initial_interval=timedelta(seconds=2),
                        maximum_interval=timedelta(minutes=5),
                        maximum_attempts=ask.policy.tries,
                    ),
                    **_LEG,
                )
                self.legs += 1
                cursor = done.cursor
                self.compared[part.value] = self.compared.get(part.value, 0) + done.compared
                if cursor is None:
                    return
                if self.legs >= ask.policy.legs:
                    self.go_on(ask, look, part, cursor)
        except ActivityError:
            self.failed.append(part.value)

    def go_on(self, ask: ReconciliationStart, look: Look, part: Part, cursor: str) -> None:
        workflow.continue_as_new(
            ask.model_copy(
                update={
                    "look": look,
                    "part": part,
                    "cursor": cursor,
                    "compared": self.compared,
                    "failed": tuple(self.failed),
                }
            )
        )


def _from(part: Part | None) -> Sequence[Part]:
    parts = list(Part)
    if not workflow.patched("compares-payouts"):
        parts.remove(Part.PAYOUTS)
    return parts[parts.index(part) :] if part else parts
