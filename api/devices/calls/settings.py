"""A device's toggles and hardwired mode outside its activation (devices spec 4 and 7)."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, StrictBool

from api.devices.access import DeviceRequest
from api.devices.calls.changes import AskingDep, Changed, ChangingDep, PathKey, SimDigits
from api.platform.border.queries import or_default
from api.platform.moves_money import MovesCar
from domain.activation.device_calls import DeviceCall
from domain.base import Body
from domain.devices.devices import DeviceKey, IccidDigits
from domain.devices.hardwire import HardwiredInput, HardwiredOutput
from domain.devices.toggles import Features, Toggle
from domain.errors import Invalid

router = APIRouter(prefix="/v1/device", tags=["devices"])


class FeaturesBody(Body):
    """The toggles to set; those left out stay."""

    siren_enabled: StrictBool | None = None
    valet_mode_enabled: StrictBool | None = None
    shock_sensor_enabled: StrictBool | None = None
    drive_lock_enabled: StrictBool | None = None
    passive_arming_enabled: StrictBool | None = None
    timer_start_enabled: StrictBool | None = None
    turbo_timer_start_enabled: StrictBool | None = None
    auto_door_lock_enabled: StrictBool | None = None


class HardwiredModeBody(Body):
    device_key: DeviceKey
    hardwired_input: HardwiredInput
    hardwired_output: HardwiredOutput
    iccid_last_digits: IccidDigits | None = None


class FeaturesChanged(BaseModel):
    """`features` are those that were set."""

    device_key: str
    features: Features


@router.get("/{device_key}/features")
async def get_device_features(
    ask: AskingDep,
    device_key: PathKey,
    query_device: Annotated[bool, Query(), or_default(False)] = False,
    iccid_last_digits: SimDigits = None,
) -> Features:
    """The toggles that the device has; `query_device` asks the device itself."""
    key = await ask.authorized_key(device_key, iccid_last_digits)
    return await ask.devices.features(
        key, query_device=query_device, iccid_last_digits=iccid_last_digits
    )


@router.patch("/{device_key}/features", response_model=FeaturesChanged, dependencies=[MovesCar])
async def update_device_features(
    change: ChangingDep,
    device_key: PathKey,
    body: FeaturesBody,
    iccid_last_digits: SimDigits = None,
) -> Response:
    """Turn toggles on and off."""
    changes = {Toggle(name): on for name, on in body.model_dump(exclude_none=True).items()}
    if not changes:
        raise Invalid("Please complete all fields")
    found = await change.authorized_key(
        device_key, iccid_last_digits, DeviceRequest(DeviceCall.FEATURES)
    )

    async def write(effect_key: str) -> FeaturesChanged:
        await change.devices.patch_features(
            found, changes, iccid_last_digits=iccid_last_digits, key=effect_key
        )
        return FeaturesChanged(device_key=found, features=changes)

    return await change.once(
        found,
        body,
        write,
        action="changed the toggles of a device",
        more={toggle.value: on for toggle, on in changes.items()},
    )


@router.patch("/hardwired-mode", response_model=Changed, dependencies=[MovesCar])
async def set_hardwired_mode(change: ChangingDep, body: HardwiredModeBody) -> Response:
    """Set the hardwired output and input of an X1MAX."""
    wanted = DeviceRequest(DeviceCall.HARDWIRE)
    found = await change.authorized_key(body.device_key, body.iccid_last_digits, wanted)
    output, input_ = body.hardwired_output, body.hardwired_input

    async def write(effect_key: str) -> Changed:
        await change.devices.hardwired_mode(
            found, output, input_, iccid_last_digits=body.iccid_last_digits, key=effect_key
        )
        return Changed(device_key=found)

    return await change.once(
        found,
        body,
        write,
        action="set the hardwired mode of a device",
        more={"hardwired_output": output, "hardwired_input": input_},
    )
