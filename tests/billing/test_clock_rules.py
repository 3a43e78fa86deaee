"""Promise 15: what expires, falls due or is granted until a day is judged by the database's clock."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OWN_CLOCK = {"now", "today", "utcnow"}


JUDGED = [
    f"{layer}/{area}"
    for layer in ("api", "db", "domain")
    for area in ("billing", "checkout", "operations", "orders", "partners")
] + [
    *(
        f"{layer}/{place}"
        for layer in ("api", "db", "domain")
        for place in ("plans", "devices/visits.py")
    ),
    "api/activation/handouts.py",
    "api/content/start_page.py",
]
"""Money documents, cards, what a business owes, orders and how long their approval is waited for, the months of what a person
may order, since when a case is open, when plans end, and how long a visit is waited for or lasts."""


@pytest.mark.parametrize("place", JUDGED)
def test_what_is_granted_or_due_is_not_judged_by_the_clock_of_a_process(place: str) -> None:
    judged = ROOT / place
    files = [judged] if judged.is_file() else sorted(judged.rglob("*.py"))
    assert files
    asked = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in files
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and node.attr in OWN_CLOCK
        and isinstance(node.value, ast.Name)
        and node.value.id in {"datetime", "date"}
    ]
    assert asked == []
