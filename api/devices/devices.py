"""Devices outside an activation: the check that comes before one (devices spec 7)."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, StrictBool

from api.devices.holder import (
    guests_try,
    live_run,
    may_resume,
    persons_try,
)
from api.devices.ownership import authorized_answer
from api.platform.deps import Caller, Portal, PortalDep
from api.runs.flows import answer_of
from db.base import reading
from db.billing.payment_methods import is_canadian
from domain.activation.reducer import types_for
from domain.base import Body, Utc
from domain.devices.activation_type import ActivationType
from domain.devices.devices import Device, DeviceKey, IccidDigits, parse_device_key
from domain.identity.people import Actor

router = APIRouter(prefix="/api/iot", tags=["devices"])

Ask = Callable[[str, str | None, bool], Coroutine[Any, Any, Device]]
"""A check of the device network: device key, SIM digits, whether the user is Canadian."""


class DeviceCheckBody(Body):
    """A device as the caller holds it: only what the check asks for is read, the rest of its fields is passed over."""

    model_config = ConfigDict(extra="ignore")

    device_key: DeviceKey
    iccid_last_digits: IccidDigits | None = None
    isCanadianUser: StrictBool = False


class Unfinished(BaseModel):
    """An activation of the device that the caller may go on with."""

    id: str
    type: ActivationType
    step: str
    position: int
    total: int
    saved_at: Utc
    saved_by: str


class DeviceResult(Device):
    """The device's own fields (devices spec 3) with what can be done with it.

    Whose it is stays inside, and so do the SIM digits, which are a guest's proof, unless the caller sent them.
    """

    activation_types: list[ActivationType] = []
    activation: Unfinished | None = None


class DeviceCheckAnswer(BaseModel):
    results: list[DeviceResult]


@router.post("/device-check")
async def check_device(
    request: Request, portal: PortalDep, actor: Caller, body: DeviceCheckBody
) -> DeviceCheckAnswer:
    """The device as the network knows it. A guest proves possession, and so does who takes a guest's device over; a foreign
    device does not exist for the caller."""
    return await _check(request, portal, actor, body, portal.device_cloud.check)


@router.post("/device-purchasing-check")
async def check_device_for_purchase(
    request: Request, portal: PortalDep, actor: Caller, body: DeviceCheckBody
) -> DeviceCheckAnswer:
    """The device, if a plan may be bought for it: the same check, asked of the network's plans."""
    return await _check(request, portal, actor, body, portal.device_cloud.purchasing_check)


async def _check(
    request: Request, portal: Portal, actor: Actor, body: DeviceCheckBody, ask: Ask
) -> DeviceCheckAnswer:
    key = parse_device_key(body.device_key)
    async with reading(portal.sessions) as session:
        canadian = await is_canadian(session, actor)

    digits = body.iccid_last_digits

    async def checked() -> Device:
        return await portal.questions.answer(
            (ask.__name__, key, digits, canadian), lambda: ask(key, digits, canadian)
        )

    if actor.user is None:
        async with guests_try(request, portal, key, body.iccid_last_digits):
            device = await authorized_answer(portal, actor, key, checked)
    else:
        async with persons_try(portal, actor, key, body.iccid_last_digits) as in_hand:
            device = await authorized_answer(portal, actor, key, checked, in_hand=in_hand)
    run = await live_run(portal, key)
    unfinished = None
    if run is not None and may_resume(actor, run):
        flow = await answer_of(portal, "activation", run.id)
        unfinished = Unfinished(
            id=flow.id,
            type=flow.view["type"],
            step=flow.view["step"],
            position=flow.view["position"],
            total=flow.view["total"],
            saved_at=flow.updated_at,
            saved_by=flow.view["updated_by"],
        )
    return DeviceCheckAnswer(
        results=[
            DeviceResult(
                **device.model_dump(exclude={"owner_dealer_id", "iccid_last_digits"}),
                iccid_last_digits=body.iccid_last_digits,
                activation_types=list(types_for(device)),
                activation=unfinished,
            )
        ]
    )
