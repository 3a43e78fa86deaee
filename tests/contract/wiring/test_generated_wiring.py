"""Whatever a vendor of wiring answers, the normalised table has each of its rows and each of its columns."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from domain.vehicles.wiring import MOST_ROWS, SourcedWiring, Wire
from providers.wiring.ads import AdsWiring
from providers.wiring.automob import AutoMobWiring
from providers.wiring.reading import LONGEST_TEXT
from providers.wiring.source import WiringSource
from tests.contract.wiring.test_wiring import ADS_COLUMNS, AUTOMOB_COLUMNS

BASE = "http://vendor"
ASKED = (2022, "Toyota", "Camry")

CELLS = st.one_of(
    st.none(),
    st.integers(-(10**9), 10**9),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    st.text(max_size=30),
    st.just("x" * (LONGEST_TEXT + 20)),
)
PRODUCTS = st.lists(st.tuples(CELLS, CELLS), max_size=3)


def rows_of(columns: dict[str, str]) -> st.SearchStrategy[list[dict[str, Any]]]:
    """A row tells at least its function; a vendor may leave the others out, or add one that nobody knows."""
    named = dict.fromkeys(columns, CELLS)
    first = next(theirs for theirs, ours in columns.items() if ours == "function")
    others = {theirs: cells for theirs, cells in named.items() if theirs != first}
    row = st.fixed_dictionaries({first: CELLS}, optional={**others, "futureColumn": CELLS})
    return st.lists(row, max_size=5)


def trims_of(columns: dict[str, str]) -> st.SearchStrategy[list[tuple[Any, Any, Any]]]:
    return st.lists(st.tuples(CELLS, rows_of(columns), PRODUCTS), max_size=4)


def as_cell(value: Any) -> str:
    return "" if value is None else str(value).strip()[:LONGEST_TEXT]


async def answered(vendor: type[WiringSource], body: Any) -> SourcedWiring:
    async def answer(_: Request) -> Response:
        return Response(json.dumps(body), media_type="application/json")

    app = Starlette(routes=[Route("/{path:path}", answer, methods=["GET", "POST"])])
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app)) as http:
        return await vendor(http, base_url=BASE).wiring(*ASKED)


def check(told: SourcedWiring, trims: list[tuple[Any, Any, Any]], columns: dict[str, str]) -> None:
    assert [one.trim for one in told.trims] == [as_cell(trim) for trim, _, _ in trims]
    for one, (trim, rows, products) in zip(told.trims, trims, strict=True):
        for wire, row in zip(one.wires, rows, strict=True):
            wanted = {ours: as_cell(row.get(theirs)) for theirs, ours in columns.items()}
            others = set(Wire.model_fields) - set(columns.values())
            shown = wire.model_dump()
            assert {name: shown[name] for name in wanted} == wanted
            assert (wire.trim, wire.source) == (as_cell(trim), told.source)
            empty = others - {"source", "trim", "fetched_at", "images"}
            assert not any(shown[name] for name in empty), "a column that the vendor did not tell"
        assert [(p.id, p.name) for p in one.products] == [
            (as_cell(id_), as_cell(name)) for id_, name in products
        ]
    assert told.count == sum(len(rows) for _, rows, _ in trims) < MOST_ROWS


def body_of(
    trims: list[tuple[Any, Any, Any]], spelt: Callable[[str], str], trims_are: str, rows_are: str
) -> Any:
    """As a vendor answers who spells its names so, but for what it calls its trims and their rows."""
    year, make, model = ASKED
    told = [
        {
            spelt("trim"): trim,
            rows_are: rows,
            spelt("products"): [{spelt("id"): id_, spelt("name"): name} for id_, name in products],
        }
        for trim, rows, products in trims
    ]
    vehicle = {spelt("year"): year, spelt("make"): make, spelt("model"): model}
    return {spelt("vehicle"): vehicle, trims_are: told}


@settings(max_examples=25, deadline=None)
@given(trims_of(ADS_COLUMNS))
def test_ads_loses_nothing_whatever_it_answers(trims: list[tuple[Any, Any, Any]]) -> None:
    body = body_of(trims, str, "trims", "wiring")
    check(asyncio.run(answered(AdsWiring, body)), trims, ADS_COLUMNS)


@settings(max_examples=25, deadline=None)
@given(trims_of(AUTOMOB_COLUMNS))
def test_automob_loses_nothing_whatever_it_answers(trims: list[tuple[Any, Any, Any]]) -> None:
    body = body_of(trims, str.capitalize, "Wiring", "Rows")
    check(asyncio.run(answered(AutoMobWiring, body)), trims, AUTOMOB_COLUMNS)
