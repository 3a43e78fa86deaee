"""A receipt of plans on paper, for printing and for the books."""

from decimal import Decimal

from domain.paper.buyer import Buyer
from domain.paper.seller import Seller
from domain.paper.sheet import Sheet
from domain.paper.words import country_name, money, tax_name
from domain.plans.purchases import LineStatus
from domain.plans.receipts import Receipt

_WAITS = " (not set up yet)"
_SAID = {
    LineStatus.WAITING: _WAITS,
    LineStatus.FAILED: _WAITS,
    LineStatus.UNCERTAIN: _WAITS,
    LineStatus.OWED: " (being paid back)",
    LineStatus.REFUNDED: " (paid back)",
    LineStatus.UNPAID: " (not set up, not paid)",
}
"""Of a line that has no plan."""


def receipt_paper(receipt: Receipt, buyer: Buyer, seller: Seller) -> bytes:
    """The same receipt is the same text."""
    page = Sheet("Receipt" if receipt.succeeded else "Declined payment", receipt.created_at, seller)
    address = receipt.address
    town = f"{address.city} {address.country_area} {address.postal_code}"
    account = (f"Account {receipt.partner_code}",) if receipt.partner_code else ()
    page.blocks(
        ("Buyer", (buyer.name, *account, *buyer.numbers)),
        ("Taxed at", (address.street, town, country_name(address.country))),
    )
    page.facts(
        [
            ("Receipt", receipt.uuid),
            ("Transaction", receipt.transaction_id),
            ("Date (UTC)", f"{receipt.created_at:%Y-%m-%d %H:%M}"),
            ("Bought by", receipt.bought_by),
            ("Paid with", receipt.payment_shown),
            ("Reason", receipt.detail),
        ]
    )
    page.rows(
        ("Device", "Plan", "Until", "Tax", "Total"),
        (42, 66, 24, 22, 26),
        (
            (
                line.device_key,
                f"{line.plan_name}{_SAID.get(line.status, '')}",
                f"{line.ends_at:%Y-%m-%d}" if line.ends_at else "",
                money(line.tax),
                money(line.total),
            )
            for line in receipt.lines
        ),
        figures=3,
    )
    page.sums(sums_of(receipt))
    page.ln(3)
    page.note("Tax rates are demonstration data.")
    return page.written()


def sums_of(receipt: Receipt) -> list[tuple[str, Decimal]]:
    """From the plans to what was charged; the steps between add up to it."""
    return [
        ("Plans", receipt.base_amount),
        ("Discount", -receipt.currency_discount),
        *((tax_name(tax), tax.amount) for tax in receipt.taxes),
        (f"Total ({receipt.currency})", receipt.final_charge),
        *([("Paid back", -receipt.refunded)] if receipt.refunded else []),
    ]
