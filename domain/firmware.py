"""Firmware runs: targets, phases and what a run shows (devices spec 4; phases our choice, decision 6)."""

from datetime import timedelta
from typing import Literal

from domain.base import Frozen, Utc
from domain.devices import DeviceLog, FirmwareOffer, FirmwareTarget

LABELS = {FirmwareTarget.MAIN: "Main device", FirmwareTarget.KL1: "KeyLocker"}
"""`kl1` is displayed as 'KeyLocker' (devices spec 3)."""


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


class FirmwareView(Frozen):
    """Where a firmware run stands. `state` is a key of `domain.flows.firmware_v1.FIRMWARE`."""

    run_id: str
    state: str
    target: FirmwareTarget | None = None
    attempt: int = 0
    attempts: int = 4
    since: Utc
    next_at: Utc | None = None
    error: str | None = None
    targets: tuple[TargetView, ...] = ()
    can_cancel: bool = False
    can_retry: bool = False

    @property
    def ended(self) -> bool:
        return self.state in ENDED


ENDED = frozenset({"done", "failed", "failed_for_good", "cancelled"})
"""States in which nothing more happens unless a person asks for another try."""


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


class FirmwareStart(Frozen):
    """The workflow's input; the target versions are pinned here."""

    run_id: str
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


class FirmwareAsk(Frozen):
    """A person's message to a firmware run."""

    actor_id: str | None
    actor: str
    until: Utc | None = None


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
