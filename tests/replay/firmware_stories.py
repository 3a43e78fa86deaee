"""One run for every branch that version 2 of the firmware walk adds."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

from temporalio.client import WorkflowHandle

from domain.firmware.firmware import Readings
from tests.drivers.outside.reports import a_report, report
from tests.drivers.stage import Stage
from tests.firmware.runs import LONG_WAITS, PATIENT, FirmwareRun, begin, in_a_day

Handle = WorkflowHandle[Any, Any]

STRONG = Readings(battery_volts=12.6, signal_dbm=-71)
REPORTS_STRONG = {"backup_battery_voltage": 12.6, "cellular_signal_strength": -71}
SOON_OVER = PATIENT.model_copy(
    update={"weak": timedelta(milliseconds=300), "weak_poll": timedelta(milliseconds=100)}
)


async def closed(run: FirmwareRun) -> Handle:
    await run.handle.result()
    return run.handle


async def done(stage: Stage) -> Handle:
    return await closed(await begin(stage, traits="030", readings=STRONG))


async def tried_again(stage: Stage) -> Handle:
    return await closed(await begin(stage, c42_failures=1, r42_failures=1))


async def overruled(stage: Stage) -> Handle:
    run = await begin(stage, battery_volts=10.4)
    await run.at("weak")
    await run.ask("overrule", reason="On a charger")
    return await closed(run)


async def looked_at_again(stage: Stage) -> Handle:
    run = await begin(stage, signal_dbm=-113)
    held_back = await run.at("weak")
    await run.ask("retry_now")
    await run.until(lambda shown: shown.state == "weak" and shown.rev > held_back.rev)
    await stage.control(run.device_key, signal_dbm=-71)
    await run.ask("retry_now")
    return await closed(run)


async def recovered(stage: Stage) -> Handle:
    run = await begin(stage, readings=STRONG, battery_volts=10.4)
    await run.at("weak")
    await stage.control(run.device_key, battery_volts=12.6)
    await report(stage.sessions, a_report(run.device_key, reading=REPORTS_STRONG))
    return await closed(run)


async def weak(stage: Stage) -> Handle:
    run = await begin(stage, battery_volts=10.4)
    await run.at("weak")
    return run.handle


async def weak_for_good(stage: Stage) -> Handle:
    return await closed(await begin(stage, policy=SOON_OVER, battery_volts=10.4))


async def weak_deferred_and_cancelled(stage: Stage) -> Handle:
    run = await begin(stage, battery_volts=10.4)
    await run.at("weak")
    await run.ask("defer", until=in_a_day())
    await run.ask("cancel")
    return await closed(run)


async def weak_after_being_offline(stage: Stage) -> Handle:
    run = await begin(stage, offline_seconds=600)
    await run.at("waiting_online")
    await stage.control(run.device_key, offline_seconds=0, battery_volts=10.4)
    await report(stage.sessions, a_report(run.device_key))
    await run.at("weak")
    await run.ask("overrule", reason="On a charger")
    return await closed(run)


async def telling_its_progress(stage: Stage) -> Handle:
    return await closed(await begin(stage, tells_progress=True, answer_seconds=2))


async def overtaken(stage: Stage) -> Handle:
    """What was asked is not possible any more once the device turns out to be away."""
    await stage.turn(slow_seconds=1)
    run = await begin(stage, readings=STRONG, slow=True, offline_seconds=600)
    await run.at("download_sent")
    await run.refusal("defer")
    await run.at("waiting_online")
    await run.ask("cancel")
    return await closed(run)


async def overtaken_in_vain(stage: Stage) -> Handle:
    """What was asked still is possible then, and has its effect a moment later."""
    await stage.turn(slow_seconds=1)
    run = await begin(stage, readings=STRONG, slow=True, offline_seconds=600)
    await run.at("download_sent")
    await run.ask("cancel")
    return await closed(run)


async def cancelled_in_temporals_page(stage: Stage) -> Handle:
    run = await begin(stage, readings=STRONG, offline_seconds=600)
    await run.at("waiting_online")
    await run.handle.cancel()
    return await closed(run)


async def failed_before(stage: Stage) -> Handle:
    """The report of a failure has no name, and comes moments before the next try."""
    run = await begin(stage, policy=LONG_WAITS, readings=STRONG, silent_commands=2)
    await run.at("download_sent")
    failed = a_report(run.device_key, type="firmware", command="C42", ok=False)
    await report(stage.sessions, failed)
    await run.at("retry_wait")
    await run.ask("retry_now")
    await run.until(lambda shown: shown.state == "download_sent" and shown.view["attempt"] == 2)
    await run.ask("cancel")
    return await closed(run)


FIRMWARE_V2: dict[str, Callable[[Stage], Awaitable[Handle]]] = {
    "done": done,
    "tried-again": tried_again,
    "overruled": overruled,
    "looked-at-again": looked_at_again,
    "recovered": recovered,
    "weak": weak,
    "weak-for-good": weak_for_good,
    "weak-deferred-and-cancelled": weak_deferred_and_cancelled,
    "weak-after-being-offline": weak_after_being_offline,
    "telling-its-progress": telling_its_progress,
    "overtaken": overtaken,
    "overtaken-in-vain": overtaken_in_vain,
    "overtaken-in-vain-and-told": overtaken_in_vain,
    "failed-before": failed_before,
    "cancelled-in-temporals-page": cancelled_in_temporals_page,
    "done-under-a-shield": done,
}
