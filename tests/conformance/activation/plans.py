"""The plans that exist, each with a situation that leads to it."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from domain.activation.activation import Situation, StepName
from domain.activation.reducer import CURRENT_VERSION, VERSIONS, plan_of
from domain.charts import FILES
from tests.activation.in_memory import situations
from tests.conformance.xstate import Table, tables_of_all

Plan = tuple[StepName, ...]

WHOLE_BUT_THE_NEWEST = [
    pytest.param(version, marks=[] if version == CURRENT_VERSION else pytest.mark.whole)
    for version in VERSIONS
]
"""For what takes long: no run begins on an older version any more, and those under way are held by the replay of theirs."""


def chart_of(version: int) -> Path:
    return FILES[f"activation_v{version}"]


@cache
def all_plans(version: int) -> dict[Plan, Situation]:
    """Every plan of a version, found by trying every situation."""
    found: dict[Plan, Situation] = {}
    for situation in situations():
        found.setdefault(plan_of(situation, version), situation)
    return found


def plans_of(version: int, *, every_plan: bool) -> dict[Plan, Situation]:
    """All, or the few that hold every pair of neighbouring steps."""
    return all_plans(version) if every_plan else covering_plans(version)


def tables_by_plan(
    version: int, *, every_plan: bool
) -> Iterator[tuple[Plan, Situation, dict[str, Table]]]:
    """Each of them, with its table for each step at which a run may enter it."""
    plans = plans_of(version, every_plan=every_plan)
    tables = tables_of_all(list(plans), chart_of(version))
    for (plan, situation), ways_in in zip(plans.items(), tables, strict=True):
        yield plan, situation, ways_in


def neighbours(plan: Plan) -> set[tuple[str, str]]:
    """The pairs of steps that follow one another, with the plan's begin and end."""
    return set(zip(("", *plan), (*plan, ""), strict=True))


@cache
def covering_plans(version: int) -> dict[Plan, Situation]:
    """Few plans that hold every pair of neighbours that any plan holds; greedy, longest gain first."""
    plans, chosen = all_plans(version), dict[Plan, Situation]()
    missing = set[tuple[str, str]]().union(*(neighbours(plan) for plan in plans))
    while missing:
        best = max(plans, key=lambda plan: len(neighbours(plan) & missing))
        chosen[best] = plans[best]
        missing -= neighbours(best)
    return chosen
