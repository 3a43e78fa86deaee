"""What a business may still buy on TERMS (rulings "Credit limit"; decision "A quote is the order")."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from db.checkout.reservations import held_credit
from db.orders.orders import open_amount
from db.partner_tables import PartnerRow
from domain.billing.payments import PaymentType
from domain.checkout.quote import Credit


async def credit_of(session: AsyncSession, partner_code: str) -> Credit | None:
    """As far as the ERP told it last, less what was ordered on TERMS and is not invoiced yet, and what placements under way
    hold. None for a business of which the ERP told nothing."""
    row = (
        await session.execute(
            select(PartnerRow.credit_limit, PartnerRow.account_balance).where(
                PartnerRow.sap_bp_code == partner_code
            )
        )
    ).first()
    if row is None or row.credit_limit is None or row.account_balance is None:
        return None
    ordered = await open_amount(session, partner_code, PaymentType.TERMS)
    held = await held_credit(session, partner_code)
    return Credit(limit=row.credit_limit, balance=row.account_balance, open_orders=ordered + held)
