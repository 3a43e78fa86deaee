"""The statement of account of the business that the caller works for (rulings "Later rulings"): what was invoiced,
paid and credited, and what was owed after each; page by page, and whole as a PDF or a file for spreadsheets."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.concurrency import run_in_threadpool

from api.billing.invoices.answers import AgeingOut, ageing_out
from api.billing.invoices.queries import Day, business_of, today_of
from api.billing.invoices.statement_pdf import KINDS, statement_pdf
from api.catalogue.answers import Net
from api.partners.named_business import BusinessCode, check_named
from api.platform.answers.csv_text import CSV, Headings, Language, Row, as_csv, batches, plain
from api.platform.answers.lists import PageNumber, WholeNumber, as_json
from api.platform.answers.paper import PDF, as_pdf
from api.platform.deps import Portal, PortalDep, SignedIn
from api.platform.schemas import Camel
from db.base import reading
from db.billing.invoices.lists import ageing_of_business
from db.billing.invoices.statement import read_statement
from db.partners.businesses import buyer_of_code
from domain.billing.invoices.search import AgeingSum, DocumentSearch
from domain.billing.invoices.statement import (
    LONGEST,
    MOST_AT_ONCE,
    PAGE_SIZE,
    Statement,
    StatementEntry,
    StatementSearch,
    asked_between,
)
from domain.identity.people import Actor

router = APIRouter(tags=["invoices"])

_KINDS = {
    "en": KINDS,
    "fr": {
        "invoice": "Facture",
        "credit_memo": "Note de crédit",
        "payment": "Paiement",
        "discount": "Escompte",
        "returned_payment": "Paiement retourné",
        "returned_discount": "Escompte repris",
    },
}
_HEADINGS: Headings = {
    "en": ("Date", "What", "Number", "Invoice", "Amount (USD)", "Balance"),
    "fr": ("Date", "Quoi", "Numéro", "Facture", "Montant (USD)", "Solde"),
}


class StatementDays(BaseModel):
    """Without `from` it begins 90 days before its end; without `to` it ends today."""

    model_config = ConfigDict(populate_by_name=True)

    sap_bp_code: BusinessCode | None = Field(default=None, alias="sapBpCode")
    from_: Day | None = Field(default=None, alias="from")
    to: Day | None = None


class StatementQuery(StatementDays):
    page: PageNumber = 1
    limit: Annotated[int, WholeNumber(PAGE_SIZE, MOST_AT_ONCE)] = PAGE_SIZE


class StatementExportQuery(StatementDays):
    """`language` is that of the headings, and of what an entry is."""

    language: Language = "en"


class StatementEntryOut(Camel):
    """`amount` is above zero where more is owed after it."""

    date: date
    kind: str
    number: str
    invoice_number: str | None
    amount: Net
    balance: Net


class StatementOut(Camel):
    """`openingBalance` was owed before the first day, `closingBalance` after the last. `ageing` is of today."""

    sap_bp_code: str
    first_day: date = Field(serialization_alias="from")
    last_day: date = Field(serialization_alias="to")
    opening_balance: Net
    closing_balance: Net
    results: list[StatementEntryOut]
    count: int
    page: int
    limit: int
    ageing: list[AgeingOut]


@router.get("/v1/statement", response_model=StatementOut)
async def get_statement(
    portal: PortalDep, actor: SignedIn, wanted: Annotated[StatementQuery, Query()]
) -> Response:
    """A page of the statement, the oldest entry first."""
    asked, found, ageing = await _read(
        portal, actor, wanted, limit=wanted.limit, skip=(wanted.page - 1) * wanted.limit
    )
    return as_json(
        StatementOut(
            sap_bp_code=asked.partner_code,
            first_day=asked.first_day,
            last_day=asked.last_day,
            opening_balance=Net(amount=found.opening),
            closing_balance=Net(amount=found.closing),
            results=[
                StatementEntryOut(
                    date=one.on,
                    kind=one.kind,
                    number=one.number,
                    invoice_number=one.invoice_number,
                    amount=Net(amount=one.amount),
                    balance=Net(amount=one.balance),
                )
                for one in found.entries
            ],
            count=found.total,
            page=wanted.page,
            limit=wanted.limit,
            ageing=ageing_out(ageing),
        )
    )


@router.get(
    "/v1/statement.pdf",
    response_class=Response,
    responses=PDF,
)
async def get_statement_pdf(
    portal: PortalDep, actor: SignedIn, wanted: Annotated[StatementDays, Query()]
) -> Response:
    """The whole statement for paper: at most 5,000 entries."""
    asked, found, ageing = await _read(portal, actor, wanted, limit=LONGEST)
    async with reading(portal.sessions) as session:
        buyer = await buyer_of_code(session, asked.partner_code)
    content = await run_in_threadpool(statement_pdf, asked, found, ageing, buyer, portal.seller)
    return as_pdf(content, f"statement-{asked.last_day}")


@router.get("/v1/statement.csv", response_class=StreamingResponse, responses=CSV)
async def export_statement(
    portal: PortalDep, actor: SignedIn, wanted: Annotated[StatementExportQuery, Query()]
) -> StreamingResponse:
    """The whole statement, however many entries it has, as CSV in UTF-8, with headings."""
    async with reading(portal.sessions) as session:
        days = await _days(session, actor, wanted)
    asked = days.model_copy(update={"limit": LONGEST})

    async def read(
        after: StatementEntry | None,
    ) -> tuple[Sequence[StatementEntry], StatementEntry | None]:
        async with reading(portal.sessions) as session:
            found = await read_statement(session, asked.model_copy(update={"after": after}))
        is_end = len(found.entries) < asked.limit
        return found.entries, None if is_end else found.entries[-1]

    cells = partial(_cells, words=_KINDS[wanted.language])
    return as_csv("statement", _HEADINGS[wanted.language], batches(read, cells))


def _cells(entry: StatementEntry, words: Mapping[str, str]) -> Row:
    return (
        entry.on.isoformat(),
        plain(words.get(entry.kind, entry.kind)),
        plain(entry.number),
        plain(entry.invoice_number),
        str(entry.amount),
        str(entry.balance),
    )


async def _days(session: AsyncSession, actor: Actor, wanted: StatementDays) -> StatementSearch:
    code = business_of(actor)
    await check_named(session, actor, wanted.sap_bp_code)
    return asked_between(code, await today_of(session, actor), wanted.from_, wanted.to)


async def _read(
    portal: Portal, actor: Actor, wanted: StatementDays, *, limit: int, skip: int = 0
) -> tuple[StatementSearch, Statement, tuple[AgeingSum, ...]]:
    async with reading(portal.sessions) as session:
        days = await _days(session, actor, wanted)
        asked = days.model_copy(update={"limit": limit, "skip": skip})
        owed = DocumentSearch(partner_code=asked.partner_code, today=asked.today)
        ageing = await ageing_of_business(session, owed)
        return asked, await read_statement(session, asked), ageing
