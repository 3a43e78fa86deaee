"""Each alert is caused: the fault is real, so are the metrics that come of it, and Prometheus judges them where it is."""

import subprocess
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text
from temporalio.client import Client
from temporalio.worker import Worker

from api.platform.deps import Portal
from db.base import Sessions, make_engine, make_sessions
from db.operations.rounds import keep_pass, unmailed
from db.orders.mails import keep_mail
from db.orders.progress import store
from db.runs.drift import save_drift
from dev.servers import Servers
from domain.operations.operations import Pass
from domain.runs.drift import Drift
from observing.metrics import Measured
from tests.checkout.cart.buyers import a_buyer
from tests.drivers.portal import NOWHERE, a_browser, running_portal
from tests.drivers.until import until
from tests.observing.judge import RULES, Samples, alerts, firing, promtool, scraped
from tests.orders.factories import a_new_order, code_of
from workflows.operations.reconciler import ReconcilerWorkflow


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


def value(samples: Samples, name: str, **labels: str) -> float | None:
    """Of the first series of this name and these labels."""
    wanted = [f'{key}="{said}"' for key, said in labels.items()]
    for series, found in samples.items():
        if series.startswith(f"{name}{{") and all(one in series for one in wanted):
            return found
    return None


def assert_fires(folder: Path, alert: str, after: Samples, before: Samples | None = None) -> None:
    fired = firing(folder, before or {}, after)
    assert fired is None or alert in fired


async def _round(sessions: Sessions, ago: timedelta) -> None:
    async with sessions.begin() as session:
        await session.execute(text("delete from reconciliation"))
        await keep_pass(
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


async def test_with_an_outbox_that_is_stuck(
    own_database: str, own_sessions: Sessions, tmp_path: Path
) -> None:
    async with own_sessions.begin() as session:
        await session.execute(
            text(
                "insert into webhook_event (provider, event_id, type, subject, received_at, body) values"
                " ('card', 'evt_waits', 'charge.refunded', 'x', now() - interval '10 minutes', '{}')"
            )
        )
    async with measured(own_database) as (_, metrics):
        seen = await _seen(metrics)
    assert value(seen, "turnkey_outbox_rows", outbox="providers") == 1
    assert (value(seen, "turnkey_outbox_oldest_seconds", outbox="providers") or 0) >= 600
    assert value(seen, "turnkey_outbox_rows", outbox="devices") == 0
    assert_fires(tmp_path, "OutboxStuck", seen)


async def test_with_confirmations_that_nobody_mails(
    own_database: str, own_sessions: Sessions, tmp_path: Path
) -> None:
    user = await a_buyer(own_sessions)
    async with own_sessions.begin() as session:
        order = await store(session, a_new_order(code_of(user), placed_by=user.id))
        await keep_mail(session, order.token, "https://portal.test")
        assert await unmailed(session) == 0
        overdue = (
            "next_at = now() - interval '10 minutes', created_at = now() - interval '10 minutes'"
        )
        await session.execute(text(f"update order_mail set {overdue}"))
        assert await unmailed(session) == 1
    async with measured(own_database) as (_, metrics):
        seen = await _seen(metrics)
    async with own_sessions.begin() as session:
        await session.execute(text("update order_mail set next_at = now() + interval '1 hour'"))
    async with measured(own_database) as (_, metrics):
        tried_later = await _seen(metrics)
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
    async with own_sessions.begin() as session:
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
    async with measured(own_database) as (_, metrics):
        seen = await _seen(metrics)
    assert value(seen, "turnkey_drifts") == 6
    assert_fires(tmp_path, "ScreensDrift", seen)


def test_an_api_that_is_away(tmp_path: Path) -> None:
    fired = firing(tmp_path, {}, {}, up=0)
    assert fired is None or "ApiAway" in fired


@pytest.mark.skipif(promtool() is None, reason="Prometheus is not installed here")
def test_prometheus_accepts_the_rules() -> None:
    tool = promtool()
    assert tool is not None
    done = subprocess.run(
        [tool, "check", "rules", str(RULES)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(alerts())} rules found" in done.stdout


def test_each_alert_says_what_to_do() -> None:
    said = RULES.read_text()
    assert len(alerts()) == len(set(alerts())) > 10
    for word in ("expr:", "for:", "severity:", "summary:", "description:"):
        assert said.count(word) == len(alerts()), word
