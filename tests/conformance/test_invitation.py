"""The transitions of an invitation: the chart holds its edges and no others, and real runs take every one of them."""

import uuid
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import pytest
from temporalio.client import Client, WorkflowUpdateFailedError

from db.base import Sessions
from domain.identity import invitation_v1 as transitions
from domain.identity.invitations import InvitationMessage, InvitationPolicy
from tests.conformance.transitions import (
    assert_chart_is,
    edges,
    events,
    events_named_in,
    steps,
    steps_shown,
    taken_by,
)
from tests.drivers.stage import Stage, a_stage
from tests.identity.invitations.stories import (
    INVITATION,
    Handle,
    at,
    ended,
    opened,
    registering,
    state,
)
from workflows import invitation
from workflows.client import send_update
from workflows.invitation import InvitationWorkflow

Story = Callable[[Stage], Awaitable[Handle]]

NEVER_DELIVERED = "down@people.example"
SOONER = InvitationPolicy(expiry=timedelta(seconds=2))
"""Before a slow mail is confirmed."""
SOON = InvitationPolicy(reminder=timedelta(milliseconds=200), expiry=timedelta(seconds=8))
"""Long for a busy machine: within it the mail is out, and the reminder."""


def test_the_chart_is_the_table_in_xstate() -> None:
    assert_chart_is(transitions.INVITATION, "invitation_v1")


def test_two_states_are_joined_by_one_event_at_most() -> None:
    """So that the states of a run tell which edges it took."""
    assert len(steps(transitions.INVITATION)) == len(edges(transitions.INVITATION))


def test_every_event_of_the_table_is_sent_by_its_workflow_and_the_reverse() -> None:
    named = events_named_in(invitation, transitions)
    assert named | set(transitions.USER_EVENTS) == events(transitions.INVITATION)


async def ask(handle: Handle, event: str) -> None:
    asked = {"event": event, "key": event, "first_name": "Nia", "last_name": "Newcomer"}
    message = InvitationMessage.model_validate(asked)
    await send_update(handle, InvitationWorkflow.answer, message, update_id=uuid.uuid4().hex)


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
    "reminded": reminded,  # the longest first
    **INVITATION,
    "accepted early": answered_early("ACCEPT"),
    "declined early": answered_early("DECLINE"),
    "withdrawn early": answered_early("WITHDRAW"),
    "delivered too late": delivered_too_late,
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
    async with a_stage(temporal, sessions, database_url, task_queue, tmp_path) as stage:
        every = await taken_by(
            stage, STORIES.values(), lambda handle: steps_shown(handle, present=state)
        )
    assert every == steps(transitions.INVITATION)
    say(f"invitation: {len(STORIES)} stories take all {len(every)} edges")
