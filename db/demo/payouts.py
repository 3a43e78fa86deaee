"""Payouts of what the demo dealers earned: one was paid month by month and refused the last, the other one has not set its account
up."""

from datetime import datetime, timedelta

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.dealers.payout_accounts import save_account
from db.dealers.payouts import PayoutRow, freeze_month
from db.dealers.rewards import RewardRow
from db.demo.people import HARBOUR, PRAIRIE
from domain.dealers.payout_account import ProviderAccount
from domain.dealers.payouts import PayoutState, ends_before, month_after, month_before, month_of

ACCOUNT = ProviderAccount(id="acct_demo_complete_harbour", details_submitted=True, can_be_paid=True)
INCOMPLETE = ProviderAccount(
    id="acct_demo_incomplete_prairie",
    details_submitted=False,
    can_be_paid=False,
    due=("business_profile.url", "external_account", "tos_acceptance.date"),
)
REFUSED = "You have insufficient available funds in your Stripe account."


async def add_payouts(session: AsyncSession, now: datetime) -> bool:
    """Whether there were none. Payouts of the demo were never asked for at the provider, so nothing is compared with it."""
    if await session.scalar(select(PayoutRow.month).where(PayoutRow.dealer_id == HARBOUR.id)):
        return False
    await save_account(session, HARBOUR.id, ACCOUNT, now)
    await save_account(session, PRAIRIE.id, INCOMPLETE, now)
    first = await session.scalar(
        select(func.min(RewardRow.earned_at)).where(
            RewardRow.dealer_id.in_((HARBOUR.id, PRAIRIE.id))
        )
    )
    last, month = month_before(now), month_of(first) if first else month_of(now)
    while month <= last:
        for dealer in (HARBOUR, PRAIRIE):
            await freeze_month(session, month, dealer.id)
        month = month_after(month)
    await _add_harbours_story(session)
    return True


async def _add_harbours_story(session: AsyncSession) -> None:
    rows = await session.scalars(
        select(PayoutRow)
        .where(PayoutRow.dealer_id == HARBOUR.id)
        .order_by(PayoutRow.month.desc())
        .execution_options(populate_existing=True)
    )
    for place, row in enumerate(rows):
        paid_at = ends_before(row.month) + timedelta(days=1, hours=12, minutes=3)
        values = {"attempt": 1, "account_id": ACCOUNT.id, "changed_at": paid_at}
        if place == 0:
            values |= {"state": PayoutState.REFUSED, "detail": REFUSED}
        else:
            transfer = f"tr_demo_harbour_{row.month.replace('-', '')}"
            values |= {"state": PayoutState.PAID, "transfer_id": transfer, "paid_at": paid_at}
        await session.execute(
            update(PayoutRow)
            .where(PayoutRow.dealer_id == HARBOUR.id, PayoutRow.month == row.month)
            .values(**values)
        )
