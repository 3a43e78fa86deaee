"""What the configuring steps of version 2 do to an activation, and what they refuse."""

from collections.abc import Callable
from typing import Any

import pytest

from domain.activation import reducer as flow
from domain.activation.activation import (
    Act,
    ActivationOutcome,
    Checked,
    Fail,
    Fault,
    FeatureAct,
    Finish,
    HandOver,
    HandOverView,
    LogArrived,
    Ok,
    Person,
    PinAct,
    PinRemoval,
    Resume,
    State,
)
from domain.activation.configuring import (
    SPECIAL_ROW_NEEDS_QUERY,
    DeletePin,
    LinkInstaller,
    PatchTables,
    Replaced,
    ReplaceForm,
    RewardsForm,
    SetFeature,
    SetMode,
    SetPin,
    SetWires,
    SwapDevice,
    TablesForm,
)
from domain.devices.activation_type import ActivationType
from domain.devices.devices import DeviceState, Keylocker
from domain.devices.keylocker import PinRow, PinSlot
from domain.devices.option_tables import OptionTable
from domain.devices.toggles import Toggle
from tests.activation.in_memory import CAMRY, COLLEAGUE, FAULT, NOON, OWNER, Walk, a_device, a_walk

NEEDS_QUERY = Fail(fault=Fault(code=SPECIAL_ROW_NEEDS_QUERY, detail="Ask the device first."))
TABLES = TablesForm(step="keylocker-option-tables", changes={"relock": 30}, digest="d1")


def at(step: str, key: str = "FT-X1-00000042", **more: Any) -> Walk:
    """A run of version 2 that stands at a step."""
    device = {
        name: more.pop(name)
        for name in ("device_state", "service_mode", "controller", "is_keylocker_present", "plan")
        if name in more
    }
    keylocker = Keylocker(mode="add-on", key_present=True)
    values = {"controller": "CM900S", "is_keylocker_present": True, "keylocker": keylocker}
    walk = a_walk(
        a_device(key, **(values | device)),
        flow_version=2,
        resume=Resume.model_validate({"entry": step}),
        **more,
    )
    assert walk.state.state == step
    return walk


def replacing(**more: Any) -> Walk:
    return at(
        "replace-device",
        kind=ActivationType.REPLACE_DEVICE,
        device_state=DeviceState.PAUSED,
        service_mode=True,
        **more,
    )


def replace(walk: Walk, key: str = "FT-X1-00000099") -> None:
    walk.submit(ReplaceForm(step="replace-device", new_device_key=key))


def swapped(walk: Walk, key: str = "FT-X1-00000099", **more: Any) -> None:
    replace(walk, key)
    walk.apply(Checked(device=a_device(key, device_state=DeviceState.ACTIVATED, **more)))


def test_a_replacement_begins_with_the_new_serial_number():
    walk = replacing()
    assert walk.state.plan[0] == "replace-device"
    replace(walk)
    assert walk.state.pending == SwapDevice(
        device_key="FT-X1-00000042",
        new_device_key="FT-X1-00000099",
        iccid_last_digits=None,
        canadian=True,
        dealer_id=OWNER.dealer_id,
    )


def test_the_new_device_takes_over_and_the_plan_follows_from_it():
    walk = replacing()
    swapped(walk, "FT-X1MAX-00000099", vehicle=CAMRY)
    assert walk.state.state == "power-on-device"
    assert walk.state.device_key == "FT-X1MAX-00000099"
    assert "hardwire-x1max" in walk.state.plan
    assert "keylocker-mode" not in walk.state.plan
    assert walk.state.facts.vehicle == CAMRY
    assert walk.state.facts.replaced == Replaced(
        old_device_key="FT-X1-00000042", new_device_key="FT-X1MAX-00000099"
    )


def test_a_replacement_is_verified_by_the_new_devices_own_report():
    walk = replacing()
    swapped(walk)
    walk.to("check-firmware")
    replaced = walk.state.facts.replaced
    assert replaced is not None
    assert replaced.verified


def test_a_refused_swap_leaves_the_step_to_be_tried_again():
    walk = replacing()
    replace(walk)
    walk.fail()
    assert (walk.state.state, walk.state.device_key) == ("replace-device", "FT-X1-00000042")
    assert walk.state.error == FAULT
    assert walk.state.facts.replaced is None


def test_a_device_cannot_replace_itself():
    walk = replacing()
    form = ReplaceForm(step="replace-device", new_device_key="FT-X1-00000042")
    assert walk.refusal(walk.submission(form)) == "same_device"


def test_a_reset_leads_back_to_the_replacement_and_the_same_new_device_goes_on():
    walk = replacing()
    swapped(walk)
    walk.reset()
    assert walk.state.state == "replace-device"
    replace(walk)
    effect = walk.state.pending
    assert isinstance(effect, SwapDevice)
    assert (effect.device_key, effect.new_device_key) == ("FT-X1-00000042", "FT-X1-00000099")
    walk.apply(Checked(device=a_device("FT-X1-00000099")))
    assert walk.state.state == "power-on-device"


def test_the_new_device_can_be_replaced_in_its_turn():
    walk = replacing()
    swapped(walk)
    walk.back()
    swapped(walk, "FT-X1-00000100")
    assert walk.state.facts.replaced == Replaced(
        old_device_key="FT-X1-00000099", new_device_key="FT-X1-00000100"
    )


def test_a_replacement_that_is_abandoned_half_way_needs_attention():
    walk = replacing()
    swapped(walk)
    walk.abandon()
    assert flow.outcome(walk.state) is ActivationOutcome.NEEDS_ATTENTION


def test_a_replacement_whose_type_is_chosen_again_needs_attention():
    walk = replacing()
    swapped(walk)
    walk.back()
    walk.back()
    assert walk.state.state == "choose-type"
    assert flow.outcome(walk.state) is ActivationOutcome.NEEDS_ATTENTION


@pytest.mark.parametrize("leave", [Walk.abandon, Walk.back])
def test_a_swap_is_not_forgotten_with_its_device(leave: Callable[[Walk], State]):
    walk = replacing()
    swapped(walk)
    for key in ("FT-X1-00000100", "FT-X1-00000101"):
        walk.change_device(key)
        walk.apply(Checked(device=a_device(key, device_state=DeviceState.PAUSED)))
    assert (walk.state.state, walk.state.facts.replaced) == ("replace-device", None)
    leave(walk)
    assert flow.outcome(walk.state) is ActivationOutcome.NEEDS_ATTENTION


def test_a_device_that_nothing_was_done_to_is_left_without_a_word():
    walk = replacing()
    walk.change_device("FT-X1-00000100")
    walk.apply(Checked(device=a_device("FT-X1-00000100", device_state=DeviceState.PAUSED)))
    walk.back()
    assert flow.outcome(walk.state) is ActivationOutcome.CHOOSE_TYPE


def test_a_replacement_that_is_abandoned_before_the_swap_needs_none():
    walk = replacing()
    walk.abandon()
    assert flow.outcome(walk.state) is ActivationOutcome.ABANDONED


def test_whoever_takes_up_a_replacement_finds_what_was_replaced():
    replaced = Replaced(old_device_key="FT-X1-00000042", new_device_key="FT-X1-00000099")
    walk = a_walk(
        a_device("FT-X1-00000099", device_state=DeviceState.ACTIVATED),
        flow_version=2,
        kind=ActivationType.REPLACE_DEVICE,
        resume=Resume(entry="device-testing", replaced=replaced),
    )
    assert walk.state.state == "device-testing"
    assert walk.state.facts.replaced == replaced


def test_changed_rows_are_written_without_asking_the_device():
    walk = at("keylocker-option-tables")
    walk.submit(TABLES)
    effect = walk.state.pending
    assert isinstance(effect, PatchTables)
    assert (effect.table, effect.changes, effect.digest) == (
        OptionTable.KEYLOCKER,
        {"relock": 30},
        "d1",
    )
    assert effect.skip_query
    walk.succeed()
    assert walk.state.facts.tables[OptionTable.KEYLOCKER].changed == 1
    assert walk.state.state == "keylocker-pin-codes"


def test_a_run_learns_no_card_number_of_a_table():
    number = "4242424242424242"
    sent = {"step": "keylocker-option-tables", "changes": {number: 30}, "digest": f"d {number}"}
    form = TablesForm.model_validate(sent)
    assert number not in form.model_dump_json()
    assert TablesForm.model_validate_json(form.model_dump_json()) == form


def test_a_refusal_for_special_rows_is_answered_by_asking_the_device():
    walk = at("keylocker-option-tables")
    first = walk.submit(TABLES).pending
    second = walk.apply(NEEDS_QUERY).pending
    assert isinstance(first, PatchTables)
    assert isinstance(second, PatchTables)
    assert not second.skip_query
    assert second.changes == first.changes
    assert second.intent != first.intent
    assert (walk.state.state, walk.state.facts.requeries) == ("keylocker-option-tables/busy", 1)
    walk.succeed()
    assert walk.state.state == "keylocker-pin-codes"
    assert walk.state.facts.requeries == 0


def test_the_third_refusal_leaves_a_step_that_can_be_edited():
    walk = at("keylocker-option-tables")
    walk.submit(TABLES)
    for _ in range(2):
        walk.apply(NEEDS_QUERY)
        assert walk.state.pending is not None
    walk.apply(NEEDS_QUERY)
    assert (walk.state.state, walk.state.facts.requeries) == ("keylocker-option-tables", 2)
    assert walk.state.error == NEEDS_QUERY.fault
    effect = walk.submit(TABLES).pending
    assert isinstance(effect, PatchTables)
    assert effect.skip_query
    assert walk.state.facts.requeries == 0


def test_another_refusal_of_tables_is_not_repeated():
    walk = at("keylocker-option-tables")
    walk.submit(TABLES)
    walk.fail()
    assert (walk.state.state, walk.state.facts.requeries) == ("keylocker-option-tables", 0)


def test_a_form_without_changes_is_noted_as_no_save():
    walk = at("controller-option-tables")
    walk.submit()
    walk.succeed()
    assert walk.state.facts.tables == {}


def pin(slot: PinSlot = PinSlot.MASTER, secret: str = "secret-1") -> dict[str, Any]:
    return {"slot": slot, "secret": secret, "duration": 30}


def set_pin(walk: Walk, slot: PinSlot = PinSlot.MASTER) -> PinRow:
    walk.apply(PinAct(actor=OWNER, seq=walk.state.seq, **pin(slot)))
    return getattr(walk.state.facts.pins, slot)


def test_a_pin_is_loading_and_then_saved():
    walk = at("keylocker-pin-codes")
    assert set_pin(walk) == PinRow(enabled=True, loading=True, duration=30)
    assert isinstance(walk.state.pending, SetPin)
    walk.succeed()
    assert walk.state.facts.pins.master == PinRow(enabled=True, success=True, duration=30)
    assert walk.state.state == "keylocker-pin-codes"


@pytest.mark.parametrize("enabled", [False, True])
def test_the_flag_of_a_refused_pin_flips_back(enabled: bool):
    walk = at("keylocker-pin-codes")
    if enabled:
        set_pin(walk, PinSlot.SECONDARY)
        walk.succeed()
    set_pin(walk, PinSlot.SECONDARY)
    walk.fail()
    assert walk.state.facts.pins.secondary == PinRow(enabled=enabled, failed=True)
    assert walk.state.error == FAULT
    assert walk.state.facts.pins.master == PinRow()


def test_the_secondary_pin_is_removed_by_the_master_pin():
    walk = at("keylocker-pin-codes")
    set_pin(walk, PinSlot.SECONDARY)
    walk.succeed()
    removal = PinRemoval(actor=OWNER, seq=walk.state.seq, secret="secret-2")
    effect = walk.apply(removal).pending
    assert isinstance(effect, DeletePin)
    assert effect.secret == "secret-2"
    walk.fail()
    assert walk.state.facts.pins.secondary == PinRow(enabled=True, failed=True)
    walk.apply(removal.model_copy(update={"seq": walk.state.seq}))
    walk.succeed()
    assert walk.state.facts.pins.secondary == PinRow(success=True)


def test_one_pin_at_a_time():
    walk = at("keylocker-pin-codes")
    set_pin(walk)
    second = PinAct(actor=OWNER, seq=walk.state.seq, **pin(PinSlot.SECONDARY))
    assert walk.refusal(second) == "command_in_progress"


def test_pins_are_set_at_their_own_step_alone():
    walk = at("system-settings")
    assert walk.refusal(PinAct(actor=OWNER, seq=walk.state.seq, **pin())) == "step_out_of_order"
    removal = PinRemoval(actor=OWNER, seq=walk.state.seq, secret="secret-1")
    assert walk.refusal(removal) == "step_out_of_order"
    command = Act(actor=OWNER, seq=walk.state.seq, command="arm")
    assert walk.refusal(command) == "step_out_of_order"


def with_features(features: dict[Toggle, bool] | None) -> Walk:
    walk = Walk(at("system-settings").state)
    facts = walk.state.facts.model_copy(update={"features": features})
    return Walk(walk.state.model_copy(update={"facts": facts}))


def toggle(walk: Walk, feature: Toggle, *, enabled: bool = True) -> FeatureAct:
    return FeatureAct(actor=OWNER, seq=walk.state.seq, feature=feature, enabled=enabled)


def test_a_setting_is_saved_by_itself():
    walk = with_features({Toggle.SIREN: False, Toggle.VALET_MODE: True})
    assert flow.view(walk.state, walk.now).toggles == (Toggle.SIREN, Toggle.VALET_MODE)
    walk.apply(toggle(walk, Toggle.SIREN))
    assert isinstance(walk.state.pending, SetFeature)
    assert walk.state.facts.saving_feature is Toggle.SIREN
    walk.succeed()
    assert walk.state.facts.features == {Toggle.SIREN: True, Toggle.VALET_MODE: True}
    assert walk.state.facts.saving_feature is None


def test_a_refused_setting_stays_as_it_was():
    walk = with_features({Toggle.SIREN: False})
    walk.apply(toggle(walk, Toggle.SIREN))
    walk.fail()
    assert walk.state.facts.features == {Toggle.SIREN: False}
    assert walk.state.facts.saving_feature is None


def test_a_setting_that_the_device_lacks_is_refused():
    walk = with_features({Toggle.SIREN: False})
    assert walk.refusal(toggle(walk, Toggle.DRIVE_LOCK)) == "feature_not_supported"


def test_all_settings_can_be_turned_while_the_device_told_of_none():
    walk = with_features(None)
    assert flow.view(walk.state, walk.now).toggles == tuple(Toggle)


def test_configuration_commands_have_rows_of_their_own():
    walk = at("device-configuration", "DR5400-00000042")
    assert "ignition_on" in flow.view(walk.state, walk.now).commands
    walk.act("ignition_on")
    assert [row.command for row in walk.state.facts.configuration] == ["ignition_on"]
    assert walk.state.facts.commands == ()
    command = walk.state.facts.configuration[0].id
    walk.log(command)
    assert walk.state.facts.configuration[0].state == "confirmed"


def test_the_mode_of_the_keylocker_is_known_once_it_is_set():
    walk = at("keylocker-mode")
    assert walk.state.facts.keylocker_mode == "add-on"
    walk.submit()
    assert isinstance(walk.state.pending, SetMode)
    walk.succeed()
    assert walk.state.facts.keylocker_mode == "standalone"
    assert walk.state.facts.keylocker is not None
    assert walk.state.facts.keylocker.mode == "standalone"


def test_the_wires_are_remembered():
    walk = at("hardwire-x1max", "FT-X1MAX-00000042")
    walk.submit()
    assert isinstance(walk.state.pending, SetWires)
    walk.succeed()
    assert walk.state.facts.hardwired is not None
    assert (walk.state.facts.hardwired.output, walk.state.facts.hardwired.input) == (
        "Trunk",
        "High",
    )


def test_whoever_helped_is_linked_and_named_at_the_end():
    walk = at("device-rewards")
    walk.submit(RewardsForm(step="device-rewards", involved_installer_id="person-2"))
    effect = walk.state.pending
    assert isinstance(effect, LinkInstaller)
    assert (effect.installer_id, effect.involved_installer_id) == ("person-1", "person-2")
    walk.succeed()
    walk.to("complete-activation")
    finish = walk.submit().pending
    assert isinstance(finish, Finish)
    assert finish.involved_installers == ("person-2",)


def test_the_choice_of_a_plan_is_no_form():
    walk = at("purchase-plan")
    assert "SUBMIT" not in flow.allowed(walk.state)
    assert walk.refusal(walk.submission()) == "only_skippable"
    walk.skip("the owner buys it")
    assert walk.state.skipped == {"purchase-plan": "the owner buys it"}


def test_what_was_handed_over_only_to_be_paid_comes_back_by_itself():
    walk = at("device-testing")
    early = HandOver(actor=OWNER, seq=walk.state.seq, to=COLLEAGUE, only_to_pay=True)
    assert walk.refusal(early) == "step_out_of_order"
    walk.to("purchase-plan")
    over = HandOver(
        actor=OWNER, seq=walk.state.seq, to=COLLEAGUE, note="It is the red one", only_to_pay=True
    )
    walk.apply(over)
    view = flow.view(walk.state, NOON)
    assert (view.owner_id, view.handed) == (
        COLLEAGUE.user_id,
        HandOverView(
            by=OWNER.name,
            step="purchase-plan",
            note="It is the red one",
            only_to_pay=True,
            back_to_id=OWNER.user_id,
        ),
    )
    walk.skip()
    after = flow.view(walk.state, NOON)
    assert after.step != "purchase-plan"
    assert (after.owner_id, after.handed) == (OWNER.user_id, None)


BUYER = COLLEAGUE.model_copy(update={"user_id": "person-3", "name": "Bea Buyer"})


def to_pay(walk: Walk, by: Person, to: Person, **more: Any) -> None:
    walk.apply(HandOver(actor=by, seq=walk.state.seq, to=to, only_to_pay=True, **more))


def test_what_went_through_many_hands_to_be_paid_comes_back_to_whoever_gave_it_first():
    walk = at("purchase-plan")
    to_pay(walk, OWNER, COLLEAGUE)
    to_pay(walk, COLLEAGUE, BUYER)
    assert walk.state.owner == BUYER
    walk.skip()
    assert (walk.state.owner, walk.state.handed) == (OWNER, None)


def test_what_is_given_back_to_whoever_gave_it_is_theirs_and_goes_nowhere():
    walk = at("purchase-plan")
    to_pay(walk, OWNER, COLLEAGUE)
    to_pay(walk, COLLEAGUE, OWNER)
    handed = flow.view(walk.state, NOON).handed
    assert handed is not None
    assert (walk.state.owner, handed.only_to_pay, handed.back_to_id) == (OWNER, False, None)


def test_it_comes_back_to_another_one_where_whoever_gave_it_has_left():
    walk = at("purchase-plan")
    to_pay(walk, OWNER, COLLEAGUE)
    to_pay(walk, OWNER, COLLEAGUE, back_to=BUYER)
    assert walk.state.owner == COLLEAGUE
    walk.skip()
    assert walk.state.owner == BUYER


def test_a_report_tells_how_the_keylocker_is():
    walk = at("device-testing")
    rev = walk.state.rev
    log = walk.a_log("none", type="report", reading={"keylocker": {"roof_open": True}})
    walk.apply(LogArrived(log=log))
    assert walk.state.facts.keylocker is not None
    assert walk.state.facts.keylocker.roof_open
    assert walk.state.facts.keylocker.key_present
    assert walk.state.rev == rev + 1
    walk.apply(LogArrived(log=log))
    assert walk.state.rev == rev + 1


def test_another_devices_report_tells_nothing():
    walk = at("device-testing")
    reading = {"keylocker": {"roof_open": True}}
    log = walk.a_log("none", device_key="FT-X1-00000001", reading=reading)
    rev = walk.state.rev
    walk.apply(LogArrived(log=log))
    assert walk.state.rev == rev


def test_a_result_that_fits_no_effect_is_a_failure():
    walk = replacing()
    replace(walk)
    walk.apply(Ok())
    assert walk.state.error == flow.UNEXPECTED
    assert walk.state.state == "replace-device"
