"""Devices, their families, commands and logs (devices spec 3, 4 and 9)."""

import re
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from domain.base import EXACT, Frozen, Utc
from domain.errors import Conflict, Invalid, NotFound
from domain.vehicles.vehicles import FIRST_YEAR


class Product(StrEnum):
    """Values of `product_name` (devices spec 3)."""

    FT_XC = "ft-xc"
    FT_X1MAX = "ft-x1max"
    FT_X1R = "ft-x1r"
    FT_X1S = "ft-x1s"
    FT_X1 = "ft-x1"
    FT_X2I = "ft-x2i"
    FT_X2 = "ft-x2"
    DR6400 = "dr6400"
    DR5400 = "dr5400"
    DR3400 = "dr3400"
    DR3300 = "dr3300"
    DR3100 = "dr3100"
    DR3100R = "dr3100r"


class Family(StrEnum):
    """Product families: X1, X2, XC and the DR34/33/31/54 group; dr6400 has a row of its own (rulings)."""

    X1 = "X1"
    X2 = "X2"
    XC = "XC"
    DR = "DR"
    DR64 = "DR64"


FAMILY: dict[Product, Family] = {
    Product.FT_X1MAX: Family.X1,
    Product.FT_X1R: Family.X1,
    Product.FT_X1S: Family.X1,
    Product.FT_X1: Family.X1,
    Product.FT_X2: Family.X2,
    Product.FT_X2I: Family.X2,
    Product.FT_XC: Family.XC,
    Product.DR5400: Family.DR,
    Product.DR3400: Family.DR,
    Product.DR3300: Family.DR,
    Product.DR3100: Family.DR,
    Product.DR3100R: Family.DR,
    Product.DR6400: Family.DR64,
}


class DeviceState(StrEnum):
    """Where a device stands at the device network (devices spec 4)."""

    NEW = "new"
    ACTIVATED = "activated"
    INSTALLED = "installed"
    PAUSED = "paused"


_KEY = re.compile(r"^(?!.*--)[A-Z0-9][A-Z0-9-]{2,38}[A-Z0-9]$")
"""Opaque: which product it is says the device network alone (rulings "Later rulings")."""

DeviceKey = Annotated[
    str, StringConstraints(strip_whitespace=True, to_upper=True, min_length=1, max_length=40), EXACT
]
"""A serial number as typed: forced to upper case (devices spec 5); `parse_device_key` judges its form."""

ShortText = Annotated[str, StringConstraints(min_length=1, max_length=200)]

IccidDigits = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[0-9]{5}$")]
"""The last five digits of the SIM's ICCID."""


class MalformedDeviceKey(Invalid):
    code = "malformed_device_key"
    detail = "This serial number is not valid. Please check the label on the device."

    def __init__(self) -> None:
        super().__init__(fields=[("device_key", "Serial number invalid")])


class UnknownDevice(NotFound):
    code = "unknown_device"
    detail = "We could not find this device. Please check the serial number and the SIM digits."


class NotInServiceMode(Conflict):
    """The dedicated service-mode error (devices spec 8)."""

    code = "service_mode_required"
    detail = "The device is not currently in Service Mode"


def parse_device_key(text: str) -> str:
    """The key in its one spelling (`FT-X1-00000042`, `7H2K-90441`): 4 to 40 letters, digits and hyphens. Raises
    MalformedDeviceKey."""
    key = text.strip().upper()
    if not _KEY.match(key):
        raise MalformedDeviceKey
    return key


class Keylocker(Frozen):
    """The add-on's own report."""

    mode: Literal["add-on", "standalone"] | None = None
    key_present: bool | None = None
    roof_locked: bool | None = None
    roof_open: bool | None = None
    version: str | None = None


class Device(Frozen):
    """A device as the device network reports it (devices spec 3)."""

    device_key: str
    product_name: Product
    device_state: DeviceState
    service_mode: bool = False
    iccid_last_digits: str | None = None
    plan: str | None = None
    controller_model: str | None = "Controller"
    controller: str | None = None
    firmware_version: str | None = None
    keylocker: Keylocker | None = None
    is_keylocker_present: bool = False
    owner_dealer_id: str | None = None
    vehicle: "VehicleDetails | None" = None

    @property
    def family(self) -> Family:
        return FAMILY[self.product_name]


class VehicleDetails(Frozen):
    """The vehicle that a device sits in, as chosen from the vehicle tables."""

    year: Annotated[int, Field(ge=FIRST_YEAR, le=2100)]
    make_id: int
    make: str
    model_id: int
    model: str


class FirmwareTarget(StrEnum):
    """What can be updated, in this order; `kl1` is displayed as 'KeyLocker'."""

    MAIN = "main"
    KL1 = "kl1"


class FirmwareOffer(Frozen):
    """One waiting update."""

    target: FirmwareTarget
    from_version: str
    to_version: str


class FirmwareCheck(Frozen):
    """What the device network has waiting for a device; empty when it is up to date."""

    offers: tuple[FirmwareOffer, ...] = ()
    battery_volts: float | None = None
    signal_dbm: int | None = None


TESTING_COMMANDS: dict[str, str] = {
    "location": "Verify GPS",
    "arm": "Arm",
    "disarm": "Disarm",
    "panic_on": "Panic on",
    "panic_off": "Panic off",
    "remote_start": "Remote start",
    "remote_stop": "Remote stop",
    "trunk": "Trunk",
    "remote_aux1": "Aux 1",
    "remote_aux2": "Aux 2",
    "erase_device": "Reset Device Settings",
}
"""Command → label of the device-testing step (devices spec 4)."""

CONFIGURATION_COMMANDS: dict[str, str] = {
    "direction_change": "Direction change",
    "ignition_on": "Ignition on",
    "ignition_off": "Ignition off",
    "accelerometer": "Accelerometer",
    "towing": "Towing",
    "security": "Security",
    "engine_monitoring": "Engine monitoring",
    "power_settings": "Power settings",
}
"""Command → label of the device-configuration step (devices spec 4)."""

ACTING_COMMANDS = frozenset(TESTING_COMMANDS) - {"location"}
"""Commands that move or wake a car: never retried by the machine (rulings)."""

QUERY_COMMANDS = frozenset({"location", "device_report", "dash_camera_query_settings"})


def intent_of(command: str) -> str:
    """How the intent of a command is named."""
    return f"command:{command}"


def testing_commands(product: Product) -> tuple[str, ...]:
    """The tests a product supports: Verify GPS for all, erase on the X1 family only, no starter tests on the DR group."""
    family = FAMILY[product]
    if family is Family.DR:
        return ("location",)
    tests = tuple(c for c in TESTING_COMMANDS if c != "erase_device")
    return (*tests, "erase_device") if family is Family.X1 else tests


class DeviceLog(Frozen):
    """One entry of a device's log, as the device network sends it (devices spec 3).

    `id` is the network's own; `type` is `report`, `location`, `command` or `firmware`; `command` is the command it
    confirms (`C42` a finished download, `R42` the result of an update); `ok` is its result.
    """

    id: str
    device_key: str
    type: str
    timestamp: Utc
    command: str | None = None
    command_id: str | None = None
    ok: bool = True
    reading: dict[str, Any] = {}


class SentLog(DeviceLog):
    """An entry as it comes in, told or asked for: what is kept in an index is short."""

    id: ShortText
    device_key: DeviceKey
    type: ShortText
    command: ShortText | None = None
    command_id: ShortText | None = None


class CommandKind(StrEnum):
    QUERY = "query"
    ACTING = "acting"


def kind_of(command: str) -> CommandKind:
    """Whether a machine may repeat the command by itself."""
    return CommandKind.QUERY if command in QUERY_COMMANDS else CommandKind.ACTING


Device.model_rebuild()
