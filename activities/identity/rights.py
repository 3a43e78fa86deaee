"""Rights as they are at this moment: read again before money moves, and after every wait (promise 38)."""

from sqlalchemy.ext.asyncio import AsyncSession

from db.identity.people import find_user, owners_of
from db.partners.businesses import find_partner
from domain.identity.people import User, purchasing_rights
from domain.partners.partners import must_choose, partner_scope_of
from domain.plans.plans import may_still_buy_plans


async def is_linked(session: AsyncSession, buyer: User, partner_code: str) -> bool:
    """Whether it is one of the businesses that a rep sees; anybody else belongs to it."""
    if must_choose(buyer):
        return await find_partner(session, partner_scope_of(buyer), partner_code) is not None
    return buyer.partner_code == partner_code


async def recipients_of(
    session: AsyncSession,
    person_id: str | None,
    partner_code: str | None,
    *,
    is_to_pay: bool = False,
    but_reps: bool = False,
) -> tuple[User, ...]:
    """Whom a mail goes to about what somebody bought for a business: to them while they may see it there, and pay for it where
    they are asked to; else to the owners of the business. `but_reps`: what comes long after it is the business's alone."""
    person = await find_user(session, person_id) if person_id is not None else None
    if partner_code is None:
        return (person,) if person is not None and not person.is_retired else ()
    if person is not None and not (but_reps and must_choose(person)):
        linked = await is_linked(session, person, partner_code)
        may_see = linked and (
            purchasing_rights(person) or (person.is_b2c and not person.is_retired)
        )
        if may_still_buy_plans(person, is_linked=linked) if is_to_pay else may_see:
            return (person,)
    return await owners_of(session, partner_code)
