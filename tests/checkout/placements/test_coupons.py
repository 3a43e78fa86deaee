"""A coupon in an order: counted once in the submit's transaction, on the order, in the mail, and free again when nothing
comes of it."""

import asyncio
from contextlib import AsyncExitStack
from decimal import Decimal

import pytest
from sqlalchemy import func, select

from db.base import Sessions
from db.checkout.coupons import CouponUseRow
from db.orders.orders import order_of_token
from domain.paper.mails import order_mail
from tests.catalogue.factories import a_word
from tests.checkout.coupons.factories import a_channel_shop, a_coupon, listed
from tests.checkout.placements.buying import a_basket
from tests.checkout.quote.buyers import mock
from tests.drivers.whole_portal import Whole

BUYERS = 6


async def uses_of(sessions: Sessions, code: str) -> int:
    async with sessions() as session:
        count = select(func.count()).where(CouponUseRow.code == code)
        return int(await session.scalar(count) or 0)


async def test_an_order_has_what_the_mock_run_had(whole: Whole) -> None:
    shop, channel = await a_channel_shop(whole.sessions)
    code = await a_coupon(whole.sessions, channel, most_per_business=1)
    async with a_basket(whole, shop=shop, price="100.00", quantity=2) as basket:
        quote = await mock(basket.browser, basket.token)
        run = await basket.placed(quoteHash=quote["quote_hash"])
        run = await basket.until("confirmed")
        order = await basket.browser.post(
            "/api/order-transaction", json={"id": run["view"]["order"]["id"]}
        )
        (at_erp,) = await basket.orders_at_the_erp()
        after = await listed(basket.browser)
    async with whole.sessions() as session:
        kept = await order_of_token(session, basket.token)
    assert kept is not None
    assert f"Coupon {code}: -$20.00" in order_mail(kept, "Harbour Car Audio", "https://portal.test")
    assert quote["coupon"] == {"code": code, "description": "Less", "amount": 20.0}
    (told,) = order.json()["results"]
    assert told["coupon"] == {"code": code, "amount": {"amount": 20.0, "currency": "USD"}}
    assert told["totalPrice"]["gross"]["amount"] == quote["total"] == run["view"]["total"]
    assert (at_erp["total"], run["view"]["coupon"]["amount"]) == (quote["total"], 20.0)
    assert await uses_of(whole.sessions, code) == 1
    assert code not in after  # used up by this business, so shown no more


@pytest.mark.parametrize("payment", ["TERMS", "COD"])
async def test_an_order_of_nothing_is_placed_on_a_promise(whole: Whole, payment: str) -> None:
    """Sent free, and wholly taken off: no credit is held, and no provider has anything to charge."""
    shop, channel = await a_channel_shop(whole.sessions)
    await a_coupon(whole.sessions, channel, percent=Decimal(100))
    async with a_basket(whole, shop=shop, quantity=5, payment=payment) as basket:
        quote = await mock(basket.browser, basket.token)
        assert (quote["total"], quote["refusals"]) == (0, [])
        await basket.placed(quoteHash=quote["quote_hash"])
        run = await basket.until("confirmed")
        (at_erp,) = await basket.orders_at_the_erp()
        assert (at_erp["total"], run["view"]["total"]) == (0, 0)
        assert await basket.kept("gateway") == 0


async def test_an_order_of_nothing_is_charged_to_no_card(whole: Whole) -> None:
    """Whoever chose one, and whoever has none and may promise nothing."""
    shop, channel = await a_channel_shop(whole.sessions)
    await a_coupon(whole.sessions, channel, percent=Decimal(100))
    async with a_basket(whole, shop=shop, quantity=5, payment="visa") as basket:
        quote = await mock(basket.browser, basket.token)
        assert (quote["total"], quote["payment"]["type"], quote["refusals"]) == (0, "TERMS", [])
        chosen = {"type": "TERMS", "methodId": None}
        await basket.placed(quoteHash=quote["quote_hash"], selectedPayment=chosen)
        await basket.until("confirmed")
        assert await basket.kept() == 0
        assert await basket.kept("gateway") == 0


async def test_a_limit_holds_however_many_submit_at_once(whole: Whole) -> None:
    channel = a_word()
    code = await a_coupon(whole.sessions, channel, most_uses=2)
    async with AsyncExitStack() as stack:
        baskets = [
            await stack.enter_async_context(
                a_basket(whole, shop=(await a_channel_shop(whole.sessions, channel))[0])
            )
            for _ in range(BUYERS)
        ]
        quotes = await asyncio.gather(*(mock(one.browser, one.token) for one in baskets))
        answers = await asyncio.gather(
            *(
                one.submit(quoteHash=quote["quote_hash"])
                for one, quote in zip(baskets, quotes, strict=True)
            )
        )
    assert {quote["coupon"]["code"] for quote in quotes} == {code}
    refused = [answer.json()["code"] for answer in answers if not answer.is_success]
    assert refused == ["quote_changed"] * (BUYERS - 2)
    assert await uses_of(whole.sessions, code) == 2


async def test_a_coupon_is_free_again_when_nothing_comes_of_the_order(whole: Whole) -> None:
    shop, channel = await a_channel_shop(whole.sessions)
    code = await a_coupon(whole.sessions, channel, most_uses=1)
    async with a_basket(whole, shop=shop, payment="chargeCustomerFail") as basket:
        await basket.submit()
        await basket.until(lambda run: run["view"]["waits_for"] == "buyer")
        assert code not in await listed(basket.browser)
        await basket.ask("cancel")
        await basket.until(lambda run: run["ended"])
        assert code in await listed(basket.browser)
