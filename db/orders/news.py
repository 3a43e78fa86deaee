"""What is followed of an order: when it, its shipments or their invoices changed last."""

from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.billing.invoices.documents import InvoiceRow, are_for
from db.orders.tables import OrderRow


async def number_of_order(session: AsyncSession, id_: str, partner_code: str | None) -> str | None:
    """Its number, if it is this business's. None for the code: whosever it is."""
    query = select(OrderRow.number).where(OrderRow.id == id_)
    if partner_code is not None:
        query = query.where(OrderRow.partner_code == partner_code)
    return await session.scalar(query)


async def changed_at(session: AsyncSession, id_: str) -> tuple[datetime, ...] | None:
    """When it was changed, and when an invoice of it was, where there is one."""
    row = await session.execute(
        select(OrderRow.updated_at, func.max(InvoiceRow.mirrored_at))
        .outerjoin(InvoiceRow, are_for(OrderRow.partner_code, OrderRow.number, OrderRow.token))
        .where(OrderRow.id == id_)
        .group_by(OrderRow.updated_at)
    )
    found = row.one_or_none()
    return tuple(at for at in found if at is not None) if found else None
