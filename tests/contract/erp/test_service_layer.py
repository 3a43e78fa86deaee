"""The ERP's client against its stand-in: session, pages, errors, and the words of each side."""

import asyncio
from datetime import date
from decimal import Decimal

import httpx
import pytest

from domain.catalogue.erp_items import ErpItem, ErpProduct
from domain.operations.erp_mirror import Cursor, Records
from providers.erp import ErpOrders
from providers.erp.accounts import Erp
from providers.erp.master_data import ErpMasterData
from providers.erp.service_layer import LARGEST
from providers.errors import Refused, Unavailable
from tests.drivers.outside.erp_records import (
    ErpDesk,
    a_business,
    a_service_layer,
    an_entered_order,
    an_item,
)


async def test_several_calls_sign_in_once_and_again_when_the_session_has_ended(
    client: httpx.AsyncClient, desk: ErpDesk
) -> None:
    erp = a_service_layer(client)
    await asyncio.gather(*(erp.page("Items", {}) for _ in range(3)))
    assert [one["status"] for one in await desk.asked("Login")] == [200]
    await desk.turn(is_expired=True)
    await asyncio.gather(*(erp.page("Items", {}) for _ in range(3)))
    assert [one["status"] for one in await desk.asked("Login")] == [200, 200]
    assert {one["detail"] for one in await desk.asked("Items") if one["status"] == 401} == {"301"}


async def test_calls_reach_the_node_that_knows_their_session(
    client: httpx.AsyncClient, desk: ErpDesk
) -> None:
    for _ in range(4):
        await a_service_layer(client).page("Items", {})
    assert [one["status"] for one in await desk.asked("Login")] == [200] * 4
    assert [one["status"] for one in await desk.asked("Items")] == [200] * 4


async def test_calls_that_wait_for_one_sign_in_all_learn_what_came_of_it(
    client: httpx.AsyncClient, desk: ErpDesk
) -> None:
    erp = a_service_layer(client)
    await desk.turn(failures=1)
    calls = (erp.within(seconds=5, at_once=4).page("Items", {}) for _ in range(4))
    told = await asyncio.gather(*calls, return_exceptions=True)
    assert {type(one) for one in told} == {Unavailable}
    assert [one["status"] for one in await desk.asked("Login")] == [503]
    await erp.page("Items", {})
    assert [one["status"] for one in await desk.asked("Login")] == [503, 200]


async def test_failures_are_told_apart(client: httpx.AsyncClient, desk: ErpDesk) -> None:
    erp = a_service_layer(client)
    with pytest.raises(Refused) as refused:
        await erp.page("Items", {"$filter": "ItemCode equals 1"})
    assert (refused.value.code, str(refused.value)) == ("201", "Query string error")
    assert await erp.one("BusinessPartners", "N404") is None
    with pytest.raises(Unavailable):
        await erp.one("BusinessPartners", "N503")
    with pytest.raises(Unavailable) as away:
        await a_service_layer(client, "wrong").page("Items", {})
    assert away.value.answered == 401
    await desk.turn(failures=1)
    with pytest.raises(Unavailable):
        await erp.page("Items", {})
    await erp.page("Items", {})
    await desk.turn(latency=1)
    with pytest.raises(Unavailable):
        await a_service_layer(client, seconds=0.2).page("Items", {})


@pytest.mark.parametrize("path", ["/Login", "/Items"])
@pytest.mark.parametrize("status", [403, 404, 421])
async def test_a_page_of_a_proxy_is_no_refusal(path: str, status: int) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith(path):
            return httpx.Response(status, html="<h1>Not Found</h1>")
        return httpx.Response(200, json={"SessionId": "1", "SessionTimeout": 30})

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as client:
        with pytest.raises(Unavailable) as told:
            await a_service_layer(client).create("Items", {})
    assert not told.value.may_have_worked


async def test_a_sign_in_that_is_refused_says_nothing_of_what_was_to_be_asked() -> None:
    fault = {"error": {"code": -304, "message": {"value": "No such company."}}}
    transport = httpx.MockTransport(lambda _: httpx.Response(400, json=fault))
    async with httpx.AsyncClient(transport=transport) as client:
        with pytest.raises(Unavailable):
            await a_service_layer(client).create("Orders", {})


async def test_a_collection_is_asked_for_in_large_pages_and_all_are_followed(
    client: httpx.AsyncClient, desk: ErpDesk
) -> None:
    names = [{"Number": 200 + n, "GroupName": f"Group {n}'s"} for n in range(45)]
    await desk.put("ItemGroups", *names)
    asked = {"$filter": "Number ge 200 and not startswith(GroupName, 'X')"}
    for limit, pages in ((0, 1), (20, 3)):
        await desk.turn(page_limit=limit)
        before = len(await desk.asked("ItemGroups"))
        found = await a_service_layer(client).everything("ItemGroups", asked)
        assert {one["Number"] for one in found} == {200 + n for n in range(45)}
        assert len(await desk.asked("ItemGroups")) == before + pages
    one = await a_service_layer(client).page("ItemGroups", {"$filter": "GroupName eq 'Group 3''s'"})
    assert [each["Number"] for each in one.records] == [203]


async def test_a_part_of_a_collection_is_never_taken_for_all_of_it(
    client: httpx.AsyncClient, desk: ErpDesk
) -> None:
    await desk.put("ItemGroups", *({"Number": 200 + n, "GroupName": "G"} for n in range(LARGEST)))
    await desk.turn(page_limit=1)
    erp = a_service_layer(client)
    assert len(await erp.everything("ItemGroups", {"$filter": "Number ge 200"})) == LARGEST
    await desk.put("ItemGroups", {"Number": 199, "GroupName": "G"})
    with pytest.raises(Unavailable):
        await erp.everything("ItemGroups", {"$filter": "Number ge 199"})


async def test_a_question_that_is_kept_there_is_answered_in_pages_too(
    client: httpx.AsyncClient, desk: ErpDesk
) -> None:
    control = {"code": "N1", "past_due": 25}
    (await client.post("/erp/_control", json=control)).raise_for_status()
    erp, question = Erp(a_service_layer(client)), "SQLQueries('OpenInvoices')/List"
    for limit, pages in ((0, 1), (20, 3)):
        await desk.turn(page_limit=limit)
        assert len((await erp.owed_by("N1")).open_invoices) == 25
        assert len(await desk.asked(question)) == pages


async def test_an_article_is_told_in_our_words(client: httpx.AsyncClient, desk: ErpDesk) -> None:
    stock = [
        {"WarehouseCode": "01", "InStock": 5.0, "Committed": 2.0},
        {"WarehouseCode": "02", "InStock": 4.0, "Committed": 0.0},
    ]
    await desk.put(
        "Items",
        an_item("CS-1", ItemWarehouseInfoCollection=stock, U_RestockOn="2026-12-24T00:00:00Z"),
        an_item("CS-2", U_Position=1, U_ProductId="cs-1", U_VariantName="2-way"),
    )
    page = await ErpMasterData(a_service_layer(client)).changed_since(Records.ITEMS, Cursor())
    first, second = page.items
    assert first == ErpItem(
        sku="CS-1",
        product_id="cs-1",
        product=ErpProduct(
            name="Remote Start CS-1",
            brand="Compustar",
            category="Remote Start",
            image="",
            case_quantity=1,
            is_for_purchase=True,
        ),
        variant_name="",
        position=0,
        msrp=Decimal("100"),
        prices={"dealer-1": Decimal("80")},
        on_hand=7,
        restock_on=date(2026, 12, 24),
    )
    assert (second.product, second.product_id, second.variant_name) == (None, "cs-1", "2-way")


async def test_what_was_agreed_with_one_business_is_a_price_of_the_article(
    client: httpx.AsyncClient, desk: ErpDesk
) -> None:
    await desk.put("Items", an_item("CS-1"), an_item("CS-2"), an_item("CS-3"))
    special = {"ItemCode": "CS-1", "Currency": "USD"}
    await desk.put(
        "SpecialPrices",
        {**special, "CardCode": "N1", "Price": 71.07},
        {**special, "CardCode": "N2", "Price": 72, "Valid": "tNO"},
        {**special, "CardCode": "N3", "Price": 73, "ValidTo": "2026-12-31"},
        {**special, "CardCode": "*2", "Price": 74},
        {**special, "CardCode": "N4", "Price": "much", "ItemCode": "CS-3"},
        {**special, "CardCode": "N5", "Price": 75},
    )
    page = await ErpMasterData(a_service_layer(client)).after(Records.ITEMS, "")
    first, second, third = page.items
    days = "partner:N3@/2026-12-31"
    agreed = {"partner:N1": Decimal("71.07"), days: Decimal(73), "partner:N5": Decimal(75)}
    assert first.prices == {"dealer-1": Decimal(74), **agreed}
    assert second.prices == {"dealer-1": Decimal(80)}
    assert [one.code for one in page.unreadable] == ["CS-3"]
    assert [one.prices_are_all for one in page.items] == [True, True, False]
    assert third.prices == {"dealer-1": Decimal(80)}
    await desk.put("SpecialPrices", {**special, "CardCode": "*2", "Price": "much"})
    page = await ErpMasterData(a_service_layer(client)).named(Records.ITEMS, ["CS-1"])
    assert set(page.items[0].prices) == set(agreed), "another price list than ours may hold"
    await desk.put("SpecialPrices", {**special, "CardCode": "*2", "Price": 74})
    await desk.forget("SpecialPrices", "CS-1|N5")
    page = await ErpMasterData(a_service_layer(client)).named(Records.ITEMS, ["CS-1"])
    assert set(page.items[0].prices) == {"dealer-1", "partner:N1", days}


async def test_changes_are_read_in_order_a_page_at_a_time_and_the_last_second_again(
    client: httpx.AsyncClient, desk: ErpDesk
) -> None:
    for number, at in enumerate(["10:00:01", "10:00:02", "10:00:02", "10:00:02", "10:00:03"]):
        stamp = {"UpdateDate": "2026-11-20", "UpdateTime": at}
        await desk.put("BusinessPartners", a_business(f"N{number}", **stamp))
    erp, cursor, read = ErpMasterData(a_service_layer(client), page=2), Cursor(), list[str]()
    for more in (True, True, False):
        page = await erp.changed_since(Records.BUSINESSES, cursor)
        read, cursor = [*read, *page.codes], page.cursor
        assert page.has_more is more
    assert read == ["N0", "N1", "N2", "N3", "N4"]
    again = await erp.changed_since(Records.BUSINESSES, cursor.from_whole_second)
    assert again.codes == ("N4",)
    await desk.put("BusinessPartners", {"CardCode": "N1", "Frozen": "tYES", "CreditLimit": 900})
    changed = await erp.changed_since(Records.BUSINESSES, cursor)
    (business,) = changed.businesses
    assert (business.code, business.is_blocked, business.credit_limit) == ("N1", True, 900)


async def test_suppliers_and_leads_are_no_businesses_and_hold_no_page_up(
    client: httpx.AsyncClient, desk: ErpDesk
) -> None:
    types = ["cCustomer", "cSupplier", "cLid", "cCustomer"]
    for number, type_ in enumerate(types):
        stamp = {"UpdateDate": "2026-11-20", "UpdateTime": f"10:00:0{number}"}
        await desk.put("BusinessPartners", a_business(f"N{number}", CardType=type_, **stamp))
    erp = ErpMasterData(a_service_layer(client), page=2)
    first = await erp.changed_since(Records.BUSINESSES, Cursor())
    assert (first.codes, first.last, first.has_more) == (("N0",), "N1", True)
    second = await erp.changed_since(Records.BUSINESSES, first.cursor)
    assert [one.code for one in second.businesses] == ["N3"]
    both = await erp.named(Records.BUSINESSES, ["N1", "N3"])
    assert (both.codes, both.unreadable) == (("N3",), ())
    await desk.put("BusinessPartners", {"CardCode": "N3", "CardType": "cSupplier"})
    changed = await erp.changed_since(Records.BUSINESSES, second.cursor)
    assert (changed.codes, changed.last) == ((), "N3")


async def test_a_page_of_which_no_record_has_a_time_is_not_asked_for_at_once_again(
    client: httpx.AsyncClient, desk: ErpDesk
) -> None:
    for number in range(3):
        await desk.put(
            "BusinessPartners", a_business(f"N{number}", UpdateDate="2026-11-20", UpdateTime="soon")
        )
    erp = ErpMasterData(a_service_layer(client), page=2)
    page = await erp.changed_since(Records.BUSINESSES, Cursor())
    assert (page.codes, page.cursor, page.has_more) == (("N0", "N1"), Cursor(), False)


async def test_a_record_that_cannot_be_read_is_named_and_keeps_no_other_one_back(
    client: httpx.AsyncClient, desk: ErpDesk
) -> None:
    await desk.put(
        "Items",
        an_item("A-1"),
        an_item("B-1", ItemsGroupCode=999),
        an_item("C-1", ItemName=""),
        an_item("D-1"),
    )
    page = await ErpMasterData(a_service_layer(client)).after(Records.ITEMS, "")
    assert [item.sku for item in page.items] == ["A-1", "D-1"]
    assert {one.code: one.reason for one in page.unreadable} == {
        "B-1": "no name for item group 999",
        "C-1": "name: String should have at least 1 character",
    }
    named = await ErpMasterData(a_service_layer(client)).named(Records.ITEMS, ["D-1", "Z-9"])
    assert named.codes == ("D-1",)


async def test_an_order_promises_its_pieces_until_it_is_cancelled(
    client: httpx.AsyncClient, desk: ErpDesk
) -> None:
    await desk.put("Items", an_item("A-1", in_stock=5))
    line = {"sku": "A-1", "quantity": 3, "now": 2, "later": 1, "unit_price": 10}
    order = an_entered_order("T-1", "N1", lines=[line], subtotal=30, total=30)
    orders = ErpOrders(a_service_layer(client))
    erp = ErpMasterData(a_service_layer(client))
    left: list[int] = []
    for status in (201, 400):
        assert (await client.post("/erp/_orders", json=order)).status_code == status
        left.append((await erp.named(Records.ITEMS, ["A-1"])).items[0].on_hand)
    for _ in range(2):
        await orders.cancel_order("T-1", "changed", partner_code="N1", token="")
        left.append((await erp.named(Records.ITEMS, ["A-1"])).items[0].on_hand)
    assert left == [3, 3, 5, 5]
