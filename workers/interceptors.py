"""What stands between an activity and Temporal: the portal's errors become failures with their code as type."""

from typing import Any

import structlog
from temporalio import activity
from temporalio.exceptions import ApplicationError
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput, Interceptor

from domain.errors import PortalError, Unavailable

log = structlog.stdlib.get_logger()


class PortalErrors(Interceptor):
    """An `Unavailable` is tried again; every other of our errors is an answer and is not."""

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        return _Translate(next)


class _Translate(ActivityInboundInterceptor):
    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        info = activity.info()
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(
            workflow_id=info.workflow_id, activity=info.activity_type, attempt=info.attempt
        )
        try:
            return await super().execute_activity(input)
        except PortalError as error:
            again = isinstance(error, Unavailable)
            log.info("activity was refused", code=error.code, again=again)
            raise ApplicationError(error.detail, type=error.code, non_retryable=not again) from None
