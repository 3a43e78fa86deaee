"""The KeyLocker: modes and pins (devices spec 4 and 9)."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

from pydantic import Field, SecretStr, StringConstraints

from domain.base import Frozen
from domain.errors import Conflict


class KeylockerMode(StrEnum):
    ADD_ON = "add-on"
    STANDALONE = "standalone"


class PinSlot(StrEnum):
    MASTER = "master"
    SECONDARY = "secondary"


PIN_DURATIONS: dict[int, str] = {
    1: "1 min",
    2: "5 min",
    30: "30 min",
    60: "1 h",
    120: "2 h",
    240: "4 h",
    480: "8 h",
}
"""Value as sent → how long a pin stays entered (devices spec 9; 5 min is sent as 2, rulings "Money and devices")."""

Pin = Annotated[SecretStr, Field(min_length=4, max_length=8)]
"""Four to eight digits; `PIN_FORM` judges the digits, so that no error shows them."""

PIN_FORM = r"[0-9]{4,8}"
PIN_INVALID = "Must have 4 to 8 digits"

SecretId = Annotated[str, StringConstraints(min_length=1, max_length=64)]
"""Names a sealed pin in the database: the pin itself never enters a history, a log or a projection."""


def purpose_of_pin(flow_id: str) -> str:
    """What a pin is sealed for: it opens for the run it was typed in, and for nothing else."""
    return f"pin:{flow_id}"


class NoDefaultPin(Conflict):
    """No pin was typed, and this installation has none for the slot."""

    code = "no_default_pin"
    detail = "There is no default pin. Please enter one."


def default_pins(master: SecretStr, secondary: SecretStr) -> dict[PinSlot, SecretStr]:
    """By slot; an empty one is none."""
    pins = {PinSlot.MASTER: master, PinSlot.SECONDARY: secondary}
    return {slot: pin for slot, pin in pins.items() if pin.get_secret_value()}


def pin_or_default(
    pin: SecretStr | None, slot: PinSlot, defaults: Mapping[PinSlot, SecretStr]
) -> SecretStr:
    """What was typed, else the default of the slot. Raises NoDefaultPin."""
    meant = pin or defaults.get(slot)
    if meant is None:
        raise NoDefaultPin
    return meant


class PinRow(Frozen):
    """What is known of one pin slot. On a failed save `enabled` flips back (devices spec 4)."""

    enabled: bool = False
    loading: bool = False
    success: bool = False
    failed: bool = False
    duration: int | None = None


class KeylockerPins(Frozen):
    master: PinRow = PinRow()
    secondary: PinRow = PinRow()
