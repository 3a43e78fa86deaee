"""Products that go with a vehicle (devices spec 3, 7 and 8)."""

from fastapi import FastAPI

from db.base import Sessions
from db.catalogue.tables import AccessoryRow
from db.vehicles.tables import ProductFeatureRow
from tests.catalogue.factories import a_list, a_product, priced
from tests.catalogue.people import a_buyer, signed_in
from tests.drivers.factories import a_name, an_installer
from tests.drivers.whole_portal import problem
from tests.vehicles.wiring_calls import ask


async def test_an_old_sku_leads_to_the_product_of_the_store(
    wired: FastAPI, sessions: Sessions
) -> None:
    old = f"OLD-{a_name()}".upper()
    first, second = await a_product(sessions, old_sku=old), await a_product(sessions)
    async with signed_in(wired, await an_installer(sessions)) as browser:
        told = await ask(
            browser,
            "vehicle-saleor-products",
            {"skus": [second.sku.lower(), old.lower(), first.sku, "NOBODYS-1"]},
        )
    assert [one["id"] for one in told["results"]] == [second.id, first.id]
    assert told["results"][0]["defaultVariant"]["sku"] == second.sku
    assert [one["askedSku"] for one in told["results"]] == [None, old.lower()]


async def test_products_are_priced_for_the_business(wired: FastAPI, sessions: Sessions) -> None:
    channel = a_name()
    made = await a_product(sessions)
    await priced(sessions, await a_list(sessions, channel), made, "70.00")
    buyer = await a_buyer(sessions, made.brand, channel=channel)
    async with signed_in(wired, buyer) as browser:
        told = await ask(browser, "vehicle-saleor-products", {"skus": [made.sku]})
        foreign = await browser.post(
            "/api/vehicle-saleor-products", json={"skus": [made.sku], "sapBpCode": "N0"}
        )
    amount = told["results"][0]["pricing"]["priceRange"]["start"]["net"]["amount"]
    assert amount == 70.0
    assert foreign.status_code == 404


async def test_no_product_is_not_found_and_no_harness_is_null(
    wired: FastAPI, sessions: Sessions
) -> None:
    async with signed_in(wired, await an_installer(sessions)) as browser:
        products = await browser.post("/api/vehicle-saleor-products", json={"skus": ["NO-1"]})
        accessories = await browser.post(
            "/api/vehicle-saleor-accessory-products", json={"sku": "NO-1"}
        )
        harness = await ask(browser, "t-harness-by-sku", {"sku": "NO-1"})
        features = await ask(browser, "product-features", {"productId": "nobodys"})
    assert problem(products) == (404, "product_missing")
    assert products.json()["detail"] == "Not Found"
    assert problem(accessories) == (404, "product_missing")
    assert (harness, features) == (None, None)


async def test_other_fields_are_dropped(wired: FastAPI, sessions: Sessions) -> None:
    made = await a_product(sessions)
    async with sessions.begin() as session:
        session.add(
            ProductFeatureRow(
                product_id=made.id,
                name="Data bypass",
                klon=True,
                keys_for_install=1,
                keys_for_programming=2,
                features=[{"name": "Takeover", "supported": True}],
                accessories=["A-1"],
            )
        )
    async with signed_in(wired, await an_installer(sessions)) as browser:
        harness = await ask(browser, "t-harness-by-sku", {"skus": [made.sku], "vehicle": {"a": 1}})
        features = await ask(browser, "product-features", {"productId": made.id, "trim": "LE"})
        products = await ask(browser, "vehicle-saleor-products", {"skus": [made.sku], "vehicle": 1})
    assert [one["sku"] for one in harness] == [made.sku]
    assert features == {
        "productId": made.id,
        "name": "Data bypass",
        "klon": True,
        "keysForInstall": 1,
        "keysForProgramming": 2,
        "features": [{"name": "Takeover", "supported": True}],
        "accessories": ["A-1"],
    }
    assert [one["sku"] for one in products["results"]] == [made.sku]


async def test_the_accessories_that_its_features_name_come_first_by_old_skus_too(
    wired: FastAPI, sessions: Sessions
) -> None:
    old = f"OLD-{a_name()}".upper()
    made, of_brand, both = [await a_product(sessions) for _ in range(3)]
    named = await a_product(sessions, old_sku=old)
    async with sessions.begin() as session:
        session.add_all(
            AccessoryRow(goes_with="brand", slug=made.brand, product_id=other.id, position=place)
            for place, other in enumerate((of_brand, both))
        )
        session.add(
            ProductFeatureRow(
                product_id=made.id,
                name="Data bypass",
                klon=False,
                keys_for_install=1,
                keys_for_programming=2,
                features=[],
                accessories=[both.sku, "NOBODYS-1", old, made.sku],
            )
        )
    async with signed_in(wired, await an_installer(sessions)) as browser:
        told = await ask(browser, "vehicle-saleor-accessory-products", {"sku": made.sku})
    assert [one["id"] for one in told["results"]] == [both.id, named.id, of_brand.id]


async def test_accessories_go_with_a_product_by_its_brand(
    wired: FastAPI, sessions: Sessions
) -> None:
    made, *others = [await a_product(sessions) for _ in range(14)]
    async with sessions.begin() as session:
        session.add_all(
            AccessoryRow(goes_with="brand", slug=made.brand, product_id=other.id, position=place)
            for place, other in enumerate(others)
        )
    async with signed_in(wired, await an_installer(sessions)) as browser:
        told = await ask(browser, "vehicle-saleor-accessory-products", {"sku": made.sku})
        all_of_them = await ask(browser, "vehicle-saleor-accessory-products", {})
    assert [one["id"] for one in told["results"]] == [other.id for other in others]
    assert all_of_them["results"]
