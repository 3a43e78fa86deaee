"""Incoming payments in the ERP: one for each invoice that is paid, under our reference of it (`U_Reference`)."""

import asyncio
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Literal

from pydantic import BaseModel, Field, ValidationError

from providers.erp.documents import CREDIT_NOTES, INVOICES, Document, ErpDocuments
from providers.erp.service_layer import ALREADY_THERE, Record, ServiceLayer, money, text
from providers.errors import Refused

PAYMENTS = "IncomingPayments"
ABOVE_BALANCE = "-10"
"""The ERP's code for more than is open on an invoice, or left of a credit note."""

_ENTITIES = {"it_Invoice": INVOICES, "it_CredItnote": CREDIT_NOTES}


class Settling(BaseModel):
    """What a payment does to one document: a credit note is used up by a negative sum."""

    DocEntry: int
    InvoiceType: Literal["it_Invoice", "it_CredItnote"]
    SumApplied: Decimal
    TotalDiscount: Decimal = Decimal(0)


class IncomingPayment(BaseModel):
    DocEntry: int
    CardCode: str
    Cancelled: Literal["tYES", "tNO"] = "tNO"
    TransferSum: Decimal
    U_Reference: str = Field(max_length=160)
    U_InvoiceNumber: str = Field(max_length=160)
    PaymentInvoices: list[Settling] = Field(max_length=1_000)

    @property
    def notes(self) -> list[Settling]:
        return [part for part in self.PaymentInvoices if part.InvoiceType == "it_CredItnote"]

    @property
    def is_cancelled(self) -> bool:
        return self.Cancelled == "tYES"


class ErpPayments:
    """The ERP takes each reference once, and answers alike however often it is asked.

    Raises Unavailable without a usable answer, Refused for a clear no.
    """

    def __init__(self, service_layer: ServiceLayer) -> None:
        self._service_layer = service_layer
        self._documents = ErpDocuments(service_layer)

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
    ) -> tuple[Document, ...]:
        """Posts what one invoice gets: money, memos (number and amount) and discount. Answers the invoice and the memos as
        they are after it. Refused (`payment_cancelled`) where it was posted and cancelled there since: it settles nothing."""
        entries = (
            self._entry(INVOICES, invoice_number, partner_code, "invoice_unknown"),
            *(self._entry(CREDIT_NOTES, one, partner_code, "memo_unknown") for one, _ in memos),
        )
        posted, (invoice, *notes) = await asyncio.gather(
            self._find(reference), asyncio.gather(*entries)
        )
        credit = sum((part for _, part in memos), Decimal(0))
        parts = [
            Settling(
                DocEntry=invoice,
                InvoiceType="it_Invoice",
                SumApplied=amount + credit,
                TotalDiscount=discount,
            ),
            *(
                Settling(DocEntry=entry, InvoiceType="it_CredItnote", SumApplied=-part)
                for entry, (_, part) in zip(notes, memos, strict=True)
            ),
        ]
        record = {
            "CardCode": partner_code,
            "DocDate": str(paid_on),
            "DocType": "rCustomer",
            "TransferSum": money(amount),
            "TransferDate": str(paid_on),
            "TransferReference": reference[:27],
            "U_Reference": reference,
            "U_InvoiceNumber": invoice_number,
            "PaymentInvoices": [_written(part) for part in parts],
        }
        posted = posted or await self._create(reference, record)
        if (posted.CardCode, posted.TransferSum, posted.PaymentInvoices) != (
            partner_code,
            amount,
            parts,
        ):
            raise _refused("reference_reused", "Another payment has this reference.")
        if posted.is_cancelled:
            raise _refused("payment_cancelled", "The ERP has cancelled this payment.")
        return await self._settled(posted)

    async def cancel(self, reference: str) -> tuple[Document, ...]:
        """Takes a posted payment back, with its discount and its memos; answers as `post` does. Idempotent."""
        posted = await self._find(reference)
        if posted is None:
            raise _refused("payment_unknown", "The ERP does not know this payment.")
        if not posted.is_cancelled:
            await self._service_layer.act(PAYMENTS, posted.DocEntry, "Cancel")
        return await self._settled(posted)

    async def _create(self, reference: str, record: Record) -> IncomingPayment:
        try:
            return self._read(await self._service_layer.create(PAYMENTS, record))
        except Refused as refusal:
            if refusal.code == ABOVE_BALANCE:
                raise _refused("amount_above_balance", str(refusal)) from None
            posted = await self._find(reference) if refusal.code == ALREADY_THERE else None
            if posted is None:
                raise
            return posted

    async def _find(self, reference: str) -> IncomingPayment | None:
        record = await self._service_layer.first(PAYMENTS, f"U_Reference eq {text(reference)}")
        return None if record is None else self._read(record)

    async def _entry(self, entity: str, number: str, partner_code: str, code: str) -> int:
        entry = await self._documents.entry_of(entity, number, partner_code)
        if entry is None:
            raise _refused(code, "The ERP does not know this document.")
        return entry

    async def _settled(self, posted: IncomingPayment) -> tuple[Document, ...]:
        found = await asyncio.gather(
            *(
                self._documents.under(_ENTITIES[part.InvoiceType], part.DocEntry)
                for part in posted.PaymentInvoices
            )
        )
        return tuple(one for one in found if one is not None)

    def _read(self, record: Record) -> IncomingPayment:
        try:
            return IncomingPayment.model_validate(record)
        except ValidationError as error:
            raise self._service_layer.unreadable(PAYMENTS, error) from None


def _written(part: Settling) -> Record:
    return {
        "DocEntry": part.DocEntry,
        "InvoiceType": part.InvoiceType,
        "SumApplied": money(part.SumApplied),
        "TotalDiscount": money(part.TotalDiscount),
    }


def _refused(code: str, detail: str) -> Refused:
    return Refused(code, detail, system="erp")
