"""What was submitted and has no run is taken up: begun once, whoever else does."""

from datetime import timedelta

import structlog
from temporalio import activity
from temporalio.client import Client
from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError

from activities.runs.begin import begin_or_join, begun_as
from db.base import Sessions
from db.operations import repairs
from db.operations.audit import record
from domain.billing.invoice_payment import InvoicePaymentStart
from domain.checkout.placement import PlacementStart
from domain.devices.visits import VisitStart
from domain.kinds import CASE, INVOICE_PAYMENT, PLACEMENT, PURCHASE, VISIT
from domain.operations.cases import CaseStart
from domain.operations.operations import Repair
from domain.plans.purchases import PurchaseStart

log = structlog.stdlib.get_logger()

ANSWER_WITHIN = timedelta(seconds=5)


async def begin_placement(
    client: Client, sessions: Sessions, workflow_id: str, start: PlacementStart
) -> None:
    """Begun once: one that runs is left alone."""
    await begin_or_join(
        client,
        PLACEMENT,
        start,
        task_queue=activity.info().task_queue,
        workflow_id=workflow_id,
        anew=True,
        rpc_timeout=ANSWER_WITHIN,
    )
    log.warning("a placement was taken up", run=start.token, resumed=start.resume is not None)
    async with sessions.begin() as session:
        await record(session, Repair.BEGUN, actor=repairs.RECONCILER, on=("placement", start.token))


async def begin_invoice_payment(
    client: Client, workflow_id: str, start: InvoicePaymentStart
) -> None:
    """Begun once: one that runs is left alone. One that was ended from outside before it was shown has done nothing yet."""
    await begin_or_join(
        client,
        INVOICE_PAYMENT,
        start,
        task_queue=activity.info().task_queue,
        workflow_id=workflow_id,
        anew=True,
        rpc_timeout=ANSWER_WITHIN,
    )
    log.warning("a payment of invoices was taken up", run=start.id)


async def begin_purchase(client: Client, sessions: Sessions, start: PurchaseStart) -> None:
    """Begun once: one that runs is left alone. One that was ended from outside before it was shown has done nothing yet."""
    await begin_or_join(
        client,
        PURCHASE,
        start,
        task_queue=activity.info().task_queue,
        anew=True,
        rpc_timeout=ANSWER_WITHIN,
    )
    log.warning("a purchase was taken up", run=start.id)
    async with sessions.begin() as session:
        await record(session, Repair.GONE_ON, actor=repairs.RECONCILER, on=("purchase", start.id))


async def begin_case(client: Client, start: CaseStart) -> None:
    """Begun once: one that runs is left alone. One that was ended from outside before it was shown has done nothing yet."""
    await begin_or_join(
        client,
        CASE,
        start,
        task_queue=activity.info().task_queue,
        workflow_id=CASE.workflow_id(start),
        anew=True,
        rpc_timeout=ANSWER_WITHIN,
    )
    log.warning("a case was taken up", case=start.id, cause=start.cause)


async def begin_visit(client: Client, sessions: Sessions, start: VisitStart) -> bool:
    """Begun once: one that runs, or has run, is left alone."""
    try:
        await client.start_workflow(  # pyright: ignore[reportUnknownMemberType] one overload of the SDK is open
            VISIT.workflow,
            start,
            id=VISIT.workflow_id(start),
            task_queue=activity.info().task_queue,
            id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
            rpc_timeout=ANSWER_WITHIN,
            **begun_as(VISIT, start),
        )
    except WorkflowAlreadyStartedError:
        return False
    log.warning("a visit was taken up", visit=start.id)
    async with sessions.begin() as session:
        await record(session, Repair.VISIT_BEGUN, actor=repairs.RECONCILER, on=("visit", start.id))
    return True
