"""The activation workflow: a thin durable shell round the pure reducer in `domain/activation/reducer.py`.

A handler applies its event and waits until the main loop has published it; the main loop alone runs effects and writes
the projection. Validators ask the reducer's dry run, so a refused message leaves no trace in the history.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

from temporalio import workflow
from temporalio.common import SearchAttributeUpdate
from temporalio.exceptions import (
    ActivityError,
    ApplicationError,
    FailureError,
    WorkflowAlreadyStartedError,
)

with workflow.unsafe.imports_passed_through():
    from activities.activation.activation import ActivationActivities, Described, Reminder
    from activities.activation.configuring import ConfiguringActivities
    from activities.plans.purchases import PurchaseActivities
    from activities.runs.begin import begun_as
    from activities.runs.intents import Call
    from domain.activation import reducer as flow
    from domain.activation.activation import (
        Abandon,
        Act,
        ActivationOutcome,
        ActivationView,
        Back,
        BuyPlan,
        ChangeDevice,
        CheckDevice,
        Checked,
        CheckFirmware,
        Effect,
        Fail,
        Fault,
        FeatureAct,
        FieldFault,
        Finish,
        FirmwareProgress,
        HandOver,
        JoinPurchase,
        LogArrived,
        Ok,
        Opened,
        PinAct,
        PinRemoval,
        PurchaseProgress,
        Rejection,
        Reply,
        Reset,
        Result,
        SendCommand,
        SendWelcome,
        Skip,
        Start,
        State,
        Stopped,
        Submit,
        Tick,
        UserEvent,
        Wait,
    )
    from domain.activation.configuring import (
        DeletePin,
        LinkInstaller,
        PatchTables,
        ResetPairing,
        SetFeature,
        SetMode,
        SetPin,
        SetWires,
        SwapDevice,
    )
    from domain.activation.reducer import AnyEvent
    from domain.devices.devices import CommandKind, DeviceLog, FirmwareCheck, kind_of
    from domain.firmware.firmware import CURRENT_VERSION as FIRMWARE_VERSION
    from domain.firmware.firmware import Attach, FirmwareStart, readings_of_check
    from domain.kinds import ACTIVATION, FIRMWARE
    from domain.plans.purchases import Attach as AttachToPurchase
    from domain.plans.purchases import PayBy
    from domain.runs.kind import TURN_WORDS, Subject
    from domain.runs.transition import Transition
    from workflows import calls, ids
    from workflows.firmware import FirmwareWorkflow
    from workflows.run import Projected
    from workflows.signals import patient_signal

_PEOPLE = (
    Submit,
    Act,
    PinAct,
    PinRemoval,
    FeatureAct,
    BuyPlan,
    Skip,
    Back,
    Reset,
    ChangeDevice,
    Abandon,
    HandOver,
)
FOLLOWS_HAND_OVER = "follows-hand-over"
SWAPS_ANEW = "swaps-anew"
SHORTEST_SLEEP = timedelta(milliseconds=50)
STOPPED_WORKER = "WorkerShutdown"
"""What Temporal's SDK calls the failure of an effect that its worker cancelled because it stops."""


@workflow.defn(name="Activation")
class ActivationWorkflow(Projected):
    """One activation, from the device check to its end."""

    kind = ACTIVATION
    patches = (SWAPS_ANEW,)

    @workflow.init
    def __init__(self, start: Start) -> None:
        self.decide()
        self.start: Start = start
        self.state: State = flow.begin(start, workflow.now(), swaps_anew=SWAPS_ANEW in self.decided)
        self.version, self.seq = self.state.flow_version, self.state.seq
        self.published_rev = -1
        self.moves = []
        self.since = workflow.now()

    @workflow.run
    async def run(self, start: Start) -> Reply:
        self.describe()
        self.timer = asyncio.create_task(self.clock())
        await self.carry_out()
        return self.reply()

    async def stop(self) -> None:
        """An operator's cancel is an abandon, once the effect is over: nothing physical is cut in half."""
        while not flow.has_ended(self.state):
            await workflow.wait_condition(lambda: self.state.pending is None)
            self.apply(Stopped())

    async def execute(self) -> None:
        """Runs effects and writes projections until the run has ended and everybody can see it."""
        while not (flow.has_ended(self.state) and self.published_rev == self.state.rev):
            try:
                await workflow.wait_condition(
                    lambda: self.published_rev != self.state.rev,
                    timeout=self.time_left(),
                    timeout_summary=f"{self.state.step} waits for the device",
                )
            except TimeoutError:
                self.apply(Tick(kind="TIMED_OUT"))
                continue
            while self.state.pending is not None:
                if self.state.flow_version == 1:
                    await self.publish()  # later versions show it in the activity of the effect
                self.apply(await self.perform(self.state.pending))
            await self.publish()
        self.timer.cancel()

    async def clock(self) -> None:
        """One lazy timer for reminders and the idle deadline: it looks again when it wakes."""
        touched, reminded = self.state.touched_at, 0
        while not flow.has_ended(self.state):
            if self.state.touched_at != touched:
                touched, reminded = self.state.touched_at, 0
            waits, idle_at = self.state.policy.reminders, self.state.idle_at
            remind_at = touched + waits[reminded] if reminded < len(waits) else idle_at
            due, now = min(remind_at, idle_at), workflow.now()
            if now < due:
                await workflow.sleep(max(due - now, SHORTEST_SLEEP), summary="remind or abandon")
            elif now >= idle_at:
                await workflow.wait_condition(lambda: self.state.pending is None)
                self.apply(Tick(kind="IDLE"))
            else:
                reminded += 1
                await self.remind(reminded)

    @workflow.update
    async def open(self, event: Opened) -> Reply:
        """Start or resume: answers once the device is checked and the first step is there."""
        await workflow.wait_condition(
            lambda: self.state.state != "checking" and self.published_rev >= self.state.rev
        )
        return self.reply()

    @open.validator
    def may_open(self, event: Opened) -> None:
        self.refuse_if_rejected(event)

    def may(self, event: UserEvent) -> None:
        self.refuse_if_rejected(event)

    @workflow.update
    async def submit(self, event: UserEvent) -> Reply:
        """Each of these is what a person does, and named for it; it answers once that is published."""
        return await self.apply_and_wait(event)

    @workflow.update
    async def act(self, event: UserEvent) -> Reply:
        return await self.apply_and_wait(event)

    @workflow.update
    async def skip(self, event: UserEvent) -> Reply:
        return await self.apply_and_wait(event)

    @workflow.update
    async def go_back(self, event: UserEvent) -> Reply:
        return await self.apply_and_wait(event)

    @workflow.update
    async def begin_again(self, event: UserEvent) -> Reply:
        return await self.apply_and_wait(event)

    @workflow.update
    async def change_device(self, event: UserEvent) -> Reply:
        return await self.apply_and_wait(event)

    @workflow.update
    async def abandon(self, event: UserEvent) -> Reply:
        return await self.apply_and_wait(event)

    @workflow.update
    async def event(self, event: UserEvent) -> Reply:
        """Any of them, from before each had a name of its own."""
        return await self.apply_and_wait(event)

    for update in (submit, act, skip, go_back, begin_again, change_device, abandon, event):
        update.validator(may)
    del update

    @workflow.update
    async def hand_over(self, event: HandOver) -> Reply:
        return await self.apply_and_wait(event)

    @hand_over.validator
    def may_hand_over(self, event: HandOver) -> None:
        self.refuse_if_rejected(event)

    @patient_signal
    def device_log(self, log: DeviceLog) -> None:
        self.apply(LogArrived(log=log))

    @patient_signal
    def firmware_progress(self, moved: FirmwareProgress) -> None:
        self.apply(moved)

    @patient_signal
    def purchase_settled(self, moved: PurchaseProgress) -> None:
        self.apply(moved)

    @workflow.query
    def view(self) -> ActivationView:
        return self.present()

    async def apply_and_wait(self, event: UserEvent | HandOver) -> Reply:
        self.apply(event)
        await workflow.wait_condition(
            lambda: self.published_rev == self.state.rev and self.state.pending is None
        )
        return self.reply()

    def refuse_if_rejected(self, event: AnyEvent) -> None:
        judged = flow.reduce(self.state, event, workflow.now())
        if isinstance(judged, Rejection):
            raise ApplicationError(judged.detail, type=judged.code, non_retryable=True)

    def apply(self, event: AnyEvent) -> None:
        """The one place where the state changes; a rejection after its validator would be a bug."""
        before, now = self.state, workflow.now()
        after = flow.reduce(before, event, now)
        if isinstance(after, Rejection):
            raise ApplicationError(after.detail, type=after.code, non_retryable=True)
        if after.rev == before.rev:
            return
        self.state, self.seq = after, after.seq
        if after.step != before.step:
            self.since = now
        self.moves.append(_transition(before, after, event, now))
        if after.owner != before.owner and self.does(FOLLOWS_HAND_OVER):
            self.describe_owner()
        if after.step != before.step:
            self.describe()

    async def perform(self, effect: Effect) -> Result:
        """Runs one effect. Every failure is an answer for the installer, never the end of the run."""
        self.publish_details()
        call = Call(
            flow_id=self.state.id,
            workflow_id=workflow.info().workflow_id,
            busy=self.projection(),
        )
        try:
            match effect:
                case CheckDevice():
                    described = await workflow.execute_activity_method(
                        ActivationActivities.check_device,
                        args=[call, effect],
                        summary=self.at_step(f"check {effect.device_key}"),
                        **calls.READ,
                    )
                    return _checked(described)
                case SwapDevice():
                    described = await workflow.execute_activity_method(
                        ConfiguringActivities.swap_device,
                        args=[call, effect],
                        summary=self.at_step(f"{effect.new_device_key} for {effect.device_key}"),
                        **calls.SWAP,
                    )
                    return _checked(described)
                case SendCommand():
                    return await self.send_command(call, effect)
                case CheckFirmware():
                    check = await workflow.execute_activity_method(
                        ActivationActivities.check_firmware,
                        args=[call, effect.device_key],
                        summary=self.at_step("ask for firmware"),
                        **calls.READ,
                    )
                    return await self.start_firmware(check) if check.offers else Ok()
                case JoinPurchase():
                    return await self.join_purchase(effect)
                case PatchTables() if not effect.changes:
                    return Ok()
                case _:
                    carry_out, summary, options = _CARRIED_OUT[type(effect)]
                    await workflow.execute_activity_method(
                        carry_out, args=[call, effect], summary=self.at_step(summary), **options
                    )
        except ActivityError as error:
            return Fail(fault=_fault(error))
        return Ok()

    def at_step(self, what: str) -> str:
        """How an effect is named in Temporal's own page."""
        return f"{self.state.step}: {what}"

    async def send_command(self, call: Call, effect: SendCommand) -> Result:
        acting = kind_of(effect.command) is CommandKind.ACTING
        try:
            sent = await workflow.execute_activity_method(
                ActivationActivities.send_command,
                args=[call, effect],
                summary=self.at_step(f"{effect.command} #{self.state.seq}"),
                **(calls.ACTING_COMMAND if acting else calls.QUERY_COMMAND),
            )
            return Wait(unknown=sent.unknown)
        except ActivityError as error:
            if acting and not isinstance(error.cause, ApplicationError):
                return Wait(unknown=True)
            raise

    async def start_firmware(self, check: FirmwareCheck) -> Result:
        """Starts the device's firmware run, or joins the one that is under way."""
        state, me = self.state, workflow.info().workflow_id
        workflow_id = ids.firmware_id(state.device_key)
        start = FirmwareStart(
            run_id=str(workflow.uuid4()),
            version=FIRMWARE_VERSION,
            device_key=state.device_key,
            offers=check.offers,
            notify=me,
            dealer_id=state.owner.dealer_id,
            owner_id=state.owner.user_id,
            owner_name=state.owner.name,
            partner=self.start.partner,
            site=state.site,
            policy=self.start.firmware_policy,
            portal_url=self.start.portal_url,
            readings=readings_of_check(check),
        )
        try:
            await workflow.start_child_workflow(
                FirmwareWorkflow.run,
                start,
                id=workflow_id,
                parent_close_policy=workflow.ParentClosePolicy.ABANDON,
                **begun_as(FIRMWARE, start),
            )
        except WorkflowAlreadyStartedError:
            try:
                await workflow.get_external_workflow_handle(workflow_id).signal(
                    "attach", Attach(notify=me)
                )
            except FailureError:
                return Fail(fault=flow.UNEXPECTED)
        return Wait()

    async def join_purchase(self, effect: JoinPurchase) -> Result:
        """Has the purchase of the device's plan tell how it ends. It goes on whatever becomes of this run."""
        attach = AttachToPurchase(
            notify=workflow.info().workflow_id, device_key=self.state.device_key
        )
        if effect.payment_type is not None and effect.method_id is not None:
            pay_by = PayBy(type=effect.payment_type, method_id=effect.method_id)
            attach = attach.model_copy(update={"pay_by": pay_by, "reason": effect.reason})
        purchase = workflow.get_external_workflow_handle(ids.purchase_id(effect.purchase_id))
        try:
            await purchase.signal("attach", attach)
            return Wait()
        except FailureError:
            bought = await workflow.execute_local_activity_method(
                PurchaseActivities.bought_for, effect.purchase_id, **calls.OURS
            )
        if self.state.device_key in bought.device_keys:
            return Ok()
        return Fail(fault=flow.PURCHASE_ENDED)

    async def remind(self, number: int) -> None:
        state = self.state
        try:
            await workflow.execute_activity_method(
                ActivationActivities.remind,
                Reminder(
                    flow_id=state.id,
                    number=state.seq * 10 + number,
                    owner_id=state.owner.user_id,
                    email=state.consumer_email,
                    device_key=state.device_key,
                    step=state.step,
                    portal_url=self.start.portal_url,
                    language=self.start.language,
                ),
                summary=f"reminder {number}",
                **calls.NOTIFY,
            )
        except ActivityError as error:
            workflow.logger.warning("reminder was not sent: %s", error.cause)

    def reply(self) -> Reply:
        state = self.state
        return Reply(
            id=state.id,
            seq=state.seq,
            rev=state.rev,
            state=state.state,
            allowed=flow.allowed(state),
            error=state.error,
        )

    def status(self) -> tuple[str, int, str]:
        return self.state.id, self.state.rev, self.state.state

    def allowed(self) -> tuple[str, ...]:
        return flow.allowed(self.state)

    def present(self) -> ActivationView:
        return flow.view(self.state, workflow.now())

    def ended_as(self) -> str | None:
        return flow.outcome(self.state)

    def about(self) -> Subject:
        """Its owner and its device may have changed since it began."""
        state = self.state
        return Subject(
            site=state.site,
            dealer_id=state.owner.dealer_id,
            person_id=state.owner.user_id,
            partner=self.start.partner,
            device_key=state.device_key,
        )

    def time_left(self) -> timedelta | None:
        if self.state.deadline is None:
            return None
        return max(self.state.deadline - workflow.now(), SHORTEST_SLEEP)

    def describe_owner(self) -> None:
        """Operators find a run that was handed over by whoever has it now."""
        owner = self.state.owner
        workflow.upsert_search_attributes(  # pyright: ignore[reportUnknownMemberType] one overload of the SDK is open
            [
                ids.INSTALLER_ID.value_set(owner.user_id)
                if owner.user_id
                else ids.INSTALLER_ID.value_unset(),
                ids.DEALER_ID.value_set(owner.dealer_id)
                if owner.dealer_id
                else ids.DEALER_ID.value_unset(),
            ]
        )

    def describe(self) -> None:
        """Search attributes for operators, once for each change of step."""
        state, outcome = self.state, flow.outcome(self.state)
        updates: list[SearchAttributeUpdate[Any]] = [
            ids.FLOW_STEP.value_set(state.step),
            ids.IDLE_DEADLINE.value_set(state.idle_at),
        ]
        if state.situation is not None:
            updates.append(ids.DEVICE_KEY.value_set(state.device_key))
            updates.append(ids.PRODUCT_FAMILY.value_set(state.situation.device.family))
        if outcome is not None:
            updates.append(ids.OUTCOME.value_set(outcome))
            updates.append(
                ids.NEEDS_ATTENTION.value_set(outcome is ActivationOutcome.NEEDS_ATTENTION)
            )
        workflow.upsert_search_attributes(updates)  # pyright: ignore[reportUnknownMemberType]

    def details(self) -> str:
        """What an operator reads in the Temporal UI: where it stands, since when, what it waits for, where to look."""
        state = self.state
        here = state.plan.index(state.step) if state.step in state.plan else -1
        rows = [
            f"| {number} | {step} | "
            f"{'skipped' if step in state.skipped else 'done' if number <= here else 'now' if number == here + 1 else ''} |"
            for number, step in enumerate(state.plan, start=1)
        ]
        return "\n".join(
            [
                f"**{state.step}** since {self.since:%Y-%m-%d %H:%M:%S} UTC, step {here + 1} of {len(state.plan)}",
                f"Waits for {TURN_WORDS[self.kind.waits_for(state.state, flow.allowed(state))]}",
                f"Under way: {state.pending.kind}" if state.pending else "",
                f"Waits until {state.deadline:%H:%M:%S} UTC" if state.deadline else "",
                f"Last error: {state.error.detail}" if state.error else "",
                f"Owner: {state.owner.user_id or 'guest'}; dealer {state.owner.dealer_id or '–'}; "
                f"abandoned when idle until {state.idle_at:%Y-%m-%d %H:%M} UTC",
                "",
                "| # | step | |",
                "| --- | --- | --- |",
                *rows,
            ]
        )


def _transition(before: State, after: State, event: AnyEvent, now: datetime) -> Transition:
    actor = event.actor if isinstance(event, _PEOPLE) else None
    return Transition(
        rev=after.rev,
        event=event.kind,
        from_state=before.state,
        to_state=after.state,
        at=now,
        actor_id=actor.user_id if actor else None,
        actor=actor.name if actor else None,
        acting_for=actor.acting_for if actor else None,
        note=after.error.detail if after.error else None,
    )


_CARRIED_OUT: dict[type[Effect], tuple[Callable[..., Awaitable[None]], str, dict[str, Any]]] = {
    SendWelcome: (ActivationActivities.send_welcome, "welcome the owner", calls.CHANGE),
    Finish: (ActivationActivities.finish, "activate and install", calls.CHANGE),
    ResetPairing: (ConfiguringActivities.reset_pairing, "reset the pairing", calls.SETTING),
    SetMode: (ConfiguringActivities.set_mode, "set the KeyLocker's mode", calls.SETTING),
    PatchTables: (ConfiguringActivities.patch_tables, "write options", calls.TABLES),
    SetPin: (ConfiguringActivities.set_pin, "save a pin", calls.SETTING),
    DeletePin: (ConfiguringActivities.delete_pin, "remove a pin", calls.SETTING),
    SetFeature: (ConfiguringActivities.set_feature, "turn a setting", calls.SETTING),
    SetWires: (ConfiguringActivities.set_wires, "set the wires", calls.SETTING),
    LinkInstaller: (ConfiguringActivities.link_installer, "reward the installer", calls.CHANGE),
}
"""Effect → the activity that carries it out and answers nothing, its summary, its times."""


def _checked(described: Described) -> Checked:
    return Checked(device=described.device, features=described.features)


def _fault(error: ActivityError) -> Fault:
    """The words of whoever refused, and the fields at fault; a timeout and a worker that stopped have none of their own."""
    cause = error.cause
    if not isinstance(cause, ApplicationError) or cause.type in (None, "", STOPPED_WORKER):
        return flow.UNEXPECTED
    fields = tuple(
        FieldFault(field=field, message=message)
        for found in cause.details
        for field, message in found
    )
    return Fault(code=cause.type, detail=cause.message, fields=fields)
