"""What people set on a device under activation: pins and toggles; and what they choose from: options and installers.

A pin is sealed here, before the run hears of it: the message carries the name of its sealed row.
"""

import re
from collections.abc import Awaitable, Callable
from typing import Annotated, Literal

import orjson
from fastapi import APIRouter, Query, Response
from pydantic import Field, SecretStr, StrictBool

from api.activation.send import Seq, send_message
from api.platform.deps import Caller, Portal, PortalDep, SignedIn
from api.platform.throttling import Tries
from api.runs.flow_answers import ActivationAnswer
from api.runs.flows import ANSWERS, FlowId, FlowRejected, RequiredKey, reach, update_id_of
from db.identity.people import colleagues_of
from db.platform.sealed_secrets import forget_secret, keep_secret
from db.runs import flows
from domain.activation.activation import FeatureAct, Person, PinAct, PinRemoval, UserEvent
from domain.activation.configuring import TABLE_OF
from domain.base import Body, Frozen
from domain.devices.keylocker import (
    PIN_FORM,
    PIN_INVALID,
    Pin,
    PinSlot,
    pin_or_default,
    purpose_of_pin,
)
from domain.devices.option_tables import OptionTable, OptionTables
from domain.devices.toggles import Toggle
from domain.errors import Conflict, Gone, Invalid
from domain.identity.people import Actor
from domain.runs.projection import FlowOwner

router = APIRouter(prefix="/v1/activations", tags=["activation"])

Duration = Literal[1, 2, 30, 60, 120, 240, 480]
"""A key of PIN_DURATIONS."""


class PinBody(Body):
    """`duration` as in the list of the spec: 5 minutes are sent as 2. Without `pin` it is the default one of the slot."""

    seq: Seq
    slot: PinSlot
    pin: Pin | None = None
    duration: Duration


class PinRemovalBody(Body):
    seq: Seq
    master_pin: Pin


class FeatureBody(Body):
    seq: Seq
    feature: Toggle
    enabled: StrictBool


class Installer(Frozen):
    id: str
    name: str


class NoSuchOptions(Conflict):
    code = "no_option_tables"
    detail = "This activation has no such options."


@router.post("/{id}/pins", response_model=ActivationAnswer, responses=ANSWERS)
async def set_activation_pin(
    portal: PortalDep, actor: Caller, id: FlowId, body: PinBody, key: RequiredKey
) -> Response:
    """Save the KeyLocker's master or secondary pin. The same key with another pin answers as the first time."""

    pin = pin_or_default(body.pin, body.slot, portal.default_pins)

    async def event(person: Person, _: FlowOwner, secret_id: str) -> UserEvent:
        return PinAct(
            actor=person, seq=body.seq, slot=body.slot, secret=secret_id, duration=body.duration
        )

    return await _with_pin(portal, actor, id, "set_activation_pin", body, key, ("pin", pin), event)


@router.post("/{id}/pins/delete", response_model=ActivationAnswer, responses=ANSWERS)
async def delete_activation_pin(
    portal: PortalDep, actor: Caller, id: FlowId, body: PinRemovalBody, key: RequiredKey
) -> Response:
    """Remove the KeyLocker's secondary pin; the master pin authorises it."""

    async def event(person: Person, _: FlowOwner, secret_id: str) -> UserEvent:
        return PinRemoval(actor=person, seq=body.seq, secret=secret_id)

    return await _with_pin(
        portal,
        actor,
        id,
        "delete_activation_pin",
        body,
        key,
        ("master_pin", body.master_pin),
        event,
    )


@router.post("/{id}/features", response_model=ActivationAnswer, responses=ANSWERS)
async def set_activation_feature(
    portal: PortalDep, actor: Caller, id: FlowId, body: FeatureBody, key: RequiredKey
) -> Response:
    """Turn one setting of the device on or off."""

    async def event(person: Person, _: FlowOwner) -> UserEvent:
        return FeatureAct(actor=person, seq=body.seq, feature=body.feature, enabled=body.enabled)

    return await send_message(
        portal,
        actor,
        id,
        "set_activation_feature",
        body,
        key,
        event,
        note="changed a setting of a device",
    )


@router.get("/{id}/option-tables")
async def get_activation_option_tables(
    portal: PortalDep, actor: Caller, id: FlowId, table: Annotated[OptionTable, Query()]
) -> OptionTables:
    """One table of the activation's device, with its schema and present values."""
    async with portal.sessions() as session:
        run = await reach(session, actor, "activation", id)
        shown = await flows.find_flow(session, "activation", id)
    steps = [step for step, written in TABLE_OF.items() if written is table]
    if shown is None or shown.ended or not set(steps) & set(shown.view["plan"]):
        raise NoSuchOptions
    return await portal.questions.answer(
        ("option tables", run.device, table),
        lambda: portal.device_cloud.option_tables(run.device, table),
    )


@router.get("/{id}/installers")
async def list_activation_installers(
    portal: PortalDep, actor: SignedIn, id: FlowId
) -> Annotated[list[Installer], Field(max_length=100)]:
    """Who may have helped: the dealer's installers who are not retired, without the activation's owner."""
    async with portal.sessions() as session:
        run = await reach(session, actor, "activation", id)
        people = await colleagues_of(session, run.dealer_id) if run.dealer_id else ()
    return [
        Installer(id=person.id, name=person.name) for person in people if person.id != run.owner_id
    ]


async def _with_pin(
    portal: Portal,
    actor: Actor,
    id: str,
    operation: str,
    body: PinBody | PinRemovalBody,
    key: str,
    typed: tuple[str, SecretStr],
    event: Callable[[Person, FlowOwner, str], Awaitable[UserEvent]],
) -> Response:
    """Seals the typed pin under a name that follows from the caller's key, so that a repeat brings no second; a refused
    message takes it away again. The kept hash of the body holds no pin: it is masked there."""
    field, pin = typed
    if not re.fullmatch(PIN_FORM, pin.get_secret_value()):
        raise Invalid(fields=[(field, PIN_INVALID)])
    secret_id, tries, tried = update_id_of(actor, key), Tries(portal.sessions), list[str]()

    async def sealed(person: Person, run: FlowOwner) -> UserEvent:
        await tries.count_pin(run.device, actor.key)
        tried.append(run.device)
        sealed = portal.vault.seal(pin.get_secret_value(), purpose=purpose_of_pin(id))
        async with portal.sessions.begin() as session:
            await keep_secret(session, secret_id=secret_id, flow_id=id, sealed=sealed)
        return await event(person, run, secret_id)

    try:
        answer = await send_message(
            portal, actor, id, operation, body, key, sealed, note="changed a KeyLocker pin"
        )
    except (FlowRejected, Gone):
        async with portal.sessions.begin() as session:
            await forget_secret(session, secret_id)
        raise
    if tried and answer.status_code == 200 and orjson.loads(answer.body)["view"]["error"] is None:
        await tries.give_back_pin(tried[0], actor.key)
    return answer
