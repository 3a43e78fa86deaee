"""Activations: start or resume, the lists, and a look at one (devices spec 4; rulings "Calls")."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, StrictBool

from api.activation.start import Opening, StartAccepted, open_as_guest, open_as_person
from api.platform.border.queries import counted, or_default
from api.platform.deps import Caller, PortalDep, SignedIn, language_of
from api.platform.idempotency import claimed
from api.platform.paging import from_cursor, to_cursor
from api.runs.flow_answers import (
    ActivationAnswer,
    ActivationSummary,
    StartedActivation,
    Transitions,
    summary_of,
)
from api.runs.flows import FlowId, authorize_run, look_at_run, who_could_go_on
from api.runs.messages import ANSWERS, RequiredKey
from db.base import plain_reading, reading
from db.identity.people import colleagues_of
from db.runs import flows
from domain.base import Body
from domain.contact import Email
from domain.devices.activation_type import ActivationType
from domain.devices.devices import DeviceKey, IccidDigits, parse_device_key
from domain.identity.people import purchasing_rights

router = APIRouter(prefix="/v1/activations", tags=["activation"])


class StartActivation(Body):
    device_key: DeviceKey
    iccid_last_digits: IccidDigits | None = None
    type: ActivationType
    advanced: StrictBool = False
    consumer_email: Email | None = None


class ActivationsPage(BaseModel):
    results: list[ActivationSummary]
    count: int
    end_cursor: str | None


class Colleague(BaseModel):
    """`may_buy`: they may buy a plan for the device."""

    id: str
    name: str
    may_buy: bool


class Colleagues(BaseModel):
    results: list[Colleague]


@router.post(
    "", response_model=StartedActivation, responses=ANSWERS | {202: {"model": StartAccepted}}
)
async def start_activation(
    request: Request, portal: PortalDep, actor: Caller, body: StartActivation, key: RequiredKey
) -> Response:
    """Start the activation of a device, or go on with the one that is under way.

    A guest proves possession by device key and ICCID digits, and gets a `resume_token`; such an answer is not kept.
    """
    opening = Opening(
        **body.model_dump(exclude={"device_key"}),
        device_key=parse_device_key(body.device_key),
        language=language_of(request, actor.user),
    )
    if actor.user is None:
        status, answer = await open_as_guest(request, portal, actor, opening, key)
        return Response(answer.model_dump_json(), status, media_type="application/json")

    async with claimed(portal.sessions, actor, key, "start_activation", body, joins=True) as held:
        if held.replayed is not None:
            return held.replayed
        return await held.answer(*await open_as_person(portal, actor, opening, key))


@router.get("")
async def list_activations(
    portal: PortalDep,
    actor: SignedIn,
    scope: Annotated[Literal["mine", "dealer"], or_default("mine")] = "mine",
    state: Annotated[Literal["open", "ended"], or_default("open")] = "open",
    limit: Annotated[int, Query(ge=1, le=100), counted(10, most=100)] = 10,
    cursor: Annotated[str | None, Query(max_length=200)] = None,
) -> ActivationsPage:
    """One's own activations, or all of one's dealer, newest change first."""
    dealer_id = actor.dealer_id if scope == "dealer" else None
    if scope == "dealer" and dealer_id is None:
        return ActivationsPage(results=[], count=0, end_cursor=None)
    whose: dict[str, Any] = {
        "dealer_id": dealer_id,
        "owner_id": actor.person.id if scope == "mine" else None,
        "ended": state == "ended",
    }
    async with reading(portal.sessions) as session:
        count = await flows.count_flows(session, "activation", **whose)
        found = await flows.list_flows(
            session,
            "activation",
            **whose,
            limit=limit + 1,
            before=from_cursor(cursor) if cursor else None,
        )
    shown = found[:limit]
    more = len(found) > limit
    return ActivationsPage(
        results=[summary_of(flow) for flow in shown],
        count=count,
        end_cursor=to_cursor(shown[-1].updated_at, shown[-1].id) if more else None,
    )


@router.get("/{id}", response_model=ActivationAnswer)
async def get_activation(portal: PortalDep, actor: Caller, id: FlowId) -> Response:
    """The activation as it stands."""
    async with plain_reading(portal.sessions) as connection:
        answer = await look_at_run(connection, actor, "activation", id)
    return Response(answer.model_dump_json(), media_type="application/json")


@router.get("/{id}/transitions")
async def list_activation_transitions(
    portal: PortalDep,
    actor: Caller,
    id: FlowId,
    after: Annotated[int, Query(ge=-1, le=1_000_000), counted(-1, least=-1, most=1_000_000)] = -1,
    limit: Annotated[int, Query(ge=1, le=100), counted(100, most=100)] = 100,
) -> Transitions:
    """What happened, by whom and when."""
    async with reading(portal.sessions) as session:
        await authorize_run(session, actor, "activation", id)
        moves = await flows.transitions_of(session, id, after=after, limit=limit)
    return Transitions(results=list(moves))


@router.get("/{id}/colleagues")
async def list_activation_colleagues(portal: PortalDep, actor: SignedIn, id: FlowId) -> Colleagues:
    """Whom the activation can be handed over to: the dealer's people who are not retired, without its owner; of a service
    visit, whom the owner of the device lets in too."""
    async with reading(portal.sessions) as session:
        owner = await authorize_run(session, actor, "activation", id)
        people = await colleagues_of(session, owner.dealer_id) if owner.dealer_id else ()
        people = await who_could_go_on(session, owner, people)
    return Colleagues(
        results=[
            Colleague(id=person.id, name=person.name, may_buy=purchasing_rights(person))
            for person in people
            if person.id != owner.owner_id and not person.is_retired
        ]
    )
