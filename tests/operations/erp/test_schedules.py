"""What keeps our mirror of the ERP is begun by schedules."""

from dataclasses import replace

import pytest
from temporalio.client import Client, ScheduleActionExecutionStartWorkflow

from tests.drivers.factories import a_name
from tests.drivers.until import until
from workers.release import schedules
from workers.release.schedules import Recurring


@pytest.mark.parametrize(
    "recurring", [schedules.COMPARISON, schedules.FEED], ids=lambda one: one.id
)
async def test_a_schedule_begins_it(temporal: Client, recurring: Recurring) -> None:
    """In a queue where nobody works: it would read all of a business's records."""
    own = replace(recurring, id=f"{recurring.id}-{a_name()}")
    await schedules.bring(temporal, a_name(), own)
    handle = temporal.get_schedule_handle(own.id)
    await handle.trigger()

    async def begun() -> list[str]:
        actions = [one.action for one in (await handle.describe()).info.recent_actions]
        return [
            one.workflow_id
            for one in actions
            if isinstance(one, ScheduleActionExecutionStartWorkflow)
        ]

    (id_, *_) = await until(begun, lambda ids: bool(ids), within=20)
    await handle.delete()
    run = temporal.get_workflow_handle(id_)
    workflow = (await run.describe()).workflow_type
    await run.terminate()
    assert workflow in {"ErpComparison", "ErpFeed"}


def test_a_night_that_was_missed_is_made_up_for() -> None:
    nightly = [one for one in schedules.SCHEDULES if not one.goes_round]
    assert {one.id for one in nightly if one.missed < schedules.LONGEST_ROUND} == set()
