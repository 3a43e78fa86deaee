"""Invoices and credit memos: read-only mirrors of the ERP's documents (rulings "Money and devices").

The ERP counts the versions of each document; the highest version that is known is the document.
"""

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, cast

from pydantic import BeforeValidator, Field, StringConstraints, computed_field, model_validator

from domain.base import Frozen
from domain.errors import NotFound
from domain.money import Money, to_cents

Number = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[\w-]+$")]
"""The ERP's number of a document, and our id of it."""
Short = Annotated[str, StringConstraints(min_length=1, max_length=120)]
LONGEST_NAME, LONGEST_REASON, LONGEST_TAX_NUMBER = 200, 254, 40
"""As the ERP has them."""
Version = Annotated[int, Field(ge=0, le=2_000_000_000)]
Owed = Annotated[Money, Field(ge=0, le=9_999_999_999)]

NOTHING = Decimal("0.00")


class SettledBy(StrEnum):
    """What an invoice is settled with, in the words of `U_SettledWith`; and what of it was taken back. A memo that is free
    again stands there no more."""

    PAYMENT = "payment"
    CREDIT_MEMO = "credit_memo"
    DISCOUNT = "discount"
    RETURNED_PAYMENT = "returned_payment"
    RETURNED_DISCOUNT = "returned_discount"


OWED_AGAIN = (SettledBy.RETURNED_PAYMENT, SettledBy.RETURNED_DISCOUNT)
FORMER_KINDS: Mapping[str, str] = {
    "credit memo": SettledBy.CREDIT_MEMO.value,
    "early-pay discount": SettledBy.DISCOUNT.value,
}
"""Words that documents of before have."""


class DocumentMissing(NotFound):
    """Absent, or of another business: the two are never told apart."""

    code = "document_missing"
    detail = "Not Found"


class EarlyPay(Frozen):
    """A discount for who pays within so many days. `percent` is shown; the ERP has worked out the amount."""

    number_of_days: Annotated[int, Field(ge=0, le=3_660)]
    percent: Annotated[Decimal, Field(ge=0, le=100)] = NOTHING


class DocumentLine(Frozen):
    sku: Short
    name: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_NAME)]
    quantity: Annotated[int, Field(ge=1, le=999_999)]
    unit_price: Owed
    total: Owed


class Settled(Frozen):
    """Something that an invoice was settled with, or where a memo went to. `number` is a payment's, a memo's or an
    invoice's, `kind` a `SettledBy`, `invoice`, or a word of the ERP's for which there is none here."""

    on: date
    kind: Annotated[
        str,
        StringConstraints(min_length=1, max_length=40),
        BeforeValidator(
            lambda value: FORMER_KINDS.get(value, value) if isinstance(value, str) else value
        ),
    ]
    number: Short
    amount: Owed

    @property
    def change(self) -> Decimal:
        """Of what is owed."""
        return self.amount if self.kind in OWED_AGAIN else -self.amount


class _Document(Frozen):
    """In US dollars: one that names another currency is none of ours, and not read."""

    @model_validator(mode="before")
    @classmethod
    def _is_in_us_dollars(cls, value: object) -> object:
        if isinstance(value, dict):
            named = cast("dict[str, object]", value).get("currency", "USD")
            if named != "USD":
                raise ValueError("a document is in US dollars")
        return cast("object", value)


class Invoice(_Document):
    """`payoff` settles it while the first early-pay entry holds. `order_number` is our number of the order,
    `order_token` tells it from another one of its number, and `tax_number` is the buyer's. `subtotal` is what the
    lines come to, less what a coupon took off them."""

    number: Number
    partner_code: Number
    version: Version
    order_number: Number | None = None
    order_token: Short | None = None
    po_number: Short | None = None
    tax_number: Short | None = None
    shipment_number: Short | None = None
    create_date: date
    due_date: date
    coupon_code: Short | None = None
    coupon_amount: Owed = NOTHING
    subtotal: Owed
    freight: Owed
    tax: Owed
    total: Owed
    paid: Owed
    payoff: Owed
    early_pay: Annotated[tuple[EarlyPay, ...], Field(max_length=20)] = ()
    lines: Annotated[tuple[DocumentLine, ...], Field(max_length=1_000)] = ()
    settled_with: Annotated[tuple[Settled, ...], Field(max_length=1_000)] = ()

    @model_validator(mode="after")
    def _adds_up(self) -> "Invoice":
        if self.total != self.subtotal + self.freight + self.tax:
            raise ValueError("the total is not the sum of its parts")
        return self

    @computed_field
    @property
    def balance(self) -> Money:
        """What is open."""
        return open_balance(self.total, self.paid)


class CreditMemo(_Document):
    """Money that a business has to its credit. `applied` of it went to invoices."""

    number: Number
    partner_code: Number
    version: Version
    invoice_number: Number | None = None
    reason: Annotated[str, StringConstraints(max_length=LONGEST_REASON)] = ""
    create_date: date
    total: Owed
    applied: Owed
    applied_to: Annotated[tuple[Settled, ...], Field(max_length=1_000)] = ()

    @computed_field
    @property
    def balance(self) -> Money:
        """What can still be applied."""
        return open_balance(self.total, self.applied)


class Ageing(StrEnum):
    """Days past the due date in the site's time zone; what is not due yet is `current` (rulings)."""

    CURRENT = "current"
    TO_30 = "1-30"
    TO_60 = "31-60"
    TO_90 = "61-90"
    OVER_90 = "over-90"

    @property
    def days(self) -> tuple[int | None, int | None]:
        """The first and the last day past due that belong to it. None: without an end."""
        return _DAYS[self]


_DAYS: dict[Ageing, tuple[int | None, int | None]] = {
    Ageing.CURRENT: (None, 0),
    Ageing.TO_30: (1, 30),
    Ageing.TO_60: (31, 60),
    Ageing.TO_90: (61, 90),
    Ageing.OVER_90: (91, None),
}


def open_balance(total: Decimal, settled: Decimal) -> Decimal:
    """Never below nothing: what was paid too much is the ERP's to give back."""
    return max(to_cents(total - settled), NOTHING)


def ageing_of(due_date: date, today: date) -> Ageing:
    late = (today - due_date).days
    return next(one for one, (_, last) in _DAYS.items() if last is None or late <= last)


def last_discount_day(invoice: Invoice) -> date | None:
    """The last whole day, in the site's time zone, on which the first early-pay entry holds. Later entries grant nothing
    here (shop spec 4; rulings)."""
    if not invoice.early_pay:
        return None
    return invoice.create_date + timedelta(days=invoice.early_pay[0].number_of_days)


def discount_of(invoice: Invoice, today: date) -> Decimal:
    """Invoice total minus payoff amount minus paid amount, to the cent; nothing after the last day, nor on a settled
    invoice. `today` is the day in the site's time zone."""
    last = last_discount_day(invoice)
    if last is None or today > last:
        return NOTHING
    saved = to_cents(invoice.total - invoice.payoff - invoice.paid)
    return min(max(saved, NOTHING), invoice.balance)


def payoff_of(invoice: Invoice, today: date) -> Decimal:
    """What settles it today."""
    return to_cents(invoice.balance - discount_of(invoice, today))
