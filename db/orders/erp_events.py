"""What the ERP tells of orders: kept first, then taken over by the order, in one transaction.

An event comes at least once and in any order. Each is kept once by its id; the order's status follows from the facts, so
any order of the same events ends the same.
"""

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.orders.orders import OrderRow, ShipmentRow, add_event, locked, settle
from db.platform.webhook_events import WebhookEventRow, keep_event
from domain.orders.erp_events import (
    ErpEvent,
    OrderAccepted,
    OrderCancelled,
    OrderInvoiced,
    OrderShipped,
)
from domain.orders.orders import OrderEventKind

PROVIDER = "erp"


async def hear(session: AsyncSession, event: ErpEvent) -> bool:
    """Keeps the event and lets its order take it over. Answers whether it was new. An order that nobody knows changes
    nothing: orders are stored before they are handed over."""
    is_new = await keep_event(
        session,
        provider=PROVIDER,
        event_id=event.id,
        type=event.type,
        subject=event.reference,
        body=event.model_dump(mode="json"),
    )
    if not is_new:
        return False
    order_id = await session.scalar(select(OrderRow.id).where(OrderRow.number == event.reference))
    if order_id is not None:
        await _take_over(session, order_id, event)
    await session.execute(
        update(WebhookEventRow)
        .where(WebhookEventRow.provider == PROVIDER, WebhookEventRow.event_id == event.id)
        .values(delivered_at=func.now())
    )
    return True


async def _take_over(session: AsyncSession, order_id: str, event: ErpEvent) -> None:
    row = await locked(session, order_id)
    row.erp_number = row.erp_number or event.erp_number
    match event:
        case OrderAccepted():
            kind, note = OrderEventKind.ACCEPTED, event.erp_number
            row.accepted_at = row.accepted_at or event.at
        case OrderShipped():
            kind, note = OrderEventKind.SHIPPED, event.shipment.number
            await _keep_shipment(session, order_id, event)
        case OrderInvoiced():
            kind, note = OrderEventKind.INVOICED, event.invoice_number
            row.invoice_number = row.invoice_number or event.invoice_number
        case OrderCancelled():
            kind, note = OrderEventKind.CANCELLED, event.reason
            row.cancelled_at = row.cancelled_at or event.at
    await add_event(session, order_id, f"erp:{event.id}", kind, event.at, note)
    await settle(session, row)


async def _keep_shipment(session: AsyncSession, order_id: str, event: OrderShipped) -> None:
    sent = event.shipment
    await session.execute(
        insert(ShipmentRow)
        .values(
            order_id=order_id,
            number=sent.number,
            carrier=sent.carrier,
            tracking_number=sent.tracking_number,
            shipped_at=event.at,
            parcels=[parcel.model_dump() for parcel in sent.parcels],
        )
        .on_conflict_do_nothing()
    )
