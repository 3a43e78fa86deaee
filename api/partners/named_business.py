"""A business code or a dealer that a caller sends: it must be that of the business they work for (rulings "Calls")."""

from typing import Annotated

from pydantic import StringConstraints
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Executes
from db.partner_tables import code_of_dealer
from db.partners.businesses import sees_partner
from domain.base import ID_PATTERN
from domain.identity.people import Actor
from domain.partners.partners import OtherBusiness, PartnerMissing, partner_scope_of

BusinessCode = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=40, pattern=ID_PATTERN),
]


async def check_named(session: Executes, actor: Actor, code: str | None) -> None:
    """Raises OtherBusiness for one of the caller's that they do not work for now, PartnerMissing for any other one."""
    if code is None or code.upper() == actor.business_code:
        return
    if actor.user is None or not actor.user.is_sales_rep:
        raise PartnerMissing
    if not await sees_partner(session, partner_scope_of(actor.user), code):
        raise PartnerMissing
    raise OtherBusiness


async def check_named_dealer(session: AsyncSession, actor: Actor, dealer_id: str | None) -> None:
    """The same of a business that is named by its dealer."""
    if dealer_id is None or dealer_id == actor.dealer_id:
        return
    code = await code_of_dealer(session, dealer_id)
    if code is None:
        raise PartnerMissing
    await check_named(session, actor, code)
