"""The transitions of a case: the chart holds its edges and no others, and real runs take every one of them."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from temporalio.client import Client, WorkflowHandle

from db.base import Sessions
from domain.kinds import CASE as KIND
from domain.operations import case_v1 as transitions
from tests.conformance.transitions import (
    Edge,
    assert_chart_is,
    edges,
    events,
    events_named_in,
    recorded_edges,
    taken_by,
)
from tests.drivers.stage import a_stage
from tests.operations.cases.stories import CASE
from workflows.operations import case, case_owed, case_refund, case_reopening, case_state
from workflows.operations.case import CaseWorkflow


def test_the_chart_is_the_table_in_xstate() -> None:
    assert_chart_is(transitions.CASE, "case_v1")


def test_every_state_has_its_name_and_its_part_of_the_workflow() -> None:
    assert set(transitions.LABELS) == set(transitions.CASE)
    source = inspect.getsource(CaseWorkflow.execute)
    for name, to in transitions.CASE.items():
        assert (f'"{name}":' in source) is bool(to), name


def test_every_event_is_sent_by_its_workflow_and_the_reverse() -> None:
    modules = (case, case_owed, case_refund, case_reopening, case_state)
    named: set[str] = set().union(*(events_named_in(one, transitions) for one in modules))
    assert named == events(transitions.CASE)


def test_whatever_a_person_asks_has_its_update() -> None:
    assert set(KIND.commands.values()) == set(transitions.USER_EVENTS)


@pytest.mark.whole  # each story is recorded, and its history replayed in every run
@pytest.mark.timeout(300)
async def test_real_runs_take_every_edge(
    temporal: Client,
    sessions: Sessions,
    database_url: str,
    task_queue: str,
    tmp_path: Path,
    say: Callable[[str], None],
) -> None:
    async with a_stage(
        temporal, sessions, database_url, task_queue, tmp_path, relays=False
    ) as stage:

        async def edges_of(handle: WorkflowHandle[Any, Any]) -> set[Edge]:
            return await recorded_edges(stage, handle.id.removeprefix("case-"))

        every = await taken_by(stage, CASE.values(), edges_of)
    assert every == edges(transitions.CASE)
    say(f"case: {len(CASE)} stories take all {len(every)} edges")
