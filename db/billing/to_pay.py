"""The invoices of a business that it could pay now."""

from datetime import date

from sqlalchemy import Integer, cast, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.billing.invoice_payments import DocumentHoldRow
from db.billing.invoices.documents import InvoiceRow, invoice_of
from domain.billing.invoices.documents import Invoice

MOST_TO_PAY = 1_000


async def to_pay(session: AsyncSession, partner_code: str, on: date) -> tuple[Invoice, ...]:
    """The open invoices of a business that no payment holds, without their lines: those with a discount on this day first,
    then the first due. At most `MOST_TO_PAY`."""
    days = cast(InvoiceRow.early_pay[0]["number_of_days"].astext, Integer)
    saves = (InvoiceRow.total > InvoiceRow.payoff + InvoiceRow.paid) & (
        InvoiceRow.create_date + days >= on
    )
    is_held = select(DocumentHoldRow.number).where(DocumentHoldRow.number == InvoiceRow.number)
    rows = await session.scalars(
        select(InvoiceRow)
        .where(InvoiceRow.partner_code == partner_code, InvoiceRow.balance > 0, ~is_held.exists())
        .order_by(func.coalesce(saves, False).desc(), InvoiceRow.due_date, InvoiceRow.number)
        .limit(MOST_TO_PAY)
    )
    return tuple(invoice_of(row) for row in rows)
