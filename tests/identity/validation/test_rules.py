"""The one table of cases that the server and the browser share (promise 24)."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from domain import validation
from domain.card_numbers import masked
from domain.contact import PersonName
from domain.dealers.dealers import WebAddress
from domain.devices.option_tables import OptionChoice, Row, RowKind, check_value

CASES: dict[str, Any] = json.loads((Path(__file__).parent / "cases.json").read_text("utf-8"))
CHANGES = {
    "masked": lambda case: masked(case["text"]),
}
IN_FIELDS = {"shown_phone", "without_symbols", "capped"}
"""What a field does with what is typed into it or kept; nothing comes to the server that needs it."""


def a_row(choices: Sequence[int] = (), **given: Any) -> Row:
    """A row of an option table, as the cases describe it."""
    listed = tuple(OptionChoice(value=value, label=str(value)) for value in choices)
    return Row(key="row", label="Row", default=1, choices=listed, **given)


def test_every_case_gets_its_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    wrong: list[str] = []
    count = 0
    for case in CASES["rules"]:
        bound = case.get("bound")
        if bound is None:
            fault = validation.RULES[case["rule"]](case["text"])
        else:
            fault = validation.BOUNDS[case["rule"]](case["text"], bound)
        count += 1
        if fault != case["fault"]:
            wrong.append(f"{case}: {fault!r}")
    for case in CASES["changes"]:
        if case["change"] in IN_FIELDS:
            continue
        result = CHANGES[case["change"]](case)
        count += 1
        if result != case["result"]:
            wrong.append(f"{case}: {result!r}")
    for case in CASES["partner_addresses"]:
        is_partner = validation.is_partner_address(case["address"], case["domains"])
        count += 1
        if is_partner is not case["is_partner"]:
            wrong.append(f"{case}: {is_partner}")
    with capsys.disabled():
        print(f"\nvalidation cases: {count}")
    assert wrong == []


@pytest.mark.parametrize(("rule", "taken"), [("name", PersonName), ("url", WebAddress)])
def test_what_a_call_takes_is_judged_by_the_same_cases(rule: str, taken: Any) -> None:
    for case in CASES["rules"]:
        text, fault = case["text"], case["fault"]
        if case["rule"] != rule or not text:
            continue
        if fault is None:
            assert TypeAdapter(taken).validate_python(text) == text.strip()
        else:
            with pytest.raises(ValidationError, match=fault):
                TypeAdapter(taken).validate_python(text)


def test_no_rule_is_without_a_case_that_passes_and_one_that_fails() -> None:
    judged = {(case["rule"], case["fault"] is None) for case in CASES["rules"]}
    names = [*validation.RULES, *validation.BOUNDS]
    assert judged == {(name, passes) for name in names for passes in (True, False)}


def test_every_option_gets_its_verdict() -> None:
    rows = {name: a_row(**row) for name, row in CASES["option_rows"].items()}
    judged = [(case, check_value(rows[case["row"]], case["value"])) for case in CASES["options"]]
    assert [(case, fault) for case, fault in judged if fault != case["fault"]] == []


def test_every_kind_of_option_has_a_case_that_passes_and_one_that_fails() -> None:
    judged = {(case["row"], case["fault"] is None) for case in CASES["options"]}
    assert judged == {(name, passes) for name in CASES["option_rows"] for passes in (True, False)}
    assert {row["kind"] for row in CASES["option_rows"].values()} == set(RowKind)
