"""The activation on a real worker and a real server."""

import asyncio
import uuid
from datetime import timedelta
from pathlib import Path

import pytest
from temporalio.client import Client, WorkflowExecutionStatus, WorkflowUpdateFailedError
from temporalio.exceptions import ApplicationError

from db.base import Sessions
from db.runs import device_reservations
from domain.activation.activation import (
    Abandon,
    Back,
    ChangeDevice,
    HandOver,
    Person,
    Policy,
    Reply,
    Resume,
    Skip,
    Submit,
)
from domain.devices.activation_type import ActivationType
from domain.devices.devices import Family
from tests.activation.in_memory import COLLEAGUE, FOREIGNER
from tests.drivers.factories import an_email, an_installer
from tests.drivers.stage import Run, Stage, a_device_key, a_stage, form_for
from workflows import ids
from workflows.activation import ActivationWorkflow

SECOND = timedelta(seconds=1)


async def refusal(run: Run, message: Submit | Abandon | HandOver) -> str | None:
    """The code with which the run refuses a message."""
    update = (
        ActivationWorkflow.hand_over if isinstance(message, HandOver) else ActivationWorkflow.event
    )
    with pytest.raises(WorkflowUpdateFailedError) as caught:
        await run.handle.execute_update(update, message)  # pyright: ignore[reportCallIssue, reportArgumentType] one of two updates
    cause = caught.value.cause
    assert isinstance(cause, ApplicationError)
    return cause.type


async def holder(stage: Stage, device_key: str) -> str | None:
    async with stage.sessions() as session:
        row = await device_reservations.holder_of(session, device_key, "activation")
    return row.flow_id if row else None


async def test_a_new_device_is_activated_from_the_first_step_to_the_last(stage: Stage):
    key = a_device_key()
    run = await stage.open(key)
    assert run.reply.state == "power-on-device"

    await run.walk_to("device-testing")
    await run.act("arm")
    await run.until(lambda flow: flow.view["facts"]["commands"][-1]["state"] == "confirmed")
    ended = await run.walk_to("completed")

    assert ended.ended
    effects = await stage.effects(key)
    assert (effects["activate"], effects["install"], effects["welcome"]) == (1, 1, 1)
    assert effects["command:arm"] == 1


async def test_the_history_of_a_whole_activation_stays_small(stage: Stage):
    run = await stage.open(a_device_key(traits="010"))
    await run.walk_to("device-testing")
    for command in ("location", "arm", "disarm"):
        await run.act(command)
        await run.at("device-testing")
    await run.walk_to("completed")
    await run.handle.result()
    history = await run.handle.fetch_history()
    size = sum(event.ByteSize() for event in history.events)
    assert len(history.events) <= 500
    assert size <= 150 * 1024


async def test_a_device_in_service_needs_no_vehicle_that_is_known_already(stage: Stage):
    key = a_device_key("DR5400", traits="260")
    run = await stage.open(key, kind=ActivationType.SERVICE_DEVICE)
    first = await run.at("power-on-device")
    assert "set-vehicle-details" not in first.view["plan"]
    await run.walk_to("completed")
    effects = await stage.effects(key)
    assert effects["install"] == 1


@pytest.mark.parametrize(
    ("traits", "code"), [("900", "unknown_device"), ("400", "service_mode_required")]
)
async def test_a_device_that_cannot_be_taken_refuses_the_run(stage: Stage, traits: str, code: str):
    run = await stage.open(a_device_key(traits=traits))
    assert run.reply.state == "refused"
    assert run.reply.error is not None
    assert run.reply.error.code == code
    await run.handle.result()
    assert (await run.handle.describe()).status is WorkflowExecutionStatus.COMPLETED


async def test_a_half_finished_run_goes_on_with_another_worker_that_remembers_nothing(
    temporal: Client, sessions: Sessions, database_url: str, task_queue: str, tmp_path: Path
):
    key = a_device_key()
    async with a_stage(temporal, sessions, database_url, task_queue, tmp_path) as stage:
        run = await stage.open(key)
        await run.walk_to("check-firmware")
    async with a_stage(
        temporal, sessions, database_url, task_queue, tmp_path, max_cached_workflows=2
    ) as stage:
        again = await stage.open(key)
        assert (again.id, again.reply.state) == (run.id, "check-firmware")
        await again.walk_to("completed")
        effects = await stage.effects(key)
        assert (effects["activate"], effects["install"], effects["command:location"]) == (1, 1, 1)


async def test_lost_replies_double_no_effect(stage: Stage):
    await stage.turn(lost_reply_seconds=0.1)
    key = a_device_key(traits="003")
    run = await stage.open(key)
    await run.walk_to("completed")
    effects = await stage.effects(key)
    assert {effects[name] for name in ("command:location", "welcome", "activate", "install")} == {1}


async def test_an_acting_command_without_an_answer_is_never_repeated_and_stays_unknown(
    stage: Stage,
):
    await stage.turn(lost_reply_seconds=0.1)
    key = a_device_key()
    run = await stage.open(
        key, resume=Resume(entry="device-testing"), policy=Policy(command=SECOND)
    )
    await stage.control(key, silent_commands=1, lose_replies=1)
    await run.act("arm")
    shown = await run.until(
        lambda shown: shown.view["facts"]["commands"][-1]["settled_at"] is not None
    )
    assert shown.view["facts"]["commands"][-1]["state"] == "unknown"
    assert shown.state == "device-testing"
    assert (await stage.effects(key))["command:arm"] == 1


async def test_an_acting_command_without_an_answer_is_settled_by_its_log(stage: Stage):
    await stage.turn(lost_reply_seconds=0.1)
    key = a_device_key()
    run = await stage.open(key, resume=Resume(entry="device-testing"))
    await stage.control(key, lose_replies=1, answer_seconds=0.5)
    await run.act("arm")
    shown = await run.at("device-testing")
    assert shown.view["facts"]["commands"][-1]["state"] == "confirmed"


async def test_a_refused_command_says_why_and_another_may_follow(stage: Stage):
    key = a_device_key()
    run = await stage.open(key, resume=Resume(entry="device-testing"))
    await stage.control(key, refuse_commands=True)
    await run.act("arm")
    refused = await run.at("device-testing")
    assert refused.view["facts"]["commands"][-1]["state"] == "refused"
    assert refused.view["error"]["code"] == "command_refused"
    await stage.control(key, refuse_commands=False)
    await run.act("arm")
    await run.until(lambda shown: shown.view["facts"]["commands"][-1]["state"] == "confirmed")


async def test_a_silent_device_times_out_and_can_be_asked_again(stage: Stage):
    key = a_device_key(traits="500")
    run = await stage.open(
        key, resume=Resume(entry="verify-connection"), policy=Policy(command=SECOND)
    )
    await run.submit()
    shown = await run.until(lambda shown: shown.view["error"] is not None)
    assert (shown.state, shown.view["error"]["code"]) == ("verify-connection", "no_answer")
    await run.walk_to("check-firmware")


async def test_of_two_submits_of_one_screen_one_is_taken(stage: Stage):
    run = await stage.open(a_device_key())
    message = Submit(actor=run.person, seq=run.reply.seq, form=form_for(run.reply.state))
    answers = await asyncio.gather(
        *(run.handle.execute_update(ActivationWorkflow.event, message) for _ in range(2)),
        return_exceptions=True,
    )
    taken = [answer for answer in answers if isinstance(answer, Reply)]
    refused = [answer for answer in answers if isinstance(answer, WorkflowUpdateFailedError)]
    assert [reply.state for reply in taken] == ["set-vehicle-details"]
    assert [str(error.cause) for error in refused] == [
        "stale_sequence: This activation was changed elsewhere. Please look again."
    ]


async def test_one_message_that_comes_twice_is_answered_twice_and_done_once(stage: Stage):
    key = a_device_key()
    run = await stage.open(key, resume=Resume(entry="send-welcome"))
    message = Submit(actor=run.person, seq=run.reply.seq, form=form_for("send-welcome"))
    update_id = uuid.uuid4().hex
    first, second = [
        await run.handle.execute_update(ActivationWorkflow.event, message, id=update_id)
        for _ in range(2)
    ]
    assert first == second
    assert (await stage.effects(key))["welcome"] == 1


async def test_a_refused_message_leaves_no_trace_in_the_history(stage: Stage):
    run = await stage.open(a_device_key())
    before = (await run.handle.describe()).history_length
    abandon = Abandon(actor=FOREIGNER, seq=run.reply.seq)
    assert await refusal(run, abandon) == "not_owner"
    assert (await run.handle.describe()).history_length == before


async def test_a_colleague_takes_over_and_goes_on(stage: Stage):
    run = await stage.open(a_device_key())
    over = HandOver(actor=run.person, seq=run.reply.seq, to=COLLEAGUE)
    run.reply = await run.handle.execute_update(ActivationWorkflow.hand_over, over)
    run.person = COLLEAGUE
    shown = await run.until(lambda shown: shown.view["owner"] == COLLEAGUE.name)
    assert shown.state == "power-on-device"
    found = (await run.handle.describe()).typed_search_attributes
    assert found[ids.INSTALLER_ID] == COLLEAGUE.user_id
    assert found[ids.DEALER_ID] == COLLEAGUE.dealer_id
    await run.walk_to("completed")


async def test_a_hand_over_in_mid_effect_lets_the_effect_go_on(stage: Stage):
    await stage.turn(slow_seconds=1)
    key = a_device_key()
    run = await stage.open(key, resume=Resume(entry="send-welcome"))
    await stage.control(key, slow=True)
    sending = asyncio.create_task(run.submit())
    busy = await stage.until(run.id, lambda shown: shown.state == "send-welcome/busy")
    over = HandOver(actor=run.person, seq=busy.seq, to=COLLEAGUE)
    reply = await run.handle.execute_update(ActivationWorkflow.hand_over, over)
    await sending
    assert reply.state == "complete-activation"
    assert (await stage.effects(key))["welcome"] == 1


async def test_a_run_is_handed_to_nobody_outside_the_dealer(stage: Stage):
    run = await stage.open(a_device_key())
    over = HandOver(actor=run.person, seq=run.reply.seq, to=FOREIGNER)
    assert await refusal(run, over) == "not_owner"


async def test_a_guest_activates_with_the_key_of_its_own_run(stage: Stage):
    guest = Person(name="Guest", guest_of="guest-run-1")
    run = await stage.open(a_device_key(), person=guest, id_="guest-run-1")
    ended = await run.walk_to("completed")
    assert ended.view["guest"]
    assert ended.view["owner_id"] is None


async def test_another_device_takes_the_first_ones_place_and_frees_it(stage: Stage):
    first, second = a_device_key(), a_device_key("FT-X2")
    run = await stage.open(first)
    await run.walk_to("verify-connection")
    change = ChangeDevice(actor=run.person, seq=run.reply.seq, device_key=second)
    assert (await run.send(change)).state == "power-on-device"
    assert (await holder(stage, first), await holder(stage, second)) == (None, run.id)
    found = (await run.handle.describe()).typed_search_attributes
    assert (found[ids.DEVICE_KEY], found[ids.PRODUCT_FAMILY]) == (second, Family.X2)
    await run.walk_to("completed")
    assert "activate" not in await stage.effects(first)
    assert (await stage.effects(second))["activate"] == 1


async def test_a_device_that_somebody_holds_does_not_change_hands(stage: Stage):
    mine, theirs = await stage.open(a_device_key()), await stage.open(a_device_key())
    held = (await theirs.at("power-on-device")).view["device"]["device_key"]
    change = ChangeDevice(actor=mine.person, seq=mine.reply.seq, device_key=held)
    reply = await mine.send(change)
    assert (reply.state, reply.error and reply.error.code) == ("power-on-device", "device_in_use")
    assert await holder(stage, held) == theirs.id


async def test_back_from_the_first_step_ends_the_run_and_frees_the_device(stage: Stage):
    key = a_device_key()
    run = await stage.open(key)
    back = Back(actor=run.person, seq=run.reply.seq, step="power-on-device")
    assert (await run.send(back)).state == "choose-type"
    await run.handle.result()
    assert await holder(stage, key) is None
    again = await stage.open(key)
    assert (again.id != run.id, again.reply.state) == (True, "power-on-device")


async def test_an_abandoned_run_is_taken_up_where_it_stood_after_a_fresh_check(stage: Stage):
    key = a_device_key()
    run = await stage.open(key)
    await run.walk_to("check-firmware")
    skip = Skip(actor=run.person, seq=run.reply.seq, step="check-firmware", reason="no time")
    await run.send(skip)
    left = await run.at("device-testing")
    await run.send(Abandon(actor=run.person, seq=run.reply.seq, reason="lunch"))
    await run.handle.result()
    resume = Resume.model_validate(
        {
            "entry": left.view["step"],
            "vehicle": left.view["facts"]["vehicle"],
            "skipped": left.view["skipped"],
        }
    )
    again = await stage.open(key, resume=resume)
    shown = await again.at("device-testing")
    assert shown.view["facts"]["vehicle"] == left.view["facts"]["vehicle"]
    assert shown.view["skipped"] == {"check-firmware": "no time"}
    await again.walk_to("completed")


async def test_a_run_that_nobody_touches_is_abandoned_and_frees_its_device(stage: Stage):
    key = a_device_key()
    run = await stage.open(key, policy=Policy(idle=timedelta(milliseconds=500), reminders=()))
    ended = await run.at("abandoned")
    assert ended.view["outcome"] == "abandoned"
    await run.handle.result()
    assert await holder(stage, key) is None


async def test_a_run_whose_time_is_up_in_mid_effect_waits_for_the_effect_in_silence(stage: Stage):
    await stage.turn(slow_seconds=5)
    key = a_device_key()
    policy = Policy(cap=timedelta(seconds=3), reminders=())
    run = await stage.open(key, resume=Resume(entry="send-welcome"), policy=policy)
    await stage.control(key, slow=True)
    await run.until(lambda shown: shown.state == "send-welcome")
    sending = asyncio.create_task(run.submit())
    await stage.until(run.id, lambda shown: shown.state == "send-welcome/busy")
    await sending
    await run.at("abandoned")
    await run.handle.result()
    assert (await run.handle.describe()).history_length < 60
    assert (await stage.effects(key))["welcome"] == 1


async def test_whoever_leaves_a_run_is_reminded_at_each_time_once(stage: Stage):
    address = an_email()
    short = timedelta(milliseconds=300)
    run = await stage.open(
        a_device_key(),
        consumer_email=address,
        policy=Policy(idle=5 * SECOND, reminders=(short, 2 * short)),
    )
    await run.at("abandoned")
    await run.handle.result()
    mails = await stage.mails(address)
    assert len(mails) == 2


async def test_nobody_who_has_retired_is_reminded(stage: Stage):
    gone = await an_installer(stage.sessions, is_retired=True)
    run = await stage.open(
        a_device_key(),
        person=Person(user_id=gone.id, name=gone.name, dealer_id=gone.dealer_id),
        policy=Policy(idle=2 * SECOND, reminders=(timedelta(milliseconds=300),)),
    )
    await run.at("abandoned")
    await run.handle.result()
    assert await stage.mails(gone.email) == []


async def test_an_operators_cancel_abandons_the_run_once_its_effect_is_over(stage: Stage):
    await stage.turn(slow_seconds=1)
    key = a_device_key()
    run = await stage.open(key, resume=Resume(entry="send-welcome"))
    await stage.control(key, slow=True)
    sending = asyncio.create_task(run.submit())
    await stage.until(run.id, lambda shown: shown.state == "send-welcome/busy")
    await run.handle.cancel()
    await sending
    ended = await run.at("abandoned")
    assert ended.view["reason"] == "stopped by an operator"
    assert ended.view["facts"]["welcomed"] == "owner@example.com"
    await run.handle.result()
    assert (await run.handle.describe()).status is WorkflowExecutionStatus.COMPLETED
    assert (await stage.effects(key))["welcome"] == 1


async def test_a_device_that_is_activated_and_not_installed_needs_somebodys_attention(stage: Stage):
    key = a_device_key()
    run = await stage.open(key, resume=Resume(entry="complete-activation"))
    await stage.control(key, refuse_install=True)
    refused = await run.submit()
    assert (refused.state, refused.error and refused.error.code) == (
        "complete-activation",
        "install_refused",
    )
    await run.send(Abandon(actor=run.person, seq=run.reply.seq, reason="given up"))
    ended = await run.at("abandoned")
    assert ended.view["outcome"] == "needs_attention"
    assert (await stage.effects(key))["activate"] == 1


async def test_a_refused_install_can_be_tried_again(stage: Stage):
    key = a_device_key()
    run = await stage.open(key, resume=Resume(entry="complete-activation"))
    await stage.control(key, refuse_install=True)
    await run.submit()
    await stage.control(key, refuse_install=False)
    await run.submit()
    await run.at("completed")
    effects = await stage.effects(key)
    assert (effects["activate"], effects["install"]) == (1, 1)
