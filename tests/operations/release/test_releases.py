"""Two releases side by side: each carries on what it can read, and no run is lost or carried on by both (decision 73)."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest
from temporalio.api.enums.v1 import EventType
from temporalio.client import (
    Client,
    DescribeWorkflowInput,
    Interceptor,
    OutboundInterceptor,
    WorkflowExecutionDescription,
    WorkflowHandle,
)
from temporalio.service import RPCError, RPCStatusCode

from tests.drivers.portal import a_browser, running_portal
from tests.drivers.until import until
from tests.operations.release.errands import (
    AFTER,
    BEFORE,
    ERRANDS,
    Effects,
    a_release,
    a_worker,
    begin,
)
from workers.release import __main__ as command
from workers.release.__main__ import summary_of, written
from workers.release.deployment import Deployment, NotKnownYet, Release
from workers.release.taking_over import TakenOver, TakingOver
from workflows.client import connect
from workflows.release import begins_with

MINUTE = timedelta(minutes=1)
Clients = Callable[[str], Awaitable[Client]]
WorkerOf = Callable[[str], Awaitable[str]]


@pytest.fixture
def of_release(temporal_address: str, task_queue: str) -> Clients:
    """A client whose runs begin with a release."""

    def client(release: str) -> Awaitable[Client]:
        return connect(temporal_address, interceptors=begins_with(task_queue, release))

    return client


@pytest.fixture
def deployment(temporal: Client, task_queue: str) -> Deployment:
    return Deployment(temporal, task_queue)


async def take_over(deployment: Deployment, release: str, within: timedelta = MINUTE) -> TakenOver:
    return await TakingOver(deployment, release, [ERRANDS[release]]).carry_out(within=within)


async def runs_of(deployment: Deployment) -> dict[str, int]:
    return {one.name: one.runs for one in await deployment.releases()}


async def settled(deployment: Deployment, **runs: int) -> None:
    """Lists of runs are a moment behind."""

    async def seen() -> bool:
        return await runs_of(deployment) == runs

    await until(seen)


async def has_gone_another_way(handle: WorkflowHandle[Any, Any]) -> bool:
    kinds = [event.event_type for event in (await handle.fetch_history()).events]
    return EventType.EVENT_TYPE_TIMER_FIRED in kinds


async def at_rest(handle: WorkflowHandle[Any, Any], *, behind: int = 0) -> None:
    """Until it was carried on behind so many events, and no worker has, or is about to have, a task of it. What a run is
    told while one has is begun on by that worker, whomever the run is given to then."""

    async def is_at_rest() -> bool:
        described = await handle.describe()
        events = (await handle.fetch_history()).events[behind:]
        kinds = [one.event_type for one in events]
        return (
            EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED in kinds
            and not described.raw_description.HasField("pending_workflow_task")
        )

    await until(is_at_rest)


async def test_a_run_goes_over_where_its_history_replays_and_comes_back_where_it_can(
    temporal: Client, task_queue: str, deployment: Deployment, of_release: Clients
) -> None:
    old, new = await of_release(BEFORE), await of_release(AFTER)
    async with a_release(temporal, task_queue, BEFORE), a_release(temporal, task_queue, AFTER):
        await deployment.make_current(BEFORE, within=MINUTE)
        narrow = await begin(old, task_queue, text="narrow")
        there_and_back = await begin(old, task_queue, text="wide", added="already")
        there = await begin(old, task_queue, text="wide", added="already")
        fresh = await begin(new, task_queue, text="new", added="now")
        await settled(deployment, before=3, after=1)

        await deployment.make_current(AFTER, within=MINUTE)
        taken = await take_over(deployment, AFTER)
        assert (taken.taken, taken.unread, taken.busy) == (2, {(BEFORE, "Errand"): 1}, {})
        assert "1 of Errand stay with before: they cannot be carried on here." in summary_of(taken)
        await settled(deployment, before=1, after=3)
        for one in (there, fresh):
            await one.signal("tell")
            await until(lambda one=one: has_gone_another_way(one))

        await deployment.make_current(BEFORE, within=MINUTE)
        back = await take_over(deployment, BEFORE)
        assert (back.taken, back.unread) == (1, {(AFTER, "Errand"): 2})
        await settled(deployment, before=2, after=2)
        assert "may be stopped" not in written(await deployment.releases())

        runs = {narrow: BEFORE, there_and_back: BEFORE, there: AFTER, fresh: AFTER}
        for one in runs:
            await one.signal("tell")
            await one.signal("tell")
        ends = await asyncio.gather(*(one.result() for one in runs))
        assert ends == list(runs.values())
        await settled(deployment, before=0, after=0)
        assert "may be stopped" in written(await deployment.releases())


async def test_an_effect_under_way_is_brought_to_its_end_by_who_began_it(
    temporal: Client, task_queue: str, deployment: Deployment, of_release: Clients
) -> None:
    free = asyncio.Event()
    async with (
        a_release(temporal, task_queue, BEFORE, free),
        a_release(temporal, task_queue, AFTER),
    ):
        await deployment.make_current(AFTER, within=MINUTE)
        run = await begin(await of_release(BEFORE), task_queue, text="wide", added="already")
        await run.signal("tell")
        await run.signal("tell")

        async def at_work() -> bool:
            return bool((await run.describe()).raw_description.pending_activities)

        await until(at_work)
        await settled(deployment, before=1, after=0)
        # A list may be a moment behind the other, so it may see nothing the first time.
        taken = await until(
            lambda: take_over(deployment, AFTER, within=timedelta(0)), lambda one: one.busy
        )
        assert (taken.taken, taken.busy) == (0, {(BEFORE, "Errand"): 1})
        free.set()
        assert await run.result() == BEFORE


class _Described(Interceptor):
    """What happens to a run as soon as it was described for the first time."""

    def __init__(self, then: Callable[[], Awaitable[None]]) -> None:
        self._then = [then]

    def intercept_client(self, next: OutboundInterceptor) -> OutboundInterceptor:
        left = self._then

        class Outbound(OutboundInterceptor):
            async def describe_workflow(
                self, input: DescribeWorkflowInput
            ) -> WorkflowExecutionDescription:
                described = await super().describe_workflow(input)
                if left:
                    await left.pop()()
                return described

        return Outbound(next)


async def test_an_effect_that_is_begun_while_a_run_is_looked_at_keeps_it(
    temporal: Client, temporal_address: str, task_queue: str, of_release: Clients
) -> None:
    free = asyncio.Event()
    async with a_release(temporal, task_queue, AFTER, free):
        await Deployment(temporal, task_queue).make_current(AFTER, within=MINUTE)
        run = await begin(await of_release(AFTER), task_queue, text="new", added="now")

        async def at_work() -> bool:
            return bool((await run.describe()).raw_description.pending_activities)

        async def carry_on() -> None:
            await run.signal("tell")
            await run.signal("tell")
            await until(at_work)

        watched = await connect(temporal_address, interceptors=[_Described(carry_on)])
        await settled(Deployment(temporal, task_queue), after=1)
        taking = TakingOver(Deployment(watched, task_queue), "later", [ERRANDS[AFTER]])
        taken = await taking.carry_out(within=timedelta(0))
        assert (taken.taken, taken.busy) == (0, {(AFTER, "Errand"): 1})
        free.set()
        assert await run.result() == AFTER


class _Meanwhile(TakingOver):
    """Its own release carries a run on while it is looked at, and this one as soon as it has it."""

    async def _take(self, found: Any) -> bool:
        await found.handle.signal("nudge")
        before = len(found.history.events)
        await at_rest(found.handle, behind=before)
        return await super()._take(found)

    async def _give(self, handle: WorkflowHandle[Any, Any], release: str) -> bool:
        is_there = await super()._give(handle, release)
        if release == AFTER:
            await handle.signal("tell")
            await until(lambda: has_gone_another_way(handle))
        return is_there


async def test_a_run_that_was_carried_on_here_is_not_given_back(
    temporal: Client, task_queue: str, deployment: Deployment, of_release: Clients
) -> None:
    async with a_release(temporal, task_queue, BEFORE), a_release(temporal, task_queue, AFTER):
        await deployment.make_current(BEFORE, within=MINUTE)
        run = await begin(await of_release(BEFORE), task_queue, text="wide", added="already")
        await at_rest(run)
        await settled(deployment, before=1, after=0)
        taking = _Meanwhile(deployment, AFTER, [ERRANDS[AFTER]])
        taken = await taking.carry_out(within=timedelta(0))
        assert (taken.taken, taken.busy) == (1, {})
        await run.signal("tell")
        assert await run.result() == AFTER


async def test_runs_whose_workers_are_gone_are_taken_over(
    temporal: Client, task_queue: str, deployment: Deployment, of_release: Clients
) -> None:
    async with a_release(temporal, task_queue, AFTER):
        await deployment.make_current(AFTER, within=MINUTE)
    run = await begin(await of_release(AFTER), task_queue, text="new", added="now")
    async with a_release(temporal, task_queue, BEFORE):
        await deployment.make_current(BEFORE, within=MINUTE)
        await settled(deployment, before=0, after=1)
        assert (await take_over(deployment, BEFORE)).taken == 1
        await run.signal("tell")
        await run.signal("tell")
        assert await run.result() == BEFORE


@pytest.fixture
def worker_of(temporal_address: str, task_queue: str, database_url: str) -> WorkerOf:
    """What an API of a release says of its workers."""

    async def said(release: str) -> str:
        async with (
            running_portal(
                database_url,
                temporal_address=temporal_address,
                task_queue=task_queue,
                release=release,
            ) as app,
            a_browser(app) as browser,
        ):
            return (await browser.get("/readyz")).json()["worker"]["detail"]

    return said


async def test_an_api_is_ready_when_a_worker_of_its_own_release_is_there(
    temporal: Client, task_queue: str, worker_of: WorkerOf
) -> None:
    async with a_release(temporal, task_queue, BEFORE):
        await until(lambda: worker_of(BEFORE), lambda said: said == "1 polling")
        assert await worker_of(AFTER) == "no worker of after polls"


async def test_an_api_asks_no_more_what_temporal_knows_of_its_release(
    temporal: Client,
    temporal_address: str,
    task_queue: str,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with (
        running_portal(
            database_url,
            temporal_address=temporal_address,
            task_queue=task_queue,
            release=BEFORE,
        ) as app,
        a_browser(app) as browser,
        a_release(temporal, task_queue, BEFORE),
    ):
        service, asked = app.state.portal.temporal.workflow_service, list[Any]()
        ask = service.describe_worker_deployment_version

        def noted(request: Any, **how: Any) -> Any:
            asked.append(request)
            return ask(request, **how)

        monkeypatch.setattr(service, "describe_worker_deployment_version", noted)

        async def said() -> str:
            return (await browser.get("/readyz")).json()["worker"]["detail"]

        await until(said, lambda said: said == "1 polling")
        assert asked
        asked.clear()
        assert [await said() for _ in range(3)] == ["1 polling"] * 3
        assert asked == []


async def test_a_release_is_none_before_its_effects_are_its_own(
    temporal: Client, task_queue: str, deployment: Deployment, worker_of: WorkerOf
) -> None:
    """Temporal learns one after the other that a worker takes tasks of runs and that it takes effects."""
    takes_tasks = a_worker(temporal, task_queue, BEFORE, workflows=[ERRANDS[BEFORE]])
    effects = [Effects(BEFORE, asyncio.Event()).carry]
    async with a_release(temporal, task_queue, AFTER), takes_tasks:
        await deployment.make_current(AFTER, within=MINUTE)
        half = "Temporal does not know all yet that workers of before take"
        await until(lambda: worker_of(BEFORE), lambda said: said == half)
        becoming = asyncio.create_task(deployment.make_current(BEFORE, within=MINUTE))
        assert await worker_of(BEFORE) == half
        assert not becoming.done()
        with pytest.raises(NotKnownYet):
            await deployment.make_current(BEFORE, within=timedelta(0))
        async with a_worker(temporal, task_queue, BEFORE, activities=effects):
            await becoming
            await until(lambda: worker_of(BEFORE), lambda said: said.endswith("polling"))


async def test_a_release_whose_workers_are_not_there_is_told_so_in_a_sentence(
    temporal_address: str,
    task_queue: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(command, "FIRST_WORKER", timedelta(0))
    for name, value in (
        ("TEMPORAL_ADDRESS", temporal_address),
        ("TASK_QUEUE", task_queue),
        ("RELEASE", AFTER),
    ):
        monkeypatch.setenv(name, value)
    assert await command.run(["current"]) == 1
    said, refused = capsys.readouterr()
    assert said == ""
    assert refused.startswith("No worker of release after takes both tasks and effects yet. Start")
    assert refused.count("\n") == 1


@pytest.mark.parametrize("words", [["current"], []], ids=["current", "shown"])
async def test_what_temporal_refuses_is_told_in_a_sentence(
    temporal_address: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
) -> None:
    async def refused_by_it(*_: object, **__: object) -> None:
        raise RPCError("too many releases.", RPCStatusCode.RESOURCE_EXHAUSTED, b"")

    monkeypatch.setattr(Deployment, "make_current", refused_by_it)
    for name, value in (
        ("TEMPORAL_ADDRESS", temporal_address),
        ("TEMPORAL_NAMESPACE", "nowhere"),
        ("RELEASE", AFTER),
    ):
        monkeypatch.setenv(name, value)
    assert await command.run(words) == 1
    said, refused = capsys.readouterr()
    assert said == ""
    why = "too many releases" if words else "Namespace nowhere is not found"
    assert refused == f"Temporal says: {why}. {command.AGAIN}\n"


async def test_runs_of_no_release_are_counted(
    temporal: Client, task_queue: str, deployment: Deployment, of_release: Clients
) -> None:
    async with a_release(temporal, task_queue, AFTER):
        await deployment.make_current(AFTER, within=MINUTE)
        await begin(await of_release(AFTER), task_queue, text="new", added="now")
        await settled(deployment, after=1)
        assert await deployment.runs_of_none() == 0
    other = Deployment(temporal, f"{task_queue}-unnamed")
    await begin(temporal, other.name, text="old", added="once")

    async def is_counted() -> bool:
        return await other.runs_of_none() == 1

    await until(is_counted)
    assert written(await other.releases(), of_none=1).endswith("\n1 runs are under way.")


def test_a_release_whose_runs_wait_for_nobody_is_told_of() -> None:
    lost = Release(name="lost", is_current=False, workers=0, runs=2)
    drained = Release(name="drained", is_current=False, workers=1, runs=0)
    current = Release(name="now", is_current=True, workers=1, runs=0)
    _, *lines, last = written([lost, drained, current], of_none=3).splitlines()
    assert last.split() == ["of", "no", "release", "3"]
    assert [line.rpartition("  ")[2] for line in lines] == [
        "START ITS WORKERS: its runs wait for them",
        "may be stopped",
        "",
    ]
    assert [one.is_deserted for one in (lost, drained, current)] == [True, False, False]
