"""The update of the firmware beside the steps of version 3: what waits for the device, and what for the update."""

from datetime import datetime, timedelta

import pytest

from domain.activation import beside
from domain.activation import reducer as flow
from domain.activation.activation import (
    Abandon,
    Back,
    Checked,
    Fail,
    Fault,
    FirmwareProgress,
    Policy,
    Skip,
    Tick,
    Wait,
)
from domain.activation.configuring import (
    TABLE_OF,
    ModeForm,
    PatchTables,
    ReplaceForm,
    TablesForm,
    WiresForm,
)
from domain.activation.lost_firmware import end_of
from domain.devices.activation_type import ActivationType
from domain.devices.devices import DeviceState
from domain.devices.hardwire import HardwiredInput, HardwiredOutput
from domain.devices.keylocker import KeylockerMode
from domain.firmware.firmware import FirmwareView
from domain.runs.projection import FlowAnswer
from tests.activation.in_memory import Walk, a_device, a_walk
from tests.drivers.times import NOON

OPTIONS = "controller-option-tables"
UPDATING = Fail(fault=Fault(code="device_updating", detail="The device is installing."))
CHANGED = TablesForm(step=OPTIONS, changes={"b1": 2}, digest="d")


def report(
    walk: Walk, number: int, state: str, *, run: str = "fw-1", began: datetime = NOON
) -> FirmwareProgress:
    firmware = FirmwareView(
        run_id=run,
        device_key=walk.state.device_key,
        state=state,
        since=NOON,
        started_at=began,
        allowed=("CANCEL", "DEFER") if state == "download_sent" else (),
    )
    return FirmwareProgress(id=f"{run}-{number}", firmware=firmware)


def a_row(walk: Walk, state: str, *, ended: bool) -> FlowAnswer:
    """Of the firmware run, as it last showed itself."""
    return FlowAnswer(
        kind="firmware",
        id="fw-1",
        version=2,
        rev=1,
        seq=0,
        state=state,
        allowed=(),
        view=report(walk, 0, state).firmware.model_dump(mode="json"),
        updated_at=NOON,
        ended=ended,
    )


def updating(at: str | None = None, **more: object) -> Walk:
    """A run whose update was begun, and which has gone on to `at`."""
    walk = a_walk(a_device(controller="CM900S"), flow_version=3, **more)  # pyright: ignore[reportArgumentType] passed on by name
    walk.to("check-firmware")
    walk.submit()
    walk.apply(Wait())
    if at:
        walk.to(at)
    return walk


def swap(walk: Walk, key: str) -> None:
    walk.submit(ReplaceForm(step="replace-device", new_device_key=key))
    walk.apply(Checked(device=a_device(key, controller="CM900S")))
    assert walk.state.device_key == key


def passing_over(walk: Walk) -> Skip:
    return Skip(
        actor=walk.actor, seq=walk.state.seq, step="check-firmware", reason="the owner cannot wait"
    )


def test_the_steps_go_on_while_the_firmware_is_under_way():
    walk = updating()
    assert walk.state.state == OPTIONS
    assert beside.is_under_way(walk.state.facts)
    walk.apply(report(walk, 1, "download_sent"))
    assert walk.state.facts.firmware is not None
    walk.submit(CHANGED)
    walk.succeed()
    assert walk.state.facts.tables[TABLE_OF[OPTIONS]].changed == 1


def test_what_a_device_refuses_while_it_installs_is_kept_and_written_afterwards():
    walk = updating()
    sent = walk.submit(CHANGED).pending
    walk.apply(UPDATING)
    assert (walk.state.state, walk.state.error) == (f"{OPTIONS}/waiting", None)
    assert flow.allowed(walk.state) == ("BACK", "ABANDON")
    walk.log("of-the-update", type="firmware", command="R42", reading={"target": "main"})
    again = walk.state.pending
    assert walk.state.state == f"{OPTIONS}/busy"
    assert isinstance(sent, PatchTables)
    assert isinstance(again, PatchTables)
    assert (again.changes, again.digest) == (sent.changes, sent.digest)
    assert again.intent != sent.intent
    walk.succeed()
    assert walk.state.facts.tables[TABLE_OF[OPTIONS]].changed == 1
    assert walk.state.held is None


def test_what_is_kept_can_be_taken_back_and_is_not_written():
    walk = updating(policy=Policy())
    walk.submit(CHANGED)
    walk.apply(UPDATING)
    assert flow.view(walk.state, NOON).kept == CHANGED
    walk.back()
    assert (walk.state.state, walk.state.held, walk.state.deadline) == (OPTIONS, None, None)
    assert flow.view(walk.state, NOON).kept == CHANGED
    walk.log("of-the-update", type="firmware", command="R42", reading={"target": "main"})
    assert (walk.state.state, walk.state.pending) == (OPTIONS, None)
    walk.submit(TablesForm(step=OPTIONS, changes={"b1": 3}, digest="d"))
    assert flow.view(walk.state, NOON).kept is None
    walk.apply(UPDATING)
    assert walk.state.deadline == walk.now + walk.state.policy.updating
    walk.log("nothing", type="report")
    walk.succeed()
    assert flow.view(walk.state, NOON).kept is None


@pytest.mark.parametrize(
    "form",
    [
        ModeForm(step="keylocker-mode", mode=KeylockerMode.STANDALONE),
        WiresForm(step="hardwire-x1max", output=HardwiredOutput.TRUNK, input=HardwiredInput.HIGH),
        TablesForm(step="keylocker-poc-pic", changes={"b1": 2}, digest="d"),
    ],
)
def test_every_form_that_was_taken_back_is_there_again(form: ModeForm | WiresForm | TablesForm):
    device = a_device("FT-X1MAX-00000042", controller="CM900S", is_keylocker_present=True)
    walk = a_walk(device, flow_version=3, advanced=True)
    walk.to(form.step)
    walk.submit(form)
    walk.apply(UPDATING)
    walk.back()
    assert flow.view(walk.state, NOON).kept == form
    walk.back()
    assert flow.view(walk.state, NOON).kept is None


def test_what_is_being_written_is_not_taken_back_any_more():
    walk = updating()
    walk.submit(CHANGED)
    walk.apply(UPDATING)
    back = Back(actor=walk.actor, seq=walk.state.seq, step=OPTIONS)
    walk.log("nothing", type="report")
    assert walk.refusal(back) == "command_in_progress"


def test_progress_is_no_sign_that_the_device_is_back():
    walk = updating()
    walk.submit(CHANGED)
    walk.apply(UPDATING)
    kept = walk.state
    walk.log("of-the-update", type="firmware", reading={"target": "main", "percent": 50})
    assert walk.state is kept
    walk.log("nothing", type="report")
    walk.apply(UPDATING)
    assert walk.state.state == f"{OPTIONS}/waiting"


def test_a_device_that_reports_while_it_is_asked_is_not_waited_for():
    walk = updating()
    walk.submit(CHANGED)
    walk.log("of-the-update", type="firmware", command="R42", reading={"target": "main"})
    walk.apply(UPDATING)
    assert (walk.state.state, walk.state.error) == (OPTIONS, UPDATING.fault)
    walk.submit(CHANGED)
    walk.apply(UPDATING)
    assert walk.state.state == f"{OPTIONS}/waiting"


def test_progress_that_tells_of_the_keylocker_too_is_no_sign_either():
    walk = updating()
    walk.submit(CHANGED)
    walk.log(
        "of-the-update", type="firmware", reading={"percent": 50, "keylocker": {"roof_open": True}}
    )
    walk.apply(UPDATING)
    assert walk.state.state == f"{OPTIONS}/waiting"


def test_what_was_kept_and_is_refused_then_is_said_at_its_own_step():
    walk = updating()
    walk.submit(CHANGED)
    walk.apply(UPDATING)
    walk.log("nothing", type="report")
    walk.fail()
    assert walk.state.state == OPTIONS
    assert walk.state.error is not None


def test_a_device_that_does_not_come_back_is_given_up_after_its_time():
    policy = Policy()
    walk = updating(policy=policy)
    walk.submit(CHANGED)
    walk.apply(UPDATING)
    walk.later(policy.updating - timedelta(seconds=1))
    assert walk.apply(Tick(kind="TIMED_OUT")).phase == "waiting"
    walk.later(timedelta(seconds=1))
    walk.apply(Tick(kind="TIMED_OUT"))
    assert walk.state.state == OPTIONS
    assert walk.state.held is None
    assert walk.state.error == flow.STILL_UPDATING


def test_a_device_that_reports_and_refuses_again_gets_no_more_time():
    policy = Policy()
    walk = updating(policy=policy)
    walk.submit(CHANGED)
    walk.apply(UPDATING)
    first = walk.state.deadline
    walk.later(policy.updating - timedelta(seconds=1))
    walk.log("nothing", type="report")
    walk.apply(UPDATING)
    assert (walk.state.phase, walk.state.deadline) == ("waiting", first)
    walk.log("nothing", type="report")
    walk.later(timedelta(seconds=1))
    walk.apply(UPDATING)
    assert (walk.state.state, walk.state.error) == (OPTIONS, UPDATING.fault)
    walk.submit(CHANGED)
    walk.apply(UPDATING)
    assert walk.state.deadline == walk.now + policy.updating


def test_commands_are_never_kept():
    walk = updating("device-testing")
    walk.apply(report(walk, 1, "done"))
    walk.act()
    walk.apply(UPDATING)
    assert (walk.state.state, walk.state.held) == ("device-testing", None)
    assert walk.state.error == UPDATING.fault


def test_version_2_says_the_refusal_as_before():
    walk = a_walk(a_device(controller="CM900S"), flow_version=2)
    walk.to(OPTIONS)
    walk.submit(CHANGED)
    walk.apply(UPDATING)
    assert (walk.state.state, walk.state.error) == (OPTIONS, UPDATING.fault)


def test_the_tests_wait_until_the_update_is_done():
    walk = updating("device-testing")
    for number, state in enumerate((None, "download_sent", "update_sent", "retry_wait")):
        if state:
            walk.apply(report(walk, number, state))
        assert flow.allowed(walk.state) == ("BACK", "RESET", "CHANGE_DEVICE", "ABANDON")
        assert flow.view(walk.state, NOON).commands == ()
        assert walk.refusal(walk.submission()) == "firmware_under_way"
        assert walk.refusal(passing_over(walk)) == "not_skippable"
    walk.apply(report(walk, 9, "done"))
    assert walk.state.facts.firmware_checked
    assert flow.allowed(walk.state)[:2] == ("SUBMIT", "ACT")
    assert "arm" in flow.view(walk.state, NOON).commands
    assert walk.refusal(passing_over(walk)) == "not_skippable"


@pytest.mark.parametrize("end", ["failed", "failed_for_good", "cancelled"])
def test_an_update_that_failed_is_passed_over_with_a_reason_only(end: str):
    walk = updating("device-testing")
    walk.apply(report(walk, 1, end))
    assert "ACT" not in flow.allowed(walk.state)
    assert walk.refusal(walk.skipping()) == "step_out_of_order"
    walk.apply(passing_over(walk))
    assert walk.state.state == "device-testing"
    assert walk.state.skipped == {"check-firmware": "the owner cannot wait"}
    assert flow.allowed(walk.state)[:2] == ("SUBMIT", "ACT")


def test_one_that_is_tried_again_is_waited_for_again():
    walk = updating("device-testing")
    walk.apply(report(walk, 1, "failed"))
    walk.apply(passing_over(walk))
    walk.apply(report(walk, 2, "starting"))
    assert "ACT" not in flow.allowed(walk.state)
    walk.apply(report(walk, 3, "done"))
    assert "ACT" in flow.allowed(walk.state)
    assert walk.state.skipped == {}


def test_one_that_was_lost_is_passed_over_too():
    walk = updating("device-testing")
    assert flow.view(walk.state, NOON).beside == "under_way"
    walk.apply(end_of(a_row(walk, "download_sent", ended=False)))
    shown = flow.view(walk.state, NOON)
    assert shown.beside == "failed"
    assert shown.facts.firmware is not None
    assert shown.facts.firmware.allowed == ()
    walk.apply(passing_over(walk))
    assert "ACT" in flow.allowed(walk.state)


def test_of_one_that_ended_untold_its_own_end_is_told():
    walk = updating("device-testing")
    walk.apply(report(walk, 1, "update_sent"))
    walk.apply(end_of(a_row(walk, "done", ended=True)))
    assert "ACT" in flow.allowed(walk.state)


def test_the_loss_of_an_earlier_update_is_nothing_to_a_later_one():
    walk = updating("device-testing")
    walk.apply(report(walk, 1, "download_sent", run="fw-2", began=NOON + timedelta(minutes=5)))
    known = walk.state
    assert walk.apply(end_of(a_row(walk, "download_sent", ended=False))) is known
    walk.apply(report(walk, 2, "done", run="fw-2", began=NOON + timedelta(minutes=5)))
    assert "ACT" in flow.allowed(walk.state)


def test_without_an_update_nothing_waits():
    walk = a_walk(flow_version=3)
    walk.to("device-testing")
    assert flow.allowed(walk.state)[:2] == ("SUBMIT", "ACT")


def test_a_reset_forgets_no_update_that_is_under_way():
    walk = updating("device-testing")
    walk.apply(report(walk, 1, "download_sent"))
    walk.reset()
    assert beside.is_under_way(walk.state.facts)
    walk.to("check-firmware")
    walk.skip("it is under way")
    walk.to("device-testing")
    assert "ACT" not in flow.allowed(walk.state)


def test_going_back_begins_or_joins_an_update_anew():
    walk = updating()
    walk.apply(report(walk, 1, "failed"))
    walk.back()
    assert walk.state.state == "check-firmware"
    walk.submit()
    walk.succeed()
    walk.to("device-testing")
    assert "ACT" in flow.allowed(walk.state)


def test_what_is_reported_of_another_device_is_nothing():
    walk = updating()
    foreign = FirmwareView(run_id="fw-2", device_key="FT-X1-00000099", state="done", since=NOON)
    assert walk.apply(FirmwareProgress(id="fw-2-1", firmware=foreign)).facts.firmware is None


def test_the_update_of_a_device_that_was_taken_out_goes_with_it():
    walk = a_walk(
        a_device(controller="CM900S", device_state=DeviceState.INSTALLED),
        flow_version=3,
        kind=ActivationType.REPLACE_DEVICE,
    )
    swap(walk, "FT-X1-00000099")
    walk.to("check-firmware")
    walk.submit()
    walk.apply(Wait())
    walk.apply(report(walk, 1, "download_sent"))
    walk.reset()
    assert beside.is_under_way(walk.state.facts)
    of_the_old = report(walk, 2, "failed")
    swap(walk, "FT-X1-00000100")
    assert flow.view(walk.state, NOON).beside is None
    assert walk.apply(of_the_old).facts.firmware is None


def test_an_update_that_was_begun_elsewhere_is_not_forgotten_by_a_reset_either():
    walk = a_walk(a_device(controller="CM900S"), flow_version=3)
    walk.apply(report(walk, 1, "download_sent"))
    walk.reset()
    assert flow.view(walk.state, NOON).beside == "under_way"


@pytest.mark.parametrize(
    ("state", "left", "goes_on_at"),
    [
        (None, OPTIONS, "check-firmware"),
        ("update_sent", "device-testing", "check-firmware"),
        ("failed", OPTIONS, "check-firmware"),
        ("done", OPTIONS, OPTIONS),
        ("update_sent", "power-on-device", "power-on-device"),
    ],
)
def test_a_run_that_is_taken_up_anew_joins_the_update_that_was_open(
    state: str | None, left: str, goes_on_at: str
):
    walk = updating()
    if state:
        walk.apply(report(walk, 1, state))
    walk.apply(Abandon(actor=walk.actor, seq=walk.state.seq))
    view = flow.view(walk.state, NOON)
    assert beside.goes_on_at(view, left) == goes_on_at
    assert beside.goes_on_at(view, "checking") is None


def test_an_update_that_another_run_began_is_nothing_to_a_plan_without_one():
    """The run of the firmware tells whichever activation the device has, and its plan may know no update."""
    walk = a_walk(
        a_device(device_state=DeviceState.INSTALLED),
        flow_version=3,
        kind=ActivationType.PURCHASE_SUBSCRIPTION,
    )
    assert "check-firmware" not in walk.state.plan
    left = walk.state.step
    walk.apply(report(walk, 1, "download_sent"))
    walk.apply(Abandon(actor=walk.actor, seq=walk.state.seq))
    view = flow.view(walk.state, NOON)
    assert view.beside is None
    assert beside.goes_on_at(view, left) == left
    kept_before = view.model_copy(update={"beside": "under_way"})
    assert beside.goes_on_at(kept_before, left) == left
