"""Cases as administrators and buyers read them, and what of money depends on them."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Numeric, exists, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.billing.invoice_payments import InvoiceAllocationRow, MemoAllocationRow
from db.billing.payments import PaymentRow
from db.operations.cases.tables import CaseRow
from db.runs.flows import FlowRow
from domain.billing.invoice_payment import InvoiceStatus
from domain.operations.cases import (
    BY_HAND,
    BelongsTo,
    CaseCause,
    CaseStart,
    CaseView,
)
from domain.runs.projection import RunOwner

TAKEN_BACK = (CaseCause.DEBIT_RETURNED, CaseCause.CHARGEBACK)
OWN_CASE = "own-case"
"""What a buyer follows a case by; administrators follow its run."""


async def is_at_work(session: AsyncSession, belongs_to: BelongsTo) -> bool:
    """Whether the run that moves this money is open."""
    found = await session.scalar(
        select(FlowRow.id).where(
            FlowRow.id == belongs_to.flow_id,
            FlowRow.kind == belongs_to.flow.value,
            FlowRow.ended_at.is_(None),
        )
    )
    return found is not None


async def owed_by_cases(session: AsyncSession, partner_code: str) -> Decimal:
    """What a business has to pay again by its open cases, in US dollars."""
    owed = func.coalesce(func.sum(FlowRow.view["owed"].astext.cast(Numeric(12, 2))), 0)
    found = await session.scalar(
        select(owed)
        .select_from(CaseRow)
        .join(FlowRow, FlowRow.id == CaseRow.id)
        .where(CaseRow.partner_code == partner_code, FlowRow.ended_at.is_(None))
    )
    return Decimal(found or 0)


async def payments_of(session: AsyncSession, belongs_to: BelongsTo) -> tuple[str, ...]:
    """The ids of its payments, the latest attempt first; at most 100."""
    rows = await session.scalars(
        select(PaymentRow.id)
        .where(PaymentRow.flow == belongs_to.flow.value, PaymentRow.flow_id == belongs_to.flow_id)
        .order_by(PaymentRow.attempt.desc(), PaymentRow.created_at.desc())
        .limit(100)
    )
    return tuple(rows)


async def cases_of(
    session: AsyncSession, kind: str, belongs_id: str, *, limit: int = 50
) -> tuple[CaseView, ...]:
    """The cases that stand on an order, a purchase or a payment of invoices, the oldest first."""
    return await _where(session, _stands_on(kind, belongs_id), limit=limit)


async def cases_of_order(
    session: AsyncSession, order_id: str, token: str, *, limit: int = 50
) -> tuple[CaseView, ...]:
    """The cases that stand on an order, and those of its run from before there was one, the oldest first; `token` is that of its
    placement."""
    stands = _stands_on("order", order_id) | _stands_on("cart", token)
    return await _where(session, stands, limit=limit)


def _stands_on(kind: str, belongs_id: str | None) -> ColumnElement[bool]:
    return (CaseRow.belongs_kind == kind) & (CaseRow.belongs_id == belongs_id)


async def cases_of_invoice(
    session: AsyncSession, number: str, order_id: str | None, *, limit: int = 50
) -> tuple[CaseView, ...]:
    """The cases that are about an invoice, the oldest first: of the order that it is for, of what a bank took back of what was
    posted to it, of what was given back for it, and of payments of it that nobody understands."""
    return await _where(
        session,
        _stands_on("order", order_id) | _of_payments(InvoiceAllocationRow.invoice_number == number),
        limit=limit,
    )


async def cases_of_memo(
    session: AsyncSession, number: str, *, limit: int = 50
) -> tuple[CaseView, ...]:
    """The cases that are about a credit memo, the oldest first: of the payments in which it was applied to an invoice, what an
    invoice shows of them."""
    applied = exists().where(
        MemoAllocationRow.payment_id == InvoiceAllocationRow.payment_id,
        MemoAllocationRow.invoice_number == InvoiceAllocationRow.invoice_number,
        MemoAllocationRow.memo_number == number,
    )
    return await _where(session, _of_payments(applied), limit=limit)


def _of_payments(allocation: ColumnElement[bool]) -> ColumnElement[bool]:
    """Of what a bank took back of what was posted by such an allocation, of what was given back for it, and of payments of it that
    nobody understands."""
    allocated = select(InvoiceAllocationRow.payment_id).where(allocation)
    was_posted = InvoiceAllocationRow.status.in_([InvoiceStatus.POSTED, InvoiceStatus.RETURNED])
    return (CaseRow.belongs_kind == "invoice_payment") & or_(
        CaseRow.belongs_id.in_(allocated) & CaseRow.cause.in_(BY_HAND),
        CaseRow.belongs_id.in_(allocated.where(was_posted)) & CaseRow.cause.in_(TAKEN_BACK),
        CaseRow.belongs_id.in_(allocated.where(~was_posted)) & CaseRow.cause.not_in(TAKEN_BACK),
    )


async def _where(
    session: AsyncSession, condition: ColumnElement[bool], *, limit: int
) -> tuple[CaseView, ...]:
    """The oldest first."""
    rows = await session.execute(
        select(CaseRow, FlowRow.view)
        .outerjoin(FlowRow, FlowRow.id == CaseRow.id)
        .where(condition)
        .order_by(CaseRow.opened_at, CaseRow.id)
        .limit(limit)
    )
    return tuple(_view(row.CaseRow, row.view) for row in rows)


async def open_cases_of(
    session: AsyncSession, partner_code: str, *, limit: int
) -> tuple[CaseView, ...]:
    """The open cases of a business, the latest opened first."""
    rows = await session.execute(
        select(CaseRow, FlowRow.view)
        .join(FlowRow, FlowRow.id == CaseRow.id)
        .where(CaseRow.partner_code == partner_code, FlowRow.ended_at.is_(None))
        .order_by(CaseRow.opened_at.desc(), CaseRow.id.desc())
        .limit(limit)
    )
    return tuple(_view(row.CaseRow, row.view) for row in rows)


async def count_open_cases(session: AsyncSession, *, up_to: int = 1000) -> int:
    """How many cases are open at all businesses, counted no further than `up_to`."""
    found = (
        select(FlowRow.id)
        .where(FlowRow.kind == "case", FlowRow.ended_at.is_(None))
        .limit(up_to)
        .subquery()
    )
    return int(await session.scalar(select(func.count()).select_from(found)) or 0)


async def find_case(session: AsyncSession, case_id: str) -> CaseView | None:
    found = await session.execute(
        select(CaseRow, FlowRow.view)
        .outerjoin(FlowRow, FlowRow.id == CaseRow.id)
        .where(CaseRow.id == case_id)
    )
    row = found.one_or_none()
    return _view(row.CaseRow, row.view) if row else None


async def list_cases(
    session: AsyncSession,
    *,
    ended: bool,
    limit: int,
    before: tuple[datetime, str] | None = None,
) -> tuple[CaseView, ...]:
    """The latest opened first. `before` is the (opened_at, id) of the last of the page before."""
    has_ended = FlowRow.ended_at.is_not(None)
    query = (
        select(CaseRow, FlowRow.view)
        .outerjoin(FlowRow, FlowRow.id == CaseRow.id)
        .where(has_ended if ended else FlowRow.ended_at.is_(None))
    )
    if before is not None:
        at, id_ = before
        query = query.where(
            (CaseRow.opened_at < at) | ((CaseRow.opened_at == at) & (CaseRow.id < id_))
        )
    rows = await session.execute(
        query.order_by(CaseRow.opened_at.desc(), CaseRow.id.desc()).limit(limit)
    )
    return tuple(_view(row.CaseRow, row.view) for row in rows)


async def changes_of(session: AsyncSession, ids: Sequence[str]) -> dict[str, tuple[RunOwner, int]]:
    """Of each case whose money it is about, known from the moment in which it is opened, and how often its run has shown a
    change; under 0 while it has not shown itself."""
    rows = await session.execute(
        select(
            CaseRow.id,
            CaseRow.partner_code,
            CaseRow.start["person_id"].astext.label("person_id"),
            func.coalesce(FlowRow.rev, -1).label("rev"),
        )
        .outerjoin(FlowRow, FlowRow.id == CaseRow.id)
        .where(CaseRow.id.in_(ids))
    )
    return {
        row.id: (RunOwner(kind="case", owner_id=row.person_id, partner=row.partner_code), row.rev)
        for row in rows
    }


def _view(row: CaseRow, shown: dict[str, Any] | None) -> CaseView:
    """As its run shows it; before that, as it was opened."""
    if shown is not None:
        return CaseView.model_validate(shown)
    start = CaseStart.model_validate(row.start)
    return CaseView(
        id=start.id,
        state="working",
        cause=start.cause,
        belongs_to=start.belongs_to,
        detail=start.detail,
        amount=start.amount,
        currency=start.currency,
        opened_at=start.opened_at,
        due_at=start.opened_at + start.policy.due,
        updated_at=start.opened_at,
    )
