"""A saved method that its business has hidden pays for no order."""

from tests.billing.payments.factories import hide
from tests.checkout.placements.buying import a_basket
from tests.checkout.quote.buyers import codes, mock, pay_by
from tests.drivers.whole_portal import Whole, problem

REFUSED = (409, "payment_not_allowed")


async def test_no_cart_is_ordered_by_a_hidden_card(whole: Whole) -> None:
    async with a_basket(whole) as basket:
        card = await basket.another_card()
        await hide(whole.sessions, card)
        await pay_by(basket.browser, basket.token, "CARD", methodId=card)
        assert codes(await mock(basket.browser, basket.token)) == ["payment_not_allowed"]
        assert problem(await basket.submit()) == REFUSED
        named = await basket.submit(selectedPayment={"type": "CARD", "methodId": card})
        assert problem(named) == REFUSED
        assert await basket.look() is None


async def test_no_hidden_card_goes_on_with_an_order_that_was_declined(whole: Whole) -> None:
    async with a_basket(whole, payment="chargeCustomerFail") as basket:
        await basket.placed()
        card = await basket.another_card()
        await hide(whole.sessions, card)
        assert problem(await basket.ask("payment", type="CARD", method_id=card)) == REFUSED
        assert (await basket.ask("cancel")).status_code in (200, 202)
        await basket.until(lambda run: run["ended"])
        assert await basket.kept() == 0
