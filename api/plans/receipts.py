"""Receipts of plan purchases: the list with its filters, one of them, and its PDF (shop spec 3 and 7)."""

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from api.plans.holders import receipt_holders
from api.plans.narrowed import ReceiptsNarrowed
from api.platform.answers.paper import PDF, as_pdf
from api.platform.border.queries import counted
from api.platform.deps import PortalDep, SignedIn
from db.base import reading
from db.plans.receipts import buyer_of, count_receipts, find_receipt, list_receipts
from domain.identity.people import Actor
from domain.paper.receipts import receipt_paper
from domain.plans.receipts import Receipt, ReceiptCounts, ReceiptMissing

router = APIRouter(prefix="/v1/payments", tags=["plans"])

MOST_SKIPPED = 100_000
Uuid = Annotated[str, Path(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9-]+$")]


class Receipts(BaseModel):
    """A page of receipts, the latest first. `next` and `previous` are paths; `query` is what the list was narrowed by;
    `counts` tell of all that fit, whichever of the two is asked for, how many were charged and how many declined."""

    count: int
    counts: ReceiptCounts
    page: int
    limit: int
    next: str | None
    previous: str | None
    results: list[Receipt]
    query: dict[str, Any]


@router.get("")
async def list_plan_payments(
    request: Request,
    portal: PortalDep,
    actor: SignedIn,
    wanted: ReceiptsNarrowed,
    page: Annotated[int, Query(ge=1, le=MOST_SKIPPED), counted(1, most=MOST_SKIPPED)] = 1,
    limit: Annotated[int, Query(ge=1, le=100), counted(10, most=100)] = 10,
    offset: Annotated[
        int | None, Query(ge=0, le=MOST_SKIPPED), counted(None, least=0, most=MOST_SKIPPED)
    ] = None,
) -> Receipts:
    """The receipts of the caller's business. `offset` goes before `page`; a filter named several times takes any of its
    values."""
    skipped = offset if offset is not None else (page - 1) * limit
    holders = receipt_holders(actor)
    async with reading(portal.sessions) as session:
        counts = await count_receipts(session, holders, wanted)
        found = await list_receipts(session, holders, wanted, limit=limit, offset=skipped)
    charged = 0 if wanted.declined_only else counts.charged
    declined = 0 if wanted.successes_only else counts.declined
    count = charged + declined
    return Receipts(
        count=count,
        counts=counts,
        page=skipped // limit + 1,
        limit=limit,
        next=_path(request, skipped + limit, limit) if skipped + limit < count else None,
        previous=_path(request, max(skipped - limit, 0), limit) if skipped else None,
        results=list(found),
        query=wanted.model_dump(mode="json", exclude_defaults=True),
    )


@router.get("/{uuid}")
async def get_plan_payment(portal: PortalDep, actor: SignedIn, uuid: Uuid) -> Receipt:
    """One receipt."""
    return await _authorize(portal, actor, uuid)


@router.get(
    "/{uuid}/receipt.pdf",
    response_class=Response,
    responses=PDF,
)
async def get_plan_receipt_pdf(portal: PortalDep, actor: SignedIn, uuid: Uuid) -> Response:
    """One receipt as a PDF."""
    receipt = await _authorize(portal, actor, uuid)
    async with reading(portal.sessions) as session:
        buyer = await buyer_of(session, receipt)
    content = await run_in_threadpool(receipt_paper, receipt, buyer, portal.seller)
    return as_pdf(content, f"receipt-{receipt.uuid}")


async def _authorize(portal: PortalDep, actor: Actor, uuid: str) -> Receipt:
    async with reading(portal.sessions) as session:
        found = await find_receipt(session, receipt_holders(actor), uuid)
    if found is None:
        raise ReceiptMissing
    return found


def _path(request: Request, offset: int, limit: int) -> str:
    """The same list from another place."""
    kept = [
        (name, value)
        for name, value in request.query_params.multi_items()
        if name not in ("page", "offset", "limit")
    ]
    return f"/v1/payments?{urlencode([*kept, ('limit', limit), ('offset', offset)])}"
