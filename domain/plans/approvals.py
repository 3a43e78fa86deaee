"""What an owner's limits say of a purchase of plans, and when one must approve it (decisions 61 and 64)."""

from domain.checkout.limits import Allowance
from domain.checkout.quote import OverMonthLimit, OverOrderLimit
from domain.errors import Conflict
from domain.money import Money
from domain.plans.purchases import PurchaseError


class NotOwnPurchase(Conflict):
    """The limits of a purchase are those of its buyer: whoever has limits cannot agree in somebody else's name."""

    code = "not_own_purchase"
    detail = "A colleague began this purchase. Please ask for the price yourself."


OVER_ORDER_LIMIT = PurchaseError(
    code=OverOrderLimit.code,
    detail="This is above what you may order at once. Please ask an owner of your business.",
)
OVER_MONTH_LIMIT = PurchaseError(
    code=OverMonthLimit.code,
    detail="This is above what you may order in a month. Please ask an owner of your business.",
)
APPROVAL_EXPIRED = PurchaseError(
    code="approval_expired", detail="Nobody approved the purchase in time. Nothing was charged."
)
APPROVAL_REJECTED = PurchaseError(
    code="approval_rejected", detail="The purchase was not approved. Nothing was charged."
)


def over_limit(allowance: Allowance | None, total: Money) -> PurchaseError | None:
    """What an owner's limits say against a purchase of this much."""
    if allowance is None:
        return None
    if allowance.is_over_order(total):
        return OVER_ORDER_LIMIT
    return OVER_MONTH_LIMIT if allowance.is_over_month(total) else None


def approval_above(
    allowance: Allowance | None, total: Money, asked_above: Money | None = None
) -> Money | None:
    """Above how much an owner must approve a purchase of this much; None where none must. Once one was asked because of
    `asked_above`, one must."""
    if allowance is not None and allowance.needs_approval(total):
        return allowance.limits.approval_above
    return asked_above


OVER_LIMITS = {one.code: one for one in (OVER_ORDER_LIMIT, OVER_MONTH_LIMIT)}
"""By their code."""
