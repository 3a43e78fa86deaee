"""Coupons: those that a buyer can use now, and the one that they enter (shop spec 7; rulings "Later rulings")."""

from datetime import datetime

from fastapi import APIRouter, Response
from sqlalchemy.ext.asyncio import AsyncSession

from api.checkout.cart_answers import Checkout
from api.checkout.cart_changes import change_cart
from api.checkout.schemas import CartToken
from api.platform.deps import Caller, IdempotencyKey, PortalDep, SignedIn
from api.platform.schemas import Camel
from db.base import reading
from db.catalogue.viewers import find_viewer
from db.checkout.coupons import usable_coupons
from db.checkout.draft import write_coupon
from domain.base import Body
from domain.catalogue.pricing import Viewer
from domain.checkout.cart import StoredCart, may_buy
from domain.checkout.coupons import CouponCode
from domain.money import Money

router = APIRouter(tags=["checkout"])


class CouponOut(Camel):
    """`categories` are slugs, none of them for all; `least` is what the goods of these have to come to."""

    code: str
    description: str
    percent: float | None
    amount: Money | None
    least: Money
    categories: list[str]
    ends_at: datetime | None


class CouponChoice(Body):
    """A code as it was typed; an empty one takes the entered one away."""

    code: CouponCode


@router.get("/api/get-coupons")
async def get_coupons(portal: PortalDep, actor: Caller) -> list[CouponOut]:
    """The coupons that this buyer can use now; none for whoever may not buy."""
    if not may_buy(actor):
        return []
    assert actor.business_code is not None
    async with reading(portal.sessions) as session:
        viewer = await find_viewer(session, actor)
        found = await usable_coupons(session, viewer.channel, actor.business_code)
    return [CouponOut.model_validate(one, from_attributes=True) for one in found]


@router.post("/v1/carts/{token}/coupon", response_model=Checkout)
async def enter_coupon(
    portal: PortalDep,
    actor: SignedIn,
    token: CartToken,
    choice: CouponChoice,
    key: IdempotencyKey = None,
) -> Response:
    """Keeps the code with the cart, whether it holds yet or not; the answer says what is taken, and what is missing."""

    async def change(session: AsyncSession, held: StoredCart, viewer: Viewer) -> None:
        await write_coupon(session, held.token, choice.code or None)

    return await change_cart(portal, actor, token, key, "enter_coupon", choice, change)
