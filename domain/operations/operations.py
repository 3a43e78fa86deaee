"""What operators look at: runs of every kind, whom they wait for, and what is repaired by itself (promises 7 and 51)."""

from datetime import timedelta
from enum import StrEnum
from typing import Literal

from domain.base import Frozen, Utc
from domain.errors import Conflict
from domain.runs.kind import WaitsFor
from domain.runs.transition import Transition

RunName = Literal[
    "activation", "firmware", "placement", "purchase", "invoice_payment", "invitation", "case"
]
"""The kinds of runs that operators see, by the name of their record."""

STUCK_AFTER = timedelta(minutes=10)
"""A run that has not moved for so long, and waits for no person, is stuck (promise 51)."""

MANY_TRIES = 3
"""An activity that has been tried more often than this is shown."""

OUTCOME_UNKNOWN_AFTER = timedelta(minutes=15)
"""Longer than any effect is tried: one without an outcome then is shown."""

UNDELIVERED_AFTER = timedelta(seconds=15)
"""The relay looks every two seconds: a log that still waits then has been passed over."""


class RunList(StrEnum):
    """The lists of the operators' page."""

    ALL = "all"
    OPEN = "open"
    STUCK = "stuck"
    RETRYING = "retrying"
    ATTENTION = "attention"
    ENDED = "ended"


class PendingActivity(Frozen):
    """An activity that Temporal tries again. `failure` holds our own words, never a library's; `request_id` is what the outside
    system calls the request that failed last, where it says so."""

    activity: str
    attempt: int
    failure: str | None = None
    next_at: Utc | None = None
    request_id: str | None = None


class Run(Frozen):
    """One run as operators see it. `subject` is the device key, the code of the business that buys, or the dealer of an
    invitation."""

    kind: RunName
    id: str
    version: int
    state: str
    outcome: str | None
    waits_for: WaitsFor | None
    subject: str
    device_key: str | None
    site: str | None
    dealer_id: str | None
    owner_id: str | None
    partner: str | None
    workflow_id: str
    run_id: str | None
    rev: int
    error: str | None
    error_code: str | None
    next_at: Utc | None
    created_at: Utc
    updated_at: Utc
    ended_at: Utc | None
    pending: tuple[PendingActivity, ...] = ()
    checked_at: Utc | None = None


class Way(Frozen):
    """The steps that a run goes, and why each that was skipped was."""

    plan: tuple[str, ...] = ()
    skipped: dict[str, str] = {}


class Tally(Frozen):
    """How many runs of one kind stand in one state: open ones, or those that ended within a day."""

    kind: RunName
    state: str
    is_open: bool
    count: int


class Orphan(Frozen):
    """A device that is held by a run which is not there any more."""

    id: int
    device_key: str
    kind: str
    flow_id: str
    workflow_id: str
    created_at: Utc


class Undelivered(Frozen):
    """A device's log that no run has been told of yet."""

    id: str
    device_key: str
    type: str
    received_at: Utc


class Repair(StrEnum):
    """What the reconciler puts right by itself."""

    PROJECTION = "projection shown again"
    """The row was not what its run says of itself."""
    UNSEEN = "run shown for the first time"
    """A run that nobody could see."""
    LOST = "run given up"
    """A row whose run is gone."""
    BEGUN = "order taken up again"
    """A placement that no run had taken up, or whose run was gone."""
    VISIT_BEGUN = "visit taken up again"
    """A request for a service visit that no run had taken up."""
    GONE_ON = "run taken up again"
    """Any other that no run had taken up, or whose run was gone."""
    RESERVATION = "reservation released"
    LOG = "device log sent again"
    CLAIM = "claim of a dead process freed"
    INTENT = "outcome of an effect found"
    """An effect of which nobody had noted whether it happened."""


class Pass(Frozen):
    """One round of the reconciler. `failed` names the parts that could not be done."""

    at: Utc
    took_ms: int
    looked: int
    """Runs whose row was compared with what Temporal says of them."""
    asked: int
    """Runs among them that had moved since, and were asked themselves."""
    repaired: dict[Repair, int]
    failed: tuple[str, ...] = ()


class RunStatus(Frozen):
    """What a run says of itself. While `settled` is behind `rev` it is still writing."""

    id: str
    rev: int
    settled: int
    state: str


class Reproject(Frozen):
    """Asks a run to write its row again. `over_rev` and `over_at` name the wrong row that it may replace; a row that
    has changed meanwhile stays. Without them only an older row, or none, is replaced."""

    over_rev: int | None = None
    over_at: Utc | None = None


class TimedTransition(Transition):
    """A change, and how long the state before it had lasted."""

    lasted_ms: int | None


class ThirdParty(Frozen):
    """How an outside system answered one of our processes since that started."""

    system: str
    process: str
    calls: int
    failures: int
    last_ok_at: Utc | None
    last_failed_at: Utc | None
    reason: str | None
    """The kind of the last failure: a status, or the name of an error."""

    @property
    def is_well(self) -> bool:
        if self.last_failed_at is None:
            return True
        return self.last_ok_at is not None and self.last_ok_at > self.last_failed_at


class AlreadyResolved(Conflict):
    code = "already_settled"
    detail = "Somebody has taken care of this run already."


class NothingToResolve(Conflict):
    code = "nothing_to_settle"
    detail = "This run needs no attention."


class StillOpen(Conflict):
    """A run that goes on is settled by what is done about it, not by a note."""

    code = "run_still_open"
    detail = "This run is still open. Have it tried again, or say how it was settled."
