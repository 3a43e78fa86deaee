"""What operators see of all runs, and what they do about them (promise 51). For administrators alone, who read workflow
ids here: they are how a run is found in Temporal's own page."""

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field, StringConstraints

from api.operations.retrying import retrying_of, try_again
from api.platform.backlog import Backlog
from api.platform.border.queries import counted, or_default
from api.platform.deps import Portal, PortalDep, SignedIn, record_now
from api.platform.idempotency import answer_once
from api.platform.moves_money import MovesMoney
from api.platform.paging import pack, unpack
from api.runs.flows import FlowId
from api.runs.messages import RequiredKey
from db.base import reading
from db.operations import effects, one_run, rounds, runs
from db.operations.audit import Outcome, record_by
from db.operations.search import find_things, things_of
from db.operations.third_parties import part_states, third_parties
from db.platform.outboxes import OutboxFigures, outbox_figures
from db.runs.drift import drifts_within_a_day
from domain.base import Body, Utc
from domain.errors import NotFound
from domain.operations.effects import OpenEffect
from domain.operations.operations import (
    AlreadyResolved,
    NothingToResolve,
    Orphan,
    Pass,
    Run,
    RunList,
    RunName,
    StillOpen,
    Tally,
    ThirdParty,
    TimedTransition,
    Undelivered,
)
from domain.operations.retrying import NothingToTry, Retrying
from domain.operations.search import Thing

router = APIRouter(prefix="/v1/operations", tags=["operations"])

Subject = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=100, pattern=r"^[^\x00]*$"),
]


class ThirdPartyAnswer(ThirdParty):
    well: bool


class RunCounts(BaseModel):
    """How long each list is; no further than 1,000. `unmailed` are confirmations of orders. `drifts` are of one day: what a page
    lacked that was older than a run."""

    stuck: int
    retrying: int
    attention: int
    orphans: int
    undelivered: int
    unmailed: int
    unsettled: int
    drifts: int


class Overview(BaseModel):
    """`backlog` is null while Temporal is away, `last_pass` until the reconciler has been round. `seals_payloads` tells that a
    codec server opens them for Temporal's page. `orphans`,
    `undelivered` and `unsettled` are the oldest 50. `outboxes` are what waits to be handed on, however short."""

    tallies: list[Tally]
    counted: RunCounts
    orphans: list[Orphan]
    undelivered: list[Undelivered]
    unsettled: list[OpenEffect]
    outboxes: list[OutboxFigures]
    backlog: Backlog | None
    last_pass: Pass | None
    repaired: dict[str, int]
    third_parties: list[ThirdPartyAnswer]
    seals_payloads: bool


class RunAnswer(Run):
    """`temporal_url` leads to the run in Temporal's own page."""

    temporal_url: str


class RunFilters(BaseModel):
    """`subject` is a word for what a run is about: a serial number (also one that was replaced), an order, PO or invoice number,
    a receipt, a person's address or name, a business's code or how its name begins; or the id of a run or of its workflow."""

    shown: Annotated[RunList, or_default(RunList.OPEN)] = RunList.OPEN
    kind: Annotated[RunName | None, or_default(None)] = None
    state: Annotated[str, StringConstraints(pattern=r"^[a-z0-9/_-]{1,60}$")] | None = None
    subject: Subject | None = None
    limit: Annotated[int, Field(ge=1, le=100), counted(50, most=100)] = 50
    cursor: Annotated[str, StringConstraints(max_length=300)] | None = None


class Last(BaseModel):
    """Where a page of runs ended."""

    at: Utc
    id: Annotated[str, StringConstraints(max_length=100)]


class Runs(BaseModel):
    """Newest change first. `things` are what the subject names, at most five of each kind."""

    things: list[Thing]
    results: list[RunAnswer]
    end_cursor: str | None


class RunDetail(BaseModel):
    """`about` is what the run is for, `retrying` what is tried again for it. `request_id` is the reference of the last audited
    request on it. Of an activation: the steps of its plan, and why each that was skipped was."""

    run: RunAnswer
    about: list[Thing]
    retrying: list[Retrying]
    request_id: str | None
    plan: list[str]
    skipped: dict[str, str]


class RunTransitions(BaseModel):
    """Oldest first; `end` is the `rev` after which more follow, null when that is all."""

    results: list[TimedTransition]
    end: int | None


class TriedAgain(BaseModel):
    """The activities that are tried again at once."""

    activities: list[str]


class SettleBody(Body):
    """What was done about it."""

    note: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


class Settled(BaseModel):
    id: str
    note: str


@router.get("")
async def get_operations(portal: PortalDep, actor: SignedIn) -> Overview:
    """Everything at a glance."""
    backlog = await portal.backlog_monitor.look()
    async with reading(portal.sessions) as session:
        orphans = await rounds.orphans(session)
        undelivered = await rounds.undelivered(session)
        unsettled = await effects.open_effects(session)
        seen = [*portal.watched.seen(), *await third_parties(session)]
        return Overview(
            tallies=list(await runs.tallies(session)),
            counted=RunCounts(
                stuck=await runs.count_shown(session, RunList.STUCK),
                retrying=await runs.count_shown(session, RunList.RETRYING),
                attention=await runs.count_shown(session, RunList.ATTENTION),
                orphans=len(orphans),
                undelivered=len(undelivered),
                unmailed=await rounds.unmailed(session),
                unsettled=len(unsettled),
                drifts=await drifts_within_a_day(session),
            ),
            orphans=list(orphans),
            undelivered=list(undelivered),
            unsettled=list(unsettled),
            outboxes=list(await outbox_figures(session)),
            seals_payloads=bool(portal.codec_url),
            backlog=backlog,
            last_pass=await rounds.last_pass(session),
            repaired=await rounds.repaired_within_a_day(session),
            third_parties=[
                ThirdPartyAnswer(**each.model_dump(), well=each.is_well) for each in seen
            ],
        )


@router.get("/runs")
async def list_runs(
    portal: PortalDep, actor: SignedIn, filters: Annotated[RunFilters, Query()]
) -> Runs:
    """Runs of every kind, newest change first."""
    last = unpack(filters.cursor, Last, "cursor") if filters.cursor else None
    async with reading(portal.sessions) as session:
        looked = await find_things(session, filters.subject) if filters.subject else None
        found = await runs.list_runs(
            session,
            filters.shown,
            kind=filters.kind,
            state=filters.state,
            about=looked.about if looked else None,
            limit=filters.limit + 1,
            before=(last.at, last.id) if last else None,
        )
    page = found[: filters.limit]
    more = len(found) > filters.limit
    return Runs(
        things=list(looked.things) if looked else [],
        results=[_answer(portal, run) for run in page],
        end_cursor=pack(Last(at=page[-1].updated_at, id=page[-1].id)) if more else None,
    )


@router.get("/runs/{kind}/{id}")
async def get_run(portal: PortalDep, actor: SignedIn, kind: RunName, id: FlowId) -> RunDetail:
    """One run."""
    async with reading(portal.sessions) as session:
        run = await runs.find_run(session, kind, id)
        if run is None:
            raise NotFound
        request_id = await one_run.last_request(session, kind, id)
        way = await one_run.way_of(session, id)
        about = await things_of(session, run)
        parts = await part_states(session)
    return RunDetail(
        run=_answer(portal, run),
        about=list(about),
        retrying=await retrying_of(portal.temporal, run, parts),
        request_id=request_id,
        plan=list(way.plan),
        skipped=way.skipped,
    )


@router.get("/runs/{kind}/{id}/transitions")
async def list_run_transitions(
    portal: PortalDep,
    actor: SignedIn,
    kind: RunName,
    id: FlowId,
    after: Annotated[int, Query(ge=-1, le=1_000_000), counted(-1, least=-1, most=1_000_000)] = -1,
    limit: Annotated[int, Query(ge=1, le=100), counted(100, most=100)] = 100,
) -> RunTransitions:
    """What happened to it: who, when, and how long each state lasted."""
    async with reading(portal.sessions) as session:
        if await runs.find_run(session, kind, id) is None:
            raise NotFound
        moves = await one_run.timed_transitions(session, id, after=after, limit=limit + 1)
    page = moves[:limit]
    return RunTransitions(
        results=list(page), end=page[-1].rev if len(moves) > limit and page else None
    )


@router.post("/runs/{kind}/{id}/try-again", dependencies=[MovesMoney])
async def try_run_again(
    portal: PortalDep, actor: SignedIn, kind: RunName, id: FlowId
) -> TriedAgain:
    """Has what waits for its next try tried at once. 409 when nothing does (any more)."""
    async with reading(portal.sessions) as session:
        run = await runs.find_run(session, kind, id)
    if run is None:
        raise NotFound
    activities = await try_again(portal.temporal, run)
    if not activities:
        raise NothingToTry
    await record_now(
        portal,
        actor,
        "tried again",
        outcome=Outcome.ACCEPTED,
        on=(kind, id),
        more={"activities": activities},
    )
    return TriedAgain(activities=activities)


@router.post("/runs/{kind}/{id}/settle", response_model=Settled, dependencies=[MovesMoney])
async def settle_run(
    portal: PortalDep,
    actor: SignedIn,
    kind: RunName,
    id: FlowId,
    body: SettleBody,
    key: RequiredKey,
) -> Response:
    """Says what was done about a run that needs attention; it leaves that list. 409 when it needs none (any more)."""

    async def resolve() -> tuple[int, BaseModel]:
        async with portal.sessions.begin() as session:
            run = await runs.find_run(session, kind, id)
            if run is None:
                raise NotFound
            if run.outcome != "needs_attention":
                raise NothingToResolve
            if run.ended_at is None:
                raise StillOpen
            if not await runs.resolve_attention(session, id, by=actor.key, note=body.note):
                raise AlreadyResolved
            await record_by(
                session, actor, "attention settled", on=(kind, id), more={"note": body.note}
            )
        return 200, Settled(id=id, note=body.note)

    return await answer_once(portal.sessions, actor, key, f"settle_run {kind} {id}", body, resolve)


def _answer(portal: Portal, run: Run) -> RunAnswer:
    place = f"{portal.temporal_ui_url}/namespaces/{quote(portal.temporal.namespace, safe='')}"
    execution = f"/{run.run_id}/history" if run.run_id else ""
    url = f"{place}/workflows/{quote(run.workflow_id, safe='')}{execution}"
    return RunAnswer(**run.model_dump(), temporal_url=url)
