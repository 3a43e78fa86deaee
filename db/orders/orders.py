"""Orders, their lines, shipments and history. `db/orders/lists.py` lists them."""

import secrets
from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Computed,
    ForeignKey,
    Identity,
    Index,
    Numeric,
    Text,
    and_,
    func,
    insert,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from db.platform.notices import ORDER, tell
from domain.billing.payments import PaymentType
from domain.orders.orders import (
    FIRST_NUMBER,
    OPEN,
    NewOrder,
    Order,
    OrderCard,
    OrderEvent,
    OrderEventKind,
    OrderFacts,
    OrderLine,
    OrderMissing,
    OrderStatus,
    Parcel,
    Shipment,
    Withdrawal,
    pieces_by_sku,
    status_from,
)

MOST_ENTRIES = 200
"""Shipments, and entries of the history, that one order tells of."""
_MONEY = Numeric(12, 2)
_STATUSES = ", ".join(f"'{status.value}'" for status in OrderStatus)
_OPEN = ", ".join(f"'{status.value}'" for status in OrderStatus if status in OPEN)


class OrderRow(Base):
    """One order for each cart. Its figures are never changed; what the ERP adds stands beside them."""

    __tablename__ = "shop_order"
    # `number` is the database's own: without this a change of the row would have it read again, where nobody can wait.
    __mapper_args__: ClassVar = {"eager_defaults": True}
    __table_args__ = (
        CheckConstraint(f"status in ({_STATUSES})", name="status"),
        CheckConstraint("total = subtotal - coupon_amount + freight + tax", name="total"),
        Index("ix_shop_order_partner_created", "partner_code", "created_at", "id"),
        Index(
            "ix_shop_order_partner_open",
            "partner_code",
            postgresql_where=text(f"status in ({_OPEN})"),
        ),
        Index(
            "ix_shop_order_partner_po",
            "partner_code",
            "po_number",
            postgresql_where=text("po_number is not null"),
        ),
        Index(
            "ix_shop_order_po_number_likeness",
            text("po_number gin_trgm_ops"),
            postgresql_using="gin",
        ),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    count: Mapped[int] = mapped_column(BigInteger, Identity(always=True, start=FIRST_NUMBER))
    number: Mapped[str] = mapped_column(Text, Computed("'T-' || count::text"), unique=True)
    token: Mapped[str] = mapped_column(Text, unique=True)
    workflow_id: Mapped[str | None] = mapped_column(Text)
    status: Mapped[str] = mapped_column(Text)
    partner_code: Mapped[str] = mapped_column(ForeignKey("partner.sap_bp_code", onupdate="CASCADE"))
    placed_by: Mapped[str] = mapped_column(Text)
    placed_by_name: Mapped[str] = mapped_column(Text)
    acting_as: Mapped[str | None] = mapped_column(Text)
    po_number: Mapped[str | None] = mapped_column(Text)
    pieces: Mapped[int]
    subtotal: Mapped[Decimal] = mapped_column(_MONEY)
    coupon_code: Mapped[str | None] = mapped_column(Text)
    coupon_amount: Mapped[Decimal] = mapped_column(_MONEY, server_default="0")
    freight: Mapped[Decimal] = mapped_column(_MONEY)
    tax: Mapped[Decimal] = mapped_column(_MONEY)
    taxes: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    total: Mapped[Decimal] = mapped_column(_MONEY)
    shipping_method: Mapped[str] = mapped_column(Text)
    shipping_address: Mapped[dict[str, Any]] = mapped_column(JSONB)
    billing_address: Mapped[dict[str, Any]] = mapped_column(JSONB)
    payment_type: Mapped[str] = mapped_column(Text)
    payment_shown: Mapped[str] = mapped_column(Text)
    channel: Mapped[str] = mapped_column(Text)
    erp_number: Mapped[str | None] = mapped_column(Text, unique=True)
    invoice_number: Mapped[str | None] = mapped_column(Text)
    accepted_at: Mapped[datetime | None]
    cancelled_at: Mapped[datetime | None]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class OrderLineRow(Base):
    """As it was ordered. No key to the catalogue: the order outlives the product."""

    __tablename__ = "shop_order_line"
    __table_args__ = (
        CheckConstraint("quantity > 0 and quantity = now + later", name="quantity"),
        CheckConstraint("total = unit_price * quantity", name="total"),
    )

    order_id: Mapped[str] = mapped_column(
        ForeignKey("shop_order.id", ondelete="CASCADE"), primary_key=True
    )
    place: Mapped[int] = mapped_column(primary_key=True)
    variant_id: Mapped[str] = mapped_column(Text)
    product_id: Mapped[str] = mapped_column(Text)
    sku: Mapped[str] = mapped_column(Text)
    name: Mapped[str] = mapped_column(Text)
    image: Mapped[str] = mapped_column(Text)
    quantity: Mapped[int]
    now: Mapped[int]
    later: Mapped[int]
    unit_price: Mapped[Decimal] = mapped_column(_MONEY)
    total: Mapped[Decimal] = mapped_column(_MONEY)
    vehicle: Mapped[str | None] = mapped_column(Text)


class ShipmentRow(Base):
    __tablename__ = "shop_order_shipment"

    order_id: Mapped[str] = mapped_column(
        ForeignKey("shop_order.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[str] = mapped_column(Text, primary_key=True)
    carrier: Mapped[str] = mapped_column(Text)
    tracking_number: Mapped[str] = mapped_column(Text)
    shipped_at: Mapped[datetime]
    parcels: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)


class WithdrawalRow(Base):
    """A shipment that will not be sent, and what was paid for it."""

    __tablename__ = "shop_order_withdrawal"

    order_id: Mapped[str] = mapped_column(
        ForeignKey("shop_order.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[str] = mapped_column(Text, primary_key=True)
    reason: Mapped[str] = mapped_column(Text)
    withdrawn_at: Mapped[datetime]
    parcels: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    amount: Mapped[Decimal] = mapped_column(_MONEY)


class OrderInvoiceRow(Base):
    """An invoice of an order, as it was told: of one shipment, or of the whole order."""

    __tablename__ = "shop_order_invoice"

    order_id: Mapped[str] = mapped_column(
        ForeignKey("shop_order.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[str] = mapped_column(Text, primary_key=True)
    shipment_number: Mapped[str | None] = mapped_column(Text)
    amount: Mapped[Decimal] = mapped_column(_MONEY)
    heard_at: Mapped[datetime] = mapped_column(server_default=func.now())


class OrderEventRow(Base):
    """The history of an order; each entry once, by `key`."""

    __tablename__ = "shop_order_event"

    order_id: Mapped[str] = mapped_column(
        ForeignKey("shop_order.id", ondelete="CASCADE"), primary_key=True
    )
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    kind: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime]
    note: Mapped[str | None] = mapped_column(Text)


_FRESH = {"populate_existing": True}


async def store(session: AsyncSession, new: NewOrder) -> Order:
    """The order of this cart, with its number. Of two that store one at once, both get the same; what was stored first stays."""
    id_ = await session.scalar(
        postgresql.insert(OrderRow)
        .values(id=secrets.token_hex(16), status=OrderStatus.PLACED.value, **_columns(new))
        .on_conflict_do_nothing(index_elements=[OrderRow.token])
        .returning(OrderRow.id)
    )
    if id_ is not None:
        await session.execute(
            insert(OrderLineRow),
            [
                {"order_id": id_, "place": place, **line.model_dump()}
                for place, line in enumerate(new.lines)
            ],
        )
        await add_event(session, id_, "placed", OrderEventKind.PLACED, new.created_at)
    stored = await order_of_token(session, new.token)
    assert stored is not None
    return stored


async def order_of_token(session: AsyncSession, token: str) -> Order | None:
    """The order that was made of this cart."""
    query = select(OrderRow).where(OrderRow.token == token).execution_options(**_FRESH)
    row = await session.scalar(query)
    return await _order(session, row) if row else None


async def find_order(session: AsyncSession, id_: str, partner_code: str | None) -> Order | None:
    """The order with this id, if it is this business's. None for the code: whosever it is."""
    query = select(OrderRow).where(OrderRow.id == id_).execution_options(**_FRESH)
    if partner_code is not None:
        query = query.where(OrderRow.partner_code == partner_code)
    row = await session.scalar(query)
    return await _order(session, row) if row else None


async def id_of_number(session: AsyncSession, number: str | None, partner_code: str) -> str | None:
    """The id of the order with this number of ours, if it is this business's."""
    if number is None:
        return None
    return await session.scalar(
        select(OrderRow.id).where(OrderRow.number == number, OrderRow.partner_code == partner_code)
    )


async def number_of_po(
    session: AsyncSession, partner_code: str, po_number: str | None, but: str
) -> str | None:
    """The number of the latest order of this business with this PO number; neither one that was cancelled nor the one of the
    cart `but`."""
    if po_number is None:
        return None
    return await session.scalar(
        select(OrderRow.number)
        .where(
            OrderRow.partner_code == partner_code,
            OrderRow.po_number == po_number,
            OrderRow.token != but,
            OrderRow.cancelled_at.is_(None),
        )
        .order_by(OrderRow.count.desc())
        .limit(1)
    )


async def mark_handed_over(
    session: AsyncSession, order_id: str, erp_number: str, at: datetime
) -> OrderStatus:
    """The ERP has it, under this number. Said again it changes nothing. Raises OrderMissing."""
    row = await locked(session, order_id)
    row.erp_number = row.erp_number or erp_number
    await add_event(
        session, order_id, "handed_over", OrderEventKind.HANDED_OVER, at, row.erp_number
    )
    return await settle(session, row)


async def mark_cancelled(
    session: AsyncSession, order_id: str, reason: str | None, at: datetime
) -> OrderStatus:
    """Said again it changes nothing. Raises OrderMissing."""
    row = await locked(session, order_id)
    if row.cancelled_at is None:
        row.cancelled_at = at
    await add_event(session, order_id, "cancelled", OrderEventKind.CANCELLED, at, reason)
    return await settle(session, row)


async def open_amount(
    session: AsyncSession,
    partner_code: str,
    payment_type: PaymentType | None = None,
    *,
    told_at: datetime | None = None,
) -> Decimal:
    """What of the orders of a business is not invoiced yet; of one type of payment only, if one is named.

    With `told_at`, when the ERP told the balance of the business, what was invoiced since counts as well: that balance does
    not hold it.
    """
    is_open = OrderRow.status.in_([status.value for status in OPEN])
    if told_at is not None:
        is_invoiced = OrderRow.status == OrderStatus.INVOICED.value
        is_open = or_(is_open, and_(is_invoiced, OrderRow.updated_at >= told_at))
    held = select(func.coalesce(func.sum(OrderInvoiceRow.amount), 0)).where(
        OrderInvoiceRow.order_id == OrderRow.id
    )
    if told_at is not None:
        held = held.where(OrderInvoiceRow.heard_at < told_at)
    left = func.greatest(OrderRow.total - held.scalar_subquery(), 0)
    query = select(func.coalesce(func.sum(left), 0)).where(
        OrderRow.partner_code == partner_code, is_open
    )
    if payment_type is not None:
        query = query.where(OrderRow.payment_type == payment_type.value)
    return Decimal(await session.scalar(query) or 0)


async def locked(session: AsyncSession, order_id: str) -> OrderRow:
    """The row until the transaction ends: facts of one order queue. Raises OrderMissing."""
    query = select(OrderRow).where(OrderRow.id == order_id).with_for_update()
    row = await session.scalar(query.execution_options(**_FRESH))
    if row is None:
        raise OrderMissing
    return row


async def settle(session: AsyncSession, row: OrderRow) -> OrderStatus:
    """Works the status out again from what is known by now. The row is locked."""
    news = f"{ORDER}{row.number}"
    lines = await _lines(session, row.id)
    shipments = await _shipments(session, row.id)
    withdrawals = await _withdrawals(session, row.id)
    invoices = await _invoices(session, row.id)
    status = status_from(
        OrderFacts(
            erp_number=row.erp_number,
            is_accepted=row.accepted_at is not None,
            is_cancelled=row.cancelled_at is not None,
            invoice_number=row.invoice_number,
            ordered=pieces_by_sku(lines),
            sent=pieces_by_sku([parcel for one in shipments for parcel in one.parcels]),
            withdrawn=pieces_by_sku([parcel for one in withdrawals for parcel in one.parcels]),
            shipments=frozenset(one.number for one in shipments),
            invoiced=frozenset() if None in invoices else frozenset(filter(None, invoices)),
        )
    )
    values = {
        "status": status.value,
        "erp_number": row.erp_number,
        "invoice_number": row.invoice_number,
        "accepted_at": row.accepted_at,
        "cancelled_at": row.cancelled_at,
        "updated_at": func.now(),
    }
    await session.execute(update(OrderRow).where(OrderRow.id == row.id).values(values))
    await tell(session, news)
    return status


async def add_event(
    session: AsyncSession,
    order_id: str,
    key: str,
    kind: OrderEventKind,
    at: datetime,
    note: str | None = None,
) -> None:
    """An entry of the history, once for each `key`."""
    await session.execute(
        postgresql.insert(OrderEventRow)
        .values(order_id=order_id, key=key, kind=kind.value, at=at, note=note)
        .on_conflict_do_nothing()
    )


def card_of(row: OrderRow) -> OrderCard:
    return OrderCard.model_validate(row, from_attributes=True)


def _columns(new: NewOrder) -> dict[str, Any]:
    plain = new.model_dump(exclude={"lines", "taxes", "shipping_address", "billing_address"})
    return plain | {
        "payment_type": new.payment_type.value,
        "pieces": new.pieces,
        "taxes": [tax.model_dump(mode="json") for tax in new.taxes],
        "shipping_address": new.shipping_address.model_dump(),
        "billing_address": new.billing_address.model_dump(),
    }


async def _order(session: AsyncSession, row: OrderRow) -> Order:
    events = await session.scalars(
        select(OrderEventRow)
        .where(OrderEventRow.order_id == row.id)
        .order_by(OrderEventRow.at, OrderEventRow.key)
        .limit(MOST_ENTRIES)
    )
    told = {column.key: getattr(row, column.key) for column in OrderRow.__mapper__.columns}
    return Order.model_validate(
        told
        | {
            "lines": await _lines(session, row.id),
            "shipments": await _shipments(session, row.id),
            "withdrawals": await _withdrawals(session, row.id),
            "history": [OrderEvent.model_validate(one, from_attributes=True) for one in events],
        }
    )


async def _lines(session: AsyncSession, order_id: str) -> list[OrderLine]:
    rows = await session.scalars(
        select(OrderLineRow).where(OrderLineRow.order_id == order_id).order_by(OrderLineRow.place)
    )
    return [OrderLine.model_validate(row, from_attributes=True) for row in rows]


async def _invoices(session: AsyncSession, order_id: str) -> dict[str | None, str]:
    """Shipment → the number of its invoice; None is the whole order."""
    rows = await session.scalars(
        select(OrderInvoiceRow)
        .where(OrderInvoiceRow.order_id == order_id)
        .order_by(OrderInvoiceRow.number.desc())
        .limit(MOST_ENTRIES)
    )
    return {row.shipment_number: row.number for row in rows}


async def _shipments(session: AsyncSession, order_id: str) -> tuple[Shipment, ...]:
    invoices = await _invoices(session, order_id)
    rows = await session.scalars(
        select(ShipmentRow)
        .where(ShipmentRow.order_id == order_id)
        .order_by(ShipmentRow.shipped_at, ShipmentRow.number)
        .limit(MOST_ENTRIES)
    )
    return tuple(
        Shipment(
            number=row.number,
            carrier=row.carrier,
            tracking_number=row.tracking_number,
            shipped_at=row.shipped_at,
            parcels=tuple(Parcel.model_validate(parcel) for parcel in row.parcels),
            invoice_number=invoices.get(row.number),
        )
        for row in rows
    )


async def _withdrawals(session: AsyncSession, order_id: str) -> tuple[Withdrawal, ...]:
    rows = await session.scalars(
        select(WithdrawalRow)
        .where(WithdrawalRow.order_id == order_id)
        .order_by(WithdrawalRow.withdrawn_at, WithdrawalRow.number)
        .limit(MOST_ENTRIES)
    )
    return tuple(Withdrawal.model_validate(row, from_attributes=True) for row in rows)
