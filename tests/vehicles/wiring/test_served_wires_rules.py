"""Which wires serve a command that was tested."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from domain.vehicles.served_wires import names, wires_for
from domain.vehicles.wiring import Source, Wire

NAMES: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("function_names.json").read_text("utf-8")
)
"""One table for the server's rule and the browser's (`web/src/features/vehicles/functions.ts`)."""
AT = datetime(2026, 1, 1, tzinfo=UTC)


def wire(function: str, source: Source = Source.INTERNAL) -> Wire:
    return Wire(function=function, source=source, fetched_at=AT)


@pytest.mark.parametrize(
    ("written", "function", "is_named"),
    [(one["written"], one["function"], one["is_named"]) for one in NAMES],
)
def test_a_source_may_word_a_function_otherwise(
    written: str, function: str, *, is_named: bool
) -> None:
    assert names(wire(written), function) is is_named


def test_wires_come_in_the_order_in_which_they_are_worth_a_look() -> None:
    told = [wire("Starter"), wire("Brake", Source.ADS), wire("Horn"), wire("Brake")]
    groups = wires_for("remote_start", told)
    assert [one.function for one in groups] == ["Brake", "Starter"]
    assert [one.source for one in groups[0].wires] == [Source.ADS, Source.INTERNAL]
    assert wires_for("nothing", told) == ()
