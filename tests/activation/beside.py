"""An activation of version 3 whose firmware is updated beside its steps."""

from typing import Any

from domain.activation.activation import Resume, Skip
from tests.drivers.stage import Run, Stage, a_device_key
from tests.firmware.runs import PATIENT, FirmwareRun, in_a_day
from workflows import ids
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
