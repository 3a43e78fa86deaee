"""Begins the run of each case that was opened, as a case is a row before it is a run; and opens those of debits that banks
returned."""

import asyncio
from datetime import timedelta

import structlog
from temporalio.client import Client
from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError

from db.base import Sessions, reading
from db.operations.cases import opening, starts
from domain.kinds import CASE
from domain.operations.cases import CaseStart
from workers.outbox import Outbox
from workflows.client import begun_as

log = structlog.stdlib.get_logger()

BATCH = 20
_RPC = timedelta(seconds=3)


class CaseStarter:
    """Any number of workers may begin cases: of several that begin the same one, one does. `database_url` is a plain libpq address for the
    listening connection."""

    def __init__(
        self, client: Client, sessions: Sessions, *, task_queue: str, database_url: str
    ) -> None:
        self._client = client
        self._sessions = sessions
        self._task_queue = task_queue
        self._outbox = Outbox(
            self.deliver, batch=BATCH, channel=opening.CHANNEL, database_url=database_url
        )

    async def run(self) -> None:
        """Until cancelled; an outage of a neighbour is waited out."""
        await self._outbox.run()

    async def deliver(self) -> int:
        """Begins one batch; answers how many cases were begun. Nothing is locked while they are, and one that cannot be begun
        now holds up no other."""
        async with self._sessions.begin() as session:
            await opening.open_missing(session)
        async with reading(self._sessions) as session:
            due = await starts.not_begun(session, limit=BATCH)
        begun = await asyncio.gather(*map(self._begin, due))
        if any(begun):
            ids = [start.id for start, is_begun in zip(due, begun, strict=True) if is_begun]
            async with self._sessions.begin() as session:
                await starts.mark_begun(session, ids)
        return sum(begun)

    async def _begin(self, start: CaseStart) -> bool:
        """Begun once: one that runs, or has run, is left alone. False if it has to be tried again."""
        try:
            await self._client.start_workflow(  # pyright: ignore[reportUnknownMemberType] one overload of the SDK is open
                CASE.workflow,
                start,
                id=CASE.workflow_id(start),
                task_queue=self._task_queue,
                id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
                rpc_timeout=_RPC,
                **begun_as(CASE, start),
            )
        except WorkflowAlreadyStartedError:
            return True
        except RPCError as error:
            log.warning("a case could not be begun", case=start.id, status=error.status.name)
            return False
        log.info("a case was opened", case=start.id, cause=start.cause)
        return True
