"""A round of the feed and a comparison for every branch, as the schedules begin them."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import httpx
from temporalio.client import WorkflowHandle

from tests.drivers.factories import a_name
from tests.drivers.outside.erp_records import ErpDesk, a_business, an_item
from tests.drivers.stage import SIMULATED, Stage
from workflows.operations.erp_mirror import (
    ComparisonStart,
    ErpComparisonWorkflow,
    ErpFeedWorkflow,
)
from workflows.operations.rounds import Rounds

Handle = WorkflowHandle[Any, Any]
Story = Callable[[Stage], Awaitable[Handle]]

TWICE = Rounds(every=timedelta(milliseconds=500), lasts=timedelta(milliseconds=600))
_ONE_AT_A_TIME = asyncio.Lock()
"""The ERP that is away is away for all of them."""


def desk_of(stage: Stage) -> ErpDesk:
    return ErpDesk(httpx.AsyncClient(transport=httpx.ASGITransport(stage.app), base_url=SIMULATED))


async def feed(stage: Stage, rounds: Rounds | None = None) -> Handle:
    handle = await stage.client.start_workflow(
        ErpFeedWorkflow.run,
        rounds,
        id=f"erp-feed-{uuid.uuid4().hex}",
        task_queue=stage.task_queue,
    )
    await handle.result()
    return handle


async def comparison(stage: Stage) -> Handle:
    handle = await stage.client.start_workflow(
        ErpComparisonWorkflow.run,
        ComparisonStart(),
        id=f"erp-comparison-{uuid.uuid4().hex}",
        task_queue=stage.task_queue,
    )
    await handle.result()
    return handle


async def delivered(stage: Stage) -> Handle:
    async with _ONE_AT_A_TIME:
        desk, code = desk_of(stage), a_name()[:8].upper()
        await desk.name_numbers()
        await desk.put("Items", *(an_item(f"{code}-{number}") for number in range(101)))
        await desk.put("BusinessPartners", a_business(code))
        return await feed(stage)


async def away(stage: Stage) -> Handle:
    """For the businesses, and back for the articles."""
    async with _ONE_AT_A_TIME:
        await desk_of(stage).turn(failures=2)
        return await feed(stage)


async def twice(stage: Stage) -> Handle:
    async with _ONE_AT_A_TIME:
        return await feed(stage, TWICE)


async def compared(stage: Stage) -> Handle:
    async with _ONE_AT_A_TIME:
        return await comparison(stage)


ERP_FEED: dict[str, Story] = {"delivered": delivered, "away": away, "twice": twice}
ERP_COMPARISON: dict[str, Story] = {"compared": compared}
