"""One run for every branch of every workflow; their histories are what a changed workflow must still be able to read."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

from temporalio.client import WorkflowHandle

from domain.activation.activation import (
    Abandon,
    Back,
    ChangeDevice,
    HandOver,
    Person,
    Policy,
    Reset,
    Resume,
    Skip,
)
from domain.devices.activation_type import ActivationType
from tests.activation.in_memory import COLLEAGUE
from tests.billing.bank_accounts.stories import BANK_VERIFICATION
from tests.billing.invoice_payments.stories import INVOICE_PAYMENT, INVOICE_PAYMENT_V2
from tests.billing.reconciliation.stories import RECONCILIATION
from tests.checkout.placements.stories import (
    APPROVALS,
    BEHIND,
    CHECKED_AGAIN,
    PATH_2,
    PATH_3,
    PLACEMENT,
    SENT,
)
from tests.dealers.payouts.stories import PAYOUTS
from tests.devices.visits.stories import VISIT
from tests.drivers.outside.reports import a_report, report
from tests.drivers.stage import Run, Stage, a_device_key
from tests.firmware.runs import LONG_WAITS, PATIENT, FirmwareRun, at_once, in_a_day
from tests.firmware.runs import begin_v1 as begin
from tests.identity.invitations.stories import INVITATION
from tests.operations.cases.chargebacks.dispute_stories import DECIDED
from tests.operations.cases.interrupted.lost_stories import LOST
from tests.operations.cases.orders.never_sent import NEVER_SENT
from tests.operations.cases.stories import CASE, LET_GO
from tests.operations.erp.stories import ERP_COMPARISON, ERP_FEED
from tests.operations.reconciler.stories import RECONCILER
from tests.plans.purchases.approvals.stories import PURCHASE_APPROVALS
from tests.plans.purchases.stories import (
    PURCHASE,
    PURCHASE_BEHIND,
    PURCHASE_OF_BEFORE,
    PURCHASE_PATH_2,
    PURCHASE_V3,
)
from tests.replay.beside_stories import ACTIVATION_V3
from tests.replay.configuring_stories import ACTIVATION_V2
from tests.replay.firmware_stories import FIRMWARE_V2
from workflows.activation import ActivationWorkflow

Handle = WorkflowHandle[Any, Any]
Story = Callable[[Stage], Awaitable[Handle]]

SECOND = timedelta(seconds=1)
ONE_TRY = PATIENT.model_copy(update={"attempts": 1})
GIVES_UP = ONE_TRY.model_copy(update={"failed": timedelta(milliseconds=200)})


async def ended(run: Run) -> Handle:
    await run.handle.result()
    return run.handle


async def finished(stage: Stage) -> Handle:
    run = await stage.open(a_device_key(traits="010"))
    await run.walk_to("device-testing")
    for command in ("location", "arm"):
        await run.act(command)
        await run.at("device-testing")
    await run.walk_to("completed")
    return await ended(run)


async def in_service(stage: Stage) -> Handle:
    run = await stage.open(a_device_key("DR5400", traits="270"), kind=ActivationType.SERVICE_DEVICE)
    await run.walk_to("completed")
    return await ended(run)


async def half_finished(stage: Stage) -> Handle:
    run = await stage.open(a_device_key())
    await run.walk_to("device-testing")
    return run.handle


async def waiting_for_the_device(stage: Stage) -> Handle:
    run = await stage.open(a_device_key(traits="500"))
    await run.walk_to("verify-connection")
    await run.submit()
    return run.handle


async def updating_firmware(stage: Stage) -> Handle:
    key = a_device_key(traits="010")
    await stage.control(key, answer_seconds=600)
    run = await stage.open(key, firmware_policy=PATIENT, resume=Resume(entry="check-firmware"))
    await run.submit()
    await run.until(lambda shown: shown.view["facts"]["firmware"] is not None)
    return run.handle


async def firmware_failed(stage: Stage) -> Handle:
    key = a_device_key(traits="010")
    await stage.control(key, c42_failures=1)
    run = await stage.open(key, firmware_policy=ONE_TRY, resume=Resume(entry="check-firmware"))
    await run.submit()
    await run.until(lambda shown: shown.view["error"] is not None)
    await run.submit()
    await run.walk_to("completed")
    return await ended(run)


async def abandoned(stage: Stage) -> Handle:
    run = await stage.open(a_device_key())
    await run.walk_to("verify-connection")
    await run.send(Abandon(actor=run.person, seq=run.reply.seq, reason="wrong car"))
    return await ended(run)


async def taken_up_again(stage: Stage) -> Handle:
    key = a_device_key()
    first = await stage.open(key)
    await first.send(Abandon(actor=first.person, seq=first.reply.seq))
    await first.handle.result()
    run = await stage.open(key, resume=Resume(entry="device-testing"))
    await run.walk_to("completed")
    return await ended(run)


async def handed_over(stage: Stage) -> Handle:
    run = await stage.open(a_device_key())
    over = HandOver(actor=run.person, seq=run.reply.seq, to=COLLEAGUE)
    run.reply = await run.handle.execute_update(ActivationWorkflow.hand_over, over)
    run.person = COLLEAGUE
    await run.walk_to("completed")
    return await ended(run)


async def by_a_guest(stage: Stage) -> Handle:
    guest = Person(name="Guest", guest_of="recorded-guest")
    run = await stage.open(a_device_key(), person=guest, id_="recorded-guest")
    await run.walk_to("completed")
    return await ended(run)


async def changed_device(stage: Stage) -> Handle:
    run = await stage.open(a_device_key())
    await run.walk_to("check-firmware")
    for key in (a_device_key(traits="900"), a_device_key()):
        await run.send(ChangeDevice(actor=run.person, seq=run.reply.seq, device_key=key))
    await run.walk_to("completed")
    return await ended(run)


async def back_reset_and_skipped(stage: Stage) -> Handle:
    run = await stage.open(a_device_key())
    await run.walk_to("check-firmware")
    await run.send(Back(actor=run.person, seq=run.reply.seq, step="check-firmware"))
    await run.send(Reset(actor=run.person, seq=run.reply.seq))
    await run.walk_to("check-firmware")
    await run.send(
        Skip(actor=run.person, seq=run.reply.seq, step="check-firmware", reason="no time")
    )
    await run.walk_to("completed")
    return await ended(run)


async def back_to_the_choice_of_a_type(stage: Stage) -> Handle:
    run = await stage.open(a_device_key())
    await run.send(Back(actor=run.person, seq=run.reply.seq, step="power-on-device"))
    return await ended(run)


async def refused(stage: Stage) -> Handle:
    return await ended(await stage.open(a_device_key(traits="900")))


async def timed_out(stage: Stage) -> Handle:
    run = await stage.open(
        a_device_key(traits="500"),
        resume=Resume(entry="verify-connection"),
        policy=Policy(command=SECOND),
    )
    await run.submit()
    await run.until(lambda shown: shown.view["error"] is not None)
    await run.walk_to("completed")
    return await ended(run)


async def command_unknown_and_late(stage: Stage) -> Handle:
    key = a_device_key()
    run = await stage.open(
        key, resume=Resume(entry="device-testing"), policy=Policy(command=SECOND)
    )
    await stage.control(key, silent_commands=1, lose_replies=1)
    await run.act("arm")
    shown = await run.until(
        lambda shown: shown.view["facts"]["commands"][-1]["settled_at"] is not None
    )
    command_id = shown.view["facts"]["commands"][-1]["id"]
    await stage.control(key, silent_commands=1)
    await run.act("disarm")
    await report(stage.sessions, a_report(key, type="command", command_id=command_id))
    await run.until(lambda shown: shown.view["facts"]["commands"][0]["state"] == "confirmed_late")
    await run.at("device-testing")
    await run.walk_to("completed")
    return await ended(run)


async def command_refused(stage: Stage) -> Handle:
    key = a_device_key()
    run = await stage.open(key, resume=Resume(entry="device-testing"))
    await stage.control(key, refuse_commands=True)
    await run.act("arm")
    await run.walk_to("completed")
    return await ended(run)


async def idle_after_reminders(stage: Stage) -> Handle:
    policy = Policy(idle=6 * SECOND, reminders=(SECOND, 2 * SECOND))
    run = await stage.open(a_device_key(), policy=policy, consumer_email="owner@example.com")
    return await ended(run)


async def stopped_by_an_operator(stage: Stage) -> Handle:
    run = await stage.open(a_device_key())
    await run.walk_to("verify-connection")
    await run.handle.cancel()
    return await ended(run)


ACTIVATION: dict[str, Story] = {
    "finished": finished,
    "in-service": in_service,
    "half-finished": half_finished,
    "waiting-for-the-device": waiting_for_the_device,
    "updating-firmware": updating_firmware,
    "firmware-failed": firmware_failed,
    "abandoned": abandoned,
    "taken-up-again": taken_up_again,
    "handed-over": handed_over,
    "handed-over-and-followed": handed_over,
    "by-a-guest": by_a_guest,
    "changed-device": changed_device,
    "back-reset-and-skipped": back_reset_and_skipped,
    "back-to-the-choice-of-a-type": back_to_the_choice_of_a_type,
    "refused": refused,
    "timed-out": timed_out,
    "command-unknown-and-late": command_unknown_and_late,
    "command-refused": command_refused,
    "idle-after-reminders": idle_after_reminders,
    "stopped-by-an-operator": stopped_by_an_operator,
}


async def closed(run: FirmwareRun) -> Handle:
    await run.handle.result()
    return run.handle


async def done(stage: Stage) -> Handle:
    return await closed(await begin(stage, traits="030"))


async def downloading(stage: Stage) -> Handle:
    run = await begin(stage, answer_seconds=600)
    await run.at("download_sent")
    return run.handle


async def tried_again(stage: Stage) -> Handle:
    return await closed(await begin(stage, c42_failures=1, r42_failures=1))


async def failed(stage: Stage) -> Handle:
    return await closed(await begin(stage, policy=GIVES_UP, r42_failures=1))


async def failed_and_begun_again(stage: Stage) -> Handle:
    run = await begin(stage, policy=ONE_TRY, c42_failures=1)
    await run.at("failed")
    await run.ask("retry_now")
    return await closed(run)


async def unchanged(stage: Stage) -> Handle:
    return await closed(await begin(stage, policy=GIVES_UP, stuck_updates=1))


async def cancelled(stage: Stage) -> Handle:
    run = await begin(stage, silent_commands=1)
    await run.at("download_sent")
    await run.ask("cancel")
    return await closed(run)


async def deferred(stage: Stage) -> Handle:
    run = await begin(stage, policy=LONG_WAITS, c42_failures=1)
    await run.at("retry_wait")
    await run.ask("defer", until=in_a_day())
    await run.ask("retry_now")
    return await closed(run)


async def deferred_to_its_time(stage: Stage) -> Handle:
    run = await begin(stage, silent_commands=1)
    await run.at("download_sent")
    await run.ask("defer", until=at_once())
    return await closed(run)


async def offline(stage: Stage) -> Handle:
    run = await begin(stage, offline_seconds=600)
    await run.at("waiting_online")
    await stage.control(run.device_key, offline_seconds=0)
    await report(stage.sessions, a_report(run.device_key))
    return await closed(run)


async def offline_for_good(stage: Stage) -> Handle:
    short = {"offline": SECOND / 5, "offline_poll": SECOND / 5}
    policy = GIVES_UP.model_copy(update=short)
    return await closed(await begin(stage, policy=policy, offline_seconds=600))


FIRMWARE: dict[str, Story] = {
    "done": done,
    "downloading": downloading,
    "tried-again": tried_again,
    "failed": failed,
    "failed-and-begun-again": failed_and_begun_again,
    "unchanged": unchanged,
    "cancelled": cancelled,
    "deferred": deferred,
    "deferred-to-its-time": deferred_to_its_time,
    "offline": offline,
    "offline-for-good": offline_for_good,
}

DECIDES_EARLY: dict[str, Story] = {
    "activation": ACTIVATION_V3["beside"],
    "bank-verification": BANK_VERIFICATION["verified"],
    "case": CASE["charged-back-and-lost"],
    "firmware": FIRMWARE_V2["done-under-a-shield"],
    "invitation": INVITATION["accepted-told"],
    "invoice-payment": next(iter(INVOICE_PAYMENT_V2.values())),
    "placement": next(iter(BEHIND.values())),
    "purchase": PURCHASE_BEHIND["confirmed-without-the-right-at-once"],
    "visit": next(iter(VISIT.values())),
}
"""One of each kind that has decided at its beginning which patches it follows (decision 97)."""

STORIES: dict[str, dict[str, Story]] = {
    "activation": ACTIVATION,
    "activation-v2": ACTIVATION_V2,
    "activation-v3": ACTIVATION_V3,
    "firmware": FIRMWARE,
    "firmware-v2": FIRMWARE_V2,
    "bank-verification": BANK_VERIFICATION,
    "visit": VISIT,
    "case": CASE | NEVER_SENT | LET_GO | LOST | DECIDED,
    "invitation": INVITATION,
    "placement": PLACEMENT,
    "placement-v2": APPROVALS,
    "placement-v3": SENT,
    "placement-v4": CHECKED_AGAIN,
    "placement-path-2": PATH_2,
    "placement-path-3": PATH_3 | BEHIND,
    "invoice_payment": INVOICE_PAYMENT,
    "invoice_payment-v2": INVOICE_PAYMENT_V2,
    "purchase": PURCHASE | PURCHASE_OF_BEFORE,
    "purchase-v2": PURCHASE_APPROVALS | PURCHASE_BEHIND,
    "purchase-v3": PURCHASE_V3,
    "purchase-path-2": PURCHASE_PATH_2,
    "decides-early": DECIDES_EARLY,
    "reconciliation": RECONCILIATION,
    "payouts": PAYOUTS,
    "erp-feed": ERP_FEED,
    "reconciler": RECONCILER,
    "erp-comparison": ERP_COMPARISON,
}
