"""The transitions of a bank account's verification and its workflow say the same: every event is sent, every edge is taken."""

from collections.abc import Callable
from pathlib import Path

import pytest
from temporalio.client import Client, WorkflowUpdateFailedError

from db.base import Sessions
from domain.billing import bank_verification_v1 as transitions
from tests.billing.bank_accounts.stories import (
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
from tests.conformance.transitions import (
    Step,
    edges,
    events,
    events_named_in,
    steps,
    steps_shown,
    taken_by,
)
from tests.drivers.stage import Stage, a_stage
from workflows.billing import bank_verification


def test_two_states_are_joined_by_one_event_at_most() -> None:
    """So that the states of a run tell which edges it took."""
    assert len(steps(transitions.BANK_VERIFICATION)) == len(edges(transitions.BANK_VERIFICATION))


def test_every_event_of_the_table_is_sent_by_its_workflow_and_the_reverse() -> None:
    assert events_named_in(bank_verification, transitions) == events(transitions.BANK_VERIFICATION)


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


ALONE = (removed_while_sending, never_sent)


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
    async with a_stage(
        temporal, sessions, database_url, task_queue, tmp_path, relays=False
    ) as stage:
        every = await taken_by(stage, BANK_VERIFICATION.values(), _steps)
        # One after the other: the gateway is away meanwhile.
        every |= await taken_by(stage, ALONE, _steps, at_once=1)
    assert every == steps(transitions.BANK_VERIFICATION)
    count = len(BANK_VERIFICATION) + len(ALONE)
    say(f"bank verification: {count} stories take all {len(every)} edges")


async def _steps(handle: Handle) -> set[Step]:
    async def present(run: Handle) -> str:
        return (await view(run)).state

    return await steps_shown(handle, present)
