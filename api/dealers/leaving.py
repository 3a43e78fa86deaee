"""Hands the open work of one person to another: of somebody who leaves, or has left (devices spec 3)."""

import asyncio

from fastapi import APIRouter, Response
from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from api.dealers.access import DealerId, PersonId, authorize_dealer
from api.platform.deps import Portal, PortalDep, SignedIn, record_now
from api.platform.idempotency import answer_once
from api.runs.flows import authorize_run, check_could_go_on, person_of
from api.runs.messages import RequiredKey, send_command
from db.base import reading
from db.dealers.team import count_work, list_open
from db.identity.people import find_user
from db.runs.flows import find_flow
from domain.activation.activation import ActivationView, HandOver, Person
from domain.base import Body, Frozen
from domain.dealers.team import NotAColleague, OpenActivation
from domain.errors import PortalError
from domain.identity.people import Actor, User
from workflows.activation import ActivationWorkflow

router = APIRouter(prefix="/v1/dealers", tags=["team"])

AT_ONCE = 10
"""Activations that one call hands over: it answers within its time, and is asked again for what is left."""


class HandOverWork(Body):
    """Both are people's ids."""

    from_id: PersonId
    to_id: PersonId


class HandedOver(Frozen):
    """How many were handed over by this call, and how many the first person still has."""

    handed: int
    left: int


@router.post("/{id}/hand-over", response_model=HandedOver)
async def hand_over_open_work(
    portal: PortalDep, actor: SignedIn, id: DealerId, body: HandOverWork, key: RequiredKey
) -> Response:
    """Makes `to_id` the owner of the activations that wait longest at `from_id`, ten in a call; those that somebody else has
    only to pay come back to `to_id`. One that is moved meanwhile is left to the next call. Raises NotFound,
    NotAColleague."""

    async def work() -> tuple[int, BaseModel]:
        async with reading(portal.sessions) as session:
            await authorize_dealer(session, actor, id)
            to = await find_user(session, body.to_id)
            if to is None or to.is_retired or to.dealer_id != id or body.from_id == body.to_id:
                raise NotAColleague
            waiting = await list_open(session, id, work_of=body.from_id, limit=AT_ONCE)
        handed = await asyncio.gather(
            *(_hand(portal, actor, run, body.from_id, to, key) for run in waiting)
        )
        async with reading(portal.sessions) as session:
            left = await count_work(session, id, body.from_id)
        return 200, HandedOver(handed=sum(handed), left=left)

    return await answer_once(portal.sessions, actor, key, f"hand_over_open_work {id}", body, work)


async def _hand(
    portal: Portal, actor: Actor, run: OpenActivation, from_id: str, to: User, key: str
) -> bool:
    """Whether it was handed over; what the run refuses stays where it is."""
    try:
        async with reading(portal.sessions) as session:
            owner = await authorize_run(session, actor, "activation", run.id)
            message, heir = await _message(session, actor, run, from_id, to)
            await check_could_go_on(session, owner, heir, to)
        await send_command(
            portal, owner, ActivationWorkflow.hand_over, message, actor=actor, key=f"{key} {run.id}"
        )
    except PortalError:
        return False
    await record_now(
        portal,
        actor,
        "handed an activation over",
        on=("activation", run.id),
        more={"user_id": to.id},
    )
    return True


async def _message(
    session: AsyncSession, actor: Actor, run: OpenActivation, from_id: str, to: User
) -> tuple[HandOver, User]:
    """And who is the owner then. What is theirs goes to the colleague. What somebody else has only to pay stays there, and comes
    back to the colleague; what they have only to pay still comes back to whoever gave it."""
    shown = await find_flow(session, "activation", run.id)
    handed = ActivationView.model_validate(shown.view).handed if shown else None
    is_theirs = run.owner_id == from_id or run.owner_id is None
    payer = None if is_theirs else await find_user(session, run.owner_id or "")
    heir = payer or to
    message = HandOver(
        actor=person_of(actor),
        seq=run.seq,
        to=_person(heir),
        note="" if is_theirs or handed is None else handed.note,
        only_to_pay=handed is not None and handed.only_to_pay,
        back_to=None if is_theirs else _person(to),
    )
    return message, heir


def _person(user: User) -> Person:
    return Person(
        user_id=user.id, name=user.name, dealer_id=user.dealer_id, installer=bool(user.user_type)
    )
