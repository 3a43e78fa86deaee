"""What goes on beside an activation since version 3: the update of its device's firmware, and what waits for that.

The device says itself whether it takes anything: while it installs it refuses, and what was to be written waits for its
next report. Whether the tests wait follows from what the firmware run reports.
"""

from domain.activation.activation import (
    ActivationView,
    Beside,
    Effect,
    Facts,
    LeftBehind,
    State,
    StepName,
)
from domain.activation.activation_v1 import Step
from domain.activation.configuring import (
    KeptForm,
    ModeForm,
    PatchTables,
    ResetPairing,
    SetMode,
    SetWires,
    TablesForm,
    WiresForm,
)
from domain.devices.devices import DeviceLog
from domain.firmware.firmware import FirmwareView, percent_of
from domain.runs.engine import Event

SINCE = 3
"""The version that brought it."""

DEVICE_UPDATING = "device_updating"
"""Code of the refusal of a device that installs firmware."""

Written = PatchTables | ResetPairing | SetMode | SetWires
"""What is written afterwards. Pins, toggles and commands are asked for again by a person."""

CHECK: StepName = "check-firmware"
"""The step that begins an update, and that is passed over where one failed."""

NONE: frozenset[Event] = frozenset()
TESTING = frozenset({Event.SUBMIT, Event.ACT})


def is_under_way(facts: Facts) -> bool:
    """An update that was begun here has not ended."""
    if facts.firmware is None:
        return facts.firmware_beside
    return not facts.firmware.ended


def has_failed(state: State) -> bool:
    """It ended without the new firmware, and nobody has said why that is left so."""
    firmware = state.facts.firmware
    failed = firmware is not None and firmware.ended and firmware.state != "done"
    return failed and CHECK not in state.skipped


def concerns(state: State) -> bool:
    """Whether an update of the device is of this run: one that another run began may be reported to a plan without one."""
    return state.flow_version >= SINCE and CHECK in state.plan


def standing(state: State) -> Beside | None:
    """What people see of it; None where nothing waits for it."""
    if not concerns(state):
        return None
    if is_under_way(state.facts):
        return "under_way"
    return "failed" if has_failed(state) else None


def goes_on_at(view: ActivationView | LeftBehind, left: str) -> StepName | None:
    """Where whoever takes a run up anew goes on, None if `left` is no step: a run that has ended is told nothing of the
    update beside it, so with one that was open at the check of the firmware, which joins it."""
    if left not in view.plan:
        return None
    at = view.plan.index(left)
    joins = view.beside is not None and CHECK in view.plan
    return view.plan[min(at, view.plan.index(CHECK)) if joins else at]


def kept_back(state: State, step: Step | None) -> frozenset[Event]:
    """The events that the present step knows and that are not for now: the firmware comes first, or a word about it."""
    if step is None or step.after is None or state.phase != "ready":
        return NONE
    match standing(state):
        case "under_way":
            return TESTING | {Event.SKIP}
        case "failed":
            return TESTING
        case None:
            return frozenset({Event.SKIP})


def may_wait(effect: Effect | None) -> bool:
    return isinstance(effect, Written)


def form_of(state: State) -> KeptForm | None:
    """The form whose writing the device has just refused; None for one that holds nothing."""
    match state.pending:
        case PatchTables(changes=changes, digest=digest):
            return TablesForm.model_validate(
                {"step": state.step, "changes": changes, "digest": digest}
            )
        case SetMode(mode=mode):
            return ModeForm(step="keylocker-mode", mode=mode)
        case SetWires(output=output, input=input):
            return WiresForm(step="hardwire-x1max", output=output, input=input)
        case _:
            return None


def is_of_an_earlier_run(seen: FirmwareView, known: FirmwareView | None) -> bool:
    """That a run is lost is told of late: another may have begun in its place by then."""
    if known is None or seen.started_at is None or known.started_at is None:
        return False
    return seen.run_id != known.run_id and seen.started_at < known.started_at


def brings_back(log: DeviceLog) -> bool:
    """Whether a device that reports this may be asked again: not while it tells how far it is."""
    return percent_of(log) is None
