"""What a purchaser may order: the most in an order and in a month, and above what an owner must approve (decision 61).

Limits bind purchasers. Owners and reps have none.
"""

from datetime import UTC, datetime

from domain.base import Frozen
from domain.errors import Conflict
from domain.identity.people import User
from domain.money import Money


class PurchaseLimits(Frozen):
    """US dollars with taxes and freight; None where there is no limit. Orders above `approval_above` wait for an owner."""

    per_order: Money | None = None
    per_month: Money | None = None
    approval_above: Money | None = None


class Allowance(Frozen):
    """The limits of whoever orders, and what they `ordered` in this month already, without the order in question."""

    limits: PurchaseLimits
    ordered: Money

    def is_over_order(self, total: Money) -> bool:
        most = self.limits.per_order
        return most is not None and total > most

    def is_over_month(self, total: Money) -> bool:
        most = self.limits.per_month
        return most is not None and self.ordered + total > most

    def needs_approval(self, total: Money) -> bool:
        above = self.limits.approval_above
        return above is not None and total > above


class OwnersUnlimited(Conflict):
    code = "owners_unlimited"
    detail = "Owners have no limits."


def is_limited(user: User) -> bool:
    """Whether limits bind this person."""
    return user.is_purchaser and not user.is_owner and not user.is_sales_rep


def month_of(at: datetime) -> datetime:
    """When the month began in which an order counts: the calendar month of its submit, in UTC."""
    return at.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
