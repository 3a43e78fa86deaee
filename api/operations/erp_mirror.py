"""How our mirror stands to the ERP: the feed, what it set aside, and comparisons (decision 57). For administrators alone."""

import asyncio
from datetime import timedelta

from fastapi import APIRouter
from pydantic import BaseModel
from temporalio.common import WorkflowIDConflictPolicy, WorkflowIDReusePolicy
from temporalio.service import RPCError

from api.platform.deps import PortalDep, SignedIn, record_now
from api.platform.schemas import PathId
from db.base import reading
from db.operations import erp_mirror
from domain.base import Body
from domain.errors import NotFound, Unavailable
from domain.operations.erp_mirror import Comparison, Difference, FeedPlace, SetAside
from workflows.operations.erp_mirror import COMPARISON, ComparisonStart, ErpComparisonWorkflow

router = APIRouter(prefix="/v1/operations/erp", tags=["operations"])

SHOWN = 10
ANSWER_WITHIN = timedelta(seconds=3)
RETRY_AFTER = 2
NOW = f"{COMPARISON}-now"
"""The workflow id of a comparison that somebody asked for: one is under way at a time."""

ComparisonId = PathId


class ErpMirror(BaseModel):
    """`comparisons` are the latest 10, `aside` the oldest 200."""

    feed: list[FeedPlace]
    aside: list[SetAside]
    comparisons: list[Comparison]


class MirrorDifferences(BaseModel):
    """Those that need somebody first, no more than 200."""

    results: list[Difference]


class CompareBody(Body):
    """Nothing is said of it."""


class ComparisonStarted(BaseModel):
    workflow_id: str


@router.get("")
async def get_erp_mirror(portal: PortalDep, actor: SignedIn) -> ErpMirror:
    """Everything at a glance."""
    async with reading(portal.sessions) as session:
        return ErpMirror(
            feed=list(await erp_mirror.places(session)),
            aside=list(await erp_mirror.all_aside(session)),
            comparisons=list(await erp_mirror.comparisons(session, limit=SHOWN)),
        )


@router.get("/comparisons/{id}/differences")
async def list_erp_differences(
    portal: PortalDep, actor: SignedIn, id: ComparisonId
) -> MirrorDifferences:
    """What one comparison found."""
    async with reading(portal.sessions) as session:
        found = await erp_mirror.differences_of(session, id)
    if found is None:
        raise NotFound
    return MirrorDifferences(results=list(found))


@router.post("/comparisons", status_code=202)
async def compare_with_erp(
    portal: PortalDep, actor: SignedIn, body: CompareBody
) -> ComparisonStarted:
    """Begins a comparison, or joins the one that somebody asked for. Asked again it does no harm."""
    try:
        async with asyncio.timeout(ANSWER_WITHIN.total_seconds()):
            await portal.temporal.start_workflow(
                ErpComparisonWorkflow.run,
                ComparisonStart(),
                id=NOW,
                task_queue=portal.task_queue,
                id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
                id_reuse_policy=WorkflowIDReusePolicy.ALLOW_DUPLICATE,
                execution_timeout=timedelta(hours=8),
                static_summary="compares our mirror with the ERP, and repairs",
            )
    except (RPCError, TimeoutError, RuntimeError) as error:
        raise Unavailable(retry_after=RETRY_AFTER) from error
    await record_now(portal, actor, "comparison with the erp asked for")
    return ComparisonStarted(workflow_id=NOW)
