"""Promise 10 of a checkout: the mock run equals the real one, and does nothing."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest

from tests.catalogue.factories import a_product
from tests.checkout.cart.buyers import begin, buying
from tests.checkout.placements.buying import Basket, a_basket, cents_of
from tests.checkout.quote.buyers import a_shop, mock
from tests.drivers.all_that_is_written import Work, changed_by
from tests.drivers.sampled import sampled
from tests.drivers.whole_portal import Whole

FROZEN = ("subtotal", "discount", "freight", "tax", "taxes", "total", "currency")
OF_A_LINE = ("variant_id", "quantity", "now", "later", "unit_price", "total")


@pytest.mark.parametrize("seed", sampled(range(4), 2))
async def test_promise_10_a_random_cart_is_placed_as_its_mock_run_said(
    whole: Whole, seed: int
) -> None:
    async with a_random_basket(whole, Random(seed)) as basket:
        quote = await mock(basket.browser, basket.token)
        run = await basket.placed(quoteHash=quote["quote_hash"])
        view = run["view"]
        assert {name: view[name] for name in FROZEN} == {name: quote[name] for name in FROZEN}
        assert _lines(view) == _lines(quote)
        for name in ("shipping_address", "billing_address"):
            assert view[name] == quote[name]
        await basket.until("confirmed")
        assert await basket.kept() == cents_of(quote["total"])


async def test_promise_11_a_mock_run_writes_nothing_anywhere(whole: Whole) -> None:
    @asynccontextmanager
    async def fresh() -> AsyncGenerator[Work]:
        async with a_basket(whole, payment="visa") as basket:

            async def mock_run() -> None:
                assert (await mock(basket.browser, basket.token))["refusals"] == []

            yield mock_run
            assert await basket.look() is None

    assert await changed_by(whole.stage, fresh) == set()


@asynccontextmanager
async def a_random_basket(whole: Whole, random: Random) -> AsyncGenerator[Basket]:
    """Up to twelve articles at prices of any cent, some with less on hand than are ordered; paid by card."""
    shop = await a_shop(whole.sessions)
    wanted = [
        (
            await a_product(
                whole.sessions,
                msrp=f"{random.randrange(1, 90_000) / 100:.2f}",
                on_hand=random.randrange(0, 8),
            ),
            random.randrange(1, 9),
        )
        for _ in range(random.randrange(1, 13))
    ]
    async with buying(whole.app, shop.buyer) as browser:
        token = (await begin(browser, *wanted))["token"]
        basket = Basket(whole, browser, shop, wanted[0][0], token)
        await basket.pay_by_card()
        yield basket


def _lines(told: dict[str, Any]) -> list[dict[str, Any]]:
    return [{name: line[name] for name in OF_A_LINE} for line in told["lines"]]
