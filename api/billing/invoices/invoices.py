"""The invoices of the business that the caller works for (shop spec 7; rulings "Calls" and "Later rulings").

Any other business's invoice is not found. A rep who has chosen no business is told to choose one.
"""

from fastapi import APIRouter, Response
from starlette.concurrency import run_in_threadpool

from api.billing.invoices.answers import (
    AgeingOut,
    InvoiceOut,
    InvoiceSummaryOut,
    ageing_out,
    invoice_out,
    invoice_summary,
)
from api.billing.invoices.invoice_pdf import invoice_pdf
from api.billing.invoices.queries import (
    DocumentNamed,
    DocumentPathId,
    DocumentsEndQuery,
    InvoiceStatuses,
    asked_for,
    reader_of,
    today_of,
)
from api.partners.named_business import check_named
from api.platform.answers.lists import PageNumber, as_json, end_of, page_facts, skipped
from api.platform.answers.paper import PDF, as_pdf
from api.platform.deps import PortalDep, SignedIn
from api.platform.paging import EndFound
from api.platform.schemas import Camel
from db.base import plain_reading, reading
from db.billing.invoice_payments import holders_of
from db.billing.invoices.documents import find_invoice
from db.billing.invoices.lists import ageing_of_business, list_invoices
from db.orders.orders import id_of_invoiced
from db.partners.businesses import buyer_of_code
from domain.billing.invoices.documents import DocumentMissing
from domain.billing.invoices.search import InvoiceListStatus

router = APIRouter(tags=["invoices"])


class InvoiceNamed(DocumentNamed):
    """`id` is the invoice's number."""


class InvoicesEndQuery(DocumentsEndQuery):
    """Like a list, for the cursor alone."""

    status: InvoiceStatuses = []


class InvoicesQuery(InvoicesEndQuery):
    """A page is named by the cursor where the one before it ended, or by its number from 1 on. `search` is part of an
    invoice's, an order's or a PO number; `from` and `to` are days of issue, both included. Pages are of 100 (shop spec 7)."""

    page: PageNumber = 1

    @property
    def skip(self) -> int:
        return skipped(self)


class OneInvoice(Camel):
    """The invoice that was named, as a list of one."""

    results: list[InvoiceOut]


class InvoicesListed(Camel):
    """`count` invoices fit, `counts` in each status and `countOfAll` in any, whichever is asked for; `endCursor` is null on the
    last page. `ageing` is of all that the business has open."""

    results: list[InvoiceSummaryOut]
    count: int
    count_of_all: int
    counts: dict[InvoiceListStatus, int]
    page: int
    limit: int
    end_cursor: str | None
    ageing: list[AgeingOut]


@router.post("/api/invoice", response_model=OneInvoice)
async def invoice(portal: PortalDep, actor: SignedIn, named: InvoiceNamed) -> Response:
    """One invoice with its lines and payments. 404 for one of another business."""
    code = reader_of(actor)
    async with reading(portal.sessions) as session:
        await check_named(session, actor, named.sap_bp_code)
        found = await find_invoice(session, named.id, code)
        if found is None:
            raise DocumentMissing
        order_id = await id_of_invoiced(session, found)
        held = await holders_of(session, [found.number])
        today = await today_of(session, actor)
    one = invoice_out(found, today, order_id, held.get(found.number))
    return as_json(OneInvoice(results=[one]))


@router.get("/v1/invoices/{id}/invoice.pdf", response_class=Response, responses=PDF)
async def get_invoice_pdf(portal: PortalDep, actor: SignedIn, id: DocumentPathId) -> Response:
    """One invoice as a PDF. 404 for one of another business."""
    code = reader_of(actor)
    async with reading(portal.sessions) as session:
        found = await find_invoice(session, id, code)
        if found is None:
            raise DocumentMissing
        buyer = await buyer_of_code(session, found.partner_code)
        today = await today_of(session, actor)
    content = await run_in_threadpool(invoice_pdf, found, today, buyer, portal.seller)
    return as_pdf(content, f"invoice-{found.number}")


@router.post("/api/invoices", response_model=InvoicesListed)
async def invoices(portal: PortalDep, actor: SignedIn, wanted: InvoicesQuery) -> Response:
    """A page of the invoices of the business, the newest first unless sorted otherwise."""
    async with plain_reading(portal.sessions) as connection:
        asked = await asked_for(connection, actor, wanted)
        await check_named(connection, actor, wanted.sap_bp_code)
        found = await list_invoices(connection, asked)
        ageing = await ageing_of_business(connection, asked)
        held = await holders_of(connection, [one.number for one in found.invoices])
    answer = InvoicesListed(
        results=[invoice_summary(one, asked.today, held.get(one.number)) for one in found.invoices],
        count_of_all=found.everything,
        counts=found.counts,
        **page_facts(wanted, found),
        ageing=ageing_out(ageing),
    )
    return as_json(answer)


@router.post("/api/invoices-cursor")
async def invoices_cursor(portal: PortalDep, actor: SignedIn, wanted: InvoicesEndQuery) -> EndFound:
    """Where a page of at most 100 invoices ends, without the invoices."""
    async with plain_reading(portal.sessions) as connection:
        asked = await asked_for(connection, actor, wanted)
        await check_named(connection, actor, wanted.sap_bp_code)
        found = await list_invoices(connection, asked)
    return end_of(found)
