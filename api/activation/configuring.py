"""What people set on a device under activation: pins and toggles; and what they choose from: options and installers.

A pin is sealed here, before the run is told of it: the message carries the name of its sealed row.
"""

import re
from typing import Annotated, Literal

import orjson
from fastapi import APIRouter, Query, Response
from pydantic import Field, SecretStr, StrictBool

from api.activation.command import ActivationCommand, OnActivation, Seq
from api.platform.deps import Caller, PortalDep, SignedIn
from api.platform.idempotency import REPEATED_HEADER
from api.platform.moves_money import MovesCar
from api.platform.throttling.devices import DeviceTries
from api.runs.flow_answers import ActivationAnswer
from api.runs.flows import FlowId, authorize_run
from api.runs.messages import ANSWERS, FlowRejected, update_id_of
from db.base import reading
from db.devices.option_writes import option_suggestions
from db.identity.people import colleagues_of
from db.platform.sealed_secrets import forget_secret, save_secret
from db.runs import flows
from domain.activation.activation import FeatureAct, PinAct, PinRemoval
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
from domain.devices.option_suggestions import OptionSuggestion
from domain.devices.option_tables import OptionTable, OptionTables
from domain.devices.toggles import Toggle
from domain.errors import Conflict, Gone, Invalid
from workflows.activation import ActivationWorkflow

router = APIRouter(prefix="/v1/activations", tags=["activation"])

Duration = Literal[1, 2, 30, 60, 120, 240, 480]
"""A key of PIN_DURATIONS."""


class ActivationPinBody(Body):
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


@router.post(
    "/{id}/pins", response_model=ActivationAnswer, responses=ANSWERS, dependencies=[MovesCar]
)
async def set_activation_pin(command: OnActivation, body: ActivationPinBody) -> Response:
    """Save the KeyLocker's master or secondary pin. The same key with another pin answers as the first time."""
    pin = pin_or_default(body.pin, body.slot, command.portal.default_pins)
    act = PinAct(
        actor=command.person,
        seq=body.seq,
        slot=body.slot,
        secret=_secret_of(command),
        duration=body.duration,
    )
    return await _send_with_pin(command, body, ("pin", pin), act)


@router.post(
    "/{id}/pins/delete", response_model=ActivationAnswer, responses=ANSWERS, dependencies=[MovesCar]
)
async def delete_activation_pin(command: OnActivation, body: PinRemovalBody) -> Response:
    """Remove the KeyLocker's secondary pin; the master pin authorises it."""
    removal = PinRemoval(actor=command.person, seq=body.seq, secret=_secret_of(command))
    return await _send_with_pin(command, body, ("master_pin", body.master_pin), removal)


@router.post(
    "/{id}/features", response_model=ActivationAnswer, responses=ANSWERS, dependencies=[MovesCar]
)
async def set_activation_feature(command: OnActivation, body: FeatureBody) -> Response:
    """Turn one setting of the device on or off."""
    act = FeatureAct(actor=command.person, seq=body.seq, feature=body.feature, enabled=body.enabled)
    return await command.send(
        ActivationWorkflow.act, act, body, audit="changed a setting of a device"
    )


@router.get("/{id}/option-tables")
async def get_activation_option_tables(
    portal: PortalDep, actor: Caller, id: FlowId, table: Annotated[OptionTable, Query()]
) -> OptionTables:
    """One table of the activation's device, with its schema and present values."""
    async with reading(portal.sessions) as session:
        run = await authorize_run(session, actor, "activation", id)
        shown = await flows.find_flow(session, "activation", id)
    steps = [step for step, written in TABLE_OF.items() if written is table]
    if shown is None or shown.ended or not set(steps) & set(shown.view["plan"]):
        raise NoSuchOptions
    return await portal.questions.answer(
        ("option tables", run.device, table),
        lambda: portal.device_cloud.option_tables(run.device, table),
    )


@router.get("/{id}/option-suggestions")
async def list_option_suggestions(
    portal: PortalDep, actor: SignedIn, id: FlowId, table: Annotated[OptionTable, Query()]
) -> Annotated[list[OptionSuggestion], Field(max_length=1000)]:
    """What finished activations of the same vehicle and product wrote most; nothing from too few of them."""
    async with reading(portal.sessions) as session:
        await authorize_run(session, actor, "activation", id)
        shown = await flows.find_flow(session, "activation", id)
        vehicle = shown.view["facts"].get("vehicle") if shown else None
        product = shown.view["device"]["product_name"] if shown else None
        if vehicle is None or product is None:
            return []
        found = await option_suggestions(
            session,
            product=product,
            year=vehicle["year"],
            model_id=vehicle["model_id"],
            table=table,
        )
    return list(found)


@router.get("/{id}/installers")
async def list_activation_installers(
    portal: PortalDep, actor: SignedIn, id: FlowId
) -> Annotated[list[Installer], Field(max_length=100)]:
    """Who may have helped: the dealer's installers who are not retired, without the activation's owner."""
    async with reading(portal.sessions) as session:
        run = await authorize_run(session, actor, "activation", id)
        people = await colleagues_of(session, run.dealer_id) if run.dealer_id else ()
    return [
        Installer(id=person.id, name=person.name) for person in people if person.id != run.owner_id
    ]


def _secret_of(command: ActivationCommand) -> str:
    """The name of the sealed pin follows from the caller's key, so that a repeat brings no second."""
    return update_id_of(command.actor, command.key)


async def _send_with_pin(
    command: ActivationCommand,
    body: ActivationPinBody | PinRemovalBody,
    typed: tuple[str, SecretStr],
    event: PinAct | PinRemoval,
) -> Response:
    """Seals the typed pin; a refused message takes it away again. The kept hash of the body holds no pin: it is masked
    there."""
    field, pin = typed
    if not re.fullmatch(PIN_FORM, pin.get_secret_value()):
        raise Invalid(fields=[(field, PIN_INVALID)])
    try:
        answer = await command.send(
            ActivationWorkflow.act,
            _sealed(command, pin, event),
            body,
            audit="changed a KeyLocker pin",
        )
    except (FlowRejected, Gone):
        async with command.portal.sessions.begin() as session:
            await forget_secret(session, event.secret)
        raise
    if _was_taken(answer):
        run = await command.run()
        await DeviceTries(command.portal.sessions).give_back_pin(run.device, command.actor.key)
    return answer


async def _sealed(
    command: ActivationCommand, pin: SecretStr, event: PinAct | PinRemoval
) -> PinAct | PinRemoval:
    portal, run = command.portal, await command.run()
    await DeviceTries(portal.sessions).count_pin(run.device, command.actor.key)
    sealed = portal.vault.seal(pin.get_secret_value(), purpose=purpose_of_pin(run.id))
    async with portal.sessions.begin() as session:
        await save_secret(session, secret_id=event.secret, flow_id=run.id, sealed=sealed)
    return event


def _was_taken(answer: Response) -> bool:
    """Whether this very request has had the pin changed."""
    is_first = REPEATED_HEADER not in answer.headers and answer.status_code == 200
    return is_first and orjson.loads(answer.body)["view"]["error"] is None
