"""The lists of invoices and of credit memos as files for spreadsheets: every one that fits, however many."""

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from api.billing.invoices.queries import (
    Day,
    InvoiceStatuses,
    MemoStatuses,
    Term,
    asked_for,
)
from api.partners.named_business import BusinessCode, check_named
from api.platform.answers.csv_text import (
    BATCH,
    CSV,
    Headings,
    Language,
    Row,
    as_csv,
    batches,
    plain,
)
from api.platform.border.queries import known_of, or_default
from api.platform.deps import Portal, PortalDep, SignedIn
from db.base import reading
from db.billing.invoices.lists import list_invoices, list_memos
from domain.billing.invoices.documents import (
    CreditMemo,
    Invoice,
    discount_of,
    last_discount_day,
    payoff_of,
)
from domain.billing.invoices.search import (
    DocumentSearch,
    DocumentSort,
    InvoiceListStatus,
    MemoStatus,
    Place,
)
from domain.identity.people import Actor

router = APIRouter(tags=["invoices"])

_HEADINGS: Headings = {
    "en": (
        "Invoice",
        "Date",
        "Due date",
        "Order",
        "PO number",
        "Total (USD)",
        "Paid",
        "Open",
        "Discount",
        "Discount until",
        "To pay",
    ),
    "fr": (
        "Facture",
        "Date",
        "Échéance",
        "Commande",
        "Bon de commande",
        "Total (USD)",
        "Payé",
        "Solde",
        "Escompte",
        "Escompte jusqu’au",
        "À payer",
    ),
}


_MEMO_HEADINGS: Headings = {
    "en": ("Credit memo", "Date", "Reason", "Invoice", "Total (USD)", "Applied", "Balance"),
    "fr": ("Note de crédit", "Date", "Motif", "Facture", "Total (USD)", "Imputé", "Solde"),
}


class DocumentsExportQuery(BaseModel):
    """As a list is narrowed and sorted. `language` is that of the headings."""

    sap_bp_code: BusinessCode | None = Field(default=None, alias="sapBpCode")
    search: Term = ""
    from_: Day | None = Field(default=None, alias="from")
    to: Day | None = None
    sort: Annotated[DocumentSort, or_default(DocumentSort.DATE_DESC)] = DocumentSort.DATE_DESC
    language: Language = "en"

    @property
    def limit(self) -> int:
        return BATCH

    @property
    def end_cursor(self) -> None:
        return None

    @property
    def skip(self) -> int:
        return 0


class InvoicesExportQuery(DocumentsExportQuery):
    status: Annotated[InvoiceStatuses, known_of(InvoiceListStatus)] = []


class MemosExportQuery(DocumentsExportQuery):
    status: Annotated[MemoStatuses, known_of(MemoStatus)] = []


@router.get("/v1/invoices.csv", response_class=StreamingResponse, responses=CSV)
async def export_invoices(
    portal: PortalDep, actor: SignedIn, wanted: Annotated[InvoicesExportQuery, Query()]
) -> StreamingResponse:
    """CSV in UTF-8, with headings. Dates are YYYY-MM-DD."""
    asked = await _asked(portal, actor, wanted)

    async def read(after: Place | None) -> tuple[Sequence[Invoice], Place | None]:
        async with reading(portal.sessions) as session:
            found = await list_invoices(session, asked.model_copy(update={"after": after}))
        return found.invoices, found.end

    cells = partial(_cells, today=asked.today)
    return as_csv("invoices", _HEADINGS[wanted.language], batches(read, cells))


@router.get("/v1/credit-memos.csv", response_class=StreamingResponse, responses=CSV)
async def export_credit_memos(
    portal: PortalDep, actor: SignedIn, wanted: Annotated[MemosExportQuery, Query()]
) -> StreamingResponse:
    """CSV in UTF-8, with headings. Dates are YYYY-MM-DD."""
    asked = await _asked(portal, actor, wanted)

    async def read(after: Place | None) -> tuple[Sequence[CreditMemo], Place | None]:
        async with reading(portal.sessions) as session:
            found = await list_memos(session, asked.model_copy(update={"after": after}))
        return found.memos, found.end

    return as_csv("credit-memos", _MEMO_HEADINGS[wanted.language], batches(read, _memo_cells))


async def _asked(
    portal: Portal, actor: Actor, wanted: InvoicesExportQuery | MemosExportQuery
) -> DocumentSearch:
    async with reading(portal.sessions) as session:
        asked = await asked_for(session, actor, wanted)
        await check_named(session, actor, wanted.sap_bp_code)
    return asked


def _memo_cells(memo: CreditMemo) -> Row:
    return (
        plain(memo.number),
        memo.create_date.isoformat(),
        plain(memo.reason),
        plain(memo.invoice_number),
        str(memo.total),
        str(memo.total - memo.balance),
        str(memo.balance),
    )


def _cells(invoice: Invoice, today: date) -> Row:
    last = last_discount_day(invoice)
    return (
        plain(invoice.number),
        invoice.create_date.isoformat(),
        invoice.due_date.isoformat(),
        plain(invoice.order_number),
        plain(invoice.po_number),
        str(invoice.total),
        str(invoice.paid),
        str(invoice.balance),
        str(discount_of(invoice, today)),
        last.isoformat() if last else "",
        str(payoff_of(invoice, today)),
    )
