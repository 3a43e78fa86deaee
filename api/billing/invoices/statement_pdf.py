"""A statement of account as a PDF."""

from collections.abc import Sequence
from datetime import UTC, datetime, time

from domain.billing.invoices.documents import Ageing
from domain.billing.invoices.search import AgeingSum
from domain.billing.invoices.statement import Statement, StatementSearch
from domain.paper.buyer import Buyer
from domain.paper.seller import Seller
from domain.paper.sheet import Sheet
from domain.paper.words import money

KINDS = {
    "invoice": "Invoice",
    "credit_memo": "Credit memo",
    "payment": "Payment",
    "discount": "Discount",
    "returned_payment": "Returned payment",
    "returned_discount": "Discount taken back",
}
_BUCKETS = {
    Ageing.CURRENT: "Not due yet",
    Ageing.TO_30: "1 to 30 days past due",
    Ageing.TO_60: "31 to 60 days past due",
    Ageing.TO_90: "61 to 90 days past due",
    Ageing.OVER_90: "Over 90 days past due",
}


def statement_pdf(
    asked: StatementSearch,
    statement: Statement,
    ageing: Sequence[AgeingSum],
    buyer: Buyer,
    seller: Seller,
) -> bytes:
    """The same statement is the same text all day."""
    page = Sheet("Statement of account", datetime.combine(asked.today, time(), UTC), seller)
    page.facts(
        [
            ("Business", f"{buyer.name} ({asked.partner_code})"),
            ("Tax no.", buyer.tax_number),
            ("From", f"{asked.first_day}"),
            ("To", f"{asked.last_day}"),
            ("Balance before", money(statement.opening)),
            ("Balance after (USD)", money(statement.closing)),
        ]
    )
    page.write_line(f"Open today ({asked.today}), by age:")
    page.facts((_BUCKETS[one.bucket], money(one.amount)) for one in ageing)
    page.rows(
        ("Date", "What", "Number", "Amount", "Balance"),
        (26, 38, 44, 34, 38),
        (
            (
                f"{one.on}",
                KINDS.get(one.kind, one.kind),
                one.number,
                money(one.amount),
                money(one.balance),
            )
            for one in statement.entries
        ),
        figures=3,
    )
    if statement.total > len(statement.entries):
        page.write_line("There are more entries: choose fewer days.")
    return page.written()
