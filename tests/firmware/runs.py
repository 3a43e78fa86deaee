"""Firmware runs for tests, and the walk that each story has to take."""

import functools
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from temporalio.client import WorkflowHandle, WorkflowUpdateFailedError
from temporalio.exceptions import ApplicationError

from db.runs import flows
from domain.devices.devices import FirmwareOffer, FirmwareTarget
from domain.firmware.firmware import (
    CURRENT_VERSION,
    FirmwareMessage,
    FirmwarePolicy,
    FirmwareStart,
    FirmwareView,
    Readings,
)
from domain.firmware.firmware_v2 import FIRMWARE
from domain.runs.projection import FlowAnswer
from tests.drivers.stage import Stage, a_device_key
from workflows import ids
from workflows.client import send_update
from workflows.firmware import FirmwareWorkflow

MINUTE = timedelta(minutes=1)
SOON = timedelta(milliseconds=100)

PATIENT = FirmwarePolicy(
    waits=(SOON,), download=MINUTE, update=MINUTE, failed=MINUTE, weak=MINUTE, weak_poll=MINUTE
)
"""Nothing runs out by itself but the wait before another try."""
LONG_WAITS = PATIENT.model_copy(update={"waits": (MINUTE,)})

TARGET = "DOWNLOAD DOWNLOADED UPDATE INSTALLED VERIFIED"
"""One target, without any trouble."""

WALKS: list[str] = []
"""The events of every story, for the proof that together they take every edge."""


@dataclass
class FirmwareRun:
    """One run, asked as the API asks it."""

    stage: Stage
    device_key: str
    id: str
    handle: WorkflowHandle[FirmwareWorkflow, FirmwareView]

    async def at(self, state: str) -> FlowAnswer:
        return await self.until(lambda shown: shown.state == state)

    async def until(self, seen: Callable[[FlowAnswer], bool]) -> FlowAnswer:
        return await self.stage.until(self.id, seen, kind="firmware", within=40)

    async def ask(self, what: str, *, until: datetime | None = None, reason: str = "") -> None:
        """`what` is retry_now, cancel, defer or overrule."""
        ask = FirmwareMessage(
            actor_id="person-1", actor="Ina Installer", until=until, reason=reason
        )
        update = getattr(FirmwareWorkflow, what)
        await send_update(self.handle, update, ask, update_id=uuid.uuid4().hex)

    async def refusal(self, what: str) -> str | None:
        """The code with which an ask is refused."""
        try:
            await self.ask(what)
        except WorkflowUpdateFailedError as error:
            cause = error.cause
            return cause.type if isinstance(cause, ApplicationError) else repr(cause)
        return None

    async def events(self) -> str:
        async with self.stage.sessions() as session:
            rows = await flows.transitions_of(session, self.id, limit=1000)
        return " ".join(row.event for row in rows)


async def begin(
    stage: Stage,
    *,
    traits: str = "010",
    policy: FirmwarePolicy = PATIENT,
    notify: str | None = None,
    version: int = CURRENT_VERSION,
    readings: Readings | None = None,
    **control: object,
) -> FirmwareRun:
    """A run for a fresh device, which is told what to do first. Second digit 3: two targets, else the main one."""
    device_key = a_device_key(traits=traits)
    if control:
        await stage.control(device_key, **control)
    offers = [FirmwareOffer(target=FirmwareTarget.MAIN, from_version="1.4.0", to_version="1.5.0")]
    if traits[1] == "3":
        offers.append(
            FirmwareOffer(target=FirmwareTarget.KL1, from_version="2.0.0", to_version="2.1.0")
        )
    start = FirmwareStart(
        run_id=uuid.uuid4().hex,
        version=version,
        device_key=device_key,
        offers=tuple(offers),
        notify=notify,
        policy=policy,
        portal_url="http://portal.test",
        readings=readings,
    )
    handle = await stage.client.start_workflow(
        FirmwareWorkflow.run,
        start,
        id=ids.firmware_id(device_key),
        task_queue=stage.task_queue,
    )
    return FirmwareRun(stage, device_key, start.run_id, handle)


begin_v1 = functools.partial(begin, version=1)
"""A run as it was begun before readings were looked at."""

Story = Callable[[Stage], Awaitable[FirmwareRun]]


def walks(events: str) -> Callable[[Story], Callable[[Stage], Awaitable[None]]]:
    """The story's run must end by these very events, no more and no fewer."""
    WALKS.append(events)

    def checked(story: Story) -> Callable[[Stage], Awaitable[None]]:
        @functools.wraps(story)
        async def test(stage: Stage) -> None:
            run = await story(stage)
            await run.until(lambda shown: shown.ended)
            await run.handle.result()
            assert await run.events() == events

        return test

    return checked


def edges_of(events: str) -> set[tuple[str, str]]:
    """The edges of the walk that these events take. KeyError where the walk has no such edge."""
    state, taken = "starting", set[tuple[str, str]]()
    for event in events.split():
        taken.add((state, event))
        state = FIRMWARE[state][event]
    assert not FIRMWARE[state], f"{events} ends at {state}"
    return taken


def in_a_day() -> datetime:
    return datetime.now(UTC) + timedelta(days=1)


def at_once() -> datetime:
    return datetime.now(UTC)
