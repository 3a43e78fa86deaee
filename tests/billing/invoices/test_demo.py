"""The invented documents: one for each invoice that an order names, in the proportions of the trade, at the ERP alike."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text
from temporalio.client import Client

from assembly import systems_of
from db.base import Sessions
from db.demo.invoices.documents import (
    DEMO_MEMOS,
    DEMO_ZONE,
    MONEY_STORIES,
    Documents,
    MoneyStory,
    credit_limits,
    demo_documents,
)
from db.demo.invoices.load import demo_documents_of
from db.demo.orders import DEMO_INVOICES, Article, Buyer, demo_orders
from dev.erp_ledger import fill
from domain.billing.invoices.documents import Ageing, Invoice, ageing_of, discount_of
from domain.money import to_cents
from domain.orders.shipping import ShippingMethod
from providers.erp import Erp
from settings import Settings
from simulators.main import create_app
from tests.billing.reconciliation.rounds import compared
from tests.drivers.outside.erp_records import a_service_layer
from tests.orders.factories import ADDRESS

TODAY = date(2026, 11, 20)
NOW = datetime(2026, 11, 20, 17, tzinfo=UTC)
GROUND = ShippingMethod(
    id="ground", name="B2B-Ground", price=Decimal("14.50"), free_from=Decimal(500)
)


STORIES = {
    MoneyStory.AT_LIMIT: 2,
    MoneyStory.PAST_DUE: 3,
    MoneyStory.LAST_DAY: 1,
    MoneyStory.TWO_TIERS: 1,
    MoneyStory.RETURNED: 1,
}
"""How many invoices the business of each has open."""


def invented(now: datetime = NOW) -> Documents:
    codes = [*(f"N{1010 + n}" for n in range(25)), *MONEY_STORIES]
    buyers = [Buyer(code, "dealer-1", ADDRESS, ADDRESS, (("1", "Robin"),)) for code in codes]
    prices = [Decimal(12 + n * n % 197) for n in range(120)]
    articles = [
        Article(f"v{n}", f"p{n}", f"SKU-{n}", "Thing", "", price) for n, price in enumerate(prices)
    ]
    orders = list(demo_orders(buyers, articles, [GROUND], now))
    numbers = {order.id: f"T-{order.place}" for order in orders}
    return demo_documents(orders, numbers, now.astimezone(DEMO_ZONE).date())


@pytest.fixture(scope="module")
def documents() -> Documents:
    return invented()


def state_of(invoice: Invoice, today: date) -> str:
    if invoice.balance == 0:
        return "paid"
    return "part paid" if invoice.paid else "past due" if invoice.due_date < today else "open"


@pytest.mark.parametrize("month", [2, 4, 8, 11])
def test_the_invoices_have_the_proportions_of_the_trade(month: int) -> None:
    """82 of 100 are paid, 10 open, 5 past due and 3 part paid, in winter and in summer."""
    now = datetime(2026, month, 28, 3, tzinfo=UTC)
    today = now.astimezone(DEMO_ZONE).date()
    documents = invented(now)
    states = Counter(state_of(one, today) for one in documents.invoices)
    assert states == {"paid": 2_009, "open": 245, "past due": 122, "part paid": 74}
    assert (states.total(), len(documents.memos)) == (DEMO_INVOICES, DEMO_MEMOS) == (2_450, 130)
    late = [one for one in documents.invoices if state_of(one, today) == "past due"]
    assert {ageing_of(one.due_date, today) for one in late} == set(Ageing) - {Ageing.CURRENT}


def test_what_was_paid_is_what_it_was_settled_with(documents: Documents) -> None:
    memos = {memo.number: memo for memo in documents.memos}
    assert len(memos) == DEMO_MEMOS
    applied: Counter[str] = Counter()
    for invoice in documents.invoices:
        signs = {"returned_payment": -1}
        parts = [signs.get(one.kind, 1) * one.amount for one in invoice.settled_with]
        assert sum(parts, Decimal(0)) == invoice.paid <= invoice.total
        assert all(invoice.create_date <= one.on <= TODAY for one in invoice.settled_with)
        for one in invoice.settled_with:
            if one.kind == "credit_memo":
                applied[one.number] += 1
                assert memos[one.number].applied == one.amount
                assert memos[one.number].applied_to[0].number == invoice.number
    assert set(applied.values()) == {1}
    assert set(applied) == {number for number, memo in memos.items() if memo.applied}
    assert 20 <= len(memos) - len(applied) <= 80


def open_of(documents: Documents, story: MoneyStory) -> list[Invoice]:
    found = [
        one
        for one in documents.invoices
        if one.balance and MONEY_STORIES.get(one.partner_code) is story
    ]
    assert len(found) == STORIES[story]
    return found


def test_a_business_owes_what_its_limit_is(documents: Documents) -> None:
    owed = open_of(documents, MoneyStory.AT_LIMIT)
    limit = credit_limits(documents)[owed[0].partner_code]
    assert sum((one.balance for one in owed), Decimal(0)) == limit > 0
    assert not any(one.due_date < TODAY for one in owed)


def test_a_business_has_three_invoices_past_due(documents: Documents) -> None:
    assert all(one.due_date < TODAY for one in open_of(documents, MoneyStory.PAST_DUE))


def test_the_discount_of_a_business_ends_today(documents: Documents) -> None:
    (invoice,) = open_of(documents, MoneyStory.LAST_DAY)
    assert discount_of(invoice, TODAY) > 0
    assert discount_of(invoice, TODAY + timedelta(days=1)) == 0


def test_an_invoice_of_a_business_has_two_tiers(documents: Documents) -> None:
    (invoice,) = open_of(documents, MoneyStory.TWO_TIERS)
    first, second = invoice.early_pay
    assert first.number_of_days < second.number_of_days
    assert first.percent > second.percent
    assert discount_of(invoice, TODAY) == to_cents(invoice.subtotal * first.percent / 100) > 0


def test_a_debit_of_a_business_was_returned_last_night(documents: Documents) -> None:
    (invoice,) = open_of(documents, MoneyStory.RETURNED)
    paid, returned = invoice.settled_with
    assert (paid.kind, returned.kind) == ("payment", "returned_payment")
    assert paid.amount == returned.amount == invoice.balance
    assert returned.on == TODAY - timedelta(days=1)


async def test_mirror_and_erp_hold_the_same(
    demo_sessions: Sessions, temporal: Client, tmp_path: Path
) -> None:
    async with demo_sessions() as session:
        loaded = await demo_documents_of(session)
        named = await session.scalar(
            text(
                "select count(*) from shop_order o where token like 'demo-order-%' and invoice_number"
                " is not null and not exists (select from invoice i where i.number = o.invoice_number"
                " and i.order_number = o.number and i.order_token = o.token and i.total = o.total)"
            )
        )
    assert named == 0
    assert (len(loaded.invoices), len(loaded.memos)) == (DEMO_INVOICES, DEMO_MEMOS)
    for story in MoneyStory:
        open_of(loaded, story)
    transport = httpx.ASGITransport(create_app(tmp_path / "erp.sqlite"))
    async with httpx.AsyncClient(transport=transport, base_url="http://erp") as client:
        assert await fill(loaded, client) == len(loaded.invoices) + len(loaded.memos)
        assert await fill(loaded, client) == 0
        code = next(code for code, s in MONEY_STORIES.items() if s is MoneyStory.AT_LIMIT)
        today = datetime.now(UTC).astimezone(DEMO_ZONE).date()
        account = await Erp(a_service_layer(client)).account_of(code, today)
        settings = Settings(environment="test", simulators_url="http://erp")
        assert await compared(temporal, systems_of(settings, client), demo_sessions) == set()
    assert account.account_balance == account.credit_limit > 0
    assert account.invoice_count == sum(one.partner_code == code for one in loaded.invoices)


async def test_the_stand_in_has_at_once_what_it_takes_over(tmp_path: Path) -> None:
    """Also what is dated later than now: the day is the business's, and the hour is not known."""
    document = {
        "number": "INV-4400000",
        "partner_code": "N1010",
        "version": 1,
        "create_date": str(datetime.now(UTC).date() + timedelta(days=1)),
    }
    transport = httpx.ASGITransport(create_app(tmp_path / "erp.sqlite"))
    async with httpx.AsyncClient(transport=transport, base_url="http://erp") as client:
        told = {"documents": [{"kind": "invoice", "document": document}]}
        answer = await client.post("/erp/_ledger_of_documents", json=told)
        assert answer.json() == {"taken": 1}
        page = await a_service_layer(client).page("Invoices", {})
    assert [one["U_Number"] for one in page.records] == ["INV-4400000"]
