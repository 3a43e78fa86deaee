"""Runs for devices whose battery or signal is too weak; each story takes exactly the walk that stands above it."""

from datetime import UTC, datetime, timedelta

from db.runs import flows
from domain.activation.activation import Resume
from domain.firmware.firmware import Readings
from tests.drivers.outside.reports import a_report, report
from tests.drivers.stage import Stage, a_device_key
from tests.firmware.runs import LONG_WAITS, PATIENT, TARGET, FirmwareRun, begin, in_a_day, walks
from workflows import ids
from workflows.firmware import FirmwareWorkflow

STRONG = Readings(battery_volts=12.6, signal_dbm=-71)
UPDATE = "command:update_firmware"
WORDS = "The backup battery has 10.4 V; an update needs at least 11.8 V."


@walks(f"WEAK OVERRULE {TARGET} FINISHED")
async def test_a_weak_device_is_sent_nothing_until_an_owner_overrules_that(stage: Stage):
    run = await begin(stage, battery_volts=10.4)
    held_back = await run.at("weak")
    assert held_back.view["weaknesses"] == [{"what": "battery", "reading": 10.4, "least": 11.8}]
    assert held_back.view["error"] == WORDS
    assert await stage.effects(run.device_key) == {}
    await run.ask("overrule", reason="On a charger")
    ended = await run.at("done")
    assert (ended.view["weaknesses"], ended.view["error"]) == ([], None)
    overruled = ended.view["overruled"]
    assert (overruled["by_id"], overruled["reason"]) == ("person-1", "On a charger")
    assert overruled["weaknesses"] == held_back.view["weaknesses"]
    async with stage.sessions() as session:
        rows = await flows.transitions_of(session, run.id)
    (row,) = [row for row in rows if row.event == "OVERRULE"]
    assert (row.actor_id, row.note) == ("person-1", "On a charger")
    return run


@walks(f"WEAK RETRY_NOW WEAK RETRY_NOW {TARGET} FINISHED")
async def test_whoever_sees_that_the_device_is_stronger_has_it_looked_at_again(stage: Stage):
    run = await begin(stage, signal_dbm=-113)
    held_back = await run.at("weak")
    assert held_back.view["weaknesses"][0]["what"] == "signal"
    await run.ask("retry_now")
    await run.until(lambda shown: shown.state == "weak" and shown.rev > held_back.rev)
    await stage.control(run.device_key, signal_dbm=-71)
    await run.ask("retry_now")
    return run


@walks("DOWNLOAD DOWNLOADED WEAK RECOVERED UPDATE INSTALLED VERIFIED FINISHED")
async def test_a_battery_that_falls_during_the_download_keeps_the_update_back(stage: Stage):
    run = await begin(stage, readings=STRONG, battery_volts=10.4)
    await run.at("weak")
    assert UPDATE not in await stage.effects(run.device_key)
    await stage.control(run.device_key, battery_volts=12.6)
    reading = {"backup_battery_voltage": 12.6, "cellular_signal_strength": -71}
    await report(stage.sessions, a_report(run.device_key, reading=reading))
    return run


@walks(f"{TARGET} WEAK CANCEL")
async def test_a_second_part_is_kept_back_too_and_can_be_cancelled(stage: Stage):
    run = await begin(stage, traits="030", answer_seconds=1.5)
    await run.at("update_sent")
    await stage.control(run.device_key, battery_volts=10.4)
    await run.at("weak")
    await run.ask("cancel")
    return run


@walks("WEAK DEFER CANCEL")
async def test_the_update_of_a_weak_device_can_be_deferred(stage: Stage):
    run = await begin(stage, battery_volts=10.4)
    await run.at("weak")
    await run.ask("defer", until=in_a_day())
    await run.ask("cancel")
    return run


@walks("WEAK EXPIRED")
async def test_a_device_that_stays_weak_ends_the_run(stage: Stage):
    short = {"weak": timedelta(milliseconds=300), "weak_poll": timedelta(milliseconds=100)}
    run = await begin(stage, policy=PATIENT.model_copy(update=short), battery_volts=10.4)
    ended = await run.at("failed_for_good")
    assert ended.view["error"] == WORDS
    return run


@walks(f"DOWNLOAD OFFLINE ONLINE WEAK OVERRULE {TARGET} FINISHED")
async def test_a_device_that_comes_back_weak_is_kept_back(stage: Stage):
    run = await begin(stage, offline_seconds=600)
    await run.at("waiting_online")
    await stage.control(run.device_key, offline_seconds=0, battery_volts=10.4)
    await report(stage.sessions, a_report(run.device_key))
    await run.at("weak")
    await run.ask("overrule", reason="On a charger")
    return run


@walks(f"{TARGET} FINISHED")
async def test_a_run_of_version_1_goes_on_as_it_began(stage: Stage):
    run = await begin(stage, version=1, battery_volts=10.4)
    ended = await run.at("done")
    assert ended.view["version"] == 1
    return run


@walks("DOWNLOAD CANCEL")
async def test_what_a_device_says_of_its_progress_is_shown_in_steps(stage: Stage):
    run = await begin(stage, policy=LONG_WAITS, silent_commands=1)
    at_first = await run.at("download_sent")
    assert at_first.view["percent"] is None
    await progress(run, 40)
    await run.until(lambda shown: shown.view["percent"] == 40)
    await progress(run, 42)
    await progress(run, 80)
    shown = await run.until(lambda shown: shown.view["percent"] == 80)
    assert shown.rev == at_first.rev + 2
    await run.ask("cancel")
    return run


@walks(f"{TARGET} FINISHED")
async def test_a_device_that_tells_its_progress_is_updated_like_any_other(stage: Stage):
    run = await begin(stage, tells_progress=True, answer_seconds=2)
    for percent in (25, 50, 75):
        await run.until(lambda shown, percent=percent: shown.view["percent"] == percent)
    ended = await run.at("done")
    assert ended.view["percent"] is None
    return run


@walks(f"DOWNLOAD DOWNLOADED UPDATE AGAIN TIMED_OUT {TARGET} FINISHED")
async def test_a_log_without_a_name_confirms_nothing_of_another_time(stage: Stage):
    """One of this time is believed, though the device's clock is a little behind; the device has nothing to update to then, and
    the second download is not confirmed by that log."""
    run = await begin(stage, silent_commands=1)
    await run.at("download_sent")
    seen = datetime.now(UTC)
    await downloaded_without_a_name(run, seen - timedelta(hours=1))
    await progress(run, 40)
    shown = await run.until(lambda shown: shown.view["percent"] == 40 or shown.ended)
    assert shown.state == "download_sent"
    await downloaded_without_a_name(run, seen - timedelta(seconds=2))
    return run


@walks("DOWNLOAD AGAIN RETRY_NOW DOWNLOAD CANCEL")
async def test_what_failed_before_a_try_fails_it_not(stage: Stage):
    """Of an earlier try, moments ago: one report was known before, the other one comes late."""
    run = await begin(stage, policy=LONG_WAITS, silent_commands=2)
    await run.at("download_sent")
    failed_at = datetime.now(UTC)
    await downloaded_without_a_name(run, failed_at, ok=False)
    await run.at("retry_wait")
    await run.ask("retry_now")
    await run.until(lambda shown: shown.state == "download_sent" and shown.view["attempt"] == 2)
    await downloaded_without_a_name(run, failed_at, ok=False)
    await progress(run, 40, of=2)
    shown = await run.until(lambda shown: shown.view["percent"] == 40 or shown.ended)
    assert shown.state == "download_sent"
    await run.ask("cancel")
    return run


async def downloaded_without_a_name(run: FirmwareRun, at: datetime, *, ok: bool = True) -> None:
    """The device does not say which command it confirms."""
    log = a_report(run.device_key, type="firmware", command="C42", timestamp=at, ok=ok)
    await report(run.stage.sessions, log)


async def progress(run: FirmwareRun, percent: int, *, of: int = 1) -> None:
    """`of` so many tries the last one."""
    await report(
        run.stage.sessions,
        a_report(
            run.device_key,
            type="firmware",
            command_id=f"{run.id}-main-download_firmware-{of}",
            reading={"percent": percent},
        ),
    )


async def test_an_activation_waits_while_its_device_is_too_weak_for_the_update(stage: Stage):
    device_key = a_device_key(traits="080")
    run = await stage.open(
        device_key, firmware_policy=PATIENT, resume=Resume(entry="check-firmware")
    )
    await run.submit()
    shown = await run.until(
        lambda shown: (shown.view["facts"]["firmware"] or {}).get("state") == "weak"
    )
    assert shown.state == "check-firmware/waiting"
    handle = stage.client.get_workflow_handle_for(FirmwareWorkflow.run, ids.firmware_id(device_key))
    firmware = FirmwareRun(stage, device_key, shown.view["facts"]["firmware"]["run_id"], handle)
    await firmware.ask("cancel")
    back = await run.at("check-firmware")
    assert back.view["error"]["code"] == "firmware_cancelled"
