"""The steps of an activation, version 3: those of version 2, and the update of the firmware goes on beside them.

The check of the firmware starts the update and leads on at once. While it is downloaded the device is configured; what
the device refuses while it installs waits for it, and is written afterwards. The tests wait for the end of the update,
and one that failed is passed over with a reason only (decision 74). A released version is never edited: a change is a
new file beside this one, and runs begun here end here.
"""

from collections.abc import Mapping
from dataclasses import replace

from domain.activation import activation_v2
from domain.activation.activation import Situation, StepName
from domain.activation.activation_v1 import Step
from domain.runs.engine import BESIDE, CALL, TABLES, TESTS, Kind, held_back

OFFERED = activation_v2.OFFERED

CHANGED: Mapping[StepName, Kind] = {
    "check-firmware": BESIDE,
    "reset-keylocker-pairing": held_back(CALL),
    "controller-option-tables": held_back(TABLES),
    "keylocker-mode": held_back(CALL),
    "keylocker-option-tables": held_back(TABLES),
    "keylocker-poc-pic": held_back(TABLES),
    "hardwire-x1max": held_back(CALL),
    "device-testing": TESTS,
}
"""Step → its kind here; every other one is as in version 2."""

STEPS: tuple[Step, ...] = tuple(
    replace(
        step,
        kind=CHANGED.get(step.name, step.kind),
        after="check-firmware" if step.name == "device-testing" else None,
    )
    for step in activation_v2.STEPS
)


def plan_of(situation: Situation) -> tuple[StepName, ...]:
    """The steps of one activation, in order."""
    return tuple(step.name for step in STEPS if step.when(situation))
