"""What a business may still buy on TERMS (rulings "Credit limit"; decision "A quote is the order")."""

from datetime import timedelta

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.checkout.reservations import held_credit
from db.operations.cases.lists import owed_by_cases
from db.orders.orders import open_amount
from db.partner_tables import PartnerRow
from domain.billing.payments import PaymentType
from domain.checkout.quote import CREDIT_FRESH_FOR, Credit


async def credit_of(
    session: AsyncSession, partner_code: str, *, fresh_for: timedelta = CREDIT_FRESH_FOR
) -> Credit | None:
    """As the ERP told it within a minute, less what was ordered on TERMS and its balance does not hold yet, and
    what placements under way hold, and what open cases say is owed again. None for a business of which the ERP told
    nothing for so long."""
    row = (
        await session.execute(
            select(
                PartnerRow.credit_limit, PartnerRow.account_balance, PartnerRow.mirrored_at
            ).where(
                PartnerRow.sap_bp_code == partner_code,
                PartnerRow.mirrored_at > func.now() - fresh_for,
            )
        )
    ).first()
    if row is None or row.credit_limit is None or row.account_balance is None:
        return None
    ordered = await open_amount(
        session, partner_code, PaymentType.TERMS, balance_at=row.mirrored_at
    )
    held = await held_credit(session, partner_code)
    return Credit(
        limit=row.credit_limit,
        balance=row.account_balance,
        open_orders=ordered + held,
        owed=await owed_by_cases(session, partner_code),
    )
