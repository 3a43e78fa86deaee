"""What every run does, whatever it is for: carried to its end, asked by people, shown to everybody (decision 41).

A kind of run is its record in `domain/kinds.py` and a class below with its steps: `execute`, the effects, the handlers
of its messages. Handlers are inherited, `@workflow.run` and `@workflow.init` stand on the class itself.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, ClassVar, Generic, TypeVar

from temporalio import workflow
from temporalio.common import SearchAttributeUpdate
from temporalio.exceptions import ApplicationError

with workflow.unsafe.imports_passed_through():
    from domain.flows.kind import TURN_WORDS, Refusal, RunKind, WaitsFor
    from domain.operations import Standing
    from workflows import ids

HEARD, TIMED_OUT = "HEARD", "TIMED_OUT"
SHORTEST_WAIT = timedelta(milliseconds=1)

Ask = TypeVar("Ask")


class Command(Generic[Ask]):
    """What somebody asked of a run. It waits until the run takes the edge of its event, or until that is not possible
    any more: then it has lapsed. An operator's cancel, and what another run asks, comes without a message."""

    def __init__(self, event: str, ask: Ask | None = None) -> None:
        self.event = event
        self.ask = ask
        self.had_effect = False


class Run(Generic[Ask]):
    """One run. `command` is what waits for its effect, `in_hand` what is being carried out."""

    kind: ClassVar[RunKind[Any]]

    def __init__(self, run_id: str, *, version: int = 1, rev: int = 0, settled: int = 0) -> None:
        """`rev` counts every change, `settled` is the last one that people can see."""
        self.id = run_id
        self.transitions = self.kind.versions[version]
        self.state = self.kind.begins
        self.since = workflow.now()
        self.deadline: datetime | None = None
        self.rev: int = rev
        self.settled: int = settled
        self.seq = 0
        self.cancelled = False
        self.command: Command[Ask] | None = None
        self.in_hand: Command[Ask] | None = None

    # ------------------------------------------------------------ from beginning to end

    async def carry_out(self) -> None:
        """Carries the run to its end, and answers all who asked. A cancel in Temporal's own page cuts no effect in half:
        the run hears of it and ends in its own way."""
        life = asyncio.create_task(self.execute())
        try:
            await asyncio.shield(life)
        except asyncio.CancelledError:
            await self.stop()
            await life
        await workflow.wait_condition(workflow.all_handlers_finished)

    async def execute(self) -> None:
        """The process, from the first state to an end."""
        raise NotImplementedError

    async def stop(self) -> None:
        """An operator cancelled it."""
        self.cancelled = True

    async def stop_by(self, command: Command[Ask]) -> None:
        """The cancel is this command, as soon as that is possible."""
        await workflow.wait_condition(lambda: self.ended or command.event in self.allowed())
        if not self.ended:
            self.command = command

    @property
    def ended(self) -> bool:
        return not self.transitions[self.state]

    # ------------------------------------------------------------ the state

    def allowed(self) -> tuple[str, ...]:
        """What a person may ask now."""
        return tuple(event for event in self.kind.asks if event in self.transitions[self.state])

    def enter(self, event: str, *, limit: timedelta | None = None) -> Command[Ask] | None:
        """The one place where the state changes; `limit` is how long the new one may last. Answers the command that was
        the cause; one that waits and is not possible any more has lapsed."""
        before, target = self.state, self.transitions[self.state].get(event)
        if target is None:
            raise ApplicationError(f"{event} leads nowhere from {before}", non_retryable=True)
        cause = next(
            (one for one in (self.in_hand, self.command) if one is not None and one.event == event),
            None,
        )
        self.rev += 1
        self.state, self.since = target, workflow.now()
        self.deadline = self.since + limit if limit is not None else None
        self.entered(event, before, cause)
        if cause is not None:
            cause.had_effect = True
        if cause is self.command or (self.command and self.command.event not in self.allowed()):
            self.command = None
        self.in_hand = None
        return cause

    def entered(self, event: str, before: str, cause: Command[Ask] | None) -> None:
        """What else a change brings with it."""

    async def move(self, event: str, *, limit: timedelta | None = None) -> None:
        """Takes the edge of `event`, and shows it."""
        before = self.state
        self.enter(event, limit=limit)
        workflow.upsert_search_attributes(  # pyright: ignore[reportUnknownMemberType] one overload of the SDK is open
            self.attributes(before)
        )
        await self.publish()

    async def wait(self, limit: timedelta, until: Callable[[], bool] = lambda: False) -> str:
        """HEARD when `until` holds, TIMED_OUT, or the event of a command, which is in hand then."""
        return await self.wait_until(workflow.now() + limit, until, f"{limit}")

    async def wait_until(
        self, end: datetime, until: Callable[[], bool], said: str | None = None
    ) -> str:
        """The same until a certain time; `said` is how an operator reads that."""
        try:
            await workflow.wait_condition(
                lambda: self.command is not None or until(),
                timeout=self.left(end),
                timeout_summary=f"{self.state} until {said or f'{end:%Y-%m-%d %H:%M} UTC'}",
            )
        except TimeoutError:
            return TIMED_OUT
        if self.command is None:
            return HEARD
        self.in_hand, self.command = self.command, None
        return self.in_hand.event

    def left(self, until: datetime | None = None) -> timedelta:
        """How long it is until then, or until the end of the state's time."""
        ends = until or self.deadline or workflow.now()
        return max(ends - workflow.now(), SHORTEST_WAIT)

    # ------------------------------------------------------------ what people ask

    def refuse_unless(self, event: str) -> None:
        """For validators: raises the refusal of what is not possible, or of what comes while something else waits."""
        if self.command is not None or event not in self.allowed():
            raise refused(self.refusal(event))

    def refusal(self, event: str) -> Refusal:
        return self.kind.refusal(event, self.state)

    async def respond(self, event: str, ask: Ask) -> Any:
        """Answers once the command has had its effect and that can be seen. One that lapsed is refused: the caller must
        not take it for done."""
        command = self.take(event, ask)
        await workflow.wait_condition(lambda: self.is_answered(command))
        return self.answered(command)

    def take(self, event: str, ask: Ask) -> Command[Ask]:
        """Takes a command in; its validator said that it is possible."""
        self.seq += 1
        self.command = Command(event, ask)
        return self.command

    def is_over(self, command: Command[Ask]) -> bool:
        """Whether the command had its effect, or has lapsed."""
        return command is not self.command and command is not self.in_hand

    def is_answered(self, command: Command[Ask]) -> bool:
        """Whether what came of the command can be told."""
        return self.is_over(command) and self.settled == self.rev

    def answered(self, command: Command[Ask]) -> Any:
        if not command.had_effect:
            raise refused(self.refusal(command.event))
        return self.reply()

    def reply(self) -> Any:
        """What an answer holds: where the run stands."""
        raise NotImplementedError

    # ------------------------------------------------------------ what is shown

    async def publish(self) -> None:
        """Shows where the run stands: to operators in Temporal's own page, to everybody by its row."""
        rev = self.rev
        workflow.set_current_details(self.details())
        await self.write()
        self.settled = rev

    async def write(self) -> None:
        """Writes the row."""
        raise NotImplementedError

    def attributes(self, before: str) -> list[SearchAttributeUpdate[Any]]:
        """By what operators find it, after a change from `before`."""
        return [ids.FLOW_STEP.value_set(self.state)]

    def details(self) -> str:
        """What an operator reads in Temporal's own page: where it stands, since when, until when, whom it waits for."""
        turn = "" if self.ended else f"Waits for {TURN_WORDS[self.turn()]}"
        until = f", until {self.deadline:%Y-%m-%d %H:%M:%S} UTC" if self.deadline else ""
        return "\n".join(
            [
                f"**{self.kind.labels[self.state]}** ({self.state}) "
                f"since {self.since:%Y-%m-%d %H:%M:%S} UTC{until}",
                turn,
                *self.more_details(),
            ]
        )

    def turn(self) -> WaitsFor:
        """Whose turn it is."""
        return self.kind.waits_for(self.state)

    def more_details(self) -> list[str]:
        """Lines of the kind's own."""
        return []

    @workflow.query
    def standing(self) -> Standing:
        """Its status, for the reconciler."""
        return Standing(id=self.id, rev=self.rev, settled=self.settled, state=self.state)


def refused(refusal: Refusal) -> ApplicationError:
    """A refusal as Temporal carries it to the caller."""
    return ApplicationError(refusal.detail, type=refusal.code, non_retryable=True)
