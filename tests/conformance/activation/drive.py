"""Takes planned tours through a real workflow: tells the device network what to do, then does what people do."""

import asyncio
import uuid
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from temporalio.client import WorkflowUpdateFailedError

from db.runs import flows
from domain.activation.activation import FirmwareProgress, Policy, Resume, Situation, UserEvent
from domain.firmware.firmware import FirmwareMessage, FirmwareView
from domain.runs.engine import ENDS, USER_EVENTS
from domain.runs.projection import FlowAnswer
from tests.conformance.activation import purchases
from tests.conformance.activation.devices import (
    WRITING,
    a_fitting_device,
    an_unknown_device,
    make_peace,
    prepare,
)
from tests.conformance.activation.messages import (
    acts_of_other_steps,
    an_act,
    any_message,
    submission,
)
from tests.conformance.activation.tours import AGAIN, Move, Tour
from tests.conformance.xstate import Table
from tests.drivers.outside.reports import a_report, report
from tests.drivers.stage import QUICK, Run, Stage, a_person
from workflows import ids
from workflows.activation import ActivationWorkflow
from workflows.client import send_update
from workflows.firmware import FirmwareWorkflow

IDLE = Policy(idle=timedelta(seconds=12), command=timedelta(seconds=60), reminders=())
"""Long enough for the way to the state in which nothing happens, on a machine that has other work to do."""
SHORT = Policy(command=timedelta(seconds=2), updating=timedelta(seconds=2), reminders=())
CALM = Policy(command=timedelta(seconds=60), reminders=())
PATIENT = QUICK.model_copy(update={"attempts": 1, "download": timedelta(minutes=1)})

WITHIN = 60.0
"""Seconds within which a state has to be seen; a machine may have other work to do."""
LONGEST = 180.0
"""Seconds for a run's own part, and again for its end: what hangs is named, and holds nobody up."""


@dataclass
class Drive:
    """One plan's tours on one stage; `refused` remembers in which states every refusal was tried."""

    stage: Stage
    version: int
    situation: Situation
    tables: Mapping[str, Table]
    at_once: asyncio.Semaphore
    """Runs that do something."""
    refused: set[str] = field(default_factory=set)
    refusals: int = 0
    taken: Counter[Move] = field(default_factory=Counter)
    events: int = 0
    """Of the longest history."""
    size: int = 0
    """Of the largest history, bytes."""

    async def take(self, tour: Tour) -> None:
        """One run. Raises AssertionError where it stands elsewhere than the chart says."""
        try:
            async with self.at_once, asyncio.timeout(LONGEST):
                run = await self.go(tour)
            await self.ended(run)
            if tour[-1].by_time:
                await self.arrive(run, tour[-1], hurries=True)
            await self.compare_history(run, tour)
            await self.measure(run)
        except Exception as error:
            error.add_note(" → ".join(f"{' '.join(m.events)} {m.target}" for m in tour))
            raise

    async def ended(self, run: Run) -> None:
        """Raises AssertionError that says where a run stands that does not end."""
        try:
            async with asyncio.timeout(LONGEST):
                await run.handle.result()
        except TimeoutError:
            shown, told = await self.shown(run), await run.handle.describe()
            waits_for = [
                f"{one.activity_type.name}, attempt {one.attempt}: {one.last_failure.message}"
                for one in told.raw_description.pending_activities
            ]
            raise AssertionError(
                f"{run.id} does not end: {shown.state}, {told.history_length} events, "
                f"on {told.task_queue}, waits for {waits_for}"
            ) from None

    async def go(self, tour: Tour) -> Run:
        """To the end, or to where the run waits to be abandoned: others go on meanwhile."""
        entry = tour[0]
        idles, times_out = tour[-1].events == ("IDLE",), any(move.times_out for move in tour)
        hurries = idles or times_out
        run = await self.begin(entry, IDLE if idles else SHORT if times_out else CALM)
        for move, following in zip(tour, (*tour[1:], None), strict=True):
            if move is not entry:
                await self.make(run, move, following)
            if move.by_time and move.ends:
                break
            if following is not None and following.by_time:
                self.taken[move] += 1  # the audit trail tells whether it was there
            else:
                moves_on = ends_by_itself(move, following)
                await self.arrive(run, move, hurries=hurries or moves_on)
        return run

    async def begin(self, entry: Move, policy: Policy) -> Run:
        """A run that enters at a step, or is refused at once."""
        situation = self.situation
        device_key = await self.another_device(known=not entry.ends)
        return await self.stage.open(
            device_key,
            version=self.version,
            kind=situation.kind,
            person=a_person().model_copy(update={"installer": situation.installer}),
            advanced=situation.advanced,
            consumer_email=situation.consumer_email,
            policy=policy,
            firmware_policy=PATIENT,
            resume=Resume.model_validate({"entry": entry.target}) if not entry.ends else None,
        )

    async def another_device(self, *, known: bool = True, replacement: bool = False) -> str:
        if not known:
            return an_unknown_device(self.situation)
        return await a_fitting_device(self.stage, self.situation, replacement=replacement)

    async def arrive(self, run: Run, move: Move, *, hurries: bool) -> None:
        """Compares where it stands; a run that hurries, or soon stands elsewhere, has no time for refusals."""
        shown = await run.at(move.target, within=WITHIN)
        first = next(iter(self.tables))
        edges = self.tables[first].states.get(move.target, {})
        if self.goes_beside(move):
            shown = await run.until(lambda shown: is_updated(shown), within=WITHIN)
        known = {str(e) for e in USER_EVENTS if e in edges}
        if move.target == "device-testing":
            known.discard("SKIP")  # nothing waits for the firmware
        assert set(shown.allowed) == known, move
        assert shown.view["state"] == move.target
        assert tuple(shown.view["plan"]) == (() if move.target == "refused" else tuple(self.tables))
        assert shown.ended == (move.target in ENDS)
        self.taken[move] += 1
        if not (shown.ended or hurries or move.target in self.refused):
            self.refused.add(move.target)
            await self.try_what_is_refused(run)

    def goes_beside(self, move: Move) -> bool:
        """Whether an update has just begun that the steps do not wait for. It is over soon, and disturbs nothing then."""
        return move.source == "check-firmware" and "WAIT" in move.results and self.version > 2

    async def try_what_is_refused(self, run: Run) -> None:
        """Every message that the chart does not know here, acts of other steps, and one from an old screen."""
        allowed, other = run.reply.allowed, an_unknown_device(self.situation)
        tries = [any_message(run, event, other) for event in USER_EVENTS if event not in allowed]
        stale = any_message(run, "ABANDON", other).model_copy(update={"seq": run.reply.seq + 1})
        for event in [*tries, *acts_of_other_steps(run), stale]:
            before = await self.stage.flow(run.id)
            with suppress(WorkflowUpdateFailedError):
                await send_update(run.handle, "event", event, update_id=uuid.uuid4().hex)
                raise AssertionError(f"{event.kind} was taken in {run.reply.state}")
            after = await self.stage.flow(run.id)
            assert before
            assert after
            assert (after.seq, after.state) == (before.seq, before.state)
            self.refusals += 1

    async def make(self, run: Run, move: Move, following: Move | None) -> None:
        """What happens on one move; `following` is the one after it."""
        step = move.source.partition("/")[0]
        match move.events[0]:
            case "IDLE" | "TIMED_OUT":
                return
            case "DONE" if step in WRITING:
                await self.bring_back(run, step, move)
            case "DONE" | "FAIL":
                await self.answer(run, step, good=move.events[0] == "DONE")
            case event:
                shown = await self.shown(run)
                device_key: str = shown.view["device"]["device_key"]
                message = await self.message(run, shown, event, move)
                if event != "CHANGE_DEVICE" and step != "replace-device":
                    ends_soon = self.goes_beside(move) or (
                        following is not None and following.events == ("DONE",)
                    )
                    if event == "SKIP" and step == "device-testing":
                        await self.fail_beside(run, device_key)
                    await prepare(self.stage, step, device_key, move.results, ends_soon=ends_soon)
                sending = asyncio.create_task(run.send(message))
                if move.overtaken:
                    await run.at(f"{step}/busy", within=WITHIN)
                    await self.log(run, step, ok=True)
                reply = await sending
                assert reply.state == move.target or (following and following.by_time), (
                    move,
                    reply,
                )
                if "FAIL" in move.results:
                    assert reply.error is not None, move
                if "FAIL" in move.results or move.takes_back:
                    await make_peace(self.stage, device_key)

    async def message(self, run: Run, shown: FlowAnswer, event: str, move: Move) -> UserEvent:
        """What the person sends. Another device is one that fits, unless the move says that it fails."""
        device_key, fails = shown.view["device"]["device_key"], "FAIL" in move.results
        if event == "CHANGE_DEVICE":
            return any_message(run, event, await self.another_device(known=not fails))
        if event == "ACT":
            purchase_id = await purchases.begun(self.stage, device_key, move)
            return await an_act(run, shown, purchase_id)
        if event != "SUBMIT":
            return any_message(run, event, device_key)
        replaces = move.source == "replace-device"
        other = await self.another_device(replacement=True) if replaces else device_key
        if replaces and fails:
            await self.stage.control(other, refuse_swap=True)
        return await submission(run, device_key, other, advanced=self.situation.advanced)

    async def answer(self, run: Run, step: str, *, good: bool) -> None:
        """The end of a wait: by the device's log, by the firmware run, or by the purchase."""
        if step == "purchase-plan":
            waited_for = (await self.shown(run)).view["facts"]["purchase"]["purchase_id"]
            await purchases.ended(self.stage, waited_for, good=good)
        elif step != "check-firmware":
            await self.log(run, step, ok=good)
        elif not good:
            shown = await run.until(
                lambda shown: (
                    "CANCEL" in (shown.view["facts"]["firmware"] or {}).get("allowed", ())
                ),
                within=WITHIN,
            )
            firmware = self.stage.client.get_workflow_handle(
                ids.firmware_id(shown.view["device"]["device_key"])
            )
            ask = FirmwareMessage(actor_id=run.person.user_id, actor=run.person.name)
            await send_update(firmware, FirmwareWorkflow.cancel, ask, update_id=uuid.uuid4().hex)

    async def bring_back(self, run: Run, step: str, move: Move) -> None:
        """The device reports, and what waited for it is sent again."""
        before = await self.shown(run)
        device_key = before.view["device"]["device_key"]
        await prepare(self.stage, step, device_key, move.results, ends_soon=False)
        await report(self.stage.sessions, a_report(device_key))
        shown = await run.until(
            lambda shown: shown.rev > before.rev + 1 and shown.state == move.target, within=WITHIN
        )
        if "FAIL" in move.results:
            assert shown.view["error"] is not None, move
            await make_peace(self.stage, device_key)

    async def fail_beside(self, run: Run, device_key: str) -> None:
        """The firmware run reports that it has failed."""
        failed = FirmwareView(
            run_id=uuid.uuid4().hex, device_key=device_key, state="failed", since=datetime.now(UTC)
        )
        moved = FirmwareProgress(id=uuid.uuid4().hex, firmware=failed)
        await run.handle.signal(ActivationWorkflow.firmware_progress, moved)
        await run.until(lambda shown: "SKIP" in shown.allowed, within=WITHIN)

    async def log(self, run: Run, step: str, *, ok: bool) -> None:
        """The device's answer to the latest command of the step."""
        view = (await self.shown(run)).view
        facts = view["facts"]
        row = {
            "verify-connection": lambda: facts["connection"],
            "device-configuration": lambda: facts["configuration"][-1],
            "device-testing": lambda: facts["commands"][-1],
        }[step]()
        device_key = view["device"]["device_key"]
        await report(self.stage.sessions, a_report(device_key, command_id=row["id"], ok=ok))

    async def shown(self, run: Run) -> FlowAnswer:
        shown = await self.stage.flow(run.id)
        assert shown
        return shown

    async def compare_history(self, run: Run, tour: Tour) -> None:
        """The audit trail names every state on the way, those that nobody rested in too, and every repetition."""
        async with self.stage.sessions() as session:
            rows = await flows.transitions_of(session, run.id, limit=1000)
        passed = [row.to_state for row in rows if row.from_state != row.to_state]
        expected = [state for move in tour for state in _changes(move)]
        assert passed == expected, (run.id, passed, expected)
        again = [
            row.to_state for row in rows if row.from_state == row.to_state and row.event == "FAIL"
        ]
        repeated = [move.states[0] for move in tour for event in move.events if event == AGAIN]
        assert again == repeated, (run.id, again, repeated)

    async def measure(self, run: Run) -> None:
        described = await run.handle.describe()
        self.events = max(self.events, described.history_length)
        size = described.raw_description.workflow_execution_info.history_size_bytes
        self.size = max(self.size, size)


def ends_by_itself(move: Move, following: Move | None) -> bool:
    """Whether the device answers at once: a firmware update that is good is over whatever is asked meanwhile."""
    is_good = following is not None and following.events == ("DONE",)
    return is_good and move.target.partition("/")[0] == "check-firmware"


def is_updated(shown: FlowAnswer) -> bool:
    firmware = shown.view["facts"]["firmware"]
    return firmware is not None and firmware["state"] == "done"


def _changes(move: Move) -> tuple[str, ...]:
    before = move.source
    found: list[str] = []
    for state in move.states:
        if state != before:
            found.append(state)
        before = state
    return tuple(found)
