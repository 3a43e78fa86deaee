"""What may be told of a span: names of operations and ids, nothing that somebody typed or that a third party said.

Only what is listed goes out. Libraries add addresses with their query, texts of errors and statements as sent; a list of
what must not would be wrong with their next release.
"""

from collections.abc import Mapping, Sequence

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.trace import Status
from opentelemetry.util.types import AttributeValue

SHOWN: Mapping[str, str] = {
    "request_id": "request_id",
    "http.method": "http.request.method",
    "http.request.method": "http.request.method",
    "http.route": "http.route",
    "http.status_code": "http.response.status_code",
    "http.response.status_code": "http.response.status_code",
    "third_party": "third_party",
    "db.system": "db.system.name",
    "db.system.name": "db.system.name",
    "db.statement": "db.query.text",
    "db.query.text": "db.query.text",
    "temporalWorkflowID": "temporalWorkflowID",
    "temporalRunID": "temporalRunID",
    "temporalActivityID": "temporalActivityID",
}
"""Name at the library → name at the receiver. A statement has its placeholders: values are sent beside it and never recorded."""

LONGEST_STATEMENT = 2_000


class Discreet(SpanExporter):
    """Hands on what may be told."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        return self._exporter.export([discreet(span) for span in spans])

    def shutdown(self) -> None:
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return self._exporter.force_flush(timeout_millis)


def discreet(span: ReadableSpan) -> ReadableSpan:
    """The same span with what is listed. Of an error only that there was one: its text may hold anything."""
    return ReadableSpan(
        name=span.name,
        context=span.context,
        parent=span.parent,
        resource=span.resource,
        attributes=_shown(span.attributes or {}),
        links=[],
        kind=span.kind,
        status=Status(span.status.status_code),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )


def _shown(attributes: Mapping[str, AttributeValue]) -> dict[str, AttributeValue]:
    shown: dict[str, AttributeValue] = {}
    for name, value in attributes.items():
        if name not in SHOWN:
            continue
        if isinstance(value, Sequence) and not isinstance(value, str):
            value = str(value[0]) if value else ""  # a captured header may have come more than once
        if isinstance(value, str):
            value = value[:LONGEST_STATEMENT]
        shown[SHOWN[name]] = value
    return shown
