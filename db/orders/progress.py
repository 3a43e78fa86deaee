"""An order is stored, and what becomes of it is written down: each fact once, and the status that follows from all."""

import secrets
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, insert, select, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Base
from db.orders.orders import FRESH, order_of_token
from db.orders.tables import OrderEventRow, OrderLineRow, OrderRow
from db.platform.notices import ORDER, notify
from domain.orders.orders import (
    NewOrder,
    Order,
    OrderEvent,
    OrderEventKind,
    OrderFacts,
    OrderMissing,
    OrderStatus,
    status_from,
)

_FACTS = text(
    """
    select coalesce((select jsonb_object_agg(sku, pieces) from (
               select sku, sum(quantity) as pieces from shop_order_line where order_id = :order_id group by sku
           ) ordered), '{}') as ordered,
           coalesce((select jsonb_object_agg(sku, pieces) from (
               select parcel ->> 'sku' as sku, sum((parcel ->> 'quantity')::int) as pieces
               from shop_order_shipment, jsonb_array_elements(parcels) parcel where order_id = :order_id group by 1
           ) sent), '{}') as sent,
           coalesce((select jsonb_object_agg(sku, pieces) from (
               select parcel ->> 'sku' as sku, sum((parcel ->> 'quantity')::int) as pieces
               from shop_order_withdrawal, jsonb_array_elements(parcels) parcel where order_id = :order_id group by 1
           ) withdrawn), '{}') as withdrawn,
           array(select number from shop_order_shipment where order_id = :order_id) as shipments,
           array(select shipment_number from shop_order_invoice where order_id = :order_id) as invoiced,
           now() as at
    """
)
"""Pieces by SKU, and the numbers that the status follows from; an invoice without one of a shipment is of the whole order. `at`
is when it is worked out."""

_LOCKED = (
    select(OrderRow)
    .where(OrderRow.id == bindparam("id"))
    .with_for_update()
    .execution_options(**FRESH)
)
_ENTRY = postgresql.insert(
    Base.metadata.tables[OrderEventRow.__tablename__]
).on_conflict_do_nothing()
"""Put together once: that takes longer than to run them, as every fact of an order does."""


async def store(session: AsyncSession, new: NewOrder) -> Order:
    """The order of this cart. Of two that store one at once, both get the same; what was stored first stays."""
    stored = await store_new(session, new) or await order_of_token(session, new.token)
    assert stored is not None
    return stored


async def store_new(session: AsyncSession, new: NewOrder) -> Order | None:
    """The order of this cart, with its number; None where the cart has one."""
    stored = await session.execute(
        postgresql.insert(OrderRow)
        .values(id=secrets.token_hex(16), status=OrderStatus.PLACED.value, **_columns(new))
        .on_conflict_do_nothing(index_elements=[OrderRow.token])
        .returning(OrderRow.id, OrderRow.number, OrderRow.updated_at)
    )
    row = stored.one_or_none()
    if row is None:
        return None
    await session.execute(
        insert(OrderLineRow),
        [
            {"order_id": row.id, "place": place, **line.model_dump()}
            for place, line in enumerate(new.lines)
        ],
    )
    await add_event(session, row.id, "placed", OrderEventKind.PLACED, new.created_at)
    return Order(
        **dict(new),
        id=row.id,
        number=row.number,
        status=OrderStatus.PLACED,
        erp_number=None,
        invoice_number=None,
        shipments=(),
        history=(OrderEvent(kind=OrderEventKind.PLACED, at=new.created_at),),
        updated_at=row.updated_at,
    )


async def mark_handed_over(
    session: AsyncSession, order_id: str, erp_number: str, at: datetime
) -> OrderStatus:
    """The ERP has it, under this number. Said again it changes nothing. Raises OrderMissing."""
    row = await locked(session, order_id)
    kind, number = OrderEventKind.HANDED_OVER, row.erp_number or erp_number
    await add_event(session, order_id, "handed_over", kind, at, number)
    row.erp_number = number
    return await update_status(session, row)


async def mark_cancelled(
    session: AsyncSession, order_id: str, reason: str | None, at: datetime
) -> OrderStatus:
    """Said again it changes nothing. Raises OrderMissing."""
    row = await locked(session, order_id)
    if row.cancelled_at is None:
        row.cancelled_at = at
    await add_event(session, order_id, "cancelled", OrderEventKind.CANCELLED, at, reason)
    return await update_status(session, row)


async def locked(session: AsyncSession, order_id: str) -> OrderRow:
    """The row until the transaction ends: facts of one order queue. Raises OrderMissing."""
    row = await session.scalar(_LOCKED, {"id": order_id})
    if row is None:
        raise OrderMissing
    return row


async def update_status(session: AsyncSession, row: OrderRow) -> OrderStatus:
    """Works the status out again from what is known by now. The row is locked."""
    with session.no_autoflush:
        # What the caller has changed of the row is written with its status.
        facts = (await session.execute(_FACTS, {"order_id": row.id})).one()
    invoices: list[str | None] = facts.invoiced
    status = status_from(
        OrderFacts(
            erp_number=row.erp_number,
            is_accepted=row.accepted_at is not None,
            is_cancelled=row.cancelled_at is not None,
            invoice_number=row.invoice_number,
            ordered=facts.ordered,
            sent=facts.sent,
            withdrawn=facts.withdrawn,
            shipments=frozenset(facts.shipments),
            invoiced=frozenset() if None in invoices else frozenset(filter(None, invoices)),
        )
    )
    row.status, row.updated_at = status.value, facts.at
    await session.flush()
    await notify(session, f"{ORDER}{row.number}")
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
    entry = {"order_id": order_id, "key": key, "kind": kind.value, "at": at, "note": note}
    await session.execute(_ENTRY, entry)


def _columns(new: NewOrder) -> dict[str, Any]:
    plain = new.model_dump(exclude={"lines", "taxes", "shipping_address", "billing_address"})
    return plain | {
        "payment_type": new.payment_type.value,
        "pieces": new.pieces,
        "taxes": [tax.model_dump(mode="json") for tax in new.taxes],
        "shipping_address": new.shipping_address.model_dump(),
        "billing_address": new.billing_address.model_dump(),
    }
