"""KeyLocker pins outside an activation (devices spec 4 and 7; rulings "Money and devices").

A pin goes from the request to the device network and is kept nowhere: no record, no remembered body, no error shows it.
"""

import re
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from pydantic import AfterValidator, SecretStr, StrictBool, WithJsonSchema

from api.devices.access import DeviceRequest
from api.devices.calls.changes import Changed, Changing, ChangingDep, Effect, PathKey, SimDigits
from api.platform.moves_money import MovesCar
from api.platform.throttling.devices import DeviceTries
from domain.activation.device_calls import DeviceCall
from domain.base import Body
from domain.devices.keylocker import PIN_FORM, PIN_INVALID, PinSlot, pin_or_default
from domain.errors import Invalid
from domain.validation import REQUIRED

router = APIRouter(prefix="/v1/device", tags=["devices"])

PINS = DeviceRequest(DeviceCall.PIN)


def _of_digits(pin: SecretStr) -> SecretStr:
    if not re.fullmatch(PIN_FORM, pin.get_secret_value()):
        raise ValueError(PIN_INVALID)
    return pin


TypedPin = Annotated[
    SecretStr,
    AfterValidator(_of_digits),
    WithJsonSchema({"type": "string", "format": "password", "pattern": f"^{PIN_FORM}$"}),
]


class PinBody(Body):
    """`duration` as in `PIN_DURATIONS`: minutes, but 2 for five. Without `pin` it is the default one."""

    pin: TypedPin | None = None
    is_secondary_pin: StrictBool
    duration: Literal[1, 2, 30, 60, 120, 240, 480] | None = None


class DeletePinBody(Body):
    master_pin: TypedPin


@router.patch("/{device_key}/pin", response_model=Changed, dependencies=[MovesCar])
async def set_device_pin(
    change: ChangingDep, device_key: PathKey, body: PinBody, iccid_last_digits: SimDigits = None
) -> Response:
    """Save the master or the secondary pin."""
    found = await change.authorized_key(device_key, iccid_last_digits, PINS)

    slot = PinSlot.SECONDARY if body.is_secondary_pin else PinSlot.MASTER
    pin = pin_or_default(body.pin, slot, change.portal.default_pins)

    async def save(effect_key: str) -> Changed:
        await change.devices.set_pin(
            found,
            pin,
            is_secondary_pin=body.is_secondary_pin,
            duration=body.duration,
            key=effect_key,
        )
        return Changed(device_key=found)

    return await _counted(change, found, save, f"set the {slot} KeyLocker pin")


@router.delete("/{device_key}/pin", response_model=Changed, dependencies=[MovesCar])
async def delete_device_pin(
    change: ChangingDep,
    device_key: PathKey,
    body: DeletePinBody | None = None,
    master_pin: Annotated[TypedPin | None, Query()] = None,
    iccid_last_digits: SimDigits = None,
) -> Response:
    """Remove the secondary pin. The master pin opens it, in the query or, better, in the body."""
    opener = body.master_pin if body else master_pin
    if opener is None:
        raise Invalid(fields=[("master_pin", REQUIRED)])
    found = await change.authorized_key(device_key, iccid_last_digits, PINS)

    async def remove(effect_key: str) -> Changed:
        await change.devices.delete_pin(found, opener, key=effect_key)
        return Changed(device_key=found)

    return await _counted(change, found, remove, "removed the secondary KeyLocker pin")


async def _counted(change: Changing, device_key: str, effect: Effect, action: str) -> Response:
    """Counts the try before it is made; a pin that was taken gives it back."""
    tries = DeviceTries(change.portal.sessions)
    await tries.count_pin(device_key, change.counted_as)
    answer = await change.once(device_key, None, effect, action=action, is_secret=True)
    await tries.give_back_pin(device_key, change.counted_as)
    return answer
