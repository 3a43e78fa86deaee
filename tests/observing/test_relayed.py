"""What a relay or a round tells a run leaves the run in the trace of its click: nobody's request stands behind it."""

import secrets
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta

import structlog
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from temporalio import activity, workflow
from temporalio.client import Client, WorkflowHandle
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from observing.spans import Spans
from tests.observing.conftest import traced_into
from workflows.client import connect


@activity.defn
async def note_the_letter() -> None: ...


@workflow.defn(name="Recipient")
class Recipient:
    """Does one thing once it has been told."""

    def __init__(self) -> None:
        self.told = False

    @workflow.run
    async def run(self) -> None:
        await workflow.wait_condition(lambda: self.told)
        await workflow.execute_activity(
            note_the_letter, start_to_close_timeout=timedelta(seconds=10)
        )

    @workflow.signal
    def letter(self) -> None:
        self.told = True


@asynccontextmanager
async def a_recipient(
    client: Client, task_queue: str, tracing: Spans
) -> AsyncGenerator[tuple[WorkflowHandle[Recipient, None], str]]:
    """Begun by a request; and the trace of that."""
    async with Worker(
        client,
        task_queue=task_queue,
        workflows=[Recipient],
        activities=[note_the_letter],
        workflow_runner=UnsandboxedWorkflowRunner(),
    ):
        tracer = tracing.provider.get_tracer("test")
        with (
            structlog.contextvars.bound_contextvars(request_id=secrets.token_hex(12)),
            tracer.start_as_current_span("POST /v1/letters", kind=SpanKind.SERVER) as click,
        ):
            handle = await client.start_workflow(
                Recipient.run, id=f"recipient-{uuid.uuid4().hex}", task_queue=task_queue
            )
        yield handle, f"{click.get_span_context().trace_id:032x}"


async def test_a_signal_from_outside_a_request_leaves_the_run_in_its_clicks_trace(
    temporal_address: str, task_queue: str
) -> None:
    kept = InMemorySpanExporter()
    tracing = traced_into(kept)
    client = await connect(temporal_address, interceptors=tracing.interceptors)
    async with a_recipient(client, task_queue, tracing) as (handle, click):
        await handle.signal(Recipient.letter)
        await handle.result()
    tracing.provider.force_flush()
    traces = {
        span.name: f"{span.context.trace_id:032x}"
        for span in kept.get_finished_spans()
        if span.context
    }
    assert traces["RunActivity:note_the_letter"] == click
    assert set(traces.values()) == {click}, "and begins none of its own"


def test_who_is_told_that_a_trace_is_not_kept_keeps_none_of_it() -> None:
    kept = InMemorySpanExporter()
    tracing = traced_into(kept)
    told = {"traceparent": f"00-{secrets.token_hex(16)}-{secrets.token_hex(8)}-00"}
    before = TraceContextTextMapPropagator().extract(told)
    tracer = tracing.provider.get_tracer("test")
    with tracer.start_as_current_span("GET /v1/cart", context=before, kind=SpanKind.SERVER):
        pass
    tracing.provider.force_flush()
    assert kept.get_finished_spans() == ()
