"""What a device that takes another's place begins with: nothing of what was done with that one."""

from domain.activation import reducer as flow
from domain.activation.activation import Checked, LogArrived, PinAct, Wait
from domain.activation.configuring import ReplaceForm, TablesForm, WiresForm
from domain.devices.activation_type import ActivationType
from domain.devices.devices import DeviceState, Keylocker
from domain.devices.hardwire import HardwiredInput, HardwiredOutput
from domain.devices.keylocker import PinSlot
from domain.devices.option_tables import OptionTable
from tests.activation.in_memory import CAMRY, Walk, a_device, a_walk
from tests.drivers.times import NOON

OLD, FIRST, SECOND = (f"FT-X1MAX-000000{number}" for number in (42, 99, 98))
OPTIONS, KEYLOCKER = "controller-option-tables", "keylocker-option-tables"


def in_the_car(key: str) -> Checked:
    device = a_device(
        key,
        device_state=DeviceState.ACTIVATED,
        controller="CM900S",
        is_keylocker_present=True,
        keylocker=Keylocker(mode="add-on", key_present=True),
        vehicle=CAMRY,
    )
    return Checked(device=device)


def swap(walk: Walk, key: str) -> None:
    walk.submit(ReplaceForm(step="replace-device", new_device_key=key))
    walk.apply(in_the_car(key))
    assert walk.state.device_key == key


def done_with_the_first(*, swaps_anew: bool = True) -> Walk:
    """All was done with the first device that came, its firmware passed over; then back to the swap."""
    walk = a_walk(
        a_device(OLD, device_state=DeviceState.INSTALLED),
        flow_version=3,
        kind=ActivationType.REPLACE_DEVICE,
        consumer_email="owner@example.com",
    )
    walk.state = walk.state.model_copy(update={"swaps_anew": swaps_anew})
    swap(walk, FIRST)
    walk.to("check-firmware")
    walk.skip("no time")
    for step in (OPTIONS, KEYLOCKER):
        walk.to(step)
        walk.submit(TablesForm.model_validate({"step": step, "changes": {"b1": 2}, "digest": "d"}))
        walk.succeed()
    walk.to("keylocker-pin-codes")
    walk.apply(
        PinAct(actor=walk.actor, seq=walk.state.seq, slot=PinSlot.MASTER, secret="s", duration=30)
    )
    walk.succeed()
    walk.to("hardwire-x1max")
    output, input_ = HardwiredOutput.TRUNK, HardwiredInput.NONE
    walk.submit(WiresForm(step="hardwire-x1max", output=output, input=input_))
    walk.succeed()
    walk.act("remote_start")
    walk.apply(Wait())
    walk.log()
    walk.to("complete-activation")
    while walk.state.state != "replace-device":
        walk.back()
    return walk


def test_nothing_of_the_device_that_was_taken_out_counts_for_the_next():
    walk = done_with_the_first()
    swap(walk, SECOND)
    facts = walk.state.facts
    assert (facts.connection, facts.connection_verified, facts.commands) == (None, False, ())
    assert facts.hardwired is None
    assert walk.state.skipped == {}
    shown = flow.view(walk.state, NOON)
    assert shown.device.number_of_commands_sent == 0


def test_what_is_of_the_vehicle_its_keylocker_and_the_work_stays():
    walk = done_with_the_first()
    before = walk.state.facts
    swap(walk, SECOND)
    facts = walk.state.facts
    assert (facts.vehicle, facts.welcomed, facts.rewards) == (
        CAMRY,
        before.welcomed,
        before.rewards,
    )
    assert None not in (facts.welcomed, facts.rewards)
    assert facts.pins == before.pins
    assert facts.pins.master.success
    assert facts.tables == {OptionTable.KEYLOCKER: before.tables[OptionTable.KEYLOCKER]}
    assert facts.replaced is not None
    assert (facts.replaced.new_device_key, facts.replaced.verified) == (SECOND, False)


def test_a_late_report_of_the_device_that_was_taken_out_is_nothing():
    walk = done_with_the_first()
    late = walk.a_log()
    swap(walk, SECOND)
    assert walk.apply(LogArrived(log=late)).facts.commands == ()


def test_the_same_device_named_again_goes_on_with_what_it_has():
    walk = done_with_the_first()
    facts, skipped = walk.state.facts, walk.state.skipped
    swap(walk, FIRST)
    assert (walk.state.facts.commands, walk.state.facts.hardwired) == (
        facts.commands,
        facts.hardwired,
    )
    assert walk.state.skipped == skipped


def test_a_run_of_before_keeps_all_but_the_firmware():
    walk = done_with_the_first(swaps_anew=False)
    facts, skipped = walk.state.facts, walk.state.skipped
    swap(walk, SECOND)
    assert walk.state.facts.commands == facts.commands
    assert walk.state.skipped == skipped
    assert not walk.state.facts.firmware_checked
