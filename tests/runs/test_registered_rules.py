"""That a worker has every activity there is."""

import ast
from pathlib import Path
from typing import cast

from activities.runs.flows import FlowActivities
from db.base import Sessions
from workers.worker import activities_of

ROOT = Path(__file__).resolve().parents[2]


def activity_classes() -> set[str]:
    """Classes with a method that is marked as an activity."""
    return {
        node.name
        for path in (ROOT / "activities").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef) and "@activity.defn" in ast.unparse(node)
    }


def imported_in(path: Path) -> set[str]:
    return {
        alias.name
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_the_worker_makes_every_class_of_activities() -> None:
    made = {
        node.func.id
        for node in ast.walk(ast.parse((ROOT / "workers" / "worker.py").read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert len(activity_classes()) > 10
    assert activity_classes() - made == set()


def test_no_loop_of_a_worker_borrows_an_activity() -> None:
    """What goes round uses what it shares with one: only `workers/worker.py` makes them, for runs to ask."""
    borrowed = {
        path.relative_to(ROOT).as_posix(): sorted(names)
        for path in (ROOT / "workers").rglob("*.py")
        if path.name != "worker.py" and (names := imported_in(path) & activity_classes())
    }
    assert borrowed == {}


def test_every_activity_of_an_object_is_registered_and_nothing_else() -> None:
    found = activities_of(FlowActivities(cast("Sessions", None)))
    assert {method.__name__ for method in found} == {"project", "hold"}
