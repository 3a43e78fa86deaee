"""What an owner lets a purchaser order (decision 61)."""

from decimal import Decimal
from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field
from sqlalchemy.ext.asyncio import AsyncSession

from api.dealers.access import InstallerId
from api.platform.deps import SignedIn, Transaction
from db.checkout.limits import allowance_of, limits_of, set_limits
from db.dealers.dealers import find_installers, lock_dealer
from db.operations.audit import record_by
from domain.base import Body
from domain.checkout.limits import OwnersUnlimited, PurchaseLimits
from domain.dealers.dealers import Installer
from domain.errors import NotFound
from domain.identity.people import Actor
from domain.money import Money
from domain.partners.partners import NoUpdates

router = APIRouter(prefix="/v1", tags=["dealers"])

Limit = Annotated[Decimal, Field(ge=0, le=9_999_999, decimal_places=2)]


class LimitsChange(Body):
    """The changed ones, in US dollars; null takes a limit away."""

    per_order: Limit | None = None
    per_month: Limit | None = None
    approval_above: Limit | None = None


class LimitsOut(BaseModel):
    """`ordered` is what the person ordered in this month (UTC), with what waits for an approval."""

    id: str
    per_order: Money | None
    per_month: Money | None
    approval_above: Money | None
    ordered: Money


@router.get("/installer/{id}/limits")
async def get_purchase_limits(session: Transaction, actor: SignedIn, id: InstallerId) -> LimitsOut:
    """The limits of a person of the dealer. Raises NotFound."""
    return await _answer(session, actor, await _colleague(session, actor, id))


@router.patch("/installer/{id}/limits")
async def update_purchase_limits(
    session: Transaction, actor: SignedIn, id: InstallerId, body: LimitsChange
) -> LimitsOut:
    """Sets what a purchaser may order; it counts from their next submit on. Raises NotFound, NoUpdates,
    OwnersUnlimited."""
    changed = body.model_dump(exclude_unset=True)
    if not changed:
        raise NoUpdates
    await lock_dealer(session, actor.dealer_id or "")
    installer = await _colleague(session, actor, id)
    if installer.is_owner:
        raise OwnersUnlimited
    before = await limits_of(session, id, installer.dealer_id) or PurchaseLimits()
    limits = before.model_copy(update=changed)
    await set_limits(session, id, installer.dealer_id, limits, by=actor.person.id)
    await record_by(
        session,
        actor,
        "changed what a purchaser may order",
        on=("person", id),
        more=body.model_dump(mode="json", exclude_unset=True),
    )
    return await _answer(session, actor, installer)


async def _answer(session: AsyncSession, actor: Actor, installer: Installer) -> LimitsOut:
    allowance = await allowance_of(
        session, installer.id, installer.dealer_id, actor.business_code or "", token=""
    )
    limits = allowance.limits if allowance else PurchaseLimits()
    return LimitsOut(
        id=installer.id, **dict(limits), ordered=allowance.ordered if allowance else Decimal(0)
    )


async def _colleague(session: AsyncSession, actor: Actor, id_: str) -> Installer:
    """Raises NotFound."""
    found = await find_installers(session, [id_], actor.dealer_id or "")
    if not found:
        raise NotFound
    return found[0]
