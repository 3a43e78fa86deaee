"""Whose right a link lends: it is read anew each time that the link is used (decision 58)."""

import uuid

from sqlalchemy.ext.asyncio import AsyncSession

from api.billing.invoice_payments.paying import payer_code
from db.billing.pay_links import good_link
from db.identity.people import find_user
from db.partner_tables import load_sites
from db.partners.businesses import find_partner
from domain.base import Frozen
from domain.billing.pay_link import PayLink, PayLinkVoid
from domain.errors import PortalError
from domain.identity.people import Actor
from domain.partners.partners import must_choose, partner_scope_of
from providers.security.tokens import secret_hash


class UsablePayLink(Frozen):
    """A good link, and its maker as they would ask now."""

    link: PayLink
    maker: Actor


async def lent(session: AsyncSession, token: str) -> UsablePayLink:
    """Raises PayLinkVoid for a link that cannot be used, whatever the reason."""
    link = await good_link(session, secret_hash(token))
    if link is None:
        raise PayLinkVoid
    maker = await maker_of(session, link)
    if maker is None:
        raise PayLinkVoid
    return UsablePayLink(link=link, maker=maker)


async def maker_of(session: AsyncSession, link: PayLink) -> Actor | None:
    """The maker with their present rights; None if they may not pay for the business any more."""
    person = await find_user(session, link.maker_id)
    sites = {site.code: site for site in await load_sites(session)}
    if person is None or link.site not in sites:
        return None
    chooses = must_choose(person)
    maker = Actor(
        request_id=f"link-{uuid.uuid4().hex[:16]}",
        site=sites[link.site],
        user=person,
        partner_code=link.partner_code if chooses else None,
    )
    try:
        if payer_code(maker) != link.partner_code:
            return None
    except PortalError:
        return None
    if chooses and await find_partner(session, partner_scope_of(person), link.partner_code) is None:
        return None
    return maker
