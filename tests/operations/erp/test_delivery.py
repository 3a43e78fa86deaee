"""What people see of the ERP's changes: in the search, on the page of a product, in a quote; and the demo data."""

import io
from collections.abc import AsyncGenerator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from pypdf import PdfReader

from activities.operations.erp_mirror import ErpMirrorActivities
from db.base import Sessions
from db.partners.businesses import buyer_of_code, partner_summary
from dev.erp_master_data import fill_master_data
from domain.operations.erp_mirror import Records
from providers.erp.master_data import ErpMasterData
from simulators.main import create_app
from tests.catalogue.factories import a_product, a_word
from tests.checkout.cart.buyers import begin, buying
from tests.checkout.quote.buyers import a_shop, codes, mock, pay_by
from tests.drivers.factories import a_name
from tests.drivers.outside.erp_records import a_business, a_service_layer, an_item
from tests.drivers.portal import a_browser, running_portal
from tests.operations.erp.conftest import Mirror


@pytest.fixture
async def portal(mirror: Mirror) -> AsyncGenerator[FastAPI]:
    outside = httpx.ASGITransport(mirror.stand_ins)
    async with running_portal(mirror.url, outside=outside) as app:
        yield app


async def test_a_new_product_and_a_restock_are_found_and_shown(
    mirror: Mirror, portal: FastAPI
) -> None:
    word, sku = a_word(), f"CS-{a_name()[:8].upper()}"
    await mirror.desk.put("Items", an_item(sku, in_stock=0, ItemName=f"Starter {word}"))
    await mirror.round()
    async with a_browser(portal) as browser:
        found = (await browser.post("/api/search-products", json={"searchTerm": word})).json()
        assert [one["sku"] for one in found["results"]] == [sku]
        before = (await browser.get(f"/api/product-by-sku/{sku}")).json()
        await mirror.desk.put("Items", an_item(sku, in_stock=4, ItemName=f"Starter {word}"))
        await mirror.round()
        after = (await browser.get(f"/api/product-by-sku/{sku}")).json()
    shown = [one["variants"][0]["availability"] for one in (before, after)]
    assert shown == ["backorder", "low"]


async def test_the_tax_number_of_a_business_stands_on_its_papers(
    mirror: Mirror, portal: FastAPI
) -> None:
    shop = await a_shop(mirror.sessions)
    told = {"CreditLimit": 5000, "CurrentAccountBalance": 0, "FederalTaxID": "81234 5678 RT0001"}
    await mirror.desk.put("BusinessPartners", a_business(shop.code, **told))
    await mirror.round()
    async with mirror.sessions() as session:
        buyer = await buyer_of_code(session, shop.code)
    assert buyer.tax_number == "81234 5678 RT0001"
    async with buying(portal, shop.buyer) as browser:
        paper = await browser.get("/v1/statement.pdf")
    assert "81234 5678 RT0001" in PdfReader(io.BytesIO(paper.content)).pages[0].extract_text()
    await mirror.desk.put("BusinessPartners", {"CardCode": shop.code, "FederalTaxID": None})
    await mirror.round()
    async with mirror.sessions() as session:
        assert (await buyer_of_code(session, shop.code)).tax_number is None


async def test_a_changed_credit_limit_and_a_block_hold_for_the_next_quote(
    mirror: Mirror, portal: FastAPI
) -> None:
    shop = await a_shop(mirror.sessions)
    async with mirror.sessions() as session:
        card = await partner_summary(session, shop.code)
    assert card is not None
    is_same = {"CardName": card.company_name, "Country": card.country, "U_ApprovedBrands": ""}
    await mirror.desk.put(
        "BusinessPartners",
        a_business(shop.code, CreditLimit=5000, CurrentAccountBalance=0, **is_same),
    )
    await mirror.round()
    made = await a_product(mirror.sessions, msrp="100.00")
    async with buying(portal, shop.buyer) as browser:
        token = (await begin(browser, (made, 1)))["token"]
        await pay_by(browser, token, "TERMS")
        assert codes(await mock(browser, token)) == []
        await mirror.desk.put("BusinessPartners", {"CardCode": shop.code, "CreditLimit": 10})
        await mirror.round()
        lowered = await mock(browser, token)
        await mirror.desk.put("BusinessPartners", {"CardCode": shop.code, "Frozen": "tYES"})
        await mirror.round()
        blocked = await mock(browser, token)
    assert (lowered["credit_available"], codes(lowered)) == (10, ["over_credit_limit"])
    assert codes(blocked) == ["account_blocked", "over_credit_limit"]


async def test_the_first_round_after_a_seed_changes_nothing(
    demo_sessions: Sessions, tmp_path: Path
) -> None:
    transport = httpx.ASGITransport(create_app(tmp_path / "erp.sqlite"))
    async with httpx.AsyncClient(transport=transport, base_url="http://erp") as client:
        async with demo_sessions() as session:
            assert await fill_master_data(session, client) > 600
            assert await fill_master_data(session, client) == 0
        erp = a_service_layer(client)
        activities = ErpMirrorActivities(ErpMasterData(erp), demo_sessions)
        for records, least in ((Records.BUSINESSES, 60), (Records.ITEMS, 540)):
            read, page = 0, await activities.take_changes(records)
            while True:
                assert (page.changed, page.aside) == (0, 0)
                read += page.read
                if not page.has_more:
                    break
                page = await activities.take_changes(records)
            assert read >= least
