"""A run that is ended from outside before anybody saw it has no row that would tell: what waits for it is not forgotten."""

import uuid
from dataclasses import replace
from functools import partial
from typing import Any

import httpx
import pytest
from temporalio.client import Client, WorkflowExecutionStatus, WorkflowHandle
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.operations.reconciler import ReconcilerActivities
from db.base import make_engine, make_sessions
from db.devices.visits import VisitRow
from db.runs.device_reservations import reserve
from dev.servers import Servers
from domain.activation.activation import Start
from domain.devices.activation_type import ActivationType
from domain.devices.devices import FirmwareOffer, FirmwareTarget
from domain.firmware.firmware import CURRENT_VERSION, FirmwareStart
from domain.kinds import ACTIVATION, FIRMWARE, VISIT
from domain.operations.operations import Repair
from domain.runs.kind import RunKind
from providers.device_network.device_cloud import DeviceCloud
from tests.devices.visits.factories import an_asked_visit
from tests.devices.visits.stories import QUICK
from tests.drivers.stage import Stage, a_device_key, a_person
from tests.drivers.until import until
from tests.firmware.runs import PATIENT
from tests.operations.reconciler.rounds import a_round
from tests.operations.reconciler.unseen import (
    forgotten,
    gone_before_it_was_shown,
    shown_by_a_round,
    times,
)
from workflows import ids


def an_update(notify: str | None) -> FirmwareStart:
    """Of a device of its own."""
    offer = FirmwareOffer(target=FirmwareTarget.MAIN, from_version="1.4.0", to_version="1.5.0")
    return FirmwareStart(
        run_id=uuid.uuid4().hex,
        version=CURRENT_VERSION,
        device_key=a_device_key(traits="010"),
        offers=(offer,),
        notify=notify,
        policy=PATIENT,
        portal_url="http://portal.test",
    )


async def test_a_firmware_run_is_begun_anew_once(stage: Stage) -> None:
    """The activation that began it as its child waits for what it tells."""
    activation = await stage.open(a_device_key())
    start = an_update(activation.handle.id)
    run = start.run_id
    await stage.control(start.device_key, answer_seconds=600)
    await gone_before_it_was_shown(stage, FIRMWARE, start)
    await shown_by_a_round(stage, "firmware", run)
    await stage.until(run, lambda shown: shown.state == "download_sent", kind="firmware")

    await forgotten(stage, run)
    await shown_by_a_round(stage, "firmware", run)
    assert await times(stage, "firmware", run, Repair.GONE_ON) == 1

    # What it has sent by now is not sent again, whatever became of its row.
    name = FIRMWARE.workflow_id(start)
    await stage.client.get_workflow_handle(name).terminate("by mistake")
    await until(lambda: ended(stage.client, name), lambda count: count == 2)
    await a_round(stage)
    shown = await stage.flow(run, "firmware")
    assert shown is not None
    assert (shown.state, shown.ended) == ("cancelled", True)
    await forgotten(stage, run)
    await a_round(stage)
    assert await stage.flow(run, "firmware") is None
    assert await times(stage, "firmware", run, Repair.GONE_ON) == 1


async def ended(client: Client, name: str) -> int:
    """How many runs of this name Temporal lists as ended from outside."""
    query = f"WorkflowId = '{name}' AND ExecutionStatus = 'Terminated'"
    return (await client.count_workflows(query)).count


@pytest.mark.parametrize("waits", ["nobody", "one that is over", "one that was begun since"])
async def test_a_firmware_run_that_no_activation_waits_for_stays_ended(
    stage: Stage, waits: str
) -> None:
    key = a_device_key()
    start = an_update(None if waits == "nobody" else ids.activation_id(key))
    if waits == "one that is over":
        activation = await stage.open(key)
        await gone_before_it_was_shown(stage, FIRMWARE, start)
        await activation.handle.terminate("by mistake")
    else:
        await gone_before_it_was_shown(stage, FIRMWARE, start)
        await stage.open(key)
    name = FIRMWARE.workflow_id(start)
    await until(lambda: ended(stage.client, name), lambda count: count == 1)
    assert (await a_round(stage)).failed == ()
    described = await stage.client.get_workflow_handle(name).describe()
    assert described.status is WorkflowExecutionStatus.TERMINATED
    assert await times(stage, "firmware", start.run_id, Repair.GONE_ON) == 0


async def test_a_history_that_cannot_be_read_keeps_no_other_from_being_begun_and_is_told(
    temporal: Client, servers: Servers, task_queue: str
) -> None:
    """No worker takes anything up here: what is looked at is what is asked of Temporal."""

    async def begin(kind: RunKind[Any], name: str, start: Any) -> WorkflowHandle[Any, Any]:
        return await temporal.start_workflow(  # pyright: ignore[reportUnknownMemberType]
            kind.workflow, start, id=name, task_queue=task_queue
        )

    key = a_device_key()
    activation = await begin(ACTIVATION, ids.activation_id(key), {"of": "a test"})
    start = an_update(activation.id)
    good, bad = FIRMWARE.workflow_id(start), ids.firmware_id(a_device_key())
    for name, begun_with in ((good, start), (bad, {"of": "another release"})):
        await (await begin(FIRMWARE, name, begun_with)).terminate("lost")
        await until(partial(ended, temporal, name), lambda count: count == 1)

    with servers.database("unread") as urls:
        engine = make_engine(urls[0])
        nowhere = DeviceCloud(httpx.AsyncClient(), base_url="http://nowhere", api_key="k")
        found = ReconcilerActivities(temporal, make_sessions(engine), nowhere)
        worker = ActivityEnvironment()
        worker.info = replace(worker.info, task_queue=task_queue)
        with pytest.raises(ApplicationError, match=bad) as told:
            await worker.run(found.find_unseen)
        await engine.dispose()
    assert good not in str(told.value)
    followed = await temporal.get_workflow_handle(good).describe()
    assert followed.status is WorkflowExecutionStatus.RUNNING
    for name in (activation.id, good):
        await temporal.get_workflow_handle(name).terminate("its test is over")


async def test_a_visit_is_asked_for_anew(stage: Stage) -> None:
    _, start = await an_asked_visit(stage.sessions, QUICK)
    await gone_before_it_was_shown(stage, VISIT, start)
    await a_round(stage)

    async def shown() -> bool:
        async with stage.sessions() as session:
            return (await session.get_one(VisitRow, start.id)).rev > 0

    await until(shown)
    await a_round(stage)
    assert await times(stage, "visit", start.id, Repair.VISIT_BEGUN) == 1


async def test_an_activation_leaves_its_device_to_whoever_begins_again(stage: Stage) -> None:
    """Nobody was told of it and nothing was done: no other takes its place by itself."""
    key = a_device_key()
    start = Start(
        id=uuid.uuid4().hex,
        flow_version=1,
        kind=ActivationType.NEW_DEVICE,
        device_key=key,
        site="ca",
        canadian=True,
        actor=a_person(),
    )
    await gone_before_it_was_shown(stage, ACTIVATION, start)
    name = ACTIVATION.workflow_id(start)
    async with stage.sessions.begin() as session:
        assert await reserve(
            session, device_key=key, kind="activation", flow_id=start.id, workflow_id=name
        )
    await a_round(stage)
    assert await stage.flow(start.id) is None
    run = await stage.open(key)
    await run.walk_to("completed")
