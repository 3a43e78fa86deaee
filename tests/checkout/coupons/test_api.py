"""Coupons in the cart and in the mock run: who can use which, what is taken, what is told."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import httpx
from fastapi import FastAPI
from sqlalchemy import insert

from db.base import Sessions
from db.checkout.coupons import MOST_COUPONS, CouponRow
from tests.catalogue.factories import a_product, a_word
from tests.checkout.cart.buyers import CHECKOUT, begin, buying, pieces
from tests.checkout.coupons.factories import a_channel_shop, a_coupon, enter, listed
from tests.checkout.quote.buyers import mock
from tests.drivers.factories import a_name


async def test_those_that_a_buyer_can_use_now_are_listed(
    portal: FastAPI, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    shop, channel = await a_channel_shop(sessions)
    past = datetime.now(UTC) - timedelta(days=1)
    mine = await a_coupon(sessions, channel, amount=Decimal(5))
    over = await a_coupon(sessions, channel, ends_at=past)
    other = await a_coupon(sessions, a_word())
    async with buying(portal, shop.buyer) as buyer:
        found = await listed(buyer)
    assert mine in found
    assert {over, other}.isdisjoint(found)
    assert await listed(browser) == []  # who is not signed in can use none


async def test_cart_and_mock_run_take_the_best_one_to_the_cent(
    portal: FastAPI, sessions: Sessions
) -> None:
    shop, channel = await a_channel_shop(sessions)
    code = await a_coupon(sessions, channel)
    await a_coupon(sessions, channel, amount=Decimal(1))
    async with buying(portal, shop.buyer) as browser:
        cart = await begin(browser, (await a_product(sessions, msrp="33.33"), 3))
        quote = await mock(browser, cart["token"])
    assert cart["coupons"]["taken"] == {
        "code": code,
        "description": "Less",
        "amount": {"amount": 10.0, "currency": "USD"},
    }
    # 99.99 less 10.00, 14.50 freight, 5 % GST and 7 % PST
    assert (quote["subtotal"], quote["coupon"]["amount"], quote["net"]) == (99.99, 10.0, 104.49)
    assert [tax["amount"] for tax in quote["taxes"]] == [5.22, 7.31]
    assert quote["total"] == cart["totalPrice"]["gross"]["amount"] == 117.02


async def test_an_entered_code_is_taken_and_can_be_taken_away(
    portal: FastAPI, sessions: Sessions
) -> None:
    shop, channel = await a_channel_shop(sessions)
    best = await a_coupon(sessions, channel)
    small = await a_coupon(sessions, channel, amount=Decimal(1))
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (await a_product(sessions, msrp="50.00"), 1)))["token"]
        entered = (await enter(browser, token, f" {small.lower()} "))["coupons"]
        before = (await mock(browser, token))["quote_hash"]
        away = (await enter(browser, token, ""))["coupons"]
        after = (await mock(browser, token))["quote_hash"]
    assert (entered["entered"], entered["taken"]["code"]) == (small, small)
    assert (away["entered"], away["taken"]["code"]) == (None, best)
    assert before != after


async def test_an_entered_code_is_taken_however_many_there_are_before_it(
    portal: FastAPI, sessions: Sessions
) -> None:
    shop, channel = await a_channel_shop(sessions)
    name = a_name().upper()
    common = {"description": "Less", "channels": [channel], "amount": Decimal(5)}
    many = [common | {"code": f"A{name}{n:03}"} for n in range(MOST_COUPONS)]
    async with sessions.begin() as session:
        await session.execute(insert(CouponRow), [*many, common | {"code": f"Z{name}"}])
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (await a_product(sessions, msrp="50.00"), 1)))["token"]
        entered = (await enter(browser, token, f"Z{name}"))["coupons"]
        quote = await mock(browser, token)
    assert (entered["taken"]["code"], entered["refused"]) == (f"Z{name}", None)
    assert quote["coupon"]["code"] == f"Z{name}"


async def test_without_a_cart_they_are_listed_by_code(portal: FastAPI, sessions: Sessions) -> None:
    shop, channel = await a_channel_shop(sessions)
    name = a_name().upper()
    common = {"description": "Less", "channels": [channel], "percent": Decimal(5)}
    leasts = {
        f"{letter}{name}": Decimal(least) for letter, least in [("C", 0), ("B", 9), ("A", 50)]
    }
    async with sessions.begin() as session:
        await session.execute(
            insert(CouponRow),
            [common | {"code": code, "least": least} for code, least in leasts.items()],
        )
    async with buying(portal, shop.buyer) as browser:
        assert await listed(browser) == sorted(leasts)


async def test_the_best_is_taken_however_many_there_are_before_it(
    portal: FastAPI, sessions: Sessions
) -> None:
    """By what it takes off these goods: not by its amount, which may be more than they are, nor of another category."""
    shop, channel = await a_channel_shop(sessions)
    made, name = await a_product(sessions, msrp="50.00"), a_name().upper()
    common = {
        "description": "Less",
        "channels": [channel],
        "amount": None,
        "percent": None,
        "least": Decimal(0),
        "categories": list[str](),
    }
    many = [
        *({"code": f"A{name}{n:03}", "amount": Decimal(5)} for n in range(MOST_COUPONS)),
        {"code": f"B{name}", "amount": Decimal(90), "least": Decimal(100)},
        {"code": f"C{name}", "amount": Decimal(90), "categories": [a_name()]},
        {"code": f"Y{name}", "percent": Decimal(12)},
        {"code": f"Z{name}", "amount": Decimal("6.01")},
    ]
    async with sessions.begin() as session:
        await session.execute(insert(CouponRow), [common | one for one in many])
    async with buying(portal, shop.buyer) as browser:
        cart = await begin(browser, (made, 1))
        assert cart["coupons"]["taken"]["code"] == f"Z{name}"
        more = await browser.post(f"{CHECKOUT}/{cart['token']}/add-lines", json=pieces((made, 1)))
        assert more.json()["coupons"]["taken"]["code"] == f"B{name}"
        assert (await mock(browser, cart["token"]))["coupon"]["code"] == f"B{name}"


async def test_what_is_missing_is_told_until_it_is_there(
    portal: FastAPI, sessions: Sessions
) -> None:
    shop, channel = await a_channel_shop(sessions)
    code = await a_coupon(sessions, channel, least=Decimal(100))
    made = await a_product(sessions, msrp="60.00")
    async with buying(portal, shop.buyer) as browser:
        cart = await begin(browser, (made, 1))
        near = cart["coupons"]["near"]
        refused = (await enter(browser, cart["token"], code))["coupons"]["refused"]
        more = await browser.post(f"{CHECKOUT}/{cart['token']}/add-lines", json=pieces((made, 1)))
    assert (near["code"], near["missing"]["amount"]) == (code, 40.0)
    assert (refused["fault"], refused["missing"]["amount"]) == ("below_least", 40.0)
    held = more.json()["coupons"]
    assert (held["taken"]["code"], held["refused"], held["near"]) == (code, None, None)


async def test_a_code_of_another_channel_is_one_that_never_was(
    portal: FastAPI, sessions: Sessions
) -> None:
    shop, _ = await a_channel_shop(sessions)
    foreign = await a_coupon(sessions, a_word())
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (await a_product(sessions), 1)))["token"]
        faults = [
            (await enter(browser, token, code))["coupons"]["refused"]["fault"]
            for code in (foreign, "NEVER-WAS")
        ]
    assert faults == ["not_usable", "not_usable"]
