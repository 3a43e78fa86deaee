"""Metrics of one process for Prometheus, on a port of their own that is not the public one; none: off (decision 81).

The port after it has those of Temporal's SDK. Nothing is counted twice: what a process has kept anyway is read when
somebody asks.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from fastapi import FastAPI
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    start_http_server,
)
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import QueuePool
from temporalio.runtime import PrometheusConfig, Runtime, TelemetryConfig

from observing.figures import Figures
from observing.requests import WatchesRequests
from providers.instrumentation import Tally

SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 3.5, 5.0, 10.0)
"""Buckets: a read is good below 0.25 s, a write has 3 s, and no call takes more than four."""


class Metrics:
    """Off: counts nothing. `runtime` is for the Temporal client."""

    runtime: Runtime | None = None

    def watch_app(self, app: FastAPI) -> None:
        """Before it serves."""

    def watch_providers(self, tally: Tally) -> None: ...

    def watch_engine(self, engine: AsyncEngine) -> None: ...

    def loop_failed(self, name: str) -> None:
        """What a worker does beside its runs has failed, and is begun anew."""

    def publish(self, figures: Figures) -> None:
        """What holds for the whole portal, as this process saw it last."""

    @property
    def is_on(self) -> bool:
        return False


UNMEASURED = Metrics()


def metrics_at(host: str, port: int) -> Metrics:
    """Served from now on, at `port` and the one after it. Raises OSError when the port is taken."""
    if not port:
        return UNMEASURED
    measured = Measured()
    start_http_server(port, host, measured.registry)
    config = TelemetryConfig(metrics=PrometheusConfig(bind_address=f"{host}:{port + 1}"))
    measured.runtime = Runtime(telemetry=config)
    return measured


class Measured(Metrics):
    """On."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        self._figures = _FiguresCollector()
        self.registry.register(self._figures)

        self._loop_failures = Counter(
            "turnkey_loop_failures",
            "What a worker does beside its runs has failed, and was begun anew",
            ("loop",),
            registry=self.registry,
        )

    @property
    def is_on(self) -> bool:
        return True

    def watch_app(self, app: FastAPI) -> None:
        requests = Histogram(
            "turnkey_http_request_seconds",
            "Calls by operation and status, until they were answered whole",
            ("operation", "method", "status"),
            buckets=SECONDS,
            registry=self.registry,
        )
        streams = Gauge(
            "turnkey_live_streams", "Open streams of live events", registry=self.registry
        )
        app.add_middleware(WatchesRequests, requests=requests, streams=streams)

    def watch_providers(self, tally: Tally) -> None:
        calls = Histogram(
            "turnkey_provider_call_seconds",
            "Calls to third parties: answered, or failed for a reason that may pass",
            ("provider", "outcome"),
            buckets=SECONDS,
            registry=self.registry,
        )
        reasons = Counter(
            "turnkey_provider_failures",
            "Failed calls to third parties by their status or kind",
            ("provider", "reason"),
            registry=self.registry,
        )

        def note(system: str, reason: str | None, seconds: float) -> None:
            calls.labels(system, "failed" if reason else "answered").observe(seconds)
            if reason:
                reasons.labels(system, reason).inc()

        tally.listener = note

    def watch_engine(self, engine: AsyncEngine) -> None:
        pool = engine.sync_engine.pool
        if not isinstance(pool, QueuePool):
            return
        connections = Gauge(
            "turnkey_database_connections",
            "Connections of the pool that are in use, and how many there may be",
            ("state",),
            registry=self.registry,
        )
        most = pool.size() + pool._max_overflow  # pyright: ignore[reportPrivateUsage, reportUnknownMemberType, reportAttributeAccessIssue, reportUnknownVariableType] it has no public name
        connections.labels("in_use").set_function(pool.checkedout)
        connections.labels("allowed").set_function(partial(float, most))

    def loop_failed(self, name: str) -> None:
        self._loop_failures.labels(name).inc()

    def publish(self, figures: Figures) -> None:
        self._figures.last = figures


@dataclass
class _FiguresCollector:
    last: Figures | None = None

    def __hash__(self) -> int:
        return id(self)

    def collect(self) -> Iterable[Metric]:
        seen = self.last
        if seen is None:
            return
        yield _gauge("turnkey_figures_seen_seconds", "Unix time of these figures", seen.at)
        yield _gauge("turnkey_database_up", "Whether the database answered", float(seen.answered))
        if seen.answered:
            yield from _of_database(seen)
        yield from _of_task_queue(seen)


def _of_database(seen: Figures) -> Iterable[Metric]:
    runs = GaugeMetricFamily(
        "turnkey_runs", "Open runs by kind and state", labels=("kind", "state")
    )
    for kind, state, count in seen.runs:
        runs.add_metric((kind, state), count)
    yield runs
    rows = GaugeMetricFamily(
        "turnkey_outbox_rows", "What waits to be handed on", labels=("outbox",)
    )
    age = GaugeMetricFamily(
        "turnkey_outbox_oldest_seconds", "How long the oldest has waited", labels=("outbox",)
    )
    for outbox in seen.outboxes:
        rows.add_metric((outbox.name,), outbox.rows)
        age.add_metric((outbox.name,), outbox.oldest_seconds)
    yield from (rows, age)
    yield _gauge("turnkey_open_cases", "Cases that are open", seen.open_cases)
    yield _gauge(
        "turnkey_runs_stuck", "Runs that no person holds up and that stand still", seen.stuck
    )
    attention = GaugeMetricFamily(
        "turnkey_runs_attention",
        "Runs that need attention, also such as are over",
        labels=("kind",),
    )
    for kind, count in seen.attention:
        attention.add_metric((kind,), count)
    payouts = GaugeMetricFamily(
        "turnkey_payouts", "Payouts that wait for a person", labels=("state",)
    )
    for state, count in seen.payouts:
        payouts.add_metric((state,), count)
    feeds = GaugeMetricFamily(
        "turnkey_feed_age_seconds", "Since each feed of the ERP was last read", labels=("feed",)
    )
    for feed, seconds in seen.feeds:
        feeds.add_metric((feed,), seconds)
    yield from (attention, payouts, feeds)
    yield _gauge("turnkey_differences", "Differences of the books that are open", seen.differences)
    if seen.books_seconds is not None:
        yield _gauge(
            "turnkey_books_age_seconds",
            "Since the books were last compared whole",
            seen.books_seconds,
        )
    yield _gauge(
        "turnkey_drifts", "Pages of the last day that lacked what was older than a run", seen.drifts
    )
    if seen.reconciler_seconds is not None:
        yield _gauge(
            "turnkey_reconciler_age_seconds",
            "Since the reconciler was last round",
            seen.reconciler_seconds,
        )
    if seen.archives_wal is not None:
        yield _gauge(
            "turnkey_wal_archived",
            "Whether PostgreSQL archives its segments: the last one it tried to, and in time",
            float(seen.archives_wal),
        )


def _of_task_queue(seen: Figures) -> Iterable[Metric]:
    yield _gauge("turnkey_temporal_up", "Whether Temporal answered", float(seen.queue is not None))
    tasks = GaugeMetricFamily(
        "turnkey_task_queue_tasks", "Tasks that wait for a worker", labels=("kind",)
    )
    pollers = GaugeMetricFamily(
        "turnkey_task_queue_pollers", "Workers that ask for tasks", labels=("kind",)
    )
    for queue in seen.queue or ():
        tasks.add_metric((queue.kind,), queue.tasks)
        pollers.add_metric((queue.kind,), queue.pollers)
    yield from (tasks, pollers)


def _gauge(name: str, text: str, value: float) -> Metric:
    family: Any = GaugeMetricFamily(name, text)
    family.add_metric((), value)
    return family
