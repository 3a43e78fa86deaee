"""What a person asks of a firmware run, from its own page or from an activation."""

from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi import Response
from pydantic import BaseModel

from api.platform.deps import Portal
from api.runs.flows import once_or_joined, person_of, reach, tell
from db.operations.audit import record_by
from domain.base import Body, Utc
from domain.errors import Invalid
from domain.firmware.firmware import FirmwareAsk
from domain.identity.people import Actor
from workflows.firmware import FirmwareWorkflow

LONGEST_DEFERRAL = timedelta(days=7)


PAST = {
    FirmwareWorkflow.retry_now: "tried a firmware run again",
    FirmwareWorkflow.cancel: "cancelled a firmware run",
    FirmwareWorkflow.defer: "deferred a firmware run",
    FirmwareWorkflow.overrule: "overruled a weak reading",
}


class DeferBody(Body):
    """`until` is a time within the next seven days."""

    until: Utc


class AskBody(Body):
    """Nothing but the wish."""


async def ask_run(
    portal: Portal,
    actor: Actor,
    id: str,
    operation: str,
    body: Body,
    key: str,
    update: Any,
    *,
    until: datetime | None = None,
    reason: str = "",
) -> Response:
    """Sends one wish to one run, once for each key, and keeps in the audit who had it."""
    async with portal.sessions() as session:
        owner = await reach(session, actor, "firmware", id)
    person = person_of(actor)

    async def send() -> tuple[int, BaseModel]:
        if until and not timedelta(0) < until - datetime.now(UTC) <= LONGEST_DEFERRAL:
            raise Invalid(fields=[("until", "Choose a time within the next seven days")])
        ask = FirmwareAsk(
            actor_id=person.user_id,
            actor=person.name,
            acting_for=person.acting_for,
            until=until,
            reason=reason,
        )
        return await tell(portal, owner, update, ask, actor=actor, key=key)

    async def work() -> tuple[int, BaseModel]:
        answered = await send()
        more = {"reason": reason} if reason else None
        async with portal.sessions.begin() as session:
            await record_by(session, actor, PAST[update], on=("firmware", owner.id), more=more)
        return answered

    return await once_or_joined(portal, actor, key, operation, body, work, join=send)


def until_of(body: Body) -> datetime | None:
    return body.until if isinstance(body, DeferBody) else None
