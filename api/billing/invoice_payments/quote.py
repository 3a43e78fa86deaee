"""The mock run of the screens: what invoices and memos would come to, and what speaks against single ones (decision 53)."""

from collections.abc import Mapping, Sequence
from datetime import date
from zoneinfo import ZoneInfo

from fastapi import APIRouter
from pydantic import BaseModel

from api.billing.invoice_payments.bodies import QuoteBody, WholePart
from api.billing.invoice_payments.paying import payer_code
from api.platform.deps import PortalDep, SignedIn
from db.base import reading
from db.billing.invoice_payments import Documents, documents_of
from domain.base import Utc
from domain.billing.invoice_allocation import (
    Allocation,
    AllocationRequest,
    DocumentProblem,
    DocumentRequest,
    PaymentPlan,
    check_request,
    planned,
    problems_of,
)
from domain.billing.invoice_payment import plan_hash
from domain.billing.invoices.documents import (
    NOTHING,
    CreditMemo,
    DocumentMissing,
    Invoice,
    discount_of,
    last_discount_day,
    payoff_of,
)
from domain.money import CENT, Money

router = APIRouter(prefix="/v1/invoice-payments", tags=["invoice payments"])


class QuotedInvoice(BaseModel):
    """`payoff` settles it now, which saves `discount`, through `discount_until`. Either `allocation` says what it gets, or
    `problem` why it cannot be paid like this."""

    number: str
    balance: Money
    payoff: Money
    discount: Money
    discount_until: date | None
    due_date: date
    allocation: Allocation | None
    problem: DocumentProblem | None


class QuotedMemo(BaseModel):
    """`applied` of its `balance`."""

    number: str
    balance: Money
    applied: Money
    problem: DocumentProblem | None


class InvoicesQuoted(BaseModel):
    """What has a problem is left out of the figures. `plan_hash` is what the payer agrees to, null where nothing is left;
    `at` is the portal's time, by which discounts are judged, and `discount_ends_at` when the first of those that are
    granted ends."""

    invoices: list[QuotedInvoice]
    credit_memos: list[QuotedMemo]
    charged: Money
    discount: Money
    applied: Money
    currency: str
    plan_hash: str | None
    at: Utc
    discount_ends_at: Utc | None


@router.post("/quote")
async def quote_invoice_payment(
    portal: PortalDep, actor: SignedIn, body: QuoteBody
) -> InvoicesQuoted:
    """The mock run: what would be charged, granted and applied. Nothing is written."""
    code = payer_code(actor)
    named = AllocationRequest(invoices=_named(body.invoices), memos=_named(body.credit_memos))
    check_request(named)
    async with reading(portal.sessions) as session:
        found = await documents_of(session, code, named)
    zone = ZoneInfo(actor.site.time_zone)
    today = found.at.astimezone(zone).date()
    request = AllocationRequest(
        invoices=_filled(body.invoices, found.invoices),
        memos=_filled(body.credit_memos, found.memos),
    )
    of_invoices, of_memos = problems_of(request, found.invoices, found.memos, found.held)
    bad = {one.id: one for one in (*of_invoices, *of_memos)}
    plan = _plan_of(request, found, today, bad)
    return InvoicesQuoted(
        invoices=[
            _invoice(found.invoices[one.number], today, plan, bad.get(one.number))
            for one in request.invoices
        ],
        credit_memos=[
            _memo(found.memos[one.number], plan, bad.get(one.number)) for one in request.memos
        ],
        charged=plan.charged if plan else NOTHING,
        discount=plan.discount if plan else NOTHING,
        applied=plan.applied if plan else NOTHING,
        currency="USD",
        plan_hash=plan_hash(plan) if plan else None,
        at=found.at,
        discount_ends_at=plan.discount_ends_at(zone) if plan else None,
    )


def _plan_of(
    request: AllocationRequest, found: Documents, today: date, bad: Mapping[str, DocumentProblem]
) -> PaymentPlan | None:
    good = AllocationRequest(
        invoices=tuple(one for one in request.invoices if one.number not in bad),
        memos=tuple(one for one in request.memos if one.number not in bad),
    )
    return planned(good, found.invoices, found.memos, today) if good.invoices else None


def _named(parts: Sequence[WholePart]) -> tuple[DocumentRequest, ...]:
    """Before the documents are known."""
    return tuple(DocumentRequest(number=one.number, amount=one.amount or CENT) for one in parts)


def _filled(
    parts: Sequence[WholePart], documents: Mapping[str, Invoice] | Mapping[str, CreditMemo]
) -> tuple[DocumentRequest, ...]:
    """Raises DocumentMissing."""
    if any(one.number not in documents for one in parts):
        raise DocumentMissing
    return tuple(
        DocumentRequest(
            number=one.number,
            amount=documents[one.number].balance if one.amount is None else one.amount,
        )
        for one in parts
    )


def _invoice(
    invoice: Invoice, today: date, plan: PaymentPlan | None, problem: DocumentProblem | None
) -> QuotedInvoice:
    allocations = plan.allocations if plan else ()
    discount = discount_of(invoice, today)
    return QuotedInvoice(
        number=invoice.number,
        balance=invoice.balance,
        payoff=payoff_of(invoice, today),
        discount=discount,
        discount_until=last_discount_day(invoice) if discount else None,
        due_date=invoice.due_date,
        allocation=next((one for one in allocations if one.number == invoice.number), None),
        problem=problem,
    )


def _memo(
    memo: CreditMemo, plan: PaymentPlan | None, problem: DocumentProblem | None
) -> QuotedMemo:
    parts = (part for one in plan.allocations for part in one.memos) if plan else ()
    applied = sum((part.amount for part in parts if part.number == memo.number), NOTHING)
    return QuotedMemo(number=memo.number, balance=memo.balance, applied=applied, problem=problem)
