"""Waiting for something to be so: the one loop that asks again."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

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
