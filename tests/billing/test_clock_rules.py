"""Promise 15: what expires, falls due or is granted until a day is judged by the database's clock."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OWN_CLOCK = {"now", "today", "utcnow"}


@pytest.mark.parametrize("folder", ["api/billing", "db/billing", "domain/billing"])
def test_money_documents_and_cards_are_not_judged_by_the_clock_of_a_process(folder: str) -> None:
    asked = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in OWN_CLOCK
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in {"datetime", "date"}
    ]
    assert asked == []
