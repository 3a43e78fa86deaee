"""What reconciliation finds: the kinds of differences, what each is about, and the shape of one (decision 59)."""

import hashlib
from collections.abc import Sequence
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import StringConstraints

from domain.base import Frozen, Utc
from domain.errors import Conflict, NotFound, Throttled
from domain.money import Money

DifferenceId = Annotated[str, StringConstraints(pattern=r"^dif_[0-9a-f]{32}$")]


class DifferenceKind(StrEnum):
    """`here` is the portal, `there` a payment provider or the ERP."""

    CHARGE_WITHOUT_PAYMENT = "charge_without_payment"
    PAYMENT_WITHOUT_CHARGE = "payment_without_charge"
    CHARGED_TWICE = "charged_twice"
    AMOUNT_DIFFERS = "amount_differs"
    CURRENCY_DIFFERS = "currency_differs"
    CUSTOMER_DIFFERS = "customer_differs"
    VOIDED_AND_CAPTURED = "voided_and_captured"
    PAYMENT_BEHIND = "payment_behind"
    """The provider is further than our row, and no run is left to ask."""
    REFUND_UNKNOWN_HERE = "refund_unknown_here"
    REFUND_UNKNOWN_THERE = "refund_unknown_there"
    CHARGEBACK_UNHEARD = "chargeback_unheard"
    RETURN_UNHEARD = "return_unheard"
    ORDER_NOT_IN_ERP = "order_not_in_erp"
    ORDER_ALIVE_IN_ERP = "order_alive_in_erp"
    """Cancelled here, and not there."""
    ORDER_CANCELLED_IN_ERP = "order_cancelled_in_erp"
    """Cancelled there, whole or in part, and not here."""
    ERP_ORDER_UNKNOWN = "erp_order_unknown"
    ORDER_NOT_PAID = "order_not_paid"
    PAYMENT_WITHOUT_ORDER = "payment_without_order"
    INVOICE_NOT_MIRRORED = "invoice_not_mirrored"
    POSTING_MISSING = "posting_missing"
    POSTING_DOUBLED = "posting_doubled"
    POSTING_UNKNOWN = "posting_unknown"
    """Posted at the ERP for an invoice that we did not settle with it."""
    MEMO_OVERAPPLIED = "memo_overapplied"
    ALLOCATIONS_DIFFER = "allocations_differ"
    BALANCE_DIFFERS = "balance_differs"
    PLAN_WITHOUT_PAYMENT = "plan_without_payment"
    PAYMENT_WITHOUT_PLAN = "payment_without_plan"
    TRANSFER_UNKNOWN_HERE = "transfer_unknown_here"
    TRANSFER_UNKNOWN_THERE = "transfer_unknown_there"
    TRANSFER_DIFFERS = "transfer_differs"


SAFE = frozenset(
    {
        DifferenceKind.PAYMENT_BEHIND,
        DifferenceKind.REFUND_UNKNOWN_HERE,
        DifferenceKind.RETURN_UNHEARD,
        DifferenceKind.INVOICE_NOT_MIRRORED,
        DifferenceKind.ORDER_CANCELLED_IN_ERP,
    }
)
"""What is repaired at once: whoever owns the fact is asked once more, and what they say is written down. No money moves by it, and
nobody outside is asked for anything but an answer; what follows from the fact, a case, follows as if it had been told."""

AboutKind = Literal[
    "order", "purchase", "invoice", "credit_memo", "invoice_payment", "placement", "partner"
]


class About(Frozen):
    """A thing that a difference concerns. `name` is how people know it; `run_id` is the run that made it, if one did: an
    order's, a purchase's, a payment of invoices'."""

    kind: AboutKind
    id: str
    name: str
    run_id: str | None = None


class Difference(Frozen):
    """`here` and `there` are what each side says, in short; `subject` names what was compared. `charge_id` is the provider's
    name of a charge."""

    kind: DifferenceKind
    subject: str
    about: tuple[About, ...] = ()
    partner_code: str | None = None
    here: str = ""
    there: str = ""
    amount: Money | None = None
    charge_id: str | None = None

    @property
    def id(self) -> str:
        """The same figures are the same difference in each round; other figures are another one."""
        content = "\n".join((self.kind, self.subject, self.here, self.there))
        return f"dif_{hashlib.sha256(content.encode()).hexdigest()[:32]}"

    @property
    def is_safe(self) -> bool:
        return self.kind in SAFE


class DifferenceState(StrEnum):
    """GONE: a later round does not find it any more."""

    OPEN = "open"
    REPAIRED = "repaired"
    SETTLED = "settled"
    GONE = "gone"


class KnownDifference(Frozen):
    """A difference as it is kept. `note` is what an operator said was done about it."""

    id: DifferenceId
    kind: DifferenceKind
    state: DifferenceState
    about: tuple[About, ...]
    partner_code: str | None
    here: str
    there: str
    amount: Money | None
    charge_id: str | None
    found_at: Utc
    ended_at: Utc | None
    settled_by: str | None
    note: str | None


class Part(StrEnum):
    """The parts of a round, in their order. Each may fail by itself."""

    CHARGES = "charges"
    """What the providers hold is read."""
    BOOKS = "books"
    """So are the ERP's orders and postings."""
    PAYMENTS = "payments"
    STRAYS = "strays"
    """What is there and has nothing here."""
    ORDERS = "orders"
    PURCHASES = "purchases"
    DOCUMENTS = "documents"
    POSTINGS = "postings"
    MEMOS = "memos"
    BALANCES = "balances"
    PAYOUTS = "payouts"


NEEDS: dict[Part, tuple[Part, ...]] = {
    Part.PAYMENTS: (Part.CHARGES,),
    Part.STRAYS: (Part.CHARGES, Part.BOOKS),
    Part.ORDERS: (Part.BOOKS,),
    Part.POSTINGS: (Part.BOOKS,),
}
"""What must have been read before a part can be compared."""


class Round(Frozen):
    """`found` counts what stands open by kind, `failed` names parts that could not be compared."""

    id: str
    asked_by: str
    began_at: Utc
    ended_at: Utc | None = None
    compared: dict[str, int] = {}
    failed: tuple[str, ...] = ()


class DifferenceMissing(NotFound):
    code = "difference_missing"


class DifferenceEnded(Conflict):
    """It was repaired, settled or is gone."""

    code = "difference_ended"
    detail = "This difference is not open any more."


class RoundUnderWay(Conflict):
    code = "reconciliation_under_way"
    detail = "A comparison is under way."


class TooManyRounds(Throttled):
    code = "too_many_rounds"
    detail = "The books were compared several times within the hour. Please try again later."


def money(amount: Decimal, currency: str = "USD") -> str:
    """As differences show it."""
    return f"{amount:.2f} {currency}"


def total_of(facts: Sequence[Decimal]) -> Decimal:
    return sum(facts, Decimal("0.00"))
