"""What was submitted and has no run is taken up: begun once, whoever else does."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, NamedTuple, TypeVar

import structlog
from pydantic import BaseModel
from temporalio import activity
from temporalio.client import Client, WorkflowHandle
from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError

from activities.runs.begin import begun_as
from db.base import Sessions
from db.operations import repairs
from db.operations.audit import record
from domain.kinds import PLACEMENT, VISIT
from domain.operations.operations import Repair
from domain.runs.kind import RunKind
from providers.security.payloads import SealBroken

log = structlog.stdlib.get_logger()

Start = TypeVar("Start", bound=BaseModel)

ANSWER_WITHIN = timedelta(seconds=5)
"""How long a round waits for each of Temporal's answers."""

_NAMED: Mapping[str, Repair] = {PLACEMENT.name: Repair.BEGUN, VISIT.name: Repair.VISIT_BEGUN}
"""Kinds that have a word of their own for it."""


class Waiting(NamedTuple):
    """What a run is to be begun with. `run` is its id in our rows; without a `workflow_id` it has that of its kind."""

    kind: RunKind[Any]
    run: str
    start: Any
    workflow_id: str | None = None


async def take_up(client: Client, sessions: Sessions, waiting: Waiting) -> Repair | None:
    """Begun once: one that runs is left alone, and nothing was repaired then."""
    kind, run, start, workflow_id = waiting
    try:
        await client.start_workflow(  # pyright: ignore[reportUnknownMemberType] one overload of the SDK is open
            kind.workflow,
            start,
            id=workflow_id or kind.workflow_id(start),
            task_queue=activity.info().task_queue,
            id_reuse_policy=WorkflowIDReusePolicy.ALLOW_DUPLICATE,
            rpc_timeout=ANSWER_WITHIN,
            **begun_as(kind, start),
        )
    except WorkflowAlreadyStartedError:
        return None
    repair = _NAMED.get(kind.name, Repair.GONE_ON)
    log.warning("a run was taken up", kind=kind.name, run=run)
    async with sessions.begin() as session:
        await record(session, repair, actor=repairs.RECONCILER, on=(kind.name, run))
    return repair


class CannotRead(Exception):
    """The history of a run says nothing here."""


async def untouched_start(
    client: Client, handle: WorkflowHandle[Any, Any], shape: type[Start]
) -> Start | None:
    """What a run was begun with, by its history; None where it has asked for any effect. Raises CannotRead of one that
    Temporal does not give, that is sealed with a key that is not here, or that begins with something else."""
    start: Start | None = None
    try:
        async for event in handle.fetch_history_events(rpc_timeout=ANSWER_WITHIN):
            if event.HasField("activity_task_scheduled_event_attributes"):
                return None
            if event.HasField("workflow_execution_started_event_attributes"):
                began = event.workflow_execution_started_event_attributes
                (start,) = await client.data_converter.decode(began.input.payloads, [shape])
    except (RPCError, SealBroken, ValueError, KeyError, RuntimeError) as error:
        raise CannotRead(str(error)) from error
    return start
