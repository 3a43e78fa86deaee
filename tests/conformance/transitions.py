"""What is asked of every table of transitions: its chart holds its edges and no others, its workflow sends its
events, real runs take them."""

import ast
import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from itertools import pairwise
from types import ModuleType
from typing import Any, TypeVar

from sqlalchemy import select
from temporalio.client import WorkflowHandle
from temporalio.converter import DataConverter
from temporalio.workflow import _Definition

from db.runs.flows import TransitionRow
from domain.charts import FILES
from tests.conformance.xstate import Narrowing, tables
from tests.drivers.stage import Stage
from workflows import ids

Transitions = Mapping[str, Mapping[str, str]]
Edge = tuple[str, str, str]
Step = tuple[str, str]
"""An edge of a table in which two states are joined by one event at most."""

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
    *,
    at_once: int = AT_ONCE,
) -> set[Taken]:
    """What all stories took together; `told` reads it off a run that has ended."""
    turns = asyncio.Semaphore(at_once)

    async def one(story: Story) -> set[Taken]:
        async with turns:
            return await told(await story(stage))

    return set[Taken]().union(*await asyncio.gather(*map(one, stories)))


async def recorded_edges(stage: Stage, flow_id: str) -> set[Edge]:
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
    first: str = "opening",
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


def updates_of(workflow: type) -> set[str]:
    """What its updates are called in histories, whatever its methods are called."""
    return {name for name in _Definition.must_from_class(workflow).updates if name}
