"""Firmware runs: targets, phases, weak readings and what a run shows (devices spec 4; the rest our choice, decisions 6
and 18)."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from enum import StrEnum
from typing import Annotated, Any, Literal, cast

from pydantic import StringConstraints, model_validator

from domain.base import Frozen, Utc
from domain.devices.devices import DeviceLog, FirmwareCheck, FirmwareOffer, FirmwareTarget
from domain.errors import Conflict, Gone
from domain.firmware.firmware_v2 import CANCEL, DEFER, OVERRULE, RETRY_NOW
from domain.runs.kind import LOST_NOTE

LABELS = {FirmwareTarget.MAIN: "Main device", FirmwareTarget.KL1: "KeyLocker"}
"""`kl1` is displayed as 'KeyLocker' (devices spec 3)."""


CURRENT_VERSION = 2
"""Of the transitions that new runs take (`domain/firmware/firmware_v2.py`)."""

Reason = Annotated[str, StringConstraints(strip_whitespace=True, min_length=3, max_length=500)]
"""Why a weak reading is overruled, in a person's words."""


class Readings(Frozen):
    """Battery and signal of a device as it last reported them; None where it never did."""

    battery_volts: float | None = None
    signal_dbm: int | None = None


class Weakness(Frozen):
    """One reading below what an update needs. Volts for the battery, dBm for the signal."""

    what: Literal["battery", "signal"]
    reading: float
    least: float


class Overruling(Frozen):
    """An owner let an update go on although readings were weak, and says why."""

    by_id: str | None
    by: str
    reason: str
    at: Utc
    weaknesses: tuple[Weakness, ...] = ()


class TargetView(Frozen):
    """One target on its way from one version to another."""

    target: FirmwareTarget
    label: str
    from_version: str
    to_version: str
    started: bool = False
    downloaded: bool = False
    completed: bool = False
    failed: bool = False
    download_attempts: int = 0
    update_attempts: int = 0


class ErrorFrom(StrEnum):
    """Whose words an error is in."""

    DEVICE = "device"
    NETWORK = "network"


class FirmwareView(Frozen):
    """Where a firmware run stands. `state` is a key of `FIRMWARE` in `domain/firmware/firmware_v<version>.py`.

    `percent` is what the device last said of the present attempt; most devices say nothing.
    """

    run_id: str
    version: int = 1
    device_key: str = ""
    state: str
    target: FirmwareTarget | None = None
    attempt: int = 0
    attempts: int = 4
    since: Utc
    next_at: Utc | None = None
    error: str | None = None
    error_from: ErrorFrom | None = None
    """None: our own words, or nobody noted it."""
    targets: tuple[TargetView, ...] = ()
    percent: int | None = None
    weaknesses: tuple[Weakness, ...] = ()
    overruled: Overruling | None = None
    started_by: str = ""
    started_at: Utc | None = None
    reason: str = ""
    allowed: tuple[str, ...] = ()
    """What a person may ask of it now, as its own answer says it."""
    can_cancel: bool = False
    """This and the next three say `allowed` one by one, to whoever does not know it: a page that was opened before, a
    release that is gone back to."""
    can_retry: bool = False
    can_defer: bool = False
    can_overrule: bool = False

    @property
    def ended(self) -> bool:
        return self.state in ENDED

    @model_validator(mode="before")
    @classmethod
    def _kept_without_allowed(cls, told: object) -> object:
        if not isinstance(told, dict) or "allowed" in told:
            return cast("object", told)
        kept = cast("dict[str, object]", told)
        return kept | {"allowed": tuple(event for flag, event in _ONE_BY_ONE if kept.get(flag))}


_ONE_BY_ONE = (
    ("can_retry", RETRY_NOW),
    ("can_cancel", CANCEL),
    ("can_defer", DEFER),
    ("can_overrule", OVERRULE),
)

ENDED = frozenset({"done", "failed", "failed_for_good", "cancelled"})
"""States in which nothing more happens unless a person asks for another try."""

LOST_STATE = "cancelled"
LOST_VIEW: Mapping[str, Any] = {
    "allowed": (),
    "can_cancel": False,
    "can_retry": False,
    "can_defer": False,
    "can_overrule": False,
    "next_at": None,
    "percent": None,
    "error": LOST_NOTE,
    "error_from": None,
}
"""What is shown of a run that is gone."""


class FirmwarePolicy(Frozen):
    """How long each phase may take and how often it is tried (our choice, decision 6)."""

    attempts: int = 4
    waits: tuple[timedelta, ...] = (
        timedelta(minutes=1),
        timedelta(minutes=5),
        timedelta(minutes=15),
    )
    download: timedelta = timedelta(minutes=15)
    update: timedelta = timedelta(minutes=20)
    offline: timedelta = timedelta(hours=24)
    """How long an unreachable device is waited for before the run fails."""
    offline_poll: timedelta = timedelta(minutes=15)
    """How often an unreachable device is tried again although no log of it has come."""
    failed: timedelta = timedelta(minutes=30)
    """How long a failed run can be tried again before it closes."""
    defer_cap: timedelta = timedelta(days=7)
    least_battery_volts: float = 11.8
    """A device that loses its power while it is written may never start again."""
    least_signal_dbm: int = -105
    weak: timedelta = timedelta(hours=24)
    """How long a device with weak readings is waited for before the run ends."""
    weak_poll: timedelta = timedelta(minutes=15)
    """How often the readings are looked at again although the device reports nothing better."""


class FirmwareStart(Frozen):
    """The workflow's input; the target versions are pinned here.

    `version` picks the transitions: a run keeps those it began with. `readings` are those of the check that found the offers.
    """

    run_id: str
    version: int = 1
    device_key: str
    offers: tuple[FirmwareOffer, ...]
    notify: str | None = None
    """Workflow id of the activation that waits for this run."""
    dealer_id: str | None = None
    owner_id: str | None = None
    owner_name: str = ""
    partner: str | None = None
    site: str = "CA"
    policy: FirmwarePolicy = FirmwarePolicy()
    portal_url: str = ""
    readings: Readings | None = None
    overruling: Overruling | None = None
    reason: str = ""
    """Why it was started, if the person said so."""


class FirmwareMessage(Frozen):
    """A person's message to a firmware run."""

    actor_id: str | None
    actor: str
    acting_for: str | None = None
    until: Utc | None = None
    reason: str = ""


class Attach(Frozen):
    """An activation that came later wants to be told too."""

    notify: str


class FirmwareReply(Frozen):
    run_id: str
    rev: int
    state: str


class Confirmation(Frozen):
    """A log entry that confirms a phase: C42 a download, R42 an update."""

    command: Literal["C42", "R42"]
    ok: bool
    log: DeviceLog


class FirmwareStateConflict(Conflict):
    """Not at this point."""

    code = "step_out_of_order"
    detail = "This is not possible at this point of the update."


class UpdateNotCancellable(Conflict):
    """Half a flash is worse than none."""

    code = "not_cancellable"
    detail = "The update cannot be cancelled once it is being written to the device."


class UpdateEnded(Gone):
    code = "closed"
    detail = "This update has ended."


class UpToDate(Conflict):
    code = "firmware_up_to_date"
    detail = "The firmware is up to date."


class TooWeak(Conflict):
    """Carries the readings. An owner may overrule it by sending a reason."""

    code = "device_too_weak"

    def __init__(self, found: Sequence[Weakness]) -> None:
        super().__init__(
            weak_words(found),
            extra={"weaknesses": [weakness.model_dump(mode="json") for weakness in found]},
        )


def readings_of_check(check: FirmwareCheck) -> Readings:
    return Readings(battery_volts=check.battery_volts, signal_dbm=check.signal_dbm)


def readings_of_log(log: DeviceLog) -> Readings:
    """What one entry of a device's log says of its battery and signal (fields of devices spec 3)."""
    return Readings(
        battery_volts=_number(log.reading.get("backup_battery_voltage")),
        signal_dbm=_whole(log.reading.get("cellular_signal_strength")),
    )


def weaknesses(readings: Readings, policy: FirmwarePolicy) -> tuple[Weakness, ...]:
    """What is too weak for an update, battery first. A reading that nobody has refuses nothing."""
    battery, signal = readings.battery_volts, readings.signal_dbm
    found: list[Weakness] = []
    if battery is not None and battery < policy.least_battery_volts:
        found.append(Weakness(what="battery", reading=battery, least=policy.least_battery_volts))
    if signal is not None and signal < policy.least_signal_dbm:
        found.append(Weakness(what="signal", reading=signal, least=policy.least_signal_dbm))
    return tuple(found)


def is_strong(log: DeviceLog, policy: FirmwarePolicy) -> bool:
    """Whether the entry reports battery and signal, and both suffice."""
    readings = readings_of_log(log)
    known = readings.battery_volts is not None and readings.signal_dbm is not None
    return known and not weaknesses(readings, policy)


def weak_words(found: Sequence[Weakness]) -> str:
    """One sentence for each weak reading."""
    return " ".join(
        f"The backup battery has {weakness.reading:g} V; an update needs at least {weakness.least:g} V."
        if weakness.what == "battery"
        else f"The signal is {weakness.reading:g} dBm; an update needs at least {weakness.least:g} dBm."
        for weakness in found
    )


def percent_of(log: DeviceLog) -> int | None:
    """How far a device says it is with the phase under way, 0 to 100; None for any other entry."""
    percent = _whole(log.reading.get("percent")) if log.type == "firmware" else None
    return percent if percent is not None and 0 <= percent <= 100 else None


def chosen_offers(
    check: FirmwareCheck, targets: Sequence[FirmwareTarget] | None
) -> tuple[FirmwareOffer, ...]:
    """The waiting updates that were asked for, by default all, the main device before the KeyLocker."""
    order = list(FirmwareTarget)
    wanted = [offer for offer in check.offers if targets is None or offer.target in targets]
    return tuple(sorted(wanted, key=lambda offer: order.index(offer.target)))


def _number(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number else None


def _whole(value: Any) -> int | None:
    number = _number(value)
    return None if number is None else round(number)
