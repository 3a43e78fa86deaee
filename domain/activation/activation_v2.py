"""The steps of an activation, version 2: all nineteen, in the spec's order (devices spec 4), for all five types.

The conditions under which a step applies are those of version 1; here are the steps that version 1 left for later, with
what each sets going. A released version is never edited: a change is a new file beside this one, and runs begun here
end here. The one exception: the choice of a plan could only be skipped until plans were sold; what came to it since is
added, and takes nothing away from runs that stand there (decision 32).
"""

from collections.abc import Mapping
from typing import cast

from domain.activation.activation import (
    Act,
    BuyPlan,
    CheckFirmware,
    Effect,
    FeatureAct,
    Finish,
    JoinPurchase,
    PinAct,
    PinRemoval,
    SendCommand,
    SendWelcome,
    Situation,
    State,
    StepName,
    Submit,
    WelcomeForm,
)
from domain.activation.activation_v1 import (
    Step,
    advanced_keylocker,
    always,
    configurable,
    greets,
    has_toggles,
    in_scope,
    keylocker,
    needs_pairing,
    needs_plan,
    needs_vehicle,
    not_plan,
    on,
    only_x1max,
    signed_in_installer,
    workshop,
)
from domain.activation.configuring import (
    TABLE_OF,
    DeletePin,
    LinkInstaller,
    ModeForm,
    PatchTables,
    ReplaceForm,
    ResetPairing,
    RewardsForm,
    SetFeature,
    SetMode,
    SetPin,
    SetWires,
    SwapDevice,
    TablesForm,
    WiresForm,
)
from domain.devices.activation_type import ActivationType
from domain.devices.devices import CONFIGURATION_COMMANDS, Product, testing_commands
from domain.runs.engine import BENCH, CALL, CHILD, COMMANDS, FORM, LISTEN, PURCHASE, TABLES

OFFERED = tuple(ActivationType)
"""The types whose plans this version can walk to their end."""


def configuration_commands(_: Product) -> tuple[str, ...]:
    """Every product that comes to the step takes them all."""
    return tuple(CONFIGURATION_COMMANDS)


def swap(state: State, event: Submit) -> Effect:
    """Whoever comes back to this step may name the new device again: the swap is known, and the run goes on."""
    form, replaced = cast(ReplaceForm, event.form), state.facts.replaced
    known = replaced is not None and form.new_device_key == replaced.new_device_key
    return SwapDevice(
        device_key=replaced.old_device_key if replaced and known else state.device_key,
        new_device_key=form.new_device_key,
        iccid_last_digits=form.iccid_last_digits,
        canadian=state.canadian,
        dealer_id=state.owner.dealer_id,
    )


def locate(state: State, _: Submit) -> Effect:
    return SendCommand(
        device_key=state.device_key, command_id=next_intent(state), command="location"
    )


def check_firmware(state: State, _: Submit) -> Effect:
    return CheckFirmware(device_key=state.device_key)


def reset_pairing(state: State, _: Submit) -> Effect:
    return ResetPairing(device_key=state.device_key, intent=next_intent(state))


def set_mode(state: State, event: Submit) -> Effect:
    mode = cast(ModeForm, event.form).mode
    return SetMode(device_key=state.device_key, mode=mode, intent=next_intent(state))


def patch(state: State, event: Submit) -> Effect:
    form = cast(TablesForm, event.form)
    return PatchTables(
        device_key=state.device_key,
        table=TABLE_OF[form.step],
        changes=form.changes,
        digest=form.digest,
        advanced=state.advanced,
        intent=next_intent(state),
    )


def set_wires(state: State, event: Submit) -> Effect:
    form = cast(WiresForm, event.form)
    return SetWires(
        device_key=state.device_key,
        iccid_last_digits=state.iccid_last_digits,
        output=form.output,
        input=form.input,
        intent=next_intent(state),
    )


def reward(state: State, event: Submit) -> Effect:
    """The owner of the run is rewarded; a guest's plan has no such step."""
    assert state.owner.user_id is not None
    return LinkInstaller(
        device_key=state.device_key,
        installer_id=state.owner.user_id,
        involved_installer_id=cast(RewardsForm, event.form).involved_installer_id,
        intent=next_intent(state),
    )


def welcome(state: State, event: Submit) -> Effect:
    email = cast(WelcomeForm, event.form).email
    return SendWelcome(device_key=state.device_key, email=email, intent=next_intent(state))


def finish(state: State, _: Submit) -> Effect:
    rewards = state.facts.rewards
    involved = rewards.involved_installer_id if rewards else None
    return Finish(
        device_key=state.device_key,
        involved_installers=(involved,) if involved else (),
        installs=installs(state.kind),
    )


def send(state: State, act: Act) -> SendCommand:
    return SendCommand(
        device_key=state.device_key,
        command_id=next_intent(state),
        command=act.command,
        bit=act.bit,
    )


def set_pin(state: State, act: PinAct) -> SetPin:
    return SetPin(
        device_key=state.device_key,
        slot=act.slot,
        secret=act.secret,
        duration=act.duration,
        was_enabled=getattr(state.facts.pins, act.slot).enabled,
        intent=next_intent(state),
    )


def delete_pin(state: State, act: PinRemoval) -> DeletePin:
    return DeletePin(
        device_key=state.device_key,
        secret=act.secret,
        was_enabled=state.facts.pins.secondary.enabled,
        intent=next_intent(state),
    )


def set_feature(state: State, act: FeatureAct) -> SetFeature:
    return SetFeature(
        device_key=state.device_key,
        iccid_last_digits=state.iccid_last_digits,
        feature=act.feature,
        enabled=act.enabled,
        intent=next_intent(state),
    )


def join_purchase(_: State, act: BuyPlan) -> JoinPurchase:
    return JoinPurchase(**act.model_dump(include=set(JoinPurchase.model_fields) - {"kind"}))


def next_intent(state: State) -> str:
    """The key of the effect that the next change sets going."""
    return f"{state.id}-{state.rev + 1}"


STEPS: tuple[Step, ...] = (
    Step("replace-device", "Replace device", on(ActivationType.REPLACE_DEVICE), CALL, effect=swap),
    Step("power-on-device", "Power on the device", not_plan, FORM),
    Step("set-vehicle-details", "Vehicle details", needs_vehicle, FORM),
    Step("verify-connection", "Verify the connection", not_plan, LISTEN, effect=locate),
    Step(
        "check-firmware",
        "Check the firmware",
        workshop,
        CHILD,
        effect=check_firmware,
        may_skip=True,
    ),
    Step(
        "reset-keylocker-pairing",
        "Reset the KeyLocker pairing",
        needs_pairing,
        CALL,
        effect=reset_pairing,
        may_skip=True,
    ),
    Step("controller-option-tables", "Controller options", in_scope, TABLES, effect=patch),
    Step("keylocker-mode", "KeyLocker mode", keylocker, CALL, effect=set_mode, may_skip=True),
    Step("keylocker-option-tables", "KeyLocker options", keylocker, TABLES, effect=patch),
    Step(
        "keylocker-poc-pic",
        "KeyLocker inputs and outputs",
        advanced_keylocker,
        TABLES,
        effect=patch,
    ),
    Step("keylocker-pin-codes", "KeyLocker pin codes", keylocker, BENCH),
    Step("system-settings", "System settings", has_toggles, BENCH),
    Step(
        "device-configuration",
        "Device configuration",
        configurable,
        COMMANDS,
        commands=configuration_commands,
    ),
    Step(
        "hardwire-x1max",
        "Hardwired inputs and outputs",
        only_x1max,
        CALL,
        effect=set_wires,
        may_skip=True,
    ),
    Step("device-testing", "Test the device", workshop, COMMANDS, commands=testing_commands),
    Step("purchase-plan", "Choose a plan", needs_plan, PURCHASE, may_skip=True),
    Step("device-rewards", "Rewards", signed_in_installer, CALL, effect=reward, may_skip=True),
    Step("send-welcome", "Welcome the owner", greets, CALL, effect=welcome, may_skip=True),
    Step("complete-activation", "Complete the activation", always, CALL, effect=finish),
)

BY_NAME: Mapping[str, Step] = {step.name: step for step in STEPS}


def plan_of(situation: Situation) -> tuple[StepName, ...]:
    """The steps of one activation, in order."""
    return tuple(step.name for step in STEPS if step.when(situation))


def installs(kind: ActivationType) -> bool:
    """Whether the end of an activation installs the device: to buy a plan changes nothing of its place."""
    return kind is not ActivationType.PURCHASE_SUBSCRIPTION


def asks_for_features(kind: ActivationType) -> bool:
    """Whether a device check also asks for the toggles: of the types that may come to the system settings."""
    return kind in (
        ActivationType.NEW_DEVICE,
        ActivationType.REPLACE_DEVICE,
        ActivationType.SERVICE_DEVICE,
    )
