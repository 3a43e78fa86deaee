"""The firmware workflow: each target downloaded, updated and read again, main device first (devices spec 4).

Reads as the process; every change of state goes through `move`, which refuses what the transitions of the run's version
(`domain/firmware/firmware_v<n>.py`) do not hold. It outlives the activation that started it: a flash must never be cut.
Runs of version 1 look at no readings; what version 2 adds is marked by `guarded`.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError, FailureError

with workflow.unsafe.imports_passed_through():
    from activities.firmware.firmware import (
        FirmwareActivities,
        FirmwareCommand,
        ReadVersion,
        SendFirmware,
        SendOutcome,
    )
    from activities.runs.flows import FlowActivities, Holding
    from domain.activation.activation import FirmwareProgress
    from domain.devices.devices import DeviceLog, FirmwareOffer
    from domain.firmware import firmware_v2 as transitions
    from domain.firmware.firmware import (
        LABELS,
        Attach,
        ErrorFrom,
        FirmwareMessage,
        FirmwareReply,
        FirmwareStart,
        FirmwareView,
        Overruling,
        Readings,
        TargetView,
        UpdateNotCancellable,
        Weakness,
        is_strong,
        percent_of,
        weak_words,
        weaknesses,
    )
    from domain.kinds import FIRMWARE
    from domain.runs.kind import Refusal
    from workflows import calls
    from workflows.run import CONDITION_MET, Command, ProjectedMachine
    from workflows.signals import patient_signal

CONFIRMATION = {FirmwareCommand.DOWNLOAD: "C42", FirmwareCommand.UPDATE: "R42"}
BEGINS = {
    FirmwareCommand.DOWNLOAD: transitions.START_DOWNLOAD,
    FirmwareCommand.UPDATE: transitions.START_UPDATE,
}
KEPT_LOGS = 50
SECOND, LONGEST_PAUSE = timedelta(seconds=1), timedelta(minutes=1)
VERSION_WITHIN = timedelta(minutes=30)
"""How long a version is asked for after an update: the tests of an activation wait for it, and nothing can cancel it."""
SKEW = timedelta(seconds=5)
"""A device's clock may be this much behind ours when a log without a name is matched to a try."""
TELLS_TRIES_APART = "tells-tries-apart"
UNREAD = "The device could not be reached."
UNCHANGED = "The device still reports its old version after the update."
SHOWN_PERCENT = 5
"""A device may tell its progress often; people are shown each step of this size."""


class _Stopped(Exception):
    """The run is over before its targets are: cancelled, or failed for good."""


class _Again(Exception):
    """A person asked a failed run to begin its target again."""


@workflow.defn(name="Firmware")
class FirmwareWorkflow(ProjectedMachine[FirmwareMessage]):
    """One run for one device; its workflow id is the lock."""

    kind = FIRMWARE
    answers_early = True
    patches = (TELLS_TRIES_APART,)

    @workflow.init
    def __init__(self, start: FirmwareStart) -> None:
        super().__init__(start.run_id, version=start.version)
        self.start: FirmwareStart = start
        self.policy = start.policy
        self.guarded = start.version > 1
        self.readings = start.readings
        self.weaknesses: tuple[Weakness, ...] = ()
        self.overruled = start.overruling
        self.percent: int | None = None
        self.percent_shown: int | None = None
        self.key = ""
        self.began = self.since
        self.error: str | None = None
        self.error_from: ErrorFrom | None = None
        self.attempt = 0
        self.sent = 0
        self.fetched_again = 0
        self.flashing = False
        self.logs: list[DeviceLog] = []
        self.report_count = 0
        self.notify = [start.notify] if start.notify else []
        self.current = 0
        self.targets = [
            TargetView(
                target=offer.target,
                label=LABELS[offer.target],
                from_version=offer.from_version,
                to_version=offer.to_version,
            )
            for offer in start.offers
        ]

    @workflow.run
    async def run(self, start: FirmwareStart) -> FirmwareView:
        """A cancel in Temporal's own page cuts no flash: it ends the run as soon as a person could. Runs of before end where
        they are."""
        if self.does("shielded"):
            await self.carry_out()
        else:
            await self.execute()
            await workflow.wait_condition(workflow.all_handlers_finished)
        return self.present()

    async def stop(self) -> None:
        """Asked again for as long as something else overtakes it."""
        while not self.ended:
            await self.stop_by(Command(transitions.CANCEL))
            await workflow.wait_condition(
                lambda: self.ended or (self.command is None and self.in_hand is None)
            )

    async def execute(self) -> None:
        await self.hold()
        await self.publish()
        try:
            for number, offer in enumerate(self.start.offers):
                self.current = number
                await self.bring(offer)
            await self.move(transitions.FINISHED)
        except _Stopped:
            workflow.logger.info("firmware run ended early: %s", self.state)

    async def bring(self, offer: FirmwareOffer) -> None:
        """One target from its old version to the new one."""
        while True:
            self.flashing = False
            self.mark(started=True, failed=False, downloaded=False)
            try:
                await self.achieve(offer, FirmwareCommand.DOWNLOAD, self.policy.download)
                self.mark(downloaded=True)
                await self.move(transitions.DOWNLOADED)
                await self.achieve(offer, FirmwareCommand.UPDATE, self.policy.update)
                await self.move(transitions.INSTALLED)
                read = await self.read_version(offer)
                if read == offer.to_version:
                    self.mark(completed=True)
                    return await self.move(transitions.VERIFIED)
                self.went_wrong(UNREAD if read is None else UNCHANGED)
                await self.fail(transitions.UNCHANGED)
            except _Again:
                continue

    async def achieve(
        self, offer: FirmwareOffer, command: FirmwareCommand, limit: timedelta
    ) -> None:
        """One phase, tried until the device confirms it. Neither an unreachable device nor a deferral burns a try."""
        self.attempt, keys = 0, list[str]()
        while True:
            await self.strong_enough()
            self.attempt += 1
            self.sent += 1
            keys.append(f"{self.id}-{offer.target}-{command}-{self.sent}")
            self.flashing = self.flashing or command is FirmwareCommand.UPDATE
            self.count(command)
            self.key, self.percent = keys[-1], None
            await self.move(BEGINS[command], limit=limit)
            asked_at, known = workflow.now(), frozenset(log.id for log in self.logs)
            handed = await self.hand_over(offer, command, keys[-1])
            if handed is None:
                self.attempt -= 1
                continue
            if handed.refused is not None:
                self.went_wrong(handed.refused, ErrorFrom.NETWORK)
            else:
                confirmed = self.confirmed_by(CONFIRMATION[command], keys, asked_at, known)
                happened = await self.watch(confirmed, limit)
                if happened in (transitions.CANCEL, transitions.DEFER):
                    await self.step_aside(happened)
                    self.attempt -= 1
                    continue
                log = confirmed()
                if log is not None and log.ok:
                    self.went_wrong(None)
                    return
                if log is None:
                    self.went_wrong("The device did not confirm in time.")
                elif said := log.reading.get("error"):
                    self.went_wrong(str(said), ErrorFrom.DEVICE)
                else:
                    self.went_wrong("The device reported a failure.")
            if self.attempt >= self.policy.attempts:
                await self.fail(transitions.EXHAUSTED)
            await self.pause()
            if handed.not_downloaded and self.fetched_again < self.policy.attempts:
                self.fetched_again += 1
                raise _Again

    async def hand_over(
        self, offer: FirmwareOffer, command: FirmwareCommand, key: str
    ) -> SendOutcome | None:
        """Sends the command; while the device is unreachable, waits for any log of it. None: a person asked to begin again."""
        send = SendFirmware(
            flow_id=self.id,
            key=key,
            device_key=self.start.device_key,
            command=command,
            target=offer.target,
            version=offer.to_version,
        )
        handed = await self.send(send)
        if not handed.offline:
            return handed
        give_up = workflow.now() + self.policy.offline
        await self.move(transitions.OFFLINE, limit=self.policy.offline)
        while handed.offline:
            left = give_up - workflow.now()
            if left <= timedelta(0):
                self.went_wrong(UNREAD)
                await self.fail(transitions.EXHAUSTED)
            seen = self.report_count
            happened = await self.wait(
                min(self.policy.offline_poll, left), lambda seen=seen: self.report_count != seen
            )
            if happened == transitions.CANCEL:
                await self.step_aside(happened)
            if happened == transitions.RETRY_NOW:
                await self.move(transitions.RETRY_NOW)
                return None
            if self.guarded and await self.is_weak():
                await self.move(transitions.ONLINE)
                return None
            handed = await self.send(send)
        await self.move(transitions.ONLINE)
        await self.move(BEGINS[command])
        return handed

    async def strong_enough(self) -> None:
        """Before anything is sent: a weak device is waited for, until it is stronger or an owner overrules that."""
        while self.guarded and await self.is_weak():
            self.went_wrong(weak_words(self.weaknesses))
            await self.move(transitions.WEAK, limit=self.policy.weak)
            happened = await self.grow_strong(workflow.now() + self.policy.weak)
            if happened == transitions.EXPIRED:
                self.mark(failed=True)
                await self.move(transitions.EXPIRED)
                raise _Stopped
            if happened in (transitions.CANCEL, transitions.DEFER):
                await self.step_aside(happened)
            elif happened == transitions.OVERRULE:
                await self.overrule_weakness()
            else:
                self.went_wrong(None)
                await self.move(happened)

    async def grow_strong(self, give_up: datetime) -> str:
        """RECOVERED, EXPIRED, or what a person asked. A report of the device is looked at, and from time to time the
        network's own record."""
        while (left := give_up - workflow.now()) > timedelta(0):
            seen = self.report_count
            happened = await self.wait(
                min(self.policy.weak_poll, left),
                lambda seen=seen: (
                    self.report_count != seen and is_strong(self.logs[-1], self.policy)
                ),
            )
            if happened not in (CONDITION_MET, transitions.TIMED_OUT):
                return happened
            if not await self.is_weak():
                return transitions.RECOVERED
        return transitions.EXPIRED

    async def overrule_weakness(self) -> None:
        asker = self.asker
        self.overruled = Overruling(
            by_id=asker.actor_id if asker else None,
            by=asker.actor if asker else "",
            reason=asker.reason if asker else "",
            at=workflow.now(),
            weaknesses=self.weaknesses,
        )
        self.went_wrong(self.overruled.reason)
        self.weaknesses = ()
        await self.move(transitions.OVERRULE)
        self.went_wrong(None)

    async def is_weak(self) -> bool:
        """Whether battery or signal are too weak. Once overruled, and while they are unknown, they are not."""
        if self.overruled is not None:
            return False
        readings, self.readings = self.readings or await self.read(), None
        self.weaknesses = weaknesses(readings, self.policy)
        return bool(self.weaknesses)

    async def watch(self, confirmed: Callable[[], DeviceLog | None], limit: timedelta) -> str:
        """Waits for the confirmation; what the device says of its progress meanwhile is shown."""
        ends = workflow.now() + limit
        while True:
            happened = await self.wait(
                self.left(ends),
                lambda: confirmed() is not None or self.percent != self.percent_shown,
            )
            if happened != CONDITION_MET or confirmed() is not None:
                return happened
            self.rev += 1
            await self.publish()

    @property
    def asker(self) -> FirmwareMessage | None:
        """The message of the command that is in hand."""
        return self.in_hand.ask if self.in_hand is not None else None

    async def pause(self) -> None:
        """Wait before the next try; a person may shorten it, defer the run or cancel it."""
        waits = self.policy.waits
        limit = waits[min(self.attempt - 1, len(waits) - 1)]
        await self.move(transitions.AGAIN, limit=limit)
        happened = await self.wait(limit)
        if happened in (transitions.CANCEL, transitions.DEFER):
            await self.step_aside(happened)
        else:
            await self.move(happened)

    async def step_aside(self, asked: str) -> None:
        """Cancelled: the run ends. Deferred: it sleeps until its time, or until a person says now."""
        until = self.asker.until if self.asker else None
        limit = min(
            max((until or workflow.now()) - workflow.now(), timedelta(0)), self.policy.defer_cap
        )
        await self.move(asked, limit=limit if asked == transitions.DEFER else None)
        if asked == transitions.CANCEL:
            raise _Stopped
        happened = await self.wait(limit)
        await self.move(happened)
        if happened == transitions.CANCEL:
            raise _Stopped

    async def fail(self, event: str) -> None:
        """Failed, but a person may have it begin again for a while. Raises _Again or _Stopped."""
        self.mark(failed=True)
        await self.move(event, limit=self.policy.failed)
        happened = await self.wait(self.policy.failed)
        await self.move(transitions.EXPIRED if happened == transitions.TIMED_OUT else happened)
        raise _Again if happened == transitions.RETRY_NOW else _Stopped

    def confirmed_by(
        self, command: str, keys: list[str], asked_at: datetime, known: frozenset[str]
    ) -> Callable[[], DeviceLog | None]:
        """The log that confirms this try; an earlier try's good end counts, its failure does not. Without a name it is of this try
        if it was not `known` before, and a failure only where it is no older by our clock: who takes an earlier try's for this
        one's sends another command to a device that is at work."""
        tells_apart = TELLS_TRIES_APART in self.decided

        def found() -> DeviceLog | None:
            for log in self.logs:
                if log.command != command:
                    continue
                late = log.ok and log.command_id in keys
                if tells_apart and log.command_id is None and log.id in known:
                    continue
                skew = timedelta(0) if tells_apart and not log.ok else SKEW
                nameless = log.command_id is None and log.timestamp >= asked_at - skew
                if log.command_id == keys[-1] or late or nameless:
                    return log
            return None

        return found

    async def hold(self) -> None:
        await workflow.execute_local_activity_method(
            FlowActivities.hold,
            Holding(
                device_key=self.start.device_key,
                kind="firmware",
                flow_id=self.id,
                workflow_id=workflow.info().workflow_id,
            ),
            **calls.OURS,
        )

    async def send(self, send: SendFirmware) -> SendOutcome:
        """One try at the device network; what it cannot answer for minutes counts as unreachable."""
        try:
            return await workflow.execute_activity_method(
                FirmwareActivities.send_firmware,
                send,
                summary=f"{send.command} {send.target} {send.version}",
                **calls.CHANGE,
            )
        except ActivityError:
            return SendOutcome(offline=True)

    async def read(self) -> Readings:
        """Battery and signal as the network knows them; unknown while it does not answer."""
        try:
            return await workflow.execute_activity_method(
                FirmwareActivities.read_readings,
                self.start.device_key,
                summary="read battery and signal",
                **calls.READ,
            )
        except ActivityError:
            return Readings()

    async def read_version(self, offer: FirmwareOffer) -> str | None:
        """What the device runs now, asked for as long as an unreachable one is waited for, `VERSION_WITHIN` at most; None when
        nobody could say. What was installed must not be taken for failed: its download is not offered again."""
        again = RetryPolicy(initial_interval=SECOND, maximum_interval=LONGEST_PAUSE)
        patient: dict[str, Any] = {
            **calls.within(min(self.policy.offline, VERSION_WITHIN), calls.CHANGE),
            "retry_policy": again,
        }
        try:
            return await workflow.execute_activity_method(
                FirmwareActivities.read_version,
                ReadVersion(device_key=self.start.device_key, target=offer.target),
                summary=f"read the version of {offer.target}",
                **patient,
            )
        except ActivityError:
            return None

    def remark(self, ask: FirmwareMessage | None) -> str | None:
        return self.error

    async def write(self) -> None:
        """The row first, then whoever waits for this run."""
        view, rev = self.present(), self.rev
        self.percent_shown = self.percent
        await super().write()
        for listener in list(self.notify):
            await self.send_report(listener, f"{self.id}-{rev}", view)

    async def send_report(self, listener: str, report_id: str, view: FirmwareView) -> None:
        """One report to one activation; an activation that has ended is told no more."""
        try:
            await workflow.get_external_workflow_handle(listener).signal(
                "firmware_progress", FirmwareProgress(id=report_id, firmware=view)
            )
        except FailureError:
            self.notify = [name for name in self.notify if name != listener]

    def mark(self, **changes: bool) -> None:
        self.targets[self.current] = self.targets[self.current].model_copy(update=changes)

    def went_wrong(self, words: str | None, said_by: ErrorFrom | None = None) -> None:
        """What the run shows as its error; without `said_by` in our own words."""
        self.error, self.error_from = words, said_by

    def count(self, command: FirmwareCommand) -> None:
        counter = "download_attempts" if command is FirmwareCommand.DOWNLOAD else "update_attempts"
        view = self.targets[self.current]
        self.targets[self.current] = view.model_copy(update={counter: self.attempt})

    def allowed(self) -> tuple[str, ...]:
        return transitions.allowed(self.state, flashing=self.flashing, transitions=self.transitions)

    def present(self) -> FirmwareView:
        allowed = self.allowed()
        return FirmwareView(
            run_id=self.id,
            version=self.start.version,
            device_key=self.start.device_key,
            state=self.state,
            target=self.targets[self.current].target if self.targets else None,
            attempt=self.attempt,
            attempts=self.policy.attempts,
            since=self.since,
            next_at=self.deadline,
            error=self.error,
            error_from=self.error_from,
            targets=tuple(self.targets),
            percent=self.percent if self.state in ("download_sent", "update_sent") else None,
            weaknesses=self.weaknesses if self.state == "weak" else (),
            overruled=self.overruled,
            started_by=self.start.owner_name,
            started_at=self.began,
            reason=self.start.reason,
            allowed=allowed,
            can_cancel=transitions.CANCEL in allowed,
            can_retry=transitions.RETRY_NOW in allowed,
            can_defer=transitions.DEFER in allowed,
            can_overrule=transitions.OVERRULE in allowed,
        )

    def more_details(self) -> list[str]:
        view = self.present()
        return [
            f"Attempt {self.attempt} of {self.policy.attempts}",
            f"Last error: {self.error}" if self.error else "",
            f"Weak readings overruled by {self.overruled.by_id or 'nobody'}"
            if self.overruled
            else "",
            "",
            "| part | versions | downloads | updates | |",
            "| --- | --- | --- | --- | --- |",
            *(
                f"| {t.label} | {t.from_version} → {t.to_version} | {t.download_attempts} | {t.update_attempts} | "
                f"{'done' if t.completed else 'failed' if t.failed else 'under way' if t.started else 'waiting'} |"
                for t in view.targets
            ),
            "",
            f"Device {self.start.device_key}",
        ]

    def reply(self) -> FirmwareReply:
        return FirmwareReply(run_id=self.id, rev=self.rev, state=self.state)

    @patient_signal
    def device_log(self, log: DeviceLog) -> None:
        """A log of this device, each once; any of them shows that it can be reached."""
        if any(known.id == log.id for known in self.logs):
            return
        self.logs = [*self.logs, log][-KEPT_LOGS:]
        self.report_count += 1
        percent = percent_of(log) if self.guarded and log.command_id == self.key else None
        if percent is not None and percent >= (self.percent or 0) + SHOWN_PERCENT:
            self.percent = percent

    @patient_signal
    async def attach(self, attach: Attach) -> None:
        """An activation that came later wants to be told; a failed run begins again for it."""
        if attach.notify not in self.notify:
            self.notify.append(attach.notify)
        if self.state == "failed" and self.command is None:
            self.command = Command(transitions.RETRY_NOW)
            return
        await self.send_report(
            attach.notify, f"{self.id}-{self.rev}-{attach.notify}", self.present()
        )

    @workflow.update
    async def retry_now(self, ask: FirmwareMessage) -> FirmwareReply:
        return await self.respond(transitions.RETRY_NOW, ask)

    @workflow.update
    async def cancel(self, ask: FirmwareMessage) -> FirmwareReply:
        return await self.respond(transitions.CANCEL, ask)

    @workflow.update
    async def defer(self, ask: FirmwareMessage) -> FirmwareReply:
        return await self.respond(transitions.DEFER, ask)

    @workflow.update
    async def overrule(self, ask: FirmwareMessage) -> FirmwareReply:
        """An owner lets a weak device be updated; the reason is kept with the change."""
        return await self.respond(transitions.OVERRULE, ask)

    @retry_now.validator
    def may_retry_now(self, ask: FirmwareMessage) -> None:
        self.refuse_unless(transitions.RETRY_NOW)

    @cancel.validator
    def may_cancel(self, ask: FirmwareMessage) -> None:
        self.refuse_unless(transitions.CANCEL)

    @defer.validator
    def may_defer(self, ask: FirmwareMessage) -> None:
        self.refuse_unless(transitions.DEFER)

    @overrule.validator
    def may_overrule(self, ask: FirmwareMessage) -> None:
        self.refuse_unless(transitions.OVERRULE)

    def refusal(self, event: str) -> Refusal:
        late = event == transitions.CANCEL and self.flashing and not self.ended
        return Refusal.of(UpdateNotCancellable) if late else super().refusal(event)

    @workflow.query
    def view(self) -> FirmwareView:
        return self.present()
