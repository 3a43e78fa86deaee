"""What reconciliation has found, for administrators: the list with what stands open, a word that settles one, and a round that
is asked for at once (decision 59)."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field, StringConstraints

from api.platform.border.queries import counted, or_default
from api.platform.deps import PortalDep, SignedIn, record_now
from api.platform.idempotency import answer_once
from api.platform.paging import pack, unpack
from api.platform.throttling.runs import RunTries
from api.runs.messages import RequiredKey
from db.base import reading
from db.billing.reconciliation import differences, rounds
from db.operations.audit import record_by
from domain.base import Body, Utc
from domain.billing.reconciliation.differences import (
    DifferenceId,
    DifferenceKind,
    DifferenceState,
    KnownDifference,
    Round,
    RoundUnderWay,
)
from workflows.billing.reconciliation import (
    SCHEDULE,
    ReconciliationStart,
    ReconciliationWorkflow,
)

router = APIRouter(prefix="/v1/operations/reconciliation", tags=["operations"])


class Reconciliation(BaseModel):
    """`under_way` and `last` are null where there is none. `open` counts what stands open by kind, no further than 1,000 in
    all."""

    under_way: Round | None
    last: Round | None
    open: dict[DifferenceKind, int]


class DifferenceFilters(BaseModel):
    shown: Annotated[DifferenceState, or_default(DifferenceState.OPEN)] = DifferenceState.OPEN
    kind: Annotated[DifferenceKind | None, or_default(None)] = None
    limit: Annotated[int, Field(ge=1, le=100), counted(50, most=100)] = 50
    cursor: Annotated[str, StringConstraints(max_length=300)] | None = None


class LastFound(BaseModel):
    """Where a page of differences ended."""

    at: Utc
    id: Annotated[str, StringConstraints(max_length=100)]


class Differences(BaseModel):
    """The latest found first."""

    results: list[KnownDifference]
    end_cursor: str | None


class DifferenceNote(Body):
    """What was done about it."""

    note: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


class RoundBegun(BaseModel):
    id: str


@router.get("")
async def get_reconciliation(portal: PortalDep, actor: SignedIn) -> Reconciliation:
    """When the books were compared, and what stands open."""
    async with reading(portal.sessions) as session:
        under_way, last = await rounds.last_rounds(session)
        open_ = await differences.count_open(session)
    return Reconciliation(under_way=under_way, last=last, open=open_)


@router.get("/differences")
async def list_differences(
    portal: PortalDep, actor: SignedIn, filters: Annotated[DifferenceFilters, Query()]
) -> Differences:
    """Open ones, or those that were repaired, settled, or are gone."""
    last = unpack(filters.cursor, LastFound, "cursor") if filters.cursor else None
    async with reading(portal.sessions) as session:
        found = await differences.list_differences(
            session,
            filters.shown,
            kind=filters.kind,
            limit=filters.limit + 1,
            before=(last.at, last.id) if last else None,
        )
    page = found[: filters.limit]
    more = len(found) > filters.limit
    return Differences(
        results=list(page),
        end_cursor=pack(LastFound(at=page[-1].found_at, id=page[-1].id)) if more else None,
    )


@router.post("", status_code=202, response_model=RoundBegun)
async def begin_reconciliation(portal: PortalDep, actor: SignedIn, key: RequiredKey) -> Response:
    """Compares the books now. 409 while they are being compared, 429 after several rounds within the hour."""

    async def begin() -> tuple[int, BaseModel]:
        async with reading(portal.sessions) as session:
            under_way, _ = await rounds.last_rounds(session)
        if under_way is not None:
            raise RoundUnderWay
        await RunTries(portal.sessions).count_reconciliation()
        begun = RoundBegun(id=f"{SCHEDULE}-{uuid.uuid4().hex}")
        await record_now(portal, actor, "reconciliation begun", on=("reconciliation", begun.id))
        await portal.temporal.start_workflow(
            ReconciliationWorkflow.run,
            ReconciliationStart(asked_by=actor.key),
            id=begun.id,
            task_queue=portal.task_queue,
            static_summary="compares our money with the providers' and the ERP's",
        )
        return 202, begun

    return await answer_once(portal.sessions, actor, key, "begin_reconciliation", None, begin)


@router.post("/differences/{id}/settle", response_model=KnownDifference)
async def settle_difference(
    portal: PortalDep, actor: SignedIn, id: DifferenceId, body: DifferenceNote, key: RequiredKey
) -> Response:
    """Says what was done about a difference; it leaves the list, and the same figures do not bring it back. 409 when it is not
    open (any more)."""

    async def resolve() -> tuple[int, BaseModel]:
        async with portal.sessions.begin() as session:
            known = await differences.resolve_difference(session, id, by=actor.key, note=body.note)
            await record_by(
                session,
                actor,
                "difference settled",
                on=("difference", id),
                more={"note": body.note, "kind": known.kind.value},
            )
        return 200, known

    return await answer_once(portal.sessions, actor, key, f"settle_difference {id}", body, resolve)
