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


def test_the_worker_makes_every_class_of_activities() -> None:
    made = {
        node.func.id
        for node in ast.walk(ast.parse((ROOT / "workers" / "worker.py").read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert len(activity_classes()) > 10
    assert activity_classes() - made == set()


def test_every_activity_of_an_object_is_registered_and_nothing_else() -> None:
    found = activities_of(FlowActivities(cast("Sessions", None)))
    assert {method.__name__ for method in found} == {"project", "hold"}
