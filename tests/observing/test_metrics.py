"""What Prometheus reads of a process, and where nobody else may."""

import urllib.request

import httpx
from prometheus_client import CollectorRegistry, Gauge, Histogram
from starlette.types import Receive, Scope, Send

from dev import ports
from observing.metrics import Measured, metrics_at
from observing.requests import WatchesRequests
from tests.drivers.portal import a_browser, running_portal
from tests.observing.judge import scraped
from workflows.client import connect


def _read(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        return answer.read().decode()


async def test_a_process_has_its_metrics_and_those_of_temporals_sdk_at_ports_of_their_own(
    temporal_address: str,
) -> None:
    port = ports.free().metrics
    metrics = metrics_at("127.0.0.1", port)
    client = await connect(temporal_address, runtime=metrics.runtime)
    await client.service_client.check_health()
    assert "process_cpu_seconds_total" in _read(port)
    assert "temporal_request" in _read(port + 1)


def test_without_a_port_nothing_is_measured() -> None:
    metrics = metrics_at("127.0.0.1", 0)
    assert not metrics.is_on
    assert metrics.runtime is None


async def test_the_public_address_has_no_metrics(database_url: str) -> None:
    async with (
        running_portal(database_url, metrics=Measured()) as app,
        a_browser(app) as browser,
    ):
        answer = await browser.get("/metrics")
    assert answer.status_code == 404
    assert "# HELP" not in answer.text


async def test_calls_are_counted_by_operation_and_never_by_address(database_url: str) -> None:
    metrics = Measured()
    async with running_portal(database_url, metrics=metrics) as app, a_browser(app) as browser:
        await browser.get("/healthz")
        await browser.get("/v1/somebody@dealer.example")
        seen = scraped(metrics.registry)
    told = "\n".join(seen)
    assert 'operation="healthz"' in told
    assert 'operation="none"' in told
    assert "somebody" not in told


async def test_a_stream_counts_while_it_is_open() -> None:
    registry = CollectorRegistry()
    streams = Gauge("streams", "x", registry=registry)
    requests = Histogram("requests", "x", ("o", "m", "s"), registry=registry)
    open_ = list[float]()

    async def stream(scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-type", b"text/event-stream")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        open_.append(registry.get_sample_value("streams") or 0)
        await send({"type": "http.response.body", "body": b""})

    app = WatchesRequests(stream, requests=requests, streams=streams)
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://portal.test") as client:
        await client.get("/v1/events")
    assert open_ == [1.0]
    assert registry.get_sample_value("streams") == 0
    assert (
        registry.get_sample_value("requests_count", {"o": "none", "m": "GET", "s": "200"}) is None
    )
