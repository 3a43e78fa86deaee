"""Incoming payments in the ERP: one for each invoice that is paid, by our reference of it."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any
from urllib.parse import quote

import httpx
from pydantic import BaseModel, ValidationError

from domain.billing.invoices.documents import CreditMemo, Invoice
from providers.erp.documents import Changed, document_of
from providers.erp.wire import wire_of


class _Posted(BaseModel):
    documents: list[Changed]


class ErpPayments:
    """The ERP takes each reference once, and answers alike however often it is asked.

    Raises Unavailable without a usable answer, Refused for a clear no.
    """

    def __init__(
        self, client: httpx.AsyncClient, *, base_url: str, seconds: float = 7.0, at_once: int = 32
    ) -> None:
        self._wire = wire_of(client, base_url, seconds=seconds, at_once=at_once)

    async def post(
        self,
        reference: str,
        *,
        partner_code: str,
        invoice_number: str,
        amount: Decimal,
        discount: Decimal,
        memos: Sequence[tuple[str, Decimal]],
        paid_on: date,
    ) -> tuple[Invoice | CreditMemo, ...]:
        """Posts what one invoice gets: money, memos (number and amount) and discount. Answers the invoice and the memos as
        they are after it."""
        wish: dict[str, Any] = {
            "reference": reference,
            "business_partner": partner_code,
            "invoice_number": invoice_number,
            "amount": float(amount),
            "discount": float(discount),
            "memos": [{"number": number, "amount": float(part)} for number, part in memos],
            "paid_on": str(paid_on),
        }
        answer = await self._wire.call(
            "post_payment", "POST", "/payments", json=wish, key=reference
        )
        return self._documents("post_payment", answer)

    async def cancel(self, reference: str) -> tuple[Invoice | CreditMemo, ...]:
        """Takes a posted payment back, with its discount and its memos; answers as `post` does. Idempotent."""
        answer = await self._wire.call(
            "cancel_payment", "POST", f"/payments/{quote(reference, safe='')}/cancel"
        )
        return self._documents("cancel_payment", answer)

    def _documents(self, operation: str, answer: bytes) -> tuple[Invoice | CreditMemo, ...]:
        try:
            posted = _Posted.model_validate_json(answer)
        except ValidationError as error:
            raise self._wire.unreadable(operation, error) from None
        read = [document_of(one) for one in posted.documents]
        return tuple(one for one in read if one is not None)
