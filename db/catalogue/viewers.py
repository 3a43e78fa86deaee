"""Whose prices a caller sees."""

from sqlalchemy import bindparam, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.partner_tables import PartnerRow
from domain.catalogue.pricing import Viewer, viewer_of
from domain.catalogue.products import slug_of
from domain.identity.people import Actor, Trade

_BUSINESS = select(PartnerRow.channel_slug, PartnerRow.approved_brands).where(
    PartnerRow.sap_bp_code == bindparam("code")
)


async def find_viewer(session: AsyncSession, actor: Actor) -> Viewer:
    """The caller with the trade of the business that they work for: as it was read with them, or else as it is now."""
    trade = actor.trade
    if trade is None and actor.business_code is not None:
        row = (await session.execute(_BUSINESS, {"code": actor.business_code})).first()
        trade = row and Trade(channel=row.channel_slug, approved_brands=tuple(row.approved_brands))
    if trade is None:
        return viewer_of(actor, None, frozenset())
    return viewer_of(actor, trade.channel, frozenset(map(slug_of, trade.approved_brands)))
