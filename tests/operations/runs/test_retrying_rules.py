"""Which part an activity waits for, compared with what the activity asks in its code."""

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from dev.places import ROOT
from domain.operations.retrying import ASKS, Part
from settings import Settings
from workflows import calls

CLIENTS = {
    "_device_cloud": {Part.DEVICE_NETWORK},
    "_messenger": {Part.MAIL},
    "_confirmations": {Part.MAIL},
    "_erp": {Part.ERP},
    "_cards": {Part.CARDS},
    "_connect": {Part.CARDS},
    "_gateway": {Part.GATEWAY},
    "_accounts": {Part.CARDS, Part.GATEWAY},
}


def test_each_activity_names_the_parts_that_it_asks() -> None:
    asked = {name: parts for name, parts in _activities() if parts}
    assert {name: set(parts) for name, parts in ASKS.items()} == asked


def test_each_part_is_one_whose_calls_are_counted() -> None:
    assert {str(part) for part in Part} <= set(Settings(environment="test").third_parties)


def test_every_activity_has_a_time_for_each_try_and_an_end_of_all_of_them() -> None:
    """By a constant of `calls`, whole or with another total, or said in place (promise 13)."""
    kinds = {
        name for name, value in vars(calls).items() if isinstance(value, dict) and name.isupper()
    }
    for name in kinds:
        kind: dict[str, Any] = vars(calls)[name]
        assert kind["start_to_close_timeout"] < kind["schedule_to_close_timeout"], name
    begun = list(_begun())
    assert len(begun) > 80
    assert [one for one in begun if not _has_an_end(one, kinds)] == []


def test_an_activity_without_an_end_is_found() -> None:
    kinds = {"OURS"}
    assert _has_an_end("**calls.OURS", kinds)
    assert not _has_an_end("**calls.OURS, schedule_to_close_timeout=None", kinds)
    assert not _has_an_end("start_to_close_timeout=timedelta(seconds=5)", kinds)


def _begun() -> Iterator[str]:
    """What each call says of its time, with what stands behind a name of the same file."""
    for path in (ROOT / "workflows").rglob("*.py"):
        if path.name == "request_ids.py":  # hands on what others begin
            continue
        tree = ast.parse(path.read_text())
        named = dict(_named(tree))
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and re.fullmatch(
                r"workflow\.(execute|start)_(local_)?activity(_\w+)?", ast.unparse(call.func)
            ):
                said = [ast.unparse(one) for one in call.keywords]
                yield ", ".join(f"{one} {_behind(one.removeprefix('**'), named)}" for one in said)


def _named(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Name → what it is given, or what it is without."""
    for one in ast.walk(tree):
        if isinstance(one, ast.Assign | ast.AnnAssign) and one.value is not None:
            targets = one.targets if isinstance(one, ast.Assign) else [one.target]
            for target in targets:
                each = target.elts if isinstance(target, ast.Tuple) else [target]
                yield from ((ast.unparse(name), ast.unparse(one.value)) for name in each)
        elif isinstance(one, ast.arguments):
            given = zip(reversed(one.args), reversed(one.defaults), strict=False)
            yield from ((name.arg, ast.unparse(value)) for name, value in given)


def _behind(name: str, named: Mapping[str, str]) -> str:
    value = named.get(name, "")
    table = value.partition("[")[0]
    return f"{value} {named[table]}" if table in named and table != value else value


def _has_an_end(said: str, kinds: set[str]) -> bool:
    if "schedule_to_close_timeout=None" in said or "'schedule_to_close_timeout': None" in said:
        return False
    known = re.findall(r"calls\.([A-Z_]+)", said)
    if known or "self.patient(" in said:
        is_said_twice = "schedule_to_close_timeout=" in said
        return set(known) - {"LONGEST"} <= kinds and not is_said_twice
    return "start_to_close_timeout" in said and "schedule_to_close_timeout" in said


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
                found |= CLIENTS[node.attr]
            elif node.attr in methods and node.attr not in seen:
                found |= _asked(node.attr, methods, seen)
    return found
