"""The page of a vehicle, from sources that have to be asked and from what is kept of them; and lists over tables of 12,000
vehicles.

The page asks our own reference and the two outside sources at once. Its bare SQL is every statement that the operations of
both calls send (`bench/bare.py`). Calls, sources and bare queries take turns, so that a busy neighbour
disturbs all alike.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import cycle
from types import SimpleNamespace
from typing import Any, cast

import httpx
import psycopg

from api.platform.deps import Portal
from api.vehicles.named import VehicleQuery
from api.vehicles.wiring import external_vehicle_wiring, internal_vehicle_wiring
from bench.bare import Statements, statements_of
from bench.measuring import Meter, percentile
from bench.signing_in import sign_in
from db.base import Sessions
from domain.vehicles.wiring import Source

VEHICLES = 12_000
OWNER = "olivia.marchand"
ROUNDS, IN_A_ROUND = 5, 30
UNHURRIED = ("Testmark", "Unhurried")
"""Of which the outside sources answer in their own time (`simulators/wiring`)."""
_TO_CHOOSE = (
    "select v.id, v.year, m.make_id, v.model_id, k.name, m.name from vehicle v"
    " join vehicle_model m on m.id = v.model_id join vehicle_make k on k.id = m.make_id where "
)
_WIRED = "v.year >= 2010 and exists (select 1 from vehicle_wire w where w.vehicle_id = v.id) order by v.id limit 200"


@dataclass(frozen=True)
class Vehicle:
    id: int
    year: int
    make_id: int
    model_id: int
    make: str
    model: str

    @property
    def named(self) -> dict[str, int]:
        return {"year": self.year, "makeId": self.make_id, "modelId": self.model_id}


@dataclass(frozen=True)
class Vehicles:
    """Milliseconds. `cold` and `slowest` are medians of the page and of the slower source, `page` and `query` the 50th
    and 95th percentiles of the kept page and of its bare SQL; `lists` is the CPU of one call by its name."""

    cold: float
    slowest: float
    page: tuple[float, float]
    query: tuple[float, float]
    lists: dict[str, float]


async def measure_vehicles(
    portal_url: str, simulators_url: str, owner_url: str, *, api: int, postgres: int
) -> Vehicles:
    """`api` and `postgres` are process ids."""
    async with (
        await psycopg.AsyncConnection.connect(owner_url, autocommit=True) as database,
        httpx.AsyncClient(
            base_url=portal_url, headers={"Origin": portal_url}, timeout=30
        ) as browser,
        httpx.AsyncClient(base_url=simulators_url, timeout=30) as sources,
    ):
        count = await (await database.execute("select count(*) from vehicle")).fetchone()
        if count is None or count[0] < VEHICLES:
            raise ValueError(f"there are {count} vehicles")
        await database.execute("vacuum analyze")
        await sign_in(browser, OWNER)
        wired = await _found(database, _WIRED)
        cold, slowest = await _from_sources(browser, sources, database)
        page, query = await _stored(browser, database, owner_url, wired[:10])
        lists = await _lists(browser, database, wired, api=api, postgres=postgres)
    return Vehicles(cold, slowest, page, query, lists)


async def _from_sources(
    browser: httpx.AsyncClient, sources: httpx.AsyncClient, database: psycopg.AsyncConnection[Any]
) -> tuple[float, float]:
    vehicles = await _found(database, "k.name = %s and m.name = %s order by v.id", UNHURRIED)
    shown, asked = list[float](), list[float]()
    for number in range(ROUNDS + 1):
        for vehicle in vehicles:
            await database.execute("delete from wiring_kept where vehicle_id = %s", (vehicle.id,))
            page = await _timed(lambda one=vehicle: _page(browser, one))
            source = await _timed(lambda one=vehicle: _slower(sources, one))
            if number > 0:  # the first round warms up
                shown.append(page)
                asked.append(source)
    return percentile(shown, 0.5) * 1000, percentile(asked, 0.5) * 1000


async def _slower(sources: httpx.AsyncClient, vehicle: Vehicle) -> None:
    named = {"year": vehicle.year, "make": vehicle.make, "model": vehicle.model}
    answers = await asyncio.gather(
        sources.get("/ads-wiring/v2/vehicle-wiring", params=named),
        sources.post(
            "/automob-wiring/api/Wiring", json={name.title(): one for name, one in named.items()}
        ),
    )
    for answer in answers:
        answer.raise_for_status()


async def _page(browser: httpx.AsyncClient, vehicle: Vehicle) -> None:
    answers = await asyncio.gather(
        browser.post("/api/internal-vehicle-wiring", json=vehicle.named),
        browser.post("/api/external-vehicle-wiring", json=vehicle.named),
    )
    for answer in answers:
        answer.raise_for_status()


async def _stored(
    browser: httpx.AsyncClient,
    database: psycopg.AsyncConnection[Any],
    owner_url: str,
    vehicles: Sequence[Vehicle],
) -> tuple[tuple[float, float], tuple[float, float]]:
    for vehicle in vehicles:
        await _page(browser, vehicle)
    looks = [await asked_by_page(owner_url, vehicle) for vehicle in vehicles]
    turns, bare = cycle(vehicles), cycle(looks)

    async def ask() -> None:
        for query, known in next(bare):
            await (await database.execute(query.encode(), known)).fetchall()

    called, asked = list[float](), list[float]()
    for number in range(ROUNDS + 1):
        asks = [await _timed(ask) for _ in range(IN_A_ROUND)]
        calls = [await _timed(lambda: _page(browser, next(turns))) for _ in range(IN_A_ROUND)]
        if number > 0:
            asked += asks
            called += calls
    return _middle_and_end(called), _middle_and_end(asked)


def _middle_and_end(waits: Sequence[float]) -> tuple[float, float]:
    return percentile(waits, 0.5) * 1000, percentile(waits, 0.95) * 1000


async def asked_by_page(url: str, vehicle: Vehicle) -> Statements:
    named = VehicleQuery.model_validate(vehicle.named)
    ads, automob = (
        SimpleNamespace(source=one, is_used=True) for one in (Source.ADS, Source.AUTOMOB)
    )

    async def look(sessions: Sessions) -> None:
        portal = SimpleNamespace(
            sessions=sessions,
            features=SimpleNamespace(t_harness=True),
            ads_wiring=ads,
            automob_wiring=automob,
        )
        await internal_vehicle_wiring(cast(Portal, portal), named)
        await external_vehicle_wiring(cast(Portal, portal), named)

    return await statements_of(url, look)


async def _lists(
    browser: httpx.AsyncClient,
    database: psycopg.AsyncConnection[Any],
    wired: Sequence[Vehicle],
    *,
    api: int,
    postgres: int,
) -> dict[str, float]:
    products = [str(row[0]) for row in await _rows(database, "select id from product limit 100")]
    skus = [str(row[0]) for row in await _rows(database, "select sku from product limit 100")]
    category = (
        "select category_uuid from vehicle_wire where vehicle_id = %s and ignition = '' limit 1"
    )
    first = wired[0]
    ((uuid,),) = await _rows(database, category, (first.id,))
    chance, ids = random.Random(3), [one.id for one in wired[:50]]

    def any_one() -> dict[str, int]:
        return chance.choice(wired).named

    def without_model() -> dict[str, int]:
        return {name: value for name, value in any_one().items() if name != "modelId"}

    calls: dict[str, tuple[str, Callable[[], dict[str, Any]]]] = {
        "makes": ("/api/year-make-model", lambda: {"year": chance.randint(1990, 2026)}),
        "models": ("/api/year-make-model", without_model),
        "wires": (
            "/api/wiring-by-category",
            lambda: {"vehicleId": first.id, "categoryId": uuid},
        ),
        "guides": ("/api/guides-by-vehicle-ids", lambda: {"vehicleIds": ids}),
        "products": ("/api/vehicle-saleor-products", lambda: {"skus": skus[:30]}),
        "accessories": ("/api/vehicle-saleor-accessory-products", dict),
        "fit": ("/v1/vehicle-fit", lambda: {**any_one(), "product_ids": products}),
    }
    spent = dict[str, float]()
    for name, (address, body) in calls.items():

        async def call(address: str = address, body: Callable[[], Any] = body) -> None:
            sent = body()
            answer = await browser.post(address, json=sent)
            if answer.is_error:
                raise ValueError(f"{address} {sent}: {answer.text}")

        for _ in range(5):
            await call()
        meter = Meter({"api": api}, {"postgres": postgres})
        for _ in range(IN_A_ROUND * 2):
            await call()
        spent[name] = sum(meter.spent().values()) * 1000 / (IN_A_ROUND * 2)
    return spent


async def _found(
    database: psycopg.AsyncConnection[Any], which: str, values: Sequence[str] = ()
) -> list[Vehicle]:
    return [Vehicle(*row) for row in await _rows(database, _TO_CHOOSE + which, values)]


async def _rows(
    database: psycopg.AsyncConnection[Any], query: str, values: Sequence[Any] = ()
) -> list[Any]:
    return await (await database.execute(query.encode(), values)).fetchall()


async def _timed(work: Callable[[], Awaitable[None]]) -> float:
    begun = time.perf_counter()
    await work()
    return time.perf_counter() - begun
