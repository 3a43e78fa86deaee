"""Waiting for something to be so: the loops that ask again, and say at their end what they saw last."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

from temporalio.client import WorkflowHandle

from domain.operations.operations import RunStatus

T = TypeVar("T")

PAUSE_SECONDS = 0.02
LONGEST_PAUSE_SECONDS = 0.12
"""Who asks works as well, most often in the very process that is waited for: the longer it takes, the rarer it is asked."""


async def until(
    read: Callable[[], Awaitable[T]],
    holds: Callable[[T], Any] = bool,
    *,
    within: float = 20.0,
) -> T:
    """What `read` gives once it `holds`; fails after so many seconds with what it gave last."""
    last: Any = "nothing"
    begun = time.monotonic()
    with suppress(TimeoutError):
        async with asyncio.timeout(within):
            while True:
                last = value = await read()
                if holds(value):
                    return value
                await asyncio.sleep(_pause_after(time.monotonic() - begun))
    raise _never(within, last)


def until_now(
    read: Callable[[], T], holds: Callable[[T], Any] = bool, *, within: float = 20.0
) -> T:
    """As `until`, where nothing is awaited."""
    begun = time.monotonic()
    while not holds(value := read()):
        waited = time.monotonic() - begun
        if waited > within:
            raise _never(within, value)
        time.sleep(_pause_after(waited))
    return value


def _pause_after(waited: float) -> float:
    return min(max(PAUSE_SECONDS, waited / 8), LONGEST_PAUSE_SECONDS)


def _never(within: float, last: object) -> AssertionError:
    return AssertionError(f"never came to be in {within:g} s; last seen: {last}")


async def until_shown(
    look: Callable[[], Awaitable[dict[str, Any] | None]],
    seen: str | Callable[[dict[str, Any]], Any],
    *,
    within: float,
) -> dict[str, Any]:
    """A run as a browser reads it, once it is there and seen like this; a text is a state."""
    wanted = (lambda run: run["state"] == seen) if isinstance(seen, str) else seen
    run = await until(look, lambda run: run is not None and wanted(run), within=within)
    assert run is not None
    return run


async def until_published(
    standing: Callable[[], Awaitable[RunStatus]], *states: str, within: float
) -> str:
    """The state of a run, once it is one of these and can be seen."""
    now = await until(
        standing, lambda now: now.state in states and now.settled == now.rev, within=within
    )
    return now.state


async def under_way(handle: WorkflowHandle[Any, Any], activity: str) -> None:
    """Until the run waits for this activity."""

    async def pending() -> set[str]:
        described = await handle.describe()
        return {one.activity_type.name for one in described.raw_description.pending_activities}

    await until(pending, lambda names: activity in names)


async def looks_given_up(handle: WorkflowHandle[Any, Any]) -> int:
    """How often the run did not wait any longer for what a provider says of a payment."""
    events = (await handle.fetch_history()).events
    looks = {
        one.event_id
        for one in events
        if one.activity_task_scheduled_event_attributes.activity_type.name == "look_up_payment"
    }
    given_up = {
        one.activity_task_cancel_requested_event_attributes.scheduled_event_id for one in events
    }
    return len(looks & given_up)


async def times_asked(handle: WorkflowHandle[Any, Any], activity: str) -> int:
    """How often the run has begun this activity."""
    events = (await handle.fetch_history()).events
    names = [one.activity_task_scheduled_event_attributes.activity_type.name for one in events]
    return names.count(activity)


async def asked_again(handle: WorkflowHandle[Any, Any], activity: str) -> None:
    """Until the run has begun this activity a second time."""
    await until(lambda: times_asked(handle, activity), lambda times: times > 1)
