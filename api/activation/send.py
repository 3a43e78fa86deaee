"""One message to an activation that is under way."""

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Response
from pydantic import BaseModel, Field

from api.platform.deps import Portal
from api.runs.flows import once_or_joined, person_of, reach, tell
from db.operations.audit import record_by
from domain.activation.activation import HandOver, Person, UserEvent
from domain.base import Body
from domain.identity.people import Actor
from domain.runs.projection import FlowOwner
from workflows.activation import ActivationWorkflow

TOLD = {"command", "reason", "user_id", "slot", "duration", "feature", "enabled"}
"""What the audit keeps of a body; never a pin."""


Seq = Annotated[int, Field(ge=0, le=1_000_000)]


async def send_message(
    portal: Portal,
    actor: Actor,
    id: str,
    operation: str,
    body: Body,
    key: str,
    event: Callable[[Person, FlowOwner], Awaitable[UserEvent | HandOver]],
    *,
    note: str | None = None,
) -> Response:
    """Whose it is first, then the form, then the message, once for each key."""
    async with portal.sessions() as session:
        owner = await reach(session, actor, "activation", id)
    person = person_of(actor, guest_of=id if actor.capability_hash else None)

    async def send() -> tuple[int, BaseModel]:
        message = await event(person, owner)
        update = (
            ActivationWorkflow.hand_over
            if isinstance(message, HandOver)
            else ActivationWorkflow.event
        )
        return await tell(portal, owner, update, message, actor=actor, key=key)

    async def work() -> tuple[int, BaseModel]:
        answered = await send()
        if note is not None:
            async with portal.sessions.begin() as session:
                await record_by(
                    session,
                    actor,
                    note,
                    on=("activation", id),
                    more=body.model_dump(mode="json", include=TOLD),
                )
        return answered

    return await once_or_joined(portal, actor, key, f"{operation} {id}", body, work, join=send)
