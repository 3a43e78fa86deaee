"""Rights as they are at this moment: read again before money moves, and after every wait (promise 38)."""

from sqlalchemy.ext.asyncio import AsyncSession

from db.partners.businesses import find_partner
from domain.identity.people import User
from domain.partners.partners import must_choose, partner_scope_of


async def is_linked(session: AsyncSession, buyer: User, partner_code: str) -> bool:
    """A rep reaches the business; anybody else belongs to it."""
    if must_choose(buyer):
        return await find_partner(session, partner_scope_of(buyer), partner_code) is not None
    return buyer.partner_code == partner_code
