"""Promise 10 of a payment of invoices: what is shown, kept, charged and posted are the same figures, to the cent."""

import asyncio
import uuid
from datetime import timedelta
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from sqlalchemy import select

from api.billing.invoice_payments.paying import Submit, submit_payment
from db.billing import invoice_payments
from db.billing.invoice_payments import InvoiceAllocationRow, InvoicePaymentRow, MemoAllocationRow
from db.partner_tables import load_sites
from dev.testing import is_whole
from domain.billing.invoice_allocation import AllocationRequest, DocumentRequest
from domain.billing.invoices.documents import CreditMemo, EarlyPay, Invoice
from domain.billing.payments import PayBy, PaymentType
from domain.identity.people import Actor
from domain.money import to_cents
from tests.billing.invoice_payments.factories import numbered
from tests.billing.invoice_payments.paying import PayerOf, a_payer, today
from tests.billing.invoice_payments.runs import issued
from tests.billing.invoices.factories import a_memo, an_invoice, mirrored
from tests.drivers.whole_portal import Whole

SEEDS = range(500 if is_whole() else 8)
AT_ONCE = 25
"""Seeds of one test."""

RUN_SEEDS = range(500 if is_whole() else 4)
RUNS_OF_ONE, RUNS_AT_ONCE = 20, 4
"""Seeds of one payer, and how many of their runs go on side by side."""


def random_amount(random: Random, most: Decimal) -> Decimal:
    """Of any cent, up to all of it, which is as likely as everything else."""
    return most if random.random() < 0.5 else Decimal(random.randint(1, int(most * 100))) / 100


def random_documents(random: Random, code: str) -> tuple[list[Invoice], list[CreditMemo]]:
    """Up to twelve invoices, some paid in part, with discounts that are open, end today, or ended yesterday."""
    invoices: list[Invoice] = []
    for _ in range(random.randint(1, 12)):
        total = Decimal(random.randint(2, 99_999)) / 100
        paid = to_cents(total * random.choice((0, 0, 0, Decimal("0.3")))) if total > 1 else 0
        balance = total - paid
        off = to_cents(balance * random.randint(0, 10) / 100)
        day = today() - timedelta(days=random.choice((0, 9, 10, 11, 40)))
        invoices.append(
            an_invoice(
                code,
                str(total),
                number=numbered(),
                paid=Decimal(paid),
                payoff=balance - off,
                create_date=day,
                due_date=day + timedelta(days=30),
                early_pay=(EarlyPay(number_of_days=10, percent=Decimal(2)),),
            )
        )
    memos = [
        a_memo(code, str(Decimal(random.randint(1, 50_000)) / 100))
        for _ in range(random.randint(0, 4))
    ]
    return invoices, memos


def random_request(
    random: Random, invoices: list[Invoice], memos: list[CreditMemo]
) -> AllocationRequest:
    return AllocationRequest(
        invoices=tuple(
            DocumentRequest(number=one.number, amount=random_amount(random, one.balance))
            for one in invoices
        ),
        memos=tuple(
            DocumentRequest(number=one.number, amount=random_amount(random, one.balance))
            for one in memos
        ),
    )


async def quoted(payer: PayerOf, request: AllocationRequest) -> dict[str, Any]:
    answer = await payer.browser.post(
        "/v1/invoice-payments/quote",
        json={
            "invoices": [body_of(one) for one in request.invoices],
            "credit_memos": [body_of(one) for one in request.memos],
        },
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


def body_of(one: DocumentRequest) -> dict[str, Any]:
    return {"number": one.number, "amount": float(one.amount)}


def cents(amount: Any) -> Decimal:
    return to_cents(Decimal(str(amount)))


@pytest.mark.parametrize("first", SEEDS[::AT_ONCE])
async def test_promise_10_what_is_quoted_is_what_is_kept(whole: Whole, first: int) -> None:
    async with a_payer(whole) as payer:
        async with whole.sessions() as session:
            site = next(one for one in await load_sites(session) if one.country == "CA")
        actor = Actor(request_id="test", site=site, user=payer.caller.user)
        pay_by = PayBy(type=PaymentType.CARD, method_id=payer.card)
        for seed in SEEDS[first : first + AT_ONCE]:
            random = Random(seed)
            invoices, memos = random_documents(random, payer.dealer.partner_code)
            await mirrored(whole.sessions, *invoices, *memos)
            request = random_request(random, invoices, memos)
            quote = await quoted(payer, request)
            submit = Submit(
                id=uuid.uuid4().hex, request=request, pay_by=pay_by, agreed=quote["plan_hash"]
            )
            start = await submit_payment(whole.app.state.portal, actor, submit)
            assert await kept(whole, start.id) == shown(quote), seed
            assert sum(one.charged for one in start.plan.allocations) == cents(quote["charged"])
            async with whole.sessions.begin() as session:
                await invoice_payments.close(session, start.id, "cancelled")


Figures = dict[str, tuple[Decimal, ...]]
"""Number → charged, discount and memos of an invoice, applied of a memo; `all` is the payment."""


def shown(quote: dict[str, Any]) -> Figures:
    parts = [one["allocation"] for one in quote["invoices"]]
    found: Figures = {
        one["number"]: (
            cents(one["charged"]),
            cents(one["discount"]),
            cents(sum(cents(memo["amount"]) for memo in one["memos"])),
        )
        for one in parts
    }
    found |= {
        one["number"]: (cents(one["applied"]),) for one in quote["credit_memos"] if one["applied"]
    }
    found["all"] = tuple(cents(quote[name]) for name in ("charged", "discount", "applied"))
    return found


async def kept(whole: Whole, payment_id: str) -> Figures:
    async with whole.sessions() as session:
        payment = await session.get_one(InvoicePaymentRow, payment_id)
        allocations = await session.scalars(
            select(InvoiceAllocationRow).where(InvoiceAllocationRow.payment_id == payment_id)
        )
        memos = await session.scalars(
            select(MemoAllocationRow).where(MemoAllocationRow.payment_id == payment_id)
        )
        found: Figures = {
            row.invoice_number: (row.charged, row.discount, row.applied) for row in allocations
        }
        for row in memos:
            (before,) = found.get(row.memo_number, (Decimal(0),))
            found[row.memo_number] = (before + row.amount,)
    found["all"] = (payment.charged, payment.discount, payment.applied)
    return found


@pytest.mark.parametrize("first", RUN_SEEDS[::RUNS_OF_ONE])
async def test_promise_10_what_is_quoted_is_charged_and_posted(whole: Whole, first: int) -> None:
    """One payer's payments, several under way at once."""
    places = asyncio.Semaphore(RUNS_AT_ONCE)
    async with a_payer(whole) as payer:

        async def one(seed: int) -> None:
            async with places:
                await _paid_as_quoted(payer, seed)

        async with asyncio.TaskGroup() as runs:
            for seed in RUN_SEEDS[first : first + RUNS_OF_ONE]:
                runs.create_task(one(seed))


async def _paid_as_quoted(payer: PayerOf, seed: int) -> None:
    random, whole = Random(seed), payer.whole
    invoices, memos = random_documents(random, payer.dealer.partner_code)
    await issued(whole.stage, *invoices, *memos)
    request = random_request(random, invoices, memos)
    quote = await quoted(payer, request)
    answer = await payer.browser.post(
        "/v1/invoice-payments",
        json={
            "invoices": [body_of(one) for one in request.invoices],
            "credit_memos": [body_of(one) for one in request.memos],
            "type": "CARD",
            "method_id": payer.card,
            "plan_hash": quote["plan_hash"],
        },
        headers={"Idempotency-Key": uuid.uuid4().hex},
    )
    assert answer.status_code in (200, 202), (seed, answer.text)
    id_ = answer.json()["id"]
    await payer.until(id_, "confirmed")
    figures = shown(quote)
    assert await kept(whole, id_) == figures, seed
    assert await payer.kept(id_) == figures["all"][0], seed
    for one in invoices:
        after = await payer.invoice(one.number)
        left = one.balance - sum(figures[one.number])
        assert cents(after["balance"]["amount"]) == left, seed
