"""What stands between an activity and Temporal.

Every error becomes a failure with a code as type: histories and installers see our words only, as what a library says of
an error may name hosts, statements and values. And a run is shown busy before its effect begins.
"""

from collections.abc import Iterator, MutableMapping
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import structlog
from sqlalchemy.exc import SQLAlchemyError
from temporalio import activity
from temporalio.exceptions import ApplicationError, FailureError
from temporalio.worker import (
    ActivityInboundInterceptor,
    ExecuteActivityInput,
    Interceptor,
    WorkflowInterceptorClassInput,
)

from activities.runs.failures import theirs
from activities.runs.intents import Call, effects_begun
from db.base import Sessions, one_statement
from db.runs import intents, projections
from domain.errors import UNEXPECTED, PortalError, Unavailable
from providers.errors import Busy
from providers.errors import Unavailable as Away
from workflows.request_ids import REQUEST_ID, request_id_of
from workflows.run import PORTAL_URL

log = structlog.stdlib.get_logger()


class PortalErrors(Interceptor):
    """An `Unavailable` is tried again; every other of our errors is an answer and is not."""

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        return _Translate(next)


class LinksToPortal(Interceptor):
    """Lets runs say where the portal is, in what they show in Temporal's own page."""

    def __init__(self, portal_url: str) -> None:
        self._portal_url = portal_url

    def workflow_interceptor_class(self, input: WorkflowInterceptorClassInput) -> None:
        shared = cast(MutableMapping[str, object], input.unsafe_extern_functions)  # pyright: ignore[reportUnknownMemberType] open in the SDK
        shared[PORTAL_URL] = lambda: self._portal_url


class ShowBusy(Interceptor):
    """Writes the busy projection that a `Call` carries: one activity for the effect and what people see of it. A clear no is
    noted with the intents of that activity, as their outcome; what was asked for before may have happened all the same."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        return _Show(next, self._sessions)


class _Show(ActivityInboundInterceptor):
    def __init__(self, next: ActivityInboundInterceptor, sessions: Sessions) -> None:
        super().__init__(next)
        self._sessions = sessions

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        call = input.args[0] if input.args else None
        if isinstance(call, Call) and call.busy is not None:
            async with one_statement(self._sessions) as session:
                await projections.save_projection(session, call.busy)
        with effects_begun() as keys:
            try:
                return await super().execute_activity(input)
            except Unavailable:
                raise
            except PortalError:
                if keys:
                    async with one_statement(self._sessions) as session:
                        await intents.refuse_intents(session, keys)
                raise


class _Translate(ActivityInboundInterceptor):
    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        info = activity.info()
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(
            workflow_id=info.workflow_id, activity=info.activity_type, attempt=info.attempt
        )
        if (request_id := request_id_of(input.headers)) is not None:
            structlog.contextvars.bind_contextvars(**{REQUEST_ID: request_id})
        try:
            return await super().execute_activity(input)
        except PortalError as error:
            again = isinstance(error, Unavailable)
            log.info("activity was refused", code=error.code, again=again)
            raise ApplicationError(
                error.detail,
                *_fields(error),
                type=error.code,
                non_retryable=not again,
                next_retry_delay=wait_asked_for(error, info, datetime.now(UTC)),
            ) from theirs(error)
        except (SQLAlchemyError, OSError) as error:
            log.warning("activity was interrupted", kind=type(error).__name__)
            raise ApplicationError(Unavailable.detail, type=Unavailable.code) from None
        except FailureError:
            raise
        except Exception:
            log.exception("activity failed")
            raise ApplicationError(UNEXPECTED, type="unexpected") from None


def wait_asked_for(error: PortalError, info: activity.Info, now: datetime) -> timedelta | None:
    """What an outside system asks to be left alone for, where that is longer than the policy waits and the activity has the
    time; None leaves it to the policy."""
    policy = info.retry_policy
    if not isinstance(error, Away) or isinstance(error, Busy) or not error.retry_after:
        return None
    asked = timedelta(seconds=error.retry_after)
    if policy is not None:
        doubled = policy.initial_interval * policy.backoff_coefficient ** min(info.attempt - 1, 30)
        if asked <= min(doubled, policy.maximum_interval or policy.initial_interval * 100):
            return None
    limit = info.schedule_to_close_timeout
    if limit and now + asked >= info.scheduled_time + limit:
        return None
    return asked


def _fields(error: PortalError) -> Iterator[list[tuple[str, str]]]:
    """The failure's details: one list of (field, message), or nothing."""
    if error.fields:
        yield list(error.fields)
