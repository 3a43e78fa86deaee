"""The credit memos of the business that the caller works for (shop spec 7; rulings "Later rulings")."""

from fastapi import APIRouter, Response
from starlette.concurrency import run_in_threadpool

from api.billing.invoices.answers import CreditMemoOut, memo_out
from api.billing.invoices.memo_pdf import memo_pdf
from api.billing.invoices.queries import (
    DocumentNamed,
    DocumentPathId,
    DocumentsEndQuery,
    MemoStatuses,
    PageLimit,
    asked_for,
    reader_of,
)
from api.partners.named_business import check_named
from api.platform.answers.lists import PageNumber, as_json, end_of, page_facts, skipped
from api.platform.answers.paper import PDF, as_pdf
from api.platform.deps import PortalDep, SignedIn
from api.platform.paging import EndFound
from api.platform.schemas import Camel
from db.base import plain_reading, reading
from db.billing.invoices.documents import find_memo
from db.billing.invoices.lists import list_memos
from db.partners.businesses import buyer_of_code
from domain.billing.invoices.documents import DocumentMissing
from domain.billing.invoices.search import PAGE_SIZE, MemoStatus

router = APIRouter(tags=["invoices"])


class MemoNamed(DocumentNamed):
    """`id` is the memo's number."""


class MemosEndQuery(DocumentsEndQuery):
    """Like a list, for the cursor alone."""

    status: MemoStatuses = []


class MemosQuery(MemosEndQuery):
    """A page is named by the cursor where the one before it ended, or by its number from 1 on. `search` is part of a
    memo's or an invoice's number; `from` and `to` are days of issue, both included."""

    page: PageNumber = 1
    limit: PageLimit = PAGE_SIZE

    @property
    def skip(self) -> int:
        return skipped(self)


class OneMemo(Camel):
    """The memo that was named, as a list of one."""

    results: list[CreditMemoOut]


class MemosListed(Camel):
    """`count` memos fit, `counts` in each status whichever is asked for; `endCursor` is null on the last page."""

    results: list[CreditMemoOut]
    count: int
    counts: dict[MemoStatus, int]
    page: int
    limit: int
    end_cursor: str | None


@router.post("/api/credit-memo", response_model=OneMemo)
async def credit_memo(portal: PortalDep, actor: SignedIn, named: MemoNamed) -> Response:
    """One credit memo and where it was applied. 404 for one of another business."""
    code = reader_of(actor)
    async with reading(portal.sessions) as session:
        await check_named(session, actor, named.sap_bp_code)
        found = await find_memo(session, named.id, code)
    if found is None:
        raise DocumentMissing
    answer = OneMemo(results=[memo_out(found)])
    return as_json(answer)


@router.get("/v1/credit-memos/{id}/credit-memo.pdf", response_class=Response, responses=PDF)
async def get_credit_memo_pdf(portal: PortalDep, actor: SignedIn, id: DocumentPathId) -> Response:
    """One credit memo as a PDF. 404 for one of another business."""
    code = reader_of(actor)
    async with reading(portal.sessions) as session:
        found = await find_memo(session, id, code)
        if found is None:
            raise DocumentMissing
        buyer = await buyer_of_code(session, found.partner_code)
    content = await run_in_threadpool(memo_pdf, found, buyer, portal.seller)
    return as_pdf(content, f"credit-memo-{found.number}")


@router.post("/api/credit-memos", response_model=MemosListed)
async def credit_memos(portal: PortalDep, actor: SignedIn, wanted: MemosQuery) -> Response:
    """A page of the credit memos of the business, the newest first unless sorted otherwise."""
    async with plain_reading(portal.sessions) as connection:
        asked = await asked_for(connection, actor, wanted)
        await check_named(connection, actor, wanted.sap_bp_code)
        found = await list_memos(connection, asked)
    answer = MemosListed(
        results=[memo_out(one) for one in found.memos],
        counts=found.counts,
        **page_facts(wanted, found),
    )
    return as_json(answer)


@router.post("/api/credit-memos-cursor")
async def credit_memos_cursor(
    portal: PortalDep, actor: SignedIn, wanted: MemosEndQuery
) -> EndFound:
    """Where a page of at most 100 credit memos ends, without the memos."""
    async with plain_reading(portal.sessions) as connection:
        asked = await asked_for(connection, actor, wanted)
        await check_named(connection, actor, wanted.sap_bp_code)
        found = await list_memos(connection, asked)
    return end_of(found)
