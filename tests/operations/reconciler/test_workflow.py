"""Every fault that a round repairs, caused and seen repaired (promises 7 and 51)."""

import asyncio
import uuid
from dataclasses import replace
from datetime import timedelta

import psycopg
from temporalio.api.common.v1 import WorkflowExecution
from temporalio.api.enums.v1 import EventType, ResetReapplyExcludeType
from temporalio.api.workflowservice.v1 import ResetWorkflowExecutionRequest
from temporalio.client import (
    ScheduleActionExecutionStartWorkflow,
    ScheduleIntervalSpec,
    ScheduleSpec,
    WorkflowExecutionStatus,
)

from api.operations.retrying import retrying_of, try_again
from db.base import PROCESS_LOCK, make_engine, make_sessions
from db.devices.devices import CHANNEL
from db.operations import runs
from db.operations.third_parties import part_states
from db.platform.idempotency import claim
from db.runs import device_reservations, flows, intents
from domain.activation.activation import Resume
from domain.activation.configuring import Replaced
from domain.operations.operations import MANY_TRIES, Repair, RunList
from domain.operations.retrying import CANNOT_GO_ON, WORKFLOW_TASK, Part
from domain.operations.search import RunsAbout
from domain.runs.kind import LOST
from tests.activation.beside import begun, passed_over
from tests.drivers.stage import Run, Stage, a_device_key
from tests.drivers.until import until
from tests.firmware.runs import PATIENT
from tests.operations.reconciler.rounds import a_round, ask, audited, change
from tests.plans.purchases.runs import ended, quoted
from workers.release.schedules import RECONCILER, bring, end_rounds
from workflows import ids
from workflows.operations.rounds import Rounds


async def parked(stage: Stage, state: str = "verify-connection") -> Run:
    run = await stage.open(a_device_key())
    await run.walk_to(state)
    await a_round(stage)
    return run


async def test_what_is_right_is_asked_once_and_left_alone(stage: Stage) -> None:
    run = await parked(stage)
    before = (await run.handle.describe()).history_length
    again = await a_round(stage)
    assert (again.looked >= 1, again.asked, again.repaired, again.failed) == (True, 0, {}, ())
    assert (await run.handle.describe()).history_length == before
    assert await audited(stage, "activation", run.id) == []


async def test_a_row_that_is_ahead_of_its_run_is_taken_back(stage: Stage) -> None:
    """As a workflow task leaves it that was lost after its projection."""
    run = await parked(stage)
    right = await run.at("verify-connection")
    await change(
        stage,
        "update flow set rev = rev + 2, seq = seq + 1, state = 'check-firmware',"
        ' view = view || \'{"state": "check-firmware"}\' where id = :id',
        id=run.id,
    )
    await change(
        stage,
        "insert into transition (flow_id, rev, event, from_state, to_state, at)"
        " select id, rev, 'DONE', 'verify-connection/waiting', state, now() from flow where id = :id",
        id=run.id,
    )
    assert (await a_round(stage)).repaired == {Repair.PROJECTION: 1}
    shown = await run.at("verify-connection")
    assert (shown.rev, shown.seq, shown.allowed) == (right.rev, right.seq, right.allowed)
    assert shown.view["state"] == "verify-connection"
    ((action, more),) = await audited(stage, "activation", run.id)
    assert (action, more["taken_back"]) == (Repair.PROJECTION, [right.rev + 2])
    async with stage.sessions() as session:
        moves = await flows.transitions_of(session, run.id)
    assert max(move.rev for move in moves) == right.rev
    await run.walk_to("completed")


async def test_a_row_that_is_behind_its_run_catches_up(stage: Stage) -> None:
    run = await parked(stage)
    right = await run.at("verify-connection")
    await change(
        stage,
        "update flow set rev = rev - 1, state = 'set-vehicle-details' where id = :id",
        id=run.id,
    )
    assert (await a_round(stage)).repaired == {Repair.PROJECTION: 1}
    assert (await run.at("verify-connection")).rev == right.rev


async def test_a_row_with_another_state_of_the_same_revision_is_replaced(stage: Stage) -> None:
    run = await parked(stage)
    await change(
        stage,
        "update flow set state = 'completed', updated_at = now() where id = :id",
        id=run.id,
    )
    assert (await a_round(stage)).repaired == {Repair.PROJECTION: 1}
    await run.at("verify-connection")


async def test_an_invitation_and_a_firmware_run_are_compared_too(stage: Stage) -> None:
    key = a_device_key(traits="010")
    await stage.control(key, answer_seconds=600)
    run = await stage.open(key, firmware_policy=PATIENT, resume=Resume(entry="check-firmware"))
    await run.submit()
    firmware = (await run.until(lambda shown: shown.view["facts"]["firmware"] is not None)).view[
        "facts"
    ]["firmware"]["run_id"]
    await stage.until(firmware, lambda shown: shown.state == "download_sent", kind="firmware")
    await a_round(stage)
    await change(
        stage, "update flow set rev = rev + 9, state = 'verified' where id = :id", id=firmware
    )
    assert (await a_round(stage)).repaired == {Repair.PROJECTION: 1}
    await stage.until(firmware, lambda shown: shown.state == "download_sent", kind="firmware")
    await stage.client.get_workflow_handle(ids.firmware_id(key)).terminate()
    assert (await a_round(stage)).repaired == {Repair.LOST: 1}
    # The activation that waited for it is told of its end, and can be gone on with.
    await run.until(lambda shown: "SUBMIT" in shown.allowed)


async def test_the_tests_do_not_wait_for_a_firmware_run_that_is_gone(stage: Stage) -> None:
    """Rows of before name no device in what they show."""
    run, firmware = await begun(stage)
    await a_round(stage)
    await firmware.handle.terminate("by mistake")
    await change(stage, "update flow set view = view - 'device_key' where id = :id", id=firmware.id)
    assert (await a_round(stage)).repaired == {Repair.LOST: 1}
    told = await run.until(lambda shown: shown.view["beside"] == "failed")
    assert told.view["facts"]["firmware"]["state"] == "cancelled"
    await passed_over(run)
    await run.until(lambda shown: "ACT" in shown.allowed)


async def test_a_run_without_a_row_is_shown(stage: Stage) -> None:
    run = await parked(stage)
    await change(stage, "delete from transition where flow_id = :id", id=run.id)
    await change(stage, "delete from flow where id = :id", id=run.id)
    await until(lambda: _listed(stage, run))
    assert (await a_round(stage)).repaired == {Repair.UNSEEN: 1}
    await run.at("verify-connection")
    assert (await audited(stage, "activation", run.id))[0][0] == Repair.UNSEEN


async def _listed(stage: Stage, run: Run) -> bool:
    found = [
        each.id async for each in stage.client.list_workflows(f"WorkflowId = '{run.handle.id}'")
    ]
    return bool(found)


async def test_a_row_whose_run_is_gone_is_ended_and_its_device_is_free(stage: Stage) -> None:
    run = await parked(stage)
    right = await run.at("verify-connection")
    await run.handle.terminate("by mistake")
    assert (await a_round(stage)).repaired == {Repair.LOST: 1}
    ended = await run.at("abandoned")
    assert (ended.ended, ended.allowed, ended.view["state"]) == (True, (), "abandoned")
    async with stage.sessions() as session:
        assert (
            await device_reservations.holders_of(session, ended.view["device"]["device_key"]) == ()
        )
        (*_, last) = await flows.transitions_of(session, run.id)
    assert (last.event, last.from_state) == (LOST, right.state)
    again = await stage.open(ended.view["device"]["device_key"])
    assert again.id != run.id
    assert (await a_round(stage)).repaired == {}
    assert (await audited(stage, "activation", run.id))[0][0] == Repair.LOST


async def test_a_lost_run_that_did_what_cannot_be_undone_needs_attention(stage: Stage) -> None:
    key = a_device_key()
    taken_out = Replaced(old_device_key=a_device_key(), new_device_key=key)
    run = await stage.open(key, resume=Resume(replaced=taken_out))
    plain, left = await parked(stage), await parked(stage)
    # One that used another device after it had done so.
    async with stage.sessions.begin() as session:
        row = await session.get(flows.FlowRow, left.id)
        assert row is not None
        row.view = {**row.view, "irreversible": True}
    for one in (run, plain, left):
        await one.handle.terminate("by mistake")
    assert (await a_round(stage)).repaired == {Repair.LOST: 3}
    ends = ((run, "needs_attention"), (plain, "abandoned"), (left, "needs_attention"))
    for one, outcome in ends:
        assert (await one.at("abandoned")).view["outcome"] == outcome
        async with stage.sessions() as session:
            row = await session.get(flows.FlowRow, one.id)
        assert row is not None
        assert row.outcome == outcome


async def test_a_run_that_an_operator_reset_is_found_again(stage: Stage) -> None:
    """The new execution stands further back than the row says, and has another run id."""
    run = await parked(stage)
    before = await run.at("verify-connection")
    description = await run.handle.describe()
    history = await run.handle.fetch_history()
    began = [
        event.event_id
        for event in history.events
        if event.event_type == EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED
    ]
    await stage.client.workflow_service.reset_workflow_execution(
        ResetWorkflowExecutionRequest(
            namespace=stage.client.namespace,
            workflow_execution=WorkflowExecution(
                workflow_id=run.handle.id, run_id=description.run_id
            ),
            reason="an operator's choice",
            workflow_task_finish_event_id=began[1],
            request_id=uuid.uuid4().hex,
            reset_reapply_exclude_types=[
                ResetReapplyExcludeType.RESET_REAPPLY_EXCLUDE_TYPE_SIGNAL,
                ResetReapplyExcludeType.RESET_REAPPLY_EXCLUDE_TYPE_UPDATE,
            ],
        )
    )
    now = await stage.client.get_workflow_handle(run.handle.id).describe()
    assert now.status is WorkflowExecutionStatus.RUNNING
    assert now.run_id != description.run_id
    await a_round(stage)
    shown = await run.until(lambda shown: shown.rev < before.rev)
    assert await ask(stage, "select run_id from flow where id = :id", id=run.id) == now.run_id
    assert "SUBMIT" in shown.allowed
    await run.walk_to("completed")


async def test_devices_that_nobody_holds_any_more_are_released(stage: Stage) -> None:
    run = await stage.open(a_device_key())
    await run.walk_to("completed")
    async with stage.sessions.begin() as session:
        for flow_id in (run.id, "never-seen"):
            assert await device_reservations.reserve(
                session,
                device_key=f"{flow_id}-device",
                kind="activation",
                flow_id=flow_id,
                workflow_id=f"act-{flow_id}",
            )
    held = await stage.open(a_device_key())
    assert (await a_round(stage)).repaired == {Repair.RESERVATION: 2}
    async with stage.sessions() as session:
        assert (
            await device_reservations.holder_of(session, "never-seen-device", "activation") is None
        )
        device_key = (await held.at("power-on-device")).view["device"]["device_key"]
        assert await device_reservations.holders_of(session, device_key) == (held.handle.id,)
    assert (await audited(stage, "device", "never-seen-device"))[0][0] == Repair.RESERVATION


async def test_devices_of_runs_that_answer_nobody_keep_no_other_waiting(stage: Stage) -> None:
    """Their workers are gone: only so many of them are waited for, and they keep what they hold."""
    unanswered = [f"unanswered-{uuid.uuid4().hex}" for _ in range(12)]
    gone = f"gone-{uuid.uuid4().hex}"
    handles = [
        await stage.client.start_workflow("Unanswered", id=name, task_queue=f"{name}-of-nobody")
        for name in unanswered
    ]
    async with stage.sessions.begin() as session:
        for name in (*unanswered, gone):
            assert await device_reservations.reserve(
                session, device_key=name, kind="activation", flow_id=name, workflow_id=name
            )
    done = await a_round(stage)
    assert (done.repaired, done.failed) == ({Repair.RESERVATION: 1}, ())
    async with stage.sessions() as session:
        assert await device_reservations.holder_of(session, gone, "activation") is None
        assert await device_reservations.holder_of(session, unanswered[0], "activation") is not None
    for handle in handles:
        await handle.terminate()
    assert (await a_round(stage)).repaired == {Repair.RESERVATION: len(unanswered)}


async def test_a_log_that_was_passed_over_wakes_the_relays(stage: Stage, own_database: str) -> None:
    async with (
        await psycopg.AsyncConnection.connect(own_database, autocommit=True) as listening,
        await psycopg.AsyncConnection.connect(own_database) as hanging,
    ):
        log_id = await _held_log(hanging)
        await listening.execute(f"listen {CHANNEL}")
        assert (await a_round(stage)).repaired == {Repair.LOG: 1}
        assert [note async for note in listening.notifies(timeout=5, stop_after=1)]
        await hanging.commit()
    await until(lambda: _delivered(stage, log_id))


async def _held_log(hanging: psycopg.AsyncConnection) -> str:
    """An old log that a relay has taken and never delivers; answers its id. A living relay may be quicker: then another."""
    while True:
        log_id = f"log-{uuid.uuid4().hex}"
        await hanging.execute(
            "insert into device_log (id, device_key, type, timestamp, ok, reading, received_at)"
            " values (%s, 'FT-X1-00000000', 'report', now(), true, '{}', now() - interval '1 minute')",
            [log_id],
        )
        await hanging.commit()
        taken = await hanging.execute(
            "select id from device_log where id = %s and delivered_at is null for update", [log_id]
        )
        if await taken.fetchone():
            return log_id
        await hanging.commit()


async def _delivered(stage: Stage, log_id: str) -> bool:
    statement = "select delivered_at is not null from device_log where id = :id"
    return await ask(stage, statement, id=log_id)


async def test_a_claim_of_a_dead_process_is_freed_and_that_of_a_living_one_stays(
    stage: Stage, own_database: str
) -> None:
    alive, dead = 41_001, 41_002
    async with await psycopg.AsyncConnection.connect(own_database, autocommit=True) as living:
        await living.execute("select pg_advisory_lock(%s, %s)", [PROCESS_LOCK, alive])
        for process in (alive, dead):
            engine = make_engine(own_database, process=process)
            async with make_sessions(engine).begin() as session:
                await claim(
                    session,
                    actor="user:somebody",
                    key=f"key-{process}",
                    operation="submit_step",
                    body_hash=None,
                )
            await engine.dispose()
        await change(stage, "update idempotency set claimed_at = now() - interval '6 seconds'")
        assert (await a_round(stage)).repaired == {Repair.CLAIM: 1}
        left = await ask(stage, "select string_agg(key, ',') from idempotency")
        assert left == f"key-{alive}"
    # The process is gone, and its lock with it.
    assert (await a_round(stage)).repaired == {Repair.CLAIM: 1}


async def test_the_schedule_is_made_once_and_one_run_goes_round(stage: Stage) -> None:
    name = f"reconciler-{uuid.uuid4().hex}"
    handle = stage.client.get_schedule_handle(name)
    hour, second = timedelta(hours=1), timedelta(seconds=1)
    recurring = RECONCILER
    for every in (hour, second):
        recurring = replace(
            RECONCILER,
            id=name,
            argument=Rounds(every=every),
            spec=ScheduleSpec(intervals=[ScheduleIntervalSpec(every=every)]),
        )
        await bring(stage.client, stage.task_queue, recurring)
    try:
        (interval,) = (await handle.describe()).schedule.spec.intervals
        assert interval.every == second
        key = await stage.open(a_device_key())
        await key.walk_to("verify-connection")
        await change(stage, "update flow set rev = rev + 5 where id = :id", id=key.id)
        await stage.until(
            key.id, lambda shown: shown.rev < 20 and shown.state == "verify-connection"
        )
        before = await ask(stage, "select count(*) from reconciliation")
        await until(lambda: _rounds(stage, before + 3))
        described = await handle.describe()
        assert described.info.num_actions == 1
        # A release that cannot read its rounds does not wait for their end: another one goes round within an interval.
        assert await end_rounds(stage.client, recurring) == 1
        (ended,) = described.info.running_actions
        assert isinstance(ended, ScheduleActionExecutionStartWorkflow)
        await until(lambda: _goes_round_anew(stage, name, ended.workflow_id))
    finally:
        await handle.pause()
        await end_rounds(stage.client, recurring)
        await handle.delete()


async def _goes_round_anew(stage: Stage, schedule: str, before: str) -> bool:
    running = (await stage.client.get_schedule_handle(schedule).describe()).info.running_actions
    return any(
        isinstance(one, ScheduleActionExecutionStartWorkflow) and one.workflow_id != before
        for one in running
    )


async def _rounds(stage: Stage, at_least: int) -> bool:
    return (await ask(stage, "select count(*) from reconciliation")) >= at_least


async def test_what_is_tried_again_and_again_is_known_to_operators(stage: Stage) -> None:
    run = await parked(stage)
    about = RunsAbout(runs=(run.id,))
    await stage.turn(outage=True)
    try:
        submitting = asyncio.create_task(run.submit())
        await until(lambda: _is_retrying(stage, run), within=40)
        async with stage.sessions() as session:
            (seen,) = await runs.list_runs(session, RunList.RETRYING, about=about, limit=5)
            parts = await part_states(session)
        (waiting,) = await retrying_of(stage.client, seen, parts)
        assert [part.name for part in waiting.parts] == [Part.DEVICE_NETWORK]
        assert waiting.attempt > MANY_TRIES
        assert waiting.failure
        assert await try_again(stage.client, seen) == [waiting.activity]
        (sooner,) = await retrying_of(stage.client, seen, parts) or [None]
        assert sooner is None or sooner.attempt < waiting.attempt
    finally:
        await stage.turn(outage=False)
    await submitting
    await run.until(lambda shown: "SUBMIT" in shown.allowed)
    await a_round(stage)
    async with stage.sessions() as session:
        assert await runs.list_runs(session, RunList.RETRYING, about=about, limit=5) == ()


async def test_a_plan_that_an_operator_saw_at_the_network_is_kept(stage: Stage) -> None:
    run = await quoted(stage)
    key = f"{run.start.id}:{run.start.lines[0].device_key}"
    async with stage.sessions.begin() as session:
        await intents.begin_intent(session, key=key, flow_id=run.start.id, kind="provision")
        await intents.complete_intent(session, key, {"done": True, "found": "by hand"})
    assert await run.confirm() is None
    await ended(run, "confirmed")
    assert await ask(stage, "select count(*) from subscription where id = :key", key=key) == 1


async def test_a_message_that_cannot_be_read_is_shown_and_ends_nothing(stage: Stage) -> None:
    run = await stage.open(a_device_key(), task_timeout=timedelta(seconds=1))
    handle = run.handle
    await handle.signal("device_log", {"of": "another release"})
    try:
        await until(lambda: _is_retrying(stage, run), within=40)
        async with stage.sessions() as session:
            seen = await runs.find_run(session, "activation", run.id)
        assert seen is not None
        (waiting,) = await retrying_of(stage.client, seen, {})
        assert (waiting.activity, waiting.failure) == (WORKFLOW_TASK, CANNOT_GO_ON)
        assert (await handle.describe()).status is WorkflowExecutionStatus.RUNNING
    finally:
        await handle.terminate()


async def _is_retrying(stage: Stage, run: Run) -> bool:
    await a_round(stage)
    async with stage.sessions() as session:
        found = await runs.list_runs(
            session, RunList.RETRYING, about=RunsAbout(runs=(run.id,)), limit=5
        )
    return bool(found) and found[0].pending[0].attempt > MANY_TRIES
