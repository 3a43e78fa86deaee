"""With card payments off no card pays for an order."""

from tests.checkout.placements.buying import a_basket, elsewhere
from tests.checkout.quote.buyers import codes, mock
from tests.drivers.portal import a_key
from tests.drivers.whole_portal import Whole, another_portal, problem

REFUSED = (409, "payment_not_allowed")


async def test_no_cart_is_ordered_by_card(whole: Whole) -> None:
    async with (
        another_portal(whole, card_payments=False) as off,
        a_basket(off, payment="visa") as basket,
    ):
        assert codes(await mock(basket.browser, basket.token)) == ["payment_not_allowed"]
        assert problem(await basket.submit()) == REFUSED
        assert await basket.look() is None


async def test_no_card_goes_on_with_an_order_that_was_declined(whole: Whole) -> None:
    async with (
        another_portal(whole, card_payments=False) as off,
        a_basket(whole, payment="chargeCustomerFail") as basket,
    ):
        await basket.placed()
        chosen = {"type": "CARD", "method_id": await basket.another_card()}
        async with elsewhere(basket, off.app) as browser:
            refused = await browser.post(
                f"/v1/placements/{basket.token}/payment", json=chosen, headers=a_key()
            )
        assert problem(refused) == REFUSED
        assert (await basket.ask("cancel")).status_code in (200, 202)
        await basket.until(lambda run: run["ended"])
        assert await basket.kept() == 0
