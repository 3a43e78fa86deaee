"""What the company offers, from a file: `python -m db.offers --help`.

Ways of shipping, plans at their prices, and coupons are nobody's in the portal and in no mirror: an operator of the
installation keeps them in a file (`domain/offers.py`; `db/demo/offers.toml` is an example). What it has of a kind is all of
that kind. May be repeated; whatever is done is audited.
"""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Sessions
from db.catalogue.tables import ProductRow
from db.offered import take
from db.operators import OPERATOR
from db.operators_files import command, parser
from db.partner_tables import PartnerRow
from domain.errors import FaultyFile
from domain.offers import Offers, OffersFile
from domain.partners.partners import DEFAULT_CHANNEL
from settings import Settings

NOTHING_NEW = "Everything is as the file says."


async def carry_out(sessions: Sessions, written: str, *, only_check: bool = False) -> list[str]:
    """All of it or nothing; what there is to say of it. Raises FaultyFile."""
    file = OffersFile(written)
    async with sessions.begin() as session:
        await _check_businesses(session, file)
        doubts = [
            *await _unknown_channels(session, file.offers),
            *await _unknown_categories(session, file.offers),
        ]
        changes = await take(session, file.offers, actor=OPERATOR)
        if only_check:
            await session.rollback()
    return [*doubts, *([one.said for one in changes] or [NOTHING_NEW])]


async def _check_businesses(session: AsyncSession, file: OffersFile) -> None:
    methods = file.offers.shipping_methods or ()
    codes = {one.business for one in methods if one.business}
    known = await session.scalars(
        select(PartnerRow.sap_bp_code).where(PartnerRow.sap_bp_code.in_(codes))
    )
    strange = codes - set(known)
    faults = [
        file.fault(("shipping_methods", place, "business"), f"no business has the code {code}")
        for place, code in enumerate(one.business for one in methods)
        if code in strange
    ]
    if faults:
        raise FaultyFile(faults)


async def _unknown_channels(session: AsyncSession, offers: Offers) -> list[str]:
    """A misspelt one is nobody's, and so no fault can be seen of it."""
    named = {channel for plan in offers.plans or () for channel in plan.prices}
    named |= {channel for coupon in offers.coupons or () for channel in coupon.channels}
    known = await session.scalars(
        select(PartnerRow.channel_slug).where(PartnerRow.channel_slug.in_(named)).distinct()
    )
    strange = named - {*known, DEFAULT_CHANNEL}
    return [f"Note: no business has the channel {one} by now." for one in sorted(strange)]


async def _unknown_categories(session: AsyncSession, offers: Offers) -> list[str]:
    """As of a channel: what a coupon is for may be for sale later."""
    named = {category for coupon in offers.coupons or () for category in coupon.categories}
    known = await session.scalars(
        select(ProductRow.category_slug).where(ProductRow.category_slug.in_(named)).distinct()
    )
    strange = named - set(known)
    return [f"Note: no product is of the category {one} by now." for one in sorted(strange)]


def main() -> None:
    options = parser("db.offers", __doc__).parse_args()
    command(options, carry_out, Settings().database_url)


if __name__ == "__main__":
    main()
