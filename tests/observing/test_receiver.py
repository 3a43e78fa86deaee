"""What `make dev` shows of traces: taken as exporters send them, the last ones kept, found by what somebody has at hand."""

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

from dev.traces.finding import names_of
from dev.traces.main import create_app
from dev.traces.spans import Spans, Trace
from dev.traces.waterfall import waterfall
from tests.observing.conftest import traced_into


def spans_of_a_click(
    request_id: str = "request-81", workflow: str = "order-abc"
) -> list[ReadableSpan]:
    kept = InMemorySpanExporter()
    tracing = traced_into(kept)
    tracer = tracing.provider.get_tracer("test")
    with tracer.start_as_current_span("POST /v1/orders", kind=SpanKind.SERVER) as call:
        call.set_attribute("request_id", request_id)
        with tracer.start_as_current_span("StartWorkflow:<Placement>") as begun:
            begun.set_attributes(
                {"temporalWorkflowID": workflow, "temporalRunID": f"run-{workflow}"}
            )
        with tracer.start_as_current_span("SELECT turnkey") as asked:
            asked.set_attribute("db.statement", "select <secret> from x where id = %(id)s")
    tracing.end()
    return list(kept.get_finished_spans())


def sent(spans: list[ReadableSpan]) -> bytes:
    return encode_spans(spans).SerializeToString()


@asynccontextmanager
async def a_page(folder: Path, *, database_url: str = "") -> AsyncGenerator[httpx.AsyncClient]:
    app = create_app(folder / "traces.sqlite", database_url)
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://traces.test") as browser,
    ):
        yield browser


async def test_a_click_is_taken_listed_found_and_shown(tmp_path: Path) -> None:
    async with a_page(tmp_path) as browser:
        assert "No trace yet" in (await browser.get("/")).text
        body = sent(spans_of_a_click())
        for _ in range(2):  # an exporter sends again what it has no answer to
            answer = await browser.post("/v1/traces", content=body)
            assert answer.status_code == 200
        listed = (await browser.get("/")).text
        assert listed.count("POST /v1/orders") == 1
        for typed in ("request-81", "order-abc", "run-order-abc"):
            assert "POST /v1/orders" in (await browser.get("/", params={"q": typed})).text
        nothing = (await browser.get("/", params={"q": "<b>absent</b>"})).text
        assert "Nothing is known of &lt;b&gt;absent&lt;/b&gt;" in nothing
        link = re.search(r'href="(/[0-9a-f]{32})"', listed)
        assert link is not None
        shown = (await browser.get(link[1])).text
    assert "StartWorkflow:&lt;Placement&gt;" in shown
    assert "select &lt;secret&gt; from x" in shown
    assert "3 spans" in shown


async def test_what_is_no_export_is_refused(tmp_path: Path) -> None:
    async with a_page(tmp_path) as browser:
        assert (await browser.post("/v1/traces", content=b"\xff\xff")).status_code == 400
        assert (await browser.get("/unknown")).status_code == 404


def test_the_oldest_spans_are_forgotten(tmp_path: Path) -> None:
    spans = Spans(tmp_path / "traces.sqlite", most=6)
    for number in range(4):
        spans.take(sent(spans_of_a_click(f"request-{number}")))
    kept = spans.latest()
    assert [one.request_id for one in kept] == ["request-3", "request-2"]
    assert all(isinstance(one, Trace) and one.spans == 3 for one in kept)
    spans.close()


def test_a_waterfall_stands_below_what_began_it(tmp_path: Path) -> None:
    spans = Spans(tmp_path / "traces.sqlite")
    spans.take(sent(spans_of_a_click()))
    rows = waterfall(spans.trace(spans.latest()[0].id))
    assert [(row.depth, row.span.name) for row in rows] == [
        (0, "POST /v1/orders"),
        (1, "StartWorkflow:<Placement>"),
        (1, "SELECT turnkey"),
    ]
    assert rows[0].left == 0
    assert all(0 <= row.left <= 100 and row.width <= 100 for row in rows)
    spans.close()


def test_an_orders_number_leads_to_its_run(database_url: str) -> None:
    assert names_of("order-abc", database_url) == ["order-abc"]
    assert names_of("T-1", database_url) == ["T-1"]
    assert names_of("T-1", "postgresql://nobody@127.0.0.1:9/none") == ["T-1"]
