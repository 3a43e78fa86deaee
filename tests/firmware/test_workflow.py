"""Firmware runs on a real worker and a real server; each story takes exactly the walk that stands above it."""

from datetime import timedelta

from db.runs import flows
from domain.activation.activation import Abandon, Resume
from tests.drivers.outside.reports import a_report, report
from tests.drivers.stage import Run, Stage, a_device_key
from tests.firmware.runs import (
    LONG_WAITS,
    PATIENT,
    TARGET,
    FirmwareRun,
    at_once,
    begin,
    in_a_day,
    walks,
)
from workflows import ids
from workflows.firmware import FirmwareWorkflow

DOWNLOAD, UPDATE = "command:download_firmware", "command:update_firmware"


@walks(f"{TARGET} FINISHED")
async def test_an_update_is_downloaded_installed_and_read_again(stage: Stage):
    run = await begin(stage)
    ended = await run.at("done")
    (target,) = ended.view["targets"]
    assert (target["download_attempts"], target["update_attempts"]) == (1, 1)
    assert target["completed"]
    effects = await stage.effects(run.device_key)
    assert (effects[DOWNLOAD], effects[UPDATE]) == (1, 1)
    return run


@walks(f"DOWNLOAD AGAIN TIMED_OUT DOWNLOAD AGAIN TIMED_OUT {TARGET} FINISHED")
async def test_a_download_that_fails_twice_is_tried_a_third_time(stage: Stage):
    run = await begin(stage, c42_failures=2)
    ended = await run.at("done")
    assert ended.view["targets"][0]["download_attempts"] == 3
    return run


@walks("DOWNLOAD DOWNLOADED UPDATE AGAIN TIMED_OUT UPDATE INSTALLED VERIFIED FINISHED")
async def test_an_update_that_fails_is_tried_again_without_another_download(stage: Stage):
    run = await begin(stage, r42_failures=1)
    ended = await run.at("done")
    assert ended.view["targets"][0]["update_attempts"] == 2
    assert (await stage.effects(run.device_key))[DOWNLOAD] == 1
    return run


@walks(f"DOWNLOAD DOWNLOADED UPDATE AGAIN TIMED_OUT {TARGET} FINISHED")
async def test_what_the_device_has_not_any_more_is_downloaded_again(stage: Stage):
    run = await begin(stage, lost_downloads=1)
    await run.at("done")
    assert (await stage.effects(run.device_key))[DOWNLOAD] == 2
    return run


@walks(f"DOWNLOAD AGAIN TIMED_OUT {TARGET} FINISHED")
async def test_a_device_that_does_not_answer_is_asked_again_after_its_time(stage: Stage):
    policy = PATIENT.model_copy(update={"download": timedelta(seconds=4)})
    run = await begin(stage, policy=policy, silent_commands=1)
    waiting = await run.at("retry_wait")
    assert waiting.view["error"] == "The device did not confirm in time."
    return run


@walks(f"DOWNLOAD AGAIN TIMED_OUT DOWNLOAD EXHAUSTED RETRY_NOW {TARGET} FINISHED")
async def test_a_run_out_of_tries_has_failed_until_somebody_tries_again(stage: Stage):
    policy = PATIENT.model_copy(update={"attempts": 2})
    run = await begin(stage, policy=policy, c42_failures=2)
    failed = await run.at("failed")
    assert failed.view["targets"][0]["failed"]
    assert (failed.view["error"], failed.view["error_from"]) == ("checksum mismatch", "device")
    assert (failed.view["allowed"], failed.ended) == (list(failed.allowed), False)
    assert "RETRY_NOW" in failed.allowed
    await run.ask("retry_now")
    return run


@walks("DOWNLOAD DOWNLOADED UPDATE EXHAUSTED EXPIRED")
async def test_a_failed_run_that_nobody_tries_again_closes(stage: Stage):
    policy = PATIENT.model_copy(update={"attempts": 1, "failed": timedelta(milliseconds=300)})
    run = await begin(stage, policy=policy, r42_failures=1)
    ended = await run.at("failed_for_good")
    assert ended.allowed == ()
    return run


@walks("DOWNLOAD DOWNLOADED UPDATE INSTALLED UNCHANGED CANCEL")
async def test_a_version_that_stays_the_same_is_a_failure_whatever_the_device_said(stage: Stage):
    run = await begin(stage, stuck_updates=1)
    failed = await run.at("failed")
    assert failed.view["error"] == "The device still reports its old version after the update."
    await run.ask("cancel")
    return run


@walks(f"{TARGET} {TARGET} FINISHED")
async def test_two_targets_follow_one_another_the_main_device_first(stage: Stage):
    run = await begin(stage, traits="030")
    ended = await run.at("done")
    assert [target["label"] for target in ended.view["targets"]] == ["Main device", "KeyLocker"]
    assert all(target["completed"] for target in ended.view["targets"])
    return run


@walks(f"{TARGET} FINISHED")
async def test_logs_that_come_twice_and_out_of_order_change_nothing(stage: Stage):
    run = await begin(stage, duplicate_logs=True, out_of_order_logs=True)
    await run.at("done")
    effects = await stage.effects(run.device_key)
    assert (effects[DOWNLOAD], effects[UPDATE]) == (1, 1)
    return run


@walks(f"{TARGET} FINISHED")
async def test_a_lost_reply_sends_no_second_command(stage: Stage):
    run = await begin(stage, lose_replies=1)
    await run.at("done")
    effects = await stage.effects(run.device_key)
    assert (effects[DOWNLOAD], effects[UPDATE]) == (1, 1)
    return run


@walks(f"DOWNLOAD OFFLINE ONLINE {TARGET} FINISHED")
async def test_an_unreachable_device_is_waited_for_and_burns_no_try(stage: Stage):
    run = await begin(stage, offline_seconds=600)
    await run.at("waiting_online")
    await come_back(run)
    ended = await run.at("done")
    assert ended.view["targets"][0]["download_attempts"] == 1
    return run


@walks(
    "DOWNLOAD DOWNLOADED UPDATE AGAIN RETRY_NOW UPDATE OFFLINE ONLINE UPDATE INSTALLED VERIFIED FINISHED"
)
async def test_a_device_that_is_lost_in_mid_update_is_waited_for_too(stage: Stage):
    run = await begin(stage, policy=LONG_WAITS, r42_failures=1)
    await run.at("retry_wait")
    await stage.control(run.device_key, offline_seconds=600)
    await run.ask("retry_now")
    await run.at("waiting_online")
    assert await run.refusal("cancel") == "not_cancellable"
    await come_back(run)
    return run


@walks("DOWNLOAD OFFLINE EXHAUSTED EXPIRED")
async def test_a_device_that_stays_away_ends_the_run(stage: Stage):
    short = timedelta(milliseconds=400)
    policy = PATIENT.model_copy(update={"offline": short, "offline_poll": short, "failed": short})
    run = await begin(stage, policy=policy, offline_seconds=600)
    failed = await run.until(lambda shown: shown.state.startswith("failed"))
    assert failed.view["error"] == "The device could not be reached."
    return run


@walks(f"DOWNLOAD OFFLINE RETRY_NOW {TARGET} FINISHED")
async def test_somebody_who_sees_the_device_is_back_need_not_wait_for_it(stage: Stage):
    run = await begin(stage, offline_seconds=600)
    await run.at("waiting_online")
    await stage.control(run.device_key, offline_seconds=0)
    await run.ask("retry_now")
    return run


@walks("DOWNLOAD OFFLINE CANCEL")
async def test_a_wait_for_a_device_can_be_cancelled(stage: Stage):
    run = await begin(stage, offline_seconds=600)
    await run.at("waiting_online")
    await run.ask("cancel")
    return run


async def come_back(run: FirmwareRun) -> None:
    """The device is reachable again, and says so by some report."""
    await run.stage.control(run.device_key, offline_seconds=0)
    await report(run.stage.sessions, a_report(run.device_key))


@walks("DOWNLOAD CANCEL")
async def test_a_download_can_be_cancelled(stage: Stage):
    run = await begin(stage, silent_commands=1)
    await run.until(lambda shown: "CANCEL" in shown.allowed)
    assert await run.refusal("retry_now") == "step_out_of_order"
    await run.ask("cancel")
    assert UPDATE not in await stage.effects(run.device_key)
    return run


@walks(f"{TARGET} FINISHED")
async def test_an_update_that_is_being_written_can_be_neither_cancelled_nor_deferred(stage: Stage):
    run = await begin(stage, answer_seconds=1.5)
    await run.at("update_sent")
    assert await run.refusal("cancel") == "not_cancellable"
    assert await run.refusal("defer") == "step_out_of_order"
    return run


async def test_a_cancel_in_temporals_page_ends_what_a_person_could_cancel(stage: Stage) -> None:
    run = await begin(stage, offline_seconds=600)
    await run.at("waiting_online")
    await run.handle.cancel()
    assert (await run.handle.result()).state == "cancelled"


async def test_a_cancel_in_temporals_page_cuts_no_flash(stage: Stage) -> None:
    run = await begin(stage, answer_seconds=1)
    await run.at("update_sent")
    await run.handle.cancel()
    assert (await run.handle.result()).state == "done"
    assert await run.events() == TARGET + " FINISHED"


@walks(f"DOWNLOAD DEFER TIMED_OUT {TARGET} FINISHED")
async def test_a_deferred_run_goes_on_at_its_time_and_has_burnt_no_try(stage: Stage):
    run = await begin(stage, silent_commands=1)
    await run.at("download_sent")
    await run.ask("defer", until=at_once())
    ended = await run.at("done")
    assert ended.view["targets"][0]["download_attempts"] == 1
    return run


@walks(f"DOWNLOAD DEFER RETRY_NOW {TARGET} FINISHED")
async def test_a_deferred_run_can_be_called_back(stage: Stage):
    run = await begin(stage, silent_commands=1)
    await run.at("download_sent")
    await run.ask("defer", until=in_a_day())
    deferred = await run.at("deferred")
    assert deferred.view["next_at"] is not None
    await run.ask("retry_now")
    return run


@walks("DOWNLOAD DEFER CANCEL")
async def test_a_deferred_run_can_be_cancelled(stage: Stage):
    run = await begin(stage, silent_commands=1)
    await run.at("download_sent")
    await run.ask("defer", until=in_a_day())
    await run.ask("cancel")
    return run


@walks("DOWNLOAD AGAIN CANCEL")
async def test_a_wait_for_the_next_try_can_be_cancelled(stage: Stage):
    run = await begin(stage, policy=LONG_WAITS, c42_failures=1)
    await run.at("retry_wait")
    await run.ask("cancel")
    return run


@walks("DOWNLOAD AGAIN DEFER CANCEL")
async def test_a_wait_for_the_next_try_can_be_deferred(stage: Stage):
    run = await begin(stage, policy=LONG_WAITS, c42_failures=1)
    await run.at("retry_wait")
    await run.ask("defer", until=in_a_day())
    await run.ask("cancel")
    return run


async def test_a_deferral_that_the_device_overtook_has_lapsed(stage: Stage):
    await stage.turn(slow_seconds=1)
    run = await begin(stage, slow=True, offline_seconds=600)
    await run.at("download_sent")
    assert await run.refusal("defer") == "step_out_of_order"
    await run.at("waiting_online")
    await run.ask("cancel")


@walks("DOWNLOAD EXHAUSTED CANCEL")
async def test_who_asked_stands_in_the_audit_trail_at_what_they_asked(stage: Stage):
    run = await begin(stage, policy=PATIENT.model_copy(update={"attempts": 1}), c42_failures=1)
    await run.at("failed")
    await run.ask("cancel")
    await run.at("cancelled")
    async with stage.sessions() as session:
        rows = await flows.transitions_of(session, run.id)
    assert [(row.event, row.actor) for row in rows] == [
        ("DOWNLOAD", None),
        ("EXHAUSTED", None),
        ("CANCEL", "Ina Installer"),
    ]
    return run


async def test_a_run_outlives_the_activation_that_began_it(stage: Stage):
    run, firmware = await an_activation_that_waits(stage, a_device_key(traits="010"))
    await run.send(Abandon(actor=run.person, seq=run.reply.seq))
    await run.at("abandoned")
    await run.handle.result()
    await confirm_download(firmware)
    ended = await firmware.at("done")
    assert ended.ended
    await firmware.handle.result()


async def test_an_activation_that_comes_later_joins_the_run_under_way(stage: Stage):
    device_key = a_device_key(traits="010")
    first, firmware = await an_activation_that_waits(stage, device_key)
    await first.send(Abandon(actor=first.person, seq=first.reply.seq))
    await first.handle.result()
    second = await stage.open(
        device_key, firmware_policy=PATIENT, resume=Resume(entry="check-firmware")
    )
    await second.submit()
    shown = await second.until(lambda shown: shown.view["facts"]["firmware"] is not None)
    assert shown.view["facts"]["firmware"]["run_id"] == firmware.id
    await confirm_download(firmware)
    await second.at("device-testing")
    assert (await stage.effects(device_key))[UPDATE] == 1


async def test_an_activation_that_joins_a_failed_run_begins_it_again(stage: Stage):
    device_key = a_device_key(traits="010")
    await stage.control(device_key, c42_failures=1)
    policy = PATIENT.model_copy(update={"attempts": 1})
    run = await stage.open(
        device_key, firmware_policy=policy, resume=Resume(entry="check-firmware")
    )
    await run.submit()
    failed = await run.at("check-firmware")
    assert failed.view["error"]["code"] == "firmware_failed"
    await run.submit()
    done = await run.at("device-testing")
    assert done.view["facts"]["firmware"]["run_id"] == failed.view["facts"]["firmware"]["run_id"]


async def an_activation_that_waits(stage: Stage, device_key: str) -> tuple[Run, FirmwareRun]:
    """At check-firmware, its device silent; the firmware run is at its first download."""
    await stage.control(device_key, silent_commands=1)
    run = await stage.open(
        device_key, firmware_policy=PATIENT, resume=Resume(entry="check-firmware")
    )
    await run.submit()
    shown = await run.until(
        lambda shown: (shown.view["facts"]["firmware"] or {}).get("state") == "download_sent"
    )
    handle = stage.client.get_workflow_handle_for(FirmwareWorkflow.run, ids.firmware_id(device_key))
    run_id = shown.view["facts"]["firmware"]["run_id"]
    return run, FirmwareRun(stage, device_key, run_id, handle)


async def confirm_download(firmware: FirmwareRun) -> None:
    """The silent device is deferred and called back, and then does as it is told."""
    await firmware.ask("defer", until=in_a_day())
    await firmware.ask("retry_now")
