"""Which step applies to which activation: the spec's table, cell by cell (devices spec 4)."""

from collections.abc import Callable

import pytest

from domain.activation import activation_v2
from domain.activation.activation import Situation
from domain.activation.activation_v1 import (
    BUILT,
    NEW,
    OFFERED,
    PLAN,
    REPLACE,
    SERVICE,
    SIM,
    STEPS,
    applicable,
    plan_of,
)
from domain.activation.reducer import types_for
from domain.devices import devices
from domain.devices.activation_type import ActivationType
from domain.devices.devices import DeviceState, Product
from tests.activation.in_memory import CAMRY, a_device, situations

TYPES = (NEW, REPLACE, SERVICE, SIM, PLAN)
X1 = {"ft-x1", "ft-x1max", "ft-x1r", "ft-x1s"}
X2 = {"ft-x2", "ft-x2i"}
DR = {"dr5400", "dr3400", "dr3300", "dr3100", "dr3100r"}
EIGHT = {"FT-7000AS", "FT-7200S", "CM900AS", "CM900S", "CM2400", "CM2500", "CM7300", "CMX"}

ALWAYS, NEVER = "●", "–"
TABLE = """
replace-device            – ● – – –
power-on-device           ● ● ● ● –
set-vehicle-details       ● ● ○ – –
verify-connection         ● ● ● ● –
check-firmware            ● ● ● – –
reset-keylocker-pairing   – ○ ○ – –
controller-option-tables  ○ ○ ○ – –
keylocker-mode            ○ ○ ○ – –
keylocker-option-tables   ○ ○ ○ – –
keylocker-poc-pic         ○ ○ ○ – –
keylocker-pin-codes       ○ ○ ○ – –
system-settings           ○ ○ ○ – –
device-configuration      ○ ○ ○ – –
hardwire-x1max            ○ ○ ○ – –
device-testing            ● ● ● – –
purchase-plan             ○ ○ ○ ○ ●
device-rewards            ○ ○ – – –
send-welcome              ● ○ – – –
complete-activation       ● ● ● ● ●
"""
"""Types across: new, replace, service, SIM, plan. ● always, ○ if its condition holds, – never."""

CONDITIONS: dict[str, Callable[[Situation], bool]] = {
    "set-vehicle-details": lambda s: s.device.vehicle is None,
    "reset-keylocker-pairing": lambda s: s.device.is_keylocker_present,
    "controller-option-tables": lambda s: s.device.controller in EIGHT,
    "keylocker-mode": lambda s: s.device.is_keylocker_present,
    "keylocker-option-tables": lambda s: s.device.is_keylocker_present,
    "keylocker-poc-pic": lambda s: s.device.is_keylocker_present and s.advanced,
    "keylocker-pin-codes": lambda s: s.device.is_keylocker_present,
    "system-settings": lambda s: s.device.product_name in X1 | X2,
    "device-configuration": lambda s: s.device.product_name in DR | {"ft-xc"},
    "hardwire-x1max": lambda s: s.device.product_name == "ft-x1max",
    "purchase-plan": lambda s: s.device.plan is None,
    "device-rewards": lambda s: s.installer and not s.guest,
    "send-welcome": lambda s: s.consumer_email is not None,
}
CELLS = {
    words[0]: dict(zip(TYPES, words[1:], strict=True))
    for words in (line.split() for line in TABLE.strip().splitlines())
}


def expected(situation: Situation) -> tuple[str, ...]:
    return tuple(
        step
        for step, cells in CELLS.items()
        if cells[situation.kind] == ALWAYS
        or (cells[situation.kind] != NEVER and CONDITIONS[step](situation))
    )


def test_the_table_names_the_nineteen_steps_in_the_specs_order():
    assert tuple(CELLS) == tuple(step.name for step in STEPS)
    assert len(CELLS) == 19


@pytest.mark.parametrize("kind", TYPES)
def test_each_type_has_the_steps_of_the_table_for_every_product_and_condition(kind: ActivationType):
    found = [s for s in situations() if s.kind is kind]
    wrong = [(s, applicable(s), expected(s)) for s in found if applicable(s) != expected(s)]
    assert len(found) == 13 * 3 * 2 * 2 * 2 * 2 * 3 * 2
    assert wrong[:1] == []


def test_a_plan_is_what_applies_without_the_steps_of_later_versions():
    carried = {step.name for step in BUILT}
    for situation in situations():
        left = tuple(step for step in applicable(situation) if step in carried)
        assert plan_of(situation) == left


def test_version_2_carries_every_step_of_the_table():
    assert [step.name for step in activation_v2.STEPS] == list(CELLS)
    assert set(activation_v2.OFFERED) == set(TYPES)
    for situation in situations():
        assert activation_v2.plan_of(situation) == expected(situation)


def test_the_types_of_version_1_walk_the_same_steps_for_every_product():
    plans = {kind: {plan_of(s) for s in situations() if s.kind is kind} for kind in OFFERED}
    assert plans == {
        NEW: {
            (
                "power-on-device",
                "set-vehicle-details",
                "verify-connection",
                "check-firmware",
                "device-testing",
                "send-welcome",
                "complete-activation",
            )
        },
        SERVICE: {
            (
                "power-on-device",
                "set-vehicle-details",
                "verify-connection",
                "check-firmware",
                "device-testing",
                "complete-activation",
            ),
            (
                "power-on-device",
                "verify-connection",
                "check-firmware",
                "device-testing",
                "complete-activation",
            ),
        },
    }


@pytest.mark.parametrize(
    ("state", "service_mode", "types"),
    [
        (DeviceState.NEW, False, (NEW, SIM)),
        (DeviceState.ACTIVATED, False, (SERVICE, REPLACE, PLAN)),
        (DeviceState.INSTALLED, True, (SERVICE, REPLACE, PLAN)),
        (DeviceState.PAUSED, True, (REPLACE,)),
        (DeviceState.PAUSED, False, ()),
    ],
)
def test_the_state_of_a_device_says_what_it_can_be_activated_as(
    state: DeviceState, service_mode: bool, types: tuple[ActivationType, ...]
):
    device = a_device(device_state=state, service_mode=service_mode, vehicle=CAMRY)
    assert types_for(device) == types


def test_gps_can_be_verified_on_all_and_settings_erased_on_the_x1_family_only():
    for product in Product:
        commands = devices.testing_commands(product)
        assert "location" in commands
        assert ("erase_device" in commands) == (product in X1)
        assert ("remote_start" in commands) == (product not in DR)
