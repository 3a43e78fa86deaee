"""Year, make and model by VIN (devices spec 5, 7 and 8)."""

import httpx
import pytest
from sqlalchemy import text

from tests.drivers.whole_portal import Caller, Whole, problem

CAMRY = "4T1B11HK9NA100001"
UNABLE = (
    "Unable to find a vehicle using this vin. Please check your vin for accuracy or search by"
    " year, make, and model."
)


async def ask(caller: Caller, body: object) -> httpx.Response:
    return await caller.browser.post("/api/dot-vehicle-by-vin", json=body)


async def test_a_vin_tells_year_make_and_model(whole: Whole) -> None:
    async with whole.signed_in() as installer:
        answer = await ask(installer, {"vin": CAMRY.lower()})
    assert answer.status_code == 200
    assert answer.json() == {"ModelYear": 2022, "Make": "TOYOTA", "Model": "Camry"}


@pytest.mark.parametrize(
    ("body", "expected", "detail"),
    [
        ({}, (422, "vin_missing"), "Please provide a vehicle VIN number to continue"),
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
    whole: Whole, body: dict[str, str], expected: tuple[int, str], detail: str
) -> None:
    async with whole.anonymous() as anybody:
        answer = await ask(anybody, body)
    assert problem(answer) == expected
    assert answer.json()["detail"] == detail
    assert "4T1B11HK" not in answer.text


@pytest.mark.parametrize("body", [{"vin": None}, {"vin": 7}, {"vin": "A" * 101}, {"plate": "A"}])
async def test_another_shape_is_refused_without_being_repeated(
    whole: Whole, body: dict[str, object]
) -> None:
    async with whole.anonymous() as anybody:
        answer = await ask(anybody, body)
    assert problem(answer) == (422, "invalid")
    assert "AAAA" not in answer.text


async def test_a_vin_enters_neither_log_nor_table(
    whole: Whole, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    vins = (CAMRY, "4T1B11HK4NA000503", "4T1B11HK4NA000999", "4T1B11HK9NA000500")
    async with whole.signed_in() as installer:
        statuses = [(await ask(installer, {"vin": vin})).status_code for vin in vins]
    assert statuses == [200, 503, 404, 404]
    written = capfd.readouterr()
    said = f"{caplog.text}{written.out}{written.err}"
    assert "outside_call_failed" in said
    async with whole.sessions() as session:
        audited = await session.scalar(text("select string_agg(t::text, ' ') from audit t"))
        counted = await session.scalar(text("select string_agg(t::text, ' ') from throttle t"))
    for vin in vins:
        assert vin not in said
        assert vin not in f"{audited} {counted}"


async def test_a_caller_may_not_decode_without_end(whole: Whole) -> None:
    async with whole.signed_in() as installer:
        answers = [await ask(installer, {"vin": CAMRY}) for _ in range(61)]
    assert {answer.status_code for answer in answers[:60]} == {200}
    assert problem(answers[60]) == (429, "throttled")
    assert answers[60].headers["retry-after"]
