"""What a worker does beside its runs: one that dies is noticed, and stops no other."""

import asyncio

import pytest

from observing.metrics import UNMEASURED
from workers.operations.loops import end_all, kept_up, until_one_ends


async def test_a_loop_that_fails_is_begun_anew() -> None:
    begun = asyncio.Semaphore(0)

    async def fails() -> None:
        begun.release()
        raise ExceptionGroup("several", [ValueError("unreadable")])

    task = asyncio.create_task(kept_up("documents", fails, UNMEASURED, after=0))
    for _ in range(3):
        await asyncio.wait_for(begun.acquire(), timeout=10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_worker_ends_with_one_of_its_loops_and_leaves_none_behind() -> None:
    async def dies() -> None:
        raise ValueError("the relay")

    left: list[str] = []

    async def stays() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            left.append("stays")

    loops = {"devices": asyncio.create_task(dies()), "cases": asyncio.create_task(stays())}
    await asyncio.wait_for(until_one_ends(asyncio.Event(), loops.values()), timeout=10)
    failed = await end_all(loops)
    assert isinstance(failed, ValueError)
    assert left == ["stays"]
    assert all(task.done() for task in loops.values())
