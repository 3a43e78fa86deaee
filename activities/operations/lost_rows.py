"""Service visits and bank accounts that are being verified whose runs are gone: nobody could answer or end them, nor ask for
another one, and what they let in would go on (decisions 17, 31 and 40)."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Generic, Protocol, TypeVar

import structlog
from sqlalchemy.ext.asyncio import AsyncSession
from temporalio.client import Client, WorkflowExecutionStatus
from temporalio.service import RPCError, RPCStatusCode

from activities.operations.comparison import describe
from activities.operations.taking_up import ANSWER_WITHIN
from db.base import Sessions, reading
from db.billing import bank_verifications
from db.devices import visits
from db.operations import repairs
from db.operations.audit import record
from domain.billing.bank_verification import BankVerification
from domain.devices.visits import Visit, VisitState
from domain.kinds import BANK_VERIFICATION, VISIT
from domain.operations.operations import Repair
from domain.runs.kind import RunKind

log = structlog.stdlib.get_logger()


class OfARun(Protocol):
    @property
    def workflow_id(self) -> str: ...
    @property
    def state(self) -> str: ...


Row = TypeVar("Row", bound=OfARun)


class LostRows(Generic[Row]):
    """Rows of one kind that are shown in a table of their own. `on` is what the audit calls one, with its id; `give_up` ends one
    unless it has moved. `shut` ends what one let in."""

    def __init__(
        self,
        client: Client,
        sessions: Sessions,
        kind: RunKind[Any],
        *,
        on: Callable[[Row], tuple[str, str]],
        begun: Callable[[AsyncSession], Awaitable[Sequence[Row]]],
        give_up: Callable[[AsyncSession, Row], Awaitable[bool]],
        shut: Callable[[Row], Awaitable[None]] | None = None,
    ) -> None:
        self._client = client
        self._sessions = sessions
        self._kind = kind
        self._on = on
        self._begun = begun
        self._give_up = give_up
        self._shut = shut

    async def begun(self) -> Sequence[Row]:
        """Those that a run has to bring to an end."""
        async with reading(self._sessions) as session:
            return await self._begun(session)

    async def look(self, found: Row) -> bool:
        """Whether its run was gone, and it is over now. The door is shut between two looks at what it let in: whatever is being
        opened meanwhile ends too, and a round that does not come that far is followed by another. Raises RPCError."""
        described = await describe(self._client.get_workflow_handle(found.workflow_id))
        if described is not None and described.status is WorkflowExecutionStatus.RUNNING:
            return False
        if self._shut is not None:
            await self._shut(found)
        async with self._sessions.begin() as session:
            if not await self._give_up(session, found):
                return False
            await record(
                session,
                Repair.LOST,
                actor=repairs.RECONCILER,
                on=self._on(found),
                more={"state": found.state, "workflow_id": found.workflow_id},
            )
        log.warning("a run was gone", kind=self._kind.name, run=self._on(found)[1])
        if self._shut is not None:
            await self._shut(found)
        return True


def lost_visits(client: Client, sessions: Sessions, *, limit: int) -> LostRows[Visit]:
    """So many of those that are open."""

    async def shut(visit: Visit) -> None:
        if visit.state != VisitState.PERMITTED:
            return
        async with reading(sessions) as session:
            held = await visits.runs_of_visit(session, visit.id)
        for workflow_id, run_id in held:
            handle = client.get_workflow_handle(workflow_id, run_id=run_id)
            try:
                await handle.cancel(rpc_timeout=ANSWER_WITHIN)
            except RPCError as error:
                if error.status is not RPCStatusCode.NOT_FOUND:  # it ended meanwhile
                    raise

    return LostRows(
        client,
        sessions,
        VISIT,
        on=lambda visit: (VISIT.name, visit.id),
        begun=lambda session: visits.open_visits(session, limit=limit),
        give_up=visits.give_up,
        shut=shut,
    )


def lost_bank_verifications(
    client: Client, sessions: Sessions, *, limit: int
) -> LostRows[BankVerification]:
    """So many of those without an end: their deposits could never be named, and nobody could add the account again."""
    return LostRows(
        client,
        sessions,
        BANK_VERIFICATION,
        on=lambda found: ("payment_method", found.method_id),
        begun=lambda session: bank_verifications.without_end(session, limit=limit),
        give_up=bank_verifications.give_up,
    )
