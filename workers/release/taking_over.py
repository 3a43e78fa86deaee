"""Runs of other releases go over to this one, each as soon as this one can carry it on (decision 73).

A run goes over when its whole history replays here and none of its effects is under way. What does not replay stays with
the release that can read it, whose workers end when nothing is left. No run is ended, and none is carried on by two.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import structlog
from google.protobuf.field_mask_pb2 import FieldMask
from temporalio.api.common.v1 import WorkflowExecution
from temporalio.api.deployment.v1 import WorkerDeploymentVersion
from temporalio.api.enums.v1 import PendingWorkflowTaskState
from temporalio.api.workflow.v1 import VersioningOverride, WorkflowExecutionOptions
from temporalio.api.workflowservice.v1 import UpdateWorkflowExecutionOptionsRequest
from temporalio.client import WorkflowExecutionDescription, WorkflowHandle, WorkflowHistory
from temporalio.service import RPCError, RPCStatusCode
from temporalio.worker import Replayer, UnsandboxedWorkflowRunner

from workers.release.deployment import Deployment

log = structlog.stdlib.get_logger()

AT_ONCE = 50
"""Runs whose histories are held in memory."""
PAUSE_SECONDS = 0.5


@dataclass
class TakenOver:
    """`taken` went over. Of the rest, by release and kind: `unread` do not replay here, `busy` were never found at rest."""

    taken: int = 0
    unread: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    busy: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])


@dataclass(frozen=True)
class _Found:
    """A run at rest of another release."""

    handle: WorkflowHandle[Any, Any]
    release: str
    kind: str
    history: WorkflowHistory


class TakingOver:
    """Of everything that other releases of `deployment` have under way, by `release`, whose workflows these are."""

    def __init__(self, deployment: Deployment, release: str, workflows: Sequence[type]) -> None:
        self._deployment = deployment
        self._client = deployment.client
        self._release = release
        self._replayer = Replayer(
            workflows=workflows,
            data_converter=self._client.data_converter,
            workflow_runner=UnsandboxedWorkflowRunner(),
        )
        self._unread: dict[str, tuple[str, str]] = {}
        """Run id → release and kind of what does not replay; its history only grows."""

    async def carry_out(self, *, within: timedelta) -> TakenOver:
        """Again and again until only such is left as does not replay here, or the time is over. Idempotent."""
        give_up_at, taken = datetime.now(UTC) + within, 0
        while True:
            one = await self._once()
            taken += one.taken
            if (not one.busy and not one.taken) or datetime.now(UTC) > give_up_at:
                return TakenOver(taken=taken, unread=one.unread, busy=one.busy)
            await asyncio.sleep(PAUSE_SECONDS)

    async def _once(self) -> TakenOver:
        result = TakenOver()
        async for batch in self._batches(result):
            histories = [found.history for found in batch]
            replayed = await self._replayer.replay_workflows(
                _each(histories), raise_on_replay_failure=False
            )
            for found in batch:
                if found.history.run_id in replayed.replay_failures:
                    self._unread[found.history.run_id] = (found.release, found.kind)
                    result.unread[found.release, found.kind] += 1
                elif await self._take(found):
                    result.taken += 1
                else:
                    result.busy[found.release, found.kind] += 1
        return result

    async def _batches(self, result: TakenOver) -> AsyncIterator[list[_Found]]:
        batch: list[_Found] = []
        query = self._deployment.runs_of(self._release, other=True)
        async for listed in self._client.list_workflows(query):
            if listed.run_id in self._unread:
                result.unread[self._unread[listed.run_id]] += 1
                continue
            handle = self._client.get_workflow_handle(listed.id, run_id=listed.run_id)
            history = await handle.fetch_history()
            # After the history, so that it tells of every effect that was begun by then.
            described = await handle.describe()
            release = _release_of(described)
            if described.close_time is not None or release == self._release:
                continue  # the list is a moment old
            if _is_busy(described) or described.history_length != len(history.events):
                result.busy[release, listed.workflow_type] += 1
                continue
            batch.append(_Found(handle, release, listed.workflow_type, history))
            if len(batch) == AT_ONCE:
                yield batch
                batch = []
        if batch:
            yield batch

    async def _take(self, found: _Found) -> bool:
        """Whether it is ours now. One that its own release carried on meanwhile is given back, and looked at again; not when
        this release has read that and carried it on."""
        if not await self._give(found.handle, self._release):
            return True
        described = await found.handle.describe()
        while _is_at_work(described):
            await asyncio.sleep(PAUSE_SECONDS / 10)
            described = await found.handle.describe()
        now = await found.handle.fetch_history()
        since = now.events[len(found.history.events) :]
        is_carried_on = any(_was_by(event, self._release) for event in since)
        if not is_carried_on and any(_was_by(event, found.release) for event in since):
            await self._give(found.handle, found.release)
            return False
        log.info("a run was taken over", workflow_id=found.handle.id, release=found.release)
        return True

    async def _give(self, handle: WorkflowHandle[Any, Any], release: str) -> bool:
        """False when it has ended."""
        pinned = VersioningOverride.PinnedOverride(
            behavior=VersioningOverride.PINNED_OVERRIDE_BEHAVIOR_PINNED,
            version=WorkerDeploymentVersion(
                deployment_name=self._deployment.name, build_id=release
            ),
        )
        try:
            await self._client.workflow_service.update_workflow_execution_options(
                UpdateWorkflowExecutionOptionsRequest(
                    namespace=self._client.namespace,
                    workflow_execution=WorkflowExecution(
                        workflow_id=handle.id, run_id=handle.run_id or ""
                    ),
                    workflow_execution_options=WorkflowExecutionOptions(
                        versioning_override=VersioningOverride(pinned=pinned)
                    ),
                    update_mask=FieldMask(paths=["versioning_override"]),
                )
            )
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise
            return False
        return True


async def _each(histories: Sequence[WorkflowHistory]) -> AsyncIterator[WorkflowHistory]:
    for history in histories:
        yield history


def _release_of(described: WorkflowExecutionDescription) -> str:
    """What it was given to last, else what it was last carried on by."""
    info = described.raw_description.workflow_execution_info.versioning_info
    given = info.versioning_override.pinned.version.build_id
    return given or info.deployment_version.build_id


def _is_at_work(described: WorkflowExecutionDescription) -> bool:
    """Whether a worker has a task of it in hand."""
    state = described.raw_description.pending_workflow_task.state
    return state == PendingWorkflowTaskState.PENDING_WORKFLOW_TASK_STATE_STARTED


def _is_busy(described: WorkflowExecutionDescription) -> bool:
    """An effect that one release began is read by its own worker, however often it is tried."""
    return _is_at_work(described) or bool(described.raw_description.pending_activities)


def _was_by(event: Any, release: str) -> bool:
    done = event.workflow_task_completed_event_attributes
    return (
        event.HasField("workflow_task_completed_event_attributes")
        and done.deployment_version.build_id == release
    )
