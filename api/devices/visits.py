"""Service visits at foreign devices: asking, answering, ending (rulings "Later rulings"; decision 40)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

import structlog
from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, Field
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError

from api.devices.holder import proving
from api.devices.ownership import known_facts
from api.platform.border.queries import counted, or_default
from api.platform.deps import Portal, PortalDep, SignedIn
from api.platform.idempotency import answer_once
from api.platform.paging import from_cursor, to_cursor
from api.platform.schemas import PathId
from api.platform.throttling.mails import MailTries
from api.runs.command import Command
from api.runs.messages import NotTaken, RequiredKey, update_id_of, update_run, within_deadline
from db.base import Executes, plain_reading, reading
from db.devices import visits
from db.identity.people import find_user
from db.operations.audit import Outcome, record_by
from db.partner_tables import name_of_dealer
from db.platform.clock import database_now
from domain.base import Body, Utc
from domain.devices.devices import DeviceKey, UnknownDevice, parse_device_key
from domain.devices.ownership import Ownership, Party, asker_of, owner_of, whose_device
from domain.devices.visits import (
    Event,
    NobodysDevice,
    OwnDevice,
    Visit,
    VisitAnswered,
    VisitEnded,
    VisitMessage,
    VisitStart,
    VisitState,
    asked_visit,
    is_same_owner,
    may_answer,
    shown_state,
)
from domain.errors import Forbidden, NotFound, Unavailable
from domain.identity.people import Actor
from domain.kinds import VISIT
from domain.runs.access import may_access
from domain.runs.projection import RunOwner
from providers.errors import Refused
from workflows import ids
from workflows.client import begin_or_join
from workflows.visit import VisitWorkflow

router = APIRouter(prefix="/v1/visits", tags=["visits"])
log = structlog.stdlib.get_logger()

_SAID: Mapping[Event, str] = {"PERMIT": "yes", "REFUSE": "no", "END": "end"}
"""How an event is named in the id of its message."""

VisitId = PathId


class AskVisit(Body):
    """`iccid_last_digits` prove that the device is in hand, as for guests."""

    device_key: DeviceKey
    iccid_last_digits: Annotated[str, Field(pattern=r"^[0-9]{5}$")]
    reason: Annotated[str, Field(min_length=1, max_length=300)]


class Answer(Body):
    answer: Literal["yes", "no"]


class ShownVisit(BaseModel):
    """`mine`: the caller asked for it; else the caller's business was asked. Who owns the device is told to nobody.

    `expires_at` is when an unanswered request lapses, or a permitted visit ends.
    """

    id: str
    device_key: str
    mine: bool
    state: VisitState
    visitor: str
    business: str
    reason: str
    answered_by: str | None
    asked_at: Utc
    expires_at: Utc
    ended_at: Utc | None


class Visits(BaseModel):
    """`counts` are of all of that side, whatever state is asked for; with the first page."""

    results: list[ShownVisit]
    counts: dict[VisitState, int] | None
    end_cursor: str | None


class VisitCommand(Command[Visit]):
    kind = "visit"
    audits_address = True

    async def find_run(self, connection: Executes) -> Visit:
        return await _authorize(connection, self.actor, self.id)

    def ask(self, event: Event) -> VisitMessage:
        return VisitMessage(event=event, person_id=self.actor.person.id)

    async def permission(self) -> VisitMessage:
        """Raises VisitEnded for a device that has become another's meanwhile: it is not the old owner's to open."""
        visit = await self.run()
        network_owner = await self.portal.device_cloud.owner(visit.device_key)
        facts = (await known_facts(self.portal, visit.device_key)).with_network_owner(network_owner)
        owner = owner_of(facts)
        if owner is None or not is_same_owner(owner, visit.owner):
            raise VisitEnded
        return self.ask("PERMIT")

    async def deliver(self, run: Visit, update: Any, message: BaseModel) -> tuple[int, BaseModel]:
        """Raises VisitAnswered, VisitEnded, or Unavailable when the outcome takes longer."""
        assert isinstance(message, VisitMessage)
        said = f"{self.key} {run.id} {_SAID[message.event]}"
        try:
            await update_run(
                self.portal,
                run.workflow_id,
                update,
                message,
                update_id=update_id_of(self.actor, said),
            )
        except NotTaken as refusal:
            if refusal.gone:
                raise await _without_run(self.portal, run.id, message.event) from None
            raise (VisitAnswered if refusal.code == VisitAnswered.code else VisitEnded) from None
        async with reading(self.portal.sessions) as session:
            stands = await visits.find_visit(session, run.id)
        return 200, await _shown(self.portal, self.actor, stands or run)


async def visit_command(
    request: Request, portal: PortalDep, actor: SignedIn, id: VisitId, key: RequiredKey
) -> VisitCommand:
    return VisitCommand(request, portal, actor, id, key)


OnVisit = Annotated[VisitCommand, Depends(visit_command)]


@router.post("", response_model=ShownVisit)
async def ask_visit(
    body: AskVisit, request: Request, actor: SignedIn, portal: PortalDep, key: RequiredKey
) -> Response:
    """Asks whoever owns the device. Without the proof every device looks as if it did not exist.

    One that is open already is answered again. Raises UnknownDevice, Throttled, OwnDevice, NobodysDevice.
    """
    dealer_id = actor.dealer_id
    if dealer_id is None:
        raise Forbidden

    async def work() -> tuple[int, ShownVisit]:
        owner = await _foreign_owner(request, portal, actor, body)
        await MailTries(portal.sessions).count_visiting(actor.person.id)
        visit = await _store(portal, actor, dealer_id, owner, body, key)
        return 200, await _shown(portal, actor, visit)

    return await answer_once(portal.sessions, actor, key, "ask_visit", body, work)


@router.get("")
async def list_visits(
    actor: SignedIn,
    portal: PortalDep,
    of: Annotated[Literal["mine", "ours"], or_default("ours")] = "ours",
    state: Annotated[VisitState | None, or_default(None)] = None,
    limit: Annotated[int, Query(ge=1, le=100), counted(20, most=100)] = 20,
    cursor: Annotated[str | None, Query(max_length=200)] = None,
) -> Visits:
    """`mine` are those that the caller asked for, `ours` those that the caller's business was asked for; newest first."""
    asker, ours = asker_of(actor), of == "ours"
    async with reading(portal.sessions) as session:
        now = await database_now(session)
        counts = (
            None if cursor else await visits.count_visits(session, asker, asked_of_us=ours, now=now)
        )
        found = await visits.visits_of(
            session,
            asker,
            asked_of_us=ours,
            limit=limit + 1,
            before=from_cursor(cursor) if cursor else None,
            state=state,
            now=now,
        )
        page = found[:limit]
        done = await visits.done_visits(session, [visit.id for visit in page])
        names: dict[str, str] = {}
        if ours:
            for person_id in {visit.answered_by for visit in page if visit.answered_by}:
                person = await find_user(session, person_id)
                names[person_id] = person.name if person else ""
    more = len(found) > limit
    return Visits(
        results=[_view(actor, visit, now, visit.id in done, names) for visit in page],
        counts=counts,
        end_cursor=to_cursor(page[-1].asked_at, page[-1].id) if more else None,
    )


@router.get("/{id}")
async def get_visit(id: VisitId, actor: SignedIn, portal: PortalDep) -> ShownVisit:
    """For the visitor and for the people of whoever was asked."""
    async with plain_reading(portal.sessions) as connection:
        visit = await _authorize(connection, actor, id)
    return await _shown(portal, actor, visit)


@router.post("/{id}/answer", response_model=ShownVisit)
async def answer_visit(command: OnVisit, body: Answer) -> Response:
    """Yes for this visit alone, or no. The first answer counts. Raises VisitAnswered, VisitEnded."""
    if not may_answer(asker_of(command.actor), await command.run()):
        raise NotFound
    if body.answer == "yes":
        return await command.send(
            VisitWorkflow.answer, command.permission(), body, audit="permitted a visit"
        )
    return await command.send(
        VisitWorkflow.answer, command.ask("REFUSE"), body, audit="refused a visit"
    )


@router.post("/{id}/end", response_model=ShownVisit)
async def end_visit(command: OnVisit) -> Response:
    """Ends a visit, with the visitor's activation of the device, or takes a request back. Raises VisitEnded."""
    return await command.send(VisitWorkflow.answer, command.ask("END"), None, audit="ended a visit")


async def _foreign_owner(request: Request, portal: Portal, actor: Actor, body: AskVisit) -> Party:
    """Whose the device is, once possession is proven. What the device network refuses looks like a wrong digit."""
    device_key, digits = parse_device_key(body.device_key), body.iccid_last_digits
    async with proving(request, portal, actor, device_key, digits):
        try:
            device = await portal.device_cloud.device(device_key)
        except Refused:
            raise UnknownDevice from None
        if device.iccid_last_digits != digits:
            raise UnknownDevice
    facts = (await known_facts(portal, device_key)).with_network_owner(device.owner_dealer_id)
    owner = owner_of(facts)
    if owner is None:
        raise NobodysDevice
    if whose_device(asker_of(actor), facts) is Ownership.OWN:
        raise OwnDevice
    return owner


async def _store(
    portal: Portal, actor: Actor, dealer_id: str, owner: Party, body: AskVisit, key: str
) -> Visit:
    """The row first: what a crash leaves without a run is begun by the reconciler."""
    visit_id = update_id_of(actor, key)[:32]
    async with portal.sessions.begin() as session:
        now = await database_now(session)
        start = VisitStart(
            id=visit_id,
            device_key=parse_device_key(body.device_key),
            visitor_id=actor.person.id,
            visitor_dealer_id=dealer_id,
            owner=owner,
            site=actor.site.code,
            expires_at=now + portal.visit_policy.answer,
            portal_url=portal.url_of(actor.site),
            policy=portal.visit_policy,
        )
        asked = asked_visit(
            start,
            workflow_id=ids.visit_id(visit_id),
            visitor_name=actor.person.name,
            visitor_business=await name_of_dealer(session, dealer_id),
            reason=body.reason,
            at=now,
        )
        visit = await visits.ask_visit(session, asked, start)
        if visit.id == visit_id:
            await record_by(
                session,
                actor,
                "asked for a visit",
                on=("visit", visit_id),
                more={"device_key": start.device_key},
            )
    if visit.id == visit_id:
        await _begin(portal, start)
    return visit


async def _begin(portal: Portal, start: VisitStart) -> None:
    """Begun once. While Temporal is away the request is kept all the same."""
    try:
        await within_deadline(
            lambda: begin_or_join(portal.temporal, VISIT, start, task_queue=portal.task_queue)
        )
    except WorkflowAlreadyStartedError:
        return
    except (RPCError, RuntimeError, TimeoutError) as error:
        log.warning("a visit was not begun", kind=type(error).__name__, visit=start.id)


async def _without_run(
    portal: Portal, visit_id: str, event: Event
) -> VisitAnswered | VisitEnded | Unavailable:
    """A run that is over, or gone, or that is to begin: the reconciler is about to end the visit, or to begin the run."""
    async with reading(portal.sessions) as session:
        visit = await visits.find_visit(session, visit_id)
    if visit is None or visit.ended_at is None:
        return Unavailable(retry_after=2)
    if visit.answered_by is not None and event != "END":
        return VisitAnswered()
    return VisitEnded()


async def _authorize(connection: Executes, actor: Actor, visit_id: str) -> Visit:
    """The caller's own, or one that the caller's business was asked for. Raises NotFound, and records it."""
    visit = await visits.find_visit(connection, visit_id)
    if visit is None:
        raise NotFound
    if may_access(actor, RunOwner(kind="visit", owner_id=visit.visitor_id, asked=visit.owner)):
        return visit
    await record_by(
        connection,
        actor,
        "reached for another's visit",
        outcome=Outcome.REFUSED,
        on=("visit", visit_id),
    )
    raise NotFound


async def _shown(portal: Portal, actor: Actor, visit: Visit) -> ShownVisit:
    async with reading(portal.sessions) as session:
        now = await database_now(session)
        done = await visits.done_visits(session, [visit.id])
        answerer = await find_user(session, visit.answered_by) if visit.answered_by else None
    names = {answerer.id: answerer.name} if answerer else {}
    return _view(actor, visit, now, visit.id in done, names)


def _view(
    actor: Actor, visit: Visit, now: datetime, is_done: bool, names: dict[str, str]
) -> ShownVisit:
    """Of the owner's people the visitor learns nothing, not even who answered."""
    mine = visit.visitor_id == actor.person.id
    return ShownVisit(
        id=visit.id,
        device_key=visit.device_key,
        mine=mine,
        state=shown_state(visit, now=now, done=is_done),
        visitor=visit.visitor_name,
        business=visit.visitor_business,
        reason=visit.reason,
        answered_by=None if mine or visit.answered_by is None else names.get(visit.answered_by),
        asked_at=visit.asked_at,
        expires_at=visit.expires_at,
        ended_at=visit.ended_at,
    )
