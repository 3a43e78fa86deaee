"""What Temporal says of the activities of a run that are tried again, and having them tried at once."""

from collections.abc import Mapping
from datetime import timedelta

from temporalio.api.common.v1 import WorkflowExecution
from temporalio.api.enums.v1 import PendingActivityState
from temporalio.api.workflowservice.v1 import (
    DescribeWorkflowExecutionResponse,
    ResetActivityRequest,
)
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from domain.operations.operations import MANY_TRIES, PendingActivity, Run
from domain.operations.retrying import (
    ASKS,
    CANNOT_GO_ON,
    WORKFLOW_TASK,
    Part,
    PartState,
    Retrying,
)
from workflows.client import pending_of

ANSWER_WITHIN = timedelta(seconds=2)
_GONE = (RPCStatusCode.NOT_FOUND, RPCStatusCode.FAILED_PRECONDITION)


async def retrying_of(client: Client, run: Run, parts: Mapping[Part, PartState]) -> list[Retrying]:
    """What has failed at least once, as Temporal knows it now; while Temporal is away, as the reconciler last saw it."""
    if run.ended_at is not None:
        return []
    try:
        described = await _describe(client, run)
    except (RPCError, RuntimeError, TimeoutError):
        seen = list(run.pending)
    else:
        task = described.pending_workflow_task if described else None
        seen = (
            [PendingActivity(activity=WORKFLOW_TASK, attempt=task.attempt, failure=CANNOT_GO_ON)]
            if task and task.attempt > MANY_TRIES
            else []
        )
        seen += [
            await pending_of(client, one)
            for one in (described.pending_activities if described else ())
            if one.HasField("last_failure")
        ]
    return [
        Retrying(
            activity=one.activity,
            attempt=one.attempt,
            failure=one.failure,
            next_at=one.next_at,
            request_id=one.request_id,
            parts=tuple(
                parts.get(name) or PartState(name=name) for name in ASKS.get(one.activity, ())
            ),
        )
        for one in seen
    ]


async def try_again(client: Client, run: Run) -> list[str]:
    """The activities of the run that waited for their next try and are tried now, from the first try on."""
    if run.ended_at is not None:
        return []
    tried: list[str] = []
    described = await _describe(client, run)
    for one in described.pending_activities if described else ():
        if one.state != PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED or one.attempt < 2:
            continue
        asked = ResetActivityRequest(
            namespace=client.namespace,
            execution=WorkflowExecution(workflow_id=run.workflow_id),
            id=one.activity_id,
            identity="portal",
        )
        try:
            await client.workflow_service.reset_activity(asked, timeout=ANSWER_WITHIN)
        except RPCError as error:
            if error.status in _GONE:
                continue
            raise
        tried.append(one.activity_type.name)
    return tried


async def _describe(client: Client, run: Run) -> DescribeWorkflowExecutionResponse | None:
    """None of a run that Temporal does not know."""
    handle = client.get_workflow_handle(run.workflow_id)
    try:
        described = await handle.describe(rpc_timeout=ANSWER_WITHIN)
    except RPCError as error:
        if error.status is RPCStatusCode.NOT_FOUND:
            return None
        raise
    return described.raw_description
