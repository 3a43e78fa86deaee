"""The list of invoices as a file for spreadsheets: every invoice that fits, however many."""

from collections.abc import AsyncGenerator
from datetime import date
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from api.billing.csv_text import BYTE_ORDER_MARK, lines, plain
from api.billing.invoices.queries import Day, InvoiceStatuses, Term, business_of, today_of
from api.partners.named_business import BusinessCode, check_named
from api.platform.border.queries import or_default
from api.platform.deps import Portal, PortalDep, SignedIn
from db.billing.invoices.lists import list_invoices
from domain.billing.invoices.documents import Invoice, discount_of, last_discount_day, payoff_of
from domain.billing.invoices.search import DocumentsAsked, DocumentSort

router = APIRouter(tags=["invoices"])

Language = Literal["en", "fr"]

BATCH = 500
_HEADINGS: dict[Language, tuple[str, ...]] = {
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


class InvoicesExportQuery(BaseModel):
    """As the list is narrowed and sorted. `language` is that of the headings."""

    sap_bp_code: BusinessCode | None = Field(default=None, alias="sapBpCode")
    search: Term = ""
    status: InvoiceStatuses = []
    from_: Day | None = Field(default=None, alias="from")
    to: Day | None = None
    sort: Annotated[DocumentSort, or_default(DocumentSort.DATE_DESC)] = DocumentSort.DATE_DESC
    language: Annotated[Language, or_default("en")] = "en"


@router.get(
    "/v1/invoices.csv",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
async def export_invoices(
    portal: PortalDep, actor: SignedIn, wanted: Annotated[InvoicesExportQuery, Query()]
) -> StreamingResponse:
    """CSV in UTF-8, with headings. Dates are YYYY-MM-DD."""
    code = business_of(actor)
    async with portal.sessions() as session:
        await check_named(session, actor, wanted.sap_bp_code)
        today = await today_of(session, actor)
    asked = DocumentsAsked(
        partner_code=code,
        today=today,
        term=wanted.search,
        statuses=tuple(dict.fromkeys(wanted.status)),
        first_day=wanted.from_,
        last_day=wanted.to,
        sort=wanted.sort,
        limit=BATCH,
    )
    return StreamingResponse(
        _written(portal, asked, wanted.language),
        media_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="invoices.csv"'},
    )


async def _written(
    portal: Portal, asked: DocumentsAsked, language: Language
) -> AsyncGenerator[str]:
    yield BYTE_ORDER_MARK + lines([_HEADINGS[language]])
    while True:
        async with portal.sessions() as session:
            found = await list_invoices(session, asked)
        yield lines([_cells(one, asked.today) for one in found.invoices])
        if found.end is None:
            return
        asked = asked.model_copy(update={"after": found.end})


def _cells(invoice: Invoice, today: date) -> tuple[str, ...]:
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
