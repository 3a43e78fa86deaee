"""What an event does to an activation, and what is refused."""

import itertools
from datetime import timedelta

import pytest

from domain.activation import commands as activation_commands
from domain.activation import reducer as flow
from domain.activation.activation import (
    Abandon,
    Act,
    ActivationOutcome,
    Back,
    ChangeDevice,
    CheckDevice,
    Checked,
    CheckFirmware,
    CommandState,
    Confirm,
    Fail,
    Finish,
    FirmwareProgress,
    HandOver,
    LogArrived,
    Ok,
    Opened,
    Person,
    Policy,
    Reset,
    Resume,
    SendCommand,
    SendWelcome,
    State,
    Stopped,
    Tick,
    Wait,
)
from domain.devices.devices import DeviceState, FirmwareTarget
from domain.firmware.firmware import FirmwareView, TargetView
from domain.runs.engine import resolve_target
from tests.activation.in_memory import (
    ADMINISTRATOR,
    CAMRY,
    COLLEAGUE,
    FAULT,
    FOREIGNER,
    OWNER,
    Walk,
    a_device,
    a_start,
    a_walk,
)
from tests.drivers.stage import form_for
from tests.drivers.times import NOON

NEW_PLAN = (
    "power-on-device",
    "set-vehicle-details",
    "verify-connection",
    "check-firmware",
    "device-testing",
    "send-welcome",
    "complete-activation",
)
COMMAND_WAIT = Policy().command


def at(state: str, **more: object) -> Walk:
    walk = a_walk(**more)  # pyright: ignore[reportArgumentType] passed on by name
    walk.to(state)
    return walk


def commands(state: State) -> list[CommandState]:
    return [row.state for row in state.facts.commands]


def test_a_run_begins_by_checking_its_device():
    state = flow.begin(a_start(a_device()), NOON)
    assert (state.state, state.seq, state.rev) == ("checking", 0, 0)
    assert isinstance(state.pending, CheckDevice)
    assert flow.allowed(state) == ()


def test_the_devices_answer_fixes_the_plan_and_the_first_step():
    walk = a_walk()
    assert walk.state.plan == NEW_PLAN
    assert walk.state.state == "power-on-device"
    assert flow.allowed(walk.state) == ("SUBMIT", "BACK", "RESET", "CHANGE_DEVICE", "ABANDON")


def test_a_device_that_is_not_known_ends_the_run():
    walk = Walk(flow.begin(a_start(a_device()), NOON))
    walk.fail()
    assert flow.outcome(walk.state) is ActivationOutcome.REFUSED
    assert walk.state.error == FAULT


def test_every_step_leads_to_the_next_and_the_last_one_completes():
    walk, seen = a_walk(), list[str]()
    while not flow.has_ended(walk.state):
        seen.append(walk.state.step)
        after = resolve_target("NEXT", walk.state.step, walk.state.plan)
        walk.to(after)
    assert tuple(seen) == NEW_PLAN
    assert flow.outcome(walk.state) is ActivationOutcome.COMPLETED
    assert walk.state.facts.activated
    assert walk.state.facts.connection_verified
    assert walk.state.facts.firmware_checked
    assert walk.state.facts.welcomed == "owner@example.com"
    assert walk.state.facts.vehicle == CAMRY


@pytest.mark.parametrize(
    ("state", "effect"),
    [
        ("verify-connection", SendCommand),
        ("check-firmware", CheckFirmware),
        ("send-welcome", SendWelcome),
        ("complete-activation", Finish),
    ],
)
def test_a_submit_sets_its_steps_effect_going(state: str, effect: type):
    walk = at(state)
    walk.submit()
    assert walk.state.state == f"{state}/busy"
    assert isinstance(walk.state.pending, effect)


@pytest.mark.parametrize("state", ["verify-connection", "check-firmware", "send-welcome"])
def test_an_effect_that_fails_leads_back_to_the_step_and_says_why(state: str):
    walk = at(state)
    walk.submit()
    walk.fail()
    assert (walk.state.state, walk.state.error, walk.state.pending) == (state, FAULT, None)
    walk.submit()
    assert walk.state.error is None


def test_a_result_that_does_not_fit_is_a_failure_and_not_an_accident():
    walk = at("send-welcome")
    walk.submit()
    walk.apply(Wait())
    assert (walk.state.state, walk.state.error) == ("send-welcome", flow.UNEXPECTED)

    walk = Walk(flow.begin(a_start(a_device()), NOON))
    walk.apply(Ok())
    assert walk.state.state == "refused"

    walk = at("send-welcome")
    walk.submit()
    walk.apply(Checked(device=a_device()))
    assert (walk.state.state, walk.state.error) == ("send-welcome", flow.UNEXPECTED)


def test_a_result_that_nobody_asked_for_changes_nothing():
    walk = at("device-testing")
    before = walk.state
    assert walk.apply(Ok()) is before
    assert walk.apply(Fail(fault=FAULT)) is before


def test_an_ended_run_is_closed_to_everybody():
    walk = at("device-testing")
    walk.abandon()
    abandon = Abandon(actor=FOREIGNER, seq=99)
    assert walk.refusal(abandon) == "closed"
    assert walk.refusal(Opened(actor=OWNER, device_key=walk.state.device_key)) == "closed"


def test_whose_it_is_comes_before_what_they_saw():
    walk = a_walk()
    assert walk.refusal(Reset(actor=FOREIGNER, seq=99)) == "not_owner"
    assert walk.refusal(Reset(actor=COLLEAGUE, seq=99)) == "stale_sequence"


def test_what_they_saw_comes_before_the_step_they_name():
    walk = at("device-testing")
    wrong = Confirm(step="power-on-device")
    stale = walk.submission(wrong).model_copy(update={"seq": walk.state.seq - 1})
    assert walk.refusal(stale) == "stale_sequence"
    assert walk.refusal(walk.submission(wrong)) == "step_out_of_order"


def test_a_run_that_was_changed_too_often_can_only_be_abandoned():
    walk = a_walk(policy=Policy(update_cap=2))
    walk.to("verify-connection")
    assert walk.refusal(walk.submission()) == "too_many_changes"
    over = HandOver(actor=OWNER, seq=walk.state.seq, to=COLLEAGUE)
    assert walk.refusal(over) == "too_many_changes"
    walk.abandon()
    assert walk.state.state == "abandoned"


@pytest.mark.parametrize("state", ["send-welcome", "verify-connection", "check-firmware"])
def test_while_an_effect_runs_everything_waits(state: str):
    walk = at(state)
    walk.submit()
    seq = walk.state.seq
    assert flow.allowed(walk.state) == ()
    for event in (
        walk.submission(form_for(state)),
        Abandon(actor=OWNER, seq=seq),
        Reset(actor=OWNER, seq=seq),
        Back.model_validate({"actor": OWNER, "seq": seq, "step": state}),
    ):
        assert walk.refusal(event) == "command_in_progress"


def test_a_run_that_waits_for_its_device_can_only_be_abandoned():
    walk = at("check-firmware")
    walk.submit()
    walk.apply(Wait())
    assert flow.allowed(walk.state) == ("ABANDON",)
    assert walk.refusal(Reset(actor=OWNER, seq=walk.state.seq)) == "command_in_progress"
    walk.abandon("wrong car")
    assert (walk.state.state, walk.state.reason) == ("abandoned", "wrong car")


def test_only_some_steps_can_be_skipped():
    walk = a_walk()
    assert walk.refusal(walk.skipping()) == "not_skippable"
    walk.to("check-firmware")
    walk.skip("no signal in the garage")
    assert walk.state.state == "device-testing"
    assert walk.state.skipped == {"check-firmware": "no signal in the garage"}


def test_a_step_that_is_done_after_all_was_not_skipped():
    walk = at("check-firmware")
    walk.skip()
    walk.back()
    assert walk.state.state == "check-firmware"
    walk.submit()
    assert walk.state.skipped == {}


def test_a_command_needs_a_step_that_sends_commands_and_a_device_that_knows_it():
    walk = a_walk()
    assert walk.refusal(Act(actor=OWNER, seq=0, command="arm")) == "step_out_of_order"
    walk = at("device-testing", device=a_device("DR5400-00000042"))
    seq = walk.state.seq
    assert walk.refusal(Act(actor=OWNER, seq=seq, command="arm")) == "command_not_supported"
    assert walk.act("location").state == "device-testing/busy"


def test_seq_counts_what_people_do_and_rev_every_change():
    walk = at("verify-connection")
    before = walk.state
    walk.submit()
    assert (walk.state.seq, walk.state.rev) == (before.seq + 1, before.rev + 1)
    walk.apply(Wait())
    walk.log()
    assert (walk.state.seq, walk.state.rev) == (before.seq + 1, before.rev + 3)


def test_a_repeated_log_is_taken_once():
    walk = at("device-testing")
    walk.act()
    walk.apply(Wait())
    log = LogArrived(log=walk.a_log())
    walk.apply(log)
    once = walk.state
    assert walk.apply(log) is once


def test_a_refused_message_leaves_the_state_alone():
    walk = at("device-testing")
    before = walk.state
    walk.refusal(Reset(actor=FOREIGNER, seq=before.seq))
    assert walk.state is before


def test_back_steps_back_and_from_the_first_step_chooses_the_type_again():
    walk = at("verify-connection")
    walk.back()
    assert walk.state.state == "set-vehicle-details"
    walk.back()
    walk.back()
    assert walk.state.state == "choose-type"
    assert flow.outcome(walk.state) is ActivationOutcome.CHOOSE_TYPE


def test_a_back_from_a_screen_that_is_no_longer_there_is_out_of_order():
    walk = at("verify-connection")
    back = Back(actor=OWNER, seq=walk.state.seq, step="set-vehicle-details")
    assert walk.refusal(back) == "step_out_of_order"


def test_a_reset_clears_everything_but_what_need_not_be_typed_again():
    walk = at("device-testing")
    walk.act()
    walk.apply(Wait())
    walk.log()
    walk.reset()
    facts = walk.state.facts
    assert walk.state.state == "power-on-device"
    assert facts.vehicle == CAMRY
    assert (facts.connection, facts.commands, facts.firmware) == (None, (), None)
    assert not facts.connection_verified
    assert not facts.firmware_checked


def test_another_device_is_checked_and_the_run_begins_again_with_it():
    walk = at("device-testing")
    walk.change_device("FT-X1-00000043")
    pending = walk.state.pending
    assert walk.state.state == "changing-device"
    assert isinstance(pending, CheckDevice)
    assert pending.replaces == "FT-X1-00000042"
    walk.apply(Checked(device=a_device("FT-X1-00000043")))
    assert (walk.state.state, walk.state.device_key) == ("power-on-device", "FT-X1-00000043")
    assert walk.state.facts.vehicle is None
    assert not walk.state.facts.connection_verified


def test_another_device_brings_its_own_plan():
    walk = at("device-testing", kind="service-device")
    assert "set-vehicle-details" in walk.state.plan
    walk.change_device("FT-X1-00000043")
    walk.apply(Checked(device=a_device("FT-X1-00000043", vehicle=CAMRY)))
    assert "set-vehicle-details" not in walk.state.plan
    assert walk.state.facts.vehicle == CAMRY


def test_a_device_that_cannot_be_taken_leaves_the_run_where_it_was():
    walk = at("device-testing")
    facts = walk.state.facts
    walk.change_device("FT-X1-90000043")
    walk.fail()
    assert (walk.state.state, walk.state.device_key) == ("device-testing", "FT-X1-00000042")
    assert (walk.state.error, walk.state.facts, walk.state.entry) == (FAULT, facts, None)


def test_the_device_of_the_run_is_no_other_device():
    walk = a_walk()
    same = ChangeDevice(actor=OWNER, seq=0, device_key=walk.state.device_key)
    assert walk.refusal(same) == "same_device"


def test_a_command_is_queued_then_sent_then_confirmed():
    walk = at("device-testing")
    walk.act()
    assert commands(walk.state) == [CommandState.QUEUED]
    walk.apply(Wait())
    assert commands(walk.state) == [CommandState.SENT]
    assert walk.state.deadline == NOON + COMMAND_WAIT
    walk.log(reading={"volts": 12.6})
    assert commands(walk.state) == [CommandState.CONFIRMED]
    assert walk.state.facts.commands[0].reading == {"volts": 12.6}
    assert (walk.state.state, walk.state.deadline) == ("device-testing", None)


def test_a_device_that_says_no_settles_the_command_as_refused():
    walk = at("device-testing")
    walk.act()
    walk.apply(Wait())
    walk.log(ok=False)
    assert (walk.state.state, commands(walk.state)) == ("device-testing", [CommandState.REFUSED])


def test_a_silent_device_times_the_command_out_and_a_late_log_still_confirms_it():
    walk = at("device-testing")
    walk.act()
    walk.apply(Wait())
    tick = Tick(kind="TIMED_OUT")
    waiting = walk.state
    assert walk.apply(tick) is waiting
    walk.later(COMMAND_WAIT)
    walk.apply(tick)
    assert (walk.state.state, commands(walk.state)) == ("device-testing", [CommandState.TIMED_OUT])
    seq = walk.state.seq
    walk.log()
    assert commands(walk.state) == [CommandState.CONFIRMED_LATE]
    assert (walk.state.state, walk.state.seq) == ("device-testing", seq)


def test_a_log_may_come_before_the_answer_to_the_command():
    walk = at("device-testing")
    walk.act()
    pending = walk.state.pending
    walk.log()
    assert walk.state.pending is pending
    assert commands(walk.state) == [CommandState.CONFIRMED]
    walk.apply(Wait())
    assert (walk.state.state, commands(walk.state)) == ("device-testing", [CommandState.CONFIRMED])


def test_a_command_that_its_device_confirmed_did_not_fail_whatever_the_network_says():
    walk = at("device-testing")
    walk.act()
    walk.log()
    walk.fail()
    assert (walk.state.state, commands(walk.state)) == ("device-testing", [CommandState.CONFIRMED])
    assert walk.state.error is None

    walk = at("verify-connection")
    walk.submit()
    walk.log()
    walk.fail()
    assert walk.state.state == "check-firmware"


def test_a_connection_is_verified_by_the_devices_own_log():
    walk = at("verify-connection")
    walk.submit()
    walk.apply(Wait())
    walk.log(type="location")
    assert walk.state.facts.connection_verified
    assert walk.state.state == "check-firmware"


@pytest.mark.parametrize("early", [True, False])
def test_a_connection_that_the_device_denies_is_not_verified(early: bool):
    walk = at("verify-connection")
    walk.submit()
    if early:
        walk.log(ok=False)
        walk.apply(Wait())
    else:
        walk.apply(Wait())
        walk.log(ok=False)
    assert (walk.state.state, walk.state.error) == ("verify-connection", flow.NO_ANSWER)
    assert not walk.state.facts.connection_verified


def test_a_connection_without_an_answer_can_be_tried_again():
    walk = at("verify-connection")
    walk.submit()
    walk.apply(Wait())
    walk.later(COMMAND_WAIT)
    walk.apply(Tick(kind="TIMED_OUT"))
    assert (walk.state.state, walk.state.error) == ("verify-connection", flow.NO_ANSWER)
    walk.to("check-firmware")


def test_what_became_of_an_acting_command_is_unknown_until_a_log_says():
    walk = at("device-testing")
    walk.act()
    walk.apply(Wait(unknown=True))
    assert commands(walk.state) == [CommandState.UNKNOWN]
    walk.log()
    assert commands(walk.state) == [CommandState.CONFIRMED]


def test_an_unknown_command_stays_unknown_after_its_deadline_and_may_be_confirmed_late():
    walk = at("device-testing")
    walk.act()
    walk.apply(Wait(unknown=True))
    walk.later(COMMAND_WAIT)
    walk.apply(Tick(kind="TIMED_OUT"))
    assert (walk.state.state, commands(walk.state)) == ("device-testing", [CommandState.UNKNOWN])
    walk.log()
    assert commands(walk.state) == [CommandState.CONFIRMED_LATE]


def test_a_log_without_an_id_settles_the_latest_command_that_it_fits():
    walk = at("device-testing")
    for _ in range(2):
        walk.act()
        walk.apply(Wait())
        walk.later(COMMAND_WAIT)
        walk.apply(Tick(kind="TIMED_OUT"))
    walk.log(command_id=None, command="arm")
    nameless = walk.a_log(command="arm").model_copy(update={"command_id": None})
    walk.apply(LogArrived(log=nameless))
    assert commands(walk.state) == [CommandState.CONFIRMED_LATE, CommandState.CONFIRMED_LATE]


def test_a_log_older_than_the_command_does_not_confirm_it():
    walk = at("device-testing")
    walk.act()
    walk.apply(Wait())
    old = walk.a_log(command="arm", timestamp=NOON - timedelta(seconds=6))
    before = walk.state
    assert walk.apply(LogArrived(log=old.model_copy(update={"command_id": None}))) is before
    skewed = walk.a_log(command="arm", timestamp=NOON - timedelta(seconds=4))
    walk.apply(LogArrived(log=skewed.model_copy(update={"command_id": None})))
    assert commands(walk.state) == [CommandState.CONFIRMED]


def test_six_logs_in_any_order_end_the_same():
    """Of two commands: each confirmed, one of them twice, a log of before, and what the device says of itself."""
    walk = at("device-testing")
    walk.act("arm")
    walk.apply(Wait())
    first = walk.last_command()
    walk.later(COMMAND_WAIT)
    walk.apply(Tick(kind="TIMED_OUT"))
    walk.act("disarm")
    walk.apply(Wait())
    before, now = walk.state, walk.now
    confirmed = walk.a_log(command="disarm")
    logs = (
        confirmed,
        confirmed,
        walk.a_log(first, command="arm"),
        walk.a_log(type="report", command_id=None),
        walk.a_log(command="disarm", timestamp=NOON - timedelta(hours=1), command_id="unknown"),
        walk.a_log("of-somebody-else", command="arm", ok=False),
    )
    ends: set[tuple[str, tuple[CommandState, ...]]] = set()
    for order in itertools.permutations(logs):
        walk = Walk(before, now)
        for one in order:
            walk.apply(LogArrived(log=one))
        ends.add((walk.state.state, tuple(commands(walk.state))))
    assert ends == {
        ("device-testing", (CommandState.CONFIRMED_LATE, CommandState.CONFIRMED)),
    }


def test_a_late_log_of_a_test_does_not_end_another_steps_wait():
    walk = at("device-testing")
    walk.act()
    walk.apply(Wait())
    walk.later(COMMAND_WAIT)
    walk.apply(Tick(kind="TIMED_OUT"))
    arm = walk.last_command()
    walk.back()
    walk.submit()
    walk.apply(Wait())
    walk.log(arm)
    assert walk.state.state == "check-firmware/waiting"
    assert commands(walk.state) == [CommandState.CONFIRMED_LATE]


def test_the_last_thirty_commands_are_kept():
    walk = at("device-testing")
    for _ in range(activation_commands.KEPT + 3):
        walk.act()
        walk.apply(Wait())
        walk.log()
    assert len(walk.state.facts.commands) == activation_commands.KEPT


def firmware(state: str, run_id: str = "fw-1") -> FirmwareView:
    return FirmwareView(run_id=run_id, state=state, since=NOON, error=None)


def report(number: int, state: str, run_id: str = "fw-1") -> FirmwareProgress:
    return FirmwareProgress(id=f"{run_id}-{number}", firmware=firmware(state, run_id))


def test_a_firmware_run_is_followed_until_it_is_done():
    walk = at("check-firmware")
    walk.submit()
    walk.apply(Wait())
    walk.apply(report(1, "download_sent"))
    assert walk.state.state == "check-firmware/waiting"
    assert walk.state.facts.firmware == firmware("download_sent")
    walk.apply(report(2, "done"))
    assert walk.state.state == "device-testing"
    assert walk.state.facts.firmware_checked


def test_the_version_that_was_read_last_is_the_devices():
    walk = at("check-firmware")
    before = flow.view(walk.state, NOON).device.firmware_version
    target = TargetView(
        target=FirmwareTarget.MAIN, label="Main device", from_version="1.0", to_version="9.9"
    )
    walk.submit()
    walk.apply(Wait())
    written = firmware("updating").model_copy(update={"targets": (target,)})
    walk.apply(FirmwareProgress(id="fw-1-1", firmware=written))
    assert flow.view(walk.state, NOON).device.firmware_version == before
    read = target.model_copy(update={"completed": True})
    done = firmware("done").model_copy(update={"targets": (read,)})
    walk.apply(FirmwareProgress(id="fw-1-2", firmware=done))
    assert flow.view(walk.state, NOON).device.firmware_version == "9.9"


def test_a_firmware_run_may_report_before_its_start_is_known():
    walk = at("check-firmware")
    walk.submit()
    walk.apply(report(1, "done"))
    assert walk.state.state == "check-firmware/busy"
    walk.apply(Wait())
    assert walk.state.state == "device-testing"


@pytest.mark.parametrize("end", ["failed", "failed_for_good", "cancelled"])
@pytest.mark.parametrize("early", [True, False])
def test_a_firmware_run_that_ends_otherwise_leads_back_to_the_step(end: str, early: bool):
    walk = at("check-firmware")
    walk.submit()
    if early:
        walk.apply(report(1, end))
        walk.apply(Wait())
    else:
        walk.apply(Wait())
        walk.apply(report(1, end))
    assert walk.state.state == "check-firmware"
    assert walk.state.error is not None
    assert walk.state.error.code == f"firmware_{end}"


def test_a_report_comes_in_once_and_a_foreign_runs_not_at_all():
    walk = at("check-firmware")
    walk.submit()
    walk.apply(Wait())
    walk.apply(report(1, "failed"))
    once = walk.state
    assert walk.apply(report(1, "failed")) is once
    assert walk.apply(report(7, "done", "fw-other")) is once
    walk.apply(report(2, "download_sent"))
    assert walk.state.state == "check-firmware"
    assert walk.state.facts.firmware == firmware("download_sent")


def test_a_colleague_of_the_dealer_goes_on_and_so_does_an_administrator():
    walk = a_walk()
    for person in (COLLEAGUE, ADMINISTRATOR):
        opened = Opened(actor=person, device_key=walk.state.device_key)
        assert flow.reduce(walk.state, opened, NOON) is walk.state
        walk.actor = person
        walk.submit()
        assert walk.state.last_actor == person.name


def test_somebody_elses_run_is_not_there():
    walk = a_walk()
    assert walk.refusal(Opened(actor=FOREIGNER, device_key=walk.state.device_key)) == "not_owner"


def test_a_run_that_moved_to_another_device_is_not_opened_by_the_old_one():
    walk = a_walk()
    assert walk.refusal(Opened(actor=OWNER, device_key="FT-X1-00000077")) == "device_moved"


def test_a_guest_touches_the_run_of_its_capability_and_no_other():
    guest = Person(name="Guest", guest_of="run-1")
    walk = a_walk(actor=guest)
    assert walk.state.situation is not None
    assert walk.state.situation.guest
    walk.actor = guest
    walk.submit()
    assert walk.state.state == "set-vehicle-details"
    other = Person(name="Guest", guest_of="run-2")
    assert walk.refusal(Abandon(actor=other, seq=walk.state.seq)) == "not_owner"
    assert walk.refusal(Abandon(actor=OWNER, seq=walk.state.seq)) == "not_owner"


def test_a_colleague_takes_a_run_over_and_its_step_stays():
    walk = at("device-testing")
    seq = walk.state.seq
    walk.apply(HandOver(actor=OWNER, seq=seq, to=COLLEAGUE))
    assert (walk.state.owner, walk.state.seq) == (COLLEAGUE, seq + 1)
    assert walk.state.state == "device-testing"


def test_a_run_is_handed_to_nobody_outside_the_dealer():
    walk = a_walk()
    for person in (FOREIGNER, ADMINISTRATOR):
        assert walk.refusal(HandOver(actor=OWNER, seq=0, to=person)) == "not_owner"
    guests = a_walk(actor=Person(name="Guest", guest_of="run-1"))
    over = HandOver(actor=Person(name="Guest", guest_of="run-1"), seq=0, to=ADMINISTRATOR)
    assert guests.refusal(over) == "not_owner"


def test_a_hand_over_in_mid_effect_does_not_lose_the_effect():
    walk = at("send-welcome")
    walk.submit()
    pending = walk.state.pending
    walk.apply(HandOver(actor=OWNER, seq=walk.state.seq, to=COLLEAGUE))
    assert walk.state.pending is pending
    walk.succeed()
    assert walk.state.state == "complete-activation"


def test_a_run_that_nobody_touches_is_abandoned():
    walk = at("device-testing")
    idle = Tick(kind="IDLE")
    before = walk.state
    assert walk.apply(idle) is before
    walk.later(Policy().idle)
    walk.apply(idle)
    assert flow.outcome(walk.state) is ActivationOutcome.ABANDONED


def test_what_a_person_does_begins_the_wait_anew_but_not_beyond_the_cap():
    policy = Policy(idle=timedelta(days=14), cap=timedelta(days=20))
    walk = a_walk(policy=policy)
    walk.later(timedelta(days=3))
    walk.submit()
    assert walk.state.idle_at == NOON + timedelta(days=17)
    walk.later(timedelta(days=5))
    walk.submit()
    assert walk.state.idle_at == NOON + timedelta(days=20)


def test_a_log_is_nothing_that_a_person_did():
    walk = at("verify-connection")
    walk.submit()
    walk.apply(Wait())
    idle_at = walk.state.idle_at
    walk.later(timedelta(seconds=10))
    walk.log()
    assert walk.state.idle_at == idle_at


def test_no_tick_interrupts_an_effect():
    walk = at("send-welcome")
    walk.submit()
    walk.later(Policy().cap)
    before = walk.state
    assert walk.apply(Tick(kind="IDLE")) is before
    assert walk.apply(Tick(kind="TIMED_OUT")) is before


def test_an_operators_stop_is_an_abandon_once_no_effect_runs():
    walk = at("send-welcome")
    walk.submit()
    before = walk.state
    assert walk.apply(Stopped()) is before
    walk.succeed()
    walk.apply(Stopped())
    assert flow.outcome(walk.state) is ActivationOutcome.ABANDONED
    ended = walk.state
    assert walk.apply(Stopped()) is ended


def test_an_operators_stop_ends_a_wait_and_its_deadline():
    walk = at("device-testing")
    walk.act()
    walk.apply(Wait())
    walk.apply(Stopped())
    assert (walk.state.state, walk.state.deadline) == ("abandoned", None)


def test_a_run_that_goes_on_asks_the_device_and_enters_where_it_stood():
    resume = Resume(entry="device-testing", vehicle=CAMRY, skipped={"check-firmware": "no time"})
    walk = a_walk(resume=resume)
    assert walk.state.state == "device-testing"
    assert walk.state.facts.vehicle == CAMRY
    assert walk.state.skipped == {"check-firmware": "no time"}
    assert not walk.state.facts.connection_verified


def test_a_run_whose_step_is_gone_from_the_plan_goes_on_at_the_first():
    resume = Resume(entry="set-vehicle-details", skipped={"send-welcome": "later"})
    device = a_device(device_state=DeviceState.INSTALLED, vehicle=CAMRY)
    walk = a_walk(device, kind="service-device", resume=resume)
    assert walk.state.state == "power-on-device"
    assert walk.state.skipped == {}


def test_the_view_counts_the_steps_of_the_plan():
    walk = at("verify-connection")
    view = flow.view(walk.state, NOON)
    assert (view.position, view.total, view.step, view.phase) == (
        3,
        7,
        "verify-connection",
        "ready",
    )
    assert (view.owner, view.guest, view.outcome) == ("Ina Installer", False, None)
    walk.to("completed")
    view = flow.view(walk.state, NOON)
    assert (view.position, view.outcome) == (7, ActivationOutcome.COMPLETED)


def test_only_the_testing_step_offers_commands():
    walk = at("check-firmware")
    assert flow.view(walk.state, NOON).commands == ()
    walk.to("device-testing")
    assert "erase_device" in flow.view(walk.state, NOON).commands
