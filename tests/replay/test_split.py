"""A query that is answered in the midst of a step splits it: what had come of it by then stands in one task of the history, the
rest in the next one. A run must be readable wherever that happened (decision 97)."""

import ast
from collections.abc import Collection, Iterator
from typing import Any

import pytest
from temporalio.client import WorkflowHistory
from temporalio.workflow import NondeterminismError

from tests.replay import histories
from tests.replay.histories import Event
from tests.replay.stories import DECIDES_EARLY
from tests.replay.test_replay import ROOT, a_replayer

LOCAL, PATCH = "core_local_activity", "core_patch"
EARLY = "patch decides-early"


def _marker(event: Event) -> str | None:
    return event.get("markerRecordedEventAttributes", {}).get("markerName")


def _patches(event: Event) -> bool:
    return _marker(event) == PATCH


def _split(events: list[Event], after: Collection[int]) -> list[Event]:
    """The same history with a task that ended behind each event at these places, and another one that began there."""
    found: list[Event] = []
    moved: dict[str, str] = {}
    for place, event in enumerate(events):
        moved[event["eventId"]] = str(len(found) + 1)
        found.append(event)
        if place in after:
            kinds = ("Scheduled", "Started", "Completed")
            for kind in kinds:
                name = f"EVENT_TYPE_WORKFLOW_TASK_{kind.upper()}"
                found.append({"eventType": name, "eventTime": event["eventTime"]})
    return [_renumbered(event, number, moved) for number, event in enumerate(found, 1)]


def _renumbered(event: Event, number: int, moved: dict[str, str]) -> Event:
    if "eventId" not in event:
        kind = event["eventType"].rpartition("_")[2].capitalize()
        name = f"workflowTask{kind}EventAttributes"
        about: dict[str, Any] = {
            "Scheduled": {"taskQueue": {"name": "any"}, "attempt": 1},
            "Started": {"scheduledEventId": str(number - 1)},
            "Completed": {"scheduledEventId": str(number - 2), "startedEventId": str(number - 1)},
        }[kind]
        return {**event, "eventId": str(number), name: about}
    return {**_referring(event, moved), "eventId": str(number)}


def _referring(value: Any, moved: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [_referring(part, moved) for part in value]
    if not isinstance(value, dict):
        return value
    return {
        name: moved.get(part, part) if name.endswith("EventId") else _referring(part, moved)
        for name, part in value.items()
    }


def _places(events: list[Event]) -> Iterator[int]:
    """Behind each local activity that something else of its task follows."""
    for place, event in enumerate(events[:-1]):
        follows = events[place + 1]["eventType"]
        if _marker(event) == LOCAL and "WORKFLOW_TASK" not in follows:
            yield place


async def _read(events: list[Event]) -> None:
    started = events[0]["workflowExecutionStartedEventAttributes"]
    history = WorkflowHistory.from_json(started["workflowId"], {"events": events})
    await a_replayer().replay_workflow(history)


EARLY_ONES = [
    name for name in histories.names() if EARLY in histories.commands(histories.load(name))
]


@pytest.mark.parametrize("name", EARLY_ONES)
async def test_a_run_that_was_asked_in_the_midst_of_every_step_is_replayed(name: str) -> None:
    events = histories.load(name)["events"]
    await _read(_split(events, set(_places(events))))


@pytest.mark.whole
@pytest.mark.parametrize("name", EARLY_ONES)
async def test_a_run_that_was_asked_in_the_midst_of_one_step_is_replayed(name: str) -> None:
    events = histories.load(name)["events"]
    for place in _places(events):
        await _read(_split(events, {place}))


@pytest.mark.parametrize("asked", ["there", "everywhere"])
async def test_a_patch_that_was_asked_for_behind_a_local_activity_is_found(asked: str) -> None:
    """So it was until runs decided early: such a run could not be read any more."""
    events = histories.load("purchase-v2/approved")["events"]
    behind = {place for place in _places(events) if _patches(events[place + 1])}
    places = {min(behind)} if asked == "there" else set(_places(events))
    assert behind & places
    with pytest.raises((NondeterminismError, RuntimeError)):
        await _read(_split(events, places))


OF_BEFORE = (
    "'shielded' ANSWERS_EFFECTS ASKS_BY_KEY ASKS_FIRST ASKS_FOR_LESS ASKS_WHAT_IS_OWED COUNTS_RETURNED FOLLOWS_HAND_OVER "
    "FREES_CARTS KEEPS_COMMANDS LETS_GO_BEHIND PRESENT_BEHIND READS_RIGHTS SETTLES_DEVICES STOPS_LOOKS TELLS_INVITER "
    "TELLS_OF_LOSS TELLS_PAYER_OF_LOSS VOIDS_BEHIND WAITS_ONCE self.stops_charges"
)
"""Patches that came before runs decided early. A new one stands in `patches` of its kind, and `Run.decide` asks for it by its own name."""


def test_no_run_asks_for_a_patch_in_its_midst() -> None:
    asked: list[tuple[str, str]] = []
    for path in sorted((ROOT / "workflows").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr == "does":
                    asked.append(("does", ast.unparse(node.args[0])))
                elif node.func.attr == "patched":
                    asked.append((path.name, ast.unparse(node.args[0])))
    assert {name for how, name in asked if how == "does"} <= set(OF_BEFORE.split())
    assert {one for one in asked if one[0] != "does"} == {
        ("run.py", "DECIDES_EARLY"),
        ("run.py", "patch"),
        ("payouts.py", "CONTINUES_IN_PAUSES"),  # no local activity stands before either
        ("reconciliation.py", "'compares-payouts'"),
    }


def test_every_kind_of_run_has_one_that_decides_early() -> None:
    assert {f"decides-early/{name}" for name in DECIDES_EARLY} <= set(EARLY_ONES)
