"""What a payment of invoices comes to: charge, discount and credit memos for each invoice, to the cent (shop spec 4).

One function for the mock run and the payment itself. It is told the day by whoever keeps the payment: that is the
day on which the discounts are judged, and they are not judged again.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from decimal import Decimal
from enum import StrEnum
from typing import Any

from domain.base import Frozen, Utc
from domain.billing.invoices.documents import (
    NOTHING,
    CreditMemo,
    DocumentMissing,
    Invoice,
    last_discount_day,
    payoff_of,
)
from domain.errors import Conflict, Invalid
from domain.money import CENT, Money, to_cents

MOST_INVOICES = 200
MOST_MEMOS = 100
MOST_AMOUNT = Decimal(10_000_000)


class DocumentRequest(Frozen):
    """So much of this document: paid towards an invoice, or taken from a credit memo."""

    number: str
    amount: Money


class AllocationRequest(Frozen):
    """What is to be paid. No more is taken of a memo than the invoices need."""

    invoices: tuple[DocumentRequest, ...]
    memos: tuple[DocumentRequest, ...] = ()


class Holder(Frozen):
    """By which payment a document is held, who made it, and since when."""

    payment_id: str
    by: str
    since: Utc


class DocumentFault(StrEnum):
    PAID = "paid"
    ABOVE_BALANCE = "amount_above_balance"
    IN_PAYMENT = "in_payment"


_WORDS = {
    DocumentFault.PAID: "Nothing is open on it any more.",
    DocumentFault.ABOVE_BALANCE: "The amount is above what is open on it.",
}


class DocumentProblem(Frozen):
    """What is wrong with one document of a request. `by` and `since`: whose payment holds it."""

    id: str
    code: DocumentFault
    detail: str
    by: str | None = None
    since: Utc | None = None


class FromMemo(Frozen):
    number: str
    amount: Money


class Allocation(Frozen):
    """What one invoice gets: `charged` of the payment, and what comes from memos. With both it is settled where they come
    to its payoff amount; then `discount` is granted, through `discount_day`."""

    number: str
    wanted: Money
    charged: Money
    discount: Money
    memos: tuple[FromMemo, ...] = ()
    settles: bool
    discount_day: date | None = None

    @property
    def from_memos(self) -> Decimal:
        return sum((one.amount for one in self.memos), NOTHING)

    @property
    def amount(self) -> Decimal:
        """What is paid towards it, in money and memos."""
        return self.charged + self.from_memos

    @property
    def clears(self) -> Decimal:
        """By how much its balance falls."""
        return self.amount + self.discount


class PaymentPlan(Frozen):
    """All of a payment. `on` is the day that discounts were judged by, in the site's time zone."""

    allocations: tuple[Allocation, ...]
    on: date
    charged: Money
    discount: Money
    applied: Money
    currency: str = "USD"

    def discount_ends_at(self, zone: tzinfo) -> datetime | None:
        """When the first of the discounts that are granted ends: with its last day there."""
        days = [one.discount_day for one in self.allocations if one.discount_day is not None]
        if not days:
            return None
        return datetime.combine(min(days) + timedelta(days=1), time(), zone).astimezone(UTC)


class InvoicesRefused(Conflict):
    """Some invoices or memos cannot be paid or applied like this; nothing was kept or charged."""

    code = "invoices_refused"
    detail = "Some of the invoices or credit memos cannot be paid like this. Please check them."

    def __init__(
        self, invoices: Sequence[DocumentProblem], memos: Sequence[DocumentProblem]
    ) -> None:
        extra: dict[str, Any] = {
            "invoices": [one.model_dump(mode="json") for one in invoices],
            "creditMemos": [one.model_dump(mode="json") for one in memos],
        }
        first = [*invoices, *memos]
        detail = f"{first[0].id}: {first[0].detail}" if len(first) == 1 else None
        super().__init__(detail, extra=extra)


def check_request(request: AllocationRequest) -> None:
    """Raises Invalid, with the field: none or too many, the same twice, amounts that are none."""
    for field, wanted, most in (
        ("invoices", request.invoices, MOST_INVOICES),
        ("creditMemos", request.memos, MOST_MEMOS),
    ):
        numbers = [one.number for one in wanted]
        if (field == "invoices" and not numbers) or len(numbers) > most:
            raise Invalid(fields=[(field, "Invalid value")])
        if len(set(numbers)) < len(numbers):
            raise Invalid(fields=[(field, "The same document is named twice")])
        if not all(_is_amount(one.amount) for one in wanted):
            raise Invalid(fields=[(field, "Invalid value")])


def planned(
    request: AllocationRequest,
    invoices: Mapping[str, Invoice],
    memos: Mapping[str, CreditMemo],
    today: date,
    held: Mapping[str, Holder] | None = None,
) -> PaymentPlan:
    """What the request comes to on this day. `invoices` and `memos` are those of the one business that pays; `held` are the
    documents that other payments hold.

    Raises Invalid, DocumentMissing for what is not the business's, InvoicesRefused with everything that is wrong.
    """
    check_request(request)
    of_invoices, of_memos = problems_of(request, invoices, memos, held or {})
    if of_invoices or of_memos:
        raise InvoicesRefused(of_invoices, of_memos)
    left = {one.number: one.amount for one in request.memos}
    allocations = tuple(
        _allocated(one, invoices[one.number], left, today) for one in request.invoices
    )
    return PaymentPlan(
        allocations=allocations,
        on=today,
        charged=sum((one.charged for one in allocations), NOTHING),
        discount=sum((one.discount for one in allocations), NOTHING),
        applied=sum((one.from_memos for one in allocations), NOTHING),
    )


def is_planned(request: AllocationRequest, plan: PaymentPlan) -> bool:
    """Whether a plan is of this very request: the same amounts, from the same memos. What has become of the documents since
    does not matter."""
    wanted = tuple(
        DocumentRequest(number=one.number, amount=one.wanted) for one in plan.allocations
    )
    left = {one.number: one.amount for one in request.memos}
    return wanted == request.invoices and all(
        _taken(one.amount, left) == one.memos for one in plan.allocations
    )


def problems_of(
    request: AllocationRequest,
    invoices: Mapping[str, Invoice],
    memos: Mapping[str, CreditMemo],
    held: Mapping[str, Holder],
) -> tuple[list[DocumentProblem], list[DocumentProblem]]:
    """What is wrong with its invoices, and with its memos. Raises DocumentMissing."""
    named = (
        *((one, invoices) for one in request.invoices),
        *((one, memos) for one in request.memos),
    )
    if any(one.number not in documents for one, documents in named):
        raise DocumentMissing
    return _problems(request.invoices, invoices, held), _problems(request.memos, memos, held)


def _allocated(
    wanted: DocumentRequest, invoice: Invoice, left: dict[str, Decimal], today: date
) -> Allocation:
    """Takes from `left`, which memo by memo says what can still be applied."""
    payoff = payoff_of(invoice, today)
    settles = wanted.amount >= payoff
    due = min(wanted.amount, payoff)
    discount = invoice.balance - payoff if settles else NOTHING
    taken = _taken(due, left)
    return Allocation(
        number=wanted.number,
        wanted=wanted.amount,
        charged=due - sum(one.amount for one in taken),
        discount=discount,
        memos=taken,
        settles=settles,
        discount_day=last_discount_day(invoice) if discount else None,
    )


def _taken(due: Decimal, left: dict[str, Decimal]) -> tuple[FromMemo, ...]:
    """What memos give towards an invoice; it is taken from `left`."""
    taken: list[FromMemo] = []
    for number, rest in left.items():
        part = min(rest, due)
        if part > 0:
            taken.append(FromMemo(number=number, amount=part))
            left[number] -= part
            due -= part
    return tuple(taken)


def _problems(
    wanted: Sequence[DocumentRequest],
    documents: Mapping[str, Invoice] | Mapping[str, CreditMemo],
    held: Mapping[str, Holder],
) -> list[DocumentProblem]:
    found = [_problem(one, documents[one.number].balance, held.get(one.number)) for one in wanted]
    return [problem for problem in found if problem is not None]


def _problem(
    wanted: DocumentRequest, balance: Decimal, holder: Holder | None
) -> DocumentProblem | None:
    if holder is not None:
        return DocumentProblem(
            id=wanted.number,
            code=DocumentFault.IN_PAYMENT,
            detail=f"It is being paid by {holder.by} since {holder.since:%Y-%m-%d %H:%M} UTC.",
            by=holder.by,
            since=holder.since,
        )
    fault = None
    if balance <= 0:
        fault = DocumentFault.PAID
    elif wanted.amount > balance:
        fault = DocumentFault.ABOVE_BALANCE
    return DocumentProblem(id=wanted.number, code=fault, detail=_WORDS[fault]) if fault else None


def _is_amount(amount: Decimal) -> bool:
    return CENT <= amount <= MOST_AMOUNT and amount == to_cents(amount)
