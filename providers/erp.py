"""What the ERP knows of a business (rulings "Money and devices": balances and invoices belong to the ERP)."""

from datetime import date
from decimal import Decimal
from typing import Annotated
from urllib.parse import quote

import httpx
from pydantic import BaseModel, Field, ValidationError

from domain.partners import ErpAccount
from providers.wire import Wire


class _Invoice(BaseModel):
    due_date: date
    open_amount: Decimal


class _Account(BaseModel):
    balance: Decimal
    credit_limit: Decimal
    invoice_count: Annotated[int, Field(ge=0)]
    open_invoices: tuple[_Invoice, ...]


class Erp:
    """Raises Unavailable without a usable answer, Refused for a code that the ERP does not know."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        *,
        base_url: str,
        seconds: float = 1.5,
        at_once: int = 16,
    ) -> None:
        """`base_url` without `/v1`; `seconds` limits each call; `at_once` the calls under way."""
        self._wire = Wire(
            client,
            system="erp",
            base_url=f"{base_url.rstrip('/')}/v1",
            seconds=seconds,
            at_once=at_once,
        )

    async def account_of(self, code: str, today: date) -> ErpAccount:
        """What the business owes; an invoice is past due when it was due before `today`."""
        answer = await self._wire.call(
            "account", "GET", f"/business-partners/{quote(code, safe='')}"
        )
        try:
            told = _Account.model_validate_json(answer)
        except ValidationError as error:
            raise self._wire.unreadable("account", error) from None
        late = [one for one in told.open_invoices if one.due_date < today and one.open_amount > 0]
        return ErpAccount(
            account_balance=told.balance,
            credit_limit=told.credit_limit,
            past_due_invoices=len(late),
            invoice_count=told.invoice_count,
        )
