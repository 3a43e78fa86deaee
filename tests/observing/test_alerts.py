"""Each alert is caused: the fault is real, so are the metrics that come of it, and Prometheus judges them where it is."""

import ast
import asyncio
import re
import subprocess
import urllib.request
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from fastapi import FastAPI
from prometheus_client import CollectorRegistry, start_http_server
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession
from temporalio import workflow
from temporalio.client import Client
from temporalio.worker import Worker

from api.platform.deps import Portal
from db.base import Sessions, make_engine, make_sessions
from db.billing.reconciliation.differences import save_differences
from db.billing.reconciliation.rounds import begin_round, end_round
from db.operations.rounds import save_pass, unmailed
from db.operations.runs import resolve_attention
from db.orders.mails import queue_mail
from db.orders.progress import store
from db.platform.outboxes import OutboxFigures
from db.runs.drift import save_drift
from dev import ports
from dev.servers import Servers
from domain.billing.reconciliation.differences import Difference, DifferenceKind, Part
from domain.operations.operations import Pass
from domain.runs.drift import Drift
from observing.figures import Figures, QueueFigures
from observing.metrics import Measured, metrics_at
from providers.instrumentation import Tally
from tests.checkout.cart.buyers import a_buyer
from tests.drivers.database.archiving import an_archiving_cluster, archive_all, lose_archive
from tests.drivers.factories import a_name, an_installer
from tests.drivers.portal import NOWHERE, a_browser, running_portal, sign_in
from tests.drivers.until import until
from tests.observing.judge import (
    RULES,
    Samples,
    alerts,
    asked,
    expressions,
    firing,
    promtool,
    read,
    scraped,
)
from tests.orders.factories import a_new_order, code_of
from workers.operations.loops import kept_up
from workflows.client import connect
from workflows.operations.reconciler import ReconcilerWorkflow

SDK_FAILED = "temporal_workflow_task_execution_failed"
"""Told by Temporal's SDK in a worker."""


@pytest.fixture(scope="module")
def own_database(servers: Servers, worker_id: str) -> Generator[str]:
    """No relay of another test hands on what waits here."""
    with servers.database(f"alerts_{worker_id}") as (url, _):
        yield url


@pytest.fixture(scope="module")
async def own_sessions(own_database: str) -> AsyncGenerator[Sessions]:
    engine = make_engine(own_database)
    yield make_sessions(engine)
    await engine.dispose()


@asynccontextmanager
async def measured(database_url: str, **settings: Any) -> AsyncGenerator[tuple[FastAPI, Measured]]:
    metrics = Measured()
    async with running_portal(database_url, metrics=metrics, **settings) as app:
        yield app, metrics


async def _seen(metrics: Measured) -> Samples:
    """Once the portal has been looked at."""

    async def look() -> Samples:
        samples = scraped(metrics.registry)
        return samples if value(samples, "turnkey_temporal_up") is not None else {}

    return await until(look)


Write = Callable[[AsyncSession], Awaitable[None]]


def written(statement: str, **values: Any) -> Write:
    async def write(session: AsyncSession) -> None:
        await session.execute(text(statement), values)

    return write


async def gauged(database_url: str, sessions: Sessions, write: Write, *tables: str) -> Samples:
    """What is told once this is written; these tables are empty then."""
    async with sessions.begin() as session:
        await write(session)
    async with measured(database_url) as (_, metrics):
        seen = await _seen(metrics)
    async with sessions.begin() as session:
        for table in tables:
            await session.execute(text(f"delete from {table}"))
    return seen


def value(samples: Samples, name: str, **labels: str) -> float | None:
    """Of the first series of this name and these labels."""
    wanted = [f'{key}="{said}"' for key, said in labels.items()]
    for series, found in samples.items():
        if series.startswith(f"{name}{{") and all(one in series for one in wanted):
            return found
    return None


def assert_fires(
    folder: Path, alert: str, after: Samples, before: Samples | None = None, **given: int
) -> None:
    fired = firing(folder, before or {}, after, **given)
    assert fired is None or alert in fired


async def _round(sessions: Sessions, ago: timedelta) -> None:
    async with sessions.begin() as session:
        await session.execute(text("delete from reconciliation"))
        await save_pass(
            session,
            Pass(at=datetime.now(UTC) - ago, took_ms=1, looked=0, asked=0, repaired={}),
        )


async def test_with_temporal_away(own_database: str, tmp_path: Path) -> None:
    async with measured(own_database, temporal_address=NOWHERE) as (_, metrics):
        seen = await _seen(metrics)
    assert value(seen, "turnkey_temporal_up") == 0
    assert_fires(tmp_path, "TemporalAway", seen)


async def test_without_a_worker(
    own_database: str,
    own_sessions: Sessions,
    temporal_address: str,
    task_queue: str,
    tmp_path: Path,
) -> None:
    await _round(own_sessions, timedelta(0))
    async with measured(own_database, temporal_address=temporal_address, task_queue=task_queue) as (
        _,
        metrics,
    ):
        seen = await _seen(metrics)
    assert value(seen, "turnkey_task_queue_pollers", kind="workflow") == 0
    fired = firing(tmp_path, {}, seen)
    assert fired is None or fired == {"NoWorker"}, "and nothing else"


async def test_with_a_worker_nothing_fires(
    own_database: str,
    own_sessions: Sessions,
    temporal: Client,
    temporal_address: str,
    task_queue: str,
    tmp_path: Path,
) -> None:
    await _round(own_sessions, timedelta(0))
    worker = Worker(temporal, task_queue=task_queue, workflows=[ReconcilerWorkflow])
    async with (
        worker,
        measured(own_database, temporal_address=temporal_address, task_queue=task_queue) as (
            app,
            metrics,
        ),
        a_browser(app) as browser,
    ):

        async def polled() -> Samples:
            seen = scraped(metrics.registry)
            return seen if value(seen, "turnkey_task_queue_pollers", kind="workflow") else {}

        await until(polled, within=60)
        before = scraped(metrics.registry)
        assert (await browser.get("/healthz")).status_code == 200
        after = scraped(metrics.registry)
    fired = firing(tmp_path, before, after)
    assert not fired


async def test_with_the_database_away_calls_fail(tmp_path: Path) -> None:
    nowhere = f"postgresql://turnkey_app@{NOWHERE}/turnkey"
    async with measured(nowhere) as (app, metrics), a_browser(app) as browser:
        seen = await _seen(metrics)
        assert value(seen, "turnkey_database_up") == 0
        before = scraped(metrics.registry)
        answer = await browser.get("/v1/site")
        for _ in range(3):
            answer = await browser.post(
                "/v1/auth/sign-in", json={"username": "a@b.example", "password": "Some-Word-1!"}
            )
        after = scraped(metrics.registry)
    assert answer.status_code == 503
    assert value(after, "turnkey_http_request_seconds_count", operation="sign_in", status="503")
    assert_fires(tmp_path, "DatabaseAway", after, before)
    assert_fires(tmp_path, "CallsFail", after, before)


async def test_with_an_archive_of_wal_that_is_lost(tmp_path: Path) -> None:
    with an_archiving_cluster() as (cluster, archive):
        archive_all(cluster.admin_url)
        async with measured(cluster.app_url) as (_, metrics):
            before = await _seen(metrics)
        lose_archive(cluster, archive)
        async with measured(cluster.app_url) as (_, metrics):
            after = await _seen(metrics)
    assert value(before, "turnkey_wal_archived") == 1
    assert value(after, "turnkey_wal_archived") == 0
    fired = firing(tmp_path, {}, before)
    assert fired is None or "WalNotArchived" not in fired
    assert_fires(tmp_path, "WalNotArchived", after)


async def test_where_nothing_is_archived_nothing_is_told_of_it(own_database: str) -> None:
    async with measured(own_database) as (_, metrics):
        seen = await _seen(metrics)
    assert value(seen, "turnkey_database_up") == 1
    assert value(seen, "turnkey_wal_archived") is None


async def test_with_somebody_who_tries_passwords_and_reaches_for_what_is_not_theirs(
    own_database: str, own_sessions: Sessions, tmp_path: Path
) -> None:
    installer = await an_installer(own_sessions)
    async with measured(own_database) as (app, metrics), a_browser(app) as browser:
        before = await _seen(metrics)
        for _ in range(8):
            await browser.post(
                "/v1/auth/sign-in",
                json={"username": f"{a_name()}@b.example", "password": "Some-Word-1!"},
            )
        tried = scraped(metrics.registry)
        assert (await sign_in(browser, installer)).is_success
        for _ in range(20):
            assert (await browser.get("/v1/operations")).status_code == 403
        after = scraped(metrics.registry)
    assert value(tried, "turnkey_http_request_seconds_count", operation="sign_in", status="401")
    assert_fires(tmp_path, "SignInsRefused", tried, before)
    assert value(after, "turnkey_http_request_seconds_count", operation="get_operations") == 20
    assert_fires(tmp_path, "CallsRefused", after, before)


async def test_with_an_outbox_that_is_stuck(
    own_database: str, own_sessions: Sessions, tmp_path: Path
) -> None:
    event = written(
        "insert into webhook_event (provider, event_id, type, subject, received_at, body) values"
        " ('card', 'evt_waits', 'charge.refunded', 'x', now() - interval '10 minutes', '{}')"
    )
    seen = await gauged(own_database, own_sessions, event, "webhook_event")
    assert value(seen, "turnkey_outbox_rows", outbox="providers") == 1
    assert (value(seen, "turnkey_outbox_oldest_seconds", outbox="providers") or 0) >= 600
    assert value(seen, "turnkey_outbox_rows", outbox="devices") == 0
    assert_fires(tmp_path, "OutboxStuck", seen)


async def test_with_confirmations_that_nobody_mails(
    own_database: str, own_sessions: Sessions, tmp_path: Path
) -> None:
    user = await a_buyer(own_sessions)

    async def overdue(session: AsyncSession) -> None:
        order = await store(session, a_new_order(code_of(user), placed_by=user.id))
        await queue_mail(session, order.token, "https://portal.test")
        assert await unmailed(session) == 0
        since = (
            "next_at = now() - interval '10 minutes', created_at = now() - interval '10 minutes'"
        )
        await session.execute(text(f"update order_mail set {since}"))
        assert await unmailed(session) == 1

    seen = await gauged(own_database, own_sessions, overdue)
    later = written("update order_mail set next_at = now() + interval '1 hour'")
    tried_later = await gauged(own_database, own_sessions, later, "order_mail")
    assert value(seen, "turnkey_outbox_rows", outbox="order_mails") == 1
    assert (value(seen, "turnkey_outbox_oldest_seconds", outbox="order_mails") or 0) >= 600
    assert_fires(tmp_path, "OutboxStuck", seen)
    assert value(tried_later, "turnkey_outbox_rows", outbox="order_mails") == 1
    assert value(tried_later, "turnkey_outbox_oldest_seconds", outbox="order_mails") == 0


async def test_with_a_reconciler_that_is_dark(
    own_database: str, own_sessions: Sessions, tmp_path: Path
) -> None:
    await _round(own_sessions, timedelta(minutes=20))
    async with measured(own_database) as (_, metrics):
        seen = await _seen(metrics)
    assert (value(seen, "turnkey_reconciler_age_seconds") or 0) >= 1200
    assert_fires(tmp_path, "ReconcilerDark", seen)


async def test_with_a_provider_away(own_database: str, tmp_path: Path) -> None:
    """Nobody listens where the ERP should be."""
    async with measured(own_database, erp_url=f"http://{NOWHERE}/b1s/v2") as (app, metrics):
        portal: Portal = app.state.portal
        await _seen(metrics)
        before = scraped(metrics.registry)
        with pytest.raises(httpx.ConnectError):
            await portal.watched.get(f"http://{NOWHERE}/b1s/v2/Orders")
        after = scraped(metrics.registry)
    failed = value(after, "turnkey_provider_call_seconds_count", provider="ERP", outcome="failed")
    assert failed == 1
    assert_fires(tmp_path, "ProviderAway", after, before)


async def test_with_every_connection_in_use(own_database: str, tmp_path: Path) -> None:
    async with measured(own_database) as (app, metrics), AsyncExitStack() as held:
        portal: Portal = app.state.portal
        await _seen(metrics)
        for _ in range(12):
            await held.enter_async_context(portal.engine.connect())
        seen = scraped(metrics.registry)
    assert value(seen, "turnkey_database_connections", state="in_use") == 12
    assert_fires(tmp_path, "PoolExhausted", seen)


async def test_with_screens_that_drift(
    own_database: str, own_sessions: Sessions, tmp_path: Path
) -> None:
    async def drifts(session: AsyncSession) -> None:
        for number in range(6):
            seen = Drift(
                kind="activation",
                id=f"act-{number}",
                version=1,
                rev=1,
                state="plan",
                what="state",
                name="plan",
            )
            await save_drift(session, seen)

    seen = await gauged(own_database, own_sessions, drifts, "chart_drift")
    assert value(seen, "turnkey_drifts") == 6
    assert_fires(tmp_path, "ScreensDrift", seen)


def open_runs(kind: str, state: str, count: int, age: str = "0 minutes") -> Write:
    return written(
        "insert into flow (id, kind, version, workflow_id, run_id, rev, seq, state, allowed, view,"
        " site, created_at, updated_at) select 'alert-' || n, :kind, 1, 'alert-' || n, 'r', 1, 1,"
        " :state, '{}', '{}', 'ca', now(), now() - cast(:age as interval) from generate_series(1, :count) n",
        kind=kind,
        state=state,
        count=count,
        age=age,
    )


async def test_with_runs_that_stand_still(
    own_database: str, own_sessions: Sessions, tmp_path: Path
) -> None:
    runs = open_runs("firmware", "waiting_online", 2, "20 minutes")
    seen = await gauged(own_database, own_sessions, runs, "flow")
    assert value(seen, "turnkey_runs_stuck") == 2
    assert_fires(tmp_path, "RunsStuck", seen)


@pytest.mark.parametrize("is_over", [False, True])
async def test_with_an_order_that_holds_money_and_goes_nowhere(
    own_database: str, own_sessions: Sessions, tmp_path: Path, is_over: bool
) -> None:
    """Nobody finds it among those that stand still: it waits for a person."""

    async def needs(session: AsyncSession) -> None:
        await open_runs("placement", "needs_attention", 1, "20 minutes")(session)
        ended = "now()" if is_over else "null"
        needy = f"outcome = 'needs_attention', ended_at = {ended}"
        await session.execute(text(f"update flow set {needy} where id = 'alert-1'"))

    async def settle(session: AsyncSession) -> None:
        await resolve_attention(session, "alert-1", by="user:anna", note="Paid by hand.")

    seen = await gauged(own_database, own_sessions, needs)
    settled = await gauged(own_database, own_sessions, settle, "flow", "attention_settled")
    assert value(seen, "turnkey_runs_stuck") == 0
    assert value(seen, "turnkey_runs_attention", kind="placement") == 1
    assert value(settled, "turnkey_runs_attention") == (None if is_over else 1)
    assert_fires(tmp_path, "RunsNeedAttention", seen)


async def test_with_payouts_that_were_refused(
    own_database: str, own_sessions: Sessions, tmp_path: Path
) -> None:
    payouts = written(
        "insert into payout (dealer_id, month, amount, state, account_id) values"
        " ('alert', '2026-01', 5, 'refused', 'acct'), ('alert', '2026-02', 5, 'waiting', null)"
    )
    seen = await gauged(own_database, own_sessions, payouts, "payout")
    assert value(seen, "turnkey_payouts", state="refused") == 1
    assert value(seen, "turnkey_payouts", state="returned") == 0
    assert_fires(tmp_path, "PayoutsHeld", seen, minutes=90)


async def test_with_books_that_differ_and_are_not_compared_any_more(
    own_database: str, own_sessions: Sessions, tmp_path: Path
) -> None:
    """A round that could not compare a part is none."""

    async def rounds(session: AsyncSession) -> None:
        await begin_round(session, "alert-whole", "schedule")
        await end_round(session, "alert-whole", {}, [])
        await session.execute(
            text("update reconciliation_round set ended_at = now() - interval '40 hours'")
        )
        await begin_round(session, "alert-part", "schedule")
        await end_round(session, "alert-part", {}, ["plans"])
        found = Difference(kind=next(iter(DifferenceKind)), subject="Payment alert")
        await save_differences(session, "alert-whole", Part.PAYMENTS, [found])

    tables = ("reconciliation_round", "reconciliation_difference")
    seen = await gauged(own_database, own_sessions, rounds, *tables)
    assert value(seen, "turnkey_differences") == 1
    assert (value(seen, "turnkey_books_age_seconds") or 0) >= 144_000
    assert_fires(tmp_path, "BooksDiffer", seen, minutes=90)
    assert_fires(tmp_path, "BooksNotCompared", seen)


async def test_with_a_feed_that_nobody_reads(
    own_database: str, own_sessions: Sessions, tmp_path: Path
) -> None:
    feed = written(
        "insert into erp_feed (name, cursor, read_at) values"
        " ('documents', '', now() - interval '20 minutes')"
    )
    seen = await gauged(own_database, own_sessions, feed, "erp_feed")
    assert (value(seen, "turnkey_feed_age_seconds", feed="documents") or 0) >= 1200
    assert_fires(tmp_path, "FeedDark", seen)


async def test_with_a_loop_that_does_not_get_on(tmp_path: Path) -> None:
    metrics, tries = Measured(), asyncio.Semaphore(0)
    before = scraped(metrics.registry)

    async def unreadable() -> None:
        tries.release()
        raise ValueError("a document that nobody can read")

    loop = asyncio.create_task(kept_up("documents", unreadable, metrics, after=0))
    for _ in range(3):
        await tries.acquire()
    loop.cancel()
    after = scraped(metrics.registry)
    assert (value(after, "turnkey_loop_failures_total", loop="documents") or 0) >= 2
    assert_fires(tmp_path, "LoopFails", after, before)


async def test_with_many_open_cases(
    own_database: str, own_sessions: Sessions, tmp_path: Path
) -> None:
    cases = open_runs("case", "open", 21)
    seen = await gauged(own_database, own_sessions, cases, "flow")
    assert value(seen, "turnkey_open_cases") == 21
    assert_fires(tmp_path, "CasesPileUp", seen, minutes=90)


def scrape(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        return answer.read().decode()


@workflow.defn(name="Unreadable", sandboxed=False)
class Unreadable:
    @workflow.run
    async def run(self) -> None:
        raise RuntimeError("no worker of this release can read it")


@pytest.mark.whole
async def test_with_more_work_than_workers(
    own_database: str, temporal: Client, temporal_address: str, task_queue: str, tmp_path: Path
) -> None:
    runs = [f"{task_queue}-{number}" for number in range(201)]
    for one in runs:
        await temporal.start_workflow(
            Unreadable.run, id=one, task_queue=task_queue, execution_timeout=timedelta(minutes=2)
        )
    async with measured(own_database, temporal_address=temporal_address, task_queue=task_queue) as (
        _,
        metrics,
    ):

        async def waiting() -> Samples:
            seen = scraped(metrics.registry)
            return seen if value(seen, "turnkey_task_queue_tasks", kind="workflow") else {}

        seen = await until(waiting, within=60)
    for one in runs:
        await temporal.get_workflow_handle(one).terminate()
    assert (value(seen, "turnkey_task_queue_tasks", kind="workflow") or 0) > 200
    assert_fires(tmp_path, "BacklogGrows", seen)


async def test_with_runs_that_no_worker_can_read(
    temporal_address: str, task_queue: str, tmp_path: Path
) -> None:
    """The metrics are those of Temporal's SDK, as a worker tells them."""
    port = ports.free().metrics
    client = await connect(temporal_address, runtime=metrics_at("127.0.0.1", port).runtime)
    before = read(scrape(port + 1), "turnkey-worker")
    async with Worker(client, task_queue=task_queue, workflows=[Unreadable]):
        begun = await client.start_workflow(Unreadable.run, id=task_queue, task_queue=task_queue)

        async def failed() -> Samples:
            seen = await asyncio.to_thread(scrape, port + 1)
            return read(seen, "turnkey-worker") if SDK_FAILED in seen else {}

        seen = await until(failed, within=60)
        await begun.terminate()
    assert (value(seen, SDK_FAILED, workflow_type="Unreadable") or 0) >= 1
    assert_fires(tmp_path, "WorkflowTasksFail", seen, before)


@pytest.mark.whole
async def test_with_reads_that_wait_for_a_lock(own_database: str, tmp_path: Path) -> None:
    async with measured(own_database) as (app, metrics), a_browser(app) as browser:
        before = await _seen(metrics)
        holder = await psycopg.AsyncConnection.connect(own_database)
        async with holder, asyncio.TaskGroup() as both:
            await holder.execute("lock table site in access exclusive mode")
            asked = both.create_task(browser.get("/v1/site"))
            await holder.execute("select pg_sleep(1.5)")
            await holder.rollback()
        assert asked.result().is_success
        after = scraped(metrics.registry)
    assert_fires(tmp_path, "CallsAreSlow", after, before)


def test_an_api_that_is_away(tmp_path: Path) -> None:
    port = ports.free().metrics
    server, thread = start_http_server(port, "127.0.0.1", CollectorRegistry())
    assert up(port) == 1
    server.shutdown()
    server.server_close()
    thread.join()
    assert up(port) == 0
    assert_fires(tmp_path, "ApiAway", {}, up=up(port))


def up(port: int) -> int:
    """What Prometheus notes of a process that it scrapes."""
    try:
        scrape(port)
    except OSError:
        return 0
    return 1


@pytest.mark.skipif(promtool() is None, reason="Prometheus is not installed here")
def test_prometheus_accepts_the_rules() -> None:
    tool = promtool()
    assert tool is not None
    done = subprocess.run(
        [tool, "check", "rules", str(RULES)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(alerts())} rules found" in done.stdout


def test_each_alert_is_caused_by_a_test() -> None:
    """Of this file: the third argument of each `assert_fires` is what was measured while the fault was there."""
    calls = [
        node
        for node in ast.walk(ast.parse(Path(__file__).read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "assert_fires"
    ]
    caused = {ast.literal_eval(call.args[1]) for call in calls}
    assert caused | {"NoWorker"} == set(alerts()), "without a worker it is the only one"


async def test_each_alert_asks_for_metrics_and_labels_that_a_process_tells() -> None:
    """Whether Prometheus is installed or not: a metric that nobody tells would never fire, nor say so."""
    told = {**await all_metrics(), SDK_FAILED: {"workflow_type"}, "up": set[str]()}
    for alert, expression in expressions().items():
        wanted = asked(expression)
        assert wanted, alert
        for metric, labels in wanted.items():
            assert metric in told, f"{alert}: {metric}"
            assert labels <= told[metric] | {"job", "instance"}, f"{alert}: {metric}"
    jobs = re.findall(r'job="([^"]*)"', RULES.read_text())
    documented = (RULES.parents[2] / "docs" / "observing.md").read_text()
    assert all(f"job_name: {job}" in documented for job in jobs)


def test_what_an_expression_asks_is_read() -> None:
    assert asked('sum by (kind) (rate(some_total{state="in by (x)", le=~"1."}[5m])) > 2') == {
        "some_total": {"kind", "state", "le"}
    }
    assert asked("min(an_age) > 3 or (absent(an_age) and on() max(is_up) == 1)") == {
        "an_age": set(),
        "is_up": set(),
    }


async def all_metrics() -> dict[str, set[str]]:
    """Metric → its labels, of an API that has been asked, and has asked, everything once."""
    metrics, app, tally = Measured(), FastAPI(), Tally("api")
    metrics.watch_app(app)
    metrics.watch_providers(tally)
    metrics.watch_engine(make_engine(f"postgresql://turnkey_app@{NOWHERE}/turnkey"))
    metrics.publish(
        Figures(
            answered=True,
            runs=(("order", "placing", 1),),
            outboxes=(OutboxFigures(name="devices", rows=1, oldest_seconds=1.0),),
            attention=(("placement", 1),),
            payouts=(("refused", 1),),
            feeds=(("documents", 1.0),),
            books_seconds=1.0,
            reconciler_seconds=1.0,
            archives_wal=True,
            queue=(QueueFigures("workflow", 1, 1),),
        )
    )
    assert tally.listener is not None
    tally.listener("ERP", "503", 0.1)
    metrics.loop_failed("documents")
    async with a_browser(app) as browser:
        await browser.get("/")
    found: dict[str, set[str]] = {}
    for family in metrics.registry.collect():
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


def test_each_alert_says_what_to_do() -> None:
    said = RULES.read_text()
    assert len(alerts()) == len(set(alerts())) > 10
    for word in ("expr:", "for:", "severity:", "summary:", "description:"):
        assert said.count(word) == len(alerts()), word
