"""The transitions of a purchase of plans: the chart holds its edges and no others, and real runs take every one of them."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from temporalio.client import Client, WorkflowHandle

from db.base import Sessions
from domain.plans import purchase_v1, purchase_v2
from domain.plans import purchase_v3 as transitions
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
from tests.plans.purchases.approvals.stories import PURCHASE_APPROVALS
from tests.plans.purchases.stories import PURCHASE, PURCHASE_BEHIND, PURCHASE_PATH_2, PURCHASE_V3
from workflows.plans import purchase, purchase_approval, purchase_failed
from workflows.plans.purchase import PurchaseWorkflow

AT_ONCE = 5
UPDATES = {
    transitions.REQUOTE: "requote",
    transitions.CONFIRM: "confirm",
    transitions.PAY: "choose_payment",
    transitions.RETRY: "retry",
    transitions.GIVE_UP: "give_up",
    transitions.CANCEL: "cancel",
    transitions.APPROVE: "approve",
    transitions.REJECT: "reject",
    transitions.AGREE: "agree",
}
"""What a person asks → the update that brings it."""


def test_the_chart_is_the_table_in_xstate() -> None:
    assert_chart_is(transitions.PURCHASE, "purchase_v3")
    assert_chart_is(purchase_v2.PURCHASE, "purchase_v2")
    assert_chart_is(purchase_v1.PURCHASE, "purchase_v1")


def test_version_1_is_the_part_of_version_2_without_limits() -> None:
    for state, to in purchase_v1.PURCHASE.items():
        assert to.items() <= purchase_v2.PURCHASE[state].items()


def test_version_3_differs_in_who_gives_up_alone() -> None:
    """What waited for its buyer for a day was paid back without their yes; now it is tried again."""
    for state, to in purchase_v2.PURCHASE.items():
        if state != "part_failed":
            assert transitions.PURCHASE[state] == to
    gives_up = [
        event for event, to in transitions.PURCHASE["part_failed"].items() if to == "refunding"
    ]
    assert gives_up == [transitions.GIVE_UP]


def test_every_state_has_its_name_and_its_part_of_the_workflow() -> None:
    assert set(transitions.LABELS) == set(transitions.PURCHASE)
    source = inspect.getsource(PurchaseWorkflow.execute)
    for name, to in transitions.PURCHASE.items():
        assert (f'"{name}":' in source) is bool(to), name


def test_every_event_of_the_table_is_sent_by_its_workflow_and_the_reverse() -> None:
    parts = (purchase, purchase_approval, purchase_failed)
    named = {event for part in parts for event in events_named_in(part, transitions)}
    assert named - {"WAITING"} == events(transitions.PURCHASE) | {"PURCHASE", "USER_EVENTS"} & named


def test_whatever_a_person_asks_has_its_update() -> None:
    assert set(UPDATES) == set(transitions.USER_EVENTS)
    assert set(UPDATES.values()) <= updates_of(PurchaseWorkflow)


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
            return await recorded_edges(stage, handle.id.removeprefix("sub-"))

        stories = [
            *PURCHASE.values(),
            *PURCHASE_V3.values(),
            *PURCHASE_APPROVALS.values(),
            *PURCHASE_BEHIND.values(),
            *PURCHASE_PATH_2.values(),
        ]
        every = await taken_by(stage, stories, edges_of, at_once=AT_ONCE)
    assert every == edges(transitions.PURCHASE)
    say(f"purchase: {len(stories)} stories take all {len(every)} edges")
