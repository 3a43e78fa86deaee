"""What Temporal knows of the releases of one task queue, and how another one is made the current."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from temporalio.api.enums.v1 import TaskQueueType
from temporalio.api.taskqueue.v1 import TaskQueue
from temporalio.api.workflowservice.v1 import (
    DescribeTaskQueueRequest,
    DescribeWorkerDeploymentRequest,
    SetWorkerDeploymentCurrentVersionRequest,
)
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from domain.base import Frozen
from workflows.release import is_known

POLLED_WITHIN = timedelta(minutes=2)
"""A poller asks at least once a minute."""
_NOT_YET = frozenset(
    {RPCStatusCode.NOT_FOUND, RPCStatusCode.FAILED_PRECONDITION, RPCStatusCode.CANCELLED}
)
"""Temporal gives a change up, too, that another one came before."""
_PAUSE_SECONDS = 0.2


class NotKnownYet(Exception):
    """No worker of the release takes both tasks and effects."""

    def __init__(self, release: str) -> None:
        super().__init__(f"No worker of release {release} takes both tasks and effects yet.")


class Release(Frozen):
    """One release: whether schedules begin with it, how many workers of it ask for work, how many runs are its own."""

    name: str
    is_current: bool
    workers: int
    runs: int

    @property
    def is_deserted(self) -> bool:
        """Its runs wait for workers that are not there."""
        return self.runs > 0 and self.workers == 0


class Deployment:
    """The releases of one task queue. Raises RPCError while Temporal is away."""

    def __init__(self, client: Client, name: str) -> None:
        self.client = client
        self.name = name

    async def releases(self) -> Sequence[Release]:
        """All that Temporal remembers, by name; nothing where no worker ever had one."""
        try:
            described = await self.client.workflow_service.describe_worker_deployment(
                DescribeWorkerDeploymentRequest(
                    namespace=self.client.namespace, deployment_name=self.name
                ),
                retry=True,
            )
        except RPCError as error:
            if error.status is RPCStatusCode.NOT_FOUND:
                return ()
            raise
        info, workers = described.worker_deployment_info, await self._workers()
        current = info.routing_config.current_deployment_version.build_id
        names = sorted(one.deployment_version.build_id for one in info.version_summaries)
        return [
            Release(
                name=name,
                is_current=name == current,
                workers=workers.get(name, 0),
                runs=(await self.client.count_workflows(self.runs_of(name))).count,
            )
            for name in names
        ]

    def runs_of(self, release: str, *, other: bool = False) -> str:
        """A query for the runs under way of this release, or of any other."""
        sign = "!=" if other else "="
        return (
            f"TemporalWorkerDeployment = '{self.name}' AND ExecutionStatus = 'Running'"
            f" AND TemporalWorkerDeploymentVersion {sign} '{self.name}:{release}'"
        )

    async def runs_of_none(self) -> int:
        """Runs under way that belong to no release: begun before there was one, or a moment ago."""
        query = (
            f"TaskQueue = '{self.name}' AND ExecutionStatus = 'Running'"
            " AND TemporalWorkerDeployment IS NULL"
        )
        return (await self.client.count_workflows(query)).count

    async def make_current(self, release: str, *, within: timedelta) -> None:
        """Schedules begin with it from now on. Waits so long until its first worker is known for all it takes; then
        raises RPCError, or NotKnownYet. Idempotent."""
        request = SetWorkerDeploymentCurrentVersionRequest(
            namespace=self.client.namespace, deployment_name=self.name, build_id=release
        )
        give_up_at = datetime.now(UTC) + within
        while True:
            is_late = datetime.now(UTC) > give_up_at
            try:
                if await is_known(self.client, self.name, release):
                    set_current = self.client.workflow_service.set_worker_deployment_current_version
                    await set_current(request)
                    return
            except RPCError as error:
                if error.status not in _NOT_YET or is_late:
                    raise
            if is_late:
                raise NotKnownYet(release)
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _workers(self) -> dict[str, int]:
        described = await self.client.workflow_service.describe_task_queue(
            DescribeTaskQueueRequest(
                namespace=self.client.namespace,
                task_queue=TaskQueue(name=self.name),
                task_queue_type=TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
            )
        )
        oldest, workers = datetime.now(UTC) - POLLED_WITHIN, dict[str, int]()
        for poller in described.pollers:
            if poller.last_access_time.ToDatetime(tzinfo=UTC) > oldest:
                name = poller.deployment_options.build_id
                workers[name] = workers.get(name, 0) + 1
        return workers
