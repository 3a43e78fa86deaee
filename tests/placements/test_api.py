"""From a cart to an order by the calls of the shop (spec 4.7 and 7)."""

from tests.placements.buying import a_basket, cents_of
from tests.whole_portal import Whole


async def test_a_cart_becomes_an_order(whole: Whole) -> None:
    async with a_basket(whole, payment="visa", po_number="PO 7") as basket:
        answer = await basket.submit()
        assert answer.status_code in (200, 202), answer.text
        run = await basket.until("confirmed")
        order = run["view"]["order"]
        assert order["erp_number"]
        assert run["view"]["payment"]["status"] == "CAPTURED"
        assert [one["reference"] for one in await basket.orders_at_the_erp()] == [order["number"]]
        assert await basket.kept() == cents_of(run["view"]["total"])
