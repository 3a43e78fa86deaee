"""Documents for tests: each call makes new ones, of businesses that no other test meets."""

from datetime import date
from decimal import Decimal
from typing import Any

from db.base import Sessions
from db.billing.invoices.documents import mirror
from domain.billing.invoices.documents import CreditMemo, DocumentLine, EarlyPay, Invoice
from tests.drivers.factories import a_name

ISSUED = date(2026, 11, 2)
DUE = date(2026, 12, 2)


def an_invoice(partner_code: str, total: str = "100.00", **given: Any) -> Invoice:
    """Not stored. Open, with two per cent off for ten days."""
    amount = Decimal(total)
    values: dict[str, Any] = {
        "number": f"INV-{a_name()}",
        "partner_code": partner_code,
        "version": 1,
        "create_date": ISSUED,
        "due_date": DUE,
        "subtotal": amount,
        "freight": Decimal(0),
        "tax": Decimal(0),
        "total": amount,
        "paid": Decimal(0),
        "payoff": amount * Decimal("0.98"),
        "early_pay": (EarlyPay(number_of_days=10, percent=Decimal(2)),),
        "lines": (
            DocumentLine(sku="T-1", name="Thing", quantity=1, unit_price=amount, total=amount),
        ),
    }
    return Invoice(**{**values, **given})


def a_memo(partner_code: str, total: str = "30.00", **given: Any) -> CreditMemo:
    """Not stored. Nothing of it was applied."""
    values: dict[str, Any] = {
        "number": f"CM-{a_name()}",
        "partner_code": partner_code,
        "version": 1,
        "reason": "Returned goods",
        "create_date": ISSUED,
        "total": Decimal(total),
        "applied": Decimal(0),
    }
    return CreditMemo(**{**values, **given})


async def mirrored(sessions: Sessions, *documents: Invoice | CreditMemo) -> None:
    async with sessions.begin() as session:
        for document in documents:
            await mirror(session, document)
