"""What the ERP tells of orders: kept first, then taken over by the order, in one transaction.

An event comes at least once and in any order. Each is kept once by its id; the order's status follows from the facts, so
any order of the same events ends the same.
"""

from datetime import datetime

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.billing.invoices.documents import InvoiceRow, are_for
from db.operations.cases.opening import open_case
from db.orders.orders import MOST_ENTRIES, find_order, id_of_invoiced, id_of_number
from db.orders.progress import add_event, locked, update_status
from db.orders.tables import OrderEventRow, OrderInvoiceRow, OrderRow, ShipmentRow, WithdrawalRow
from db.partner_tables import site_of
from db.platform.clock import database_now
from db.platform.notices import ORDER, notify
from db.platform.webhook_events import save_event
from db.runs.flows import FlowRow
from domain.billing.invoices.documents import Invoice
from domain.billing.payments import NOTHING, PROMISES
from domain.money import Money
from domain.operations.cases import CaseCause, CaseStart, case_id, on_order, worth_of
from domain.orders.erp_events import (
    CancelledOrder,
    ErpEvent,
    ErpShipment,
    OrderAccepted,
    OrderCancelled,
    OrderInvoiced,
    OrderShipped,
    SentShipment,
    ShipmentCancelled,
)
from domain.orders.orders import OrderEventKind, Parcel

PROVIDER = "erp"


async def record_event(session: AsyncSession, event: ErpEvent) -> bool:
    """Keeps the event and lets its order take it over. Answers whether it was new. An order that nobody knows, or another
    one of its number, changes nothing: orders are stored before they are handed over."""
    is_new = await save_event(
        session,
        provider=PROVIDER,
        event_id=event.id,
        type=event.type,
        subject=event.reference,
        body=event.model_dump(mode="json"),
        delivered=True,
    )
    if not is_new:
        return False
    known = await session.execute(
        select(OrderRow.id, OrderRow.token).where(OrderRow.number == event.reference)
    )
    order = known.one_or_none()
    if order is not None and event.token in (None, order.token):
        await _take_over(session, order.id, event)
    return True


async def record_shipment(session: AsyncSession, sent: SentShipment) -> bool:
    """What the ERP's books say of a shipment; whether it was new. An order that is not here, of another business, or another one
    of its number, changes nothing."""
    row = await _order_of(session, sent.reference, sent.partner_code, sent.token)
    if row is None or not await _save_shipment(session, row.id, sent.shipment, sent.at):
        return False
    number = sent.shipment.number
    await add_event(session, row.id, f"erp:{number}", OrderEventKind.SHIPPED, sent.at, number)
    await _add_mirrored(session, row)
    await update_status(session, row)
    return True


async def record_invoice(session: AsyncSession, invoice: Invoice) -> bool:
    """What an invoice says of its order, and what those of it say that are mirrored; whether any was new. Likewise."""
    order_id = await id_of_invoiced(session, invoice)
    other_id = await _id_of_other(session, invoice, order_id)
    rows = {id_: await locked(session, id_) for id_ in sorted(filter(None, {order_id, other_id}))}
    was_known = False
    if other_id is not None and await _is_of_another(session, rows[other_id], invoice.number):
        was_known = await _forget_invoice(session, rows[other_id], invoice.number)
    if order_id is None:
        return was_known
    row = rows[order_id]
    if await _is_of_another(session, row, invoice.number):  # a version of before
        return was_known
    if row.number != invoice.order_number:
        # Who mirrored it told the number that it names.
        await notify(session, f"{ORDER}{row.number}")
    has_news = await _add_mirrored(session, row)
    fields = (invoice.number, invoice.shipment_number, invoice.total)
    if await _add_invoice(session, row, *fields) or has_news:
        await update_status(session, row)
        return True
    return was_known


async def _id_of_other(session: AsyncSession, invoice: Invoice, order_id: str | None) -> str | None:
    """The order of the number that an invoice names beside the token of another one: before a version of it named the token,
    it was for that."""
    if invoice.order_token is None:
        return None
    found = await id_of_number(session, invoice.order_number, invoice.partner_code)
    return None if found == order_id else found


async def _forget_invoice(session: AsyncSession, row: OrderRow, number: str) -> bool:
    """It is not this order's: without it, its entry and what followed from it. Whether the order knew it."""
    forgotten = await session.scalar(
        delete(OrderInvoiceRow)
        .where(OrderInvoiceRow.order_id == row.id, OrderInvoiceRow.number == number)
        .returning(OrderInvoiceRow.number)
    )
    if forgotten is None:
        return False
    await session.execute(
        delete(OrderEventRow).where(
            OrderEventRow.order_id == row.id,
            OrderEventRow.kind == OrderEventKind.INVOICED,
            OrderEventRow.note == number,
        )
    )
    row.invoice_number = await session.scalar(
        select(func.min(OrderInvoiceRow.number)).where(OrderInvoiceRow.order_id == row.id)
    )
    await update_status(session, row)
    return True


async def _is_of_another(session: AsyncSession, row: OrderRow, number: str) -> bool:
    """Whether the invoice is mirrored by now with the token of another order."""
    found = await session.scalar(
        select(InvoiceRow.number).where(
            InvoiceRow.number == number,
            InvoiceRow.partner_code == row.partner_code,
            InvoiceRow.order_token != row.token,
        )
    )
    return found is not None


async def record_cancelled(session: AsyncSession, cancelled: CancelledOrder) -> bool:
    """What the ERP's books say of an order that it cancelled, whole or in part; whether any was new. One that is not here, is of
    another business, is another one of its number or was not handed over yet changes nothing: what is cancelled before
    that, its run cancels."""
    row = await _order_of(session, cancelled.reference, cancelled.partner_code, cancelled.token)
    if row is None or row.erp_number != cancelled.erp_number:
        return False
    found = [await _take_over(session, row.id, event) for event in cancelled.events]
    return any(found)


async def _add_mirrored(session: AsyncSession, row: OrderRow) -> bool:
    """Takes over every invoice of this order that is mirrored, as one may have come when nobody told its order; whether one
    was new."""
    mirrored = await session.execute(
        select(InvoiceRow.number, InvoiceRow.shipment_number, InvoiceRow.total)
        .where(are_for(row.partner_code, row.number, row.token))
        .order_by(InvoiceRow.number)
        .limit(MOST_ENTRIES)
    )
    found = [await _add_invoice(session, row, *one) for one in mirrored]
    return any(found)


async def _add_invoice(
    session: AsyncSession, row: OrderRow, number: str, shipment: str | None, amount: Money
) -> bool:
    """With its entry of the history; whether it was new."""
    is_new = await _save_invoice(session, row, number, shipment, amount)
    if is_new:
        kind, at = OrderEventKind.INVOICED, await database_now(session)
        await add_event(session, row.id, f"erp:{number}", kind, at, number)
    return is_new


async def _order_of(
    session: AsyncSession, number: str, partner_code: str, token: str | None
) -> OrderRow | None:
    """Locked. Numbers may repeat after a restore: a document that names the token of its order is for no other one."""
    order_id = await id_of_number(session, number, partner_code)
    row = None if order_id is None else await locked(session, order_id)
    return None if row is None or token not in (None, row.token) else row


async def _take_over(session: AsyncSession, order_id: str, event: ErpEvent) -> bool:
    """Whether it was new. What was known already touches nothing, nor does an invoice of another order."""
    row = await locked(session, order_id)
    if isinstance(event, OrderInvoiced) and await _is_of_another(
        session, row, event.invoice_number
    ):
        return False
    is_known = row.erp_number is not None
    row.erp_number = row.erp_number or event.erp_number
    case: CaseStart | None = None
    is_new = True
    match event:
        case OrderAccepted():
            kind, note = OrderEventKind.ACCEPTED, event.erp_number
            row.accepted_at = row.accepted_at or event.at
        case OrderShipped():
            kind, note = OrderEventKind.SHIPPED, event.shipment.number
            is_new = await _save_shipment(session, order_id, event.shipment, event.at)
        case OrderInvoiced():
            kind, note = OrderEventKind.INVOICED, event.invoice_number
            is_new = await _save_invoice(
                session, row, event.invoice_number, event.shipment_number, event.amount
            )
        case ShipmentCancelled():
            kind, note = OrderEventKind.WITHDRAWN, event.shipment.number
            is_new, case = await _withdraw(session, row, event)
        case OrderCancelled():
            kind, note = OrderEventKind.CANCELLED, event.reason
            is_new = row.cancelled_at is None
            if is_new:
                case = await _case_of(session, row, CaseCause.ORDER_CANCELLED, event.reason)
            row.cancelled_at = row.cancelled_at or event.at
    if is_known and not is_new:
        return False
    if is_new:
        await add_event(session, order_id, f"erp:{event.id}", kind, event.at, note)
    await _add_mirrored(session, row)
    await update_status(session, row)
    if case is not None:
        await open_case(session, case)
    return is_new


async def _save_shipment(
    session: AsyncSession, order_id: str, sent: ErpShipment, at: datetime
) -> bool:
    """Once by its number; whether it was new."""
    stored = await session.scalar(
        insert(ShipmentRow)
        .values(
            order_id=order_id,
            number=sent.number,
            carrier=sent.carrier,
            tracking_number=sent.tracking_number,
            shipped_at=at,
            parcels=[parcel.model_dump() for parcel in sent.parcels],
        )
        .on_conflict_do_nothing()
        .returning(ShipmentRow.number)
    )
    return stored is not None


async def _save_invoice(
    session: AsyncSession, row: OrderRow, number: str, shipment: str | None, amount: Money
) -> bool:
    """Once by its number; whether it was new. The order is called by the first of its invoices."""
    stored = await session.scalar(
        insert(OrderInvoiceRow)
        .values(order_id=row.id, number=number, shipment_number=shipment, amount=amount)
        .on_conflict_do_nothing()
        .returning(OrderInvoiceRow.number)
    )
    row.invoice_number = min(row.invoice_number or number, number)
    return stored is not None


async def _withdraw(
    session: AsyncSession, row: OrderRow, event: ShipmentCancelled
) -> tuple[bool, CaseStart | None]:
    """Keeps a shipment that will not be sent, once by its number: whether it was new, and its case. The case gives
    back what was paid for it. Parts are worth what is left of all that was withdrawn, so that together they are
    worth the order's total to the cent."""
    order = await find_order(session, row.id, None)
    assert order is not None
    withdrawn = event.shipment
    if any(one.number == withdrawn.number for one in order.withdrawals):
        return False, None
    parcels = [Parcel(sku=one.sku, quantity=one.quantity) for one in withdrawn.parcels]
    before = [parcel for one in order.withdrawals for parcel in one.parcels]
    given = sum((one.amount for one in order.withdrawals), NOTHING)
    amount = max(worth_of(order, [*before, *parcels]) - given, NOTHING)
    await session.execute(
        insert(WithdrawalRow).values(
            order_id=row.id,
            number=withdrawn.number,
            reason=event.reason,
            withdrawn_at=event.at,
            parcels=[parcel.model_dump() for parcel in parcels],
            amount=amount,
        )
    )
    if amount == NOTHING or row.cancelled_at is not None:
        return True, None
    return True, await _case_of(
        session,
        row,
        CaseCause.SHIPMENT_CANCELLED,
        event.reason,
        amount=amount,
        number=withdrawn.number,
    )


async def _case_of(
    session: AsyncSession,
    row: OrderRow,
    cause: CaseCause,
    detail: str,
    *,
    amount: Money | None = None,
    number: str = "",
) -> CaseStart:
    """What is to be given back of an order, by the run that took the money; the buyer of one that is promised is told that there
    is nothing."""
    run = await session.get(FlowRow, row.token)
    return CaseStart(
        id=case_id(cause, row.id, number),
        cause=cause,
        belongs_to=on_order(
            row.id, row.number, row.token, is_promised=row.payment_type in PROMISES
        ),
        amount=amount,
        detail=detail,
        partner_code=row.partner_code,
        person_id=row.placed_by,
        dealer_id=run.dealer_id if run else None,
        site=run.site if run else (await site_of(session, row.partner_code)).code,
        opened_at=await database_now(session),
    )
