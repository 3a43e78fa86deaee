"""Receipts of plan purchases: one row for each purchase that was charged, or that was declined."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import CheckConstraint, ColumnElement, Index, Text, and_, func, select, tuple_
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Executes
from db.partners.businesses import buyer_of_code
from db.plans.lines import drop_plan_lines
from db.plans.plans import MONEY, Holders
from domain.base import Frozen
from domain.paper.buyer import Buyer
from domain.plans.receipts import Receipt, ReceiptCounts


class ReceiptRow(Base):
    """`uuid` is the purchase's id. Amounts add up: what was charged is base less discount plus tax."""

    __tablename__ = "receipt"
    __table_args__ = (
        CheckConstraint("final_charge = base_amount - currency_discount + base_tax", name="sums"),
        CheckConstraint("refunded between 0 and final_charge", name="refunded"),
        Index("ix_receipt_partner_created", "partner_code", "created_at", "uuid"),
        Index("ix_receipt_owner_created", "owner_id", "created_at", "uuid"),
        Index("ix_receipt_created", "created_at", "uuid"),
    )

    uuid: Mapped[str] = mapped_column(Text, primary_key=True)
    partner_code: Mapped[str | None] = mapped_column(Text)
    dealer_id: Mapped[str | None] = mapped_column(Text)
    owner_id: Mapped[str | None] = mapped_column(Text)
    subscriber_id: Mapped[str | None] = mapped_column(Text)
    bought_by: Mapped[str] = mapped_column(Text)
    acting_for: Mapped[str | None] = mapped_column(Text)
    succeeded: Mapped[bool]
    detail: Mapped[str | None] = mapped_column(Text)
    transaction_id: Mapped[str | None] = mapped_column(Text)
    payment_shown: Mapped[str] = mapped_column(Text)
    currency: Mapped[str] = mapped_column(Text)
    base_amount: Mapped[Decimal] = mapped_column(MONEY)
    currency_discount: Mapped[Decimal] = mapped_column(MONEY)
    base_tax: Mapped[Decimal] = mapped_column(MONEY)
    gst_hst: Mapped[Decimal] = mapped_column(MONEY)
    final_charge: Mapped[Decimal] = mapped_column(MONEY)
    refunded: Mapped[Decimal] = mapped_column(MONEY, server_default="0")
    lines: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    taxes: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    address: Mapped[dict[str, Any]] = mapped_column(JSONB)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    completed_at: Mapped[datetime | None]


class ReceiptFilter(Frozen):
    """What a list of receipts is narrowed by; an empty list narrows nothing (shop spec 3, "filter options")."""

    successes_only: bool = False
    declined_only: bool = False
    subscriber_id: str | None = None
    transaction_ids: tuple[str, ...] = ()
    total_charges: tuple[Decimal, ...] = ()
    subtotals: tuple[Decimal, ...] = ()
    gst_hst: tuple[Decimal, ...] = ()


async def save_receipt(session: Executes, receipt: Receipt) -> None:
    """Writes the receipt as it is now, over the one of the same purchase. Idempotent."""
    values = receipt.model_dump() | receipt.model_dump(
        mode="json", include={"lines", "taxes", "address"}
    )
    changed = {name: value for name, value in values.items() if name not in ("uuid", "created_at")}
    await session.execute(
        insert(ReceiptRow)
        .values(values)
        .on_conflict_do_update(index_elements=["uuid"], set_=changed)
    )


async def save_receipt_and_cart(
    session: AsyncSession, receipt: Receipt, person_id: str, final: Sequence[str]
) -> None:
    """The receipt, and the cart without the lines of what became final since it was written last: a device that was final
    before is free, and a line for it was chosen since."""
    before = await receipt_of(session, receipt.uuid)
    lines = before.lines if before else ()
    known = {line.device_key for line in lines if line.is_final}
    await save_receipt(session, receipt)
    fresh = [key for key in final if key not in known]
    if receipt.partner_code is not None and fresh:
        await drop_plan_lines(session, person_id, receipt.partner_code, fresh)


async def find_receipt(session: AsyncSession, holders: Holders, uuid: str) -> Receipt | None:
    row = await session.scalar(
        select(ReceiptRow).where(ReceiptRow.uuid == uuid, *_of_holders(holders))
    )
    return _receipt(row) if row else None


async def receipt_of(session: AsyncSession, uuid: str) -> Receipt | None:
    """Whosever it is."""
    row = await session.get(ReceiptRow, uuid)
    return _receipt(row) if row else None


async def buyer_of(session: AsyncSession, receipt: Receipt) -> Buyer:
    """The business, or of the person who bought for nobody else."""
    if receipt.partner_code is None:
        return Buyer(name=receipt.bought_by)
    return await buyer_of_code(session, receipt.partner_code)


async def list_receipts(
    session: AsyncSession,
    holders: Holders,
    wanted: ReceiptFilter,
    *,
    limit: int,
    offset: int = 0,
    after: tuple[datetime, str] | None = None,
) -> tuple[Receipt, ...]:
    """The latest first. `after` is the (created_at, uuid) of the last one that is known already."""
    query = select(ReceiptRow).where(_matching(holders, wanted))
    if after is not None:
        query = query.where(tuple_(ReceiptRow.created_at, ReceiptRow.uuid) < after)
    rows = await session.scalars(
        query.order_by(ReceiptRow.created_at.desc(), ReceiptRow.uuid.desc())
        .limit(limit)
        .offset(offset)
    )
    return tuple(_receipt(row) for row in rows)


async def count_receipts(
    session: AsyncSession, holders: Holders, wanted: ReceiptFilter
) -> ReceiptCounts:
    """Of all that fit, whichever of the two is wanted."""
    either = wanted.model_copy(update={"successes_only": False, "declined_only": False})
    charged = func.count().filter(ReceiptRow.succeeded)
    query = select(charged, func.count() - charged).select_from(ReceiptRow)
    row = (await session.execute(query.where(_matching(holders, either)))).one()
    return ReceiptCounts(charged=row[0], declined=row[1])


def _matching(holders: Holders, wanted: ReceiptFilter) -> ColumnElement[bool]:
    found = _of_holders(holders)
    if wanted.successes_only:
        found.append(ReceiptRow.succeeded.is_(True))
    if wanted.declined_only:
        found.append(ReceiptRow.succeeded.is_(False))
    if wanted.subscriber_id is not None:
        found.append(ReceiptRow.subscriber_id == wanted.subscriber_id)
    narrowed: Sequence[tuple[Any, Sequence[Any]]] = (
        (ReceiptRow.transaction_id, wanted.transaction_ids),
        (ReceiptRow.final_charge, wanted.total_charges),
        (ReceiptRow.base_amount, wanted.subtotals),
        (ReceiptRow.gst_hst, wanted.gst_hst),
    )
    found += [column.in_(values) for column, values in narrowed if values]
    return and_(True, *found)


def _of_holders(holders: Holders) -> list[ColumnElement[bool]]:
    if holders.everybodys:
        return []
    if holders.partner_code is not None:
        return [ReceiptRow.partner_code == holders.partner_code]
    return [ReceiptRow.owner_id == holders.owner_id]


def _receipt(row: ReceiptRow) -> Receipt:
    return Receipt.model_validate(row, from_attributes=True)
