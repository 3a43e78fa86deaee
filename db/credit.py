"""What a business may still buy on TERMS (rulings "Credit limit"; decision "A quote is the order")."""

from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from db.partners import PartnerRow
from domain.checkout_quote import Credit


async def credit_of(session: AsyncSession, partner_code: str) -> Credit | None:
    """As far as the ERP told it last; None for a business of which it told nothing."""
    row = (
        await session.execute(
            select(PartnerRow.credit_limit, PartnerRow.account_balance).where(
                PartnerRow.sap_bp_code == partner_code
            )
        )
    ).first()
    if row is None or row.credit_limit is None or row.account_balance is None:
        return None
    return Credit(limit=row.credit_limit, balance=row.account_balance, open_orders=Decimal(0))
