"""One run for every branch that version 3 brought to the activation."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

from temporalio.client import WorkflowHandle

from domain.activation.activation import Back, Policy, Reset
from domain.activation.configuring import ReplaceForm
from domain.devices.activation_type import ActivationType
from tests.activation.beside import (
    OPTIONS,
    begun,
    finish_update,
    kept,
    lose,
    passed_over,
    take_back,
)
from tests.activation.configuring.forms import a_change
from tests.drivers.outside.reports import a_report, report
from tests.drivers.stage import Run, Stage, a_device_key, step_of
from tests.firmware.runs import PATIENT

Handle = WorkflowHandle[Any, Any]
Story = Callable[[Stage], Awaitable[Handle]]


async def to_the_end(run: Run) -> Handle:
    await run.walk_to("completed", within=60)
    await run.handle.result()
    return run.handle


async def beside(stage: Stage) -> Handle:
    """Written during the download, kept during the installation, written afterwards; then tested."""
    run, firmware = await begun(stage)
    key = firmware.device_key
    await run.submit(await a_change(stage, key, OPTIONS))
    await run.send(Back(actor=run.person, seq=run.reply.seq, step="system-settings"))
    await kept(stage, run, key)
    before = await run.at(f"{OPTIONS}/waiting")
    await report(stage.sessions, a_report(key))
    await run.until(lambda shown: shown.rev > before.rev + 1 and shown.view["held"])
    await stage.control(key, updating_seconds=0)
    await report(stage.sessions, a_report(key))
    await run.at("system-settings")
    await run.walk_to("device-testing")
    await finish_update(firmware)
    await run.until(lambda shown: "ACT" in shown.allowed)
    await run.act("location")
    await run.at("device-testing")
    return await to_the_end(run)


async def kept_and_refused(stage: Stage) -> Handle:
    run, firmware = await begun(stage)
    key = firmware.device_key
    await kept(stage, run, key)
    await stage.control(key, updating_seconds=0, special_refusals=3)
    await report(stage.sessions, a_report(key))
    await run.at(OPTIONS)
    await finish_update(firmware)
    return await to_the_end(run)


async def kept_too_long(stage: Stage) -> Handle:
    run, firmware = await begun(stage, policy=Policy(updating=timedelta(seconds=1)))
    await kept(stage, run, firmware.device_key)
    await run.until(lambda shown: shown.view["error"] is not None)
    await stage.control(firmware.device_key, updating_seconds=0)
    await finish_update(firmware)
    return await to_the_end(run)


async def kept_and_taken_back(stage: Stage) -> Handle:
    """What was kept is changed, and written once the device is back."""
    run, firmware = await begun(stage)
    key = firmware.device_key
    await kept(stage, run, key)
    await take_back(run)
    await report(stage.sessions, a_report(key))
    await kept(stage, run, key)
    await stage.control(key, updating_seconds=0)
    await report(stage.sessions, a_report(key))
    await run.at("system-settings")
    await finish_update(firmware)
    return await to_the_end(run)


async def lost_and_passed_over(stage: Stage) -> Handle:
    run, firmware = await begun(stage)
    await lose(run, firmware)
    await passed_over(run)
    return await to_the_end(run)


async def failed_and_passed_over(stage: Stage) -> Handle:
    run, firmware = await begun(stage)
    await firmware.ask("cancel")
    await passed_over(run)
    return await to_the_end(run)


async def failed_and_tried_again(stage: Stage) -> Handle:
    once = PATIENT.model_copy(update={"attempts": 1, "download": timedelta(seconds=2)})
    run, firmware = await begun(stage, firmware_policy=once)
    await firmware.at("failed")
    await firmware.ask("retry_now")
    return await to_the_end(run)


async def reset_beside(stage: Stage) -> Handle:
    run, firmware = await begun(stage)
    await run.send(Reset(actor=run.person, seq=run.reply.seq))
    await run.walk_to("check-firmware")
    await run.submit()
    await finish_update(firmware)
    return await to_the_end(run)


async def waiting_for_the_installation(stage: Stage) -> Handle:
    run, firmware = await begun(stage)
    await kept(stage, run, firmware.device_key)
    return run.handle


async def swapped_twice(stage: Stage) -> Handle:
    """The first device that came is tested, and another one takes over from it."""
    run = await stage.open(
        a_device_key(traits="300"), kind=ActivationType.REPLACE_DEVICE, version=3
    )
    await run.submit(ReplaceForm(step="replace-device", new_device_key=a_device_key()))
    await run.walk_to("check-firmware")
    await run.skip()
    await run.walk_to("device-testing")
    await run.act("location")
    await run.at("device-testing")
    while run.reply.state != "replace-device":
        step = step_of(run.reply.state)
        await run.send(Back(actor=run.person, seq=run.reply.seq, step=step))
    await run.submit(ReplaceForm(step="replace-device", new_device_key=a_device_key()))
    return await to_the_end(run)


ACTIVATION_V3: dict[str, Story] = {
    "beside": beside,
    "kept-and-refused": kept_and_refused,
    "kept-too-long": kept_too_long,
    "kept-and-taken-back": kept_and_taken_back,
    "lost-and-passed-over": lost_and_passed_over,
    "failed-and-passed-over": failed_and_passed_over,
    "failed-and-tried-again": failed_and_tried_again,
    "reset-beside": reset_beside,
    "waiting-for-the-installation": waiting_for_the_installation,
    "swapped-twice": swapped_twice,
}
