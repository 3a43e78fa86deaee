"""The order in which submits take their locks."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace

from sqlalchemy import select
from structlog.testing import capture_logs

from db.partner_tables import PartnerRow
from tests.checkout.coupons.factories import a_channel_shop, a_coupon, enter
from tests.checkout.placements.buying import Basket, a_basket
from tests.checkout.quote.buyers import mock
from tests.drivers.database.locks import waiting_behind
from tests.drivers.factories import Dealer, an_owner
from tests.drivers.until import until
from tests.drivers.whole_portal import Whole


async def test_buyers_of_one_business_on_terms_do_not_wait_for_each_other(whole: Whole) -> None:
    """Each takes a coupon of their own, so that nothing but the business is between them."""
    shop, channel = await a_channel_shop(whole.sessions)
    async with AsyncExitStack() as stack:
        baskets: list[Basket] = []
        for _ in range(2):
            buyer = await an_owner(
                whole.sessions, Dealer(id=str(shop.buyer.dealer_id), partner_code=shop.code)
            )
            basket = await stack.enter_async_context(
                a_basket(whole, shop=replace(shop, buyer=buyer), payment="TERMS")
            )
            await enter(basket.browser, basket.token, await a_coupon(whole.sessions, channel))
            baskets.append(basket)
        quotes = [await mock(one.browser, one.token) for one in baskets]
        assert len({quote["coupon"]["code"] for quote in quotes}) == 2
        with capture_logs() as lines:
            async with whole.sessions.begin() as holder:
                partner = select(PartnerRow.id).where(PartnerRow.sap_bp_code == shop.code)
                await holder.execute(partner.with_for_update(key_share=True))
                submits = [asyncio.ensure_future(one.submit()) for one in baskets]
                await until(lambda: waiting_behind(holder), lambda waiting: waiting == 2)
            answers = await asyncio.gather(*submits)
    assert all(answer.is_success for answer in answers), [answer.text for answer in answers]
    assert "two transactions waited for each other" not in {line["event"] for line in lines}
