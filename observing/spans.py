"""OpenTelemetry for one process: whose traces are kept, what they are sent to, and which parts make spans.

The instrumentations are the libraries' own, set on our objects and on nothing else of the process.
"""

import os
import socket
import threading
from collections.abc import Generator, MutableMapping, Sequence
from contextlib import contextmanager
from typing import Any

import httpx
import structlog
from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.httpx import HTTPXClientInstrumentor, RequestInfo
from opentelemetry.instrumentation.sqlalchemy.engine import (  # pyright: ignore[reportMissingTypeStubs] it has none
    EngineTracer,
)
from opentelemetry.metrics import NoOpMeter
from opentelemetry.propagate import set_global_textmap
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import Span, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.sampling import (
    Decision,
    Sampler,
    SamplingResult,
    TraceIdRatioBased,
)
from opentelemetry.trace import Link, SpanKind, TraceState
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from opentelemetry.util.types import Attributes
from sqlalchemy.ext.asyncio import AsyncEngine
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from observing.clicks import ClickInterceptor
from observing.discretion import Discreet
from observing.tracing import Tracing
from providers.instrumentation import Tally

SENT_EVERY_MS = 1_000
LEFT_AT_THE_END_SECONDS = 1.0

TRACED = ("/v1/", "/api/", "/content/")
STREAMS = "/v1/events"
"""They last as long as a tab."""


def _is_no_click(scope: MutableMapping[str, Any]) -> bool:
    """Pages, files, probes, and streams of live events."""
    path: str = scope.get("path", "")
    return not path.startswith(TRACED) or path == STREAMS


class Spans(Tracing):
    """On."""

    def __init__(
        self,
        endpoint: str,
        process: str,
        *,
        release: str = "",
        share: float = 1.0,
        exporter: SpanExporter | None = None,
    ) -> None:
        """`exporter` takes the place of the one that sends to `endpoint`."""
        named = {
            "service.name": f"turnkey-{process}",
            "service.version": release,
            "service.instance.id": f"{socket.gethostname()}:{os.getpid()}",
        }
        self.provider = TracerProvider(
            sampler=OfClicks(share), resource=Resource.create(named), shutdown_on_exit=False
        )
        self.provider.add_span_processor(NamesRequest())
        sending = exporter or OTLPSpanExporter(f"{endpoint.rstrip('/')}/v1/traces", timeout=5)
        self.provider.add_span_processor(
            BatchSpanProcessor(Discreet(sending), schedule_delay_millis=SENT_EVERY_MS)
        )
        set_global_textmap(TraceContextTextMapPropagator())
        self.telemetry = TelemetryConfig(
            tracer_provider=self.provider,
            metrics=False,
            logs=False,
            operation_spans=False,
            auto_configure=False,
            exclude=_is_no_click,
        )
        self.interceptors = (ClickInterceptor(self.provider.get_tracer("temporalio")),)

    def watch_app(self, app: FastAPI) -> None:
        app.add_middleware(NamesCall)

    def watch_client(self, client: httpx.AsyncClient, systems: dict[str, str]) -> None:
        bases = {name: httpx.URL(url) for name, url in systems.items()}

        async def name(span: trace.Span, request: RequestInfo) -> None:
            url = httpx.URL(str(request.url))
            for system, base in bases.items():
                if url.netloc == base.netloc and url.path.startswith(base.path):
                    span.set_attribute("third_party", system)
                    span.update_name(f"{request.method.decode()} {system}")

        HTTPXClientInstrumentor.instrument_client(
            client, tracer_provider=self.provider, request_hook=name
        )

    def watch_tally(self, tally: Tally) -> None:
        tracer = self.provider.get_tracer("providers")

        @contextmanager
        def call(system: str) -> Generator[None]:
            with tracer.start_as_current_span(
                f"CALL {system}", kind=SpanKind.CLIENT, record_exception=False
            ) as span:
                span.set_attribute("third_party", system)
                yield

        tally.around = call

    def watch_engine(self, engine: AsyncEngine) -> None:
        """The instrumentor's own part for one engine: as a whole it patches the library, and knows no version from 2.1 on."""
        EngineTracer(
            self.provider.get_tracer("sqlalchemy"),
            engine.sync_engine,
            NoOpMeter("sqlalchemy").create_up_down_counter("db.client.connections.usage"),
        )

    def end(self) -> None:
        """Beside it: the SDK takes no limit, and sends again for as long as a receiver may need."""
        sending = threading.Thread(target=self.provider.force_flush, daemon=True)
        sending.start()
        sending.join(LEFT_AT_THE_END_SECONDS)


class NamesCall:
    """The span of a call has its id as soon as that is answered: it begins before there is one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        span = trace.get_current_span()

        async def named(message: Message) -> None:
            if message["type"] == "http.response.start" and span.is_recording():
                headers = Headers(raw=message["headers"])
                span.set_attribute("request_id", headers.get("x-request-id", ""))
            await send(message)

        await self._app(scope, receive, named)


class NamesRequest(SpanProcessor):
    """Each span that begins during a request, or during an activity for one, has its id."""

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        request_id = structlog.contextvars.get_contextvars().get("request_id")
        if request_id is not None:
            span.set_attribute("request_id", request_id)


class OfClicks(Sampler):
    """A trace begins with a call to the API, and of those the share that their ids say: every process decides alike. What
    goes round by itself, every few seconds, begins none, and neither does what it tells a run."""

    def __init__(self, share: float) -> None:
        self._share = TraceIdRatioBased(share)

    def should_sample(
        self,
        parent_context: Context | None,
        trace_id: int,
        name: str,
        kind: SpanKind | None = None,
        attributes: Attributes = None,
        links: Sequence[Link] | None = None,
        trace_state: TraceState | None = None,
    ) -> SamplingResult:
        parent = trace.get_current_span(parent_context).get_span_context()
        begins = kind is SpanKind.SERVER and not name.startswith("RunActivity:")
        if not (parent.trace_flags.sampled if parent.is_valid else begins):
            return SamplingResult(Decision.DROP)
        if parent.is_valid and not parent.is_remote:
            return SamplingResult(Decision.RECORD_AND_SAMPLE)
        return self._share.should_sample(
            parent_context, trace_id, name, kind, attributes, links, trace_state
        )

    def get_description(self) -> str:
        return f"OfClicks({self._share.get_description()})"
