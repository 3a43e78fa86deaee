"""Bank accounts whose verifying runs are gone: their deposits could never be named, and nobody could add them again (decisions
17 and 31)."""

import structlog
from temporalio.client import Client, WorkflowExecutionStatus

from activities.operations.comparison import describe
from db.base import Sessions
from db.billing import bank_verifications
from db.operations import repairs
from db.operations.audit import record
from domain.billing.bank_verification import BankVerification
from domain.kinds import BANK_VERIFICATION
from domain.operations.operations import Repair

log = structlog.stdlib.get_logger()


class LostBankVerifications:
    def __init__(self, client: Client, sessions: Sessions) -> None:
        self._client = client
        self._sessions = sessions

    async def look(self, found: BankVerification) -> bool:
        """Whether its run was gone, and it is over now. Raises RPCError."""
        described = await describe(self._client.get_workflow_handle(found.workflow_id))
        if described is not None and described.status is WorkflowExecutionStatus.RUNNING:
            return False
        async with self._sessions.begin() as session:
            if not await bank_verifications.give_up(session, found):
                return False
            await record(
                session,
                Repair.LOST,
                actor=repairs.RECONCILER,
                on=("payment_method", found.method_id),
                more={"state": found.state, "workflow_id": found.workflow_id},
            )
        log.warning("a run was gone", kind=BANK_VERIFICATION.name, run=found.method_id)
        return True
