"""Paying well: which open invoices to pay with so much money (`domain/billing/paying_well.py`)."""

from datetime import date, timedelta

from fastapi import APIRouter
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from api.billing.invoice_payments.bodies import Amount
from api.billing.invoice_payments.paying import payer_code
from api.billing.invoices.answers import InvoiceSummaryOut, invoice_summary
from api.billing.invoices.queries import Day, today_of
from api.platform.deps import PortalDep, SignedIn
from api.platform.schemas import Camel
from db.base import reading
from db.billing.to_pay import to_pay
from domain.base import Body
from domain.billing.paying_well import paying_well
from domain.errors import Invalid
from domain.money import Money

router = APIRouter(prefix="/v1/invoice-payments", tags=["invoice payments"])

AHEAD = timedelta(days=366)


class AdviceBody(Body):
    """So much is there to pay with, in US dollars, on this day; without one today."""

    budget: Amount
    on: Day | None = None


class AdviceOut(Camel):
    """What to pay, with the figures of today in `results`; `total`, `discount`, `pastDue` and `left` are those of the day
    `on`. `considered` of the `open` invoices that nobody is paying were looked at."""

    on: date
    results: list[InvoiceSummaryOut]
    total: Money
    discount: Money
    past_due: Money = Field(description="What is cleared of what is past due")
    left: Money
    open: int
    considered: int


@router.post("/advice")
async def advise_invoice_payment(portal: PortalDep, actor: SignedIn, body: AdviceBody) -> AdviceOut:
    """Which open invoices to pay: the most discount, then the most past due, then the oldest. Nothing is written."""
    code = payer_code(actor)
    async with reading(portal.sessions) as session:
        today = await today_of(session, actor)
        on = body.on or today
        if not today <= on <= today + AHEAD:
            raise Invalid(fields=[("on", "Invalid value")])
        free = await to_pay(session, code, on)
    advice = await run_in_threadpool(paying_well, free, body.budget, on)
    known = {one.number: one for one in free}
    return AdviceOut(
        on=on,
        results=[invoice_summary(known[one.number], today) for one in advice.invoices],
        **advice.model_dump(exclude={"invoices"}),
    )
