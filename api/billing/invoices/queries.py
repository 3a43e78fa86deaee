"""What the calls on invoices and credit memos have in common."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Protocol
from zoneinfo import ZoneInfo

from fastapi import Path
from pydantic import BeforeValidator, Field, StringConstraints

from api.partners.named_business import BusinessCode
from api.platform.answers.days import written_day
from api.platform.answers.lists import WholeNumber, place_after
from api.platform.paging import Cursor
from api.platform.schemas import QueryBody
from db.base import Executes
from db.platform.clock import database_now
from domain.billing.invoices.documents import DocumentMissing
from domain.billing.invoices.search import (
    LONGEST_TERM,
    MOST_AT_ONCE,
    PAGE_SIZE,
    DocumentSearch,
    DocumentSort,
    InvoiceListStatus,
    MemoStatus,
    Place,
)
from domain.checkout.cart import check_business_chosen
from domain.errors import Forbidden
from domain.identity.people import Actor, reads_any_business
from domain.partners.partners import reads_documents

DocumentId = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[\w-]+$")]
DocumentPathId = Annotated[str, Path(min_length=1, max_length=64, pattern=r"^[\w-]+$")]
PageLimit = Annotated[int, WholeNumber(PAGE_SIZE, MOST_AT_ONCE)]
EndLimit = Annotated[int, WholeNumber(MOST_AT_ONCE, MOST_AT_ONCE)]
Term = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=LONGEST_TERM, pattern=r"^[^\x00]*$"),
]
InvoiceStatuses = Annotated[list[InvoiceListStatus], Field(max_length=len(InvoiceListStatus))]
MemoStatuses = Annotated[list[MemoStatus], Field(max_length=len(MemoStatus))]

Day = Annotated[date, BeforeValidator(written_day)]
"""YYYY-MM-DD (shop spec 9)."""


class DocumentNamed(QueryBody):
    id: DocumentId
    sap_bp_code: BusinessCode | None = None


class DocumentsEndQuery(QueryBody):
    """How either list is asked for, but for its statuses."""

    sap_bp_code: BusinessCode | None = None
    sort: DocumentSort = DocumentSort.DATE_DESC
    limit: EndLimit = MOST_AT_ONCE
    end_cursor: Cursor | None = None
    search: Term = ""
    from_: Day | None = Field(default=None, alias="from")
    to: Day | None = None

    @property
    def skip(self) -> int:
        return 0


class Listed(Protocol):
    """How a list of documents, or a file of one, is narrowed and sorted, and which part of it is asked for: at most `limit` after
    `end_cursor`, or behind so many that are to be skipped."""

    @property
    def search(self) -> str: ...
    @property
    def status(self) -> Sequence[InvoiceListStatus | MemoStatus]: ...
    @property
    def from_(self) -> date | None: ...
    @property
    def to(self) -> date | None: ...
    @property
    def sort(self) -> DocumentSort: ...
    @property
    def limit(self) -> int: ...
    @property
    def end_cursor(self) -> str | None: ...
    @property
    def skip(self) -> int: ...


def business_of(actor: Actor) -> str:
    """The business whose documents are read: they are for whoever sees a business with its money, and for consumers, who
    have none. Raises BusinessFirst for a rep without a business, Forbidden, DocumentMissing for who has no business."""
    check_business_chosen(actor)
    if not reads_documents(actor.person):
        raise Forbidden
    if actor.business_code is None:
        raise DocumentMissing
    return actor.business_code


def reader_of(actor: Actor) -> str | None:
    """The business of which one document may be read; None for whoever reads those of any. Raises what `business_of`
    does."""
    return None if reads_any_business(actor) else business_of(actor)


async def today_of(session: Executes, actor: Actor) -> date:
    """The day in the time zone of the caller's site, by the database's clock."""
    return (await database_now(session)).astimezone(ZoneInfo(actor.site.time_zone)).date()


async def asked_for(session: Executes, actor: Actor, wanted: Listed) -> DocumentSearch:
    """Raises what `business_of` does, and Invalid for a cursor of another sort."""
    return DocumentSearch(
        partner_code=business_of(actor),
        today=await today_of(session, actor),
        term=wanted.search,
        statuses=tuple(dict.fromkeys(wanted.status)),
        first_day=wanted.from_,
        last_day=wanted.to,
        sort=wanted.sort,
        limit=wanted.limit,
        after=place_after(wanted.end_cursor, Place, lambda place: place.fits(wanted.sort)),
        skip=wanted.skip,
    )
