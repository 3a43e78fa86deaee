"""How the runs of cases begin, and begin anew."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Executes
from db.billing.payments import is_left_to_a_case
from db.operations.cases.tables import CaseRow
from db.runs.flows import FlowRow
from domain.billing.payments import payment_id_of
from domain.kinds import CASE
from domain.operations.cases import (
    UNANSWERED,
    CaseStart,
    CaseView,
)


async def not_begun(session: AsyncSession, *, limit: int) -> tuple[CaseStart, ...]:
    """Cases that no run has taken up, in another order each time: one that cannot be begun holds up no other."""
    rows = await session.scalars(
        select(CaseRow.start).where(CaseRow.begun_at.is_(None)).order_by(func.random()).limit(limit)
    )
    return tuple(CaseStart.model_validate(start) for start in rows)


async def not_shown(session: AsyncSession, *, before: datetime) -> tuple[CaseStart, ...]:
    """Cases that were begun before this time and never showed themselves: nothing was done about them yet."""
    rows = await session.scalars(
        select(CaseRow.start)
        .where(CaseRow.begun_at < before)
        .where(~select(FlowRow.id).where(FlowRow.id == CaseRow.id).exists())
        .order_by(CaseRow.begun_at)
        .limit(100)
    )
    return tuple(CaseStart.model_validate(start) for start in rows)


async def mark_begun(session: AsyncSession, case_ids: Sequence[str]) -> None:
    await session.execute(
        update(CaseRow)
        .where(CaseRow.id.in_(case_ids), CaseRow.begun_at.is_(None))
        .values(begun_at=func.now())
    )


async def find_start(session: Executes, case_id: str) -> CaseStart | None:
    start = await session.scalar(select(CaseRow.start).where(CaseRow.id == case_id))
    return CaseStart.model_validate(start) if start else None


async def start_in_place_of(session: AsyncSession, case_id: str) -> CaseStart | None:
    """The start of a run that goes on where the lost one stood. A payment that was left to another case is not looked for: its
    money goes back."""
    run = await session.get(FlowRow, case_id)
    start = await find_start(session, case_id)
    if run is None or start is None:
        return None
    view = CaseView.model_validate(run.view)
    if view.state == "charging" and view.payment is not None:
        key = f"{CASE.workflow_id(start)}:{view.payment.attempt}"
        if await is_left_to_a_case(session, payment_id_of(key)):
            payment = view.payment.model_copy(update={"detail": UNANSWERED})
            view = view.model_copy(update={"state": "owed", "payment": payment})
    return start.model_copy(update={"rev_from": run.rev + 1, "resume": view})
