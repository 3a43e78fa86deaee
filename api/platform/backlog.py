"""What waits in the task queue, as Temporal counts it; asked at most every few seconds, whoever looks."""

import asyncio
import time
from datetime import UTC, datetime, timedelta

import structlog
from pydantic import BaseModel
from temporalio.api.enums.v1 import TaskQueueType
from temporalio.api.taskqueue.v1 import TaskQueue
from temporalio.api.workflowservice.v1 import DescribeTaskQueueRequest
from temporalio.client import Client
from temporalio.service import RPCError

log = structlog.stdlib.get_logger()

ASKED_EVERY_SECONDS = 3.0
LIMIT = timedelta(seconds=2)
POLLED_WITHIN = timedelta(seconds=90)


class Waiting(BaseModel):
    """Tasks of one kind. `oldest_seconds` is how long the first of them has waited."""

    tasks: int
    oldest_seconds: float
    pollers: int


class Backlog(BaseModel):
    """`releases` are those with workers at work, by name; none where a release has no name."""

    workflow_tasks: Waiting
    activities: Waiting
    releases: list[str]


class BacklogMonitor:
    """`look` answers nothing while Temporal is away."""

    def __init__(self, client: Client, task_queue: str) -> None:
        self._client = client
        self._task_queue = task_queue
        self._seen: Backlog | None = None
        self._seen_at = -ASKED_EVERY_SECONDS
        self._asking = asyncio.Lock()

    async def look(self) -> Backlog | None:
        async with self._asking:
            if time.monotonic() - self._seen_at >= ASKED_EVERY_SECONDS:
                self._seen, self._seen_at = await self._ask(), time.monotonic()
        return self._seen

    async def _ask(self) -> Backlog | None:
        try:
            async with asyncio.timeout(LIMIT.total_seconds()):
                tasks, ours = await self._waiting(TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW)
                effects, _ = await self._waiting(TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY)
                return Backlog(workflow_tasks=tasks, activities=effects, releases=sorted(ours))
        except (RPCError, RuntimeError, TimeoutError) as error:
            log.info("the task queue could not be looked at", kind=type(error).__name__)
            return None

    async def _waiting(self, kind: TaskQueueType.ValueType) -> tuple[Waiting, set[str]]:
        """And the names of the releases whose workers ask for such tasks."""
        described = await self._client.workflow_service.describe_task_queue(
            DescribeTaskQueueRequest(
                namespace=self._client.namespace,
                task_queue=TaskQueue(name=self._task_queue),
                task_queue_type=kind,
                report_stats=True,
            ),
            timeout=LIMIT,
        )
        oldest = datetime.now(UTC) - POLLED_WITHIN
        polling = [
            poller
            for poller in described.pollers
            if poller.last_access_time.ToDatetime(tzinfo=UTC) > oldest
        ]
        stats = described.stats
        waiting = Waiting(
            tasks=stats.approximate_backlog_count,
            oldest_seconds=stats.approximate_backlog_age.ToTimedelta().total_seconds(),
            pollers=len(polling),
        )
        named = {
            poller.deployment_options.build_id
            for poller in polling
            if poller.deployment_options.deployment_name == self._task_queue
        }
        return waiting, named
