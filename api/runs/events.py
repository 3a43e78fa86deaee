"""Live views of runs as server-sent events, read by fetch with the ordinary header (architecture "Live").

On connect the present view of each run, then each change. A snapshot supersedes whatever was missed, so nothing is
replayed. The stream ends with the caller's right to it or after five minutes; the browser then connects again. When the sign-in
ends, wherever that was done, the stream says so at once and ends (`event: signed-out`). So does one of a caller who has opened
too many newer ones (`event: gave-way`); the browser then rests, as coming back would only end another.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Annotated, get_args

import orjson
import structlog
from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import StreamingResponse
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.deps import Caller, Portal, PortalDep
from api.runs.flows import authorize_run, is_authorized
from db.base import reading
from db.dealers.team import last_change
from db.identity.sign_ins import end_of, followed_as, user_of_sign_in
from db.operations.cases.lists import OWN_CASE, changes_of
from db.orders.news import changed_at, number_of_order
from db.partners.reps import acting_in
from db.platform.notices import ORDER
from db.runs import flows
from domain.base import Frozen
from domain.dealers.dealers import check_dealer_access, may_access_dealer
from domain.errors import Forbidden, Invalid, NotFound, Unauthenticated
from domain.identity.people import Actor, ended_because, reads_any_business
from domain.identity.policy import POLICY
from domain.orders.orders import OrderMissing
from domain.partners.partners import must_choose
from domain.runs.access import may_read_case
from domain.runs.projection import FlowAnswer, FlowKind, FlowOwner

router = APIRouter(prefix="/v1/events", tags=["events"])

MOST_RUNS = 20
OWN_SESSION = "session:me"

KINDS: dict[str, FlowKind] = {kind: kind for kind in get_args(FlowKind)}
READ_BY: Mapping[str, str] = {
    "activation": "get_activation",
    "firmware": "get_activation",
    "placement": "get_placement",
    "purchase": "get_purchase",
    "invoice_payment": "get_invoice_payment",
    "case": "get_case",
    "team": "list_open_activations",
    "order": "get_order",
}
"""What is followed → the operation that reads it: whoever may not call that may not follow it either. A guest reads a run of
firmware as a part of their activation."""

GAVE_WAY = b"event: gave-way\ndata: {}\n\n"

log = structlog.stdlib.get_logger()


class Pace(Frozen):
    """`heartbeat` is the longest silence, and the longest a stream outlives the right to it; `longest` its whole life."""

    heartbeat: timedelta = timedelta(seconds=15)
    longest: timedelta = timedelta(minutes=5)


class _Followed(Frozen):
    """`team` is the dealer whose activations, orders and purchases are followed together, `order` the id of an order, `cases`
    are those that the caller is told of as their buyer."""

    runs: tuple[tuple[FlowKind, str], ...] = ()
    team: str | None = None
    order: str | None = None
    cases: tuple[str, ...] = ()

    @property
    def kinds(self) -> set[str]:
        """Of what is read elsewhere too; who is told of a case is one rule by itself."""
        apart = {"team": self.team, "order": self.order}
        return {kind for kind, _ in self.runs} | {kind for kind, id_ in apart.items() if id_}


def pace(request: Request) -> Pace:
    """The usual one, or what the application was given as its own (`app.state.pace`)."""
    return getattr(request.app.state, "pace", None) or Pace()


@router.get(
    "",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def follow_events(
    request: Request,
    portal: PortalDep,
    actor: Caller,
    pace: Annotated[Pace, Depends(pace)],
    follow: Annotated[str, Query(min_length=1, max_length=2000)],
) -> StreamingResponse:
    """`follow=activation:ID,firmware:ID,placement:TOKEN,purchase:ID`: each event is `event: flow`, `id: rev` and the run as JSON.

    `team:DEALER` tells `event: team` at first, if the dealer has any activation, order or purchase, and after each change of one,
    each time with `at`, the moment of the last change: a stream that is opened anew tells what was told before.

    `order:ID` tells `event: order` at first, and after each change of the order, its shipments and their invoices.

    `own-case:ID` tells `event: own-case` at first, and after each change of what happened to the money of one's own business.

    `session:me` follows nothing but the sign-in: `event: signed-out` with the code of why, then the end. A rep's stream
    also tells `event: business` at first, and after each choice in any tab, with the code of the business, or null.

    Any stream ends with `event: gave-way` once the caller has too many newer ones.
    """
    followed = _parse(follow, actor)
    if not _may_follow(actor, followed):
        raise Forbidden
    if followed.team is not None:
        check_dealer_access(actor, followed.team)
    number: str | None = None
    async with reading(portal.sessions) as session:
        for kind, id_ in followed.runs:
            await authorize_run(session, actor, kind, id_)
        if followed.order is not None:
            number = await _number_of(session, actor, followed.order)
            if number is None:
                raise OrderMissing
        if await _cases_at(session, actor, followed.cases) is None:
            raise NotFound
    return StreamingResponse(
        _stream(request, portal, actor, followed, pace, number),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


def _may_follow(actor: Actor, followed: _Followed) -> bool:
    """By the caller's roles alone; whose each is, is asked apart."""
    return all(actor.roles & POLICY[READ_BY[kind]].roles for kind in followed.kinds)


def _parse(follow: str, actor: Actor) -> _Followed:
    runs: list[tuple[FlowKind, str]] = []
    teams: list[str] = []
    orders: list[str] = []
    cases: list[str] = []
    for part in follow.split(","):
        if part.strip() == OWN_SESSION and actor.sign_in_id is not None:
            continue
        kind, colon, id_ = part.strip().partition(":")
        apart = {flows.TEAM: teams, ORDER: orders, f"{OWN_CASE}:": cases}.get(f"{kind}:")
        if (kind not in KINDS and apart is None) or not colon or not id_ or "\0" in id_:
            raise Invalid(fields=[("follow", "Invalid value")])
        if kind in KINDS:
            runs.append((KINDS[kind], id_))
        elif apart is not None:
            apart.append(id_)
    if len(runs) + len(cases) > MOST_RUNS:
        raise Invalid(fields=[("follow", f"Must have at most {MOST_RUNS} entries")])
    if len(teams) > 1:
        raise Invalid(fields=[("follow", "Must have at most 1 team")])
    if len(orders) > 1:
        raise Invalid(fields=[("follow", "Must have at most 1 order")])
    return _Followed(
        runs=tuple(runs),
        team=teams[0] if teams else None,
        order=orders[0] if orders else None,
        cases=tuple(cases),
    )


async def _stream(
    request: Request,
    portal: Portal,
    actor: Actor,
    followed: _Followed,
    pace: Pace,
    order_number: str | None,
) -> AsyncGenerator[bytes]:
    clock = asyncio.get_running_loop()
    ends = clock.time() + pace.longest.total_seconds()
    seen: dict[str, int] = {}
    business = actor.partner_code
    may_read = actor.sign_in_id is None or not must_choose(actor.person)
    names = [*(id_ for _, id_ in followed.runs), *followed.cases]
    sent: dict[str, int] = {}
    team: tuple[datetime, str] | None = None
    if followed.team is not None:
        names.append(f"{flows.TEAM}{followed.team}")
    order: tuple[datetime, ...] | None = None
    if order_number is not None:
        names.append(f"{ORDER}{order_number}")
    if actor.sign_in_id is not None:
        names.append(followed_as(actor.sign_in_id))
    with (
        portal.live.following(names) as woken,
        portal.live.stream_of(actor.key, woken) as stream,
    ):
        while clock.time() < ends and not stream.gave_way:
            woken.clear()
            try:
                chosen = await _business_of(portal, actor)
                changed = await _changed(portal, actor, followed, seen)
                ended = await _ended(portal, actor) if changed is None else None
                moved = await _last_of(portal, followed.team)
                now = await _order_at(portal, followed.order)
            except SQLAlchemyError as error:
                log.warning("a live stream was ended by an outage", kind=type(error).__name__)
                return
            if ended is None and not (may_read and chosen == business):
                business, may_read = chosen, True
                yield f"event: business\ndata: {orjson.dumps({'code': chosen}).decode()}\n\n".encode()
            if ended is not None:
                yield f'event: signed-out\ndata: {{"code":"{ended.code}"}}\n\n'.encode()
            if changed is None or await request.is_disconnected():
                return
            for flow in changed.runs:
                seen[flow.id] = flow.rev
                yield _event(flow)
            if moved != team:
                team = moved
                yield _team_event(followed.team, moved)
            if now != order:
                order = now
                yield _news("order", followed.order)
            for id_, rev in changed.cases.items():
                if sent.get(id_) != rev:
                    yield _news(OWN_CASE, id_)
            sent = changed.cases
            with suppress(TimeoutError):
                async with asyncio.timeout(pace.heartbeat.total_seconds()):
                    await woken.wait()
                    continue
            yield b": alive\n\n"
        if stream.gave_way:
            yield GAVE_WAY


class _Changes(Frozen):
    """The runs that have moved on since they were sent, and how often each case has changed."""

    runs: tuple[FlowAnswer, ...]
    cases: dict[str, int]


async def _changed(
    portal: Portal, actor: Actor, followed: _Followed, seen: dict[str, int]
) -> _Changes | None:
    """None once the caller may not follow all of it any more."""
    changed: list[FlowAnswer] = []
    async with reading(portal.sessions) as session:
        now = await _as_of_now(session, actor)
        if now is None or not _may_follow(now, followed):
            return None
        if followed.team is not None and not may_access_dealer(now, followed.team):
            return None
        if followed.order is not None and await _number_of(session, now, followed.order) is None:
            return None
        cases = await _cases_at(session, now, followed.cases)
        if cases is None:
            return None
        for kind, id_ in followed.runs:
            found = await flows.find_run(session, kind, id_)
            if found is None:
                return None
            owner, flow = found
            if not await _may_still_follow(session, now, owner):
                return None
            if flow.rev > seen.get(id_, -1):
                changed.append(flow)
    return _Changes(runs=tuple(changed), cases=cases)


def _news(about: str, id_: str | None) -> bytes:
    return f"event: {about}\ndata: {orjson.dumps({'id': id_}).decode()}\n\n".encode()


def _team_event(team: str | None, moved: tuple[datetime, str] | None) -> bytes:
    at = moved[0] if moved else None
    return f"event: team\ndata: {orjson.dumps({'id': team, 'at': at}).decode()}\n\n".encode()


async def _last_of(portal: Portal, team: str | None) -> tuple[datetime, str] | None:
    """The last change of a team's activations, orders and purchases."""
    if team is None:
        return None
    async with reading(portal.sessions) as session:
        return await last_change(session, team)


async def _order_at(portal: Portal, order: str | None) -> tuple[datetime, ...] | None:
    """When the order, and an invoice of it, changed last."""
    if order is None:
        return None
    async with reading(portal.sessions) as session:
        return await changed_at(session, order)


async def _cases_at(
    session: AsyncSession, actor: Actor, cases: tuple[str, ...]
) -> dict[str, int] | None:
    """How often each has changed; None unless each is the caller's to be told of."""
    if not cases:
        return {}
    found = await changes_of(session, cases)
    may_read = all(id_ in found and may_read_case(actor, found[id_][0]) for id_ in cases)
    return {id_: rev for id_, (_, rev) in found.items()} if may_read else None


async def _number_of(session: AsyncSession, actor: Actor, order: str) -> str | None:
    """The number of an order of the business that the caller works for, a rep chooses one first; of any for whoever reads
    them all."""
    if reads_any_business(actor):
        return await number_of_order(session, order, None)
    code = actor.partner_code if must_choose(actor.person) else actor.business_code
    return await number_of_order(session, order, code) if code is not None else None


async def _business_of(portal: Portal, actor: Actor) -> str | None:
    """The code of the business that the sign-in acts for at this moment."""
    if actor.sign_in_id is None or not must_choose(actor.person):
        return None
    async with reading(portal.sessions) as session:
        acting = await acting_in(session, actor.sign_in_id)
    return acting.partner.code if acting else None


async def _ended(portal: Portal, actor: Actor) -> type[Unauthenticated] | None:
    """What the page of a sign-in that has ended is told; None while it goes on."""
    if actor.sign_in_id is None:
        return None
    async with reading(portal.sessions) as session:
        if await user_of_sign_in(session, actor.sign_in_id) is not None:
            return None
        return ended_because(await end_of(session, actor.sign_in_id))


def _event(flow: FlowAnswer) -> bytes:
    data = orjson.dumps(flow.model_dump(mode="json")).decode()
    return f"event: flow\nid: {flow.rev}\ndata: {data}\n\n".encode()


async def _as_of_now(session: AsyncSession, actor: Actor) -> Actor | None:
    """The caller with the rights of this moment; None once the sign-in has ended."""
    if actor.sign_in_id is None:
        return actor
    user = await user_of_sign_in(session, actor.sign_in_id)
    if user is None:
        return None
    acting = await acting_in(session, actor.sign_in_id) if must_choose(user) else None
    return actor.model_copy(
        update={
            "user": user,
            "partner_code": acting.partner.code if acting else None,
            "impersonated": acting.impersonated if acting else None,
            "trade": None,
        }
    )


async def _may_still_follow(session: AsyncSession, actor: Actor, owner: FlowOwner) -> bool:
    """A guest's firmware run is opened through the activation, which ends first; what was open stays open."""
    guests_firmware = actor.capability_hash is not None and owner.kind == "firmware"
    return guests_firmware or await is_authorized(session, actor, owner)
