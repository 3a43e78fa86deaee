"""Which part an activity waits for, compared with what the activity asks in its code."""

import ast
from collections.abc import Iterator

from dev.places import ROOT
from domain.operations.retrying import ASKS, Part
from settings import Settings

CLIENTS = {
    "_device_cloud": Part.DEVICE_NETWORK,
    "_messenger": Part.MAIL,
    "_erp": Part.ERP,
    "_cards": Part.CARDS,
    "_connect": Part.CARDS,
    "_gateway": Part.GATEWAY,
}


def test_each_activity_names_the_parts_that_it_asks() -> None:
    asked = {name: parts for name, parts in _activities() if parts}
    assert {name: set(parts) for name, parts in ASKS.items()} == asked


def test_each_part_is_one_whose_calls_are_counted() -> None:
    assert {str(part) for part in Part} <= set(Settings(environment="test").third_parties)


def _activities() -> Iterator[tuple[str, set[Part]]]:
    for path in (ROOT / "activities").rglob("*.py"):
        for one in ast.parse(path.read_text()).body:
            if isinstance(one, ast.ClassDef):
                yield from _activities_of(one)


def _activities_of(one: ast.ClassDef) -> Iterator[tuple[str, set[Part]]]:
    methods = {each.name: each for each in one.body if isinstance(each, ast.AsyncFunctionDef)}
    for method in methods.values():
        for decorator in method.decorator_list:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if ast.unparse(called) != "activity.defn":
                continue
            named = decorator.keywords if isinstance(decorator, ast.Call) else []
            names = [ast.literal_eval(each.value) for each in named if each.arg == "name"]
            yield (names or [method.name])[0], _asked(method.name, methods, set())


def _asked(name: str, methods: dict[str, ast.AsyncFunctionDef], seen: set[str]) -> set[Part]:
    """What the method asks itself or by another one of its class."""
    seen.add(name)
    found: set[Part] = set()
    for node in ast.walk(methods[name]):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "self":
            if node.attr in CLIENTS:
                found.add(CLIENTS[node.attr])
            elif node.attr in methods and node.attr not in seen:
                found |= _asked(node.attr, methods, seen)
    return found
