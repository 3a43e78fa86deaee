"""The plans of the demonstration, and subscriptions of the first business."""

from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.demo.offers import demo_plans
from db.offered import plan_rows, price_rows
from db.partner_tables import DealerRow, PartnerRow
from db.plans.plans import PlanPriceRow, PlanTypeRow, SubscriptionRow
from domain.plans.plans import Term, months_after, plan_id

_OF_HARBOUR = (
    ("FT-X1-20000301", "premium_prepaid", Term.ONE_YEAR, 140),
    ("FT-X1-20000302", "premium_prepaid", Term.ONE_YEAR, 345),
    ("FT-X1MAX-20000303", "ultimate_prepaid", Term.THREE_YEARS, 700),
    ("FT-X2-20000304", "basic_prepaid", Term.ONE_YEAR, 380),
    ("DR5400-20000305", "premium_plus_prepaid", Term.TWO_YEARS, 90),
    ("FT-X1S-20000306", "classic_prepaid", Term.TWO_YEARS, 500),
    ("FT-XC-20000307", "basic_prepaid", Term.MONTH_TO_MONTH, 12),
)
"""Device, plan, term, and how many days ago it began: two end soon, one has ended."""


async def add_plans(session: AsyncSession) -> bool:
    """Adds what is missing; nothing is changed. Answers whether the plans were new."""
    if await session.scalar(select(func.count()).select_from(PlanTypeRow)):
        return False
    plans = demo_plans()
    await session.execute(insert(PlanTypeRow).on_conflict_do_nothing(), plan_rows(plans))
    await session.execute(insert(PlanPriceRow).on_conflict_do_nothing(), price_rows(plans))
    return True


async def add_subscriptions(session: AsyncSession, code: str, now: datetime) -> None:
    """Subscriptions of one business's devices; adds what is missing."""
    business = await session.scalar(select(PartnerRow).where(PartnerRow.sap_bp_code == code))
    if business is None:
        return
    dealer_id = await session.scalar(
        select(DealerRow.id).where(DealerRow.partner_id == business.id)
    )
    plans = {plan.slug: plan for plan in demo_plans()}
    for device_key, slug, term, days in _OF_HARBOUR:
        begun = now - timedelta(days=days)
        values = {
            "id": f"demo:{device_key}",
            "device_key": device_key,
            "product_name": device_key.rpartition("-")[0].lower(),
            "plan_id": plan_id(slug, term),
            "plan_slug": slug,
            "plan_name": plans[slug].name,
            "rank": plans[slug].rank,
            "term": term.value,
            "starts_at": begun,
            "ends_at": months_after(begun, term.months),
            "worth": plans[slug].prices[business.channel_slug][term],
            "partner_code": code,
            "dealer_id": dealer_id,
        }
        await session.execute(insert(SubscriptionRow).values(values).on_conflict_do_nothing())
