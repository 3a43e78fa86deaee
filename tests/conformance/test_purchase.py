"""The walk of a purchase of plans: the chart holds its edges and no others, and real runs take every one of them."""

import ast
import asyncio
import inspect
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select
from temporalio.client import Client

from db.base import Sessions
from db.flows import TransitionRow
from domain.flows import purchase_v1 as walk
from domain.flows.charts import FILES
from tests.conformance.xstate import Narrowing, tables
from tests.purchases.stories import PURCHASE, Story
from tests.stage import Stage, a_stage
from workflows import purchase
from workflows.purchase import PurchaseWorkflow

Edge = tuple[str, str, str]

AT_ONCE = 5
UPDATES = {
    walk.REQUOTE: "requote",
    walk.CONFIRM: "confirm",
    walk.PAY: "choose_payment",
    walk.RETRY: "retry",
    walk.GIVE_UP: "give_up",
    walk.CANCEL: "cancel",
}
"""What a person asks → the update that brings it."""


def edges() -> set[Edge]:
    return {
        (name, event, target) for name, to in walk.PURCHASE.items() for event, target in to.items()
    }


def test_the_chart_is_the_walk_in_xstate() -> None:
    (table,) = tables(FILES["purchase_v1"], [Narrowing(plan=())])
    assert table.states == {name: dict(to) for name, to in walk.PURCHASE.items()}
    assert set(table.ends) == {name for name, to in walk.PURCHASE.items() if not to}


def test_every_state_has_its_name_and_its_part_of_the_workflow() -> None:
    assert set(walk.LABELS) == set(walk.PURCHASE)
    source = inspect.getsource(PurchaseWorkflow.live)
    for name, to in walk.PURCHASE.items():
        assert (f'"{name}":' in source) is bool(to), name


def test_every_event_of_the_walk_is_sent_by_its_workflow_and_the_reverse() -> None:
    tree = ast.parse(inspect.getsource(purchase))
    named = {
        getattr(walk, node.attr)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "walk"
        and isinstance(getattr(walk, node.attr), str)
    }
    assert named == {event for _, event, _ in edges()} | {"PURCHASE", "USER_EVENTS"} & named


def test_whatever_a_person_asks_has_its_update() -> None:
    assert set(UPDATES) == set(walk.USER_EVENTS)
    for update in UPDATES.values():
        assert hasattr(PurchaseWorkflow, update)


@pytest.mark.timeout(300)
async def test_real_runs_take_every_edge(
    temporal: Client,
    sessions: Sessions,
    database_url: str,
    task_queue: str,
    tmp_path: Path,
    say: Callable[[str], None],
) -> None:
    turns = asyncio.Semaphore(AT_ONCE)
    async with a_stage(temporal, sessions, database_url, task_queue, tmp_path) as stage:

        async def taken(story: Story) -> set[Edge]:
            async with turns:
                handle = await story(stage)
                return await _edges_of(stage, handle.id.removeprefix("sub-"))

        by_story = await asyncio.gather(*map(taken, PURCHASE.values()))
    every = set[Edge]().union(*by_story)
    assert every == edges()
    say(f"purchase: {len(PURCHASE)} stories take all {len(every)} edges")


async def _edges_of(stage: Stage, id_: str) -> set[Edge]:
    async with stage.sessions() as session:
        rows = await session.execute(
            select(TransitionRow.from_state, TransitionRow.event, TransitionRow.to_state).where(
                TransitionRow.flow_id == id_
            )
        )
        return {(row.from_state, row.event, row.to_state) for row in rows}
