"""Orders as they are read: one, many, by cursor, as a file; and ordered again."""

import csv
import io
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import update

from db.base import Sessions
from db.billing.payments import PaymentEntryRow, PaymentRow
from db.catalogue.tables import StockRow
from db.orders.progress import mark_cancelled
from domain.billing.payments import PaymentType
from domain.identity.people import User
from domain.orders.orders import Order, OrderLine
from tests.catalogue.factories import Made, a_product
from tests.checkout.cart.buyers import a_buyer, buying, quantities, refusal
from tests.drivers.factories import Dealer, a_dealer, a_name, an_inside_rep, an_installer
from tests.drivers.portal import a_key
from tests.orders.factories import a_line, an_order, code_of
from tests.partners.factories import a_primary, let_see

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


async def listed(browser: httpx.AsyncClient, **wanted: Any) -> dict[str, Any]:
    answer = await browser.post("/api/order-transactions", json=wanted)
    assert answer.status_code == 200, answer.text
    return answer.json()


def numbers(answer: dict[str, Any]) -> list[str]:
    return [order["number"] for order in answer["results"]]


def line_of(made: Made, quantity: int = 2) -> OrderLine:
    return a_line(made.sku, quantity, variant_id=made.variant_id, product_id=made.id)


async def some_orders(sessions: Sessions, user: User, count: int = 5) -> list[Order]:
    """The newest first; the oldest is the dearest."""
    return [
        await an_order(
            sessions,
            code_of(user),
            [a_line(quantity=n + 1)],
            po_number=f"PO 10{n}%",
            created_at=NOW - timedelta(days=n),
        )
        for n in range(count)
    ]


async def test_one_order_is_told_with_its_metadata_and_without_the_prefix(
    portal: FastAPI, sessions: Sessions
) -> None:
    user = await a_buyer(sessions)
    order = await an_order(sessions, code_of(user), po_number="PO 7", workflow_id="order-1")
    async with buying(portal, user) as browser:
        named = {"id": order.id, "sapBpCode": user.partner_code, "sort": "date-desc"}
        answer = (await browser.post("/api/order-transaction", json=named)).json()
        same = (await browser.get(f"/v1/orders/{order.id}")).json()
    (told,) = answer["results"]
    assert told == same
    assert told["shippingMethodName"] == "Ground"
    assert {"key": "po_number", "value": "PO 7"} in told["metadata"]
    assert (told["number"], told["token"], told["waitsFor"]) == (
        order.number,
        order.token,
        "hand_over",
    )
    assert told["totalPrice"]["gross"] == {"amount": 20.0, "currency": "USD"}
    assert told["lines"][0]["shipped"] == 0


@pytest.mark.parametrize(("paid_by", "told"), [(PaymentType.CARD, [20.0]), (PaymentType.TERMS, [])])
async def test_of_a_charge_that_was_tried_before_terms_nothing_is_told_as_paid_back(
    portal: FastAPI, sessions: Sessions, paid_by: PaymentType, told: list[float]
) -> None:
    user = await a_buyer(sessions)
    order = await an_order(sessions, code_of(user), payment_type=paid_by)
    charge = a_name()
    async with sessions.begin() as session:
        session.add(
            PaymentRow(
                id=charge,
                key=charge,
                flow="placement",
                flow_id=order.token,
                attempt=1,
                type="CARD",
                description="",
                status="REFUNDED",
                shown="",
                workflow_id=charge,
                partner_code=order.partner_code,
                person_id=user.id,
                amount=Decimal(20),
                captured=Decimal(20),
                refunded=Decimal(20),
                currency="USD",
                capture=True,
            )
        )
        await session.flush()
        session.add(
            PaymentEntryRow(id=charge, payment_id=charge, kind="refunded", amount=Decimal(20))
        )
    async with buying(portal, user) as browser:
        found = (await browser.get(f"/v1/orders/{order.id}")).json()
    assert [one["amount"] for one in found["givenBack"]] == told


async def test_a_line_says_when_what_is_on_backorder_is_expected(
    portal: FastAPI, sessions: Sessions
) -> None:
    user, day = await a_buyer(sessions), date(2027, 1, 12)
    made = [await a_product(sessions) for _ in range(3)]
    async with sessions.begin() as session:
        await session.execute(
            update(StockRow)
            .where(StockRow.variant_id.in_([one.variant_id for one in made[:2]]))
            .values(restock_on=day)
        )
    shares = [(2, 1), (3, 0), (2, 1)]
    lines = [
        a_line(quantity=3, now=now, later=later, variant_id=one.variant_id)
        for one, (now, later) in zip(made, shares, strict=True)
    ]
    order = await an_order(sessions, code_of(user), lines)
    async with buying(portal, user) as browser:
        told = (await browser.get(f"/v1/orders/{order.id}")).json()
        assert [line["expectedOn"] for line in told["lines"]] == ["2027-01-12", None, None]
        async with sessions.begin() as session:
            await mark_cancelled(session, order.id, None, order.created_at)
        told = (await browser.get(f"/v1/orders/{order.id}")).json()
        assert {line["expectedOn"] for line in told["lines"]} == {None}


async def test_an_order_of_another_business_is_absent_for_every_call(
    portal: FastAPI, sessions: Sessions
) -> None:
    order = await an_order(sessions, code_of(await a_buyer(sessions)))
    async with buying(portal, await a_buyer(sessions)) as browser:
        answers = [
            await browser.post("/api/order-transaction", json={"id": order.id}),
            await browser.get(f"/v1/orders/{order.id}"),
            await browser.post(f"/v1/orders/{order.id}/reorder"),
        ]
        assert [refusal(answer) for answer in answers] == [(404, "order_missing")] * 3
        assert (await listed(browser, id=order.id))["count"] == 0


async def test_pages_by_number_and_by_cursor_are_the_same(
    portal: FastAPI, sessions: Sessions
) -> None:
    user = await a_buyer(sessions)
    orders = [order.number for order in await some_orders(sessions, user)]
    async with buying(portal, user) as browser:
        first = await listed(browser, limit=2)
        assert (numbers(first), first["count"]) == (orders[:2], 5)
        assert numbers(await listed(browser, limit=2, page=3)) == orders[4:]
        second = await listed(browser, limit=2, endCursor=first["endCursor"])
        assert numbers(second) == orders[2:4] == numbers(await listed(browser, limit=2, page=2))
        ahead = (await browser.post("/api/order-transactions-cursor", json={"limit": 4})).json()
        assert (ahead["hasNextPage"], ahead["totalCount"]) == (True, 5)
        last = await listed(browser, limit=2, endCursor=ahead["endCursor"])
        assert (numbers(last), last["endCursor"]) == (orders[4:], None)
        (same,) = (await listed(browser, limit=1, page=3))["results"]
        named = {"id": same["id"]}
        alone = (await browser.post("/api/order-transactions-cursor", json=named)).json()
        assert (alone["hasNextPage"], alone["totalCount"]) == (False, 1)
        default = await listed(browser)
        assert (default["page"], default["limit"]) == (1, 25)


@pytest.mark.parametrize(
    ("sort", "places"),
    [
        ("date-desc", [0, 1, 2, 3, 4]),
        ("date-asc", [4, 3, 2, 1, 0]),
        ("total-desc", [4, 3, 2, 1, 0]),
        ("total-asc", [0, 1, 2, 3, 4]),
    ],
)
async def test_every_sort_holds_across_pages(
    portal: FastAPI, sessions: Sessions, sort: str, places: list[int]
) -> None:
    user = await a_buyer(sessions)
    orders = await some_orders(sessions, user)
    async with buying(portal, user) as browser:
        seen: list[str] = []
        cursor: str | None = None
        while True:
            page = await listed(browser, sort=sort, limit=2, endCursor=cursor)
            seen += numbers(page)
            cursor = page["endCursor"]
            if cursor is None:
                break
    assert seen == [orders[place].number for place in places]


async def test_orders_are_found_by_po_number_our_number_and_status(
    portal: FastAPI, sessions: Sessions
) -> None:
    user = await a_buyer(sessions)
    orders = await some_orders(sessions, user, 3)
    async with sessions.begin() as session:
        await mark_cancelled(session, orders[0].id, "Typed twice", NOW)
    async with buying(portal, user) as browser:
        assert numbers(await listed(browser, search="po 101")) == [orders[1].number]
        assert (await listed(browser, search="10_"))["count"] == 0
        assert numbers(await listed(browser, search=orders[2].number)) == [orders[2].number]
        assert numbers(await listed(browser, status=["cancelled"])) == [orders[0].number]
        assert (await listed(browser, status=["placed"]))["count"] == 2


async def test_an_order_is_on_paper(portal: FastAPI, sessions: Sessions) -> None:
    user = await a_buyer(sessions)
    (order,) = await some_orders(sessions, user, 1)
    paths = [f"/v1/orders/{order.id}/{name}.pdf" for name in ("order", "packing-list")]
    async with buying(portal, user) as browser:
        for path in paths:
            answer = await browser.get(path)
            assert answer.status_code == 200, answer.text
            assert answer.headers["content-type"] == "application/pdf"
            assert answer.content.startswith(b"%PDF-")
    async with buying(portal, await a_buyer(sessions)) as browser:
        for path in paths:
            assert (await browser.get(path)).status_code == 404


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ({}, (1, None)),
        ({"page": None, "limit": None}, (1, None)),
        ({"page": "", "limit": ""}, (1, None)),
        ({"page": 0, "limit": 0}, (1, None)),
        ({"page": -3, "limit": "ten"}, (1, None)),
        ({"page": 1.5, "limit": True}, (1, None)),
        ({"page": [2], "limit": {"n": 3}}, (1, None)),
        ({"page": "2", "limit": "3"}, (2, 3)),
        ({"page": 2.0, "limit": 101}, (2, 100)),
        ({"page": 10**15, "limit": 10**9}, (1_000_000, 100)),
    ],
)
async def test_page_and_limit_fall_back_in_every_list_of_a_business(
    portal: FastAPI, sessions: Sessions, sent: dict[str, object], read: tuple[int, int | None]
) -> None:
    async with buying(portal, await a_buyer(sessions)) as browser:
        for path, default in (("order-transactions", 25), ("invoices", 100), ("credit-memos", 25)):
            answer = await browser.post(f"/api/{path}", json=sent)
            assert answer.status_code == 200, answer.text
            page, limit = read
            assert (answer.json()["page"], answer.json()["limit"]) == (page, limit or default)
            ahead = await browser.post(f"/api/{path}-cursor", json={"limit": sent.get("limit")})
            assert ahead.status_code == 200, ahead.text


async def test_bad_input_is_refused(portal: FastAPI, sessions: Sessions) -> None:
    user = await a_buyer(sessions)
    await some_orders(sessions, user, 3)
    async with buying(portal, user) as browser:
        cursor = (await listed(browser, limit=1))["endCursor"]
        for wanted in (
            {"sort": "price"},
            {"status": ["eaten"]},
            {"search": "a\0b"},
            {"endCursor": "nonsense"},
            {"endCursor": cursor, "page": 2},
            {"endCursor": cursor, "sort": "total-asc"},
        ):
            answer = await browser.post("/api/order-transactions", json=wanted)
            assert answer.status_code in (400, 422), (wanted, answer.text)
        assert (await listed(browser, total=1))["count"] == 3


async def test_a_rep_chooses_a_business_first_and_sees_its_orders_then(
    portal: FastAPI, sessions: Sessions
) -> None:
    user = await a_primary(sessions, await a_dealer(sessions))
    rep = await an_inside_rep(sessions)
    order = await an_order(sessions, code_of(user))
    await let_see(sessions, rep, code_of(user))
    async with buying(portal, rep) as browser:
        refused = await browser.post("/api/order-transactions", json={})
        assert refusal(refused) == (409, "business_needed")
        chosen = await browser.put("/v1/auth/business", json={"sapBpCode": user.partner_code})
        assert chosen.is_success, chosen.text
        assert numbers(await listed(browser)) == [order.number]


async def test_an_installer_without_rights_sees_no_orders(
    portal: FastAPI, sessions: Sessions
) -> None:
    user = await a_buyer(sessions)
    assert user.dealer_id is not None
    dealer = Dealer(id=user.dealer_id, partner_code=code_of(user))
    async with buying(portal, await an_installer(sessions, dealer)) as browser:
        assert refusal(await browser.post("/api/order-transactions", json={})) == (403, "forbidden")


async def test_what_was_bought_in_the_last_three_orders_is_told_once_the_newest_first(
    portal: FastAPI, sessions: Sessions
) -> None:
    user = await a_buyer(sessions)
    lines = [a_line() for _ in range(5)]
    days = [(0, [0, 1]), (1, [1, 2]), (2, [3]), (3, [4])]
    for days_ago, places in days:
        await an_order(
            sessions,
            code_of(user),
            [lines[place] for place in places],
            created_at=NOW - timedelta(days=days_ago),
        )
    gone = await an_order(sessions, code_of(user), created_at=NOW + timedelta(days=1))
    async with sessions.begin() as session:
        await mark_cancelled(session, gone.id, None, NOW)
    async with buying(portal, user) as browser:
        ids = (await browser.get("/api/last-three-order-product-ids")).json()
    assert ids == [lines[place].product_id for place in (0, 1, 2, 3)]


async def test_how_a_product_was_bought_the_last_time_is_told_to_those_who_buy(
    portal: FastAPI, sessions: Sessions
) -> None:
    user = await a_buyer(sessions)
    often, once = a_line(quantity=2), a_line(quantity=5)
    again = often.model_copy(update={"quantity": 7, "now": 7, "total": often.unit_price * 7})
    await an_order(sessions, code_of(user), [often, once], created_at=NOW - timedelta(days=9))
    await an_order(sessions, code_of(user), [again], created_at=NOW)
    await an_order(sessions, code_of(await a_buyer(sessions)), [a_line()], created_at=NOW)
    async with buying(portal, user) as browser:
        told = (await browser.get("/v1/last-bought")).json()
    assert [(one["productId"], one["quantity"]) for one in told] == [
        (often.product_id, 7),
        (once.product_id, 5),
    ]
    assert told[0]["unitPrice"]["net"]["amount"] == float(often.unit_price)
    assert datetime.fromisoformat(told[0]["boughtAt"]) == NOW
    assert user.dealer_id is not None
    dealer = Dealer(id=user.dealer_id, partner_code=code_of(user))
    async with buying(portal, await an_installer(sessions, dealer)) as browser:
        assert refusal(await browser.get("/v1/last-bought")) == (403, "forbidden")


async def test_an_order_goes_into_the_cart_again_with_a_reason_for_each_line_that_cannot(
    portal: FastAPI, sessions: Sessions
) -> None:
    user = await a_buyer(sessions)
    good, shut = await a_product(sessions), await a_product(sessions, is_for_purchase=False)
    lines = [line_of(good, 3), line_of(shut), a_line("T-GONE"), line_of(good, 1)]
    order = await an_order(sessions, code_of(user), lines)
    async with buying(portal, user) as browser:
        key = a_key()
        answer = await browser.post(f"/v1/orders/{order.id}/reorder", headers=key)
        assert answer.status_code == 200, answer.text
        added = answer.json()
        assert [row["verdict"] for row in added["rows"]] == [
            "ready",
            "not_for_purchase",
            "unknown",
            "merged",
        ]
        again = await browser.post(f"/v1/orders/{order.id}/reorder", headers=key)
        assert again.json()["quantity"] == added["quantity"] == 4
        road = f"/v1/orders/{order.id}/reorder?line=4&line=3"
        chosen = (await browser.post(road, headers=a_key())).json()
        assert [(row["row"], row["verdict"]) for row in chosen["rows"]] == [
            (3, "unknown"),
            (4, "ready"),
        ]
        assert chosen["quantity"] == 5
        for line in ("0", "1001", "x"):
            refused = await browser.post(f"/v1/orders/{order.id}/reorder?line={line}")
            assert refused.status_code == 422
        cart = await browser.get(f"/api/products-checkout/{added['token']}")
        assert quantities(cart.json()) == {good.variant_id: 5}


async def test_the_list_is_a_file_of_all_its_rows_and_no_formula(
    portal: FastAPI, sessions: Sessions
) -> None:
    user = await a_buyer(sessions)
    orders = await some_orders(sessions, user, 3)
    evil = await an_order(sessions, code_of(user), po_number="@SUM(A1)", created_at=NOW)
    async with buying(portal, user) as browser:
        answer = await browser.get("/v1/orders.csv", params={"sort": "date-asc", "language": "fr"})
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert rows[0][:3] == ["Commande", "Date", "Bon de commande"]
    assert {row[0] for row in rows[1:]} == {order.number for order in [*orders, evil]}
    assert next(row for row in rows if row[0] == evil.number)[2] == "'@SUM(A1)"


async def test_orders_are_found_by_sku_person_and_day_and_counted_by_status(
    portal: FastAPI, sessions: Sessions
) -> None:
    user, other = await a_buyer(sessions), await a_buyer(sessions)
    sku = f"FIND-{a_key()['Idempotency-Key'][:8]}"
    late = datetime(2026, 11, 21, 4, 30, tzinfo=UTC)  # still the 20th in Toronto
    found = await an_order(
        sessions,
        code_of(user),
        [a_line(sku=sku)],
        placed_by_name="Quinn Searched",
        created_at=late,
    )
    after = await an_order(sessions, code_of(user), created_at=late + timedelta(hours=2))
    async with sessions.begin() as session:
        await mark_cancelled(session, after.id, None, NOW)
    await an_order(sessions, code_of(other), [a_line(sku=sku)])
    async with buying(portal, user) as browser:
        for wanted in (
            {"search": sku.lower()[:-1]},
            {"search": "quinn s"},
            {"since": "2026-11-20", "until": "2026-11-20"},
            {"since": "0001-01-01", "until": "9999-12-31", "search": sku},
        ):
            assert numbers(await listed(browser, **wanted)) == [found.number], wanted
        narrowed = await listed(browser, status=["placed"])
        assert numbers(narrowed) == [found.number]
        assert (narrowed["count"], narrowed["counts"]) == (1, {"placed": 1, "cancelled": 1})
        chosen = await browser.get("/v1/orders.csv", params={"id": [after.id]})
        assert [after.number in chosen.text, found.number in chosen.text] == [True, False]
        day = await browser.get("/v1/orders.csv", params={"until": "2026-11-20"})
        assert [after.number in day.text, found.number in day.text] == [False, True]
        assert f"{found.number},2026-11-20," in day.text
        bad = await browser.post("/api/order-transactions", json={"since": 20})
        assert bad.status_code == 422
