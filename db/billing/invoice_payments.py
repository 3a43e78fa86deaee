"""Payments of invoices as they were submitted: what each invoice gets, and what is held meanwhile.

A submit is kept in one transaction, before any run begins: of two payers one holds an invoice, and the other is told of them.
Invoices and memos are held until they are settled, or their payment has ended.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import (
    ARRAY,
    CheckConstraint,
    ForeignKey,
    Index,
    Numeric,
    Text,
    any_,
    bindparam,
    delete,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Executes
from db.billing.after_the_end import show_taken_back
from db.billing.invoices.documents import (
    CreditMemoRow,
    DocumentHoldRow,
    InvoiceRow,
    invoice_of,
    memo_of,
)
from db.platform.clock import database_now
from domain.base import Frozen, Utc
from domain.billing.invoice_allocation import Allocation, AllocationRequest, Holder
from domain.billing.invoice_payment import InvoicePaymentStart, InvoiceStatus
from domain.billing.invoices.documents import CreditMemo, Invoice

_MONEY = Numeric(12, 2)


class InvoicePaymentRow(Base):
    """One submit. `paid_by` is the name of who made it; `outcome` the state that it ended in."""

    __tablename__ = "invoice_payment"
    __table_args__ = (
        CheckConstraint("charged >= 0 and discount >= 0 and applied >= 0", name="not_negative"),
        Index("ix_invoice_payment_partner", "partner_code", "created_at"),
        Index("ix_invoice_payment_open", "created_at", postgresql_where=text("ended_at is null")),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    workflow_id: Mapped[str] = mapped_column(Text)
    partner_code: Mapped[str] = mapped_column(Text)
    person_id: Mapped[str] = mapped_column(Text)
    paid_by: Mapped[str] = mapped_column(Text)
    charged: Mapped[Decimal] = mapped_column(_MONEY)
    discount: Mapped[Decimal] = mapped_column(_MONEY)
    applied: Mapped[Decimal] = mapped_column(_MONEY)
    start: Mapped[dict[str, Any]] = mapped_column(JSONB)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    ended_at: Mapped[datetime | None]
    outcome: Mapped[str | None] = mapped_column(Text)


class InvoiceAllocationRow(Base):
    """What one invoice gets of a payment: the rows of a payment sum to its charge."""

    __tablename__ = "invoice_allocation"
    __table_args__ = (
        CheckConstraint("charged >= 0 and discount >= 0 and applied >= 0", name="not_negative"),
        Index("ix_invoice_allocation_invoice", "invoice_number"),
    )

    payment_id: Mapped[str] = mapped_column(
        ForeignKey("invoice_payment.id", ondelete="CASCADE"), primary_key=True
    )
    invoice_number: Mapped[str] = mapped_column(Text, primary_key=True)
    place: Mapped[int]
    charged: Mapped[Decimal] = mapped_column(_MONEY)
    discount: Mapped[Decimal] = mapped_column(_MONEY)
    applied: Mapped[Decimal] = mapped_column(_MONEY)
    status: Mapped[str] = mapped_column(Text)
    detail: Mapped[str | None] = mapped_column(Text)
    settled_at: Mapped[datetime | None]


class MemoAllocationRow(Base):
    """So much of a credit memo goes to an invoice."""

    __tablename__ = "memo_allocation"
    __table_args__ = (
        CheckConstraint("amount > 0", name="positive"),
        Index("ix_memo_allocation_memo", "memo_number"),
    )

    payment_id: Mapped[str] = mapped_column(
        ForeignKey("invoice_payment.id", ondelete="CASCADE"), primary_key=True
    )
    invoice_number: Mapped[str] = mapped_column(Text, primary_key=True)
    memo_number: Mapped[str] = mapped_column(Text, primary_key=True)
    amount: Mapped[Decimal] = mapped_column(_MONEY)


class Documents(Frozen):
    """What a request names, as far as it is the business's own; `at` is the database's time."""

    invoices: dict[str, Invoice]
    memos: dict[str, CreditMemo]
    held: dict[str, Holder]
    at: Utc


async def documents_of(
    session: AsyncSession, partner_code: str, request: AllocationRequest, *, lock: bool = False
) -> Documents:
    """With `lock` nobody else's submit comes between this look and the end of the transaction."""
    numbers = [one.number for one in request.invoices]
    invoices = select(InvoiceRow).where(
        InvoiceRow.partner_code == partner_code, InvoiceRow.number.in_(numbers)
    )
    memo_numbers = [one.number for one in request.memos]
    memos = select(CreditMemoRow).where(
        CreditMemoRow.partner_code == partner_code, CreditMemoRow.number.in_(memo_numbers)
    )
    if lock:
        # In the order in which documents are mirrored: memos first.
        invoices = invoices.order_by(InvoiceRow.number.collate("C")).with_for_update()
        memos = memos.order_by(CreditMemoRow.number.collate("C")).with_for_update()
    fresh = {"populate_existing": True}
    credits = [memo_of(row) for row in await session.scalars(memos.execution_options(**fresh))]
    found = [invoice_of(row) for row in await session.scalars(invoices.execution_options(**fresh))]
    return Documents(
        invoices={one.number: one for one in found},
        memos={one.number: one for one in credits},
        held=await holders_of(session, [*numbers, *memo_numbers]),
        at=await database_now(session),
    )


async def holders_of(session: Executes, numbers: Sequence[str]) -> dict[str, Holder]:
    """Number → by which payment it is held, of those that are."""
    if not numbers:
        return {}
    rows = await session.execute(_HELD, {"numbers": list(numbers)})
    return {
        row.number: Holder(payment_id=row.payment_id, by=row.paid_by, since=row.since)
        for row in rows
    }


_HELD = (
    select(
        DocumentHoldRow.number,
        DocumentHoldRow.payment_id,
        DocumentHoldRow.since,
        InvoicePaymentRow.paid_by,
    )
    .join(InvoicePaymentRow, InvoicePaymentRow.id == DocumentHoldRow.payment_id)
    .where(DocumentHoldRow.number == any_(bindparam("numbers", type_=ARRAY(Text))))
)
"""One statement however many the numbers are: in a list, each length would be one of its own."""


async def submit(session: AsyncSession, workflow_id: str, start: InvoicePaymentStart) -> None:
    """Keeps a payment and holds its documents. The caller has locked them and found them free."""
    plan, payer = start.plan, start.payer
    await session.execute(
        insert(InvoicePaymentRow).values(
            id=start.id,
            workflow_id=workflow_id,
            partner_code=payer.partner_code,
            person_id=payer.person_id,
            paid_by=payer.name,
            charged=plan.charged,
            discount=plan.discount,
            applied=plan.applied,
            start=start.model_dump(mode="json"),
            created_at=start.submitted_at,
        )
    )
    rows = [_row(start.id, place, one) for place, one in enumerate(plan.allocations)]
    await session.execute(insert(InvoiceAllocationRow), rows)
    parts = [
        {
            "payment_id": start.id,
            "invoice_number": one.number,
            "memo_number": part.number,
            "amount": part.amount,
        }
        for one in plan.allocations
        for part in one.memos
    ]
    if parts:
        await session.execute(insert(MemoAllocationRow), parts)
    held = {one.number for one in plan.allocations} | {part["memo_number"] for part in parts}
    await session.execute(
        insert(DocumentHoldRow),
        [
            {"number": number, "payment_id": start.id, "since": start.submitted_at}
            for number in sorted(held)
        ],
    )


async def start_of(session: AsyncSession, payment_id: str) -> InvoicePaymentStart | None:
    """What was submitted under this id."""
    start = await session.scalar(
        select(InvoicePaymentRow.start).where(InvoicePaymentRow.id == payment_id)
    )
    return InvoicePaymentStart.model_validate(start) if start else None


async def record_outcome(
    session: AsyncSession,
    payment_id: str,
    number: str,
    status: InvoiceStatus,
    detail: str | None = None,
) -> None:
    """An invoice was posted or refused: it is free again, and so are memos that nothing of this payment waits for.
    Idempotent."""
    await session.execute(
        update(InvoiceAllocationRow)
        .where(
            InvoiceAllocationRow.payment_id == payment_id,
            InvoiceAllocationRow.invoice_number == number,
            InvoiceAllocationRow.status == InvoiceStatus.WAITING,
        )
        .values(status=status, detail=detail, settled_at=func.now())
    )
    waited_for = (
        select(MemoAllocationRow.memo_number)
        .join(
            InvoiceAllocationRow,
            (InvoiceAllocationRow.payment_id == MemoAllocationRow.payment_id)
            & (InvoiceAllocationRow.invoice_number == MemoAllocationRow.invoice_number),
        )
        .where(
            MemoAllocationRow.payment_id == payment_id,
            InvoiceAllocationRow.status == InvoiceStatus.WAITING,
        )
    )
    parts = select(MemoAllocationRow.memo_number).where(MemoAllocationRow.payment_id == payment_id)
    is_free = (DocumentHoldRow.number == number) | (
        DocumentHoldRow.number.in_(parts) & DocumentHoldRow.number.not_in(waited_for)
    )
    await session.execute(
        delete(DocumentHoldRow).where(DocumentHoldRow.payment_id == payment_id, is_free)
    )


async def posted_of(session: AsyncSession, payment_id: str) -> tuple[tuple[str, Decimal], ...]:
    """The invoices that are posted, each with what was charged for it."""
    rows = await session.execute(
        select(InvoiceAllocationRow.invoice_number, InvoiceAllocationRow.charged)
        .where(
            InvoiceAllocationRow.payment_id == payment_id,
            InvoiceAllocationRow.status == InvoiceStatus.POSTED,
        )
        .order_by(InvoiceAllocationRow.place)
    )
    return tuple((row.invoice_number, row.charged) for row in rows)


async def mark_returned(session: AsyncSession, payment_id: str, number: str) -> None:
    """What was posted to this invoice was taken back at the ERP, and its payment shows it. Idempotent."""
    await session.execute(
        update(InvoiceAllocationRow)
        .where(
            InvoiceAllocationRow.payment_id == payment_id,
            InvoiceAllocationRow.invoice_number == number,
            InvoiceAllocationRow.status == InvoiceStatus.POSTED,
        )
        .values(status=InvoiceStatus.RETURNED, settled_at=func.now())
    )
    await show_taken_back(session, payment_id, number)


async def close(
    session: AsyncSession, payment_id: str, outcome: str, refunded: Iterable[str] = ()
) -> None:
    """The payment has ended: what still waited is released, and `refunded` are the invoices whose money went back.
    Idempotent."""
    for before, after, narrowed in (
        (InvoiceStatus.WAITING, InvoiceStatus.RELEASED, None),
        (InvoiceStatus.REFUSED, InvoiceStatus.REFUNDED, list(refunded)),
    ):
        change = update(InvoiceAllocationRow).where(
            InvoiceAllocationRow.payment_id == payment_id, InvoiceAllocationRow.status == before
        )
        if narrowed is not None:
            change = change.where(InvoiceAllocationRow.invoice_number.in_(narrowed))
        await session.execute(change.values(status=after))
    await session.execute(delete(DocumentHoldRow).where(DocumentHoldRow.payment_id == payment_id))
    await session.execute(
        update(InvoicePaymentRow)
        .where(InvoicePaymentRow.id == payment_id, InvoicePaymentRow.ended_at.is_(None))
        .values(ended_at=func.now(), outcome=outcome)
    )


async def is_held_by(session: AsyncSession, payment_id: str, numbers: Iterable[str]) -> bool:
    """Whether all of these are held by this payment."""
    wanted = set(numbers)
    held = await session.scalars(
        select(DocumentHoldRow.number).where(
            DocumentHoldRow.payment_id == payment_id, DocumentHoldRow.number.in_(wanted)
        )
    )
    return set(held) == wanted


def _row(payment_id: str, place: int, one: Allocation) -> dict[str, Any]:
    return {
        "payment_id": payment_id,
        "invoice_number": one.number,
        "place": place,
        "charged": one.charged,
        "discount": one.discount,
        "applied": one.from_memos,
        "status": InvoiceStatus.WAITING,
    }
