"""Whom a rep works for."""

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.auth_answers import Person, person_of
from db.partners.businesses import partner_summary
from domain.identity.people import Actor, Site
from domain.partners.partners import PartnerSummary, is_wrong_site, must_choose


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
    return work_of(actor, await partner_summary(session, code) if code else None)


def work_of(actor: Actor, partner: PartnerSummary | None) -> Work:
    return Work(
        business=_business(partner, actor.site) if partner else None,
        impersonated=person_of(actor.impersonated) if actor.impersonated else None,
        must_choose=must_choose(actor.person),
    )


def _business(partner: PartnerSummary, site: Site) -> Business:
    return Business(
        id=partner.id,
        code=partner.code,
        company_name=partner.company_name,
        channel=partner.channel,
        country=partner.country,
        is_wrong_site=is_wrong_site(site, partner.code),
        has_approved_brands=partner.has_approved_brands,
        po_required=partner.po_required,
    )
