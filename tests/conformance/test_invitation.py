"""The walk of an invitation: the chart holds its edges and no others, and real runs take every one of them."""

import ast
import asyncio
import inspect
import uuid
from collections.abc import Awaitable, Callable
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from temporalio.client import Client, WorkflowHandle, WorkflowUpdateFailedError
from temporalio.converter import DataConverter

from db.base import Sessions
from domain.flows import invitation_v1 as walk
from domain.flows.charts import FILES
from domain.invitations import InvitationAsk, InvitationPolicy
from tests.conformance.xstate import Narrowing, tables
from tests.invitations.stories import INVITATION, Handle, at, ended, opened, registering, state
from tests.stage import Stage, a_stage
from workflows import ids, invitation
from workflows.client import tell_run
from workflows.invitation import InvitationWorkflow

Edge = tuple[str, str]
Story = Callable[[Stage], Awaitable[Handle]]

AT_ONCE = 6
NEVER_DELIVERED = "down@people.example"
SOONER = InvitationPolicy(expiry=timedelta(seconds=2))
"""Before a slow mail is confirmed."""
SOON = InvitationPolicy(reminder=timedelta(milliseconds=200), expiry=timedelta(seconds=4))


def edges() -> set[Edge]:
    return {(name, target) for name, to in walk.INVITATION.items() for target in to.values()}


def test_the_chart_is_the_walk_in_xstate() -> None:
    (table,) = tables(FILES["invitation_v1"], [Narrowing(plan=())])
    assert table.states == {name: dict(to) for name, to in walk.INVITATION.items()}
    assert set(table.ends) == {name for name, to in walk.INVITATION.items() if not to}


def test_two_states_are_joined_by_one_event_at_most() -> None:
    """So that the states of a run tell which edges it took."""
    assert len(edges()) == sum(len(to) for to in walk.INVITATION.values())


def test_every_event_of_the_walk_is_sent_by_its_workflow_and_the_reverse() -> None:
    tree = ast.parse(inspect.getsource(invitation))
    named = {
        getattr(walk, node.attr)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "walk"
        and isinstance(getattr(walk, node.attr), str)
    }
    asked = set(walk.USER_EVENTS)
    assert named | asked == {event for to in walk.INVITATION.values() for event in to}


async def ask(handle: Handle, event: str) -> None:
    asked = {"event": event, "key": event, "first_name": "Nia", "last_name": "Newcomer"}
    message = InvitationAsk.model_validate(asked)
    await tell_run(handle, InvitationWorkflow.answer, message, update_id=uuid.uuid4().hex)


def answered_early(event: str) -> Story:
    """By the link, which works before the mail's delivery is confirmed."""

    async def story(stage: Stage) -> Handle:
        handle = await opened(stage, NEVER_DELIVERED)
        await at(stage, handle, "sending")
        await ask(handle, event)
        return handle

    return story


async def delivered_too_late(stage: Stage) -> Handle:
    return await ended(await opened(stage, "slow@people.example", policy=SOONER))


async def reminded(stage: Stage) -> Handle:
    return await ended(await opened(stage, policy=SOON))


async def withdrawn_from_a_newcomer(stage: Stage) -> Handle:
    handle = await registering(stage)
    for event in ("ACCEPT", "DECLINE"):
        with pytest.raises(WorkflowUpdateFailedError):
            await ask(handle, event)
    assert await state(handle) == "registering"
    await ask(handle, "WITHDRAW")
    return await ended(handle)


STORIES: dict[str, Story] = {
    **INVITATION,
    "accepted early": answered_early("ACCEPT"),
    "declined early": answered_early("DECLINE"),
    "withdrawn early": answered_early("WITHDRAW"),
    "delivered too late": delivered_too_late,
    "reminded": reminded,
    "withdrawn from a newcomer": withdrawn_from_a_newcomer,
}


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
                return await _edges_of(await story(stage))

        by_story = await asyncio.gather(*map(taken, STORIES.values()))
    every = set[Edge]().union(*by_story)
    assert every == edges()
    say(f"invitation: {len(STORIES)} stories take all {len(every)} edges")


async def _edges_of(handle: WorkflowHandle[Any, Any]) -> set[Edge]:
    """Told by the search attribute that each move sets; a run that was refused at its opening sets none."""
    states = ["opening"]
    async for event in handle.fetch_history_events():
        told = event.upsert_workflow_search_attributes_event_attributes.search_attributes
        step = told.indexed_fields.get(ids.FLOW_STEP.name)
        if step is not None:
            states += DataConverter.default.payload_converter.from_payloads([step], [str])
    if len(states) == 1:
        states.append(await state(handle))
    return set(pairwise(states))
