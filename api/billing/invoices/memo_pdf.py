"""A credit memo as a PDF."""

from datetime import UTC, datetime, time

from api.billing.invoices.statement_pdf import KINDS
from domain.billing.invoices.documents import CreditMemo
from domain.paper.buyer import Buyer
from domain.paper.seller import Seller
from domain.paper.sheet import Sheet
from domain.paper.words import money


def memo_pdf(memo: CreditMemo, buyer: Buyer, seller: Seller) -> bytes:
    """With where it went. The same memo is the same text."""
    issued = datetime.combine(memo.create_date, time(), UTC)
    page = Sheet(f"Credit memo {memo.number}", issued, seller)
    page.facts(
        [
            ("Business", f"{buyer.name} ({memo.partner_code})"),
            ("Tax no. of the buyer", buyer.tax_number),
            ("Date", f"{memo.create_date}"),
            ("Reason", memo.reason),
            ("Invoice", memo.invoice_number),
        ]
    )
    if memo.applied_to:
        page.rows(
            ("Date", "Applied to", "Number", "Amount"),
            (26, 46, 74, 34),
            (
                (f"{one.on}", KINDS.get(one.kind, one.kind), one.number, money(one.amount))
                for one in memo.applied_to
            ),
            figures=3,
        )
    page.sums(
        [
            ("Total (USD)", memo.total),
            ("Applied", -memo.applied),
            ("Can be applied (USD)", memo.balance),
        ],
        due="Can be applied",
    )
    return page.written()
