"""The device network in a tour: devices that lead to a plan, and what they are told so that a result comes."""

from collections.abc import Sequence
from typing import Any

from domain.activation.activation import Situation
from domain.devices.activation_type import ActivationType
from tests.conformance.activation.tours import AGAIN, LISTENING
from tests.drivers.stage import Stage, a_device_key

OLD, NEW = {"main": "1.4.1"}, {"main": "1.5.0"}

REFUSALS = {
    "keylocker-pin-codes": "refuse_pins",
    "system-settings": "refuse_features",
    "hardwire-x1max": "refuse_hardwire",
    "device-rewards": "refuse_link",
}
"""Step → the trait by which a device refuses it; every other step is refused by a blocked device."""

WRITING = (
    "reset-keylocker-pairing",
    "controller-option-tables",
    "keylocker-mode",
    "keylocker-option-tables",
    "keylocker-poc-pic",
    "hardwire-x1max",
)
"""Steps whose form is written to the device, afterwards when it installs its firmware."""

OBLIGING: dict[str, Any] = {
    "blocked": False,
    "refuse_commands": False,
    "special_refusals": 0,
    "updating_seconds": 0,
    **dict.fromkeys(REFUSALS.values(), False),
}

IN_STOCK, IN_A_CAR = "0", "2"
"""First digit of a key: new, or installed and in service mode (simulators/README.md)."""


async def a_fitting_device(stage: Stage, situation: Situation, *, replacement: bool = False) -> str:
    """A device that nobody used yet and whose check leads to the situation's plan; a `replacement` is new, and gets its
    plan and KeyLocker from the device whose place it takes."""
    like = situation.device
    is_new = situation.kind in (ActivationType.NEW_DEVICE, ActivationType.VERIZON_SIM)
    stand = IN_STOCK if is_new or replacement else IN_A_CAR
    cargo = "5" if like.is_keylocker_present and not replacement else "0"
    key = a_device_key(like.product_name.upper(), traits=f"{stand}{cargo}0")
    vehicle = like.vehicle.model_dump() if like.vehicle else None
    await stage.control(key, controller=like.controller, vehicle=vehicle, plan=like.plan)
    return key


def an_unknown_device(situation: Situation) -> str:
    return a_device_key(situation.device.product_name.upper(), traits="900")


async def prepare(
    stage: Stage, step: str, device_key: str, results: Sequence[str], *, ends_soon: bool
) -> None:
    """Has the device bring the results about, one after the other. `ends_soon`: a firmware update is over at once."""
    if not results:
        return
    last = results[-1]
    if step in WRITING:
        # a log that nobody asked for would bring it back
        seconds = 600 if last == "WAIT" else 0
        await stage.control(device_key, updating_seconds=seconds, silent_commands=99)
    if step in LISTENING:
        await stage.control(
            device_key,
            silent_commands=1 if last in ("OK", "WAIT") else 0,
            lose_replies=1 if last == "OK" else 0,
            refuse_commands=last == "FAIL",
        )
    elif step == "check-firmware":
        await stage.control(
            device_key,
            blocked=last == "FAIL",
            silent_commands=0,
            firmware=OLD if last == "WAIT" else NEW,
            answer_seconds=0.0 if ends_soon else 60.0,
        )
    elif AGAIN in results:
        await stage.control(device_key, special_refusals=len(results) - (last == "OK"))
    elif last == "FAIL":
        await stage.control(device_key, **{REFUSALS.get(step, "blocked"): True})


async def make_peace(stage: Stage, device_key: str) -> None:
    """The device refuses nothing any more."""
    await stage.control(device_key, **OBLIGING)
