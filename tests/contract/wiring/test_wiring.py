"""The clients of both wiring vendors against their stand-ins: no row and no column is lost."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest

from domain.vehicles.wiring import Wire
from providers.errors import Unavailable
from providers.wiring.ads import AdsWiring
from providers.wiring.automob import AutoMobWiring
from tests.simulators.harness import BASE, World, a_world

VEHICLES = [
    (2022, "Toyota", "Camry"),
    (2019, "Honda", "Civic"),
    (2024, "Ford", "F-150"),
    (1999, "Chevrolet", "Tahoe"),
]
ADS_COLUMNS = {
    "function": "function",
    "color": "color",
    "pin": "pin",
    "connector": "connector",
    "connectorColor": "connector_color",
    "connectorPins": "connector_pins",
    "component": "component",
    "componentLocation": "component_location",
    "note": "note",
}
AUTOMOB_COLUMNS = {
    "Category": "category",
    "Function": "function",
    "Color": "color",
    "Location": "location",
    "Polarity": "polarity",
    "ODR": "odr",
    "Limited": "limited",
    "Notes": "notes",
}


@pytest.fixture(scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[World]:
    async with a_world(tmp_path_factory.mktemp("wiring") / "state.sqlite") as world:
        yield world


def ads(world: World, *, seconds: float = 5) -> AdsWiring:
    return AdsWiring(world.http, base_url=f"{BASE}/ads-wiring", seconds=seconds)


def automob(world: World, *, seconds: float = 5) -> AutoMobWiring:
    return AutoMobWiring(world.http, base_url=f"{BASE}/automob-wiring", seconds=seconds)


def cells(row: dict[str, Any], columns: dict[str, str]) -> dict[str, str]:
    assert set(row) == set(columns), "a column that nobody reads"
    return {name: str(row[theirs]) for theirs, name in columns.items()}


def columns_of(wire: Wire, columns: dict[str, str]) -> dict[str, str]:
    return {name: getattr(wire, name) for name in columns.values()}


@pytest.mark.parametrize(("year", "make", "model"), VEHICLES)
async def test_ads_loses_no_row_and_no_column(world: World, year: int, make: str, model: str):
    asked = {"year": year, "make": make, "model": model}
    raw = await world.http.get("/ads-wiring/v2/vehicle-wiring", params=asked)
    wiring = await ads(world).wiring(year, make, model)
    trims = raw.json()["trims"] if raw.is_success else []
    assert [one.trim for one in wiring.trims] == [one["trim"] for one in trims]
    for one, theirs in zip(wiring.trims, trims, strict=True):
        rows = [cells(row, ADS_COLUMNS) for row in theirs["wiring"]]
        assert [columns_of(wire, ADS_COLUMNS) for wire in one.wires] == rows
        assert {wire.trim for wire in one.wires} == {one.trim}
        assert [product.model_dump() for product in one.products] == theirs["products"]


@pytest.mark.parametrize(("year", "make", "model"), VEHICLES)
async def test_automob_loses_no_row_and_no_column(world: World, year: int, make: str, model: str):
    asked = {"Year": year, "Make": make, "Model": model}
    trims = (await world.http.post("/automob-wiring/api/Wiring", json=asked)).json()["Wiring"]
    wiring = await automob(world).wiring(year, make, model)
    assert [one.trim for one in wiring.trims] == [one["Trim"] for one in trims]
    for one, theirs in zip(wiring.trims, trims, strict=True):
        rows = [cells(row, AUTOMOB_COLUMNS) for row in theirs["Rows"]]
        assert [columns_of(wire, AUTOMOB_COLUMNS) for wire in one.wires] == rows


async def test_a_popular_vehicle_is_known_to_both(world: World):
    for client in (ads(world), automob(world)):
        assert (await client.wiring(2022, "Toyota", "Camry")).count > 20


@pytest.mark.parametrize("model", ["Both Down", "Misled", "Elsewhere", "Huge", "Garbled"])
async def test_an_answer_that_cannot_be_used_is_unavailable(world: World, model: str):
    for client in (ads(world), automob(world)):
        with pytest.raises(Unavailable):
            await client.wiring(2021, "Testmark", model)


async def test_a_slow_source_is_not_waited_for(world: World):
    for client in (ads(world, seconds=0.1), automob(world, seconds=0.1)):
        with pytest.raises(Unavailable):
            await client.wiring(2021, "Testmark", "Slow")


async def test_a_vehicle_that_a_source_does_not_know_has_no_trims(world: World):
    for client in (ads(world), automob(world)):
        assert (await client.wiring(2021, "Testmark", "Empty")).trims == ()
        assert (await client.wiring(1950, "Nash", "Metropolitan")).trims == ()
