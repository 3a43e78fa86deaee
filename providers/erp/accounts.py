"""What the ERP knows of a business's account: its `BusinessPartners`, and those of its invoices that are open."""

import asyncio
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from domain.base import Frozen
from domain.billing.reconciliation.facts import OpenInvoice
from domain.partners.partners import ErpAccount
from providers.erp.service_layer import Record, ServiceLayer
from providers.errors import Refused

PARTNERS, OPEN_INVOICES = "BusinessPartners", "OpenInvoices"
"""The second is a question that is kept in the ERP (`SQLQueries`): open items of a business, also those from before it had invoices
there."""


class Owed(Frozen):
    """What the ERP says of an account."""

    balance: Decimal
    open_invoices: tuple[OpenInvoice, ...]


class _Account(BaseModel):
    CurrentAccountBalance: Decimal
    CreditLimit: Decimal
    U_InvoiceCount: Annotated[int, Field(ge=0)]


class _Open(BaseModel):
    Number: Annotated[str, Field(max_length=160)]
    DueDate: Annotated[
        date, BeforeValidator(lambda value: value[:10] if isinstance(value, str) else value)
    ]
    OpenAmount: Decimal


class Erp:
    """Raises Unavailable without a usable answer, Refused for a code that the ERP does not know."""

    def __init__(self, service_layer: ServiceLayer) -> None:
        self._service_layer = service_layer

    async def account_of(self, code: str, today: date) -> ErpAccount:
        """What the business owes; an invoice is past due when it was due before `today`."""
        account, open_ = await self._fetch(code)
        return ErpAccount(
            account_balance=account.CurrentAccountBalance,
            credit_limit=account.CreditLimit,
            past_due_invoices=sum(one.DueDate < today and one.OpenAmount > 0 for one in open_),
            invoice_count=account.U_InvoiceCount,
        )

    async def owed_by(self, code: str) -> Owed:
        account, open_ = await self._fetch(code)
        return Owed(
            balance=account.CurrentAccountBalance,
            open_invoices=tuple(
                OpenInvoice(number=one.Number, amount=one.OpenAmount)
                for one in open_
                if one.OpenAmount > 0
            ),
        )

    async def _fetch(self, code: str) -> tuple[_Account, Sequence[_Open]]:
        record, rows = await asyncio.gather(
            self._service_layer.one(PARTNERS, code),
            self._service_layer.asked(OPEN_INVOICES, {"code": code}),
        )
        if record is None:
            raise Refused("partner_unknown", "The ERP does not know this business.", system="erp")
        return self._read(record, rows)

    def _read(self, record: Record, rows: Sequence[Record]) -> tuple[_Account, Sequence[_Open]]:
        try:
            return _Account.model_validate(record), [_Open.model_validate(one) for one in rows]
        except ValidationError as error:
            raise self._service_layer.unreadable(PARTNERS, error) from None
