"""The walk of a bank account's verification and its workflow say the same: every event is sent, every edge is taken."""

import ast
import asyncio
import inspect
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from temporalio.client import Client, WorkflowHandle, WorkflowUpdateFailedError
from temporalio.converter import DataConverter

from db.base import Sessions
from domain.flows import bank_verification_v1 as walk
from tests.bank_accounts.stories import (
    BANK_VERIFICATION,
    RIGHT,
    SOON,
    Handle,
    at,
    ended,
    gateway_away,
    named,
    opened,
    settled,
    view,
)
from tests.stage import Stage, a_stage
from workflows import bank_verification, ids

Edge = tuple[str, str]
Story = Callable[[Stage], Awaitable[Handle]]

AT_ONCE = 6


def edges() -> set[Edge]:
    return {(name, target) for name, to in walk.BANK_VERIFICATION.items() for target in to.values()}


def test_two_states_are_joined_by_one_event_at_most() -> None:
    """So that the states of a run tell which edges it took."""
    assert len(edges()) == sum(len(to) for to in walk.BANK_VERIFICATION.values())


def test_every_event_of_the_walk_is_sent_by_its_workflow_and_the_reverse() -> None:
    tree = ast.parse(inspect.getsource(bank_verification))
    named_there = {
        getattr(walk, node.attr)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "walk"
        and isinstance(getattr(walk, node.attr), str)
    }
    assert named_there == {event for to in walk.BANK_VERIFICATION.values() for event in to}


async def removed_while_sending(stage: Stage) -> Handle:
    handle = await opened(stage, deposits=False)
    await at(stage, handle, "sending")
    await handle.signal("account_removed")
    await at(stage, handle, "removed")
    await gateway_away(stage, False)
    return await ended(handle)


async def never_sent(stage: Stage) -> Handle:
    handle = await opened(stage, deposits=False, policy=SOON)
    await at(stage, handle, "expired")
    await gateway_away(stage, False)
    return await ended(handle)


async def test_amounts_are_refused_in_every_other_state(
    temporal: Client, sessions: Sessions, database_url: str, task_queue: str, tmp_path: Path
) -> None:
    async with a_stage(
        temporal, sessions, database_url, task_queue, tmp_path, relays=False
    ) as stage:
        handle = await opened(stage)
        await named(stage, handle, RIGHT)
        with pytest.raises(WorkflowUpdateFailedError):
            await handle.execute_update("verify", {"secret_id": "s", "person_id": "p"})
        assert (await view(handle)).state == "verified"
        assert (await (await settled(stage)).result()).state == "settled"


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
    async with a_stage(
        temporal, sessions, database_url, task_queue, tmp_path, relays=False
    ) as stage:

        async def taken(story: Story) -> set[Edge]:
            async with turns:
                return await _edges_of(await story(stage))

        by_story = await asyncio.gather(*map(taken, BANK_VERIFICATION.values()))
        # One after the other: the gateway is away meanwhile.
        alone = [await taken(story) for story in (removed_while_sending, never_sent)]
    every = set[Edge]().union(*by_story, *alone)
    assert every == edges()
    say(f"bank verification: {len(by_story) + 2} stories take all {len(every)} edges")


async def _edges_of(handle: WorkflowHandle[Any, Any]) -> set[Edge]:
    """Told by the search attribute that each move sets; a run that was refused at its opening sets none."""
    states = ["opening"]
    async for event in handle.fetch_history_events():
        told = event.upsert_workflow_search_attributes_event_attributes.search_attributes
        step = told.indexed_fields.get(ids.FLOW_STEP.name)
        if step is not None:
            states += DataConverter.default.payload_converter.from_payloads([step], [str])
    if len(states) == 1:
        states.append((await view(handle)).state)
    return set(pairwise(states))
