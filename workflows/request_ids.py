"""The id of the request that has something done goes with it: from a call to the run that it begins or tells something, from
there to each activity and child, and with their calls to third parties (promise 52, decision 81).

It travels as a header of Temporal's messages, so no payload and no command depends on it. What a run does belongs to the
last message that named a request.
"""

from collections.abc import Mapping
from typing import Any, NoReturn, Protocol

import structlog
from temporalio import client
from temporalio.api.common.v1 import Payload
from temporalio.converter import PayloadConverter
from temporalio.worker import (
    ContinueAsNewInput,
    ExecuteWorkflowInput,
    HandleSignalInput,
    HandleUpdateInput,
    Interceptor,
    SignalChildWorkflowInput,
    SignalExternalWorkflowInput,
    StartActivityInput,
    StartChildWorkflowInput,
    StartLocalActivityInput,
    WorkflowInboundInterceptor,
    WorkflowInterceptorClassInput,
    WorkflowOutboundInterceptor,
)
from temporalio.workflow import ActivityHandle, ChildWorkflowHandle

REQUEST_ID = "request_id"
"""Under this name it stands in logs, in a run's memo and in the headers of its messages."""

_PLAIN = PayloadConverter.default

Headers = Mapping[str, Payload]


class _WithHeaders(Protocol):
    headers: Headers


def request_id_of(headers: Headers) -> str | None:
    """Of a message to a run or to an activity; None where nobody's request stands behind it."""
    payload = headers.get(REQUEST_ID)
    return _PLAIN.from_payloads([payload], [str])[0] if payload else None


def present_request_id() -> str | None:
    """Of the request, or of the activity, that is at work here."""
    return structlog.contextvars.get_contextvars().get(REQUEST_ID)


def _name(message: _WithHeaders, request_id: str | None) -> None:
    if request_id is not None:
        message.headers = {**message.headers, REQUEST_ID: _PLAIN.to_payloads([request_id])[0]}


class NamesRequests(client.Interceptor):
    """For a client: what it sends names the request at work."""

    def intercept_client(self, next: client.OutboundInterceptor) -> client.OutboundInterceptor:
        return _Sent(next)


class _Sent(client.OutboundInterceptor):
    async def start_workflow(
        self, input: client.StartWorkflowInput
    ) -> client.WorkflowHandle[Any, Any]:
        _begin(input)
        return await super().start_workflow(input)

    async def signal_workflow(self, input: client.SignalWorkflowInput) -> None:
        _name(input, present_request_id())
        await super().signal_workflow(input)

    async def start_workflow_update(
        self, input: client.StartWorkflowUpdateInput
    ) -> client.WorkflowUpdateHandle[Any]:
        _name(input, present_request_id())
        return await super().start_workflow_update(input)

    async def start_update_with_start_workflow(
        self, input: client.StartWorkflowUpdateWithStartInput
    ) -> client.WorkflowUpdateHandle[Any]:
        _begin(input.start_workflow_input)
        _name(input.update_workflow_input, present_request_id())
        return await super().start_update_with_start_workflow(input)


def _begin(
    input: client.StartWorkflowInput | client.UpdateWithStartStartWorkflowInput,
) -> None:
    """The memo is for operators, in Temporal's own page."""
    request_id = present_request_id()
    _name(input, request_id)
    if request_id is not None:
        input.memo = {**(input.memo or {}), REQUEST_ID: request_id}


class CarriesRequests(Interceptor):
    """For a worker: runs hand on the request that they were last told something by."""

    def workflow_interceptor_class(
        self, input: WorkflowInterceptorClassInput
    ) -> type[WorkflowInboundInterceptor]:
        return _LastRequest


class _LastRequest(WorkflowInboundInterceptor):
    def __init__(self, next: WorkflowInboundInterceptor) -> None:
        super().__init__(next)
        self.request_id: str | None = None

    def init(self, outbound: WorkflowOutboundInterceptor) -> None:
        super().init(_HandsOn(outbound, self))

    async def execute_workflow(self, input: ExecuteWorkflowInput) -> Any:
        if self.request_id is None:
            self.request_id = request_id_of(input.headers)
        return await super().execute_workflow(input)

    async def handle_signal(self, input: HandleSignalInput) -> None:
        self._note(input.headers)
        await super().handle_signal(input)

    async def handle_update_handler(self, input: HandleUpdateInput) -> Any:
        self._note(input.headers)
        return await super().handle_update_handler(input)

    def _note(self, headers: Headers) -> None:
        self.request_id = request_id_of(headers) or self.request_id


class _HandsOn(WorkflowOutboundInterceptor):
    def __init__(self, next: WorkflowOutboundInterceptor, last: _LastRequest) -> None:
        super().__init__(next)
        self._last = last

    def start_activity(self, input: StartActivityInput) -> ActivityHandle[Any]:
        _name(input, self._last.request_id)
        return super().start_activity(input)

    def start_local_activity(self, input: StartLocalActivityInput) -> ActivityHandle[Any]:
        _name(input, self._last.request_id)
        return super().start_local_activity(input)

    async def start_child_workflow(
        self, input: StartChildWorkflowInput
    ) -> ChildWorkflowHandle[Any, Any]:
        _name(input, self._last.request_id)
        return await super().start_child_workflow(input)

    async def signal_child_workflow(self, input: SignalChildWorkflowInput) -> None:
        _name(input, self._last.request_id)
        await super().signal_child_workflow(input)

    async def signal_external_workflow(self, input: SignalExternalWorkflowInput) -> None:
        _name(input, self._last.request_id)
        await super().signal_external_workflow(input)

    def continue_as_new(self, input: ContinueAsNewInput) -> NoReturn:
        _name(input, self._last.request_id)
        super().continue_as_new(input)
