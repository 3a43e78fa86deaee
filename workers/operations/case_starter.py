"""Begins the run of each case that was opened, as a case is a row before it is a run; and opens those of debits that banks
returned."""

from datetime import timedelta

import structlog
from temporalio.client import Client
from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError

from db.base import Sessions
from db.operations.cases import opening, starts
from domain.kinds import CASE
from domain.operations.cases import CaseStart
from workers.outbox import Outbox
from workflows.client import begun_as

log = structlog.stdlib.get_logger()

BATCH = 20
_RPC = timedelta(seconds=3)


class CaseStarter:
    """Any number of workers may begin cases: rows are locked while one does. `database_url` is a plain libpq address for the
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
        """Begins one batch; answers how many cases were begun."""
        async with self._sessions.begin() as session:
            await opening.open_untold(session)
        async with self._sessions.begin() as session:
            due = await starts.take_not_begun(session, limit=BATCH)
            for start in due:
                await self._begin(start)
            await starts.mark_begun(session, [start.id for start in due])
        return len(due)

    async def _begin(self, start: CaseStart) -> None:
        """Begun once: one that runs, or has run, is left alone."""
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
            return
        log.info("a case was opened", case=start.id, cause=start.cause)
