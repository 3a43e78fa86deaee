"""Single products, products by their ids, and the short lists (shop spec 3, 7 and 8)."""

from decimal import Decimal

import httpx
from fastapi import FastAPI

from db.base import Sessions
from db.catalogue.prices import set_msrp
from db.catalogue.tables import AccessoryRow, ProductPageRow, RelatedProductRow
from domain.catalogue.products import PREVIOUSLY_PURCHASED
from tests.catalogue.factories import Made, a_brand, a_list, a_product, a_word, priced
from tests.catalogue.people import a_buyer, signed_in
from tests.drivers.database.statements import statements_of
from tests.drivers.factories import a_name

MISSING = (404, "product_missing", "Not Found")


def problem_of(answer: httpx.Response) -> tuple[int, str, str]:
    return answer.status_code, answer.json()["code"], answer.json()["detail"]


async def relate(sessions: Sessions, made: Made, *others: Made) -> None:
    async with sessions.begin() as session:
        for place, other in enumerate(others):
            session.add(RelatedProductRow(product_id=made.id, related_id=other.id, position=place))


async def test_a_product_tells_what_the_screens_show(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    brand = await a_brand(sessions)
    other = await a_product(sessions, name="Other")
    fitting = await a_product(sessions, name="Fitting")
    made = await a_product(
        sessions,
        name="Starter",
        brand=brand,
        on_hand=0,
        case_quantity=10,
        description=[
            {"type": "paragraph", "text": "Good."},
            {"type": "script", "text": "alert(1)"},
            {"type": "image", "url": "javascript:alert(1)", "alt": "x"},
        ],
    )
    await relate(sessions, made, other)
    async with sessions.begin() as session:
        session.add(AccessoryRow(goes_with="brand", slug=brand, product_id=fitting.id, position=0))
    product = (await browser.get(f"/api/product-by-id/{made.id}")).json()
    assert product["suffix"] == "STD"
    assert product["metadata"] == [{"key": "manufacture_case_qty", "value": "10"}]
    assert product["description"] == [{"type": "paragraph", "text": "Good."}]
    assert [one["name"] for one in product["related"]] == ["Other"]
    named = {one["slug"]: one["values"] for one in product["attributes"]}
    assert named["related-product-skus"] == [other.sku]
    assert [one["name"] for one in product["accessories"]] == ["Fitting"]
    assert [one["sku"] for one in product["variants"]] == [made.sku]
    assert product["isAvailable"] is False
    assert product["isAvailableForPurchase"] is True
    assert product["availability"] == "backorder"


async def test_a_product_is_found_by_its_sku_and_by_an_old_one(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    old = f"OLD-{a_name().upper()}"
    made = await a_product(sessions, old_sku=old)
    present = (await browser.get(f"/api/product-by-sku/{made.sku.lower()}")).json()
    assert (present["id"], present["askedSku"]) == (made.id, None)
    former = (await browser.get(f"/api/product-by-sku/{old}")).json()
    assert (former["id"], former["askedSku"]) == (made.id, old)


async def test_a_sku_leads_to_what_the_id_does_at_the_prices_of_whoever_asks(
    portal: FastAPI, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    old, channel = f"OLD-{a_name().upper()}", a_word()
    made = await a_product(sessions, msrp="100", old_sku=old)
    await priced(sessions, await a_list(sessions, channel), made, "75")
    async with signed_in(portal, await a_buyer(sessions, made.brand, channel=channel)) as buyer:
        for caller, amount in ((browser, 100.0), (buyer, 75.0)):
            by_id = (await caller.get(f"/api/product-by-id/{made.id}")).json()
            by_sku = (await caller.get(f"/api/product-by-sku/{made.sku}")).json()
            by_old_sku = (await caller.get(f"/api/product-by-sku/{old}")).json()
            assert by_sku == by_id
            assert by_old_sku == {**by_id, "askedSku": old}
            assert by_id["pricing"]["priceRange"]["start"]["net"]["amount"] == amount


async def test_what_is_told_of_a_product_is_read_once_in_a_while_and_its_price_each_time(
    portal: FastAPI, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    made = await a_product(sessions, msrp="100")
    first = (await browser.get(f"/api/product-by-sku/{made.sku}")).json()
    async with sessions.begin() as session:
        row = await session.get_one(ProductPageRow, made.id)
        row.description = [{"type": "paragraph", "text": "Another text."}]
        await set_msrp(session, made.variant_id, Decimal(90))
    second = (await browser.get(f"/api/product-by-id/{made.id}")).json()
    assert second["description"] == first["description"]
    assert second["pricing"]["priceRange"]["start"]["net"]["amount"] == 90


async def test_what_does_not_exist_is_not_found(browser: httpx.AsyncClient) -> None:
    assert problem_of(await browser.get("/api/product-by-id/no-such-product")) == MISSING
    assert problem_of(await browser.get("/api/product-by-sku/NO-SUCH-1")) == MISSING
    for call in ("products-by-ids", "condensed-products-by-ids"):
        answer = await browser.post(f"/api/{call}", json={"ids": ["no-such-product"]})
        assert problem_of(answer) == MISSING


async def test_products_come_in_the_order_of_their_ids_page_by_page(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    made = [await a_product(sessions) for _ in range(3)]
    asked = {"ids": [made[2].id, "gone", made[0].id, made[2].id, made[1].id], "limit": 3}
    first = (await browser.post("/api/products-by-ids", json=asked)).json()
    assert [one["id"] for one in first] == [made[2].id, made[0].id]
    end = (await browser.post("/api/products-by-ids-cursor", json=asked)).json()
    assert (end["hasNextPage"], end["totalCount"]) == (True, 4)
    rest = {**asked, "endCursor": end["endCursor"]}
    second = (await browser.post("/api/products-by-ids", json=rest)).json()
    assert [one["id"] for one in second] == [made[1].id]
    ended = (await browser.post("/api/products-by-ids-cursor", json=rest)).json()
    assert ended["endCursor"] is None


async def test_a_limit_that_is_none_falls_back_and_one_above_the_most_is_cut(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    last, behind = [(await a_product(sessions)).id for _ in range(2)]
    gone = [f"gone-{number}" for number in range(PREVIOUSLY_PURCHASED - 1)]
    for limit, found in ((0, [last]), (None, [last]), ("many", [last]), (101, [last, behind])):
        asked = {"ids": [*gone, last, behind], "limit": limit}
        answer = await browser.post("/api/products-by-ids", json=asked)
        assert answer.status_code == 200, answer.text
        assert [one["id"] for one in answer.json()] == found
        end = (await browser.post("/api/products-by-ids-cursor", json=asked)).json()
        assert end["hasNextPage"] is (behind not in found)


async def test_at_most_a_hundred_products_at_once(browser: httpx.AsyncClient) -> None:
    asked = {"ids": [f"p{number}" for number in range(101)]}
    assert (await browser.post("/api/products-by-ids", json=asked)).status_code == 400
    assert (await browser.post("/api/products-by-ids", json={"ids": []})).status_code == 422


async def test_condensed_products_hold_what_a_cart_needs(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    made = await a_product(sessions, msrp="12.5", case_quantity=5)
    asked = {"ids": [made.id]}
    (one,) = (await browser.post("/api/condensed-products-by-ids", json=asked)).json()
    assert one["defaultVariant"] == {"id": made.variant_id, "sku": made.sku}
    assert (one["caseQuantity"], one["isAvailable"]) == (5, True)
    assert one["pricing"]["priceRange"]["start"]["net"]["amount"] == 12.5


async def test_what_sells_best_comes_first_and_what_cannot_be_bought_not_at_all(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    await a_product(sessions, popularity=2_000_003, is_for_purchase=False)
    first = await a_product(sessions, popularity=2_000_002)
    second = await a_product(sessions, popularity=2_000_001)
    popular = (await browser.get("/api/popular-products", params={"limit": 2})).json()
    assert [one["id"] for one in popular] == [first.id, second.id]


async def test_nothing_has_been_bought_before_the_first_order(
    portal: FastAPI, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    assert (await browser.get("/api/last-three-order-product-ids")).json() == []
    async with signed_in(portal, await a_buyer(sessions)) as buyer:
        assert (await buyer.get("/api/last-three-order-product-ids")).json() == []


async def test_one_page_costs_the_same_statements_however_long_it_is(
    portal: FastAPI, sessions: Sessions
) -> None:
    """No statement for each row: a page of one and a page of twenty ask the database equally often."""
    brand, channel = await a_brand(sessions), a_word()
    tier = await a_list(sessions, channel)
    for _ in range(20):
        await priced(sessions, tier, await a_product(sessions, brand=brand), "5")
    buyer = await a_buyer(sessions, brand, channel=channel)
    counts = list[int]()
    async with signed_in(portal, buyer) as browser:
        for limit in (1, 20):
            body = {"filters": {"brands": [brand]}, "limit": limit}
            with statements_of(portal) as asked:
                answer = await browser.post("/api/search-products", json=body)
            assert len(answer.json()["results"]) == limit
            counts.append(len(asked))
    assert counts[0] == counts[1] <= 5
