"""Waiting for something to be so: the one loop that asks again."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

from temporalio.client import WorkflowHandle

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
                waited = time.monotonic() - begun
                await asyncio.sleep(min(max(PAUSE_SECONDS, waited / 8), LONGEST_PAUSE_SECONDS))
    raise AssertionError(f"never came to be in {within:g} s; last seen: {last}")


async def under_way(handle: WorkflowHandle[Any, Any], activity: str) -> None:
    """Until the run waits for this activity."""

    async def pending() -> set[str]:
        described = await handle.describe()
        return {one.activity_type.name for one in described.raw_description.pending_activities}

    await until(pending, lambda names: activity in names)
