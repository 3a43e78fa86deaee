"""Orders as they stand: one by its id, token or number, with its lines, shipments and history. `db/orders/lists.py` lists them."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import and_, bindparam, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.orders.tables import (
    OrderEventRow,
    OrderInvoiceRow,
    OrderLineRow,
    OrderRow,
    ShipmentRow,
    WithdrawalRow,
)
from domain.billing.invoices.documents import Invoice
from domain.billing.payments import PaymentType
from domain.orders.orders import (
    OPEN,
    Order,
    OrderEvent,
    OrderLine,
    OrderStatus,
    OrderSummary,
    Parcel,
    Shipment,
    Withdrawal,
)

MOST_ENTRIES = 200
"""Shipments, and entries of the history, that one order tells of."""
FRESH = {"populate_existing": True}

_OF_TOKEN = select(OrderRow).where(OrderRow.token == bindparam("token")).execution_options(**FRESH)
_EVENTS = (
    select(OrderEventRow)
    .where(OrderEventRow.order_id == bindparam("order_id"))
    .order_by(OrderEventRow.at, OrderEventRow.key)
    .limit(MOST_ENTRIES)
)
_LINES = (
    select(OrderLineRow)
    .where(OrderLineRow.order_id == bindparam("order_id"))
    .order_by(OrderLineRow.place)
)
_SHIPMENTS = (
    select(ShipmentRow)
    .where(ShipmentRow.order_id == bindparam("order_id"))
    .order_by(ShipmentRow.shipped_at, ShipmentRow.number)
    .limit(MOST_ENTRIES)
)
_WITHDRAWALS = (
    select(WithdrawalRow)
    .where(WithdrawalRow.order_id == bindparam("order_id"))
    .order_by(WithdrawalRow.withdrawn_at, WithdrawalRow.number)
    .limit(MOST_ENTRIES)
)
"""What every look at an order asks is put together once: that takes longer than to run it."""


async def order_of_token(session: AsyncSession, token: str) -> Order | None:
    """The order that was made of this cart."""
    row = await session.scalar(_OF_TOKEN, {"token": token})
    return await _order(session, row) if row else None


async def find_order(session: AsyncSession, id_: str, partner_code: str | None) -> Order | None:
    """The order with this id, if it is this business's. None for the code: whosever it is."""
    query = select(OrderRow).where(OrderRow.id == id_).execution_options(**FRESH)
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


async def id_of_invoiced(session: AsyncSession, invoice: Invoice) -> str | None:
    """The id of the order that an invoice is for, of its business: by the token, and by the number where it names no token
    (decision 92)."""
    code, token = invoice.partner_code, invoice.order_token
    if token is None:
        return await id_of_number(session, invoice.order_number, code)
    return await session.scalar(
        select(OrderRow.id).where(OrderRow.token == token, OrderRow.partner_code == code)
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
            OrderRow.status != OrderStatus.CANCELLED.value,
        )
        .order_by(OrderRow.count.desc())
        .limit(1)
    )


async def open_amount(
    session: AsyncSession,
    partner_code: str,
    payment_type: PaymentType | None = None,
    *,
    balance_at: datetime | None = None,
) -> Decimal:
    """What of the orders of a business is not invoiced yet and may still be; of one type of payment only, if one is named.

    With `balance_at`, when the ERP told the balance of the business, what was invoiced since counts as well: that balance does
    not hold it.
    """
    is_open = OrderRow.status.in_([status.value for status in OPEN])
    if balance_at is not None:
        is_invoiced = OrderRow.status == OrderStatus.INVOICED.value
        is_open = or_(is_open, and_(is_invoiced, OrderRow.updated_at >= balance_at))
    held = select(func.coalesce(func.sum(OrderInvoiceRow.amount), 0)).where(
        OrderInvoiceRow.order_id == OrderRow.id
    )
    if balance_at is not None:
        held = held.where(OrderInvoiceRow.recorded_at < balance_at)
    never = select(func.coalesce(func.sum(WithdrawalRow.amount), 0)).where(
        WithdrawalRow.order_id == OrderRow.id
    )
    left = func.greatest(OrderRow.total - held.scalar_subquery() - never.scalar_subquery(), 0)
    query = select(func.coalesce(func.sum(left), 0)).where(
        OrderRow.partner_code == partner_code, is_open
    )
    if payment_type is not None:
        query = query.where(OrderRow.payment_type == payment_type.value)
    return Decimal(await session.scalar(query) or 0)


def summary_of(row: OrderRow) -> OrderSummary:
    return OrderSummary.model_validate(row, from_attributes=True)


async def _order(session: AsyncSession, row: OrderRow) -> Order:
    events = await session.scalars(_EVENTS, {"order_id": row.id})
    columns = {column.key: getattr(row, column.key) for column in OrderRow.__mapper__.columns}
    return Order.model_validate(
        columns
        | {
            "lines": await lines_of(session, row.id),
            "shipments": await shipments_of(session, row.id),
            "withdrawals": await withdrawals_of(session, row.id),
            "history": [OrderEvent.model_validate(one, from_attributes=True) for one in events],
        }
    )


async def lines_of(session: AsyncSession, order_id: str) -> list[OrderLine]:
    rows = await session.scalars(_LINES, {"order_id": order_id})
    return [OrderLine.model_validate(row, from_attributes=True) for row in rows]


async def invoices_of(session: AsyncSession, order_id: str) -> dict[str | None, str]:
    """Shipment → the number of its invoice; None is the whole order."""
    rows = await session.scalars(
        select(OrderInvoiceRow)
        .where(OrderInvoiceRow.order_id == order_id)
        .order_by(OrderInvoiceRow.number.desc())
        .limit(MOST_ENTRIES)
    )
    return {row.shipment_number: row.number for row in rows}


async def shipments_of(session: AsyncSession, order_id: str) -> tuple[Shipment, ...]:
    found = await session.scalars(_SHIPMENTS, {"order_id": order_id})
    rows = found.all()
    invoices = await invoices_of(session, order_id) if rows else {}
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


async def withdrawals_of(session: AsyncSession, order_id: str) -> tuple[Withdrawal, ...]:
    rows = await session.scalars(_WITHDRAWALS, {"order_id": order_id})
    return tuple(Withdrawal.model_validate(row, from_attributes=True) for row in rows)
