"""Invoices and credit memos as they are read, and told by webhook."""

import csv
import io
import itertools
import time
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import httpx
import orjson
import pytest
from fastapi import FastAPI

from db.base import Sessions
from db.billing.invoices.documents import find_invoice
from domain.billing.invoice_allocation import AllocationRequest, DocumentRequest
from domain.billing.invoices.documents import CreditMemo, DocumentLine, EarlyPay, Invoice, Settled
from domain.identity.people import User
from settings import DEVELOPMENT_ERP_WEBHOOK_SECRET
from simulators.device_network.webhooks import sign
from tests.billing.invoice_payments.runs import submitted
from tests.billing.invoices.factories import ISSUED, a_memo, an_invoice, mirrored
from tests.billing.payments.factories import a_method
from tests.checkout.cart.buyers import a_buyer, buying, refusal
from tests.drivers.database.statements import statements_of
from tests.drivers.factories import a_consumer, a_name, a_partner, an_inside_rep, an_installer
from tests.drivers.portal import a_browser
from tests.orders.factories import an_order, code_of
from tests.orders.paper.test_paper import pages

TODAY = datetime.now(UTC).date()


def usd(amount: float) -> dict[str, Any]:
    return {"amount": amount, "currency": "USD"}


async def asked(browser: httpx.AsyncClient, call: str, **wanted: Any) -> dict[str, Any]:
    answer = await browser.post(f"/api/{call}", json=wanted)
    assert answer.status_code == 200, answer.text
    return answer.json()


def numbers(answer: dict[str, Any]) -> list[str]:
    return [one["number"] for one in answer["results"]]


async def some_invoices(sessions: Sessions, code: str) -> list[Invoice]:
    """The newest first; the oldest is the dearest and the latest. The last one is paid."""
    made = [
        an_invoice(
            code,
            f"{n + 1}0.00",
            create_date=TODAY - timedelta(days=32 * n + 3),
            due_date=TODAY - timedelta(days=32 * n),
            po_number=f"PO 10{n}%",
            order_number=f"T-{a_name()}",
            early_pay=(),
        )
        for n in range(5)
    ]
    made[4] = made[4].model_copy(update={"paid": made[4].total})
    await mirrored(sessions, *made)
    return made


async def test_one_invoice_is_told_in_the_names_of_the_spec(
    portal: FastAPI, sessions: Sessions
) -> None:
    user = await a_buyer(sessions)
    order = await an_order(sessions, code_of(user))
    tiers = (EarlyPay(number_of_days=10, percent=Decimal(2)), EarlyPay(number_of_days=30))
    invoice = an_invoice(
        code_of(user),
        create_date=TODAY,
        order_number=order.number,
        shipment_number="SH-7",
        early_pay=tiers,
    )
    await mirrored(sessions, invoice)
    async with buying(portal, user) as browser:
        named = {"id": invoice.number, "sapBpCode": user.partner_code}
        (told,) = (await asked(browser, "invoice", **named))["results"]
    assert told["id"] == told["number"] == invoice.number
    assert told["invoice_total"] == usd(100.0)
    assert told["payoffAmount"] == usd(98.0)
    assert told["paid_against_invoice"] == usd(0.0)
    assert told["discount"] == usd(2.0)
    assert (told["paymentAmount"], told["isPaid"], told["selected"]) == (98.0, False, False)
    assert told["attemptedPaymentAmount"] == 0
    assert told["create_date"] == TODAY.isoformat()
    assert told["discountUntil"] == (TODAY + timedelta(days=10)).isoformat()
    granted = [
        (one["number_of_days"], one["granted"]) for one in told["early_pay_discount_details"]
    ]
    assert granted == [(10, True), (30, False)]
    assert (told["orderId"], told["shipmentNumber"]) == (order.id, "SH-7")
    assert told["lines"][0]["totalPrice"] == usd(100.0)


async def test_an_invoice_is_on_paper(portal: FastAPI, sessions: Sessions) -> None:
    user = await a_buyer(sessions)
    line = DocumentLine(
        sku="T-1",
        name="Fil à é, " * 12,
        quantity=1,
        unit_price=Decimal("0.50"),
        total=Decimal("0.50"),
    )
    invoice = an_invoice(code_of(user), "100.00", lines=(line,) * 200)
    await mirrored(sessions, invoice)
    path = f"/v1/invoices/{invoice.number}/invoice.pdf"
    async with buying(portal, user) as browser:
        answer = await browser.get(path)
        assert answer.status_code == 200, answer.text
        assert answer.content.startswith(b"%PDF-")
        assert answer.content == (await browser.get(path)).content
    async with buying(portal, await a_buyer(sessions)) as browser:
        assert (await browser.get(path)).status_code == 404


async def test_documents_of_another_business_are_absent(
    portal: FastAPI, sessions: Sessions
) -> None:
    other = code_of(await a_buyer(sessions))
    invoice, memo = an_invoice(other), a_memo(other)
    await mirrored(sessions, invoice, memo)
    async with buying(portal, await a_buyer(sessions)) as browser:
        answers = [
            await browser.post("/api/invoice", json={"id": invoice.number}),
            await browser.post("/api/credit-memo", json={"id": memo.number}),
        ]
        assert [refusal(answer) for answer in answers] == [(404, "document_missing")] * 2
        assert (await asked(browser, "invoices", search=invoice.number))["count"] == 0
        assert (await asked(browser, "credit-memos", search=memo.number))["count"] == 0
        named = {"sapBpCode": other}
        assert (await browser.post("/api/invoices", json=named)).status_code == 404


async def test_who_sees_a_business_without_its_money_sees_no_documents(
    portal: FastAPI, sessions: Sessions
) -> None:
    plain = await an_installer(sessions)
    async with buying(portal, plain) as browser:
        for call in ("invoices", "invoices-cursor", "credit-memos", "credit-memos-cursor"):
            answer = await browser.post(f"/api/{call}", json={})
            assert refusal(answer) == (403, "forbidden")
        assert (await browser.get("/v1/invoices.csv")).status_code == 403
    async with buying(portal, await an_inside_rep(sessions)) as browser:
        assert refusal(await browser.post("/api/invoices", json={})) == (409, "business_needed")


async def test_a_consumer_asks_and_finds_nothing(portal: FastAPI, sessions: Sessions) -> None:
    """They have no documents, and read so (rulings "Later rulings")."""
    async with buying(portal, await a_consumer(sessions)) as browser:
        for call in ("invoices", "credit-memos"):
            found = await asked(browser, call)
            assert (found["count"], found["results"], found["endCursor"]) == (0, [], None)
        statement = (await browser.get("/v1/statement")).json()
        assert (statement["count"], statement["closingBalance"]["amount"]) == (0, 0)


@pytest.mark.parametrize(
    ("sort", "places"),
    [
        ("date-desc", [0, 1, 2, 3, 4]),
        ("date-asc", [4, 3, 2, 1, 0]),
        ("due-desc", [0, 1, 2, 3, 4]),
        ("due-asc", [4, 3, 2, 1, 0]),
        ("total-desc", [4, 3, 2, 1, 0]),
        ("total-asc", [0, 1, 2, 3, 4]),
    ],
)
async def test_every_sort_holds_across_pages_and_cursors(
    portal: FastAPI, sessions: Sessions, sort: str, places: list[int]
) -> None:
    user = await a_buyer(sessions)
    made = await some_invoices(sessions, code_of(user))
    async with buying(portal, user) as browser:
        seen: list[str] = []
        cursor: str | None = None
        while True:
            page = await asked(browser, "invoices", sort=sort, limit=2, endCursor=cursor)
            seen += numbers(page)
            ahead = await asked(browser, "invoices-cursor", sort=sort, limit=2, endCursor=cursor)
            cursor = page["endCursor"]
            assert (ahead["endCursor"], ahead["totalCount"]) == (cursor, 5)
            if cursor is None:
                break
        by_number = await asked(browser, "invoices", sort=sort, limit=2, page=2)
    assert seen == [made[place].number for place in places]
    assert numbers(by_number) == seen[2:4]


async def test_a_page_of_invoices_and_a_batch_of_memos_is_of_100_unless_another_number_is_wanted(
    portal: FastAPI, sessions: Sessions
) -> None:
    user = await a_buyer(sessions)
    code = code_of(user)
    await mirrored(sessions, *(an_invoice(code, "10.00") for _ in range(101)))
    await mirrored(sessions, *(a_memo(code, "10.00") for _ in range(101)))
    async with buying(portal, user) as browser:
        first = await asked(browser, "invoices")
        ahead = await asked(browser, "invoices-cursor")
        second = await asked(browser, "invoices", page=2)
        memos = await asked(browser, "credit-memos-cursor")
        rest = await asked(browser, "credit-memos", endCursor=memos["endCursor"])
    assert (len(numbers(first)), first["count"], len(numbers(second))) == (100, 101, 1)
    assert ahead["endCursor"] == first["endCursor"]
    assert (memos["totalCount"], len(numbers(rest))) == (101, 1)


async def test_a_search_asks_who_holds_only_what_it_found(
    portal: FastAPI, sessions: Sessions
) -> None:
    """How many, the page, the ageing, and who holds them."""
    user = await a_buyer(sessions)
    made = await some_invoices(sessions, code_of(user))
    async with buying(portal, user) as browser:
        for term, count in ((made[1].number, 4), ("nothing", 3)):
            with statements_of(portal) as made_of:
                await asked(browser, "invoices", search=term)
            assert len([one for one in made_of if "invoice" in one]) == count, made_of


async def test_invoices_are_found_by_number_order_po_status_ageing_and_day(
    portal: FastAPI, sessions: Sessions
) -> None:
    user = await a_buyer(sessions)
    made = await some_invoices(sessions, code_of(user))
    all_numbers = [one.number for one in made]
    async with buying(portal, user) as browser:

        async def found(**wanted: Any) -> list[str]:
            return numbers(await asked(browser, "invoices", **wanted))

        assert await found(search="po 101") == all_numbers[1:2]
        assert await found(search="101%") == all_numbers[1:2]
        assert await found(search="10_") == []
        assert await found(search="po/101") == []
        assert await found(search=made[2].order_number) == all_numbers[2:3]
        assert await found(search=made[3].number) == all_numbers[3:4]
        assert await found(status=["paid"]) == all_numbers[4:]
        assert await found(status=["open"]) == all_numbers[:4]
        assert await found(status=["in_payment"]) == []
        await held(sessions, user, made[2])
        assert await found(status=["in_payment"]) == [made[2].number]
        assert await found(status=["in_payment", "paid"]) == [made[2].number, made[4].number]
        assert await found(status=["31-60", "paid"]) == [all_numbers[1], all_numbers[4]]
        assert await found(status=["over-90"]) == all_numbers[3:4]
        for status, count in ((["paid"], 1), ([], 5), (["open", "past_due"], 4)):
            told = await asked(browser, "invoices", status=status)
            states = [told["counts"][one] for one in ("open", "past_due", "in_payment", "paid")]
            assert (told["count"], told["countOfAll"], states) == (count, 5, [4, 3, 1, 1])
        assert (await asked(browser, "invoices", search="po 101"))["counts"]["paid"] == 0
        day = made[1].create_date.isoformat()
        assert await found(**{"from": day, "to": day}) == all_numbers[1:2]
        ageing = (await asked(browser, "invoices", status=["paid"]))["ageing"]
        written = list(csv.reader(io.StringIO((await browser.get("/v1/invoices.csv")).text)))
    assert {one["bucket"]: (one["count"], one["amount"]["amount"]) for one in ageing} == {
        "current": (1, 10.0),
        "1-30": (0, 0.0),
        "31-60": (1, 20.0),
        "61-90": (1, 30.0),
        "over-90": (1, 40.0),
    }
    assert [row[0] for row in written[1:]] == all_numbers
    assert written[1][5:8] == ["10.00", "0.00", "10.00"]


async def held(sessions: Sessions, payer: User, invoice: Invoice) -> None:
    """By a payment that was submitted, and is not begun."""
    method = await a_method(sessions, partner_code=code_of(payer))
    request = AllocationRequest(
        invoices=(DocumentRequest(number=invoice.number, amount=invoice.balance),)
    )
    await submitted(sessions, payer, request, method.id)


async def test_a_coupon_stands_on_the_invoice_and_its_paper(
    portal: FastAPI, sessions: Sessions
) -> None:
    user = await a_buyer(sessions)
    lines = (
        DocumentLine(
            sku="T-1", name="Thing", quantity=1, unit_price=Decimal(95), total=Decimal(95)
        ),
        DocumentLine(sku="T-2", name="Cable", quantity=1, unit_price=Decimal(5), total=Decimal(5)),
    )
    invoice = an_invoice(
        code_of(user), "92.50", lines=lines, coupon_code="SPRING", coupon_amount=Decimal("7.50")
    )
    await mirrored(sessions, invoice)
    async with buying(portal, user) as browser:
        (told,) = (await asked(browser, "invoice", id=invoice.number))["results"]
        paper = await browser.get(f"/v1/invoices/{invoice.number}/invoice.pdf")
    assert told["coupon"] == {"code": "SPRING", "amount": usd(7.5)}
    come_to = sum(line["totalPrice"]["amount"] for line in told["lines"])
    assert come_to - told["coupon"]["amount"]["amount"] == told["subtotalPrice"]["amount"]
    (page,) = pages(paper.content)
    for said in ("Subtotal", "100.00", "Coupon SPRING", "-7.50", "92.50"):
        assert said in page


async def test_a_credit_memo_is_kept_as_a_pdf(portal: FastAPI, sessions: Sessions) -> None:
    user = await a_buyer(sessions)
    part = Settled(on=ISSUED, kind="invoice", number="INV-8", amount=Decimal(20))
    memo = a_memo(code_of(user), applied=Decimal(20), applied_to=(part,), invoice_number="INV-7")
    await mirrored(sessions, memo)
    path = f"/v1/credit-memos/{memo.number}/credit-memo.pdf"
    async with buying(portal, user) as browser:
        answer = await browser.get(path)
        assert answer.status_code == 200, answer.text
        assert answer.content == (await browser.get(path)).content
    (page,) = pages(answer.content)
    for said in (memo.number, "Returned goods", "INV-7", "INV-8", "30.00", "-20.00", "10.00"):
        assert said in page
    async with buying(portal, await a_buyer(sessions)) as browser:
        assert refusal(await browser.get(path)) == (404, "document_missing")


async def test_credit_memos_are_listed_and_told(portal: FastAPI, sessions: Sessions) -> None:
    user = await a_buyer(sessions)
    memo = a_memo(code_of(user))
    used = a_memo(code_of(user), "20.00", applied=Decimal(20), invoice_number="INV-7")
    await mirrored(sessions, memo, used)
    async with buying(portal, user) as browser:
        (told,) = (await asked(browser, "credit-memo", id=memo.number))["results"]
        assert (told["node"]["id"], told["balance"]) == (memo.number, usd(30.0))
        assert numbers(await asked(browser, "credit-memos", status=["open"])) == [memo.number]
        for status, count in ((["open"], 1), ([], 2), (["open", "applied"], 2)):
            told = await asked(browser, "credit-memos", status=status)
            assert (told["count"], told["counts"]) == (count, {"open": 1, "applied": 1})
        file = (await browser.get("/v1/credit-memos.csv", params={"status": "open"})).text
        ((number, *_, balance),) = list(csv.reader(io.StringIO(file)))[1:]
        assert (number, balance) == (memo.number, str(memo.balance))
        assert numbers(await asked(browser, "credit-memos", search="inv-7")) == [used.number]
        first = await asked(browser, "credit-memos", sort="total-asc", limit=1)
        assert numbers(first) == [used.number]
        rest = {"sort": "total-asc", "endCursor": first["endCursor"]}
        assert numbers(await asked(browser, "credit-memos", **rest)) == [memo.number]
        ahead = await asked(browser, "credit-memos-cursor", limit=1)
        assert (ahead["hasNextPage"], ahead["totalCount"]) == (True, 2)


async def test_bad_input_is_refused(portal: FastAPI, sessions: Sessions) -> None:
    user = await a_buyer(sessions)
    await some_invoices(sessions, code_of(user))
    async with buying(portal, user) as browser:
        cursor = (await asked(browser, "invoices", limit=1))["endCursor"]
        for wanted in (
            {"sort": "price"},
            {"status": ["eaten"]},
            {"from": "11/02/2026"},
            {"to": 17},
            {"search": "a\0b"},
            {"endCursor": "nonsense"},
            {"endCursor": cursor, "page": 2},
            {"endCursor": cursor, "sort": "total-asc"},
        ):
            answer = await browser.post("/api/invoices", json=wanted)
            assert answer.status_code in (400, 422), (wanted, answer.text)
        assert len(numbers(await asked(browser, "invoices", total=1))) == 5


async def post_events(portal: FastAPI, *documents: Invoice | CreditMemo) -> list[bool]:
    """Whether each event was new."""
    told: list[bool] = []
    async with a_browser(portal) as erp:
        for document in documents:
            kind = "invoice" if isinstance(document, Invoice) else "credit_memo"
            body = orjson.dumps(
                {
                    "id": f"{document.number}-v{document.version}",
                    "at": datetime.now(UTC).isoformat(),
                    "type": f"{kind}.changed",
                    "document": document.model_dump(mode="json"),
                }
            )
            signature = sign(DEVELOPMENT_ERP_WEBHOOK_SECRET, int(time.time()), body)
            headers = {"X-Signature": signature, "Content-Type": "application/json"}
            answer = await erp.post("/v1/webhooks/erp", content=body, headers=headers)
            assert answer.status_code == 202, answer.text
            told.append(answer.json()["is_new"])
    return told


async def test_every_order_of_the_versions_ends_with_the_latest(
    portal: FastAPI, sessions: Sessions
) -> None:
    code = await a_partner(sessions)
    for places in itertools.permutations(range(3)):
        first = an_invoice(code)
        versions = [
            first.model_copy(update={"version": n + 1, "paid": Decimal(n * 10), "lines": lines})
            for n, lines in enumerate((first.lines, first.lines * 2, first.lines * 3))
        ]
        await post_events(portal, *(versions[place] for place in places))
        assert await post_events(portal, versions[0]) == [False]
        async with sessions() as session:
            found = await find_invoice(session, first.number, code)
        assert found == versions[2]
