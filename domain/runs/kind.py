"""What a kind of run is: one record says all that the rest of the portal has to know of it.

The records themselves stand in `domain/kinds.py` (decision 41). Whatever differs between kinds and is not the order
of their steps is read from there: by the workflows (`workflows/run.py`), the rows, the calls, the reconciler, the
operators' page, the browser's words and the documents (`python -m dev.generated`).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel

from domain.base import Frozen
from domain.errors import PortalError

Transitions = Mapping[str, Mapping[str, str]]
"""State → event → state."""

Row = Literal["flow", "invitation", "own"]
"""Where a run is shown: in the common table, in the invitations', or in one that only its own area reads."""

Start = TypeVar("Start")


class WaitsFor(StrEnum):
    """Whose turn it is in a run that is open."""

    PERSON = "person"
    DEVICE = "device"
    CLOCK = "clock"
    """A time that the run itself chose; `next_at` says which."""
    PORTAL = "portal"


TURN_WORDS: Mapping[WaitsFor, str] = {
    WaitsFor.PERSON: "a person",
    WaitsFor.DEVICE: "the device",
    WaitsFor.CLOCK: "its time",
    WaitsFor.PORTAL: "the portal",
}
"""For operators."""


LOST = "LOST"
"""The event of a row whose run is gone."""

LOST_NOTE = "The run was ended from outside; it can be begun anew."
LOST_WITH_MONEY = (
    "The run was ended from outside. We look after what was paid; please do not pay again."
)


class Refusal(Frozen):
    """What somebody is told whose command has no effect. `code` is stable within a kind of run."""

    status: int
    code: str
    detail: str

    @classmethod
    def of(cls, error: type[PortalError]) -> "Refusal":
        return cls(status=error.status, code=error.code, detail=error.detail)


class TooLate(Frozen):
    """Words of its own for one event, once the run has come to one of these states."""

    refusal: Refusal
    states: frozenset[str]


class Subject(Frozen):
    """Whom and what a run is about: its row and its search attributes name them."""

    site: str
    dealer_id: str | None = None
    person_id: str | None = None
    partner: str | None = None
    device_key: str | None = None
    number: str | None = None
    """Of the order, as people say it."""


@dataclass(frozen=True, kw_only=True)
class RunKind(Generic[Start]):
    """One kind of run.

    `versions` are its tables of transitions; a run keeps the one that it was begun with. `asks` are the events that come
    from people. `not_now` refuses what is asked at the wrong point, `over` what is asked of a run that has ended,
    `too_late` has single events with words of their own, `refuses` what a run says beside that. `turns` says whom a state
    waits for; any other waits for the portal itself. `lost` is where a row is put whose run is gone, `lost_view` what it
    says then, and `lost_note` why. `snapshot`: a part of the view is kept apart, as it never changes.
    """

    name: str
    workflow: str
    """Temporal's name of the type."""
    word: str
    """For operators."""
    does: str
    """One sentence, for the documents."""
    begins: str
    versions: Mapping[int, Transitions]
    labels: Mapping[str, str]
    asks: tuple[str, ...]
    commands: Mapping[str, str] = field(default_factory=dict[str, str])
    """Temporal's name of an update → the event that it asks for."""
    id_prefix: str
    id_of: Callable[[Start], str]
    about: Callable[[Start], Subject]
    summary: Callable[[Start], str]
    """The one line of a run in Temporal's own page; no name, address or number of a person."""
    not_now: Refusal
    over: Refusal
    too_late: Mapping[str, TooLate] = field(default_factory=dict[str, TooLate])
    refuses: tuple[Refusal, ...] = ()
    turns: Mapping[WaitsFor, tuple[str, ...]] = field(
        default_factory=dict[WaitsFor, tuple[str, ...]]
    )
    """A state that begins with `*` stands for all that end so."""
    persons: tuple[str, ...] = ()
    """Whatever the state is, one that allows one of these events waits for a person."""
    row: Row = "own"
    lost: str | None = None
    lost_note: str = LOST_NOTE
    lost_view: Mapping[str, Any] = field(default_factory=dict[str, Any])
    lost_outcome: Callable[[Mapping[str, Any]], str] | None = None
    """How the view that a lost run left has it end, where that is not always as `lost`."""
    view: type[BaseModel] | None = None
    snapshot: bool = False

    @property
    def latest(self) -> int:
        return max(self.versions)

    def allowed(self, state: str, version: int | None = None) -> tuple[str, ...]:
        """What a person may ask in this state, by the tables alone."""
        table = self.versions[version or self.latest]
        return tuple(event for event in self.asks if event in table[state])

    def refusal(self, event: str, state: str) -> Refusal:
        """Why `event` has no effect in this state."""
        late = self.too_late.get(event)
        if late is not None and state in late.states:
            return late.refusal
        return self.over if self.has_ended(state) else self.not_now

    def closed(self, event: str, state: str) -> Refusal:
        """What is told of a run that is over, or gone, when `event` is asked of it."""
        late = self.too_late.get(event)
        return late.refusal if late is not None and state in late.states else self.over

    def seen_lost(self, view: Mapping[str, Any]) -> dict[str, Any]:
        """What is other in the view once its run is gone."""
        ended = {"outcome": self.lost_outcome(view)} if self.lost_outcome else {}
        return {**self.lost_view, **ended}

    def refusals(self) -> Iterator[Refusal]:
        """All that it may say, each code once."""
        said = [self.not_now, self.over, *(late.refusal for late in self.too_late.values())]
        yield from {refusal.code: refusal for refusal in (*self.refuses, *said)}.values()

    def has_ended(self, state: str) -> bool:
        """Whether no version leads out of it."""
        return not any(states.get(state) for states in self.versions.values())

    def waits_for(self, state: str, allowed: tuple[str, ...] = ()) -> WaitsFor:
        """Whose turn it is in an open run."""
        if any(event in allowed for event in self.persons):
            return WaitsFor.PERSON
        found = (turn for turn, states in self.turns.items() if _is_among(state, states))
        return next(found, WaitsFor.PORTAL)

    def workflow_id(self, start: Start) -> str:
        """A natural key that never leaves the server."""
        return f"{self.id_prefix}-{self.id_of(start)}"

    def attributes(self, start: Start) -> dict[str, str]:
        """Search attributes that a run is begun with, by whomever: name → keyword."""
        about = self.about(start)
        named = {
            "FlowKind": self.name,
            "FlowStep": self.begins,
            "Site": about.site,
            "DealerId": about.dealer_id,
            "InstallerId": about.person_id,
            "BpCode": about.partner,
            "DeviceKey": about.device_key,
            "Number": about.number,
        }
        return {name: value for name, value in named.items() if value is not None}


def _is_among(state: str, states: tuple[str, ...]) -> bool:
    return any(state.endswith(one[1:]) if one.startswith("*") else state == one for one in states)
