"""Which wires of a vehicle serve a command that a test sends, and what to look at first when it fails."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum

from domain.base import Frozen
from domain.vehicles.wiring import Wire


class FirstCheck(StrEnum):
    """What to look at before any wire is cut again."""

    POWER = "power"
    HOOD_CLOSED = "hood_closed"
    BRAKE_RELEASED = "brake_released"
    IN_PARK = "in_park"
    TACHOMETER_LEARNED = "tachometer_learned"
    BYPASS_PROGRAMMED = "bypass_programmed"
    DOORS_CLOSED = "doors_closed"
    POLARITY = "polarity"
    DATA_WIRE = "data_wire"


class Served(Frozen):
    """What a command works through, in the order in which it is worth a look."""

    checks: tuple[FirstCheck, ...]
    functions: tuple[str, ...]


class FunctionWires(Frozen):
    """The wires of one function, of every source that names it."""

    function: str
    wires: tuple[Wire, ...]


_START = Served(
    checks=(
        FirstCheck.POWER,
        FirstCheck.HOOD_CLOSED,
        FirstCheck.BRAKE_RELEASED,
        FirstCheck.IN_PARK,
        FirstCheck.BYPASS_PROGRAMMED,
        FirstCheck.TACHOMETER_LEARNED,
    ),
    functions=(
        "12V Constant",
        "Hood Trigger",
        "Brake",
        "Park Neutral Safety",
        "Immobilizer Data",
        "Ignition 1",
        "Ignition 2",
        "Accessory",
        "Starter",
        "Tachometer",
    ),
)
_IGNITION = Served(checks=(FirstCheck.POWER, FirstCheck.POLARITY), functions=("12V Constant", "Ignition 1", "Ignition 2"))  # fmt: skip
_PANIC = Served(
    checks=(FirstCheck.POWER, FirstCheck.POLARITY), functions=("Horn", "Parking Lights")
)

SERVED: Mapping[str, Served] = {
    "arm": Served(
        checks=(FirstCheck.DOORS_CLOSED, FirstCheck.POLARITY, FirstCheck.DATA_WIRE),
        functions=("Door Lock", "Door Trigger", "CAN High", "CAN Low"),
    ),
    "disarm": Served(
        checks=(FirstCheck.POLARITY, FirstCheck.DATA_WIRE),
        functions=(
            "Door Unlock",
            "Driver Priority Unlock",
            "Factory Alarm Disarm",
            "CAN High",
            "CAN Low",
        ),
    ),
    "panic_on": _PANIC,
    "panic_off": _PANIC,
    "remote_start": _START,
    "remote_stop": Served(
        checks=(FirstCheck.BRAKE_RELEASED, FirstCheck.TACHOMETER_LEARNED),
        functions=("Brake", "Hood Trigger", "Ignition 1", "Tachometer"),
    ),
    "trunk": Served(checks=(FirstCheck.POLARITY,), functions=("Trunk Release", "Trunk Trigger")),
    "remote_aux1": Served(checks=(FirstCheck.POLARITY,), functions=("Rear Defroster", "Window Up")),
    "remote_aux2": Served(checks=(FirstCheck.POLARITY,), functions=("Heated Seat", "Window Up")),
    "ignition_on": _IGNITION,
    "ignition_off": _IGNITION,
    "security": Served(
        checks=(FirstCheck.DOORS_CLOSED, FirstCheck.HOOD_CLOSED, FirstCheck.POLARITY),
        functions=("Door Trigger", "Hood Trigger", "Trunk Trigger", "Horn"),
    ),
    "engine_monitoring": Served(
        checks=(FirstCheck.TACHOMETER_LEARNED, FirstCheck.DATA_WIRE),
        functions=("Tachometer", "CAN High"),
    ),
    "location": Served(checks=(FirstCheck.POWER,), functions=("12V Constant",)),
    "power_settings": Served(checks=(FirstCheck.POWER,), functions=("12V Constant",)),
}
"""By command; a command that no wire of the car serves is not here."""


def wires_for(command: str, wires: Iterable[Wire]) -> tuple[FunctionWires, ...]:
    """The wires that serve a command, function by function; functions that no source names are left out."""
    served = SERVED.get(command)
    if served is None:
        return ()
    known = list(wires)
    groups = (
        FunctionWires(function=one, wires=tuple(wire for wire in known if names(wire, one)))
        for one in served.functions
    )
    return tuple(group for group in groups if group.wires)


def names(wire: Wire, function: str) -> bool:
    """Sources write "BRAKE SWITCH", "Door Locks" or "Ignition (1)" for what we call Brake, Door Lock and Ignition 1."""
    return _words(function) <= _words(wire.function)


def _words(text: str) -> set[str]:
    return {word.rstrip("s") for word in re.findall(r"[a-z0-9]+", text.casefold())}
