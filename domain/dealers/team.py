"""Open activations as those who run a business see them: whose, at which step, idle since when, whom each waits for."""

from datetime import timedelta

from domain.base import Frozen, Utc
from domain.errors import Conflict
from domain.runs.kind import WaitsFor

COUNTED_BACK = timedelta(days=90)
"""The figures of the steps are those of activations that ended since."""


class OpenActivation(Frozen):
    """`idle_since` is its last change. `owner_id` is None for a guest's; `owner_is_gone` says that the owner is retired
    or works elsewhere. `dealer` is the name of the business."""

    id: str
    seq: int
    device_key: str
    product: str | None
    type: str
    state: str
    step: str
    position: int
    total: int
    waits_for: WaitsFor
    owner_id: str | None
    owner: str
    owner_is_gone: bool
    dealer_id: str | None
    dealer: str | None
    idle_since: Utc
    created_at: Utc


class Group(Frozen):
    """How many open activations somebody, a product or a step has. `name` is None for a guest's, or before the product is
    known; `label` is the name of the person."""

    by: str
    name: str | None
    label: str | None
    count: int


class StepFigures(Frozen):
    """One step over many activations: how many came to it, how many were abandoned at it, and how long those that left
    it had been there, in milliseconds."""

    step: str
    reached: int
    lost: int
    median_ms: int
    p95_ms: int


class NotAColleague(Conflict):
    """Nobody who is retired or works elsewhere takes work over, nor whoever has it already."""

    code = "not_a_colleague"
    detail = "Choose a colleague of the same dealer."


class NotLetIn(Conflict):
    """A service visit lets in one person alone."""

    code = "not_let_in"
    detail = "The owner of the device does not let this person in."


class NobodyToRemind(Conflict):
    """A guest's activation has no address; whoever is retired or has left reads no mail of the business."""

    code = "nobody_to_remind"
    detail = "Nobody can be reminded of this activation. Take it over, or hand it to somebody."
