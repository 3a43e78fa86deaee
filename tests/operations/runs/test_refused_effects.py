"""What a run asked for is closed by a clear no to that alone."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import select
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput

from activities.runs.intents import Call, Intents
from db.base import Sessions
from db.runs.intents import IntentRow
from domain.errors import Conflict, PortalError, Unavailable
from tests.drivers.factories import a_name
from workers.interceptors import ShowBusy


class _Work(ActivityInboundInterceptor):
    def __init__(self, work: Callable[[], Awaitable[Any]]) -> None:
        self._work = work

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        return await self._work()


class Run:
    """A run whose effects are named by their keys."""

    def __init__(self, sessions: Sessions) -> None:
        self.sessions = sessions
        self.call = Call(flow_id=a_name(), workflow_id="w")
        self.intents = Intents(sessions)

    def key(self, name: str) -> str:
        return f"{self.call.flow_id}-{name}"

    async def ask(self, name: str, error: PortalError | None = None) -> None:
        async def effect() -> None:
            if error is not None:
                raise error

        await self.intents.once(self.key(name), name, self.call, effect)

    async def carry_out(self, work: Callable[[], Awaitable[Any]]) -> None:
        """As one activity. Raises what it raises."""
        shown = ShowBusy(self.sessions).intercept_activity(_Work(work))
        task = ExecuteActivityInput(fn=print, args=(self.call,), executor=None, headers={})
        await shown.execute_activity(task)

    async def refused(self) -> set[str]:
        refused = IntentRow.flow_id == self.call.flow_id, IntentRow.refused_at.is_not(None)
        async with self.sessions() as session:
            keys = await session.scalars(select(IntentRow.key).where(*refused))
        return {key.rpartition("-")[2] for key in keys}


async def test_a_no_says_nothing_of_what_was_asked_for_before(sessions: Sessions) -> None:
    """The answer to the mode was lost: it may be set, and whoever looks after it must find it."""
    run = Run(sessions)
    with pytest.raises(Unavailable):
        await run.carry_out(lambda: run.ask("mode", Unavailable()))
    with pytest.raises(Conflict):
        await run.carry_out(lambda: run.ask("command", Conflict()))
    assert await run.refused() == {"command"}


async def test_a_no_before_anything_is_asked_for_closes_nothing(sessions: Sessions) -> None:
    run = Run(sessions)

    async def look() -> None:
        raise Conflict

    with pytest.raises(Unavailable):
        await run.carry_out(lambda: run.ask("mode", Unavailable()))
    with pytest.raises(Conflict):
        await run.carry_out(look)
    assert await run.refused() == set()


async def test_a_no_to_the_second_of_two_leaves_the_first_done(sessions: Sessions) -> None:
    run = Run(sessions)

    async def both() -> None:
        await run.ask("first")
        await run.ask("second", Conflict())

    with pytest.raises(Conflict):
        await run.carry_out(both)
    assert await run.refused() == {"second"}


async def test_two_activities_of_one_run_close_their_own(sessions: Sessions) -> None:
    """What is asked for beside the refusal is not known yet."""
    run = Run(sessions)
    asked, is_refused = asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        async def effect() -> None:
            asked.set()
            await is_refused.wait()
            raise Unavailable

        await run.intents.once(run.key("slow"), "slow", run.call, effect)

    beside = asyncio.create_task(run.carry_out(slow))
    await asked.wait()
    with pytest.raises(Conflict):
        await run.carry_out(lambda: run.ask("quick", Conflict()))
    is_refused.set()
    with pytest.raises(Unavailable):
        await beside
    assert await run.refused() == {"quick"}


async def test_what_was_refused_may_be_asked_for_again(sessions: Sessions) -> None:
    run = Run(sessions)
    with pytest.raises(Conflict):
        await run.carry_out(lambda: run.ask("mode", Conflict()))
    assert await run.refused() == {"mode"}
    await run.carry_out(lambda: run.ask("mode"))
    assert await run.refused() == set()
