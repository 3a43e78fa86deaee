"""An order or a purchase that waits for an owner's yes: who may give it, what is said of it (decision 61)."""

from domain.base import Frozen, Utc
from domain.errors import Conflict
from domain.identity.people import Role, User, roles_of
from domain.money import Money


class ApprovalAsked(Frozen):
    """Why an order waits: its total is above `above`. `reason` is the requester's; `until` is when it expires."""

    reason: str = ""
    above: Money
    until: Utc


class Approval(ApprovalAsked):
    """The same with the answer: whose it was, and their word."""

    answered_by: str | None = None
    note: str | None = None


class NotApprover(Conflict):
    """Owners of the dealer answer, and never the one who ordered."""

    code = "not_approver"
    detail = "An owner of the business approves orders, and nobody their own."


class ApprovalAnswered(Conflict):
    code = "approval_answered"
    detail = "This order does not wait for an approval any more."


class AgreementNeeded(Conflict):
    """The requester is asked first."""

    code = "agreement_needed"
    detail = "Prices or stock have changed since. Whoever ordered is asked to agree first."


def is_approver(user: User, *, dealer_id: str | None, requester_id: str) -> bool:
    """Owners of the dealer who are not retired approve, and nobody their own order."""
    return (
        Role.OWNER in roles_of(user)
        and dealer_id is not None
        and user.dealer_id == dealer_id
        and user.id != requester_id
    )
