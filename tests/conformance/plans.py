"""The plans that exist, each with a situation that leads to it."""

from functools import cache
from pathlib import Path

from domain.activation.activation import Situation, StepName
from domain.activation.reducer import plan_of
from domain.charts import FILES
from tests.activation.in_memory import situations

Plan = tuple[StepName, ...]

VERSIONS = (1, 2, 3)


def chart_of(version: int) -> Path:
    return FILES[f"activation_v{version}"]


@cache
def all_plans(version: int) -> dict[Plan, Situation]:
    """Every plan of a version, found by trying every situation."""
    found: dict[Plan, Situation] = {}
    for situation in situations():
        found.setdefault(plan_of(situation, version), situation)
    return found


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
