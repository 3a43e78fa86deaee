"""What is not owed again of an order whose money came back, as goods of it are never sent (decision 51)."""

from decimal import Decimal

from sqlalchemy import (
    ColumnElement,
    Numeric,
    exists,
    false,
    func,
    literal,
    or_,
    select,
    text,
    tuple_,
)
from sqlalchemy.ext.asyncio import AsyncSession

from db.billing.disputes import DisputeRow, loss_of
from db.billing.payments import payment_of
from db.operations.cases.lists import TAKEN_BACK
from db.operations.cases.opening import LOWERED
from db.operations.cases.tables import CaseRow
from db.runs.flows import FlowRow
from domain.billing.disputes import DisputeStatus
from domain.billing.payments import NOTHING
from domain.operations.cases import CaseCause, Earlier, Lowered, NotSent, taken_twice

NEVER_SENT = (CaseCause.SHIPMENT_CANCELLED, CaseCause.ORDER_CANCELLED)
BEFORE_OWED = ("working", "waiting", "needs_attention")
"""Where a case stands that may be owed soon."""
MOST = 100
_IS_OWED = FlowRow.view["owed"].astext.cast(Numeric(12, 2)) > 0
_IS_ASKED_ABOUT = exists().where(
    DisputeRow.id == CaseRow.start["dispute_id"].astext,
    DisputeRow.status == DisputeStatus.INQUIRY.value,
)
"""A chargeback of which the bank only asks: it has taken nothing."""
_TAKEN_OFF = text(f"select ({LOWERED}) from money_case w where w.id = :id")
_NOT_SENT = text(
    f"""
    select w.id, w.cause, w.amount - coalesce((r.view->>'given_back')::numeric, 0) - ({LOWERED}) as open
    from money_case mine
    join money_case w on w.belongs_kind = mine.belongs_kind and w.belongs_id = mine.belongs_id
    left join flow r on r.id = w.id
    where mine.id = :id
        and (w.cause = 'order_cancelled'
             or w.cause = 'shipment_cancelled' and w.opened_at > mine.opened_at and r.ended_at is null
             or mine.cause = 'chargeback' and w.opened_at <= mine.opened_at and r.state = 'solved'
                and (w.cause = 'shipment_cancelled' or w.cause = 'refund_refused' and w.payment_id = mine.payment_id)
                and not exists (select 1 from money_case d
                                where d.belongs_kind = w.belongs_kind and d.belongs_id = w.belongs_id
                                  and d.cause = 'debit_returned'
                                  and d.opened_at > w.opened_at and d.opened_at < mine.opened_at))
    order by w.opened_at, w.id
    limit {MOST}
    """
)


async def owed_before(session: AsyncSession, case_id: str) -> tuple[Earlier, ...]:
    """The earlier cases that a case of goods which are never sent waits for: they wait to be paid again, or for a bank to decide,
    or do not know it yet. What was cancelled as a whole is paid for by nobody: it waits for no bank, and only until those that
    are owed know of it. None for what was lowered already."""
    mine = await session.get(CaseRow, case_id)
    if mine is None or mine.cause not in NEVER_SENT:
        return ()
    if mine.amount is not None and await taken_off(session, case_id) >= mine.amount:
        return ()
    waits = _IS_OWED
    if mine.cause == CaseCause.SHIPMENT_CANCELLED:
        is_early = FlowRow.id.is_(None) | FlowRow.state.in_(BEFORE_OWED)
        waits = or_(waits, is_early, CaseRow.cause == CaseCause.CHARGEBACK)
    return await _earlier(session, mine, waits)


async def unpaid_before(session: AsyncSession, case_id: str) -> tuple[Earlier, ...]:
    """The earlier cases by which money for goods that are never sent is not there to be paid back: those that they wait for,
    and of an order that was cancelled, which waits for no bank, also what a bank has."""
    mine = await session.get(CaseRow, case_id)
    if mine is None or mine.cause != CaseCause.ORDER_CANCELLED:
        return await owed_before(session, case_id)
    return await _earlier(session, mine, or_(_IS_OWED, ~_IS_ASKED_ABOUT))


async def _earlier(
    session: AsyncSession, mine: CaseRow, waits: ColumnElement[bool]
) -> tuple[Earlier, ...]:
    found = await session.execute(
        select(CaseRow.id, CaseRow.cause, func.coalesce(_IS_OWED, false()).label("is_owed"))
        .outerjoin(FlowRow, FlowRow.id == CaseRow.id)
        .where(*_taken_back_before(mine), waits)
        .order_by(CaseRow.opened_at, CaseRow.id)
        .limit(MOST)
    )
    return tuple(
        Earlier(case_id=row.id, cause=CaseCause(row.cause), is_owed=row.is_owed)
        for row in found.all()
    )


async def stuck_before(session: AsyncSession, case_id: str) -> tuple[str, ...]:
    """The earlier debits that came back and are not owed yet, perhaps as the ERP does not answer: of an order that was cancelled
    they have nothing to wait for."""
    mine = await session.get(CaseRow, case_id)
    if mine is None or mine.cause != CaseCause.ORDER_CANCELLED:
        return ()
    found = await session.scalars(
        select(CaseRow.id)
        .join(FlowRow, FlowRow.id == CaseRow.id)
        .where(
            *_taken_back_before(mine),
            CaseRow.cause == CaseCause.DEBIT_RETURNED,
            FlowRow.state.in_(BEFORE_OWED),
        )
        .order_by(CaseRow.opened_at, CaseRow.id)
        .limit(MOST)
    )
    return tuple(found)


def _taken_back_before(mine: CaseRow) -> tuple[ColumnElement[bool], ...]:
    """What a bank took back of the same thing before this case was opened, and is not settled."""
    is_before = tuple_(CaseRow.opened_at, CaseRow.id) < tuple_(
        literal(mine.opened_at), literal(mine.id)
    )
    return (
        CaseRow.belongs_kind == mine.belongs_kind,
        CaseRow.belongs_id == mine.belongs_id,
        CaseRow.cause.in_(TAKEN_BACK),
        is_before,
        FlowRow.ended_at.is_(None),
    )


async def taken_off(session: AsyncSession, case_id: str) -> Decimal:
    """What another case on the same thing lowered for it, instead of it being given back."""
    found = await session.scalar(_TAKEN_OFF, {"id": case_id})
    return Decimal(found or 0)


async def not_sent(session: AsyncSession, case_id: str) -> NotSent:
    """What happened to the goods that this case waits to be paid again for, since it was opened: whether all were cancelled, and
    what of them was withdrawn that nobody gives back in another way, and no other case asks less for. Of several cases that
    are owed the earliest is lowered first: the others do not look beside it. Of a chargeback also what should have been given
    back before it, when the bank left nothing for that, and under its own id what had been and the bank took again."""
    mine = await session.get(CaseRow, case_id)
    if mine is None:
        return NotSent()
    rows = await session.execute(_NOT_SENT, {"id": case_id})
    found = rows.all()
    is_later = await session.scalar(
        select(CaseRow.id)
        .outerjoin(FlowRow, FlowRow.id == CaseRow.id)
        .where(
            *_taken_back_before(mine),
            or_(_IS_OWED, FlowRow.id.is_(None), FlowRow.state == "working"),
        )
        .limit(1)
    )
    return NotSent(
        is_cancelled=any(row.cause == CaseCause.ORDER_CANCELLED for row in found),
        withdrawn=(
            *await _taken_twice(session, mine),
            *(
                Lowered(case_id=row.id, amount=row.open)
                for row in found
                if is_later is None and row.open is not None and row.open > 0
            ),
        ),
    )


async def _taken_twice(session: AsyncSession, mine: CaseRow) -> tuple[Lowered, ...]:
    """Judged by the order in which the bank decided: whatever another chargeback of the payment has taken off already, or is
    about to, is neither taken off here nor missed."""
    lost = await loss_of(session, mine.start.get("dispute_id") or "")
    stored = await payment_of(session, lost.payment_id) if lost else None
    if lost is None or stored is None:
        return ()
    amount = taken_twice(stored.payment.outcome, lost.amount, lost_before=lost.before)
    return (Lowered(case_id=mine.id, amount=amount),) if amount > NOTHING else ()
