"""Invoices and credit memos of the ERP: its `Invoices` and `CreditNotes`, in our words.

The printed number of a document is `U_Number`, its count of changes `U_Version`. What SAP keeps in tables of its own stands as
a list in a text: the discounts for paying early (`U_EarlyPay`), and what a document was settled with (`U_SettledWith`).
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Any

import structlog
from pydantic import BaseModel, BeforeValidator, Field, Json, ValidationError

from domain.base import Frozen
from domain.billing.invoices.documents import CreditMemo, EarlyPay, Invoice, Settled
from domain.billing.invoices.events import Feed
from domain.operations.erp_mirror import Cursor
from providers.erp.service_layer import Record, ServiceLayer, text

BATCH = 100
INVOICES, CREDIT_NOTES = "Invoices", "CreditNotes"

log = structlog.stdlib.get_logger()

Document = Invoice | CreditMemo
Day = Annotated[date, BeforeValidator(lambda told: told[:10] if isinstance(told, str) else told)]
"""Days come with a time of midnight, or without."""


class _Expense(BaseModel):
    LineTotal: Decimal


class _Line(BaseModel):
    ItemCode: str
    ItemDescription: str
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
    U_SettledWith: Json[list[Settled]] = Field(default=[], max_length=1_000)


class _Invoice(_Document):
    DocDueDate: Day
    NumAtCard: str | None = None
    VatSum: Decimal
    DocumentAdditionalExpenses: list[_Expense] = Field(default=[], max_length=100)
    DocumentLines: list[_Line] = Field(default=[], max_length=1_000)
    U_OrderNumber: str | None = None
    U_ShipmentNumber: str | None = None
    U_Payoff: Decimal
    U_EarlyPay: Json[list[EarlyPay]] = Field(default=[], max_length=20)


class _CreditNote(_Document):
    Comments: str
    U_InvoiceNumber: str | None = None


class _Entry(BaseModel):
    DocEntry: int
    CardCode: str


class _Changed(BaseModel):
    DocEntry: int
    UpdateDate: Annotated[str, BeforeValidator(lambda told: str(told)[:10])]
    UpdateTime: str


class _Cursors(Frozen):
    """Where the next page of each kind begins."""

    invoices: Cursor = Cursor()
    credit_notes: Cursor = Cursor()


class _Page(Frozen):
    documents: tuple[Document, ...]
    cursor: Cursor
    has_more: bool


class ErpDocuments:
    """Raises Unavailable without a usable answer, Refused for a clear no."""

    def __init__(self, service_layer: ServiceLayer) -> None:
        self._service_layer = service_layer

    async def changed_since(self, cursor: str) -> Feed:
        """What changed behind `cursor`, which is empty for all of it, or a moment; behind the last page, the last second again.
        One that cannot be read is passed over, so that the others do not wait behind it."""
        begin = _cursors(cursor)
        invoices = await self._page(INVOICES, begin.invoices)
        memos = await self._page(CREDIT_NOTES, begin.credit_notes)
        following = _Cursors(invoices=invoices.cursor, credit_notes=memos.cursor)
        return Feed(
            invoices=tuple(one for one in invoices.documents if isinstance(one, Invoice)),
            credit_memos=tuple(one for one in memos.documents if isinstance(one, CreditMemo)),
            cursor=following.model_dump_json(),
            has_more=invoices.has_more or memos.has_more,
        )

    async def entry_of(self, entity: str, number: str, partner_code: str) -> int | None:
        """The ERP's key of a document of this business, by its printed number."""
        record = await self._service_layer.first(entity, f"U_Number eq {text(number)}")
        if record is None:
            return None
        try:
            told = _Entry.model_validate(record)
        except ValidationError as error:
            raise self._service_layer.unreadable(entity, error) from None
        return told.DocEntry if told.CardCode == partner_code else None

    async def under(self, entity: str, entry: int) -> Document | None:
        """The document under this key as it is now; None for one that cannot be read."""
        record = await self._service_layer.one(entity, entry)
        return None if record is None else document_of(entity, record)

    async def _page(self, entity: str, cursor: Cursor) -> _Page:
        asked = {"$orderby": "UpdateDate,UpdateTime,DocEntry"}
        if cursor.on:
            asked["$filter"] = (
                f"UpdateDate gt {text(cursor.on)} or (UpdateDate eq {text(cursor.on)} and"
                f" (UpdateTime gt {text(cursor.at)} or (UpdateTime eq {text(cursor.at)} and"
                f" DocEntry gt {cursor.code or 0})))"
            )
        page = await self._service_layer.page(entity, asked, size=BATCH)
        behind = _behind(page.records, cursor)
        read = [document_of(entity, record) for record in page.records]
        return _Page(
            documents=tuple(one for one in read if one is not None),
            cursor=behind if page.has_more else behind.settled,
            has_more=page.has_more,
        )


def document_of(entity: str, record: Record) -> Document | None:
    """None for one that cannot be read."""
    try:
        return _invoice_of(record) if entity == INVOICES else _memo_of(record)
    except ValidationError as error:
        number = str(record.get("U_Number"))[:80]
        log.error("a document is unreadable", number=number, faults=error.error_count())
        return None


def _invoice_of(record: Record) -> Invoice:
    told = _Invoice.model_validate(record)
    freight = sum((one.LineTotal for one in told.DocumentAdditionalExpenses), Decimal(0))
    whole: Mapping[str, Any] = {
        "number": told.U_Number,
        "partner_code": told.CardCode,
        "version": told.U_Version,
        "order_number": told.U_OrderNumber or None,
        "po_number": told.NumAtCard or None,
        "shipment_number": told.U_ShipmentNumber or None,
        "create_date": told.DocDate,
        "due_date": told.DocDueDate,
        "subtotal": told.DocTotal - told.VatSum - freight,
        "freight": freight,
        "tax": told.VatSum,
        "total": told.DocTotal,
        "paid": told.PaidToDate,
        "payoff": told.U_Payoff,
        "early_pay": told.U_EarlyPay,
        "settled_with": told.U_SettledWith,
        "lines": [
            {
                "sku": line.ItemCode,
                "name": line.ItemDescription,
                "quantity": line.Quantity,
                "unit_price": line.UnitPrice,
                "total": line.LineTotal,
            }
            for line in told.DocumentLines
        ],
    }
    return Invoice.model_validate(whole)


def _memo_of(record: Record) -> CreditMemo:
    told = _CreditNote.model_validate(record)
    return CreditMemo(
        number=told.U_Number,
        partner_code=told.CardCode,
        version=told.U_Version,
        invoice_number=told.U_InvoiceNumber or None,
        reason=told.Comments,
        create_date=told.DocDate,
        total=told.DocTotal,
        applied=told.PaidToDate,
        applied_to=tuple(told.U_SettledWith),
    )


def _cursors(told: str) -> _Cursors:
    """From the start where it is none of these: what is mirrored already changes nothing."""
    try:
        return _Cursors.model_validate_json(told)
    except ValidationError:
        place = _place_at(told)
        return _Cursors(invoices=place, credit_notes=place)


def _place_at(moment: str) -> Cursor:
    try:
        then = datetime.fromisoformat(moment).astimezone(UTC)
    except ValueError:
        return Cursor()
    return Cursor(on=f"{then:%Y-%m-%d}", at=f"{then:%H:%M:%S}")


def _behind(records: list[Record], before: Cursor) -> Cursor:
    """Where the next page begins. A last record without a time is passed over: the page before it holds the place."""
    for record in reversed(records):
        try:
            told = _Changed.model_validate(record)
            return Cursor(on=told.UpdateDate, at=told.UpdateTime, code=str(told.DocEntry))
        except ValidationError:
            continue
    return before
