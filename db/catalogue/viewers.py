"""Whose prices a caller sees."""

from sqlalchemy import bindparam, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.partner_tables import PartnerRow
from domain.catalogue.pricing import Viewer, viewer_of
from domain.catalogue.products import slug_of
from domain.identity.people import Actor

_BUSINESS = select(PartnerRow.channel_slug, PartnerRow.approved_brands).where(
    PartnerRow.sap_bp_code == bindparam("code")
)


async def find_viewer(session: AsyncSession, actor: Actor) -> Viewer:
    """The caller with the channel and the approved brands of the business that they work for; read anew on each call."""
    if actor.business_code is None:
        return viewer_of(actor, None, frozenset())
    row = (await session.execute(_BUSINESS, {"code": actor.business_code})).first()
    if row is None:
        return viewer_of(actor, None, frozenset())
    return viewer_of(actor, row.channel_slug, frozenset(map(slug_of, row.approved_brands)))
