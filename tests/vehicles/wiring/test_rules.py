"""The normalised table of wiring, its categories, and how long it is kept."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.vehicles.vehicles import Vin, VinWarning, warning_of
from domain.vehicles.wiring import (
    MAX_FRESHNESS,
    MIN_FRESHNESS,
    MOST_ROWS,
    ExternalWiring,
    Ignition,
    Source,
    SourceState,
    TrimProduct,
    TrimWiring,
    Wire,
    category_parts,
    category_title,
    category_uuid,
    freshness_of,
    report_of,
    same_name,
)
from providers.wiring.reading import sourced

NOW = datetime(2026, 1, 2, tzinfo=UTC)


@pytest.mark.parametrize("ignition", [None, *Ignition])
def test_the_uuid_of_a_category_says_how_the_vehicle_starts(ignition: Ignition | None) -> None:
    assert category_parts(category_uuid("a1-b2", ignition)) == ("a1-b2", ignition)


def test_split_categories_are_named_after_the_ignition() -> None:
    assert category_uuid("u", Ignition.PUSH_TO_START) == "u-pts"
    assert category_uuid("u", Ignition.STANDARD_KEY) == "u-sk"
    assert category_title("Lights", Ignition.PUSH_TO_START) == "Push-to-Start. Lights"
    assert category_title("Lights", Ignition.STANDARD_KEY) == "Std. Key. Lights"
    assert category_title("Lights", None) == "Lights"


@pytest.mark.parametrize(
    ("seconds", "kept"),
    [
        (None, MIN_FRESHNESS),
        (-5, MIN_FRESHNESS),
        (0, MIN_FRESHNESS),
        (3600, timedelta(hours=1)),
        (10**9, MAX_FRESHNESS),
    ],
)
def test_a_source_decides_how_long_within_bounds(seconds: int | None, kept: timedelta) -> None:
    assert freshness_of(seconds) == kept


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("MERCEDES-BENZ", "Mercedes Benz", True),
        ("F-150", "f150", True),
        ("Camry", "Corolla", False),
    ],
)
def test_names_are_compared_without_case_and_hyphens(one: str, other: str, same: bool) -> None:
    assert same_name(one, other) is same


def a_wire(function: str) -> Wire:
    return Wire(function=function, source=Source.ADS, trim="LE", fetched_at=NOW)


@given(st.lists(st.integers(0, MOST_ROWS), max_size=4))
def test_rows_beyond_the_limit_are_left_out_and_no_others(sizes: list[int]) -> None:
    trims = [TrimWiring(trim=str(n), wires=(a_wire("x"),) * size) for n, size in enumerate(sizes)]
    told = sourced(Source.ADS, trims, now=NOW, max_age_seconds=60)
    assert told.count == min(sum(sizes), MOST_ROWS)
    assert [one.trim for one in told.trims] == [one.trim for one in trims]


@pytest.mark.parametrize(
    ("trim", "empty"),
    [
        (TrimWiring(trim="LE", wires=()), True),
        (TrimWiring(trim="LE", wires=(a_wire("x"),)), False),
        (TrimWiring(trim="LE", wires=(), products=(TrimProduct(id="1", name="One"),)), False),
    ],
)
def test_a_source_that_recommends_something_tells_of_the_vehicle(
    trim: TrimWiring, empty: bool
) -> None:
    ads = sourced(Source.ADS, [trim], now=NOW, max_age_seconds=60)
    automob = sourced(Source.AUTOMOB, [], now=NOW, max_age_seconds=60)
    reports = tuple(report_of(one.source, one, SourceState.FRESH) for one in (ads, automob))
    assert ExternalWiring(ads=ads, automob=automob, reports=reports).is_empty is empty
    # Where the other source is not used nobody waits for it.
    assert ExternalWiring(ads=ads, automob=None, reports=reports[:1]).is_empty is empty
    away = report_of(Source.AUTOMOB, None, SourceState.AWAY)
    assert not ExternalWiring(ads=ads, automob=None, reports=(reports[0], away)).is_empty


def test_a_wrong_check_digit_is_told() -> None:
    assert warning_of(Vin("4T1B11HK9NA100001")) is None
    assert warning_of(Vin("4T1B11HK0NA100001")) is VinWarning.CHECK_DIGIT
    assert warning_of(Vin("1M8GDM9AXKP042788")) is None
