"""Work that is done over and over by one quiet run, so that lists in Temporal's own page show what people began (decision 68).

A schedule begins the run, and begins another within one interval when it has ended, however that came.
"""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import TypeVar

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from domain.base import Frozen

Answer = TypeVar("Answer")

SHORTEST_PAUSE = timedelta(milliseconds=50)
LONGEST_RUN = timedelta(hours=3)
"""For the schedule: a run that hangs is ended, and another takes its place."""


class Rounds(Frozen):
    """How a run goes round: one each `every`, until its history holds `events` or it is as old as `lasts`."""

    every: timedelta
    events: int = 4_000
    lasts: timedelta = timedelta(hours=2)


async def go_round(rounds: Rounds, a_round: Callable[[], Awaitable[Answer]]) -> Answer:
    """What the last round brought. One that takes longer than the interval is followed at once."""
    ends = workflow.now() + rounds.lasts
    while True:
        next_at = workflow.now() + rounds.every
        done = await a_round()
        if workflow.info().get_current_history_length() >= rounds.events or next_at >= ends:
            return done
        await workflow.sleep(
            max(next_at - workflow.now(), SHORTEST_PAUSE), summary="until the next round"
        )
