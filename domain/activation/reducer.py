"""How an event changes an activation: a pure function over the step table of the state's version.

`reduce(state, event, now)` answers the next state, the same state where an event changes nothing (a repeated signal), or
a `Rejection` of a person's event that is not for now. Time comes in as an argument; effects are values in
`state.pending`. Every change goes through `_changed`, which alone moves `rev` and `seq`.
"""

from datetime import datetime
from typing import Any

from pydantic import ValidationError

from domain.activation import activation_v1, activation_v2, activation_v3, beside
from domain.activation.activation import (
    REJECTIONS,
    Abandon,
    Act,
    ActivationOutcome,
    ActivationView,
    AnyAct,
    Back,
    BoughtPlan,
    BuyPlan,
    ChangeDevice,
    CheckDevice,
    Checked,
    CommandRow,
    CommandState,
    DeviceView,
    Effect,
    Facts,
    Fail,
    Fault,
    FeatureAct,
    FirmwareProgress,
    HandOver,
    HandOverView,
    JoinPurchase,
    LastHandOver,
    LogArrived,
    Ok,
    Opened,
    Person,
    PinAct,
    PinRemoval,
    PurchaseProgress,
    Rejection,
    Reset,
    Result,
    SendCommand,
    Situation,
    Skip,
    Start,
    State,
    StepName,
    Stopped,
    Submit,
    Tick,
    UserEvent,
    VehicleForm,
    Wait,
)
from domain.activation.activation_v1 import Step
from domain.activation.commands import awaited, confirmed_by, queued, row_of, with_outcome
from domain.activation.configuring import SPECIAL_ROW_NEEDS_QUERY, PatchTables, SwapDevice
from domain.activation.facts import (
    after_reset,
    begun,
    cannot_be_undone,
    checked,
    connected,
    failed,
    of_another_device,
    succeeded,
    without_firmware,
)
from domain.devices.activation_type import ActivationType
from domain.devices.devices import (
    Device,
    DeviceLog,
    DeviceState,
    FirmwareTarget,
    Keylocker,
    VehicleDetails,
)
from domain.devices.option_tables import REQUERY_LIMIT
from domain.devices.toggles import Toggle
from domain.firmware.firmware import FirmwareView
from domain.runs.engine import ENDS, OPENING, USER_EVENTS, Event, edges_of, resolve_target

CURRENT_VERSION = 3
"""The version that new runs begin on."""

KEPT_SIGNALS = 20

NO_ANSWER = Fault(
    code="no_answer",
    detail="The device did not answer in time. Check its power and signal, then try again.",
)
UNEXPECTED = Fault(code="unexpected", detail="Unexpected Error. Please try again later.")

PURCHASE_ENDED = Fault(
    code="purchase_ended",
    detail="This purchase has ended. You can choose a plan again, or skip this step.",
)
STILL_TRIED = "part_failed"
"""Where a purchase stands while what failed is tried again."""
NOT_BOUGHT_AS = ("cancelled", "confirmed", "expired", "given_up", "rejected")
"""How a purchase can be over that did not give the device its plan; `given_up` while others of its devices are open."""
STILL_UPDATING = Fault(
    code="device_updating",
    detail="The device is still installing its firmware. Please try again when that is over.",
)
NOT_BOUGHT = "The plan was not bought. You can choose one again, or skip this step."

UNFINISHED = ("abandoned", "choose-type")
"""The ends of a run whose device was left half way."""

PAID_AT = "purchase-plan"
"""The step whose payment can be handed over by itself."""

AnyEvent = (
    UserEvent
    | HandOver
    | Opened
    | Result
    | LogArrived
    | FirmwareProgress
    | PurchaseProgress
    | Tick
    | Stopped
)


VERSIONS = (1, 2, 3)
"""A run keeps the one it began on; new ones take the last."""


def table(version: int) -> tuple[Step, ...]:
    """The steps of one version; a run keeps the version it began on."""
    return {1: activation_v1.BUILT, 2: activation_v2.STEPS, 3: activation_v3.STEPS}[version]


def edges(version: int) -> dict[str, dict[Event, str]]:
    """Every state of one version and where each of its events leads."""
    return _EDGES[version]


def _all_edges(steps: tuple[Step, ...]) -> dict[str, dict[Event, str]]:
    found: dict[str, dict[Event, str]] = {name: dict(to) for name, to in OPENING.items()}
    for step in steps:
        assert step.kind is not None
        found |= edges_of(step.kind, step.name, may_skip=step.may_skip)
    return found | {end: {} for end in ENDS}


_EDGES = {version: _all_edges(table(version)) for version in VERSIONS}


def plan_of(situation: Situation, version: int) -> tuple[StepName, ...]:
    """The steps of one activation, in order."""
    plans = {1: activation_v1.plan_of, 2: activation_v2.plan_of, 3: activation_v3.plan_of}
    return plans[version](situation)


def types_for(device: Device) -> tuple[ActivationType, ...]:
    """Which types a device can be activated as (rulings): by its state, and only by the version that new runs begin on."""
    if device.device_state is DeviceState.PAUSED:
        fitting = (ActivationType.REPLACE_DEVICE,) if device.service_mode else ()
    elif device.device_state is DeviceState.NEW:
        fitting = (ActivationType.NEW_DEVICE, ActivationType.VERIZON_SIM)
    else:
        fitting = (
            ActivationType.SERVICE_DEVICE,
            ActivationType.REPLACE_DEVICE,
            ActivationType.PURCHASE_SUBSCRIPTION,
        )
    return tuple(kind for kind in fitting if kind in activation_v3.OFFERED)


def begin(start: Start, now: datetime, *, swaps_anew: bool = True) -> State:
    """The state of a run that has just been started: it checks the device. A run of before does not swap anew."""
    resume = start.resume
    return State(
        id=start.id,
        flow_version=start.flow_version,
        policy=start.policy,
        site=start.site,
        canadian=start.canadian,
        kind=start.kind,
        device_key=start.device_key,
        iccid_last_digits=start.iccid_last_digits,
        advanced=start.advanced,
        consumer_email=start.consumer_email or (resume.consumer_email if resume else None),
        facts=Facts(vehicle=resume.vehicle, replaced=resume.replaced) if resume else Facts(),
        skipped=dict(resume.skipped) if resume else {},
        swaps_anew=swaps_anew,
        entry=resume.entry if resume else None,
        pending=CheckDevice(
            device_key=start.device_key,
            iccid_last_digits=start.iccid_last_digits,
            canadian=start.canadian,
            activation_type=start.kind,
            guest=start.actor.user_id is None,
            with_features=_asks_for_features(start.flow_version, start.kind),
        ),
        started_at=now,
        touched_at=now,
        idle_at=now + min(start.policy.idle, start.policy.cap),
        owner=start.actor,
        last_actor=start.actor.name,
    )


def reduce(state: State, event: AnyEvent, now: datetime) -> State | Rejection:
    """The next state, the same one, or why a person's event is refused."""
    match event:
        case Opened():
            return _opened(state, event)
        case HandOver():
            return _handed_over(state, event, now)
        case (
            Submit()
            | Act()
            | PinAct()
            | PinRemoval()
            | FeatureAct()
            | BuyPlan()
            | Skip()
            | Back()
            | Reset()
            | ChangeDevice()
            | Abandon()
        ):
            return _person(state, event, now)
        case LogArrived():
            return _log(state, event.log, now)
        case FirmwareProgress():
            return _firmware(state, event, now)
        case PurchaseProgress():
            return _purchase(state, event, now)
        case Tick():
            return _tick(state, event, now)
        case Stopped():
            if has_ended(state) or state.pending is not None:
                return state
            return _changed(
                state, now, state="abandoned", deadline=None, reason="stopped by an operator"
            )
        case _:
            return _result(state, event, now)


def has_ended(state: State) -> bool:
    return state.state in ENDS


def allowed(state: State) -> tuple[str, ...]:
    """The events that a person may send now."""
    here = edges(state.flow_version)[state.state]
    not_now = beside.kept_back(state, _step_or_none(state))
    return tuple(str(event) for event in USER_EVENTS if event in here and event not in not_now)


def outcome(state: State) -> ActivationOutcome | None:
    """How the run ended, whichever device it was that something was done to."""
    if not has_ended(state):
        return None
    return left_as(state.state, state.facts, irreversible=state.irreversible)


def left_as(state: str, facts: Facts, *, irreversible: bool) -> ActivationOutcome:
    """What was done to a device and cannot be undone needs somebody's attention when the run was left unfinished after it."""
    if state in UNFINISHED and (irreversible or cannot_be_undone(facts)):
        return ActivationOutcome.NEEDS_ATTENTION
    return ActivationOutcome(state)


def _is_irreversible(state: State) -> bool:
    return state.irreversible or cannot_be_undone(state.facts)


def may_touch(state: State, person: Person) -> bool:
    """The owner, a colleague of the same dealer, the guest who holds its capability, or an administrator."""
    if person.everywhere or person.guest_of == state.id:
        return True
    if person.user_id is not None and person.user_id == state.owner.user_id:
        return True
    return person.dealer_id is not None and person.dealer_id == state.owner.dealer_id


def view(state: State, now: datetime) -> ActivationView:
    """What people see of the state, `now` being the time of its last change."""
    device = state.situation.device if state.situation else None
    step = _step_or_none(state)
    total = len(state.plan)
    position = state.plan.index(step.name) + 1 if step and step.name in state.plan else 0
    return ActivationView(
        id=state.id,
        flow_version=state.flow_version,
        type=state.kind,
        is_advanced_flow=state.advanced,
        device=_device_view(state, device),
        plan=state.plan,
        state=state.state,
        step=state.step,
        phase=state.phase,
        position=total if state.state == "completed" else position,
        total=total,
        error=state.error,
        facts=state.facts,
        commands=_commands(state),
        toggles=_toggles(state),
        skipped=state.skipped,
        beside=beside.standing(state),
        held=state.held is not None and not has_ended(state),
        kept=state.kept,
        plan_purchased=(device is not None and device.plan is not None)
        or (state.facts.purchase is not None and state.facts.purchase.provisioned),
        keylocker_replaced=state.facts.replaced is not None
        and device is not None
        and device.is_keylocker_present,
        deadline=state.deadline,
        idle_at=state.idle_at,
        owner=state.owner.name,
        owner_id=state.owner.user_id,
        guest=state.owner.user_id is None,
        handed=_handed_view(state.handed),
        consumer_email=state.consumer_email,
        outcome=outcome(state),
        irreversible=state.irreversible,
        reason=state.reason,
        created_at=state.started_at,
        updated_at=now,
        updated_by=state.last_actor,
    )


def _commands(state: State) -> tuple[str, ...]:
    """What the present step can send; nothing while the tests wait."""
    step = _step_or_none(state)
    if step is None or step.commands is None or state.situation is None:
        return ()
    if Event.ACT in beside.kept_back(state, step):
        return ()
    return step.commands(state.situation.device.product_name)


def _handed_view(handed: LastHandOver | None) -> HandOverView | None:
    if handed is None:
        return None
    return HandOverView(
        by=handed.by,
        step=handed.step,
        note=handed.note,
        only_to_pay=handed.back_to is not None,
        back_to_id=handed.back_to.user_id if handed.back_to else None,
    )


def _device_view(state: State, device: Device | None) -> DeviceView:
    if device is None:
        return DeviceView(device_key=state.device_key)
    facts, done = state.facts, _is_installed(state)
    shown = device.model_dump(include=set(DeviceView.model_fields)) | {
        "family": device.family,
        "device_state": _device_state(state, device),
        "firmware_version": _version_read_last(facts) or device.firmware_version,
        "service_mode": device.service_mode and not done,
        "initial_device_state": device.device_state,
        "initial_service_mode": device.service_mode,
        "device_replaced": facts.replaced is not None,
        "replaced_device_verified": facts.replaced is not None and facts.replaced.verified,
        "number_of_commands_sent": len(facts.commands) + len(facts.configuration),
    }
    return DeviceView.model_validate(shown)


def _is_installed(state: State) -> bool:
    return state.state == "completed" and activation_v2.installs(state.kind)


def _version_read_last(facts: Facts) -> str | None:
    """The main device's once it was written and read again."""
    targets = facts.firmware.targets if facts.firmware else ()
    return next(
        (one.to_version for one in targets if one.completed and one.target is FirmwareTarget.MAIN),
        None,
    )


def _device_state(state: State, device: Device) -> DeviceState:
    """Activation makes it activated, installation installed (devices spec 4)."""
    if _is_installed(state):
        return DeviceState.INSTALLED
    return DeviceState.ACTIVATED if state.facts.activated else device.device_state


def _refuse(code: str) -> Rejection:
    return Rejection(code=code, detail=REJECTIONS[code][1])


def _opened(state: State, event: Opened) -> State | Rejection:
    if has_ended(state):
        return _refuse("closed")
    if not may_touch(state, event.actor):
        return _refuse("not_owner")
    moved = event.device_key != state.device_key
    return _refuse("device_moved") if moved else state


def _gate(state: State, event: UserEvent | HandOver) -> Rejection | None:
    """What is asked of every message, in this order: ended, whose it is, what they saw, how many there were."""
    if has_ended(state):
        return _refuse("closed")
    if not may_touch(state, event.actor):
        return _refuse("not_owner")
    if event.seq != state.seq:
        return _refuse("stale_sequence")
    if state.seq >= state.policy.update_cap and not isinstance(event, Abandon):
        return _refuse("too_many_changes")
    return None


def _handed_over(state: State, event: HandOver, now: datetime) -> State | Rejection:
    refused = _gate(state, event)
    if refused:
        return refused
    if event.to.dealer_id is None or event.to.dealer_id != state.owner.dealer_id:
        return _refuse("not_owner")
    if event.only_to_pay and state.step != PAID_AT:
        return _refuse("step_out_of_order")
    handed = LastHandOver(
        by=event.actor.name,
        step=state.step,
        note=event.note,
        back_to=_giver(state, event) if event.only_to_pay else None,
    )
    return _changed(
        state, now, by=event.actor, owner=event.to, handed=handed, pending=state.pending
    )


def _giver(state: State, event: HandOver) -> Person | None:
    """To whom it comes back: whoever gave it first, though it may have gone from hand to hand. None when it is theirs by
    this already."""
    handed = state.handed
    first = event.back_to or (handed.back_to if handed else None) or state.owner
    return None if first.user_id == event.to.user_id else first


def _come_back(state: State) -> State:
    """What was handed over only to be paid goes back once the plan's step is left, in whichever direction."""
    handed = state.handed
    if handed is None or handed.back_to is None or state.step == PAID_AT:
        return state
    return state.model_copy(update={"owner": handed.back_to, "handed": None})


def _person(state: State, event: UserEvent, now: datetime) -> State | Rejection:
    refused = _gate(state, event)
    if refused:
        return refused
    here = edges(state.flow_version)[state.state]
    asked = Event.ACT if isinstance(event, AnyAct) else Event(event.kind)
    target = here.get(asked)
    if target is None:
        if state.phase != "ready" or state.state in OPENING:
            return _refuse("command_in_progress")
        if isinstance(event, Submit) and event.form.step == state.step and Event.SKIP in here:
            return _refuse("only_skippable")
        return _refuse("not_skippable" if isinstance(event, Skip) else "step_out_of_order")
    named = (
        event.form.step
        if isinstance(event, Submit)
        else event.step
        if isinstance(event, Skip | Back)
        else state.step
    )
    step = _step_or_none(state)
    passes = step.after if step and isinstance(event, Skip) else None
    if named != (passes or state.step):
        return _refuse("step_out_of_order")
    if asked in beside.kept_back(state, step):
        return _refuse("not_skippable" if isinstance(event, Skip) else "firmware_under_way")

    def to(**changes: Any) -> State:
        return _changed(
            state, now, by=event.actor, state=_resolve_target(target, state), error=None, **changes
        )

    match event:
        case Submit():
            return _submitted(state, event, target, now)
        case Act() | PinAct() | PinRemoval() | FeatureAct() | BuyPlan():
            return _acted(state, event, target, now)
        case Skip():
            return to(skipped={**state.skipped, event.step: event.reason})
        case Back() if state.held is not None:
            return to(held=None, held_until=None, deadline=None)
        case Back():
            return to()
        case Reset():
            return to(facts=after_reset(state.facts), skipped={}, entry=None)
        case ChangeDevice():
            if event.device_key == state.device_key:
                return _refuse("same_device")
            check = CheckDevice(
                device_key=event.device_key,
                iccid_last_digits=event.iccid_last_digits,
                canadian=state.canadian,
                activation_type=state.kind,
                guest=state.owner.user_id is None,
                replaces=state.device_key,
                with_features=_asks_for_features(state.flow_version, state.kind),
            )
            return to(pending=check, entry=_step_name(state))
        case Abandon():
            return to(reason=event.reason, deadline=None)


def _submitted(state: State, event: Submit, target: str, now: datetime) -> State | Rejection:
    facts, form = state.facts, event.form
    if isinstance(form, VehicleForm):
        facts = facts.model_copy(
            update={"vehicle": VehicleDetails(**form.model_dump(exclude={"step"}))}
        )
    step = _step(state)
    effect = step.effect(state, event) if step.effect else None
    if isinstance(effect, SwapDevice) and effect.new_device_key == effect.device_key:
        return _refuse("same_device")
    if isinstance(effect, SendCommand):
        facts = queued(facts, effect, state.step, now)
    return _changed(
        state,
        now,
        by=event.actor,
        state=_resolve_target(target, state),
        facts=begun(facts, effect),
        pending=effect,
        has_reported=False,
        kept=None,
        error=None,
        skipped={name: why for name, why in state.skipped.items() if name != state.step},
    )


def _acted(state: State, event: AnyAct, target: str, now: datetime) -> State | Rejection:
    effect = _effect_of(state, event)
    if isinstance(effect, Rejection):
        return effect
    facts = begun(state.facts, effect)
    if isinstance(effect, SendCommand):
        facts = queued(facts, effect, state.step, now)
    return _changed(
        state, now, by=event.actor, state=target, facts=facts, pending=effect, error=None
    )


def _effect_of(state: State, act: AnyAct) -> Effect | Rejection:
    """What an act sets going, if the present step knows it."""
    match act:
        case Act():
            commands = _step(state).commands
            if commands is None:
                return _refuse("step_out_of_order")
            assert state.situation is not None
            if act.command not in commands(state.situation.device.product_name):
                return _refuse("command_not_supported")
            return activation_v2.send(state, act)
        case FeatureAct():
            if state.step != "system-settings":
                return _refuse("step_out_of_order")
            if act.feature not in _toggles(state):
                return _refuse("feature_not_supported")
            return activation_v2.set_feature(state, act)
        case BuyPlan():
            if state.step != "purchase-plan":
                return _refuse("step_out_of_order")
            return activation_v2.join_purchase(state, act)
        case PinAct() | PinRemoval():
            if state.step != "keylocker-pin-codes":
                return _refuse("step_out_of_order")
            if isinstance(act, PinAct):
                return activation_v2.set_pin(state, act)
            return activation_v2.delete_pin(state, act)


def _result(state: State, result: Result, now: datetime) -> State:
    here = edges(state.flow_version)[state.state]
    if Event.FAIL not in here or state.pending is None:
        return state
    described = isinstance(result, Checked)
    asked = isinstance(state.pending, CheckDevice | SwapDevice)
    if Event(result.kind) not in here or (isinstance(result, Ok | Checked) and described != asked):
        result = Fail(fault=UNEXPECTED)
    match result:
        case Checked():
            return _checked(state, result, now)
        case Fail():
            return _failed(state, result.fault, now)
        case Wait():
            return _waiting(state, result, now)
        case Ok():
            return _ok(state, now)


def _checked(state: State, result: Checked, now: datetime) -> State:
    """The device's own report fixes the plan; the old one's data goes when the device was changed, or another took its place."""
    device = result.device
    situation = Situation(
        kind=state.kind,
        device=device,
        advanced=state.advanced,
        guest=state.owner.user_id is None,
        installer=state.owner.installer,
        consumer_email=state.consumer_email,
    )
    plan = plan_of(situation, state.flow_version)
    changed = state.state == "changing-device"
    facts = Facts() if changed else state.facts
    irreversible = _is_irreversible(state) if changed else state.irreversible
    skipped = {} if changed else {n: w for n, w in state.skipped.items() if n in plan}
    if _has_taken_over(state, device):
        facts = of_another_device(facts) if state.swaps_anew else without_firmware(facts)
        skipped = {} if state.swaps_anew else skipped
    target = edges(state.flow_version)[state.state][Event.OK]
    return _changed(
        state,
        now,
        device_key=device.device_key,
        iccid_last_digits=device.iccid_last_digits,
        situation=situation,
        plan=plan,
        facts=checked(facts, state.pending, device, result.features),
        irreversible=irreversible,
        skipped=skipped,
        state=resolve_target(target, state.step, plan, state.entry),
        entry=None,
    )


def _has_taken_over(state: State, device: Device) -> bool:
    """Whether this is another device than the run had, by a swap."""
    swapped = isinstance(state.pending, SwapDevice) and device.device_key != state.device_key
    return swapped and state.flow_version >= beside.SINCE


def _failed(state: State, fault: Fault, now: datetime) -> State:
    facts, pending = state.facts, state.pending
    may_ask = fault.code == SPECIAL_ROW_NEEDS_QUERY and facts.requeries < REQUERY_LIMIT
    if isinstance(pending, PatchTables) and may_ask:
        return _with_query(state, pending, now)
    waits = _may_wait(state) and not state.has_reported and not _waited_long_enough(state, now)
    if fault.code == beside.DEVICE_UPDATING and waits:
        return _held_back(state, now)
    if isinstance(pending, SendCommand):
        row = row_of(facts, pending.command_id)
        if row is not None and row.state is not CommandState.QUEUED:
            return _answered(state, row, facts, now)
        facts = with_outcome(facts, pending.command_id, CommandState.REFUSED, now)
    target = edges(state.flow_version)[state.state][Event.FAIL]
    return _changed(
        state,
        now,
        state=_resolve_target(target, state),
        facts=failed(facts, pending, fault),
        error=fault,
        entry=None,
        held_until=None,
        deadline=None,
    )


def _with_query(state: State, refused: PatchTables, now: datetime) -> State:
    """The same rows once more, the device being asked first: special rows are refused otherwise (devices spec 4)."""
    intent = activation_v2.next_intent(state)
    again = refused.model_copy(update={"skip_query": False, "intent": intent})
    facts = state.facts.model_copy(update={"requeries": state.facts.requeries + 1})
    target = edges(state.flow_version)[state.state][Event.AGAIN]
    return _changed(state, now, state=target, facts=facts, pending=again)


def _may_wait(state: State) -> bool:
    return beside.may_wait(state.pending) and Event.WAIT in edges(state.flow_version)[state.state]


def _held_back(state: State, now: datetime) -> State:
    """The device installs its firmware: it is written afterwards. Another refusal gives no more time."""
    target = edges(state.flow_version)[state.state][Event.WAIT]
    until = state.held_until or now + state.policy.updating
    return _changed(
        state,
        now,
        state=target,
        held=state.pending,
        held_until=until,
        kept=beside.form_of(state),
        deadline=until,
    )


def _waited_long_enough(state: State, now: datetime) -> bool:
    return state.held_until is not None and now >= state.held_until


def _waiting(state: State, result: Wait, now: datetime) -> State:
    if _may_wait(state):
        if _waited_long_enough(state, now):
            return _failed(state, STILL_UPDATING, now)
        return _held_back(state, now)
    if isinstance(state.pending, SendCommand):
        row = row_of(state.facts, state.pending.command_id)
        if row is not None and row.state is not CommandState.QUEUED:
            return _answered(state, row, state.facts, now)
        sent = CommandState.UNKNOWN if result.unknown else CommandState.SENT
        facts = with_outcome(state.facts, state.pending.command_id, sent, None)
        deadline = now + state.policy.command
    elif isinstance(state.pending, JoinPurchase):
        purchase = state.facts.purchase
        if purchase is not None and _is_over(purchase):
            return _purchase_ended(state, purchase, now)
        facts, deadline = state.facts, None
    else:
        firmware = state.facts.firmware
        if firmware is not None and firmware.ended:
            return _firmware_ended(state, firmware, now)
        facts, deadline = state.facts, None
        if state.flow_version >= beside.SINCE:
            facts = facts.model_copy(update={"firmware_beside": True})
    target = edges(state.flow_version)[state.state][Event.WAIT]
    return _changed(
        state, now, state=_resolve_target(target, state), facts=facts, deadline=deadline
    )


def _ok(state: State, now: datetime) -> State:
    facts = succeeded(state.facts, state.pending, now)
    target = edges(state.flow_version)[state.state][Event.OK]
    return _changed(
        state,
        now,
        state=_resolve_target(target, state),
        facts=facts,
        held_until=None,
        deadline=None,
    )


def _log(state: State, log: DeviceLog, now: datetime) -> State:
    if log.id in state.seen or has_ended(state):
        return state
    row = confirmed_by(log, state.facts)
    if row is None:
        return _status(state, log, now)
    late = row.state is CommandState.TIMED_OUT or (
        row.state is CommandState.UNKNOWN and row.settled_at is not None
    )
    to = (
        CommandState.REFUSED
        if not log.ok
        else CommandState.CONFIRMED_LATE
        if late
        else CommandState.CONFIRMED
    )
    facts = with_outcome(_with_status(state, log), row.id, to, now, log.reading)
    seen = (*state.seen, log.id)[-KEPT_SIGNALS:]
    state = state.model_copy(update={"seen": seen})
    if state.phase == "waiting" and row.id == awaited(state):
        answered = row.model_copy(update={"state": to})
        return _answered(state, answered, facts, now)
    return _send_held(state, log, facts, now)


def _status(state: State, log: DeviceLog, now: datetime) -> State:
    """A report that settles no command may still tell how the KeyLocker is."""
    facts = _with_status(state, log)
    if facts == state.facts and not _brings_back(state, log):
        return state
    seen = (*state.seen, log.id)[-KEPT_SIGNALS:]
    return _send_held(state.model_copy(update={"seen": seen}), log, facts, now)


def _send_held(state: State, log: DeviceLog, facts: Facts, now: datetime) -> State:
    """A report of a device that something waits for has that sent again, under a key of its own."""
    if state.held is None or not _brings_back(state, log):
        has_reported = state.has_reported or _brings_back(state, log)
        return _changed(state, now, facts=facts, pending=state.pending, has_reported=has_reported)
    again = state.held.model_copy(update={"intent": activation_v2.next_intent(state)})
    target = edges(state.flow_version)[state.state][Event.DONE]
    return _changed(
        state,
        now,
        state=target,
        facts=facts,
        pending=again,
        held=None,
        has_reported=False,
        deadline=None,
    )


def _brings_back(state: State, log: DeviceLog) -> bool:
    """Whether a device that is awaited, or was just asked, is there again."""
    awaited_or_asked = state.held is not None or _may_wait(state)
    return awaited_or_asked and log.device_key == state.device_key and beside.brings_back(log)


def _with_status(state: State, log: DeviceLog) -> Facts:
    """The facts with the KeyLocker as a log tells of it; version 1 did not read it."""
    reported = log.reading.get("keylocker")
    if (
        state.flow_version == 1
        or log.device_key != state.device_key
        or not isinstance(reported, dict)
    ):
        return state.facts
    known = state.facts.keylocker or Keylocker()
    try:
        keylocker = Keylocker.model_validate({**known.model_dump(), **reported})
    except ValidationError:
        return state.facts
    return state.facts.model_copy(update={"keylocker": keylocker})


def _answered(state: State, row: CommandRow, facts: Facts, now: datetime) -> State:
    """The awaited command is settled: a listening step goes on or says why not, a bench is ready for the next."""
    here = edges(state.flow_version)[state.state]
    good = row.state is not CommandState.REFUSED
    if state.step != "verify-connection":
        done = here.get(Event.DONE) or here[Event.OK]
        return _changed(state, now, state=done, facts=facts, deadline=None)
    if not good:
        return _changed(
            state, now, state=here[Event.FAIL], facts=facts, deadline=None, error=NO_ANSWER
        )
    target = here.get(Event.DONE) or here[Event.OK]
    return _changed(
        state, now, state=_resolve_target(target, state), facts=connected(facts), deadline=None
    )


def _firmware(state: State, event: FirmwareProgress, now: datetime) -> State:
    """Fold the firmware run's report; while it is awaited, its end moves the step. Since version 3 it goes on beside, and
    whatever is reported of the device counts."""
    firmware, known = event.firmware, state.facts.firmware
    its_own = beside.concerns(state) and firmware.device_key == state.device_key
    waited = its_own or state.state.startswith("check-firmware/")
    if event.id in state.seen or has_ended(state):
        return state
    if not waited and (known is None or known.run_id != firmware.run_id):
        return state
    if its_own and beside.is_of_an_earlier_run(firmware, known):
        return state
    seen = (*state.seen, event.id)[-KEPT_SIGNALS:]
    on_it_goes = its_own or state.facts.firmware_beside
    facts = state.facts.model_copy(update={"firmware": firmware, "firmware_beside": on_it_goes})
    state = state.model_copy(update={"seen": seen, "facts": facts})
    if state.state == "check-firmware/waiting" and firmware.ended:
        return _firmware_ended(state, firmware, now)
    if its_own and firmware.state == "done":
        return _updated_beside(state, now)
    return _changed(state, now, pending=state.pending)


def _updated_beside(state: State, now: datetime) -> State:
    """What was passed over is there after all."""
    return _changed(
        state,
        now,
        pending=state.pending,
        facts=state.facts.model_copy(update={"firmware_checked": True}),
        skipped={name: why for name, why in state.skipped.items() if name != "check-firmware"},
    )


def _firmware_ended(state: State, firmware: FirmwareView, now: datetime) -> State:
    here = edges(state.flow_version)[state.state]
    if firmware.state == "done":
        target = here.get(Event.DONE) or here[Event.OK]
        facts = state.facts.model_copy(update={"firmware_checked": True})
        return _changed(state, now, state=_resolve_target(target, state), facts=facts)
    fault = Fault(
        code=f"firmware_{firmware.state}",
        detail=firmware.error or "The firmware update was cancelled. You can start it again.",
    )
    return _changed(state, now, state=here[Event.FAIL], error=fault)


def _purchase(state: State, event: PurchaseProgress, now: datetime) -> State:
    """The purchase that this run asked to be told of has ended, or given some devices their plan; while it is awaited, that
    moves the step. A device that may still get its plan waits on."""
    known = state.facts.purchase
    if event.id in state.seen or has_ended(state):
        return state
    if known is None or known.purchase_id != event.purchase_id:
        return state
    changed = {
        "state": event.state,
        "provisioned": state.device_key in event.provisioned,
        "given_up": state.device_key in event.given_up,
    }
    purchase = known.model_copy(update=changed)
    seen = (*state.seen, event.id)[-KEPT_SIGNALS:]
    facts = state.facts.model_copy(update={"purchase": purchase})
    state = state.model_copy(update={"seen": seen, "facts": facts})
    if state.state == "purchase-plan/waiting" and _is_over(purchase):
        return _purchase_ended(state, purchase, now)
    return _changed(state, now, pending=state.pending)


def _is_over(purchase: BoughtPlan) -> bool:
    """Nothing more is to be waited for."""
    return purchase.provisioned or purchase.given_up or purchase.state not in (None, STILL_TRIED)


def _purchase_ended(state: State, purchase: BoughtPlan, now: datetime) -> State:
    here = edges(state.flow_version)[state.state]
    if purchase.provisioned:
        target = here.get(Event.DONE) or here[Event.OK]
        return _changed(state, now, state=_resolve_target(target, state))
    ended = purchase.state if purchase.state in NOT_BOUGHT_AS else "given_up"
    fault = Fault(code=f"purchase_{ended}", detail=NOT_BOUGHT)
    return _changed(state, now, state=here[Event.FAIL], error=fault)


def _tick(state: State, tick: Tick, now: datetime) -> State:
    target = edges(state.flow_version)[state.state].get(Event(tick.kind))
    if target is None:
        return state
    if tick.kind == "IDLE":
        if now < state.idle_at:
            return state
        return _changed(
            state, now, state=target, deadline=None, reason="nothing happened for a long time"
        )
    if state.deadline is None or now < state.deadline:
        return state
    waited = awaited(state)
    row = row_of(state.facts, waited) if waited else None
    facts = state.facts
    if row is not None:
        unknown = row.state is CommandState.UNKNOWN
        facts = with_outcome(
            facts, row.id, CommandState.UNKNOWN if unknown else CommandState.TIMED_OUT, now
        )
    error = NO_ANSWER if state.step == "verify-connection" else None
    if state.held is not None:
        error = STILL_UPDATING
    return _changed(
        state,
        now,
        state=target,
        facts=facts,
        held=None,
        held_until=None,
        deadline=None,
        error=error,
    )


def _changed(state: State, now: datetime, /, *, by: Person | None = None, **changes: Any) -> State:
    """The one place where `rev` moves, and `seq` and the idle deadline when a person acted."""
    update: dict[str, Any] = {"pending": None, **changes, "rev": state.rev + 1}
    if by is not None:
        policy = state.policy
        update |= {
            "seq": state.seq + 1,
            "last_actor": by.name,
            "touched_at": now,
            "idle_at": min(now + policy.idle, state.started_at + policy.cap),
        }
    return _come_back(_left_behind(state.model_copy(update=update)))


def _left_behind(state: State) -> State:
    """A step that was left needs nothing of its form any more."""
    if state.kept is None or state.kept.step == state.step:
        return state
    return state.model_copy(update={"kept": None})


def _step(state: State) -> Step:
    return next(step for step in table(state.flow_version) if step.name == state.step)


def _step_or_none(state: State) -> Step | None:
    """None before and after the steps."""
    return next((step for step in table(state.flow_version) if step.name == state.step), None)


def _step_name(state: State) -> StepName:
    return _step(state).name


def _asks_for_features(version: int, kind: ActivationType) -> bool:
    return version > 1 and activation_v2.asks_for_features(kind)


def _toggles(state: State) -> tuple[Toggle, ...]:
    """What the system settings can turn on and off: what the device reported, or all while it told nothing."""
    if state.step != "system-settings":
        return ()
    return tuple(Toggle) if state.facts.features is None else tuple(state.facts.features)


def _resolve_target(target: str, state: State) -> str:
    return resolve_target(target, state.step, state.plan, state.entry)
