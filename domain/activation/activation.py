"""Activation: its types, steps, forms, events, effects and state (devices spec 3 and 4).

The order of the steps and what each does stand in `domain/activation/activation_v<n>.py`; the rules by which an event
changes the state in `domain/activation/reducer.py`. This module holds the shapes that both share, and that cross the
borders to the browser, the database and the workflow's history; those of the configuring steps stand in
`domain/activation/configuring.py`. No secret is ever part of one.
"""

from datetime import timedelta
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints

from domain.activation.configuring import (
    ConfiguringEffect,
    ConfiguringForm,
    Hardwired,
    KeptForm,
    Replaced,
    Rewards,
    SavedTable,
)
from domain.base import Frozen, Utc
from domain.billing.payments import PaymentType
from domain.card_numbers import masked
from domain.devices.activation_type import ActivationType
from domain.devices.devices import Device, DeviceLog, Keylocker, VehicleDetails
from domain.devices.keylocker import KeylockerMode, KeylockerPins, PinSlot, SecretId
from domain.devices.option_tables import OptionTable
from domain.devices.toggles import Features, Toggle
from domain.firmware.firmware import FirmwarePolicy, FirmwareView
from domain.letters.language import Spoken
from domain.vehicles.vehicles import FIRST_YEAR

StepName = Literal[
    "replace-device",
    "power-on-device",
    "set-vehicle-details",
    "verify-connection",
    "check-firmware",
    "reset-keylocker-pairing",
    "controller-option-tables",
    "keylocker-mode",
    "keylocker-option-tables",
    "keylocker-poc-pic",
    "keylocker-pin-codes",
    "system-settings",
    "device-configuration",
    "hardwire-x1max",
    "device-testing",
    "purchase-plan",
    "device-rewards",
    "send-welcome",
    "complete-activation",
]


Beside = Literal["under_way", "failed"]
"""How an update of the firmware stands that goes on beside the steps."""


class Person(Frozen):
    """Who acts on, or owns, an activation. A guest has no user id; `guest_of` names the activation it may touch."""

    user_id: str | None = None
    name: str
    dealer_id: str | None = None
    installer: bool = False
    guest_of: str | None = None
    acting_for: str | None = None
    everywhere: bool = False
    """Administrators may access every dealer's runs."""


class Confirm(Frozen):
    """Steps that send nothing but their name."""

    step: Literal[
        "power-on-device",
        "verify-connection",
        "check-firmware",
        "reset-keylocker-pairing",
        "keylocker-pin-codes",
        "system-settings",
        "device-configuration",
        "device-testing",
        "purchase-plan",
        "complete-activation",
    ]


VehicleWord = Annotated[str, StringConstraints(min_length=1, max_length=80), AfterValidator(masked)]


class VehicleForm(Frozen):
    step: Literal["set-vehicle-details"]
    year: Annotated[int, Field(ge=FIRST_YEAR, le=2100)]
    make_id: Annotated[int, Field(ge=1, le=2_000_000_000)]
    make: VehicleWord
    model_id: Annotated[int, Field(ge=1, le=2_000_000_000)]
    model: VehicleWord


class WelcomeForm(Frozen):
    """Where the consumer's welcome mail goes."""

    step: Literal["send-welcome"]
    email: Annotated[str, StringConstraints(strip_whitespace=True, max_length=400)]
    """Judged where it is typed; a run believes what it was told."""


Form = Annotated[Confirm | VehicleForm | WelcomeForm | ConfiguringForm, Field(discriminator="step")]


class _UserEvent(Frozen):
    actor: Person
    seq: int
    """The sequence the person saw: a click on an old screen is refused."""


class Submit(_UserEvent):
    kind: Literal["SUBMIT"] = "SUBMIT"
    form: Form


class Act(_UserEvent):
    """Send one command of the present step."""

    kind: Literal["ACT"] = "ACT"
    command: Annotated[str, StringConstraints(min_length=1, max_length=40)]
    bit: int | None = None


class PinAct(_UserEvent):
    """Save one KeyLocker pin. `duration` is how long it stays entered (`PIN_DURATIONS`)."""

    kind: Literal["SET_PIN"] = "SET_PIN"
    slot: PinSlot
    secret: SecretId
    duration: int


class PinRemoval(_UserEvent):
    """Remove the secondary pin; `secret` names the master pin."""

    kind: Literal["REMOVE_PIN"] = "REMOVE_PIN"
    secret: SecretId


class FeatureAct(_UserEvent):
    """Turn one toggle of the device on or off."""

    kind: Literal["SET_FEATURE"] = "SET_FEATURE"
    feature: Toggle
    enabled: bool


class BuyPlan(_UserEvent):
    """Wait for the purchase of the device's plan. With a method it is agreed to and paid, without one somebody else does
    that, beside the activation. `reason` is for the owner, where one must approve it."""

    kind: Literal["BUY_PLAN"] = "BUY_PLAN"
    purchase_id: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    payment_type: PaymentType | None = None
    method_id: str | None = None
    reason: str = ""


AnyAct = Act | PinAct | PinRemoval | FeatureAct | BuyPlan
"""What the chart knows as ACT: something done at a step that stays there."""


class Skip(_UserEvent):
    kind: Literal["SKIP"] = "SKIP"
    step: StepName
    reason: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


class Back(_UserEvent):
    kind: Literal["BACK"] = "BACK"
    step: StepName


class Reset(_UserEvent):
    kind: Literal["RESET"] = "RESET"


class ChangeDevice(_UserEvent):
    kind: Literal["CHANGE_DEVICE"] = "CHANGE_DEVICE"
    device_key: str
    iccid_last_digits: str | None = None


class Abandon(_UserEvent):
    kind: Literal["ABANDON"] = "ABANDON"
    reason: Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)] = ""


UserEvent = Annotated[
    Submit | AnyAct | Skip | Back | Reset | ChangeDevice | Abandon, Field(discriminator="kind")
]


class HandOver(_UserEvent):
    """Make a colleague of the same dealer the owner. Changes no step, so it is no event of the chart."""

    kind: Literal["HAND_OVER"] = "HAND_OVER"
    to: Person
    note: Annotated[str, StringConstraints(strip_whitespace=True, max_length=400)] = ""
    only_to_pay: bool = False
    """The run comes back once its plan's step is left: to whoever gave it first."""
    back_to: Person | None = None
    """To whom it comes back instead; that one has left."""


class Opened(Frozen):
    """Somebody opens a run: its owner, or a colleague who goes on where it stands."""

    kind: Literal["OPENED"] = "OPENED"
    actor: Person
    device_key: str


OPENED = "opened an activation"
"""Recorded of whoever begins one, and after that of each who goes on with it."""


class CheckDevice(Frozen):
    kind: Literal["check-device"] = "check-device"
    device_key: str
    iccid_last_digits: str | None
    canadian: bool
    activation_type: ActivationType
    guest: bool = False
    replaces: str | None = None
    """The device whose reservation is given up once this one is ours."""
    with_features: bool = False
    """Ask for its toggles too."""


class SendCommand(Frozen):
    kind: Literal["send-command"] = "send-command"
    device_key: str
    command_id: str
    command: str
    bit: int | None = None


class CheckFirmware(Frozen):
    kind: Literal["check-firmware"] = "check-firmware"
    device_key: str


class SendWelcome(Frozen):
    kind: Literal["send-welcome"] = "send-welcome"
    device_key: str
    email: str
    intent: str


class JoinPurchase(Frozen):
    """Have a purchase tell how it ends; with a method, let it be paid."""

    kind: Literal["join-purchase"] = "join-purchase"
    purchase_id: str
    payment_type: PaymentType | None = None
    method_id: str | None = None
    reason: str = ""


class Finish(Frozen):
    """Activate, then install, then leave service mode; without `installs` the device stays as it is."""

    kind: Literal["finish"] = "finish"
    device_key: str
    involved_installers: tuple[str, ...] = ()
    installs: bool = True


Effect = Annotated[
    CheckDevice
    | SendCommand
    | CheckFirmware
    | SendWelcome
    | JoinPurchase
    | Finish
    | ConfiguringEffect,
    Field(discriminator="kind"),
]


INSTALL_REFUSED = "install_refused"
"""Code of a refusal that came after the device had been activated already."""


class FieldFault(Frozen):
    field: str
    message: str


class Fault(Frozen):
    """Why a step did not work, in words for the installer; `fields` where single entries are at fault."""

    code: str
    detail: str
    fields: tuple[FieldFault, ...] = ()


class Ok(Frozen):
    kind: Literal["OK"] = "OK"


class Checked(Frozen):
    """The answer of a device check or a swap: it fixes the plan. `features` are the toggles, where they were asked for."""

    kind: Literal["OK"] = "OK"
    device: Device
    features: Features | None = None


class Wait(Frozen):
    """Started; the answer comes by a signal."""

    kind: Literal["WAIT"] = "WAIT"
    unknown: bool = False
    """The request was sent, and nobody can say whether it arrived: only a log settles it."""


class Fail(Frozen):
    kind: Literal["FAIL"] = "FAIL"
    fault: Fault


Result = Ok | Checked | Wait | Fail


class LogArrived(Frozen):
    kind: Literal["LOG"] = "LOG"
    log: DeviceLog


class FirmwareProgress(Frozen):
    """The firmware run reports where it stands."""

    kind: Literal["FIRMWARE"] = "FIRMWARE"
    id: str
    firmware: FirmwareView


class PurchaseProgress(Frozen):
    """A purchase that this run waits for has ended, or some of its devices failed and are tried again. `provisioned` are the
    devices that have their plan, `given_up` those that will have none by it."""

    kind: Literal["PURCHASE"] = "PURCHASE"
    id: str
    purchase_id: str
    state: str
    provisioned: tuple[str, ...]
    given_up: tuple[str, ...] = ()


class Tick(Frozen):
    kind: Literal["TIMED_OUT", "IDLE"]


class Stopped(Frozen):
    """An operator cancelled the run: an abandon, once the effect is over."""

    kind: Literal["STOPPED"] = "STOPPED"


class CommandState(StrEnum):
    QUEUED = "queued"
    SENT = "sent"
    CONFIRMED = "confirmed"
    TIMED_OUT = "timed_out"
    REFUSED = "refused"
    UNKNOWN = "unknown"
    CONFIRMED_LATE = "confirmed_late"


class CommandRow(Frozen):
    """One command and what became of it."""

    id: str
    command: str
    label: str
    state: CommandState
    requested_at: Utc
    settled_at: Utc | None = None
    reading: dict[str, Any] = {}


class BoughtPlan(Frozen):
    """The purchase that the run waits for, or waited for last. `state` is None until it has ended, or some of it failed."""

    purchase_id: str
    state: str | None = None
    provisioned: bool = False
    given_up: bool = False
    """The device gets no plan by it any more, whatever becomes of the others."""


class Facts(Frozen):
    """What the steps have learned. A reset clears all but what the device itself reports."""

    vehicle: VehicleDetails | None = None
    connection: CommandRow | None = None
    connection_verified: bool = False
    firmware_checked: bool = False
    firmware: FirmwareView | None = None
    firmware_beside: bool = False
    """An update was begun that goes on beside the next steps."""
    commands: tuple[CommandRow, ...] = ()
    welcomed: str | None = None
    activated: bool = False
    replaced: Replaced | None = None
    keylocker: Keylocker | None = None
    keylocker_mode: KeylockerMode | None = None
    pins: KeylockerPins = KeylockerPins()
    features: Features | None = None
    saving_feature: Toggle | None = None
    tables: dict[OptionTable, SavedTable] = {}
    requeries: int = 0
    """How often the latest save of a table was repeated with a query."""
    configuration: tuple[CommandRow, ...] = ()
    hardwired: Hardwired | None = None
    rewards: Rewards | None = None
    purchase: BoughtPlan | None = None


class LastHandOver(Frozen):
    """The last hand-over: who made it at which step, with which note. `back_to`: only to pay, and it goes back there."""

    by: str
    step: str
    note: str = ""
    back_to: Person | None = None


class Situation(Frozen):
    """What a plan is resolved from."""

    kind: ActivationType
    device: Device
    advanced: bool = False
    guest: bool = False
    installer: bool = False
    """A signed-in installer of a dealer."""
    consumer_email: str | None = None


class Policy(Frozen):
    """How long things may take. Resolved once, at the start of a run; short in tests."""

    idle: timedelta = timedelta(days=14)
    cap: timedelta = timedelta(days=60)
    command: timedelta = timedelta(seconds=90)
    reminders: tuple[timedelta, ...] = (timedelta(hours=24), timedelta(days=7))
    update_cap: int = 1500
    updating: timedelta = timedelta(minutes=30)
    """How long a device that refuses because it is being updated is waited for."""


class OpeningPolicy(Frozen):
    """How much one may begin: what nobody needs in a day's work, and what trying one serial number after the other does."""

    per_hour: int = 60
    """Devices that a person begins, or changes to."""
    wrong_per_hour: int = 30
    """Serial numbers that a person looks up and that are none of theirs."""
    open_of_person: int = 100
    open_of_dealer: int = 1_000
    """Unfinished activations."""


class State(Frozen):
    """Everything an activation knows. `state` is `step` or `step/phase`, the same word on the wire and in the chart."""

    id: str
    flow_version: int
    policy: Policy
    site: str
    canadian: bool
    kind: ActivationType
    device_key: str
    iccid_last_digits: str | None = None
    advanced: bool = False
    consumer_email: str | None = None
    situation: Situation | None = None
    plan: tuple[StepName, ...] = ()
    state: str = "checking"
    facts: Facts = Facts()
    irreversible: bool = False
    """Something that cannot be undone was done to a device that was changed for another since."""
    swaps_anew: bool = True
    """The device that takes another's place begins with nothing of it: neither its tests nor what was passed over with it."""
    pending: Effect | None = None
    held: Effect | None = None
    """What waits for a device that is being updated; it is sent as soon as the device reports."""
    held_until: Utc | None = None
    """When a person is asked instead, however often the device refuses until then."""
    kept: KeptForm | None = None
    """What the form of the present step held that waits or waited so."""
    has_reported: bool = False
    """The device has reported since something was last sent to it."""
    deadline: Utc | None = None
    started_at: Utc
    touched_at: Utc
    """When a person last did something."""
    idle_at: Utc
    owner: Person
    handed: LastHandOver | None = None
    last_actor: str
    entry: StepName | None = None
    error: Fault | None = None
    skipped: dict[StepName, str] = {}
    seen: tuple[str, ...] = ()
    reason: str = ""
    seq: int = 0
    rev: int = 0

    @property
    def step(self) -> str:
        return self.state.partition("/")[0]

    @property
    def phase(self) -> str:
        return self.state.partition("/")[2] or "ready"


class ActivationOutcome(StrEnum):
    """How a run ended. Every one is a business end: the workflow itself completes."""

    COMPLETED = "completed"
    ABANDONED = "abandoned"
    CHOOSE_TYPE = "choose-type"
    REFUSED = "refused"
    NEEDS_ATTENTION = "needs_attention"


class Rejection(Frozen):
    """Why an event is not for now. `code` is the code of a `RunError`."""

    code: str
    detail: str


class Reply(Frozen):
    """What every message to a run answers: the view goes by the projection."""

    id: str
    seq: int
    rev: int
    state: str
    allowed: tuple[str, ...]
    error: Fault | None = None


class DeviceView(Frozen):
    """The device as the screens show it."""

    device_key: str
    product_name: str | None = None
    family: str | None = None
    device_state: str | None = None
    service_mode: bool = False
    controller_model: str | None = None
    controller: str | None = None
    firmware_version: str | None = None
    is_keylocker_present: bool = False
    plan: str | None = None
    initial_device_state: str | None = None
    """As the check found it; `device_state` follows what the run has done since."""
    initial_service_mode: bool = False
    device_replaced: bool = False
    replaced_device_verified: bool = False
    """The device that took the place of another has reported by itself."""
    number_of_commands_sent: int = 0


class HandOverView(Frozen):
    """The last hand-over as the screens show it."""

    by: str
    step: str
    note: str
    only_to_pay: bool
    back_to_id: str | None = None
    """Whose it is again once that is done."""


class ActivationView(Frozen):
    """What a person sees of an activation: the same on every screen that follows it."""

    id: str
    flow_version: int
    type: ActivationType
    is_advanced_flow: bool = False
    device: DeviceView
    plan: tuple[StepName, ...]
    state: str
    step: str
    phase: str
    position: int
    total: int
    error: Fault | None
    facts: Facts
    commands: tuple[str, ...]
    """What the present step can send."""
    toggles: tuple[Toggle, ...] = ()
    """What the present step can turn on and off."""
    skipped: dict[StepName, str]
    beside: Beside | None = None
    """The update of the firmware that the tests wait for."""
    held: bool = False
    """The present step's form waits for a device that installs its firmware."""
    kept: KeptForm | None = None
    """What that form holds. It stays when the form is taken back, so that whoever goes on sees it filled in."""
    plan_purchased: bool = False
    """The device has a live plan."""
    keylocker_replaced: bool = False
    """The KeyLocker hangs on a device that took the place of another, so it wants to be paired again."""
    deadline: Utc | None
    idle_at: Utc
    owner: str
    owner_id: str | None
    guest: bool
    handed: HandOverView | None = None
    consumer_email: str | None
    outcome: ActivationOutcome | None
    irreversible: bool = False
    """Something that cannot be undone was done to a device that the run has left for another."""
    reason: str
    created_at: Utc
    updated_at: Utc
    updated_by: str


class LeftFacts(Frozen):
    vehicle: VehicleDetails | None = None
    replaced: Replaced | None = None


class LeftBehind(Frozen):
    """Of the view of an abandoned run, what a new one takes over: whatever else an earlier release wrote is not read."""

    type: ActivationType
    plan: tuple[StepName, ...]
    facts: LeftFacts
    skipped: dict[StepName, str] = {}
    beside: Beside | None = None
    consumer_email: str | None = None


class Resume(Frozen):
    """What a new run takes over from an abandoned one, or from a completed one its vehicle; the device is asked anew."""

    entry: StepName | None = None
    vehicle: VehicleDetails | None = None
    consumer_email: str | None = None
    skipped: dict[StepName, str] = {}
    replaced: Replaced | None = None


class Start(Frozen):
    """The workflow's input. Fields may be added with a default, never required ones."""

    id: str
    flow_version: int
    kind: ActivationType
    device_key: str
    iccid_last_digits: str | None = None
    site: str
    canadian: bool
    actor: Person
    partner: str | None = None
    advanced: bool = False
    consumer_email: str | None = None
    language: Spoken = None
    """What the portal speaks where it was begun."""
    policy: Policy = Policy()
    firmware_policy: FirmwarePolicy = FirmwarePolicy()
    resume: Resume | None = None
    portal_url: str = ""


REJECTIONS: dict[str, tuple[int, str]] = {
    "closed": (410, "This activation has ended."),
    "not_owner": (404, "Not Found"),
    "device_moved": (409, "This activation goes on with another device."),
    "stale_sequence": (409, "This activation was changed elsewhere. Please look again."),
    "command_in_progress": (409, "Please wait until the present action is finished."),
    "step_out_of_order": (409, "This activation stands at another step."),
    "not_skippable": (409, "This step cannot be skipped."),
    "firmware_under_way": (
        409,
        "The tests wait for the firmware. Please wait until its update is over, or say why you go on without it.",
    ),
    "only_skippable": (409, "Please choose a plan for the device, or skip this step."),
    "command_not_supported": (422, "This device does not support that command."),
    "feature_not_supported": (422, "This device does not have that setting."),
    "invalid_step_data": (422, "Please check the details of this step."),
    "same_device": (409, "This is the device of this activation already."),
    "too_many_changes": (
        409,
        "This activation has been changed too often. Please abandon it and start again: it goes on from here.",
    ),
}
"""Code → (status, text) of everything a run refuses."""
