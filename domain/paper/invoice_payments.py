"""A payment of invoices on paper: what each invoice got, and what was charged."""

from collections.abc import Mapping
from decimal import Decimal

from domain.billing.invoice_payment import (
    NOT_SETTLED,
    InvoiceLine,
    InvoicePaymentView,
    InvoiceStatus,
)
from domain.billing.payments import NOTHING
from domain.paper.buyer import Buyer
from domain.paper.seller import Seller
from domain.paper.sheet import Sheet
from domain.paper.words import money

_WORDS: Mapping[InvoiceStatus, str] = {
    InvoiceStatus.WAITING: "waiting",
    InvoiceStatus.POSTED: "paid",
    InvoiceStatus.REFUSED: "refused",
    InvoiceStatus.REFUNDED: "paid back",
    InvoiceStatus.RELEASED: "not paid",
    InvoiceStatus.RETURNED: "returned",
}


def payment_paper(payment: InvoicePaymentView, buyer: Buyer, seller: Seller) -> bytes:
    """The same payment is the same text."""
    page = Sheet("Receipt of a payment", payment.submitted_at, seller)
    page.blocks(("Payer", (buyer.name, f"Account {payment.partner_code}", *buyer.numbers)))
    page.facts(
        [
            ("Payment", payment.uuid),
            ("Date (UTC)", f"{payment.submitted_at:%Y-%m-%d %H:%M}"),
            ("Paid by", payment.paid_by),
            ("Paid with", payment.payment.shown if payment.payment else None),
        ]
    )
    page.rows(
        ("Invoice", "What came of it", "Discount", "Credit memos", "Charged"),
        (60, 36, 26, 30, 28),
        (
            (
                one.number,
                _WORDS[one.status],
                money(NOTHING if one.status in NOT_SETTLED else one.discount),
                money(NOTHING if one.status in NOT_SETTLED else _applied(one)),
                money(one.charged),
            )
            for one in payment.lines
        ),
        figures=2,
    )
    page.sums(sums_of(payment))
    return page.written()


def sums_of(payment: InvoicePaymentView) -> list[tuple[str, Decimal]]:
    """From what the paid invoices come to, to what was charged, given back and taken back by a bank: one that is refused, or
    open again, gets neither discount nor memos."""
    paid = [one for one in payment.lines if one.status not in NOT_SETTLED]
    discount = sum((one.discount for one in paid), NOTHING)
    applied = sum((_applied(one) for one in paid), NOTHING)
    taken = payment.taken_back
    refused = payment.charged - taken - sum((one.charged for one in paid), NOTHING)
    return [
        ("Invoices", payment.charged - refused - taken + discount + applied),
        *([("Discount", -discount)] if discount else []),
        *([("Credit memos", -applied)] if applied else []),
        *([("Refused invoices", refused)] if refused else []),
        *([("Invoices that are open again", taken)] if taken else []),
        (f"Total charged ({payment.currency})", payment.charged),
        *([("Paid back", -payment.refunded)] if payment.refunded else []),
        *([("Taken back by the bank", -taken)] if taken else []),
    ]


def _applied(line: InvoiceLine) -> Decimal:
    return sum((part.amount for part in line.memos), NOTHING)
