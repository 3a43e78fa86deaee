"""Statements of account over HTTP: what was owed, what happened, what is owed."""

import csv
import io
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text

from api.billing.invoices import statement
from api.billing.invoices.statement_pdf import KINDS
from db.base import Sessions
from domain.billing.invoices.documents import Settled
from tests.billing.invoices.factories import a_memo, an_invoice, mirrored
from tests.checkout.cart.buyers import a_buyer, buying
from tests.drivers.factories import a_dealer, an_installer, an_owner
from tests.orders.factories import code_of

DAYS = {"from": "2026-03-01", "to": "2026-03-31"}


async def stated(browser: httpx.AsyncClient, **query: Any) -> dict[str, Any]:
    answer = await browser.get("/v1/statement", params={**DAYS, **query})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def a_march(sessions: Sessions, code: str) -> None:
    """100.00 are owed from February; in March one invoice of 50.00 comes, a memo of 30.00, and both settle the old one,
    with a payment that the bank returns and that is made again."""
    memo = a_memo(code, "30.00", create_date=date(2026, 3, 5))
    parts = [
        ("payment", "P-1", date(2026, 3, 10), "70.00"),
        ("returned_payment", "P-1", date(2026, 3, 12), "70.00"),
        ("payment", "P-2", date(2026, 3, 15), "68.00"),
        ("discount", "P-2", date(2026, 3, 15), "2.00"),
        ("credit_memo", memo.number, date(2026, 3, 10), "30.00"),
    ]
    old = an_invoice(
        code,
        "100.00",
        create_date=date(2026, 2, 10),
        paid=Decimal(100),
        payoff=Decimal(0),
        settled_with=tuple(
            Settled(kind=kind, number=number, on=on, amount=Decimal(amount))
            for kind, number, on, amount in parts
        ),
    )
    new = an_invoice(code, "50.00", create_date=date(2026, 3, 1))
    await mirrored(sessions, old, new, memo)


def written(amount: dict[str, Any]) -> str:
    """As a spreadsheet reads it."""
    return f"{amount['amount']:.2f}"


async def test_it_leads_from_what_was_owed_to_what_is(portal: FastAPI, sessions: Sessions) -> None:
    user = await a_buyer(sessions)
    await a_march(sessions, code_of(user))
    async with buying(portal, user) as browser:
        march = await stated(browser)
        assert march["openingBalance"]["amount"] == 100
        assert [
            (one["date"][8:], one["kind"], one["amount"]["amount"], one["balance"]["amount"])
            for one in march["results"]
        ] == [
            ("01", "invoice", 50, 150),
            ("05", "credit_memo", -30, 120),
            ("10", "payment", -70, 50),
            ("12", "returned_payment", 70, 120),
            ("15", "discount", -2, 118),
            ("15", "payment", -68, 50),
        ]
        assert (march["closingBalance"]["amount"], march["count"]) == (50, 6)
        file = await browser.get("/v1/statement.csv", params=DAYS)
        head, *rows = csv.reader(io.StringIO(file.text.removeprefix("\ufeff")))
        assert head[0] == "Date"
        assert [(row[0][8:], row[1], row[4], row[5]) for row in rows] == [
            (one["date"][8:], KINDS[one["kind"]], written(one["amount"]), written(one["balance"]))
            for one in march["results"]
        ]
        assert sum(one["amount"]["amount"] for one in march["ageing"]) == 50


async def test_documents_of_before_are_read_by_their_words(
    portal: FastAPI, sessions: Sessions
) -> None:
    """A memo moves nothing where it was applied, whatever word the ERP had for it."""
    user = await a_buyer(sessions)
    await a_march(sessions, code_of(user))
    before = await a_buyer(sessions)
    await a_march(sessions, code_of(before))
    async with sessions.begin() as session:
        for now, then in (("credit_memo", "credit memo"), ("discount", "early-pay discount")):
            await session.execute(
                text(
                    """update invoice set settled_with = replace(settled_with::text,
                        cast(:now as text), cast(:then as text))::jsonb
                    where partner_code = :code"""
                ),
                {"now": f'"{now}"', "then": f'"{then}"', "code": code_of(before)},
            )
    async with buying(portal, user) as browser:
        march = await stated(browser)
    async with buying(portal, before) as browser:
        of_before = await stated(browser)
    assert [(one["kind"], one["balance"]) for one in of_before["results"]] == [
        (one["kind"], one["balance"]) for one in march["results"]
    ]
    assert of_before["closingBalance"] == march["closingBalance"]


async def test_its_file_goes_on_to_the_last_entry_in_words_of_its_language(
    portal: FastAPI, sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many are read at a time."""
    user = await a_buyer(sessions)
    await a_march(sessions, code_of(user))
    async with buying(portal, user) as browser:
        whole = (await browser.get("/v1/statement.csv", params=DAYS)).text
        for at_once in (1, 2, 3, 4, 6):
            monkeypatch.setattr(statement, "LONGEST", at_once)
            assert (await browser.get("/v1/statement.csv", params=DAYS)).text == whole
        french = (await browser.get("/v1/statement.csv", params={**DAYS, "language": "fr"})).text
    assert [row[1] for row in csv.reader(io.StringIO(french))] == [
        "Quoi",
        "Facture",
        "Note de crédit",
        "Paiement",
        "Paiement retourné",
        "Escompte",
        "Paiement",
    ]


async def test_its_pages_follow_each_other(portal: FastAPI, sessions: Sessions) -> None:
    user = await a_buyer(sessions)
    await a_march(sessions, code_of(user))
    async with buying(portal, user) as browser:
        whole = (await stated(browser))["results"]
        pages = [await stated(browser, page=page, limit=4) for page in (1, 2)]
        assert [one for page in pages for one in page["results"]] == whole
        assert {page["openingBalance"]["amount"] for page in pages} == {100}
        assert (await stated(browser, page="x", limit=0))["limit"] == 25


async def test_without_days_it_covers_the_last_ninety(portal: FastAPI, sessions: Sessions) -> None:
    user = await a_buyer(sessions)
    async with buying(portal, user) as browser:
        answer = (await browser.get("/v1/statement")).json()
    first, last = (date.fromisoformat(answer[name]) for name in ("from", "to"))
    assert last - first == timedelta(days=90)
    assert abs((datetime.now(UTC).date() - last).days) <= 1
    assert (answer["results"], answer["closingBalance"]["amount"]) == ([], 0)


@pytest.mark.parametrize("days", [{"from": "03/01/2026"}, {"to": "2026-02-30"}, {"from": "x"}])
async def test_days_that_are_none_are_refused(
    portal: FastAPI, sessions: Sessions, days: dict[str, str]
) -> None:
    async with buying(portal, await a_buyer(sessions)) as browser:
        for path in ("/v1/statement", "/v1/statement.pdf"):
            assert (await browser.get(path, params=days)).status_code == 422


async def test_it_is_for_who_sees_the_business_with_its_money(
    portal: FastAPI, sessions: Sessions
) -> None:
    dealer = await a_dealer(sessions)
    owner, limited = await an_owner(sessions, dealer=dealer), await an_installer(sessions, dealer)
    await a_march(sessions, code_of(owner))
    async with buying(portal, await a_buyer(sessions)) as browser:
        assert (await stated(browser))["count"] == 0
        named = await browser.get("/v1/statement", params={"sapBpCode": code_of(owner)})
        assert named.status_code in (404, 409)
    async with buying(portal, limited) as browser:
        assert (await browser.get("/v1/statement")).status_code == 403
        assert (await browser.get("/v1/statement.pdf")).status_code == 403


@pytest.mark.parametrize("count", [150, pytest.param(1_000, marks=pytest.mark.whole)])
async def test_many_entries_are_on_paper_at_once(
    portal: FastAPI, sessions: Sessions, count: int
) -> None:
    user = await a_buyer(sessions)
    code = code_of(user)
    day = date(2026, 3, 2)
    await mirrored(sessions, *(an_invoice(code, "1.00", create_date=day) for _ in range(count)))
    async with buying(portal, user) as browser:
        answer = await browser.get("/v1/statement.pdf", params=DAYS)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF-")
    assert answer.content.count(b"/Type /Page\n") >= count // 50
