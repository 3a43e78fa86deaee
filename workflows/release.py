"""Which release of the portal a process is of, and that what it begins stays with that release (decision 73).

A release is a version of one worker deployment, which is named as its task queue. An empty name means that there is one
release at a time, as on a developer's machine: then any worker takes any run.
"""

from typing import Any

from temporalio.api.deployment.v1 import WorkerDeploymentVersion as Version
from temporalio.api.enums.v1 import TaskQueueType
from temporalio.api.workflowservice.v1 import DescribeWorkerDeploymentVersionRequest
from temporalio.client import (
    Client,
    Interceptor,
    OutboundInterceptor,
    StartWorkflowInput,
    StartWorkflowUpdateWithStartInput,
    WorkflowHandle,
    WorkflowUpdateHandle,
)
from temporalio.common import PinnedVersioningOverride, VersioningBehavior, WorkerDeploymentVersion
from temporalio.service import RPCError, RPCStatusCode
from temporalio.worker import WorkerDeploymentConfig

_BOTH = frozenset({TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW, TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY})


def version_of(deployment: str, release: str) -> WorkerDeploymentVersion:
    return WorkerDeploymentVersion(deployment_name=deployment, build_id=release)


def taking_part(deployment: str, release: str) -> WorkerDeploymentConfig | None:
    """How a worker of the release asks for work: a run that its release began is its own until it is taken over."""
    if not release:
        return None
    return WorkerDeploymentConfig(
        version=version_of(deployment, release),
        use_worker_versioning=True,
        default_versioning_behavior=VersioningBehavior.PINNED,
    )


async def is_known(client: Client, deployment: str, release: str) -> bool:
    """Whether Temporal knows that workers of the release take tasks of runs and effects alike. It learns of the two one
    after the other, and until it knows of both it gives effects of the release's runs to the current one."""
    try:
        described = await client.workflow_service.describe_worker_deployment_version(
            DescribeWorkerDeploymentVersionRequest(
                namespace=client.namespace,
                deployment_version=Version(deployment_name=deployment, build_id=release),
            )
        )
    except RPCError as error:
        if error.status is RPCStatusCode.NOT_FOUND:
            return False
        raise
    queues = described.version_task_queues
    return {queue.type for queue in queues if queue.name == deployment} >= _BOTH


class OwnRelease:
    """The release that a process is of."""

    def __init__(self, client: Client, deployment: str, name: str) -> None:
        self.name = name
        self._client = client
        self._deployment = deployment
        self._is_known = False

    async def is_known(self) -> bool:
        """As `is_known`, asked until it is so: Temporal forgets no release that has workers."""
        self._is_known = self._is_known or await is_known(self._client, self._deployment, self.name)
        return self._is_known


def begins_with(deployment: str, release: str) -> tuple[Interceptor, ...]:
    """For a client: what it begins is read by the release that wrote it, whichever one is current."""
    return (_BeginsWith(version_of(deployment, release)),) if release else ()


class _BeginsWith(Interceptor):
    def __init__(self, version: WorkerDeploymentVersion) -> None:
        self._version = version

    def intercept_client(self, next: OutboundInterceptor) -> OutboundInterceptor:
        return _Pinning(next, self._version)


class _Pinning(OutboundInterceptor):
    def __init__(self, next: OutboundInterceptor, version: WorkerDeploymentVersion) -> None:
        super().__init__(next)
        self._version = version

    async def start_workflow(self, input: StartWorkflowInput) -> WorkflowHandle[Any, Any]:
        if input.task_queue == self._version.deployment_name:
            input.versioning_override = PinnedVersioningOverride(self._version)
        return await super().start_workflow(input)

    async def start_update_with_start_workflow(
        self, input: StartWorkflowUpdateWithStartInput
    ) -> WorkflowUpdateHandle[Any]:
        start = input.start_workflow_input
        if start.task_queue == self._version.deployment_name:
            start.versioning_override = PinnedVersioningOverride(self._version)
        return await super().start_update_with_start_workflow(input)
