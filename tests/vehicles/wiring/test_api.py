"""Wiring from three sources (devices spec 3, 7, 8 and 9)."""

import secrets
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import delete, select

from bench.vehicles import Vehicle, asked_by_page
from db.base import Sessions
from db.vehicles.tables import (
    VehicleCategoryRow,
    VehicleProductRow,
    VehicleRow,
    VehicleWireRow,
)
from db.vehicles.wiring import save_wiring
from domain.vehicles.wiring import STALE_AFTER, Source, SourcedWiring, TrimWiring, Wire
from simulators.wiring.vehicles import SCRIPT
from tests.catalogue.factories import a_product
from tests.catalogue.people import signed_in
from tests.drivers.database.statements import statements_of, uses_of
from tests.drivers.factories import an_installer
from tests.drivers.portal import a_browser, running_portal
from tests.drivers.whole_portal import problem
from tests.vehicles.conftest import SIMULATED
from tests.vehicles.wiring_calls import CAMRY, MIRRORING_CAMRY, ask, vehicle, vehicle_id

NO_DATA = "No data available. Please try again using a different vehicle."


@pytest.fixture(scope="module")
async def installer(wired: FastAPI, sessions: Sessions) -> AsyncGenerator[httpx.AsyncClient]:
    async with signed_in(wired, await an_installer(sessions)) as browser:
        yield browser


def report(answer: dict[str, Any], source: str) -> dict[str, Any]:
    return next(one for one in answer["sources"] if one["source"] == source)


async def test_a_vehicle_tells_what_we_know_of_it(installer: httpx.AsyncClient) -> None:
    told = await ask(installer, "internal-vehicle-wiring", CAMRY)
    assert told["make"] == {"id": 448, "name": "Toyota"}
    assert "Demo data" in told["description"]
    assert told["mirrors_vehicle"] is None
    assert told["vehicle_documents"]
    titles = [one["title"] for one in told["wiring_categories"]]
    assert "Push-to-Start. Remote Start" in titles
    split = [one for one in told["wiring_categories"] if one["title"].startswith("Push-to-Start. ")]
    assert all(one["uuid"].endswith("-pts") for one in split)


async def test_a_page_of_which_all_is_kept_asks_little(
    wired: FastAPI, installer: httpx.AsyncClient
) -> None:
    """Who asks, the vehicle, its categories, its products and its guides; who asks, the vehicle, what is kept of the sources
    and what the store knows of it."""
    await ask(installer, "external-vehicle-wiring", CAMRY)
    asked_and_used = list[tuple[int, int]]()
    for call in ("internal-vehicle-wiring", "external-vehicle-wiring"):
        with statements_of(wired) as asked, uses_of(wired) as used:
            await ask(installer, call, CAMRY)
        asked_and_used.append((len(asked), len(used)))
    assert asked_and_used == [(5, 2), (4, 2)]


async def test_the_bare_sql_of_the_page_is_what_it_asks_itself(
    wired: FastAPI, installer: httpx.AsyncClient, database_url: str
) -> None:
    """As `make bench` counts it: all but who asks."""
    await ask(installer, "external-vehicle-wiring", CAMRY)
    with statements_of(wired) as asked:
        for call in ("internal-vehicle-wiring", "external-vehicle-wiring"):
            await ask(installer, call, CAMRY)
    camry = Vehicle(0, CAMRY["year"], CAMRY["makeId"], CAMRY["modelId"], "Toyota", "Camry")
    bare = [statement for statement, _ in await asked_by_page(database_url, camry)]
    assert bare == [statement for statement in asked if "sign_in" not in statement]


async def test_each_category_has_as_many_wires_as_its_count_says(
    installer: httpx.AsyncClient,
) -> None:
    told = await ask(installer, "internal-vehicle-wiring", CAMRY)
    for call, categories in (
        ("wiring-by-category", told["wiring_categories"]),
        ("instructions-by-category", told["instruction_categories"]),
    ):
        for one in categories:
            rows = await ask(installer, call, {"vehicleId": told["id"], "categoryId": one["uuid"]})
            assert len(rows) == one["count"]


async def test_our_own_rows_lose_nothing_on_their_way(
    installer: httpx.AsyncClient, sessions: Sessions
) -> None:
    told = VehicleWireRow.__table__.columns.keys()
    columns = [name for name in told if name in Wire.model_fields]
    assert set(told) - set(columns) == {"vehicle_id", "position", "category_uuid", "ignition"}
    texts = ["", "12", "Blue/White", "a 'b' \"c\"", "<script>", "Zoë 李 🚗", "x" * 600, " kept "]
    rows = [
        {
            name: [texts[place % 3], text] if name == "images" else text
            for name, text in zip(columns, texts[place:] + texts[:place], strict=False)
        }
        for place in range(len(texts))
    ]
    id_ = 10_000_000 + secrets.randbelow(10**9)
    async with sessions.begin() as session:
        category = await session.scalar(
            select(VehicleCategoryRow.uuid).where(VehicleCategoryRow.kind == "wiring").limit(1)
        )
        session.add(VehicleRow(id=id_, model_id=CAMRY["modelId"], year=1941))
        await session.flush()
        for place, row in enumerate(rows):
            session.add(
                VehicleWireRow(vehicle_id=id_, position=place, category_uuid=category, **row)
            )
    try:
        named = {"vehicleId": id_, "categoryId": category}
        shown = await ask(installer, "wiring-by-category", named)
    finally:
        async with sessions.begin() as session:
            await session.execute(delete(VehicleRow).where(VehicleRow.id == id_))
    assert [{name: one[name] for name in columns} for one in shown] == rows
    assert {one["source"] for one in shown} == {"internal"}


async def test_a_mirrored_vehicle_shows_the_others_wiring_and_names_it(
    installer: httpx.AsyncClient,
) -> None:
    own = await ask(installer, "internal-vehicle-wiring", CAMRY)
    told = await ask(installer, "internal-vehicle-wiring", MIRRORING_CAMRY)
    assert told["mirrors_vehicle"] == {"id": own["id"], "name": "2022 Toyota Camry"}
    assert told["wiring_categories"] == own["wiring_categories"]
    category = own["wiring_categories"][0]["uuid"]
    shown = [
        await ask(installer, "wiring-by-category", {"vehicleId": one["id"], "categoryId": category})
        for one in (own, told)
    ]
    assert shown[0] == shown[1]


async def test_a_vehicle_of_which_we_have_nothing_is_null(
    installer: httpx.AsyncClient, sessions: Sessions
) -> None:
    named = await vehicle(sessions, 2021, "Testmark", "Empty")
    assert await ask(installer, "internal-vehicle-wiring", named) is None
    assert await ask(installer, "external-vehicle-wiring", named) is None


async def test_a_vehicle_of_which_we_know_modules_alone_tells_them(
    installer: httpx.AsyncClient, sessions: Sessions
) -> None:
    id_ = 10_000_000 + secrets.randbelow(10**9)
    async with sessions.begin() as session:
        session.add(VehicleRow(id=id_, model_id=CAMRY["modelId"], year=1942))
        await session.flush()
        session.add(VehicleProductRow(vehicle_id=id_, role="module", sku="M-1", position=0))
    try:
        told = await ask(installer, "internal-vehicle-wiring", {**CAMRY, "year": 1942})
    finally:
        async with sessions.begin() as session:
            await session.execute(delete(VehicleRow).where(VehicleRow.id == id_))
    assert told["modules"] == [{"sku": "M-1"}]
    assert told["wiring_categories"] == []


@pytest.mark.parametrize(
    "named",
    [
        {**CAMRY, "year": 1939},
        {**CAMRY, "year": 1970},
        {**CAMRY, "year": datetime.now(UTC).year + 2},
        {**CAMRY, "makeId": 1},
        {**CAMRY, "modelId": 1},
    ],
)
@pytest.mark.parametrize("call", ["internal-vehicle-wiring", "external-vehicle-wiring"])
async def test_what_is_in_no_list_has_no_data(
    installer: httpx.AsyncClient, named: dict[str, int], call: str
) -> None:
    answer = await installer.post(f"/api/{call}", json=named)
    assert problem(answer) == (404, "no_vehicle_data")
    assert answer.json()["detail"] == NO_DATA


@pytest.mark.parametrize("call", ["internal-vehicle-wiring", "external-vehicle-wiring"])
async def test_a_model_of_another_make_has_no_data(
    installer: httpx.AsyncClient, sessions: Sessions, call: str
) -> None:
    """Each of both is in the lists, and of that very year."""
    civic = await vehicle(sessions, 2022, "Honda", "Civic")
    for mixed in (
        {**CAMRY, "makeId": civic["makeId"]},
        {**CAMRY, "modelId": civic["modelId"]},
    ):
        answer = await installer.post(f"/api/{call}", json=mixed)
        assert problem(answer) == (404, "no_vehicle_data")
        assert answer.json()["detail"] == NO_DATA


@pytest.mark.parametrize("call", ["internal-vehicle-wiring", "external-vehicle-wiring"])
async def test_a_make_that_did_not_exist_that_year_has_no_data(
    installer: httpx.AsyncClient, sessions: Sessions, call: str
) -> None:
    """Polestar has built cars since 2020; one of 2022 is answered."""
    named = await vehicle(sessions, 2010, "Polestar", "2")
    makes = await ask(installer, "year-make-model", {"year": 2010})
    assert named["makeId"] not in {make["id"] for make in makes}
    models = await ask(installer, "year-make-model", {"year": 2010, "makeId": named["makeId"]})
    assert models == []
    await ask(installer, call, {**named, "year": 2022})
    answer = await installer.post(f"/api/{call}", json=named)
    assert problem(answer) == (404, "no_vehicle_data")
    assert answer.json()["detail"] == NO_DATA


@pytest.mark.parametrize("call", ["wiring-by-category", "instructions-by-category"])
@pytest.mark.parametrize(
    "body", [{"vehicleId": 1, "categoryId": "none"}, {"categoryId": "none-pts"}]
)
async def test_a_category_that_is_not_there_has_no_data(
    installer: httpx.AsyncClient, call: str, body: dict[str, Any]
) -> None:
    told = await ask(installer, "internal-vehicle-wiring", CAMRY)
    answer = await installer.post(f"/api/{call}", json={"vehicleId": told["id"], **body})
    assert answer.status_code == 404
    assert answer.json()["detail"] == NO_DATA


async def test_each_outside_source_answers_under_its_own_key(
    installer: httpx.AsyncClient,
) -> None:
    told = await ask(installer, "external-vehicle-wiring", CAMRY)
    assert all(one["trim"] and one["wires"] for one in told["adsWiring"])
    assert all(one["Trim"] and one["wires"] for one in told["autoMobWiring"])
    (wire, *_) = told["adsWiring"][0]["wires"]
    assert wire["connector_pins"]
    assert wire["source"] == "adsWiring"
    assert wire["fetched_at"]
    assert {one["trim"] for one in told["products"]} >= {one["trim"] for one in told["adsWiring"]}
    assert {(one["name"], one["state"]) for one in told["sources"]} == {
        ("iDatawire", "fresh"),
        ("3rd Party", "fresh"),
    }


async def test_what_a_source_recommends_leads_to_what_the_store_knows(
    installer: httpx.AsyncClient, sessions: Sessions
) -> None:
    async def recommended() -> dict[str, str | None]:
        told = await ask(installer, "external-vehicle-wiring", CAMRY)
        return {one["id"]: one["product_id"] for of in told["products"] for one in of["products"]}

    before = await recommended()
    assert set(before.values()) == {None}
    sold, *others = before
    made = await a_product(sessions, sku=sold)
    after = await recommended()
    assert after == {**before, sold: made.id}
    assert others


async def test_what_a_source_allows_is_kept_for_every_api_and_not_asked_again(
    installer: httpx.AsyncClient, stand_ins: FastAPI, sessions: Sessions, database_url: str
) -> None:
    named = await vehicle(sessions, 2019, "Honda", "Civic")
    first = await ask(installer, "external-vehicle-wiring", named)
    outside = httpx.ASGITransport(stand_ins)
    async with (
        running_portal(database_url, outside=outside, simulators_url=SIMULATED) as another,
        signed_in(another, await an_installer(sessions)) as elsewhere,
    ):
        for browser in (installer, elsewhere):
            assert await ask(browser, "external-vehicle-wiring", named) == first
    async with httpx.AsyncClient(transport=httpx.ASGITransport(stand_ins)) as outside:
        for vendor in ("ads-wiring", "automob-wiring"):
            answer = await outside.get(
                f"http://simulators/{vendor}/_ledger", params={"vehicle": "2019 Honda Civic"}
            )
            assert len(answer.json()["results"]) == 1


@pytest.mark.parametrize(
    ("model", "away", "there"),
    [("Ads Down", "adsWiring", "autoMobWiring"), ("Automob Down", "autoMobWiring", "adsWiring")],
)
async def test_a_source_that_is_down_costs_its_own_part_alone(
    installer: httpx.AsyncClient, sessions: Sessions, model: str, away: str, there: str
) -> None:
    named = await vehicle(sessions, 2021, "Testmark", model)
    told = await ask(installer, "external-vehicle-wiring", named)
    assert told[away] is None
    assert told[there]
    assert report(told, away)["state"] == "away"
    assert report(told, there)["state"] == "fresh"


@pytest.mark.parametrize("model", ["Both Down", "Elsewhere", "Huge", "Garbled"])
async def test_answers_that_cannot_be_used_are_away(
    installer: httpx.AsyncClient, sessions: Sessions, model: str
) -> None:
    named = await vehicle(sessions, 2021, "Testmark", model)
    told = await ask(installer, "external-vehicle-wiring", named)
    assert (told["adsWiring"], told["autoMobWiring"]) == (None, None)
    assert {one["state"] for one in told["sources"]} == {"away"}


async def test_what_was_said_before_is_shown_and_labelled_while_a_source_is_away(
    installer: httpx.AsyncClient, sessions: Sessions
) -> None:
    named = await vehicle(sessions, 2022, "Testmark", "Ads Down")
    then = datetime.now(UTC) - timedelta(days=2)
    wire = Wire(function="Brake", color="White", source=Source.ADS, trim="LE", fetched_at=then)
    kept = SourcedWiring(
        source=Source.ADS,
        trims=(TrimWiring(trim="LE", wires=(wire,)),),
        fetched_at=then,
        fresh_until=then + timedelta(hours=1),
    )
    async with sessions.begin() as session:
        await save_wiring(session, await vehicle_id(sessions, named), [kept])
    told = await ask(installer, "external-vehicle-wiring", named)
    assert [one["color"] for one in told["adsWiring"][0]["wires"]] == ["White"]
    assert report(told, "adsWiring")["state"] == "stale"
    assert datetime.fromisoformat(report(told, "adsWiring")["fetched_at"]) == then


async def test_what_is_too_old_is_shown_no_more(
    installer: httpx.AsyncClient, sessions: Sessions
) -> None:
    named = await vehicle(sessions, 2023, "Testmark", "Ads Down")
    then = datetime.now(UTC) - STALE_AFTER - timedelta(minutes=1)
    old = SourcedWiring(source=Source.ADS, trims=(), fetched_at=then, fresh_until=then)
    async with sessions.begin() as session:
        await save_wiring(session, await vehicle_id(sessions, named), [old])
    told = await ask(installer, "external-vehicle-wiring", named)
    assert report(told, "adsWiring")["state"] == "away"


async def test_a_script_in_a_vendors_text_is_text(
    installer: httpx.AsyncClient, sessions: Sessions
) -> None:
    named = await vehicle(sessions, 2021, "Testmark", "Hostile")
    told = await ask(installer, "external-vehicle-wiring", named)
    assert told["adsWiring"][0]["trim"].startswith(SCRIPT)
    assert told["autoMobWiring"][0]["Trim"].startswith(SCRIPT)
    for source in ("adsWiring", "autoMobWiring"):
        assert all(one["function"].startswith(SCRIPT) for one in told[source][0]["wires"])
    for recommended in told["products"]:
        assert all(one["name"].startswith(SCRIPT) for one in recommended["products"])


async def test_guests_are_asked_to_sign_in(wired: FastAPI) -> None:
    async with a_browser(wired) as anybody:
        for call in ("internal-vehicle-wiring", "external-vehicle-wiring"):
            answer = await anybody.post(f"/api/{call}", json=CAMRY)
            assert problem(answer) == (401, "unauthenticated")


async def test_a_part_that_is_switched_off_refuses_its_calls(
    database_url: str, sessions: Sessions, wired: FastAPI
) -> None:
    user = await an_installer(sessions)
    async with (
        running_portal(database_url, wiring_diagrams=False, t_harness=False) as app,
        signed_in(app, user) as browser,
    ):
        calls: tuple[tuple[str, dict[str, Any]], ...] = (
            ("internal-vehicle-wiring", CAMRY),
            ("external-vehicle-wiring", CAMRY),
            ("wiring-by-category", {"vehicleId": 1, "categoryId": "x"}),
            ("instructions-by-category", {"vehicleId": 1, "categoryId": "x"}),
            ("t-harness-by-sku", {"sku": "X"}),
        )
        for call, body in calls:
            answer = await browser.post(f"/api/{call}", json=body)
            assert problem(answer) == (404, "switched_off"), call


async def test_a_source_that_is_not_used_is_neither_asked_nor_told_of(
    database_url: str, sessions: Sessions, stand_ins: FastAPI, wired: FastAPI
) -> None:
    """Nor is what was kept of it while it was."""
    kept = await vehicle(sessions, 2022, "Testmark", "Ads Down")
    both = await vehicle(sessions, 2021, "Testmark", "Both Down")
    user, outside = await an_installer(sessions), httpx.ASGITransport(stand_ins)
    async with (
        running_portal(
            database_url, outside=outside, simulators_url=SIMULATED, ads_wiring_url="none"
        ) as app,
        signed_in(app, user) as browser,
    ):
        told = await ask(browser, "external-vehicle-wiring", kept)
        features = (await browser.get("/v1/site")).json()["features"]
        assert (features["ads_wiring"], features["automob_wiring"]) == (False, True)
        assert told["adsWiring"] is None
        assert told["autoMobWiring"]
        assert [one["source"] for one in told["sources"]] == ["autoMobWiring"]
        away = await ask(browser, "external-vehicle-wiring", both)
        assert [(one["source"], one["state"]) for one in away["sources"]] == [
            ("autoMobWiring", "away")
        ]
    async with (
        running_portal(
            database_url,
            outside=outside,
            simulators_url=SIMULATED,
            ads_wiring_url="none",
            automob_wiring_url="none",
        ) as app,
        signed_in(app, user) as browser,
    ):
        assert await ask(browser, "external-vehicle-wiring", kept) is None


async def test_without_t_harnesses_a_vehicle_names_none(
    database_url: str, sessions: Sessions, wired: FastAPI
) -> None:
    user = await an_installer(sessions)
    async with (
        running_portal(database_url, t_harness=False) as app,
        signed_in(app, user) as browser,
    ):
        told = await ask(browser, "internal-vehicle-wiring", CAMRY)
    assert told["t_harnesses"] == []


@pytest.mark.parametrize("call", ["internal-vehicle-wiring", "external-vehicle-wiring"])
@pytest.mark.parametrize("year", [0, -1, 10_000, 1_999_999_999, "2022"])
async def test_a_year_that_is_none_is_refused(
    installer: httpx.AsyncClient, call: str, year: object
) -> None:
    body = {"year": year, "makeId": CAMRY["makeId"], "modelId": CAMRY["modelId"]}
    assert problem(await installer.post(f"/api/{call}", json=body)) == (422, "invalid")
