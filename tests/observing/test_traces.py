"""One click is one trace, from the call to the statements and third parties that it has asked; and it tells nobody's secrets."""

import re
import secrets
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any

import httpx
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import NonRecordingSpan, SpanContext, SpanKind, set_span_in_context

from dev.traces.finding import names_of
from tests.checkout.placements.buying import Basket, a_basket
from tests.drivers.portal import a_browser, a_key
from tests.drivers.until import until
from tests.observing.conftest import Traced, traced_into

UNTRACED_PROCESSES = """
import sys
import api.main, workers.main
from observing.tracing import tracing_of
tracing_of("", "api")
ours = ("sdk", "exporter", "instrumentation", "proto")
print(*(f"opentelemetry.{name}" for name in ours if f"opentelemetry.{name}" in sys.modules))
print(*(name for name in sys.modules if name == "temporalio.contrib.opentelemetry"))
"""


def a_click() -> tuple[str, dict[str, str]]:
    """A trace, and the headers by which a browser begins it."""
    trace = secrets.token_hex(16)
    return trace, {
        "traceparent": f"00-{trace}-{secrets.token_hex(8)}-01",
        "X-Request-ID": secrets.token_hex(12),
    }


async def _submitted(basket: Basket, headers: dict[str, str]) -> dict[str, Any]:
    answer = await basket.browser.post(
        f"/api/products-checkout/{basket.token}/complete-b2b-checkout", json={}, headers=headers
    )
    assert answer.status_code in (200, 202), answer.text
    return await basket.until(lambda run: run["state"] in ("confirmed", "payment_failed"))


def _tops(spans: list[ReadableSpan]) -> list[str]:
    """What hangs below nothing that is known."""
    known = {span.context.span_id for span in spans if span.context}
    return [span.name for span in spans if not span.parent or span.parent.span_id not in known]


def _names(spans: list[ReadableSpan]) -> set[str]:
    return {span.name for span in spans}


async def test_an_order_is_one_trace_from_the_click_to_sql_and_third_parties(
    traced: Traced, database_url: str
) -> None:
    trace, headers = a_click()
    async with a_basket(traced.whole, payment="visa", po_number="PO 81") as basket:
        run = await _submitted(basket, headers)
        spans = traced.spans(trace)
    names = _names(spans)
    assert any(name.endswith("/complete-b2b-checkout") for name in names)
    for step in ("StartWorkflow:", "RunWorkflow:", "StartActivity:", "RunActivity:"):
        assert any(name.startswith(step) for name in names), step
    assert {"POST ERP", "POST card provider"} <= names
    assert any("db.query.text" in (span.attributes or {}) for span in spans)
    called = next(span for span in spans if span.name.startswith("POST /api/"))
    assert (called.attributes or {})["request_id"] == headers["X-Request-ID"]

    async def settled() -> bool:
        """What is still under way is not told yet, and what it has done stands alone until then."""
        return _tops(traced.spans(trace)) == [called.name]

    assert await until(settled), "everything hangs below the call"
    found = names_of(run["view"]["order"]["number"], database_url)
    workflows = {str((span.attributes or {}).get("temporalWorkflowID")) for span in spans}
    assert set(found) & workflows, "and is found by the order's number"


async def test_what_a_later_click_has_done_is_in_its_own_trace(traced: Traced) -> None:
    first, headers = a_click()
    second, more = a_click()
    async with a_basket(traced.whole, payment="chargeCustomerFail", po_number="PO 82") as basket:
        await _submitted(basket, headers)
        method = await basket.another_card()
        answer = await basket.browser.post(
            f"/v1/placements/{basket.token}/payment",
            json={"type": "CARD", "method_id": method},
            headers={**a_key(), **more},
        )
        assert answer.status_code in (200, 202), answer.text
        await basket.until("confirmed")
    assert "POST ERP" not in _names(traced.spans(first))
    assert "POST ERP" in _names(traced.spans(second))


async def test_a_mail_is_a_span_of_the_click_that_asked_for_it(traced: Traced) -> None:
    trace, headers = a_click()
    async with traced.whole.signed_in() as caller:
        assert caller.user is not None
        asked = {"username": caller.user.email}
        answer = await caller.browser.post("/v1/auth/forgot-password", json=asked, headers=headers)
        assert answer.is_success, answer.text
    await traced.whole.app.state.portal.errands.drain()
    (mailed,) = [span for span in traced.spans(trace) if span.name == "CALL mail"]
    assert dict(mailed.attributes or {}) == {
        "third_party": "mail",
        "request_id": headers["X-Request-ID"],
    }


async def test_spans_name_no_person_no_vehicle_and_no_value(traced: Traced) -> None:
    trace, headers = a_click()
    vin, email = "1HGCM82633A004352", "somebody.else@dealer.example"
    async with a_browser(traced.whole.app) as browser:
        browser.headers.update(headers)
        await browser.get("/v1/vehicles", params={"vin": vin, "email": email})
        await browser.get(f"/v1/{vin}/{email}")
        await browser.post(
            "/v1/auth/sign-in", json={"username": email, "password": "Canary+Sings/Loud-73!"}
        )
    async with a_basket(traced.whole, payment="visa", po_number="PO-CANARY-83") as basket:
        await _submitted(basket, headers)
        person = basket.shop.buyer
    spans = traced.spans(trace)
    assert len(spans) > 20
    told = "\n".join(span.to_json() for span in spans)
    for value in (vin, email, "Sings", "PO-CANARY", person.email, person.name):
        assert value not in told
    assert not re.search(r"[\w.+-]+@[\w-]+\.\w+", told)
    assert all(not span.events and not span.status.description for span in spans)


async def test_only_clicks_begin_a_trace() -> None:
    kept = InMemorySpanExporter()
    tracing = traced_into(kept)
    tracer = tracing.provider.get_tracer("test")
    for name, kind in (
        ("SELECT turnkey", SpanKind.CLIENT),
        ("RunActivity:look_round", SpanKind.SERVER),
        ("GET /v1/cart", SpanKind.SERVER),
    ):
        with tracer.start_as_current_span(name, kind=kind), tracer.start_as_current_span("inner"):
            pass
    sent = SpanContext(trace_id=1, span_id=1, is_remote=True)  # by what was not traced itself
    untraced = set_span_in_context(NonRecordingSpan(sent))
    for name in ("RunWorkflow:Case", "HandleQuery:standing"):
        tracer.start_span(name, untraced, kind=SpanKind.SERVER).end()
    tracing.end()
    assert _names(list(kept.get_finished_spans())) == {"GET /v1/cart", "inner"}
    assert len(kept.get_finished_spans()) == 2


class Away(SpanExporter):
    """Sends to a receiver that takes long to answer."""

    def __init__(self) -> None:
        self.answers = threading.Event()
        self.sent = 0

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        self.answers.wait(30)
        self.sent += len(spans)
        return SpanExportResult.SUCCESS


def test_a_process_ends_though_the_receiver_does_not_answer() -> None:
    away = Away()
    tracing = traced_into(away)
    with tracing.provider.get_tracer("test").start_as_current_span("x", kind=SpanKind.SERVER):
        pass
    tracing.end()
    assert away.sent == 0, "it is still sending"
    away.answers.set()


async def test_a_share_of_none_traces_nobody() -> None:
    kept = InMemorySpanExporter()
    tracing = traced_into(kept, share=0.0)
    with tracing.provider.get_tracer("test").start_as_current_span("x", kind=SpanKind.SERVER):
        pass
    tracing.end()
    assert kept.get_finished_spans() == ()


def test_untraced_processes_import_nothing_of_it() -> None:
    """But for the shapes that FastAPI itself is made with."""
    done = subprocess.run(
        [sys.executable, "-c", UNTRACED_PROCESSES], capture_output=True, check=True, text=True
    )
    assert done.stdout.split() == []


async def test_a_third_party_is_told_the_trace() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200)

    tracing = traced_into(InMemorySpanExporter())
    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as client:
        tracing.watch_client(client, {"ERP": "http://erp.test/erp"})
        tracer = tracing.provider.get_tracer("test")
        with tracer.start_as_current_span("a call", kind=SpanKind.SERVER) as span:
            await client.get("http://erp.test/erp/orders")
    trace = f"{span.get_span_context().trace_id:032x}"
    assert seen[0].headers["traceparent"].split("-")[1] == trace
