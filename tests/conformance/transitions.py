"""What is asked of every table of transitions: its chart holds its edges and no others, its workflow sends its events, real runs take them."""

import ast
import asyncio
import base64
import inspect
import json
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from types import ModuleType
from typing import Any, TypeVar

from sqlalchemy import select
from temporalio.client import WorkflowHandle
from temporalio.converter import DataConverter

from db.runs.flows import TransitionRow
from dev.testing import is_whole
from domain.charts import FILES
from tests.conformance.xstate import Narrowing, tables
from tests.drivers.stage import Stage
from tests.replay import histories
from tests.replay.stories import STORIES
from workflows import ids

Transitions = Mapping[str, Mapping[str, str]]
Edge = tuple[str, str, str]
Step = tuple[str, str]
"""An edge of a table in which two states are joined by one event at most."""

FIRST = "opening"
"""The state that sets no search attribute."""
AT_ONCE = 6
Story = Callable[[Stage], Awaitable[WorkflowHandle[Any, Any]]]
Taken = TypeVar("Taken")


def edges(transitions: Transitions) -> set[Edge]:
    return {
        (name, event, target) for name, to in transitions.items() for event, target in to.items()
    }


def steps(transitions: Transitions) -> set[Step]:
    return {(name, target) for name, _, target in edges(transitions)}


def events(transitions: Transitions) -> set[str]:
    return {event for _, event, _ in edges(transitions)}


def ends(transitions: Transitions) -> set[str]:
    return {name for name, to in transitions.items() if not to}


def assert_chart_is(transitions: Transitions, chart: str) -> None:
    """The generated chart, run by XState, against the table."""
    (table,) = tables(FILES[chart], [Narrowing(plan=())])
    assert table.states == {name: dict(to) for name, to in transitions.items()}
    assert set(table.ends) == ends(transitions)


def events_named_in(workflow: ModuleType, table: ModuleType) -> set[str]:
    """The texts of the table's module that a workflow names as `transitions.…`."""
    tree = ast.parse(inspect.getsource(workflow))
    return {
        getattr(table, node.attr)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "transitions"
        and isinstance(getattr(table, node.attr), str)
    }


async def taken_by(
    stage: Stage,
    stories: Iterable[Story],
    told: Callable[[WorkflowHandle[Any, Any]], Awaitable[set[Taken]]],
    every: Collection[Taken],
    *,
    at_once: int = AT_ONCE,
) -> set[Taken]:
    """What the stories took together; `told` reads it off a run that has ended.

    With WHOLE=1 all of them are told. Otherwise none is begun once the others took `every` edge: what the workflow asks for
    in each of them is held by the replay of its history. Those that add most to the ones before them come first.
    """
    waiting = iter([*stories] if is_whole() else _by_what_they_add(stories))
    taken = set[Taken]()

    async def tell() -> None:
        for story in waiting:
            taken.update(await told(await story(stage)))
            if not is_whole() and taken.issuperset(every):
                break

    await asyncio.gather(*(tell() for _ in range(at_once)))
    return taken


def _by_what_they_add(stories: Iterable[Story]) -> list[Story]:
    """By the moves in their recorded histories; what has none comes first."""
    recorded = {
        story: f"{workflow}/{name}"
        for workflow, told in STORIES.items()
        for name, story in told.items()
    }
    moves = {
        story: set(_moves(recorded[story])) if story in recorded else None for story in stories
    }
    ordered, seen = [story for story, known in moves.items() if known is None], set[Step]()
    left = {story: known for story, known in moves.items() if known is not None}
    while left:
        story = max(left, key=lambda one: len(left[one] - seen))
        seen |= left.pop(story)
        ordered.append(story)
    return ordered


def _moves(name: str) -> Iterator[Step]:
    """From state to state, as the search attributes of a recorded history show them."""
    kept = histories.load(name)
    shown = [
        json.loads(base64.b64decode(step["data"]))
        for event in kept["events"]
        if (told := event.get("upsertWorkflowSearchAttributesEventAttributes"))
        and (step := told["searchAttributes"]["indexedFields"].get(ids.FLOW_STEP.name))
    ]
    return pairwise([FIRST, *shown])


async def edges_kept(stage: Stage, flow_id: str) -> set[Edge]:
    """By the transitions that the run's projection kept."""
    async with stage.sessions() as session:
        rows = await session.execute(
            select(TransitionRow.from_state, TransitionRow.event, TransitionRow.to_state).where(
                TransitionRow.flow_id == flow_id
            )
        )
        return {(row.from_state, row.event, row.to_state) for row in rows}


async def steps_shown(
    handle: WorkflowHandle[Any, Any],
    present: Callable[[Any], Awaitable[str]],
    *,
    first: str = FIRST,
) -> set[Step]:
    """By the search attribute that each move sets; a run that was refused at its opening sets none, and tells its `present`
    state."""
    states = [first]
    async for event in handle.fetch_history_events():
        told = event.upsert_workflow_search_attributes_event_attributes.search_attributes
        step = told.indexed_fields.get(ids.FLOW_STEP.name)
        if step is not None:
            states += DataConverter.default.payload_converter.from_payloads([step], [str])
    if len(states) == 1:
        states.append(await present(handle))
    return set(pairwise(states))
