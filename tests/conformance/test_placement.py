"""The transitions of a placement: the chart holds its edges and no others, and real runs take every one of them."""

import inspect
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from temporalio.client import Client, WorkflowHandle

from db.base import Sessions
from domain.checkout.placements import placement_v1, placement_v2, placement_v3
from domain.checkout.placements import placement_v4 as transitions
from tests.checkout.placements.stories import (
    APPROVALS,
    BEHIND,
    CHECKED_AGAIN,
    PLACEMENT,
    SENT,
)
from tests.conformance.transitions import (
    Edge,
    assert_chart_is,
    edges,
    events,
    events_named_in,
    recorded_edges,
    taken_by,
    updates_of,
)
from tests.drivers.stage import a_stage
from workflows.checkout import placement, placement_approval, placement_money, placement_state
from workflows.checkout.placement import PlacementWorkflow
from workflows.checkout.placement_state import WAYS_OUT

AT_ONCE = 5
UPDATES = {
    transitions.CHOOSE_PAYMENT: "choose_payment",
    transitions.CANCEL: "cancel",
    transitions.AGREE: "agree",
    transitions.APPROVE: "approve_order",
    transitions.REJECT: "reject",
} | dict.fromkeys(transitions.OPERATORS_EVENTS, "settle_by_hand")
"""What a person asks → the update that brings it."""


def test_the_chart_is_the_table_in_xstate() -> None:
    assert_chart_is(transitions.PLACEMENT, "placement_v4")
    assert_chart_is(placement_v3.PLACEMENT, "placement_v3")
    assert_chart_is(placement_v2.PLACEMENT, "placement_v2")
    assert_chart_is(placement_v1.PLACEMENT, "placement_v1")


def test_each_version_until_the_third_holds_the_one_before() -> None:
    versions = (placement_v1.PLACEMENT, placement_v2.PLACEMENT, placement_v3.PLACEMENT)
    for before, after in pairwise(versions):
        for state, to in before.items():
            assert to.items() <= after[state].items()


def test_version_4_differs_in_a_payment_that_is_tried_again_alone() -> None:
    before, now = (
        {(state, event, to) for state, tos in table.items() for event, to in tos.items()}
        for table in (placement_v3.PLACEMENT, transitions.PLACEMENT)
    )
    retried = ("needs_attention", transitions.RETRY_PAYMENT)
    assert (before - now, now - before) == ({(*retried, "authorising")}, {(*retried, "checking")})


def test_every_state_has_its_name_and_its_part_of_the_workflow() -> None:
    assert set(transitions.LABELS) == set(transitions.PLACEMENT)
    source = inspect.getsource(PlacementWorkflow.execute)
    for name, to in transitions.PLACEMENT.items():
        assert (f'"{name}":' in source) is bool(to), name


def test_every_event_of_the_table_is_sent_by_its_workflow_and_the_reverse() -> None:
    asked = {event for how in transitions.STUCK.values() for event in how} | set(
        transitions.USER_EVENTS
    )
    modules = (placement, placement_approval, placement_money, placement_state)
    named = set(WAYS_OUT.values()).union(*(events_named_in(one, transitions) for one in modules))
    assert named | asked == events(transitions.PLACEMENT)


def test_whatever_a_person_asks_has_its_update() -> None:
    assert set(UPDATES) == set(transitions.USER_EVENTS)
    assert set(UPDATES.values()) <= updates_of(PlacementWorkflow)


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
    async with a_stage(temporal, sessions, database_url, task_queue, tmp_path) as stage:

        async def edges_of(handle: WorkflowHandle[Any, Any]) -> set[Edge]:
            return await recorded_edges(stage, handle.id.removeprefix("order-"))

        stories = [
            *PLACEMENT.values(),
            *APPROVALS.values(),
            *BEHIND.values(),
            *SENT.values(),
            CHECKED_AGAIN["unclear_payment_without_the_right"],
        ]
        every = await taken_by(
            stage,
            stories,
            edges_of,
            at_once=AT_ONCE,
        )
    assert every == edges(transitions.PLACEMENT)
    say(f"placement: {len(stories)} stories take all {len(every)} edges")
