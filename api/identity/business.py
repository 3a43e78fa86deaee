"""Choosing the business that a rep works for, and clearing it (shell spec 4 and 8; promise 40).

The choice lives in the sign-in, so it holds in every tab and ends with it.
"""

from typing import Annotated

from fastapi import APIRouter
from pydantic import StringConstraints
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.work import Work, work_of
from api.platform.deps import PortalDep, SignedIn, Transaction, record_now
from api.platform.schemas import SpecBody
from db.operations.audit import Outcome, record_by
from db.partners.businesses import find_partner
from db.partners.reps import primary_of, select_partner
from domain.base import EXACT
from domain.card_numbers import masked
from domain.errors import PortalError
from domain.identity.people import Actor, User
from domain.partners.partners import (
    NoDealerAccount,
    NoDealerPrimary,
    Partner,
    PartnerMissing,
    partner_scope_of,
)

router = APIRouter(prefix="/v1/auth/business", tags=["partners"])


class Choice(SpecBody):
    sap_bp_code: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40), EXACT
    ]


@router.put("")
async def select_business(actor: SignedIn, portal: PortalDep, choice: Choice) -> Work:
    """Work for this business from now on, in place of the one before. On a refusal that one stays."""
    try:
        async with portal.sessions.begin() as session:
            partner, primary = await _choose(session, actor, choice.sap_bp_code)
            assert actor.sign_in_id is not None
            if actor.is_acting:
                await record_by(session, actor, "stopped acting for a business")
            await select_partner(
                session, actor.sign_in_id, partner.id, primary.id if primary else None
            )
            now = actor.model_copy(
                update={"partner_code": partner.code, "impersonated": primary, "trade": None}
            )
            await record_by(
                session,
                now,
                "started acting for a business",
                on=("partner", partner.id),
            )
    except PortalError as refusal:
        await _record_refusal(portal, actor, choice.sap_bp_code, refusal.code)
        raise
    return work_of(now, partner)


@router.delete("", status_code=204)
async def clear_business(actor: SignedIn, session: Transaction) -> None:
    """Work for no business any more. Idempotent."""
    if not actor.is_acting:
        return
    assert actor.sign_in_id is not None
    await select_partner(session, actor.sign_in_id, None, None)
    await record_by(session, actor, "stopped acting for a business")


async def _choose(session: AsyncSession, actor: Actor, code: str) -> tuple[Partner, User | None]:
    """The business and whom to impersonate there. Raises PartnerMissing, NoDealerAccount or NoDealerPrimary."""
    partner = await find_partner(session, partner_scope_of(actor.person), code)
    if partner is None or partner.code != code.upper():
        raise PartnerMissing
    if actor.person.is_outside_rep:
        return partner, None
    if partner.dealer_id is None:
        raise NoDealerAccount
    primary = await primary_of(session, partner.dealer_id)
    if primary is None:
        raise NoDealerPrimary
    return partner, primary


async def _record_refusal(portal: PortalDep, actor: Actor, code: str, why: str) -> None:
    await record_now(
        portal,
        actor,
        "refused to act for a business",
        outcome=Outcome.REFUSED,
        on=("partner", masked(code)),
        more={"code": why},
    )
