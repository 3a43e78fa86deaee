"""Firmware runs: what a person may ask of one (devices spec 4)."""

from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi import APIRouter, Response
from pydantic import BaseModel

from api.deps import Caller, Portal, PortalDep
from api.flow_answers import FirmwareAnswer
from api.flows import (
    ANSWERS,
    FlowId,
    RequiredKey,
    answer_of,
    once_or_joined,
    person_of,
    reach,
    tell,
)
from db.audit import record_by
from domain.base import Body, Utc
from domain.errors import Invalid, NotFound
from domain.firmware import FirmwareAsk
from domain.identity import Actor
from workflows.firmware import FirmwareWorkflow

router = APIRouter(prefix="/v1/activations", tags=["firmware"])

PAST = {
    "retry_firmware": "tried a firmware run again",
    "cancel_firmware": "cancelled a firmware run",
    "defer_firmware": "deferred a firmware run",
}
LONGEST_DEFERRAL = timedelta(days=7)


class DeferBody(Body):
    """`until` is a time within the next seven days."""

    until: Utc


class AskBody(Body):
    """Nothing but the wish."""


@router.post("/{id}/firmware/retry", response_model=FirmwareAnswer, responses=ANSWERS)
async def retry_firmware(
    portal: PortalDep, actor: Caller, id: FlowId, body: AskBody, key: RequiredKey
) -> Response:
    """Try again now instead of waiting."""
    return await _ask(portal, actor, id, "retry_firmware", body, key, FirmwareWorkflow.retry_now)


@router.post("/{id}/firmware/cancel", response_model=FirmwareAnswer, responses=ANSWERS)
async def cancel_firmware(
    portal: PortalDep, actor: Caller, id: FlowId, body: AskBody, key: RequiredKey
) -> Response:
    """Give the update up, before it is written to the device."""
    return await _ask(portal, actor, id, "cancel_firmware", body, key, FirmwareWorkflow.cancel)


@router.post("/{id}/firmware/defer", response_model=FirmwareAnswer, responses=ANSWERS)
async def defer_firmware(
    portal: PortalDep, actor: Caller, id: FlowId, body: DeferBody, key: RequiredKey
) -> Response:
    """Put the update off until a later time."""
    return await _ask(
        portal, actor, id, "defer_firmware", body, key, FirmwareWorkflow.defer, until=body.until
    )


async def _ask(
    portal: Portal,
    actor: Actor,
    id: str,
    operation: str,
    body: Body,
    key: str,
    update: Any,
    *,
    until: datetime | None = None,
) -> Response:
    async with portal.sessions() as session:
        await reach(session, actor, "activation", id)
    activation = await answer_of(portal, "activation", id)
    firmware = activation.view["facts"]["firmware"]
    if firmware is None:
        raise NotFound
    async with portal.sessions() as session:
        owner = await reach(session, actor, "firmware", firmware["run_id"])
    person = person_of(actor)

    async def send() -> tuple[int, BaseModel]:
        if until and not timedelta(0) < until - datetime.now(UTC) <= LONGEST_DEFERRAL:
            raise Invalid(fields=[("until", "Choose a time within the next seven days")])
        ask = FirmwareAsk(actor_id=person.user_id, actor=person.name, until=until)
        return await tell(portal, owner, update, ask, actor=actor, key=key)

    async def work() -> tuple[int, BaseModel]:
        answered = await send()
        async with portal.sessions.begin() as session:
            await record_by(
                session,
                actor,
                PAST[operation],
                on=("firmware", owner.id),
            )
        return answered

    return await once_or_joined(portal, actor, key, f"{operation} {id}", body, work, join=send)
