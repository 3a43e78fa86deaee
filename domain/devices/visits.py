"""A service visit: a yes of the owner's for one person's work on one foreign device, once (rulings "Later rulings";
decision 40)."""

from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum
from typing import Literal

from domain.base import Frozen, Utc
from domain.devices.ownership import Asker, DeviceFacts, Party, is_of, owner_of
from domain.errors import Conflict, Gone

Event = Literal["PERMIT", "REFUSE", "END"]


class VisitState(StrEnum):
    WAITING = "waiting"
    PERMITTED = "permitted"
    REFUSED = "refused"
    LAPSED = "lapsed"
    """Nobody answered in time."""
    ENDED = "ended"


WITHOUT_RUN: Mapping[str, VisitState] = {
    VisitState.WAITING: VisitState.LAPSED,
    VisitState.PERMITTED: VisitState.ENDED,
}
"""What becomes of an open visit whose run is gone."""


class VisitPolicy(Frozen):
    """How long an answer is waited for, how long a visit lasts, how often it is looked whether its work is done, and how
    long after its end a run that was just being opened may still appear."""

    answer: timedelta = timedelta(days=3)
    lasts: timedelta = timedelta(hours=24)
    look: timedelta = timedelta(minutes=5)
    late: timedelta = timedelta(minutes=1)


class VisitStart(Frozen):
    """The workflow's input: ids alone, names stay in the row. `expires_at` is when an unanswered request lapses."""

    id: str
    device_key: str
    visitor_id: str
    visitor_dealer_id: str
    owner: Party
    site: str
    expires_at: Utc
    portal_url: str
    policy: VisitPolicy = VisitPolicy()


class VisitMessage(Frozen):
    """An answer, or an end. `person_id` is whose."""

    event: Event
    person_id: str


class VisitReply(Frozen):
    id: str
    state: str


class Visit(Frozen):
    """A visit as the database keeps it."""

    id: str
    workflow_id: str
    device_key: str
    visitor_id: str
    visitor_dealer_id: str
    visitor_name: str
    visitor_business: str
    owner_dealer_id: str | None
    owner_partner_code: str | None
    owner_person_id: str | None
    reason: str
    state: str
    rev: int
    answered_by: str | None
    asked_at: Utc
    expires_at: Utc
    updated_at: Utc
    ended_at: Utc | None

    @property
    def owner(self) -> Party:
        """Whose the device was when it was asked for."""
        return Party(
            dealer_id=self.owner_dealer_id,
            partner_code=self.owner_partner_code,
            person_id=self.owner_person_id,
        )


def asked_visit(
    start: VisitStart,
    *,
    workflow_id: str,
    visitor_name: str,
    visitor_business: str,
    reason: str,
    at: Utc,
) -> Visit:
    """What is kept of a request before its run begins."""
    return Visit(
        id=start.id,
        workflow_id=workflow_id,
        device_key=start.device_key,
        visitor_id=start.visitor_id,
        visitor_dealer_id=start.visitor_dealer_id,
        visitor_name=visitor_name,
        visitor_business=visitor_business,
        owner_dealer_id=start.owner.dealer_id,
        owner_partner_code=start.owner.partner_code,
        owner_person_id=start.owner.person_id,
        reason=reason,
        state=VisitState.WAITING.value,
        rev=0,
        answered_by=None,
        asked_at=at,
        expires_at=start.expires_at,
        updated_at=at,
        ended_at=None,
    )


class OwnDevice(Conflict):
    """Told to whoever has proven possession, as the next one is."""

    code = "own_device"
    detail = "This device belongs to your business. You can work on it without asking."


class NobodysDevice(Conflict):
    code = "nobodys_device"
    detail = "This device belongs to no business. You can work on it without asking."


class VisitAnswered(Conflict):
    code = "visit_answered"
    detail = "This request has been answered already."


class VisitEnded(Gone):
    code = "visit_ended"
    detail = "This visit has ended."


def may_answer(asker: Asker, visit: Visit) -> bool:
    """The people of the business that the device was of when it was asked for."""
    return is_of(asker, visit.owner)


def permits(asker: Asker, facts: DeviceFacts, permitted: tuple[Visit, ...]) -> bool:
    """Whether one of the visits that are permitted now lets this person in. A yes of somebody whose device it is no
    longer permits nothing, nor does one that was given to a person who works elsewhere now."""
    owner = owner_of(facts)
    return owner is not None and any(
        visit.visitor_id == asker.person_id
        and visit.visitor_dealer_id == asker.dealer_id
        and is_same_owner(owner, visit.owner)
        for visit in permitted
    )


def is_same_owner(one: Party, other: Party) -> bool:
    """A business is known by its dealer, else by its code; a person by themselves only where no business is."""
    if one.dealer_id is not None or other.dealer_id is not None:
        return one.dealer_id == other.dealer_id
    if one.partner_code is not None or other.partner_code is not None:
        return one.partner_code == other.partner_code
    return one.person_id == other.person_id


def shown_state(visit: Visit, *, now: Utc, done: bool = False) -> VisitState:
    """What people are shown: a time that is over, or work that is done, counts before its run has noticed.

    `db/devices/visits.py` says it of rows.
    """
    state = VisitState(visit.state)
    if state is VisitState.WAITING and now >= visit.expires_at:
        return VisitState.LAPSED
    if state is VisitState.PERMITTED and (done or now >= visit.expires_at):
        return VisitState.ENDED
    return state
