"""What every run does, whatever it is for: carried to its end, asked by people, shown to everybody (decision 41).

A kind of run is its record in `domain/kinds.py` and a class below with its steps: `execute`, the effects, the handlers
of its messages. Handlers are inherited, `@workflow.run` and `@workflow.init` stand on the class itself.
"""

import asyncio
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, ClassVar, Generic, Protocol, TypeVar, cast

from pydantic import BaseModel
from temporalio import workflow
from temporalio.common import SearchAttributeUpdate
from temporalio.exceptions import ActivityError, ApplicationError

with workflow.unsafe.imports_passed_through():
    from activities.operations.showing import Reprojection, ShowingActivities
    from activities.runs.flows import FlowActivities
    from domain.operations.operations import Reproject, RunStatus
    from domain.runs.kind import TURN_WORDS, Refusal, RunKind, Subject, WaitsFor
    from domain.runs.projection import FlowKind, Projection
    from domain.runs.transition import Transition
    from workflows import calls, ids
    from workflows.signals import patient_signal

CONDITION_MET, TIMED_OUT = "CONDITION_MET", "TIMED_OUT"
SHORTEST_WAIT = timedelta(milliseconds=1)
NEEDS_ATTENTION = "needs_attention"
ANSWERS_EFFECTS = "answers-effects"
DECIDES_EARLY = "decides-early"
PORTAL_URL = "portal_url"
"""The worker's function that says where the portal is; it is for operators to read, and no step depends on it."""


class FromPerson(Protocol):
    """A message that says who sent it."""

    @property
    def actor_id(self) -> str | None: ...
    @property
    def actor(self) -> str: ...
    @property
    def acting_for(self) -> str | None: ...


Ask = TypeVar("Ask")
PersonsAsk = TypeVar("PersonsAsk", bound=FromPerson)


class Command(Generic[Ask]):
    """What somebody asked of a run. It waits until the run takes the edge of its event, or until that is not possible
    any more: then it has lapsed. An operator's cancel, and what another run asks, comes without a message."""

    def __init__(self, event: str, ask: Ask | None = None) -> None:
        self.event = event
        self.ask = ask
        self.had_effect = False


class Run(ABC):
    """One run, whatever decides its steps: it is carried to its end, and shown."""

    kind: ClassVar[RunKind[Any]]

    patches: ClassVar[tuple[str, ...]] = ()
    """Those of the kind that came after runs had begun to decide early."""

    published_rev: int
    """The last change that people can see."""
    decides_early: bool
    """Whether it does from its first moment whatever was known before `patches`."""
    decided: frozenset[str]
    """Those of `patches` that it follows."""

    def decide(self) -> None:
        """Decides how it goes, before anything else; for `__init__`."""
        self.decides_early = workflow.patched(DECIDES_EARLY)
        self.decided = frozenset(patch for patch in self.patches if workflow.patched(patch))

    def does(self, patch: str) -> bool:
        """Whether this run does what came with this patch: one that decided early does whatever is known here. Only runs of before
        ask in their midst. There the marker of a patch stands behind that of a local activity, and where a query was answered
        between the two, in another task than it: then no worker can read the history again (decision 97)."""
        return self.decides_early or workflow.patched(patch)

    @abstractmethod
    def status(self) -> tuple[str, int, str]:
        """Its id, its `rev`, which counts every change, and its state."""

    @abstractmethod
    async def execute(self) -> None:
        """The process, from the first state to an end."""

    @abstractmethod
    async def write(self) -> None:
        """Writes the row."""

    @abstractmethod
    def details(self) -> str:
        """What an operator reads in Temporal's own page."""

    async def carry_out(self) -> None:
        """Carries the run to its end, and answers all who asked. A cancel in Temporal's own page cuts no effect in half:
        the run is told of it and ends in its own way."""
        life = asyncio.create_task(self.execute())
        try:
            await asyncio.shield(life)
        except asyncio.CancelledError:
            await self.stop()
            await life
        await workflow.wait_condition(workflow.all_handlers_finished)

    @abstractmethod
    async def stop(self) -> None:
        """An operator cancelled it."""

    async def publish(self) -> None:
        """Shows where the run stands: to operators in Temporal's own page, to everybody by its row."""
        _, rev, _ = self.status()
        self.publish_details()
        await self.write()
        self.published_rev = rev

    def publish_details(self) -> None:
        """Shows them where the run stands, and first where the portal has it. Each line stands by itself, but in a table."""
        link = portal_link(self.kind, self.status()[0])
        details = re.sub(r"\n(?!\|)", "\n\n", self.details())
        workflow.set_current_details("\n\n".join(part for part in (link, details) if part))

    @workflow.query
    def standing(self) -> RunStatus:
        """Its status, for the reconciler."""
        id_, rev, state = self.status()
        return RunStatus(id=id_, rev=rev, settled=self.published_rev, state=state)


class Machine(Run, Generic[Ask]):
    """A run whose steps are a table of transitions. `command` is what waits for its effect, `in_hand` what is being carried
    out, `newest` what a person asked last."""

    def __init__(
        self,
        run_id: str,
        *,
        version: int = 1,
        begins: str | None = None,
        rev: int = 0,
        published_rev: int = 0,
    ) -> None:
        self.decide()
        self.id = run_id
        self.version = version
        self.transitions = self.kind.versions[version]
        self.state: str = begins or self.kind.begins
        self.since = workflow.now()
        self.deadline: datetime | None = None
        self.rev: int = rev
        self.published_rev: int = published_rev
        self.seq: int = 0
        self.cancelled = False
        self.command: Command[Ask] | None = None
        self.in_hand: Command[Ask] | None = None
        self.newest: Command[Ask] | None = None

    def status(self) -> tuple[str, int, str]:
        return self.id, self.rev, self.state

    @property
    def ended(self) -> bool:
        return not self.transitions[self.state]

    async def stop(self) -> None:
        self.cancelled = True

    async def stop_by(self, command: Command[Ask]) -> None:
        """The operator's cancel is this command, as soon as that is possible."""
        await workflow.wait_condition(lambda: self.ended or command.event in self.allowed())
        if not self.ended:
            self.command = command

    def allowed(self) -> tuple[str, ...]:
        """What a person may ask now."""
        return self.kind.allowed(self.state, self.version)

    def enter(self, event: str, *, limit: timedelta | None = None) -> None:
        """The one place where the state changes; `limit` is how long the new one may last. A command that
        waits and is not possible any more has lapsed."""
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

    def entered(self, event: str, before: str, cause: Command[Ask] | None) -> None:
        """What else a change brings with it."""

    async def move(self, event: str, *, limit: timedelta | None = None) -> None:
        """Takes the edge of `event`, and shows it."""
        before = self.state
        self.enter(event, limit=limit)
        self.index(before)
        await self.publish()

    async def wait(
        self,
        limit: timedelta | None,
        until: Callable[[], bool] = lambda: False,
        *,
        said: str | None = None,
    ) -> str:
        """CONDITION_MET when `until` holds, TIMED_OUT, or the event of a command, which is in hand then. `said` is how an operator
        reads the limit; without one it waits however long that takes."""
        try:
            await workflow.wait_condition(
                lambda: self.command is not None or until(),
                timeout=limit,
                timeout_summary=f"{self.state} until {said or limit}",
            )
        except TimeoutError:
            return TIMED_OUT
        if self.command is None:
            return CONDITION_MET
        self.in_hand, self.command = self.command, None
        return self.in_hand.event

    async def wait_until(self, end: datetime, until: Callable[[], bool]) -> str:
        """The same until a certain time."""
        return await self.wait(self.left(end), until, said=f"{end:%Y-%m-%d %H:%M} UTC")

    def left(self, until: datetime | None = None) -> timedelta:
        """How long it is until then, or until the end of the state's time."""
        ends = until or self.deadline or workflow.now()
        return max(ends - workflow.now(), SHORTEST_WAIT)

    def refuse_unless(self, event: str) -> None:
        """For validators: raises the refusal of what is not possible, or of what comes while something else waits."""
        if self.command or self.in_hand or event not in self.allowed():
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
        self.command = self.newest = Command(event, ask)
        return self.command

    def is_over(self, command: Command[Ask]) -> bool:
        """Whether the command had its effect, or has lapsed."""
        return command is not self.command and command is not self.in_hand

    def is_answered(self, command: Command[Ask]) -> bool:
        """Whether what came of the command can be told."""
        return self.is_over(command) and self.published_rev == self.rev

    def answered(self, command: Command[Ask]) -> Any:
        if not command.had_effect:
            raise refused(self.refusal(command.event))
        return self.reply()

    @abstractmethod
    def reply(self) -> Any:
        """What an answer holds: where the run stands."""

    def index(self, before: str) -> None:
        """Has operators find it by where it stands now."""
        workflow.upsert_search_attributes(  # pyright: ignore[reportUnknownMemberType] one overload of the SDK is open
            self.attributes(before)
        )

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


class Projected(Run):
    """A run that is shown in the common table. `moves` are the changes that are not shown yet."""

    start: Any
    version: int
    seq: int
    moves: list[Transition]

    @abstractmethod
    def allowed(self) -> tuple[str, ...]:
        """What a person may ask now."""

    @abstractmethod
    def present(self) -> BaseModel:
        """The view, or the part of it that changes."""

    @abstractmethod
    def ended_as(self) -> str | None:
        """How it ended; and while it waits for an operator, that it does."""

    def about(self) -> Subject:
        """Whose it is, and what it works on."""
        return self.kind.about(self.start)

    def shown_at(self) -> datetime:
        """When it came to be as it is."""
        return workflow.now()

    def has_ended(self) -> bool:
        return self.kind.has_ended(self.status()[2])

    def take_moves(self) -> tuple[Transition, ...]:
        """What happened since the last time."""
        moves, self.moves = tuple(self.moves), []
        return moves

    def projection(self, moves: tuple[Transition, ...] = ()) -> Projection:
        """How everybody sees it now."""
        about, (id_, rev, state) = self.about(), self.status()
        return Projection(
            id=id_,
            kind=cast(FlowKind, self.kind.name),
            version=self.version,
            workflow_id=workflow.info().workflow_id,
            run_id=workflow.info().run_id,
            rev=rev,
            seq=self.seq,
            state=state,
            allowed=self.allowed(),
            view=self.present().model_dump(mode="json"),
            device_key=about.device_key,
            site=about.site,
            dealer_id=about.dealer_id,
            owner_id=about.person_id,
            partner=about.partner,
            outcome=self.ended_as(),
            at=self.shown_at(),
            ended=self.has_ended(),
            transitions=moves,
        )

    async def write(self) -> None:
        """An end must be durable before anybody sees it: the server may refuse the task that closes the run."""
        projection = self.projection(self.take_moves())
        if projection.ended:
            await workflow.execute_activity_method(
                FlowActivities.project, projection, summary="show the end", **calls.OURS
            )
        else:
            await workflow.execute_local_activity_method(
                FlowActivities.project, projection, **calls.OURS
            )

    @patient_signal
    async def reproject(self, wrong: Reproject) -> None:
        """The reconciler found another row than this run's: it is written again."""
        await workflow.execute_local_activity_method(
            ShowingActivities.show_again,
            Reprojection(projection=self.projection(), wrong=wrong),
            **calls.OURS,
        )


class ProjectedMachine(Machine[PersonsAsk], Projected):
    """Both: each change is a transition that names who brought it."""

    answers_early: ClassVar[bool] = False
    """Of a kind whose earlier runs answered a command as soon as anything had changed: their histories replay so."""

    def __init__(
        self,
        run_id: str,
        *,
        version: int = 1,
        begins: str | None = None,
        rev: int = 0,
        published_rev: int = -1,
    ) -> None:
        super().__init__(
            run_id, version=version, begins=begins, rev=rev, published_rev=published_rev
        )
        self.moves = []

    def entered(self, event: str, before: str, cause: Command[PersonsAsk] | None) -> None:
        by = cause.ask if cause is not None else None
        self.moves.append(
            Transition(
                rev=self.rev,
                event=event,
                from_state=before,
                to_state=self.state,
                at=self.since,
                actor_id=by.actor_id if by else None,
                actor=by.actor if by else None,
                acting_for=by.acting_for if by else None,
                note=self.remark(by),
            )
        )

    @abstractmethod
    def remark(self, ask: PersonsAsk | None) -> str | None:
        """What is remembered of a change: a reason, an error."""

    def ended_as(self) -> str | None:
        return self.state if self.ended or self.state == NEEDS_ATTENTION else None

    def shown_at(self) -> datetime:
        return self.since

    async def respond(self, event: str, ask: PersonsAsk) -> Any:
        if not self.answers_early:
            return await super().respond(event, ask)
        before, command = self.rev, self.take(event, ask)
        await workflow.wait_condition(lambda: self.rev > before and self.published_rev == self.rev)
        if not self.is_over(command):
            if not self.does(ANSWERS_EFFECTS):
                return self.reply()
            await workflow.wait_condition(lambda: self.is_answered(command))
        return self.answered(command)


def portal_link(kind: RunKind[Any], run_id: str) -> str:
    """Where operators have the run in the portal; "" of a kind that has no page there, and where nobody said where the
    portal is."""
    functions = cast(Mapping[str, Callable[[], str]], workflow.extern_functions())  # pyright: ignore[reportUnknownMemberType] open in the SDK
    url = functions.get(PORTAL_URL)
    if url is None or kind.row == "own":
        return ""
    return f"[Open in the portal]({url()}/operations/run?kind={kind.name}&id={run_id})"


def refused(refusal: Refusal) -> ApplicationError:
    """A refusal as Temporal carries it to the caller."""
    return ApplicationError(refusal.detail, type=refusal.code, non_retryable=True)


def reason_of(error: ActivityError) -> str:
    """What an outside system said when it refused, in its own words."""
    cause = error.cause
    return cause.message if isinstance(cause, ApplicationError) else ""
