"""Invoices and credit memos of the ERP: its `Invoices` and `CreditNotes`, in our words.

The printed number of a document is `U_Number`, its count of changes `U_Version`. An invoice names the order it
stands on: its number in `U_OrderNumber`, and in `U_Token` what tells it from another one of that number (decision
92). What SAP keeps in tables of its own stands as a list in a text: the discounts for paying early (`U_EarlyPay`),
and what a document was settled with (`U_SettledWith`).
"""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Annotated, Any

import structlog
from pydantic import BaseModel, BeforeValidator, Field, Json, ValidationError

from domain.base import Frozen
from domain.billing.invoices.documents import (
    LONGEST_NAME,
    LONGEST_REASON,
    LONGEST_TAX_NUMBER,
    CreditMemo,
    EarlyPay,
    Invoice,
    Settled,
)
from domain.billing.invoices.events import Feed
from domain.operations.erp_mirror import Cursor
from providers.erp.changes import changes_behind, place_at
from providers.erp.service_layer import Record, ServiceLayer, text

INVOICES, CREDIT_NOTES = "Invoices", "CreditNotes"

log = structlog.stdlib.get_logger()

Document = Invoice | CreditMemo
Day = Annotated[
    date, BeforeValidator(lambda value: value[:10] if isinstance(value, str) else value)
]
"""Days come with a time of midnight, or without."""


NullIsEmpty = BeforeValidator(lambda value: value or "[]")
"""A field that holds nothing is null there."""


class _Expense(BaseModel):
    LineTotal: Decimal


class _Line(BaseModel):
    ItemCode: str
    ItemDescription: str | None = None
    Quantity: Decimal
    UnitPrice: Decimal
    LineTotal: Decimal


class _Document(BaseModel):
    CardCode: str
    DocDate: Day
    DocTotal: Decimal
    PaidToDate: Decimal
    U_Number: str
    U_Version: int
    U_SettledWith: Annotated[Json[list[Settled]], Field(max_length=1_000), NullIsEmpty] = []


class _Invoice(_Document):
    DocDueDate: Day
    NumAtCard: str | None = None
    FederalTaxID: str | None = None
    VatSum: Decimal
    DocumentAdditionalExpenses: list[_Expense] = Field(default=[], max_length=100)
    DocumentLines: list[_Line] = Field(default=[], max_length=1_000)
    U_OrderNumber: str | None = None
    U_Token: str | None = None
    U_ShipmentNumber: str | None = None
    U_Coupon: str | None = None
    U_Discount: Decimal | None = None
    U_Payoff: Decimal | None = None
    U_EarlyPay: Annotated[Json[list[EarlyPay]], Field(max_length=20), NullIsEmpty] = []


class _CreditNote(_Document):
    Comments: str | None = None
    U_InvoiceNumber: str | None = None


class _Entry(BaseModel):
    DocEntry: int
    CardCode: str


class _Cursors(Frozen):
    """Where the next page of each kind begins."""

    invoices: Cursor = Cursor()
    credit_notes: Cursor = Cursor()


class ErpDocuments:
    """Raises Unavailable without a usable answer, Refused for a clear no."""

    def __init__(self, service_layer: ServiceLayer) -> None:
        self._service_layer = service_layer

    async def changed_since(self, cursor: str) -> Feed:
        """What changed behind `cursor`, which is empty for all of it, or a moment; behind the last page, the last second again.
        One that cannot be read is passed over, so that the others do not wait behind it."""
        begin = _cursors(cursor)
        invoices = await changes_behind(self._service_layer, INVOICES, begin.invoices)
        notes = await changes_behind(self._service_layer, CREDIT_NOTES, begin.credit_notes)
        following = _Cursors(invoices=invoices.cursor, credit_notes=notes.cursor)
        read = [
            *(document_of(INVOICES, record) for record in invoices.records),
            *(document_of(CREDIT_NOTES, record) for record in notes.records),
        ]
        return Feed(
            invoices=tuple(one for one in read if isinstance(one, Invoice)),
            credit_memos=tuple(one for one in read if isinstance(one, CreditMemo)),
            cursor=following.model_dump_json(),
            has_more=invoices.has_more or notes.has_more,
        )

    async def entry_of(self, entity: str, number: str, partner_code: str) -> int | None:
        """The ERP's key of a document of this business, by its printed number."""
        record = await self._service_layer.first(entity, f"U_Number eq {text(number)}")
        if record is None:
            return None
        try:
            entry = _Entry.model_validate(record)
        except ValidationError as error:
            raise self._service_layer.unreadable(entity, error) from None
        return entry.DocEntry if entry.CardCode == partner_code else None

    async def under(self, entity: str, entry: int) -> Document | None:
        """The document under this key as it is now; None for one that cannot be read."""
        record = await self._service_layer.one(entity, entry)
        return None if record is None else document_of(entity, record)


def document_of(entity: str, record: Record) -> Document | None:
    """None for one that cannot be read."""
    try:
        return _invoice_of(record) if entity == INVOICES else _memo_of(record)
    except ValidationError as error:
        number = str(record.get("U_Number"))[:80]
        log.error("a document is unreadable", number=number, faults=error.error_count())
        return None


def _invoice_of(record: Record) -> Invoice:
    document = _Invoice.model_validate(record)
    freight = sum((one.LineTotal for one in document.DocumentAdditionalExpenses), Decimal(0))
    whole: Mapping[str, Any] = {
        "number": document.U_Number,
        "partner_code": document.CardCode,
        "version": document.U_Version,
        "order_number": document.U_OrderNumber or None,
        "order_token": document.U_Token or None,
        "po_number": document.NumAtCard or None,
        "tax_number": (document.FederalTaxID or "")[:LONGEST_TAX_NUMBER] or None,
        "shipment_number": document.U_ShipmentNumber or None,
        "create_date": document.DocDate,
        "due_date": document.DocDueDate,
        "coupon_code": document.U_Coupon or None,
        "coupon_amount": document.U_Discount or Decimal(0),
        "subtotal": document.DocTotal - document.VatSum - freight,
        "freight": freight,
        "tax": document.VatSum,
        "total": document.DocTotal,
        "paid": document.PaidToDate,
        # Without one all that is open settles it.
        "payoff": max(document.DocTotal - document.PaidToDate, Decimal(0))
        if document.U_Payoff is None
        else document.U_Payoff,
        "early_pay": document.U_EarlyPay,
        "settled_with": document.U_SettledWith,
        "lines": [
            {
                "sku": line.ItemCode,
                "name": (line.ItemDescription or line.ItemCode)[:LONGEST_NAME],
                "quantity": line.Quantity,
                "unit_price": line.UnitPrice,
                "total": line.LineTotal,
            }
            for line in document.DocumentLines
        ],
    }
    return Invoice.model_validate(whole)


def _memo_of(record: Record) -> CreditMemo:
    memo = _CreditNote.model_validate(record)
    return CreditMemo(
        number=memo.U_Number,
        partner_code=memo.CardCode,
        version=memo.U_Version,
        invoice_number=memo.U_InvoiceNumber or None,
        reason=(memo.Comments or "")[:LONGEST_REASON],
        create_date=memo.DocDate,
        total=memo.DocTotal,
        applied=memo.PaidToDate,
        applied_to=tuple(memo.U_SettledWith),
    )


def _cursors(cursor: str) -> _Cursors:
    """From the start where it is none of these: what is mirrored already changes nothing."""
    try:
        return _Cursors.model_validate_json(cursor)
    except ValidationError:
        place = place_at(cursor)
        return _Cursors(invoices=place, credit_notes=place)
