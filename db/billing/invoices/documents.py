"""The mirror of the ERP's invoices and credit memos. `db/billing/invoices/lists.py` lists them.

Each document is told whole, with its version; a lower version than the one that is kept changes nothing. So a doubled,
late or overtaken event does no harm, and whatever was lost comes with the feed.
"""

from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import structlog
from sqlalchemy import (
    CheckConstraint,
    ColumnElement,
    Computed,
    ForeignKey,
    Index,
    Numeric,
    Row,
    Text,
    delete,
    exists,
    func,
    insert,
    select,
    text,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute, Mapped, mapped_column

from db.base import Base
from db.platform.notices import ORDER, notify
from db.platform.webhook_events import save_event
from domain.billing.invoices.documents import CreditMemo, DocumentLine, Invoice
from domain.billing.invoices.events import CreditMemoChanged, InvoiceChanged

log = structlog.stdlib.get_logger()

PROVIDER = "erp"
_MONEY = Numeric(12, 2)


class InvoiceRow(Base):
    """`searched` is what a term is looked for in. No key to partner or order: the ERP may be ahead of us."""

    __tablename__ = "invoice"
    __table_args__ = (
        CheckConstraint("total = subtotal + freight + tax", name="total"),
        CheckConstraint("paid >= 0 and payoff >= 0", name="not_negative"),
        Index("ix_invoice_partner_date", "partner_code", "create_date", "number"),
        Index("ix_invoice_partner_due", "partner_code", "due_date", "number"),
        Index("ix_invoice_partner_total", "partner_code", "total", "number"),
        Index(
            "ix_invoice_partner_open",
            "partner_code",
            "due_date",
            "balance",
            postgresql_where=text("balance > 0"),
        ),
        Index("ix_invoice_partner_order", "partner_code", "order_number"),
        Index("ix_invoice_partner_token", "partner_code", "order_token"),
        Index(
            "ix_invoice_searched",
            text("searched gin_trgm_ops"),
            postgresql_using="gin",
        ),
    )

    number: Mapped[str] = mapped_column(Text, primary_key=True)
    partner_code: Mapped[str] = mapped_column(Text)
    version: Mapped[int]
    order_number: Mapped[str | None] = mapped_column(Text)
    order_token: Mapped[str | None] = mapped_column(Text)
    po_number: Mapped[str | None] = mapped_column(Text)
    tax_number: Mapped[str | None] = mapped_column(Text)
    shipment_number: Mapped[str | None] = mapped_column(Text)
    create_date: Mapped[date]
    due_date: Mapped[date]
    coupon_code: Mapped[str | None] = mapped_column(Text)
    coupon_amount: Mapped[Decimal] = mapped_column(_MONEY, server_default="0")
    subtotal: Mapped[Decimal] = mapped_column(_MONEY)
    freight: Mapped[Decimal] = mapped_column(_MONEY)
    tax: Mapped[Decimal] = mapped_column(_MONEY)
    total: Mapped[Decimal] = mapped_column(_MONEY)
    paid: Mapped[Decimal] = mapped_column(_MONEY)
    payoff: Mapped[Decimal] = mapped_column(_MONEY)
    balance: Mapped[Decimal] = mapped_column(_MONEY, Computed("greatest(total - paid, 0)"))
    early_pay: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    settled_with: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    searched: Mapped[str] = mapped_column(
        Text,
        Computed("number || ' ' || coalesce(order_number, '') || ' ' || coalesce(po_number, '')"),
    )
    mirrored_at: Mapped[datetime] = mapped_column(server_default=func.now())


class InvoiceLineRow(Base):
    __tablename__ = "invoice_line"

    invoice_number: Mapped[str] = mapped_column(
        ForeignKey("invoice.number", ondelete="CASCADE"), primary_key=True
    )
    place: Mapped[int] = mapped_column(primary_key=True)
    sku: Mapped[str] = mapped_column(Text)
    name: Mapped[str] = mapped_column(Text)
    quantity: Mapped[int]
    unit_price: Mapped[Decimal] = mapped_column(_MONEY)
    total: Mapped[Decimal] = mapped_column(_MONEY)


class CreditMemoRow(Base):
    __tablename__ = "credit_memo"
    __table_args__ = (
        CheckConstraint("applied >= 0", name="not_negative"),
        Index("ix_credit_memo_partner_date", "partner_code", "create_date", "number"),
        Index("ix_credit_memo_partner_total", "partner_code", "total", "number"),
    )

    number: Mapped[str] = mapped_column(Text, primary_key=True)
    partner_code: Mapped[str] = mapped_column(Text)
    version: Mapped[int]
    invoice_number: Mapped[str | None] = mapped_column(Text)
    reason: Mapped[str] = mapped_column(Text)
    create_date: Mapped[date]
    total: Mapped[Decimal] = mapped_column(_MONEY)
    applied: Mapped[Decimal] = mapped_column(_MONEY)
    balance: Mapped[Decimal] = mapped_column(_MONEY, Computed("greatest(total - applied, 0)"))
    applied_to: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    mirrored_at: Mapped[datetime] = mapped_column(server_default=func.now())


class DocumentHoldRow(Base):
    """An invoice or memo that is being paid or applied: by one payment at most."""

    __tablename__ = "document_hold"
    __table_args__ = (Index("ix_document_hold_payment", "payment_id"),)

    number: Mapped[str] = mapped_column(Text, primary_key=True)
    payment_id: Mapped[str] = mapped_column(ForeignKey("invoice_payment.id", ondelete="CASCADE"))
    since: Mapped[datetime] = mapped_column(server_default=func.now())


_FRESH = {"populate_existing": True}
Named = str | InstrumentedAttribute[str]


async def record_document(session: AsyncSession, event: InvoiceChanged | CreditMemoChanged) -> bool:
    """Keeps the event and mirrors its document. Answers whether the event was new."""
    is_new = await save_event(
        session,
        provider=PROVIDER,
        event_id=event.id,
        type=event.type,
        subject=event.document.number,
        body=event.model_dump(mode="json", include={"id", "at", "type"})
        | {"version": event.document.version},
        delivered=True,
    )
    if not is_new:
        return False
    await mirror(session, event.document)
    return True


async def mirror(session: AsyncSession, document: Invoice | CreditMemo) -> bool:
    """Whether this is a version that was not known. A new document is left alone while one of the other kind has its number."""
    if await is_number_of_other_kind(session, document):
        log.error("a document has the number of the other kind", number=document.number)
        return False
    if isinstance(document, CreditMemo):
        return await _upsert(session, CreditMemoRow, memo_columns(document))
    if not await _upsert(session, InvoiceRow, invoice_columns(document)):
        return False
    await session.execute(
        delete(InvoiceLineRow).where(InvoiceLineRow.invoice_number == document.number)
    )
    if document.lines:
        await session.execute(insert(InvoiceLineRow), list(line_columns(document)))
    if document.order_number is not None:
        await notify(session, f"{ORDER}{document.order_number}")
    return True


async def is_number_of_other_kind(session: AsyncSession, document: Invoice | CreditMemo) -> bool:
    """Whether a document that is not kept has the number of a memo, or as a memo that of an invoice: what holds a number holds
    one document."""
    own, other = InvoiceRow.number, CreditMemoRow.number
    if isinstance(document, CreditMemo):
        own, other = other, own
    is_own, is_others = (exists().where(one == document.number) for one in (own, other))
    return bool(await session.scalar(select(is_others & ~is_own)))


async def _upsert(
    session: AsyncSession, table: type[InvoiceRow | CreditMemoRow], values: dict[str, Any]
) -> bool:
    asked = postgresql.insert(table).values(values)
    changes = {name: asked.excluded[name] for name in values if name != "number"}
    stored = await session.scalar(
        asked.on_conflict_do_update(
            index_elements=[table.number],
            set_=changes | {"mirrored_at": func.now()},
            where=table.version < asked.excluded.version,
        ).returning(table.number)
    )
    return stored is not None


async def mirror_all(
    session: AsyncSession, documents: Iterable[Invoice | CreditMemo]
) -> list[Invoice | CreditMemo]:
    """Mirrors them as everybody locks documents. Answers those that were news."""
    return [document for document in as_locked(documents) if await mirror(session, document)]


def as_locked(documents: Iterable[Invoice | CreditMemo]) -> list[Invoice | CreditMemo]:
    """In the order in which everybody locks documents: memos first, each kind by number."""
    return sorted(documents, key=lambda one: (isinstance(one, Invoice), one.number, one.version))


async def find_invoice(
    session: AsyncSession, number: str, partner_code: str | None
) -> Invoice | None:
    """With its lines, if it is this business's. None for the code: whosever it is."""
    query = select(InvoiceRow).where(InvoiceRow.number == number).execution_options(**_FRESH)
    if partner_code is not None:
        query = query.where(InvoiceRow.partner_code == partner_code)
    row = await session.scalar(query)
    if row is None:
        return None
    lines = await session.scalars(
        select(InvoiceLineRow)
        .where(InvoiceLineRow.invoice_number == number)
        .order_by(InvoiceLineRow.place)
    )
    return invoice_of(row, lines)


def are_for(partner_code: Named, number: Named, token: Named) -> ColumnElement[bool]:
    """Invoices of one order: those of its business that name its token, and of those that name none the ones that name its
    number, as numbers may repeat after a restore (decision 92)."""
    by_number = InvoiceRow.order_token.is_(None) & (InvoiceRow.order_number == number)
    return (InvoiceRow.partner_code == partner_code) & (
        (InvoiceRow.order_token == token) | by_number
    )


async def invoices_of_shipments(
    session: AsyncSession, partner_code: str, number: str, token: str
) -> dict[str, str]:
    """Shipment → the number of its invoice, of an order of this business."""
    rows = await session.execute(
        select(InvoiceRow.shipment_number, InvoiceRow.number)
        .where(
            are_for(partner_code, number, token),
            InvoiceRow.shipment_number.is_not(None),
        )
        .order_by(InvoiceRow.number.desc())
        .limit(200)
    )
    return {row.shipment_number: row.number for row in rows}


async def find_memo(
    session: AsyncSession, number: str, partner_code: str | None
) -> CreditMemo | None:
    """If it is this business's. None for the code: whosever it is."""
    query = select(CreditMemoRow).where(CreditMemoRow.number == number).execution_options(**_FRESH)
    if partner_code is not None:
        query = query.where(CreditMemoRow.partner_code == partner_code)
    row = await session.scalar(query)
    return memo_of(row) if row else None


def invoice_of(
    row: InvoiceRow | Row[*tuple[Any, ...]], lines: Iterable[InvoiceLineRow] = ()
) -> Invoice:
    values = {name: getattr(row, name) for name in INVOICE_COLUMNS}
    shown = [DocumentLine.model_validate(line, from_attributes=True) for line in lines]
    return Invoice.model_validate(values | {"lines": shown})


def memo_of(row: CreditMemoRow | Row[*tuple[Any, ...]]) -> CreditMemo:
    return CreditMemo.model_validate({name: getattr(row, name) for name in MEMO_COLUMNS})


INVOICE_COLUMNS = [name for name in Invoice.model_fields if name != "lines"]
MEMO_COLUMNS = list(CreditMemo.model_fields)


def invoice_columns(invoice: Invoice) -> dict[str, Any]:
    return invoice.model_dump(exclude={"lines", "balance", "early_pay", "settled_with"}) | {
        "early_pay": [one.model_dump(mode="json") for one in invoice.early_pay],
        "settled_with": [one.model_dump(mode="json") for one in invoice.settled_with],
    }


def line_columns(invoice: Invoice) -> Iterable[dict[str, Any]]:
    for place, line in enumerate(invoice.lines):
        yield {"invoice_number": invoice.number, "place": place, **line.model_dump()}


def memo_columns(memo: CreditMemo) -> dict[str, Any]:
    return memo.model_dump(exclude={"balance", "applied_to"}) | {
        "applied_to": [one.model_dump(mode="json") for one in memo.applied_to]
    }
