"""Invented prices of the four plans, a plan that is sold no more, and subscriptions of the first business."""

from datetime import datetime, timedelta
from decimal import Decimal

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.demo.catalogue.prices import TIERS
from db.partner_tables import DealerRow, PartnerRow
from db.plans.plans import PlanPriceRow, PlanTypeRow, SubscriptionRow
from domain.money import to_cents
from domain.partners.partners import DEFAULT_CHANNEL
from domain.plans.plans import FOUR, PlanType, Term, months_after, plan_id

_MONTHLY = {
    "basic_prepaid": "5.99",
    "premium_prepaid": "9.99",
    "premium_plus_prepaid": "13.99",
    "ultimate_prepaid": "18.99",
    "classic_prepaid": "4.99",
}
_YEARS_OFF = (0, 15, 18, 20, 22, 24, 26)
"""Per cent off the monthly price, by years; a month has none."""

RETIRED = PlanType(
    slug="classic_prepaid",
    name="Classic Prepaid",
    display_name="Classic",
    description="Vehicle Control",
    image="/pictures/plans/classic_prepaid.svg",
    image_description="A phone that locks a car",
    rank=1,
    is_retired=True,
)
"""Some devices still have it."""

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
    kinds = [kind.model_dump() for kind in (*FOUR, RETIRED)]
    await session.execute(insert(PlanTypeRow).on_conflict_do_nothing(), kinds)
    await session.execute(insert(PlanPriceRow).on_conflict_do_nothing(), prices())
    return True


async def add_subscriptions(session: AsyncSession, code: str, now: datetime) -> None:
    """Subscriptions of one business's devices; adds what is missing."""
    business = await session.scalar(select(PartnerRow).where(PartnerRow.sap_bp_code == code))
    if business is None:
        return
    dealer_id = await session.scalar(
        select(DealerRow.id).where(DealerRow.partner_id == business.id)
    )
    kinds = {kind.slug: kind for kind in (*FOUR, RETIRED)}
    worth = {(row["slug"], row["term"], row["channel"]): row["amount"] for row in prices()}
    for device_key, slug, term, days in _OF_HARBOUR:
        begun = now - timedelta(days=days)
        values = {
            "id": f"demo:{device_key}",
            "device_key": device_key,
            "product_name": device_key.rpartition("-")[0].lower(),
            "plan_id": plan_id(slug, term),
            "plan_slug": slug,
            "plan_name": kinds[slug].name,
            "rank": kinds[slug].rank,
            "term": term.value,
            "starts_at": begun,
            "ends_at": months_after(begun, term.months),
            "worth": worth[slug, term.value, business.channel_slug],
            "partner_code": code,
            "dealer_id": dealer_id,
        }
        await session.execute(insert(SubscriptionRow).values(values).on_conflict_do_nothing())


def prices() -> list[dict[str, str | Decimal]]:
    """Every plan for every term in every channel."""
    channels = {DEFAULT_CHANNEL: 0, **TIERS}
    return [
        {
            "slug": slug,
            "term": term.value,
            "channel": channel,
            "amount": _price(Decimal(monthly), term, below),
        }
        for slug, monthly in _MONTHLY.items()
        for term in Term
        for channel, below in channels.items()
    ]


def _price(monthly: Decimal, term: Term, below: int) -> Decimal:
    off = _YEARS_OFF[term.months // 12]
    return to_cents(monthly * term.months * (100 - off) * (100 - below) / 10_000)
