"""A payment of invoices on paper: what each invoice got, and what was charged."""

from collections.abc import Mapping
from decimal import Decimal

from domain.billing.invoice_payment import InvoicePaymentView, InvoiceStatus
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
        ("Invoice", "", "Discount", "Credit memos", "Charged"),
        (60, 36, 26, 30, 28),
        (
            (
                one.number,
                _WORDS[one.status],
                money(one.discount),
                money(sum((part.amount for part in one.memos), Decimal(0))),
                money(one.charged),
            )
            for one in payment.lines
        ),
        figures=3,
    )
    page.sums(sums_of(payment))
    return page.written()


def sums_of(payment: InvoicePaymentView) -> list[tuple[str, Decimal]]:
    """From what the invoices come to, to what was charged and given back."""
    cleared = payment.charged + payment.discount + payment.applied
    return [
        ("Invoices", cleared),
        *([("Discount", -payment.discount)] if payment.discount else []),
        *([("Credit memos", -payment.applied)] if payment.applied else []),
        (f"Total charged ({payment.currency})", payment.charged),
        *([("Paid back", -payment.refunded)] if payment.refunded else []),
    ]
