"""Many activations at once: 1,000 are started within 60 s and walked to their ends.

What must hold (promises 13 and 18): all of them finish; once the start is over, a task waits at most 5 s for a worker at
the 95th percentile. The worker's memory is sampled meanwhile, and the history sizes are read from the same runs.
"""

import asyncio
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from temporalio.api.enums.v1 import EventType
from temporalio.api.history.v1 import HistoryEvent

from api.platform.live import Live
from bench.activation import ByTemporal, Walked, a_device_key, walk
from bench.figures import Figure, Results, at_most, not_measured
from bench.measuring import percentile
from bench.portal import QUICK_DEVICES
from bench.sizes import Sizes
from db.base import make_engine, make_sessions
from dev.servers import own_folder
from dev.stack import Stack, stack
from dev.status import memory_of
from workflows.client import connect

STEADY_AFTER = timedelta(seconds=10)
SAMPLED = 100
"""Histories that are read for the waits of their tasks."""

MEMORY_EVERY = 2.0
MEGABYTE = 1024 * 1024

SCHEDULED = {
    EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED,
    EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED,
}
STARTED = {
    EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED: "workflow_task_started_event_attributes",
    EventType.EVENT_TYPE_ACTIVITY_TASK_STARTED: "activity_task_started_event_attributes",
}


@dataclass
class Crowd:
    """What came of all walks together."""

    began: datetime
    walks: list[Walked] = field(default_factory=list[Walked])
    broken: list[str] = field(default_factory=list[str])
    memory: list[int] = field(default_factory=list[int])
    seconds: float = 0.0


def measure(sizes: Sizes, results: Results) -> None:
    """On a portal of its own."""
    with own_folder() as folder, stack(folder, environment=QUICK_DEVICES) as running:
        results.record(asyncio.run(_measure(running, sizes.crowd, sizes.crowd_within)))


async def _measure(running: Stack, count: int, within: float) -> list[Figure]:
    engine = make_engine(running.database_url)
    live = Live(running.database_url)
    listening = asyncio.create_task(live.run())
    client = await connect(running.temporal_address)
    road = ByTemporal(client, make_sessions(engine), live, "portal")
    try:
        crowd = await _walk_all(road, running.pids()["worker"], count, within)
        waits, sizes = list[float](), list[tuple[int, float]]()
        for walked in crowd.walks[:: max(len(crowd.walks) // SAMPLED, 1)]:
            history = await road.handle(walked).fetch_history()
            waits += _waits(history.events, after=crowd.began + STEADY_AFTER)
            size = sum(event.ByteSize() for event in history.events) / 1024
            sizes.append((len(history.events), size))
    finally:
        listening.cancel()
        await engine.dispose()
    for each in crowd.broken[:20]:
        print(f"broken: {each}")
    return _figures(crowd, count, waits, sizes)


async def _walk_all(road: ByTemporal, worker: int, count: int, within: float) -> Crowd:
    """Begins one walk after another, evenly over `within` seconds; waits for all of them."""
    crowd, begun = Crowd(datetime.now(UTC)), time.monotonic()

    async def one(number: int) -> None:
        await asyncio.sleep(number * within / count)
        try:
            crowd.walks.append(await walk(road, a_device_key()))
        except Exception as error:  # whatever went wrong is a figure
            crowd.broken.append(f"{type(error).__name__}: {error}")

    async def sample() -> None:
        while True:
            crowd.memory.append(memory_of(worker))
            await asyncio.sleep(MEMORY_EVERY)

    sampling = asyncio.create_task(sample())
    await asyncio.gather(*(one(number) for number in range(count)))
    crowd.seconds = time.monotonic() - begun
    crowd.memory.append(memory_of(worker))
    sampling.cancel()
    return crowd


def _waits(events: Sequence[HistoryEvent], *, after: datetime) -> Iterable[float]:
    """Seconds between the scheduling of each task and its start, of those that were scheduled after that moment."""
    scheduled = {
        event.event_id: event.event_time.ToDatetime(tzinfo=UTC)
        for event in events
        if event.event_type in SCHEDULED
    }
    for event in events:
        attributes = STARTED.get(event.event_type)
        if attributes is None:
            continue
        at = scheduled[getattr(event, attributes).scheduled_event_id]
        if at >= after:
            yield (event.event_time.ToDatetime(tzinfo=UTC) - at).total_seconds()


def _figures(
    crowd: Crowd, count: int, waits: Sequence[float], sizes: Sequence[tuple[int, float]]
) -> list[Figure]:
    finished = len(crowd.walks)
    steps = [latency for walked in crowd.walks for latency in walked.steps]
    p95 = percentile(waits, 0.95) if waits else 0
    events, size = max(sizes, default=(0, 0.0))
    return [
        Figure("crowd.finished", finished, "activations", f"{count}", finished == count),
        Figure("crowd.took", round(crowd.seconds, 1), "s"),
        Figure(
            "crowd.schedule_to_start_p50", round(percentile(waits, 0.5), 3) if waits else 0, "s"
        ),
        at_most("crowd.schedule_to_start_p95", p95, 5, "s")
        if waits
        else not_measured("crowd.schedule_to_start_p95", "<= 5"),
        Figure("crowd.tasks_looked_at", len(waits), "tasks"),
        Figure("crowd.step_p95", round(percentile(steps, 0.95), 3) if steps else 0, "s"),
        Figure("crowd.worker_memory_before", round(crowd.memory[0] / MEGABYTE), "MB"),
        Figure("crowd.worker_memory_peak", round(max(crowd.memory) / MEGABYTE), "MB"),
        Figure("crowd.worker_memory_after", round(crowd.memory[-1] / MEGABYTE), "MB"),
        at_most("crowd.history_events", events, 1000, "events"),
        at_most("crowd.history_size", size, 300, "KB"),
    ]
