"""A person's command to a run: from the request to the run's answer by one road, for every kind of run."""

from abc import ABC, abstractmethod
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from inspect import iscoroutine
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from fastapi import Request, Response
from pydantic import BaseModel

from api.platform.deps import Portal, address_of, record_now
from api.platform.idempotency import Look, claimed
from api.runs.flows import authorize_run, standing
from api.runs.messages import deliver_command, sender_of
from db.base import Executes, plain_reading
from db.operations.audit import Outcome
from domain.identity.people import Actor
from domain.runs.projection import FlowKind, FlowOwner

ACCEPTED = 202


def came_of(status: int, *, begins: bool = False) -> Outcome:
    """What the audit says of a message that was answered so; `begins`: what was asked only begins with the run's yes."""
    return Outcome.ACCEPTED if begins or status == ACCEPTED else Outcome.DONE


class Row(Protocol):
    @property
    def id(self) -> str: ...


R = TypeVar("R", bound=Row)


@dataclass
class Command(ABC, Generic[R]):
    """Who sends something, under which key, to which run. Each kind of run has a class of its own and a dependency."""

    kind: ClassVar[str]
    audited: ClassVar[frozenset[str]] = frozenset()
    """Fields of a body that the audit keeps; never a secret."""
    audits_address: ClassVar[bool] = False
    joins: ClassVar[bool] = False
    """A repeat that comes while the first request is under way sends the same message: the run knows it by its update
    id, has one effect, and answers both."""

    request: Request
    portal: Portal
    actor: Actor
    id: str
    key: str
    _run: R | None = field(default=None, init=False)

    @abstractmethod
    async def find_run(self, connection: Executes) -> R:
        """The run's row, if it is the caller's; by this connection alone. Raises NotFound."""

    @abstractmethod
    async def deliver(
        self, run: R, update: Any, message: BaseModel
    ) -> tuple[int, BaseModel | Look]:
        """Has the run take the message; the status and the answer, or how to read it."""

    def check_sender(self) -> None:
        """Refuses who may see a run of this kind, and may ask nothing of it."""

    @property
    def sender(self) -> dict[str, Any]:
        return sender_of(self.actor)

    async def run(self) -> R:
        """The run's row, read and authorised once. Raises NotFound for somebody else's."""
        if self._run is None:
            async with plain_reading(self.portal.sessions) as connection:
                self._run = await self.find_run(connection)
        return self._run

    async def send(
        self,
        update: Any,
        message: BaseModel | Coroutine[Any, Any, BaseModel],
        body: BaseModel | None,
        *,
        audit: str | None = None,
        begins: bool = False,
        notes: Mapping[str, str] | None = None,
    ) -> Response:
        """Sends the message once for the key. `audit` says in the past tense what was done, `notes` what the audit keeps beside the
        `audited` fields; `begins` as in `came_of`.

        A coroutine makes its message, and may refuse to, while the key is held. Raises NotFound, KeyReused,
        StillUnderWay, and what `deliver` raises.
        """
        try:
            async with claimed(
                self.portal.sessions,
                self.actor,
                self.key,
                self._operation,
                body,
                joins=self.joins,
                check=self._check,
            ) as held:
                if held.replayed is not None:
                    return held.replayed
                run = await self.run()
                sent = message if isinstance(message, BaseModel) else await message
                status, answer = await self.deliver(run, update, sent)
                if audit is not None and not held.joined:
                    outcome = came_of(status, begins=begins)
                    await self._record(audit, run, body, outcome, notes or {})
                return await held.answer(status, answer)
        finally:
            if iscoroutine(message):
                message.close()

    async def _check(self, connection: Executes) -> None:
        if self._run is None:
            self._run = await self.find_run(connection)
        self.check_sender()

    @property
    def _operation(self) -> str:
        return f"{self.request.scope['route'].name} {self.id}"

    async def _record(
        self,
        action: str,
        run: R,
        body: BaseModel | None,
        outcome: Outcome,
        notes: Mapping[str, str],
    ) -> None:
        said = (
            body.model_dump(mode="json", include=set(self.audited), exclude_none=True)
            if body
            else {}
        )
        await record_now(
            self.portal,
            self.actor,
            action,
            outcome=outcome,
            on=(self.kind, run.id),
            address=address_of(self.request) if self.audits_address else None,
            more={**said, **notes} or None,
        )


class RunCommand(Command[FlowOwner]):
    """To a run that has a projection: answers where it then stands, or 202 when that takes longer than 3 s."""

    kind: ClassVar[FlowKind]  # pyright: ignore[reportIncompatibleVariableOverride] never set
    joins = True

    async def find_run(self, connection: Executes) -> FlowOwner:
        return await authorize_run(connection, self.actor, self.kind, self.id)

    async def deliver(
        self, run: FlowOwner, update: Any, message: BaseModel
    ) -> tuple[int, BaseModel | Look]:
        accepted = await deliver_command(
            self.portal, run, update, message, actor=self.actor, key=self.key
        )
        if accepted is not None:
            return ACCEPTED, accepted
        return 200, lambda connection: standing(connection, run.kind, run.id)
