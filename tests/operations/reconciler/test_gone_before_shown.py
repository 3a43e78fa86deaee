"""A run that is ended from outside before anybody saw it has no row that would tell: what waits for it is not forgotten."""

import uuid

from db.devices.visits import VisitRow
from db.runs.device_reservations import reserve
from domain.activation.activation import Start
from domain.devices.activation_type import ActivationType
from domain.devices.devices import FirmwareOffer, FirmwareTarget
from domain.firmware.firmware import CURRENT_VERSION, FirmwareStart
from domain.kinds import ACTIVATION, FIRMWARE, VISIT
from domain.operations.operations import Repair
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


async def test_a_firmware_run_is_begun_anew_once(stage: Stage) -> None:
    """The activation that began it as its child waits for what it tells."""
    key, run = a_device_key(traits="010"), uuid.uuid4().hex
    await stage.control(key, answer_seconds=600)
    offer = FirmwareOffer(target=FirmwareTarget.MAIN, from_version="1.4.0", to_version="1.5.0")
    start = FirmwareStart(
        run_id=run,
        version=CURRENT_VERSION,
        device_key=key,
        offers=(offer,),
        policy=PATIENT,
        portal_url="http://portal.test",
    )
    await gone_before_it_was_shown(stage, FIRMWARE, start)
    await shown_by_a_round(stage, "firmware", run)
    await stage.until(run, lambda shown: shown.state == "download_sent", kind="firmware")

    await forgotten(stage, run)
    await shown_by_a_round(stage, "firmware", run)
    assert await times(stage, "firmware", run, Repair.GONE_ON) == 1

    # What it has sent by now is not sent again, whatever became of its row.
    name = FIRMWARE.workflow_id(start)
    await stage.client.get_workflow_handle(name).terminate("by mistake")
    await until(lambda: ended(stage, name), lambda count: count == 2)
    await a_round(stage)
    shown = await stage.flow(run, "firmware")
    assert shown is not None
    assert (shown.state, shown.ended) == ("cancelled", True)
    await forgotten(stage, run)
    await a_round(stage)
    assert await stage.flow(run, "firmware") is None
    assert await times(stage, "firmware", run, Repair.GONE_ON) == 1


async def ended(stage: Stage, name: str) -> int:
    """How many runs of this name Temporal lists as ended from outside."""
    query = f"WorkflowId = '{name}' AND ExecutionStatus = 'Terminated'"
    return (await stage.client.count_workflows(query)).count


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
