"""Year, make and model by VIN (devices spec 5, 7 and 8)."""

import secrets

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text

from db.base import Sessions
from providers.security.tokens import CAPABILITY_PREFIX
from simulators.vin import a_vin
from simulators.wiring.vehicles import SCRIPT
from tests.catalogue.people import signed_in
from tests.drivers.factories import an_installer
from tests.drivers.portal import a_browser, use_token
from tests.drivers.whole_portal import problem
from tests.vehicles.conftest import SIMULATED

CAMRY = "4T1B11HK9NA100001"
UNABLE = (
    "Unable to find a vehicle using this vin. Please check your vin for accuracy or search by"
    " year, make, and model."
)


async def ask(caller: httpx.AsyncClient, body: object) -> httpx.Response:
    return await caller.post("/api/dot-vehicle-by-vin", json=body)


async def test_a_vin_tells_year_make_and_model(wired: FastAPI, sessions: Sessions) -> None:
    async with signed_in(wired, await an_installer(sessions)) as installer:
        answer = await ask(installer, {"vin": CAMRY.lower()})
    assert answer.status_code == 200
    assert answer.json() == {
        "ModelYear": 2022,
        "Make": "TOYOTA",
        "Model": "Camry",
        "warning": None,
    }


async def test_a_script_in_the_decoders_text_is_text(wired: FastAPI) -> None:
    async with a_browser(wired) as anybody:
        answer = await ask(anybody, {"vin": "4T1B11HK2NA000600"})
    assert answer.headers["content-type"] == "application/json"
    told = answer.json()
    assert (told["Make"], told["Model"]) == (f"{SCRIPT}TOYOTA", f"{SCRIPT}Camry")


async def test_a_wrong_check_digit_is_told_and_looked_up(wired: FastAPI) -> None:
    async with a_browser(wired) as anybody:
        answer = await ask(anybody, {"vin": "4T1B11HK0NA100001"})
    told = answer.json()
    assert (told["Model"], told["warning"]) == ("Camry", "check_digit")


@pytest.mark.parametrize(
    ("body", "expected", "detail"),
    [
        ({}, (422, "vin_missing"), "Please provide a vehicle VIN number to continue"),
        ({"plate": "A"}, (422, "vin_missing"), "Please provide a vehicle VIN number to continue"),
        ({"vin": " "}, (422, "vin_missing"), "Please provide a vehicle VIN number to continue"),
        ({"vin": CAMRY[:16]}, (422, "vin_malformed"), UNABLE),
        ({"vin": "4T1B11HK9NA000206"}, (404, "vin_incomplete"), UNABLE),
        (
            {"vin": "4T1B11HK2NA000404"},
            (404, "no_vehicle_data"),
            "No data available. Please try again using a different vehicle.",
        ),
        (
            {"vin": "4T1B11HK9NA000500"},
            (404, "no_vehicle_data"),
            "No data available. Please try again using a different vehicle.",
        ),
        (
            {"vin": "4T1B11HK4NA000503"},
            (503, "vin_search_unavailable"),
            "Vin searching is currently unavailable. Please try again later or search by year,"
            " make, and model.",
        ),
    ],
)
async def test_a_failure_is_told_in_the_specs_words(
    wired: FastAPI, body: dict[str, str], expected: tuple[int, str], detail: str
) -> None:
    async with a_browser(wired) as anybody:
        answer = await ask(anybody, body)
    assert problem(answer) == expected
    assert answer.json()["detail"] == detail
    assert "4T1B11HK" not in answer.text


@pytest.mark.parametrize("body", [{"vin": None}, {"vin": 7}, {"vin": "A" * 101}])
async def test_another_shape_is_refused_without_being_repeated(
    wired: FastAPI, body: dict[str, object]
) -> None:
    async with a_browser(wired) as anybody:
        answer = await ask(anybody, body)
    assert problem(answer) == (422, "invalid")
    assert "AAAA" not in answer.text


async def test_a_vin_enters_neither_log_nor_table(
    wired: FastAPI,
    sessions: Sessions,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    vins = (CAMRY, "4T1B11HK4NA000503", "4T1B11HK4NA000999", "4T1B11HK9NA000500")
    async with signed_in(wired, await an_installer(sessions)) as installer:
        statuses = [(await ask(installer, {"vin": vin})).status_code for vin in vins]
    assert statuses == [200, 503, 404, 404]
    written = capfd.readouterr()
    said = f"{caplog.text}{written.out}{written.err}"
    assert "outside_call_failed" in said
    async with sessions() as session:
        audited = await session.scalar(text("select string_agg(t::text, ' ') from audit t"))
        counted = await session.scalar(text("select string_agg(t::text, ' ') from throttle t"))
    for vin in vins:
        assert vin not in said
        assert vin not in f"{audited} {counted}"


async def test_a_caller_may_not_decode_without_end(wired: FastAPI, sessions: Sessions) -> None:
    async with signed_in(wired, await an_installer(sessions)) as installer:
        answers = [await ask(installer, {"vin": CAMRY}) for _ in range(61)]
    assert {answer.status_code for answer in answers[:60]} == {200}
    assert problem(answers[60]) == (429, "throttled")
    assert answers[60].headers["retry-after"]


async def test_whoever_invents_capabilities_is_counted_by_address(
    wired: FastAPI, stand_ins: FastAPI
) -> None:
    vin = a_vin("4S4BTANC", 2022, "361070")
    async with a_browser(wired) as guest, a_browser(wired) as another:
        statuses: list[int] = []
        for _ in range(70):
            use_token(guest, f"{CAPABILITY_PREFIX}{secrets.token_urlsafe(32)}")
            statuses.append((await ask(guest, {"vin": vin})).status_code)
        assert statuses == [200] * 60 + [429] * 10
        assert (await ask(another, {"vin": vin})).status_code == 200
    async with httpx.AsyncClient(transport=httpx.ASGITransport(stand_ins)) as direct:
        ledger = await direct.get(f"{SIMULATED}/vin/_ledger", params={"vin": vin})
    assert len(ledger.json()["results"]) == 61
