"""A simulated device: its traits follow from the digits of its key, its memory from what was done to it.

Any key `<PRODUCT>-<8 digits>` exists. Digits 4-8 are free (100,000 devices of each kind).
`<PRODUCT>-000nnnnn` is a plain new device without any fault. The digits of a device's SIM follow from nothing
that can be seen (`sim_digits`); its page, `/device-cloud/devices/<key>`, is the label inside it.

First digit: where the device stands
    0 new · 1 activated · 2 installed and in service mode · 3 paused and in service mode
    4 installed and locked: checks are refused, 'device is not currently in Service Mode'
    5 new; its first command is accepted and never answered
    6 new; refused to Canadian users · 7 new; the first two requests about it answer 503
    8 blocked: every request is refused, 403 · 9 unknown device, 404

Second digit: what it carries
    0 firmware up to date · 1 main firmware waiting · 2 main waiting, keylocker present
    3 main and kl1 waiting · 4 only kl1 waiting · 5 keylocker, all up to date
    6 live plan and known vehicle · 7 known vehicle · 8 main waiting, low battery, weak signal
    9 no controller reported

Third digit: how it fails
    0 not at all · 1 slow: answers after `slow_seconds`, logs five times later
    2 offline for `offline_seconds` from its first command on (409 device_offline), then online for good
    3 lost replies: the first request of each changing operation does its work and answers 504
    4 each log comes twice · 5 logs come out of order (a newer one before an older one)
    6 commands are refused · 7 the first two C42 fail · 8 the first two R42 fail
    9 the version is unchanged after every good R42

Digits 4 to 6 `990`, else free: how it fails to be configured, by the seventh
    0 one write of option tables is refused for its special rows, whatever it holds
    1 every write is · 2 the keylocker refuses the secondary pin · 3 it refuses both pins
    4 toggles are refused · 5 a swap is refused · 6 the hardwired mode is refused
    7 option tables take `slow_seconds` · 8 dead SIM: no command is ever answered
    9 linking an installer is refused

Digits 4 to 6 `991`, else free: how it refuses plans, by the seventh: 0 always, else so many times

Last digit: controller (0-7: one of the eight with option tables; 8, 9: another), battery and signal.

Serial numbers as real ones are, opaque: any `24<A to M><8 digits>` exists too. The letter stands for the product (A FT-XC,
B FT-X1MAX, C FT-X1R, D FT-X1S, E FT-X1, F FT-X2I, G FT-X2, H DR6400, I DR5400, J DR3400, K DR3300, L DR3100R, M DR3100), the
digits mean what they mean above. Others are numbers alone, as an IMEI is: any `352099<8 digits><check digit>` is an FT-X1.
"""

import hmac
import re
import time
from typing import Any

from pydantic import BaseModel

from simulators.refusal import Refusal

_KEY = re.compile(
    r"^(FT-XC|FT-X1MAX|FT-X1R|FT-X1S|FT-X1|FT-X2I|FT-X2"
    r"|DR6400|DR5400|DR3400|DR3300|DR3100R|DR3100)-(\d{8})$"
)

_OPAQUE = re.compile(r"^24([A-M])(\d{8})$")

_NUMBER = re.compile(r"^352099(\d{8})\d$")

_PRODUCTS = [
    "ft-xc",
    "ft-x1max",
    "ft-x1r",
    "ft-x1s",
    "ft-x1",
    "ft-x2i",
    "ft-x2",
    "dr6400",
    "dr5400",
    "dr3400",
    "dr3300",
    "dr3100r",
    "dr3100",
]

CONTROLLERS = (
    "FT-7000AS",
    "FT-7200S",
    "CM900AS",
    "CM900S",
    "CM2400",
    "CM2500",
    "CM7300",
    "CMX",
    "CM6000",
    "CM6000",
)

_ALWAYS = 1_000_000

_MAKERS_SECRET = b"which SIM was put into which device"

NEWEST = {"main": "1.5.0", "kl1": "2.1.0"}

VEHICLE = {
    "year": 2022,
    "make_id": 448,
    "make": "Toyota",
    "model_id": 2469,
    "model": "Camry",
}


class SimulatedDevice(BaseModel):
    """Everything the simulator remembers of one device; kept as JSON in the state file."""

    device_key: str
    product_name: str
    iccid_last_digits: str
    device_state: str = "new"
    service_mode: bool = False
    plan: str | None = None
    plan_ends_at: str | None = None
    plan_reference: str | None = None
    plan_suspended: bool = False
    vehicle: dict[str, Any] | None = None
    controller_model: str | None = "Controller"
    controller: str | None = None
    keylocker: dict[str, Any] | None = None
    battery_volts: float = 12.6
    signal_dbm: int = -71
    firmware: dict[str, str] = {}
    offered: dict[str, str] = {}
    downloaded: dict[str, str] = {}
    replaced_by: str | None = None
    owner_dealer_id: str | None = None
    options: dict[str, dict[str, int]] = {}
    features: dict[str, bool] = {}
    pins: dict[str, dict[str, Any]] = {}
    hardwired: dict[str, str] = {}
    installers: dict[str, str | None] = {}
    pairing_resets: int = 0

    unknown: bool = False
    blocked: bool = False
    service_locked: bool = False
    refused_to_canadians: bool = False
    outages: int = 0
    slow: bool = False
    answer_seconds: float | None = None
    offline_on_contact: bool = False
    offline_until: float = 0.0
    updating_until: float = 0.0
    loses_first_replies: bool = False
    replies_lost: list[str] = []
    lose_replies: int = 0
    duplicate_logs: bool = False
    tells_progress: bool = False
    out_of_order_logs: bool = False
    refuse_commands: bool = False
    refuse_install: bool = False
    silent_commands: int = 0
    c42_failures: int = 0
    r42_failures: int = 0
    failing_part: str | None = None
    stuck_updates: int = 0
    lost_downloads: int = 0
    special_refusals: int = 0
    slow_tables: bool = False
    refuse_secondary_pin: bool = False
    refuse_pins: bool = False
    refuse_features: bool = False
    refuse_swap: bool = False
    refuse_hardwire: bool = False
    refuse_link: bool = False
    plan_refusals: int = 0
    sim_retired: bool = False

    def is_slow(self, operation: str) -> bool:
        """Whether a request takes `slow_seconds`."""
        return self.slow or (self.slow_tables and "option-tables" in operation)

    def reach(self, *, asked: bool = True) -> None:
        """Raises Refusal while nothing can be written to it. What the device need not be `asked` for waits at the network
        while it is offline."""
        if asked and self.offline_until > time.time():
            raise Refusal(409, "device_offline", "The device is offline.")
        if self.updating_until > time.time():
            raise Refusal(409, "device_updating", "The device is installing its firmware.")

    def offers(self) -> dict[str, str]:
        """Target → version of each update that is waiting."""
        return {t: v for t, v in self.offered.items() if self.firmware.get(t) not in (None, v)}

    def described(self) -> dict[str, Any]:
        """The device in the device network's own words."""
        keylocker = self.keylocker
        if keylocker is not None:
            keylocker = {**keylocker, "version": self.firmware.get("kl1")}
        return {
            "device_key": self.device_key,
            "product_name": self.product_name,
            "iccid_last_digits": self.iccid_last_digits,
            "device_state": self.device_state,
            "service_mode": self.service_mode,
            "plan": self.plan,
            "controller_model": self.controller_model,
            "controller": self.controller,
            "firmware_version": self.firmware["main"],
            "keylocker": keylocker,
            "hardwired": self.hardwired or None,
            "is_keylocker_present": keylocker is not None,
            "vehicle": self.vehicle,
            "owner_dealer_id": self.owner_dealer_id,
        }


def device_from_digits(device_key: str) -> SimulatedDevice | None:
    """The device as it left the factory, or None for a key that is not well formed."""
    if match := _KEY.match(device_key):
        product, serial = match[1].lower(), match[2]
    elif match := _OPAQUE.match(device_key):
        product, serial = _PRODUCTS["ABCDEFGHIJKLM".index(match[1])], match[2]
    elif (match := _NUMBER.match(device_key)) and _is_checked(device_key):
        product, serial = "ft-x1", match[1]
    else:
        return None
    stand, cargo, fault, last = int(serial[0]), int(serial[1]), int(serial[2]), int(serial[7])
    device = SimulatedDevice(
        device_key=device_key,
        product_name=product,
        iccid_last_digits=sim_digits(device_key),
        controller=None if product.startswith("dr") else CONTROLLERS[last],
        battery_volts=round(12.1 + last / 10, 1),
        signal_dbm=-60 - 3 * last,
    )
    _set_stand(device, stand)
    _set_cargo(device, cargo, last)
    _set_fault(device, fault)
    if serial[3:6] == "990":
        _set_configuring_fault(device, int(serial[6]))
    if serial[3:6] == "991":
        device.plan_refusals = int(serial[6]) or _ALWAYS
    return device


def _is_checked(number: str) -> bool:
    """Whether the last digit is an IMEI's check digit (Luhn)."""
    doubled = [int(sign) * (1 + place % 2) for place, sign in enumerate(reversed(number))]
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0


def sim_digits(device_key: str) -> str:
    """The last five digits of the SIM, as a label inside the device says. Without the makers' secret nobody works them out
    from the serial number."""
    digest = hmac.digest(_MAKERS_SECRET, device_key.encode(), "sha256")
    return f"{int.from_bytes(digest) % 100_000:05d}"


def _set_stand(device: SimulatedDevice, digit: int) -> None:
    states = {1: "activated", 2: "installed", 3: "paused", 4: "installed"}
    device.device_state = states.get(digit, "new")
    device.service_mode = digit in (2, 3)
    device.service_locked = digit == 4
    device.silent_commands = 1 if digit == 5 else 0
    device.refused_to_canadians = digit == 6
    device.outages = 2 if digit == 7 else 0
    device.blocked = digit == 8
    device.unknown = digit == 9


def _set_cargo(device: SimulatedDevice, digit: int, last: int) -> None:
    old = {"main": f"1.4.{last}", "kl1": f"2.0.{last}"}
    waiting = {1: ("main",), 2: ("main",), 3: ("main", "kl1"), 4: ("kl1",), 8: ("main",)}
    device.offered = dict(NEWEST)
    device.firmware = {"main": NEWEST["main"]}
    if digit in (2, 3, 4, 5):
        device.keylocker = {
            "mode": "add-on",
            "key_present": True,
            "roof_locked": True,
            "roof_open": False,
        }
        device.firmware["kl1"] = NEWEST["kl1"]
    device.firmware |= {target: old[target] for target in waiting.get(digit, ())}
    if digit == 6:
        device.plan = "premium-1-year"
    if digit in (6, 7):
        device.vehicle = dict(VEHICLE)
    if digit == 8:
        device.battery_volts, device.signal_dbm = 10.4, -113
    if digit == 9:
        device.controller = device.controller_model = None


def _set_fault(device: SimulatedDevice, digit: int) -> None:
    device.slow = digit == 1
    device.offline_on_contact = digit == 2
    device.loses_first_replies = digit == 3
    device.duplicate_logs = digit == 4
    device.out_of_order_logs = digit == 5
    device.refuse_commands = digit == 6
    device.c42_failures = 2 if digit == 7 else 0
    device.r42_failures = 2 if digit == 8 else 0
    device.stuck_updates = _ALWAYS if digit == 9 else 0


def _set_configuring_fault(device: SimulatedDevice, digit: int) -> None:
    device.special_refusals = {0: 1, 1: _ALWAYS}.get(digit, 0)
    device.refuse_secondary_pin = digit == 2
    device.refuse_pins = digit == 3
    device.refuse_features = digit == 4
    device.refuse_swap = digit == 5
    device.refuse_hardwire = digit == 6
    device.slow_tables = digit == 7
    device.silent_commands = _ALWAYS if digit == 8 else device.silent_commands
    device.refuse_link = digit == 9
