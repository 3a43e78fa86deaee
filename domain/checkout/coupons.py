"""Coupons: what one takes off an order, which one an order takes, and what another one still needs (shop spec 7; rulings
"Later rulings").

An order takes one. What the buyer entered comes first while its rule holds; else the one that takes off most.
"""

from collections.abc import Sequence
from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from pydantic import StringConstraints

from domain.base import Frozen, Utc
from domain.checkout.cart import Line
from domain.money import Money, to_cents

LONGEST_CODE = 40
"""Our choice."""

CouponCode = Annotated[
    str, StringConstraints(strip_whitespace=True, to_upper=True, max_length=LONGEST_CODE)
]
"""In capitals, however it was typed. An empty text takes it away."""


class Coupon(Frozen):
    """`percent` or `amount` off, from goods of `least` on; of these categories alone where some are named. The other limits
    are counted by business and over all."""

    code: str
    description: str
    percent: Decimal | None = None
    amount: Money | None = None
    least: Money = Decimal(0)
    categories: tuple[str, ...] = ()
    is_first_order: bool = False
    most_uses: int | None = None
    most_per_business: int | None = None
    ends_at: Utc | None = None


class CouponTaken(Frozen):
    """What the order takes: `amount` dollars off its goods."""

    code: str
    description: str
    amount: Money


class CouponFault(StrEnum):
    """Why a code takes nothing off. `not_usable` is one that does not exist, is over, used up or of others alike."""

    NOT_USABLE = "not_usable"
    BELOW_LEAST = "below_least"
    NO_SUCH_GOODS = "no_such_goods"


class CouponUnmet(Frozen):
    """A coupon whose rule does not hold yet. `missing` is what goods of its kind still have to come to."""

    code: str
    description: str = ""
    fault: CouponFault
    missing: Money = Decimal(0)


class CouponOffer(Frozen):
    """What is taken, what was entered and does not hold, and the one that takes off more for a little more."""

    entered: str | None = None
    taken: CouponTaken | None = None
    refused: CouponUnmet | None = None
    near: CouponUnmet | None = None

    @property
    def amount(self) -> Decimal:
        return self.taken.amount if self.taken else Decimal(0)


def offer_of(
    lines: Sequence[Line], usable: Sequence[Coupon], entered: str | None = None
) -> CouponOffer:
    """`usable` are those that this buyer can use now, by everything but what is in the cart."""
    taken = [one for coupon in usable if (one := _taken(coupon, lines))]
    best = max(taken, key=lambda one: (one.amount, one.code), default=None)
    meant = next((one for one in taken if one.code == entered), None)
    refused = None
    if entered is not None and meant is None:
        known = next((one for one in usable if one.code == entered), None)
        refused = (
            _unmet(known, lines)
            if known
            else CouponUnmet(code=entered, fault=CouponFault.NOT_USABLE)
        )
    chosen = meant or best
    return CouponOffer(
        entered=entered,
        taken=chosen,
        refused=refused,
        near=_nearest(lines, usable, chosen, entered),
    )


def _taken(coupon: Coupon, lines: Sequence[Line]) -> CouponTaken | None:
    """Nothing while the rule does not hold, or where there is nothing to take off."""
    goods = _goods(coupon, lines)
    if not goods or goods < coupon.least:
        return None
    amount = _off(coupon, goods)
    if not amount:
        return None
    return CouponTaken(code=coupon.code, description=coupon.description, amount=amount)


def _unmet(coupon: Coupon, lines: Sequence[Line]) -> CouponUnmet:
    goods = _goods(coupon, lines)
    fault = CouponFault.BELOW_LEAST if goods else CouponFault.NO_SUCH_GOODS
    return CouponUnmet(
        code=coupon.code,
        description=coupon.description,
        fault=fault,
        missing=max(coupon.least - goods, Decimal(0)),
    )


def _nearest(
    lines: Sequence[Line],
    usable: Sequence[Coupon],
    taken: CouponTaken | None,
    entered: str | None,
) -> CouponUnmet | None:
    """The one that needs least more of goods that are there already, and takes off more than what is taken."""
    saved = taken.amount if taken else Decimal(0)
    found = [
        _unmet(one, lines)
        for one in usable
        if one.code != entered
        and Decimal(0) < _goods(one, lines) < one.least
        and _off(one, one.least) > saved
    ]
    return min(found, key=lambda one: (one.missing, one.code), default=None)


def _goods(coupon: Coupon, lines: Sequence[Line]) -> Decimal:
    """What the articles that it holds for come to."""
    fitting = (
        line.total
        for line in lines
        if not coupon.categories or line.sellable.category in coupon.categories
    )
    return sum(fitting, Decimal(0))


def _off(coupon: Coupon, goods: Decimal) -> Decimal:
    """To the cent, and never more than the goods."""
    if coupon.percent is not None:
        return min(to_cents(goods * coupon.percent / 100), goods)
    return min(coupon.amount or Decimal(0), goods)
