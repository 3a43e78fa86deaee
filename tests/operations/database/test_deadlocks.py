"""Transactions that wait for each other: the database ends one, which is done once more."""

import asyncio
import secrets

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError, ProgrammingError

from db.base import Sessions, once_more


async def test_of_two_that_wait_for_each_other_both_are_done(sessions: Sessions) -> None:
    one, other = secrets.randbits(62), secrets.randbits(62)
    both_hold = asyncio.Barrier(2)
    tries = {one: 0, other: 0}

    async def work(first: int, second: int) -> int:
        tries[first] += 1
        async with sessions.begin() as session:
            await session.execute(select(func.pg_advisory_xact_lock(first)))
            if tries[first] == 1:
                await both_hold.wait()
            await session.execute(select(func.pg_advisory_xact_lock(second)))
        return first

    done = await asyncio.gather(
        once_more(lambda: work(one, other)), once_more(lambda: work(other, one))
    )
    assert done == [one, other]
    assert sum(tries.values()) == 3


@pytest.mark.parametrize("error", [OperationalError, ProgrammingError])
async def test_another_fault_is_not_tried_again(error: type[OperationalError]) -> None:
    tries: list[int] = []

    async def work() -> None:
        tries.append(1)
        raise error("select 1", {}, Exception())

    with pytest.raises(error):
        await once_more(work)
    assert len(tries) == 1
