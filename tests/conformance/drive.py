"""Takes a planned tour through a real workflow: tells the device network what to do, then does what people do."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from temporalio.client import WorkflowUpdateFailedError

from db import flows
from domain.activation import (
    Abandon,
    Act,
    ActivationType,
    Back,
    ChangeDevice,
    Policy,
    Reset,
    Resume,
    Skip,
    Submit,
    UserEvent,
)
from domain.devices import Product
from domain.firmware import FirmwareAsk
from domain.flows.engine import ENDS, USER_EVENTS
from domain.flows.projection import FlowAnswer
from tests.conformance.tours import Move, Tour
from tests.conformance.xstate import Table
from tests.reports import a_report, report
from tests.stage import QUICK, Run, Stage, a_device_key, form_for, step_of
from workflows import ids
from workflows.firmware import FirmwareWorkflow

IDLE = Policy(idle=timedelta(seconds=3), command=timedelta(seconds=60), reminders=())
SHORT = Policy(command=timedelta(seconds=2), reminders=())
CALM = Policy(command=timedelta(seconds=60), reminders=())
PATIENT = QUICK.model_copy(update={"attempts": 1, "download": timedelta(minutes=1)})

OLD, NEW = {"main": "1.4.1"}, {"main": "1.5.0"}


@dataclass
class Drive:
    """One plan's tours on one stage; `refused` remembers in which states every refusal was tried."""

    stage: Stage
    kind: ActivationType
    product: Product
    traits: str
    tables: Mapping[str, Table]
    refused: set[str] = field(default_factory=set)
    refusals: int = 0
    taken: Counter[Move] = field(default_factory=Counter)

    async def take(self, tour: Tour) -> None:
        """One run. Raises AssertionError where it stands elsewhere than the chart says."""
        entry = tour[0]
        idles, times_out = tour[-1].events == ("IDLE",), any(move.times_out for move in tour)
        hurries = idles or times_out
        if entry.ends:
            device_key = a_device_key(self.product.upper(), traits="900")
        else:
            device_key = a_device_key(self.product.upper(), traits=self.traits)
        run = await self.stage.open(
            device_key,
            kind=self.kind,
            policy=IDLE if idles else SHORT if times_out else CALM,
            firmware_policy=PATIENT,
            resume=Resume.model_validate({"entry": entry.target}) if not entry.ends else None,
        )
        for move, following in zip(tour, (*tour[1:], None), strict=True):
            if move is not entry:
                await self.make(run, move, device_key, following)
            if following is not None and following.by_time:
                self.taken[move] += 1  # the audit trail tells whether it was there
            else:
                shown = await self.arrive(run, move, hurries=hurries)
                device_key = shown.view["device"]["device_key"]
        await self.compare_history(run, tour)

    async def arrive(self, run: Run, move: Move, *, hurries: bool) -> FlowAnswer:
        """Compares where it stands; a run whose time is short has none for refusals."""
        shown = await run.at(move.target)
        edges = self.tables[next(iter(self.tables))].states.get(move.target, {})
        assert set(shown.allowed) == {str(e) for e in USER_EVENTS if e in edges}, move
        assert shown.view["state"] == move.target
        assert shown.ended == (move.target in ENDS)
        self.taken[move] += 1
        if not (shown.ended or hurries or move.target in self.refused):
            self.refused.add(move.target)
            await self.try_what_is_refused(run)
        return shown

    async def try_what_is_refused(self, run: Run) -> None:
        """Every message that the chart does not know here, and one from an old screen."""
        allowed = run.reply.allowed
        tries = [self.message(run, event) for event in USER_EVENTS if event not in allowed]
        stale = self.message(run, USER_EVENTS[-1]).model_copy(update={"seq": run.reply.seq + 1})
        for event in [*tries, stale]:
            before = await self.stage.flow(run.id)
            with suppress(WorkflowUpdateFailedError):
                await run.handle.execute_update("event", event)
                raise AssertionError(f"{event.kind} was taken in {run.reply.state}")
            after = await self.stage.flow(run.id)
            assert before
            assert after
            assert (after.seq, after.state) == (before.seq, before.state)
            self.refusals += 1

    def message(self, run: Run, event: str) -> UserEvent:
        state = run.reply.state
        step = step_of(state)
        here: dict[str, Any] = {"actor": run.person, "seq": run.reply.seq}
        return {
            "SUBMIT": Submit(**here, form=form_for(state)),
            "ACT": Act(**here, command="location"),
            "SKIP": Skip(**here, step=step, reason="no time"),
            "BACK": Back(**here, step=step),
            "RESET": Reset(**here),
            "CHANGE_DEVICE": ChangeDevice(
                **here, device_key=a_device_key(self.product.upper(), traits=self.traits)
            ),
            "ABANDON": Abandon(**here),
        }[event]

    async def make(self, run: Run, move: Move, device_key: str, following: Move | None) -> None:
        """What happens on one move; `following` is the one after it."""
        event, result = move.events[0], (*move.events, "")[1]
        step = move.source.partition("/")[0]
        match event:
            case "IDLE" | "TIMED_OUT":
                return
            case "DONE" | "FAIL":
                await self.answer(run, step, device_key, good=event == "DONE")
            case "CHANGE_DEVICE":
                traits = "900" if result == "FAIL" else self.traits
                other = a_device_key(self.product.upper(), traits=traits)
                changed = self.message(run, event).model_copy(update={"device_key": other})
                await run.send(changed)
            case _:
                await self.instruct(step, device_key, result, following)
                sending = asyncio.create_task(run.send(self.message(run, event)))
                if move.overtaken:
                    await self.overtake(run, device_key, step)
                reply = await sending
                assert reply.state == move.target or (following and following.by_time)
                if result == "FAIL":
                    await self.stage.control(device_key, blocked=False, refuse_commands=False)

    async def instruct(
        self, step: str, device_key: str, result: str, following: Move | None
    ) -> None:
        """Has the device network bring about the result."""
        listens = step in ("verify-connection", "device-testing")
        if listens and result:
            await self.stage.control(
                device_key,
                silent_commands=1 if result in ("OK", "WAIT") else 0,
                lose_replies=1 if result == "OK" else 0,
                refuse_commands=result == "FAIL",
            )
        elif step == "check-firmware" and result:
            await self.stage.control(
                device_key,
                blocked=result == "FAIL",
                firmware=OLD if result == "WAIT" else NEW,
                answer_seconds=0.0 if following and following.events == ("DONE",) else 60.0,
            )
        elif result == "FAIL":
            await self.stage.control(device_key, blocked=True)

    async def answer(self, run: Run, step: str, device_key: str, *, good: bool) -> None:
        """The end of a wait: by the device's log, or by the firmware run."""
        if step != "check-firmware":
            await self.log(run, device_key, step, ok=good)
        elif not good:
            await run.until(
                lambda shown: bool((shown.view["facts"]["firmware"] or {}).get("can_cancel"))
            )
            firmware = self.stage.client.get_workflow_handle(ids.firmware_id(device_key))
            ask = FirmwareAsk(actor_id=run.person.user_id, actor=run.person.name)
            await firmware.execute_update(FirmwareWorkflow.cancel, ask)

    async def overtake(self, run: Run, device_key: str, step: str) -> None:
        """The log of a command whose answer is still to come."""
        await run.at(f"{step}/busy")
        await self.log(run, device_key, step, ok=True)

    async def log(self, run: Run, device_key: str, step: str, *, ok: bool) -> None:
        shown = await self.stage.flow(run.id)
        assert shown
        facts = shown.view["facts"]
        row = facts["connection"] if step == "verify-connection" else facts["commands"][-1]
        await report(self.stage.sessions, a_report(device_key, command_id=row["id"], ok=ok))

    async def compare_history(self, run: Run, tour: Tour) -> None:
        """The audit trail names every state on the way, those that nobody rested in too."""
        async with self.stage.sessions() as session:
            rows = await flows.transitions_of(session, run.id, limit=1000)
        passed = [row.to_state for row in rows if row.from_state != row.to_state]
        expected = [state for move in tour for state in _changes(move)]
        assert passed == expected, (run.id, passed, expected)


def _changes(move: Move) -> tuple[str, ...]:
    before = move.source
    found: list[str] = []
    for state in move.states:
        if state != before:
            found.append(state)
        before = state
    return tuple(found)
