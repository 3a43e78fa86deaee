"""The steps of an activation, version 1: what each is, when it applies, and what it sets going.

All nineteen steps stand here in the spec's order (devices spec 4) with the condition under which they apply to a type
and product (`when`). Those that this version carries have a kind and are part of a plan; the others are named by
`later` and are left out of every plan until the version that brings them. A released version is never edited: a change
is a new file beside this one, and runs begun here end here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from domain.activation.activation import (
    CheckFirmware,
    Effect,
    Finish,
    SendCommand,
    SendWelcome,
    Situation,
    State,
    StepName,
    Submit,
    WelcomeForm,
)
from domain.devices.activation_type import ActivationType
from domain.devices.devices import Family, Product, testing_commands
from domain.runs.engine import CALL, CHILD, COMMANDS, FORM, LISTEN, Kind

NEW, REPLACE, SERVICE = (
    ActivationType.NEW_DEVICE,
    ActivationType.REPLACE_DEVICE,
    ActivationType.SERVICE_DEVICE,
)
SIM, PLAN = ActivationType.VERIZON_SIM, ActivationType.PURCHASE_SUBSCRIPTION

OFFERED = (NEW, SERVICE)
"""The types whose plans this version can walk to their end."""

When = Callable[[Situation], bool]


@dataclass(frozen=True)
class Step:
    """One step. `effect` makes what a submit sets going; `commands` lists what an act may send; `after` is the step whose
    run beside has to be over first."""

    name: StepName
    label: str
    when: When
    kind: Kind | None = None
    effect: Callable[[State, Submit], Effect] | None = None
    commands: Callable[[Product], tuple[str, ...]] | None = None
    may_skip: bool = False
    after: StepName | None = None


def later(name: StepName, label: str, *, when: When) -> Step:
    """A step that a later version brings: its condition is known, and no plan of this version holds it."""
    return Step(name, label, when)


def on(*kinds: ActivationType) -> When:
    return lambda s: s.kind in kinds


def workshop(s: Situation) -> bool:
    """The types in which an installer has the device in hand."""
    return s.kind in (NEW, REPLACE, SERVICE)


def not_plan(s: Situation) -> bool:
    return s.kind is not PLAN


def always(_: Situation) -> bool:
    return True


def needs_vehicle(s: Situation) -> bool:
    """A new device always; a replacement to confirm what the old one knew; service only when nothing is known."""
    return s.kind in (NEW, REPLACE) or (s.kind is SERVICE and s.device.vehicle is None)


def needs_pairing(s: Situation) -> bool:
    return s.kind in (REPLACE, SERVICE) and s.device.is_keylocker_present


def in_scope(s: Situation) -> bool:
    return workshop(s) and s.device.controller in CONTROLLERS_IN_SCOPE


def keylocker(s: Situation) -> bool:
    return workshop(s) and s.device.is_keylocker_present


def advanced_keylocker(s: Situation) -> bool:
    return keylocker(s) and s.advanced


def has_toggles(s: Situation) -> bool:
    return workshop(s) and s.device.family in (Family.X1, Family.X2)


def configurable(s: Situation) -> bool:
    return workshop(s) and s.device.family in (Family.DR, Family.XC)


def only_x1max(s: Situation) -> bool:
    return workshop(s) and s.device.product_name is Product.FT_X1MAX


def needs_plan(s: Situation) -> bool:
    """The plan type always asks; the others only when the device has no live plan."""
    return s.kind is PLAN or s.device.plan is None


def signed_in_installer(s: Situation) -> bool:
    return s.kind in (NEW, REPLACE) and s.installer and not s.guest


def greets(s: Situation) -> bool:
    """A new device always greets its owner (the address may be typed); a replacement when the address is known."""
    return s.kind is NEW or (s.kind is REPLACE and s.consumer_email is not None)


CONTROLLERS_IN_SCOPE = frozenset(
    {"FT-7000AS", "FT-7200S", "CM900AS", "CM900S", "CM2400", "CM2500", "CM7300", "CMX"}
)
"""Controllers whose option tables can be written (devices spec 9)."""


def locate(state: State, _: Submit) -> Effect:
    return SendCommand(
        device_key=state.device_key, command_id=f"{state.id}-{state.rev + 1}", command="location"
    )


def check_firmware(state: State, _: Submit) -> Effect:
    return CheckFirmware(device_key=state.device_key)


def welcome(state: State, event: Submit) -> Effect:
    form = cast(WelcomeForm, event.form)
    return SendWelcome(
        device_key=state.device_key, email=form.email, intent=f"{state.id}-{state.rev + 1}"
    )


def finish(state: State, _: Submit) -> Effect:
    return Finish(device_key=state.device_key)


STEPS: tuple[Step, ...] = (
    later("replace-device", "Replace device", when=on(REPLACE)),
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
    later("reset-keylocker-pairing", "Reset the KeyLocker pairing", when=needs_pairing),
    later("controller-option-tables", "Controller options", when=in_scope),
    later("keylocker-mode", "KeyLocker mode", when=keylocker),
    later("keylocker-option-tables", "KeyLocker options", when=keylocker),
    later("keylocker-poc-pic", "KeyLocker inputs and outputs", when=advanced_keylocker),
    later("keylocker-pin-codes", "KeyLocker pin codes", when=keylocker),
    later("system-settings", "System settings", when=has_toggles),
    later("device-configuration", "Device configuration", when=configurable),
    later("hardwire-x1max", "Hardwired inputs and outputs", when=only_x1max),
    Step("device-testing", "Test the device", workshop, COMMANDS, commands=testing_commands),
    later("purchase-plan", "Choose a plan", when=needs_plan),
    later("device-rewards", "Rewards", when=signed_in_installer),
    Step("send-welcome", "Welcome the owner", greets, CALL, effect=welcome, may_skip=True),
    Step("complete-activation", "Complete the activation", always, CALL, effect=finish),
)

BY_NAME: dict[str, Step] = {step.name: step for step in STEPS}
BUILT: tuple[Step, ...] = tuple(step for step in STEPS if step.kind is not None)


def plan_of(situation: Situation) -> tuple[StepName, ...]:
    """The steps of one activation, in order: those that apply and that this version carries."""
    return tuple(step.name for step in BUILT if step.when(situation))


def applicable(situation: Situation) -> tuple[StepName, ...]:
    """Every step that the spec's table gives this activation, carried or not."""
    return tuple(step.name for step in STEPS if step.when(situation))
