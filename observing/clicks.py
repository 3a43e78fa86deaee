"""What a run does belongs to the trace of the click that it was last told something by.

Temporal's own interceptor puts all of a run into the trace that began it, and only links what was said to it later. Runs of
ours live for days and are told everything by people: whoever looks at a click wants to see what came of it.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

import opentelemetry.context
from temporalio.api.common.v1 import Payload
from temporalio.contrib.opentelemetry import (
    TracingInterceptor,
    TracingWorkflowInboundInterceptor,
)
from temporalio.worker import (
    ExecuteWorkflowInput,
    HandleSignalInput,
    HandleUpdateInput,
    WorkflowInterceptorClassInput,
)

from workflows.request_ids import present_request_id

_is_main: ContextVar[bool] = ContextVar("is_main", default=False)
"""Whether this is the run itself, rather than a handler of one of its messages."""


class ClickInterceptor(TracingInterceptor):
    def _context_to_headers(self, headers: Mapping[str, Payload]) -> Mapping[str, Payload]:
        """What no request stands behind, as with relays and rounds, hands no trace on: it has none that is kept, and would
        take the run out of that of its click."""
        return headers if present_request_id() is None else super()._context_to_headers(headers)

    def workflow_interceptor_class(
        self, input: WorkflowInterceptorClassInput
    ) -> type[TracingWorkflowInboundInterceptor]:
        super().workflow_interceptor_class(input)
        return _InClick


class _InClick(TracingWorkflowInboundInterceptor):
    """The carrier that a message came with becomes that of the run. Spans add no command, and replays make none."""

    async def execute_workflow(self, input: ExecuteWorkflowInput) -> Any:
        _is_main.set(True)
        return await super().execute_workflow(input)

    async def handle_signal(self, input: HandleSignalInput) -> None:
        self._take_up(input.headers)
        await super().handle_signal(input)

    def handle_update_validator(self, input: HandleUpdateInput) -> None:
        before = self._load_workflow_context_carrier()
        self._take_up(input.headers)
        try:
            super().handle_update_validator(input)
        finally:
            self._workflow_context_carrier = before

    async def handle_update_handler(self, input: HandleUpdateInput) -> Any:
        self._take_up(input.headers)
        return await super().handle_update_handler(input)

    def _take_up(self, headers: Mapping[str, Payload]) -> None:
        if (header := headers.get(self.header_key)) is not None:
            self._workflow_context_carrier = self.payload_converter.from_payloads([header])[0]

    def _completed_span(self, span_name: str, **how: Any) -> None:
        carrier = self._load_workflow_context_carrier()
        if carrier is None or not _is_main.get():
            super()._completed_span(span_name, **how)
            return
        context = self._set_on_context(self.text_map_propagator.extract(carrier))
        token = opentelemetry.context.attach(context)
        try:
            super()._completed_span(span_name, **how)
        finally:
            opentelemetry.context.detach(token)
