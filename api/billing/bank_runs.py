"""What the calls on bank accounts say to the runs that verify them."""

import orjson
import structlog
from temporalio.client import WithStartWorkflowOperation
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError

from api.platform.deps import Portal
from api.runs.messages import NotTaken, update_run, within_deadline
from db.platform.sealed_secrets import forget_secret, save_secret
from domain.billing.bank_verification import (
    REFUSALS,
    AlreadySaved,
    AmountsMessage,
    BankOpened,
    BankReply,
    BankVerificationStart,
    VerificationEnded,
    purpose_of_amounts,
)
from domain.errors import Unavailable
from domain.kinds import BANK_VERIFICATION
from workflows import ids
from workflows.billing.bank_verification import BankVerificationWorkflow
from workflows.client import joined_as

log = structlog.stdlib.get_logger()


async def open_verification(portal: Portal, start: BankVerificationStart) -> BankReply:
    """Starts the run and waits until the account is kept; the same account again is the same run.

    Raises AlreadySaved or Unavailable.
    """
    method_id = start.account.method_id

    async def sending() -> BankReply:
        # An operation can be used once only.
        operation = WithStartWorkflowOperation(
            BankVerificationWorkflow.run,
            start,
            task_queue=portal.task_queue,
            **joined_as(BANK_VERIFICATION, start),
        )
        return await portal.temporal.execute_update_with_start_workflow(  # pyright: ignore[reportUnknownMemberType] one overload of the SDK is open
            BankVerificationWorkflow.opened,
            BankOpened(person_id=start.person_id),
            start_workflow_operation=operation,
            id=f"open-{method_id}",
        )

    try:
        reply = await within_deadline(sending)
    except WorkflowAlreadyStartedError:
        raise AlreadySaved from None
    except TimeoutError:
        raise Unavailable(retry_after=2) from None
    if reply.refusal is not None:
        raise AlreadySaved
    return reply


async def ask_amounts(
    portal: Portal,
    *,
    method_id: str,
    person_id: str,
    named: tuple[int, int] | str,
    update_id: str,
) -> BankReply:
    """Has the run compare these amounts, in cents, or the code of the deposit. They are sealed for it and named by
    the id of their row; a refused message takes them away again.

    Raises one of `domain.billing.bank_verification.REFUSALS`, or Unavailable when it takes longer; the same id again will have
    the outcome.
    """
    sealed = portal.vault.seal(orjson.dumps(named).decode(), purpose=purpose_of_amounts(method_id))
    async with portal.sessions.begin() as session:
        await save_secret(session, secret_id=update_id, flow_id=method_id, sealed=sealed)
    ask = AmountsMessage(secret_id=update_id, person_id=person_id)
    try:
        reply: BankReply = await update_run(
            portal,
            ids.bank_verification_id(method_id),
            BankVerificationWorkflow.verify,
            ask,
            update_id=update_id,
        )
    except NotTaken as refusal:
        async with portal.sessions.begin() as session:
            await forget_secret(session, update_id)
        raise REFUSALS.get(refusal.code or "", VerificationEnded) from None
    if reply.refusal is not None:
        raise REFUSALS.get(reply.refusal, VerificationEnded)(extra={"tries_left": reply.tries_left})
    return reply


async def notify_removed(portal: Portal, method_id: str) -> None:
    """The account is gone already; a run that is not told of it ends by itself."""
    handle = portal.temporal.get_workflow_handle_for(
        BankVerificationWorkflow.run, ids.bank_verification_id(method_id)
    )
    try:
        await within_deadline(lambda: handle.signal(BankVerificationWorkflow.account_removed))
    except (RPCError, RuntimeError, TimeoutError) as error:
        log.warning("bank verification was not told", kind=type(error).__name__, method=method_id)
