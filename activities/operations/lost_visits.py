"""Service visits whose runs are gone: nobody could answer or end them, nor ask for another one, and what they let in would go
on (decisions 17 and 40)."""

import structlog
from temporalio.client import Client, WorkflowExecutionStatus
from temporalio.service import RPCError, RPCStatusCode

from activities.operations.comparison import describe
from activities.operations.taking_up import ANSWER_WITHIN
from db.base import Sessions, reading
from db.devices import visits
from db.operations import repairs
from db.operations.audit import record
from domain.devices.visits import Visit, VisitState
from domain.kinds import VISIT
from domain.operations.operations import Repair

log = structlog.stdlib.get_logger()


class LostVisits:
    def __init__(self, client: Client, sessions: Sessions) -> None:
        self._client = client
        self._sessions = sessions

    async def look(self, visit: Visit) -> bool:
        """Whether its run was gone, and it is over now. The door is shut between two looks at what it let in: whatever is being
        opened meanwhile ends too, and a round that does not come that far is followed by another. Raises RPCError."""
        described = await describe(self._client.get_workflow_handle(visit.workflow_id))
        if described is not None and described.status is WorkflowExecutionStatus.RUNNING:
            return False
        await self._stop(visit)
        async with self._sessions.begin() as session:
            if not await visits.give_up(session, visit):
                return False
            await record(
                session,
                Repair.LOST,
                actor=repairs.RECONCILER,
                on=(VISIT.name, visit.id),
                more={"state": visit.state, "workflow_id": visit.workflow_id},
            )
        log.warning("a run was gone", kind=VISIT.name, run=visit.id)
        await self._stop(visit)
        return True

    async def _stop(self, visit: Visit) -> None:
        if visit.state != VisitState.PERMITTED:
            return
        async with reading(self._sessions) as session:
            held = await visits.runs_of_visit(session, visit.id)
        for workflow_id, run_id in held:
            handle = self._client.get_workflow_handle(workflow_id, run_id=run_id)
            try:
                await handle.cancel(rpc_timeout=ANSWER_WITHIN)
            except RPCError as error:
                if error.status is not RPCStatusCode.NOT_FOUND:  # it ended meanwhile
                    raise
