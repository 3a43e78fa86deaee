"""An activation of version 3 whose firmware is updated beside its steps."""

from typing import Any

from domain.activation.activation import Back, Resume, Skip
from domain.activation.configuring import TablesForm
from domain.activation.lost_firmware import end_of
from tests.activation.configuring.forms import a_change
from tests.drivers.stage import Run, Stage, a_device_key
from tests.firmware.runs import PATIENT, FirmwareRun, in_a_day
from workflows import ids
from workflows.activation import ActivationWorkflow
from workflows.firmware import FirmwareWorkflow

OPTIONS = "controller-option-tables"


async def begun(stage: Stage, **more: Any) -> tuple[Run, FirmwareRun]:
    """At the options of its controller; the device is silent at its first download."""
    key = a_device_key(traits="010")
    await stage.control(key, controller="CM900S")
    values: dict[str, Any] = {"firmware_policy": PATIENT} | more
    run = await stage.open(key, version=3, resume=Resume(entry="check-firmware"), **values)
    await stage.control(key, silent_commands=1)
    await run.submit()
    shown = await run.until(
        lambda shown: (shown.view["facts"]["firmware"] or {}).get("state") == "download_sent"
    )
    assert shown.state == OPTIONS
    handle = stage.client.get_workflow_handle_for(FirmwareWorkflow.run, ids.firmware_id(key))
    return run, FirmwareRun(stage, key, shown.view["facts"]["firmware"]["run_id"], handle)


async def finish_update(firmware: FirmwareRun) -> None:
    """The silent device is deferred and called back, and then does as it is told."""
    await firmware.ask("defer", until=in_a_day())
    await firmware.ask("retry_now")


async def kept(stage: Stage, run: Run, key: str) -> TablesForm:
    """Options are sent to a device that installs its firmware."""
    await stage.control(key, updating_seconds=600)
    form = await a_change(stage, key, OPTIONS)
    reply = await run.submit(form)
    assert reply.state == f"{OPTIONS}/waiting"
    return form


async def take_back(run: Run) -> None:
    """The form that waits."""
    reply = await run.send(Back(actor=run.person, seq=run.reply.seq, step=OPTIONS))
    assert reply.state == OPTIONS


async def lose(run: Run, firmware: FirmwareRun) -> None:
    """The run of the firmware is gone, and its activation is told of that."""
    await firmware.handle.terminate("by mistake")
    shown = await run.stage.flow(firmware.id, "firmware")
    assert shown
    await run.handle.signal(ActivationWorkflow.firmware_progress, end_of(shown))


async def passed_over(run: Run) -> None:
    """At the tests, whose update has failed."""
    await run.walk_to("device-testing")
    await run.until(lambda shown: "SKIP" in shown.allowed)
    passes = Skip(
        actor=run.person,
        seq=run.reply.seq,
        step="check-firmware",
        reason="the owner cannot wait",
    )
    await run.send(passes)
