"""The one table of cases that the server and the browser share (promise 24)."""

import json
from pathlib import Path
from typing import Any

import pytest

from domain import validation

CASES: dict[str, Any] = json.loads((Path(__file__).parent / "cases.json").read_text("utf-8"))
CHANGES = {
    "without_symbols": lambda case: validation.without_symbols(case["text"]),
    "capped": lambda case: validation.capped(case["text"], case["most"]),
    "shown_phone": lambda case: validation.shown_phone(case["text"]),
}


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


def test_no_rule_is_without_a_case_that_passes_and_one_that_fails() -> None:
    judged = {(case["rule"], case["fault"] is None) for case in CASES["rules"]}
    names = [*validation.RULES, *validation.BOUNDS]
    assert judged == {(name, passes) for name in names for passes in (True, False)}
