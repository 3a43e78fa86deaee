"""Watches a replay: whatever a run begins has a time for each try, and a time or a number for all of them (promise 13)."""

from temporalio.worker import (
    Interceptor,
    StartActivityInput,
    StartLocalActivityInput,
    WorkflowInboundInterceptor,
    WorkflowInterceptorClassInput,
    WorkflowOutboundInterceptor,
)
from temporalio.workflow import ActivityHandle


class Ceilings(Interceptor):
    def workflow_interceptor_class(
        self, input: WorkflowInterceptorClassInput
    ) -> type[WorkflowInboundInterceptor]:
        return _Inbound


class _Inbound(WorkflowInboundInterceptor):
    def init(self, outbound: WorkflowOutboundInterceptor) -> None:
        super().init(_Outbound(outbound))


class _Outbound(WorkflowOutboundInterceptor):
    def start_activity(self, input: StartActivityInput) -> ActivityHandle[object]:
        judge(input)
        return super().start_activity(input)

    def start_local_activity(self, input: StartLocalActivityInput) -> ActivityHandle[object]:
        judge(input)
        return super().start_local_activity(input)


def judge(begun: StartActivityInput | StartLocalActivityInput) -> None:
    """Raises AssertionError: the replay fails."""
    attempts = begun.retry_policy.maximum_attempts if begun.retry_policy else 0
    assert begun.start_to_close_timeout, f"{begun.activity}: no time for a try"
    assert begun.schedule_to_close_timeout or attempts, f"{begun.activity}: tried for ever"
