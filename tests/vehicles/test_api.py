"""Years, makes and models."""

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from tests.drivers.portal import a_browser
from tests.drivers.whole_portal import problem


async def ask(caller: httpx.AsyncClient, body: Any) -> httpx.Response:
    return await caller.post("/api/year-make-model", json=body)


async def test_a_year_has_makes_and_a_make_has_models_by_name(wired: FastAPI) -> None:
    async with a_browser(wired) as anybody:
        makes = (await ask(anybody, {"year": 2022})).json()
        (toyota,) = (make for make in makes if make["name"] == "Toyota")
        models = (await ask(anybody, {"year": 2022, "makeId": toyota["id"]})).json()
    names = [make["name"] for make in makes]
    assert names == sorted(names, key=str.lower)
    assert {"id": 2469, "name": "Camry"} in models


async def test_a_make_without_models_that_year_has_none(wired: FastAPI) -> None:
    async with a_browser(wired) as anybody:
        answer = await ask(anybody, {"year": 1940, "makeId": 448})
    assert (answer.status_code, answer.json()) == (200, [])


@pytest.mark.parametrize("year", [1939, datetime.now(UTC).year + 2, 10**17, -1])
async def test_a_year_outside_the_list_is_refused(wired: FastAPI, year: int) -> None:
    async with a_browser(wired) as anybody:
        answer = await ask(anybody, {"year": year})
    assert problem(answer) == (422, "invalid")
    assert answer.json()["validation_errors"][0]["field"] == "year"
    assert answer.json()["detail"] == "Please select a Year, Make and Model to continue"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "year"),
        ({"year": "soon"}, "year"),
        ({"year": 2022.5}, "year"),
        ({"year": 2022, "makeId": 0}, "makeId"),
        ({"year": 2022, "makeId": 10**15}, "makeId"),
    ],
)
async def test_a_fault_names_its_field(wired: FastAPI, body: dict[str, Any], field: str) -> None:
    async with a_browser(wired) as anybody:
        answer = await ask(anybody, body)
    assert problem(answer) == (422, "invalid")
    assert [fault["field"] for fault in answer.json()["validation_errors"]] == [field]
