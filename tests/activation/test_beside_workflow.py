"""The update of the firmware beside the steps of version 3, on a real worker, a real server and the stand-in."""

from domain.activation.activation import Back
from domain.activation.configuring import TablesForm
from tests.activation.beside import OPTIONS, begun, finish_update, kept, passed_over, take_back
from tests.activation.configuring.forms import a_change
from tests.activation.in_memory import COLLEAGUE
from tests.drivers.outside.reports import a_report, report
from tests.drivers.stage import Stage


async def test_options_are_written_during_the_download_and_after_the_installation(stage: Stage):
    run, firmware = await begun(stage)
    key = firmware.device_key
    first = await a_change(stage, key, OPTIONS)
    await run.submit(first)
    assert run.reply.state == "system-settings"
    await run.send(Back(actor=run.person, seq=run.reply.seq, step="system-settings"))
    await stage.control(key, updating_seconds=600)
    second = await a_change(stage, key, OPTIONS)
    kept = await run.submit(second)
    assert (kept.state, kept.error) == (f"{OPTIONS}/waiting", None)
    shown = await run.at(f"{OPTIONS}/waiting")
    assert shown.view["held"]
    await stage.control(key, updating_seconds=0)
    await report(stage.sessions, a_report(key))
    await run.at("system-settings")
    written = await stage.traits(key)
    assert written["options"]["controller"] == first.changes | second.changes

    run.person = COLLEAGUE
    waits = await run.walk_to("device-testing")
    assert "ACT" not in waits.allowed
    await finish_update(firmware)
    tests = await run.until(lambda shown: "ACT" in shown.allowed)
    assert tests.view["facts"]["firmware_checked"]
    await run.walk_to("completed")
    effects = await stage.effects(key)
    assert (effects["option-tables-update"], effects["command:update_firmware"]) == (2, 1)


async def test_a_form_that_is_kept_is_taken_back_and_never_written(stage: Stage):
    run, firmware = await begun(stage)
    key = firmware.device_key
    first = await kept(stage, run, key)
    await take_back(run)
    shown = await run.at(OPTIONS)
    assert (shown.view["held"], shown.view["kept"]["changes"]) == (False, first.changes)
    await stage.control(key, updating_seconds=0)
    await report(stage.sessions, a_report(key))
    await run.submit(TablesForm(step=OPTIONS))
    assert run.reply.state == "system-settings"
    assert "option-tables-update" not in await stage.effects(key)


async def test_an_update_that_failed_beside_is_passed_over_with_a_reason(stage: Stage):
    run, firmware = await begun(stage)
    await firmware.ask("cancel")
    await passed_over(run)
    shown = await run.walk_to("completed")
    assert shown.view["skipped"]["check-firmware"] == "the owner cannot wait"
