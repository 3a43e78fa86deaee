"""What is not owed again of an order whose money came back, as goods of it are never sent (decision 51)."""

from decimal import Decimal

from sqlalchemy import Numeric, or_, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from db.operations.cases import LOWERED, TAKEN_BACK, CaseRow
from db.runs.flows import FlowRow
from domain.operations.cases import CaseCause, Lowered, NotSent

NEVER_SENT = (CaseCause.SHIPMENT_CANCELLED, CaseCause.ORDER_CANCELLED)
BEFORE_OWED = ("working", "waiting", "needs_attention")
"""Where a case stands that may be owed soon."""
MOST = 100
_TAKEN_OFF = text(f"select ({LOWERED}) from money_case w where w.id = :id")


async def owed_before(session: AsyncSession, case_id: str) -> tuple[str, ...]:
    """The earlier cases that a case of goods which are never sent waits for: they wait to be paid again, or for a bank to decide,
    or do not know it yet. What was cancelled as a whole is paid for by nobody: it waits for no bank, and only until those that
    are owed have heard of it. None for what was lowered already."""
    mine = await session.get(CaseRow, case_id)
    if mine is None or mine.cause not in NEVER_SENT:
        return ()
    if mine.amount is not None and await taken_off(session, case_id) >= mine.amount:
        return ()
    waits = FlowRow.view["owed"].astext.cast(Numeric(12, 2)) > 0
    if mine.cause == CaseCause.SHIPMENT_CANCELLED:
        is_early = FlowRow.id.is_(None) | FlowRow.state.in_(BEFORE_OWED)
        waits = or_(waits, is_early, CaseRow.cause == CaseCause.CHARGEBACK)
    found = await session.scalars(
        select(CaseRow.id)
        .outerjoin(FlowRow, FlowRow.id == CaseRow.id)
        .where(
            CaseRow.belongs_kind == mine.belongs_kind,
            CaseRow.belongs_id == mine.belongs_id,
            CaseRow.cause.in_(TAKEN_BACK),
            CaseRow.opened_at < mine.opened_at,
            FlowRow.ended_at.is_(None),
            waits,
        )
        .order_by(CaseRow.opened_at)
        .limit(MOST)
    )
    return tuple(found)


async def taken_off(session: AsyncSession, case_id: str) -> Decimal:
    """What another case on the same thing lowered for it, instead of it being given back."""
    found = await session.scalar(_TAKEN_OFF, {"id": case_id})
    return Decimal(found or 0)


async def not_sent(session: AsyncSession, case_id: str) -> NotSent:
    """What happened to the goods that this case waits to be paid again for, since it was opened: whether all were cancelled, and
    what of them was withdrawn that nobody gives back in another way."""
    mine = await session.get(CaseRow, case_id)
    if mine is None:
        return NotSent()
    rows = await session.execute(
        select(CaseRow.id, CaseRow.cause, CaseRow.amount)
        .outerjoin(FlowRow, FlowRow.id == CaseRow.id)
        .where(
            CaseRow.belongs_kind == mine.belongs_kind,
            CaseRow.belongs_id == mine.belongs_id,
            (CaseRow.cause == CaseCause.ORDER_CANCELLED)
            | (CaseRow.cause == CaseCause.SHIPMENT_CANCELLED)
            & (CaseRow.opened_at > mine.opened_at)
            & FlowRow.ended_at.is_(None),
        )
        .order_by(CaseRow.opened_at)
        .limit(MOST)
    )
    found = rows.all()
    return NotSent(
        is_cancelled=any(row.cause == CaseCause.ORDER_CANCELLED for row in found),
        withdrawn=tuple(
            Lowered(case_id=row.id, amount=row.amount) for row in found if row.amount is not None
        ),
    )
