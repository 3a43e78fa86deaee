"""Whom a rep works for."""

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.auth_answers import Person, person_of
from db.partners.businesses import card_of_code
from domain.identity.people import Actor, Site
from domain.partners.partners import PartnerCard, is_wrong_site, must_choose


class Business(BaseModel):
    """The business that a request works for. `is_wrong_site` asks for the prompt of the other site; `po_required`
    says that an order needs a PO number."""

    id: str
    code: str
    company_name: str
    channel: str
    country: str
    is_wrong_site: bool
    has_approved_brands: bool
    po_required: bool


class Work(BaseModel):
    """For whom the signed-in user works. `impersonated` is the dealer's primary person, for inside reps only."""

    business: Business | None
    impersonated: Person | None
    must_choose: bool
    """Whether a business must be chosen before anything can be bought."""


async def find_work(session: AsyncSession, actor: Actor) -> Work:
    """For whom the caller works at this moment: the chosen business, else their own."""
    code = actor.business_code
    return work_of(actor, await card_of_code(session, code) if code else None)


def work_of(actor: Actor, card: PartnerCard | None) -> Work:
    return Work(
        business=_business(card, actor.site) if card else None,
        impersonated=person_of(actor.impersonated) if actor.impersonated else None,
        must_choose=must_choose(actor.person),
    )


def _business(card: PartnerCard, site: Site) -> Business:
    return Business(
        id=card.id,
        code=card.code,
        company_name=card.company_name,
        channel=card.channel,
        country=card.country,
        is_wrong_site=is_wrong_site(site, card.code),
        has_approved_brands=card.has_approved_brands,
        po_required=card.po_required,
    )
