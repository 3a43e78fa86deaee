"""The worker process of the ceiling: `python -m bench.temporal_ceiling.worker <address> <task queue>`.

SDK defaults, sandbox included. `CEILING_MODEL=pydantic` for the portal's converter, `CEILING_RUNNER=passthrough` or
`unsandboxed` for other sandboxes.
"""

import asyncio
import os
import sys

from temporalio.client import Client
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.converter import DataConverter
from temporalio.worker import UnsandboxedWorkflowRunner, Worker, WorkflowRunner
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner, SandboxRestrictions

from bench.temporal_ceiling import flows


async def connect(address: str, model: str = "") -> Client:
    """A client with the converter of the model: `pydantic`, else the SDK's own."""
    converter = pydantic_data_converter if model == "pydantic" else DataConverter.default
    return await Client.connect(address, data_converter=converter)


async def serve(address: str, task_queue: str) -> None:
    """Until the process is ended."""
    client = await connect(address, os.environ.get("CEILING_MODEL", ""))
    worker = Worker(
        client,
        task_queue=task_queue,
        workflows=list(flows.SCENARIOS.values()),
        activities=[flows.step],
        workflow_runner=_runner(os.environ.get("CEILING_RUNNER", "sandbox")),
    )
    await worker.run()


def _runner(name: str) -> WorkflowRunner:
    if name == "unsandboxed":
        return UnsandboxedWorkflowRunner()
    if name == "passthrough":
        return SandboxedWorkflowRunner(
            restrictions=SandboxRestrictions.default.with_passthrough_modules("bench", "pydantic")
        )
    return SandboxedWorkflowRunner()


if __name__ == "__main__":
    asyncio.run(serve(*sys.argv[1:3]))
