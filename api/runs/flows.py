"""What every call on a run goes through: whose it is, the message to its workflow, the answer within 3 seconds."""

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
from api.platform.schemas import PathId
from db.base import Executes, plain_reading
from db.devices.ownership import facts_of_device
from db.devices.visits import permitted_visits
from db.operations.audit import Outcome, record_by
from db.runs import capabilities, device_reservations, flows
from domain.activation.activation import Person
from domain.devices.activation_type import ActivationType
from domain.devices.ownership import Ownership, asker_of, whose_device
from domain.devices.visits import permits
from domain.errors import Conflict, Gone, NotFound, PortalError, Unavailable
from domain.identity.people import Actor, Role
from domain.kinds import BY_NAME
from domain.runs.access import may_access
from domain.runs.projection import FlowAnswer, FlowKind, FlowOwner
from workflows.client import retry_lost_update, send_update

log = structlog.stdlib.get_logger()

ANSWER_WITHIN = timedelta(seconds=2.4)
ACCEPTED_WITHIN = timedelta(seconds=0.4)
LOOK_EVERY = timedelta(milliseconds=250)
"""Where a run is followed and its change was not heard."""
LAST_LOOK = timedelta(seconds=0.1)
"""Together they stay under the 3 s that a write on a flow may take (rulings "Calls")."""

UNREADABLE = "RuntimeError"
"""What the SDK refuses a message with that the worker does not know, or cannot read: one of another release has taken it."""

BOUGHT: frozenset[FlowKind] = frozenset({"placement", "purchase", "invoice_payment"})
"""Runs by which something is bought or paid."""

T = TypeVar("T")

RequiredKey = Annotated[
    str,
    Header(alias="Idempotency-Key", min_length=8, max_length=200, pattern=r"^[\x21-\x7e]+$"),
]


class Accepted(BaseModel):
    """The message was taken and is durable; its outcome comes by the live events of the run."""

    id: str
    update_id: str


FlowId = PathId

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


def person_of(actor: Actor, *, guest_of: str | None = None) -> Person:
    """The caller as a run knows them: names and ids, no secret."""
    user = actor.user
    if user is None:
        return Person(name="Guest", guest_of=guest_of)
    return Person(
        user_id=user.id,
        name=user.name,
        dealer_id=actor.dealer_id,
        installer=bool(user.user_type),
        acting_for=actor.impersonated.id if actor.impersonated else None,
        everywhere=Role.ADMIN in actor.roles,
    )


def sender_of(actor: Actor) -> dict[str, Any]:
    """The fields that name the caller in a message to a run."""
    person = person_of(actor)
    return {"actor_id": person.user_id, "actor": person.name, "acting_for": person.acting_for}


async def authorize_run(session: Executes, actor: Actor, kind: FlowKind, flow_id: str) -> FlowOwner:
    """The run, if the caller may touch it. Somebody else's is NotFound, like an absent one, and is audited; so is one's
    own that works on a device which, by all that the portal knows, has become another's."""
    owner = await flows.find_owner(session, kind, flow_id)
    if owner is None:
        raise NotFound
    await _check_touch(session, actor, owner)
    return owner


async def _check_touch(session: Executes, actor: Actor, owner: FlowOwner) -> None:
    if await may_touch(session, actor, owner) and not await _is_on_foreign(session, actor, owner):
        return
    await record_by(
        session,
        actor,
        "reached for another's run",
        outcome=Outcome.REFUSED,
        on=(owner.kind, owner.id),
    )
    await session.commit()
    raise NotFound


async def may_touch(session: Executes, actor: Actor, owner: FlowOwner) -> bool:
    """`may_access` of this run, with what a guest's capability opens."""
    return may_access(actor, owner, opens=await _opens(session, actor, owner))


async def _opens(session: Executes, actor: Actor, owner: FlowOwner) -> bool:
    """A guest's firmware run is opened by the capability for the activation that holds the same device."""
    if actor.capability_hash is None:
        return False
    opened = await capabilities.flow_of_capability(session, actor.capability_hash)
    if owner.kind == "activation":
        return opened == owner.id
    if owner.device_key is None:
        return False
    holder = await device_reservations.holder_of(session, owner.device_key, "activation")
    return holder is not None and holder.flow_id == opened


async def _is_on_foreign(session: Executes, actor: Actor, owner: FlowOwner) -> bool:
    """What has ended is a record of one's own work, whoever has the device now."""
    if owner.kind in BOUGHT or owner.ended or owner.device_key is None:
        return False
    facts = (await facts_of_device(session, owner.device_key)).apart_from_runs()
    asker = asker_of(actor)
    if whose_device(asker, facts) is not Ownership.FOREIGN:
        return False
    if asker.person_id is None or not await _is_service(session, owner):
        return True
    permitted = await permitted_visits(session, owner.device_key, asker.person_id)
    return not permits(asker, facts, permitted)


async def _is_service(session: Executes, owner: FlowOwner) -> bool:
    """Whether the run is of the one kind that a visit is for (decision 40)."""
    run = (
        await flows.find_flow(session, owner.kind, owner.id) if owner.kind == "activation" else None
    )
    return run is not None and run.view.get("type") == ActivationType.SERVICE_DEVICE


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
    """Sends one message to the run and answers where it then stands; 202 when that takes longer than 3 s.

    The same key sends the same message once, and is answered the same when that message has ended the run. Raises FlowRejected
    or Unavailable.
    """
    handle = portal.temporal.get_workflow_handle(owner.workflow_id, run_id=owner.run_id)
    update_id = update_id_of(actor, key)
    try:
        if owner.ended:
            if not await _had_effect(handle, update_id):
                await _closed(portal, owner, update)
            return 200, await answer_of(portal, owner.kind, owner.id)
        try:
            await within_deadline(lambda: send_update(handle, update, message, update_id=update_id))
        except TimeoutError:
            if not await _settled_late(handle, update, message, update_id):
                return 202, Accepted(id=owner.id, update_id=update_id)
    except WorkflowUpdateFailedError as error:
        await _rejected(portal, owner, error)
    except RPCError as error:
        if error.status is RPCStatusCode.NOT_FOUND:
            await _closed(portal, owner, update)
        raise
    return 200, await answer_of(portal, owner.kind, owner.id)


async def _had_effect(handle: WorkflowHandle[Any, Any], update_id: str) -> bool:
    """Whether a run that is over has taken this message and done what it asks for. Raises RPCError."""
    try:
        async with asyncio.timeout(ACCEPTED_WITHIN.total_seconds()):
            await handle.get_update_handle(update_id).result()
    except (
        TimeoutError,
        WorkflowUpdateFailedError,
        WorkflowUpdateRPCTimeoutOrCancelledError,
    ):
        return False
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


async def _settled_late(
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
    told = rejected(refusal.status, refusal.code, refusal.detail, stands)
    told.is_gone = True
    raise told


async def _standing(portal: Portal, owner: FlowOwner) -> FlowAnswer | None:
    async with plain_reading(portal.sessions) as connection:
        return await flows.find_flow(connection, owner.kind, owner.id)


Seen = TypeVar("Seen")


async def follow_run(
    portal: Portal,
    run_id: str,
    look: Callable[[], Awaitable[Seen]],
    is_enough: Callable[[Seen], bool],
    *,
    ends: float | None = None,
) -> tuple[Seen, bool]:
    """What `look` sees of a run once that is enough, or once the time of a call is over or that of the loop is `ends`; and
    whether it is enough. It looks whenever the run moves, and by itself, as a move may be missed."""
    seen = await look()
    if is_enough(seen):
        return seen, True
    ends = ends or asyncio.get_running_loop().time() + ANSWER_WITHIN.total_seconds()
    with portal.live.following([run_id]) as woken, suppress(TimeoutError):
        async with asyncio.timeout_at(ends):
            while True:
                woken.clear()
                seen = await look()
                if is_enough(seen):
                    return seen, True
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_EVERY.total_seconds()):
                        await woken.wait()
    return seen, False


async def once_seen(
    portal: Portal, kind: FlowKind, run_id: str, is_enough: Callable[[FlowAnswer], bool]
) -> tuple[FlowAnswer | None, bool]:
    """The row of a run by the same rule; None while nobody has shown it."""

    async def look() -> FlowAnswer | None:
        async with plain_reading(portal.sessions) as connection:
            return await flows.find_flow(connection, kind, run_id)

    return await follow_run(
        portal, run_id, look, lambda found: found is not None and is_enough(found)
    )


async def answer_of(portal: Portal, kind: FlowKind, flow_id: str) -> FlowAnswer:
    async with plain_reading(portal.sessions) as connection:
        found = await flows.find_flow(connection, kind, flow_id)
    if found is None:
        raise NotFound
    return found


async def look_at_run(session: Executes, actor: Actor, kind: FlowKind, flow_id: str) -> FlowAnswer:
    """The run as it stands, by the rule of `authorize_run`."""
    found = await flows.find_run(session, kind, flow_id)
    if found is None:
        raise NotFound
    owner, shown = found
    await _check_touch(session, actor, owner)
    return shown


def update_id_of(actor: Actor, key: str) -> str:
    """The caller's key, kept apart from everybody else's."""
    return hashlib.sha256(f"{actor.key} {key}".encode()).hexdigest()
