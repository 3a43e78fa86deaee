"""A link by which somebody without an account pays one invoice: its maker lends the right to (decision 58)."""

from datetime import timedelta
from enum import StrEnum

from domain.base import Frozen, Utc
from domain.errors import Conflict, Gone

LIFE = timedelta(days=30)
MOST_OF_AN_INVOICE = 20
"""Links of one invoice that are still good."""


class PayLinkState(StrEnum):
    """`void`: its maker may not pay for the business any more."""

    OPEN = "open"
    PAID = "paid"
    REVOKED = "revoked"
    EXPIRED = "expired"
    VOID = "void"


class PayLink(Frozen):
    """`made_for` is the name of whom it was made for, `site` where it was made: discounts are judged in its time zone.
    `payment_id` is the last payment by it."""

    id: str
    partner_code: str
    invoice_number: str
    maker_id: str
    maker: str
    made_for: str
    site: str
    created_at: Utc
    expires_at: Utc
    revoked_at: Utc | None = None
    opened_at: Utc | None = None
    opened: int = 0
    payment_id: str | None = None

    @property
    def paid_by(self) -> str:
        """As others are told who pays."""
        return f"{self.made_for} (link of {self.maker})"


class PayLinkCard(Frozen):
    """A card that pays one payment and is saved nowhere. `shown` is how it is written, as in `Visa •••• 4242`."""

    id: str
    partner_code: str
    provider_id: str
    shown: str


class GuestState(StrEnum):
    """What somebody with a link can do: pay, wait, confirm at their bank, try another card, or nothing any more. `busy`:
    somebody else is paying the invoice; `refused`: it was paid and the money went back."""

    OPEN = "open"
    BUSY = "busy"
    PAYING = "paying"
    ACTION_REQUIRED = "action_required"
    DECLINED = "declined"
    REFUSED = "refused"
    PAID = "paid"


class PayLinkVoid(Gone):
    """Unknown, revoked, expired, or of a maker without the right: never told apart (rulings)."""

    code = "pay_link_void"
    detail = "This link is no longer valid."


class PayLinkPaid(Conflict):
    code = "pay_link_paid"
    detail = "This invoice is paid. Nothing was charged."


class PayLinkBusy(Conflict):
    code = "pay_link_busy"
    detail = "This invoice is being paid by somebody else right now. Nothing was charged."


class TooManyPayLinks(Conflict):
    code = "too_many_pay_links"
    detail = "There are enough links for this invoice. Revoke one first."


class NothingOpen(Conflict):
    code = "invoice_not_open"
    detail = "Nothing is open on this invoice any more."


def is_lent(method_id: str | None) -> bool:
    """Whether a payment's method is a card that was typed at a link."""
    return method_id is not None and method_id.startswith(LENT_PREFIX)


LENT_PREFIX = "lent_"

_LIVE = {
    "action_required": GuestState.ACTION_REQUIRED,
    "declined": GuestState.DECLINED,
}


def guest_state(
    *, is_open: bool, is_held: bool, is_own: bool, run: str | None, has_ended: bool
) -> GuestState:
    """Where a link stands: `run` is the state of its payment, None as long as no run has shown it; `is_held` that some
    payment holds the invoice, `is_own` that it is the link's."""
    if run is not None and not has_ended:
        return _LIVE.get(run, GuestState.PAYING)
    if not is_open:
        return GuestState.PAID
    if is_held:
        return GuestState.PAYING if is_own else GuestState.BUSY
    return GuestState.REFUSED if run == "refused" else GuestState.OPEN
