"""An order is stored, and what becomes of it is written down: each fact once, and the status that follows from all."""

import secrets
from datetime import datetime
from typing import Any

from sqlalchemy import func, insert, select, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncSession

from db.orders.orders import (
    FRESH,
    invoices_of,
    lines_of,
    order_of_token,
    shipments_of,
    withdrawals_of,
)
from db.orders.tables import OrderEventRow, OrderLineRow, OrderRow
from db.platform.notices import ORDER, tell
from domain.orders.orders import (
    NewOrder,
    Order,
    OrderEventKind,
    OrderFacts,
    OrderMissing,
    OrderStatus,
    pieces_by_sku,
    status_from,
)


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


async def locked(session: AsyncSession, order_id: str) -> OrderRow:
    """The row until the transaction ends: facts of one order queue. Raises OrderMissing."""
    query = select(OrderRow).where(OrderRow.id == order_id).with_for_update()
    row = await session.scalar(query.execution_options(**FRESH))
    if row is None:
        raise OrderMissing
    return row


async def settle(session: AsyncSession, row: OrderRow) -> OrderStatus:
    """Works the status out again from what is known by now. The row is locked."""
    news = f"{ORDER}{row.number}"
    lines = await lines_of(session, row.id)
    shipments = await shipments_of(session, row.id)
    withdrawals = await withdrawals_of(session, row.id)
    invoices = await invoices_of(session, row.id)
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


def _columns(new: NewOrder) -> dict[str, Any]:
    plain = new.model_dump(exclude={"lines", "taxes", "shipping_address", "billing_address"})
    return plain | {
        "payment_type": new.payment_type.value,
        "pieces": new.pieces,
        "taxes": [tax.model_dump(mode="json") for tax in new.taxes],
        "shipping_address": new.shipping_address.model_dump(),
        "billing_address": new.billing_address.model_dump(),
    }
