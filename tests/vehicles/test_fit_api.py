"""Whether products fit a vehicle: asked for, and in a cart."""

from typing import Any

import httpx
from fastapi import FastAPI

from db.base import Sessions
from db.demo.wiring.fit import DemoArticle, fit_rows
from db.demo.wiring.rows import DemoVehicle
from db.vehicles.fit import VehicleFitRow
from tests.catalogue.factories import Made, a_product
from tests.checkout.cart.buyers import CHECKOUT, a_buyer, begin, buying, pieces, refusal
from tests.drivers.factories import a_name
from tests.vehicles.wiring_calls import CAMRY, MIRRORING_CAMRY, vehicle_id


async def add_fit(
    sessions: Sessions, vehicle: int, made: Made, verdict: str, *needs: Made, reason: str = ""
) -> None:
    async with sessions.begin() as session:
        session.add(
            VehicleFitRow(
                vehicle_id=vehicle,
                product_id=made.id,
                verdict=verdict,
                needs=[one.id for one in needs],
                reason=reason,
                source="Firstech",
            )
        )


async def ask_fit(
    browser: httpx.AsyncClient, vehicle: dict[str, int], *products: Made
) -> dict[str, Any]:
    answer = await browser.post(
        "/v1/vehicle-fit", json={**vehicle, "productIds": [one.id for one in products]}
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_each_product_gets_a_verdict_and_its_own_row_comes_first(
    wired: FastAPI, sessions: Sessions
) -> None:
    camry, mirroring = [await vehicle_id(sessions, one) for one in (CAMRY, MIRRORING_CAMRY)]
    starter, module, other = [await a_product(sessions) for _ in range(3)]
    await add_fit(sessions, camry, starter, "needs", module, reason="Immobilizer")
    await add_fit(sessions, camry, module, "fits")
    await add_fit(sessions, mirroring, module, "does_not_fit")
    async with buying(wired, await a_buyer(sessions)) as browser:
        own = await ask_fit(browser, CAMRY, starter, module, other)
        alike = await ask_fit(browser, MIRRORING_CAMRY, starter, module)
        missing = await browser.post(
            "/v1/vehicle-fit", json={**CAMRY, "year": 1941, "productIds": [module.id]}
        )
    assert own["vehicle"]["name"] == "2022 Toyota Camry"
    assert [one["verdict"] for one in own["fits"]] == ["needs", "fits", "unknown"]
    assert own["fits"][0]["reason"] == "Immobilizer"
    assert [one["sku"] for one in own["fits"][0]["needs"]] == [module.sku]
    assert [(one["verdict"], one["mirrored"]) for one in alike["fits"]] == [
        ("needs", True),
        ("does_not_fit", False),
    ]
    assert refusal(missing) == (404, "no_vehicle_data")


async def test_a_cart_says_what_its_vehicle_lacks_until_it_is_there(
    wired: FastAPI, sessions: Sessions
) -> None:
    camry = await vehicle_id(sessions, CAMRY)
    starter = await a_product(sessions)
    module = await a_product(sessions, category=f"Modules {a_name()}")
    await add_fit(sessions, camry, starter, "needs", module)
    await add_fit(sessions, camry, module, "fits")
    async with buying(wired, await a_buyer(sessions)) as browser:
        cart = await begin(browser, (starter, 1))
        assert (cart["vehicles"], cart["lines"][0]["vehicle"]) == ([], None)
        chosen = {"lineIds": [starter.variant_id], "vehicle": CAMRY}
        path = f"/v1/carts/{cart['token']}/vehicle"
        cart = (await browser.post(path, json=chosen)).json()
        (group,) = cart["vehicles"]
        assert (group["name"], group["lineIds"]) == ("2022 Toyota Camry", [starter.variant_id])
        (lacking,) = group["lacking"]
        assert (lacking["need"]["variantId"], lacking["neededBy"]) == (
            module.variant_id,
            [starter.variant_id],
        )
        assert cart["lines"][0]["fit"]["verdict"] == "needs"
        adding = {**pieces((module, 1)), "vehicle": CAMRY}
        added = await browser.post(f"{CHECKOUT}/{cart['token']}/add-lines", json=adding)
        assert added.json()["vehicles"][0]["lacking"] == []
        foreign = await browser.post(path, json={"lineIds": ["nobodys"], "vehicle": None})
        assert refusal(foreign) == (409, "cart_line_missing")
        renewed = await browser.post(
            f"{CHECKOUT}/create-b2b", json={**pieces((starter, 1)), "startNew": True}
        )
        merged = await browser.post(
            f"/v1/carts/{renewed.json()['token']}/merge", json={"from_token": cart["token"]}
        )
        assert {one["vehicle"]["id"] for one in merged.json()["lines"]} == {camry}
        gone = {"lineIds": [starter.variant_id], "vehicle": None}
        cart = (
            await browser.post(f"/v1/carts/{renewed.json()['token']}/vehicle", json=gone)
        ).json()
        assert [one["lineIds"] for one in cart["vehicles"]] == [[module.variant_id]]


def test_the_demo_agrees_with_the_wiring_of_its_vehicle() -> None:
    def article(number: int, category: str, name: str = "Thing") -> DemoArticle:
        return DemoArticle(f"p{number}", number, name, category, is_for_purchase=number != 1)

    articles = {
        "T-Harnesses": [
            article(1, "T-Harnesses"),
            article(2, "T-Harnesses"),
            article(3, "T-Harnesses"),
        ],
        "Bypass Module": [article(4, "Bypass Module"), article(5, "Bypass Module")],
        "Remote Start": [article(6, "Remote Start"), article(8, "Remote Start", "All-in-One")],
    }
    listed = {"T-Harnesses": ["p1", "p2"], "Bypass Module": ["p4"]}
    with_button = DemoVehicle(8, 1, 2022, "Make", "Model", is_popular=True, mirrors=None)
    rows = {
        id_: (verdict, needs) for id_, verdict, needs, _ in fit_rows(with_button, listed, articles)
    }
    assert rows == {
        "p1": ("fits", []),
        "p2": ("fits", []),
        "p3": ("does_not_fit", []),
        "p4": ("fits", []),
        "p5": ("does_not_fit", []),
        "p6": ("needs", ["p4", "p2"]),
        "p8": ("fits", []),
    }


async def test_a_failed_test_is_told_the_wires_of_its_vehicle(
    wired: FastAPI, sessions: Sessions
) -> None:
    async with buying(wired, await a_buyer(sessions)) as browser:
        own, alike, other = [
            (await browser.post("/v1/served-wires", json={**vehicle, "command": command})).json()
            for vehicle, command in (
                (CAMRY, "remote_start"),
                (MIRRORING_CAMRY, "remote_start"),
                (CAMRY, "accelerometer"),
            )
        ]
    brake = next(one for one in own["functions"] if one["function"] == "Brake")
    assert {one["source"] for one in brake["wires"]} >= {"internal"}
    assert all(one["color"] for one in brake["wires"])
    assert own["checks"][0] == "power"
    assert own["mirrors_vehicle"] is None
    assert alike["mirrors_vehicle"]["name"] == "2022 Toyota Camry"
    assert (other["checks"], other["functions"]) == ([], [])
