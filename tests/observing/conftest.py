"""A whole portal that is traced into memory."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from temporalio.contrib.pydantic import pydantic_data_converter

from db.base import make_engine, make_sessions
from observing.spans import Spans
from tests.checkout.placements.buying import QUICK, turn
from tests.drivers.whole_portal import Whole, a_whole_portal
from workflows.client import connect


@dataclass
class Traced:
    """The portal, and the spans that it has sent."""

    whole: Whole
    tracing: Spans
    kept: InMemorySpanExporter

    def spans(self, trace: str) -> list[ReadableSpan]:
        """Of one trace, oldest first."""
        self.tracing.provider.force_flush()
        return sorted(
            (
                span
                for span in self.kept.get_finished_spans()
                if span.context and f"{span.context.trace_id:032x}" == trace
            ),
            key=lambda span: span.start_time or 0,
        )


def traced_into(exporter: SpanExporter, *, share: float = 1.0) -> Spans:
    return Spans("", "test", exporter=exporter, share=share)


@pytest.fixture(scope="package")
async def traced(
    temporal_address: str, database_url: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Traced]:
    kept = InMemorySpanExporter()
    tracing = traced_into(kept)
    client = await connect(temporal_address, interceptors=tracing.interceptors)
    assert client.data_converter is pydantic_data_converter
    engine = make_engine(database_url)
    tracing.watch_engine(engine)
    async with a_whole_portal(
        client,
        temporal_address,
        make_sessions(engine),
        database_url,
        tmp_path_factory.mktemp("traced"),
        tracing=tracing,
        policy_placement=QUICK.model_dump(mode="json"),
    ) as whole:
        await turn(whole, "cards", lost_reply_seconds=0, slow_seconds=0.2)
        yield Traced(whole, tracing, kept)
    await engine.dispose()
