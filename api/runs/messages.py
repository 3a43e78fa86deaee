"""A message to a run, answered within 3 seconds: by what it led to, a refusal, or that it is durable."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from typing import Annotated, Any, NoReturn, TypeVar

import structlog
from fastapi import Header
from pydantic import BaseModel
from temporalio.client import (
    WorkflowHandle,
    WorkflowUpdateFailedError,
    WorkflowUpdateRPCTimeoutOrCancelledError,
    WorkflowUpdateStage,
)
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError, RPCStatusCode

from api.platform.deps import Portal
from api.runs.flows import ANSWER_WITHIN, answer_of, person_of
from db.base import plain_reading
from db.runs import flows
from domain.errors import Conflict, Gone, NotFound, PortalError, Unavailable
from domain.identity.people import Actor
from domain.kinds import BY_NAME
from domain.runs.projection import FlowAnswer, FlowOwner
from workflows.client import retry_lost_update, send_update

log = structlog.stdlib.get_logger()

ACCEPTED_WITHIN = timedelta(seconds=0.4)
LAST_LOOK = timedelta(seconds=0.1)
"""With ANSWER_WITHIN they stay under the 3 s that a write on a flow may take (rulings "Calls")."""

UNREADABLE = "RuntimeError"
"""What the SDK refuses a message with that the worker does not know, or cannot read: one of another release has taken it."""

T = TypeVar("T")

RequiredKey = Annotated[
    str,
    Header(alias="Idempotency-Key", min_length=8, max_length=200, pattern=r"^[\x21-\x7e]+$"),
]


class Accepted(BaseModel):
    """The message was taken and is durable; its outcome comes by the live events of the run."""

    id: str
    update_id: str


ANSWERS: dict[int | str, dict[str, Any]] = {
    202: {"model": Accepted, "description": "Taken; the outcome comes by the live events"}
}


class FlowRejected(PortalError):
    """A run refused the message, or there is none any more (`is_gone`); the problem carries where the run stands."""

    is_gone = False

    def __init__(self, status: int, code: str, detail: str, flow: FlowAnswer | None) -> None:
        stands = (
            flow.model_dump(mode="json", include={"kind", "id", "seq", "rev", "state", "allowed"})
            if flow
            else None
        )
        super().__init__(detail, code=code, extra={"flow": stands} if stands else None)
        self.status = status


class FlowClosed(FlowRejected, Gone):
    """The run is over."""


def sender_of(actor: Actor) -> dict[str, Any]:
    """The fields that name the caller in a message to a run."""
    person = person_of(actor)
    return {"actor_id": person.user_id, "actor": person.name, "acting_for": person.acting_for}


async def within_deadline(
    sending: Callable[[], Awaitable[T]], *, within: timedelta = ANSWER_WITHIN
) -> T:
    """What a run answers within the time that a write may take. What the end of its run beat is sent again, so
    `sending` uses one update id. Raises TimeoutError, however it came, and what `sending` raises."""
    try:
        async with asyncio.timeout(within.total_seconds()):
            return await retry_lost_update(sending)
    except WorkflowUpdateRPCTimeoutOrCancelledError:
        raise TimeoutError from None


async def send_command(
    portal: Portal, owner: FlowOwner, update: Any, message: BaseModel, *, actor: Actor, key: str
) -> tuple[int, FlowAnswer | Accepted]:
    """As `deliver_command`; answers where the run then stands, or 202 when that takes longer than 3 s."""
    accepted = await deliver_command(portal, owner, update, message, actor=actor, key=key)
    if accepted is not None:
        return 202, accepted
    return 200, await answer_of(portal, owner.kind, owner.id)


async def deliver_command(
    portal: Portal, owner: FlowOwner, update: Any, message: BaseModel, *, actor: Actor, key: str
) -> Accepted | None:
    """Sends one message to the run: nothing once it has had its effect, Accepted when that takes longer than 3 s.

    The same key sends the same message once, and is answered the same when that message has ended the run. Raises FlowRejected
    or Unavailable.
    """
    handle = portal.temporal.get_workflow_handle(owner.workflow_id, run_id=owner.run_id)
    update_id = update_id_of(actor, key)
    try:
        if owner.ended:
            with suppress(TimeoutError):
                if await _had_effect(handle, update_id):
                    return None
            await _closed(portal, owner, update)
        try:
            await within_deadline(lambda: send_update(handle, update, message, update_id=update_id))
        except TimeoutError:
            if not await _came_late(handle, update, message, update_id):
                return Accepted(id=owner.id, update_id=update_id)
    except WorkflowUpdateFailedError as error:
        await _rejected(portal, owner, error)
    except RPCError as error:
        if error.status is RPCStatusCode.NOT_FOUND:
            await _closed(portal, owner, update)
        raise
    return None


async def took_effect(portal: Portal, owner: FlowOwner, *, actor: Actor, key: str) -> bool:
    """Whether a run that is over has taken the message of this key, and done what it asks for. Raises Unavailable where
    that cannot be told, and RPCError."""
    handle = portal.temporal.get_workflow_handle(owner.workflow_id, run_id=owner.run_id)
    try:
        return await _had_effect(handle, update_id_of(actor, key))
    except TimeoutError:
        raise _not_taken("no answer", handle.id) from None
    except RPCError as error:
        if error.status is RPCStatusCode.NOT_FOUND:
            return False
        raise


async def _had_effect(handle: WorkflowHandle[Any, Any], update_id: str) -> bool:
    """Whether a run that is over has taken this message and done what it asks for. Raises TimeoutError, RPCError."""
    try:
        async with asyncio.timeout(ACCEPTED_WITHIN.total_seconds()):
            await handle.get_update_handle(update_id).result()
    except WorkflowUpdateFailedError:
        return False
    except WorkflowUpdateRPCTimeoutOrCancelledError:
        raise TimeoutError from None
    return True


class NotTaken(Exception):
    """A run has refused a message, for the reason `code`, or there is none any more: `gone`."""

    def __init__(self, code: str | None = None, *, gone: bool = False) -> None:
        super().__init__(code)
        self.code, self.gone = code, gone


async def update_run(
    portal: Portal, workflow_id: str, update: Any, message: BaseModel, *, update_id: str
) -> Any:
    """What a run answers that has no projection. Raises NotTaken, or Unavailable when it takes longer; the same id again
    will have the outcome."""
    handle = portal.temporal.get_workflow_handle(workflow_id)
    try:
        return await within_deadline(
            lambda: send_update(handle, update, message, update_id=update_id)
        )
    except WorkflowUpdateFailedError as error:
        if _code_of(error) == UNREADABLE:
            raise _not_taken("unreadable", workflow_id) from None
        raise NotTaken(_code_of(error)) from None
    except TimeoutError:
        raise Unavailable(retry_after=2) from None
    except RPCError as error:
        if error.status is RPCStatusCode.NOT_FOUND:
            raise NotTaken(gone=True) from None
        raise


def _not_taken(why: str, workflow_id: str) -> Unavailable:
    """Tells an operator which of the reasons it was that a message is to be sent again."""
    log.warning("a message was not taken", why=why, workflow_id=workflow_id)
    return Unavailable(retry_after=2)


def _code_of(error: WorkflowUpdateFailedError) -> str | None:
    return error.cause.type if isinstance(error.cause, ApplicationError) else None


async def _came_late(
    handle: WorkflowHandle[Any, Any], update: Any, message: BaseModel, update_id: str
) -> bool:
    """Whether the outcome has come after all. A 2xx means that the message is durable: without that, the caller is told
    to try again. Raises Unavailable, or WorkflowUpdateFailedError for a refusal."""
    try:
        async with asyncio.timeout(ACCEPTED_WITHIN.total_seconds()):
            accepted = await handle.start_update(  # pyright: ignore[reportUnknownMemberType]
                update, message, id=update_id, wait_for_stage=WorkflowUpdateStage.ACCEPTED
            )
    except (TimeoutError, WorkflowUpdateRPCTimeoutOrCancelledError):
        raise _not_taken("no worker", handle.id) from None
    except RPCError as error:
        if (
            error.status is RPCStatusCode.FAILED_PRECONDITION
        ):  # forgotten by the server: see retry_lost_update
            raise _not_taken("forgotten", handle.id) from None
        raise
    with suppress(TimeoutError, WorkflowUpdateRPCTimeoutOrCancelledError):
        async with asyncio.timeout(LAST_LOOK.total_seconds()):
            await accepted.result()
            return True
    return False


async def _rejected(portal: Portal, owner: FlowOwner, error: WorkflowUpdateFailedError) -> NoReturn:
    """The run's refusal as a problem, in the words of its kind. Raises NotFound or FlowRejected."""
    cause, code = error.cause, _code_of(error)
    if code == UNREADABLE:
        raise _not_taken("unreadable", owner.workflow_id)
    if code == "not_owner":
        raise NotFound
    said = {refusal.code: refusal for refusal in BY_NAME[owner.kind].refusals()}
    stands = await _standing(portal, owner)
    if isinstance(cause, ApplicationError) and code in said:
        raise FlowRejected(said[code].status, code, cause.message, stands)
    raise FlowRejected(Conflict.status, Conflict.code, Conflict.detail, stands)


async def _closed(portal: Portal, owner: FlowOwner, update: Any) -> NoReturn:
    """Tells that the run is over, and what that means for this message. Raises FlowRejected."""
    kind, stands = BY_NAME[owner.kind], await _standing(portal, owner)
    event = kind.commands.get(update.__name__, "")
    refusal = kind.closed(event, stands.state if stands else owner.state)
    rejected = FlowClosed if refusal.status == Gone.status else FlowRejected
    failure = rejected(refusal.status, refusal.code, refusal.detail, stands)
    failure.is_gone = True
    raise failure


async def _standing(portal: Portal, owner: FlowOwner) -> FlowAnswer | None:
    async with plain_reading(portal.sessions) as connection:
        return await flows.find_flow(connection, owner.kind, owner.id)


def update_id_of(actor: Actor, key: str) -> str:
    """The caller's key, kept apart from everybody else's."""
    return hashlib.sha256(f"{actor.key} {key}".encode()).hexdigest()
