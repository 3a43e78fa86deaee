"""Alive and ready, told apart (promise 52)."""

import asyncio
from collections.abc import Awaitable
from datetime import UTC, datetime, timedelta
from typing import Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine
from temporalio.api.enums.v1 import TaskQueueType
from temporalio.api.taskqueue.v1 import TaskQueue
from temporalio.api.workflowservice.v1 import DescribeTaskQueueRequest
from temporalio.client import Client

from api.platform.border.database_watch import DatabaseWatch
from api.platform.deps import PortalDep
from db.platform.revisions import Revision, revision_of
from workflows.release import OwnRelease

LIMIT_SECONDS = 2.0
POLLED_WITHIN = timedelta(seconds=90)
"""A worker's long poll lasts 60 s; one that polled longer ago is gone."""

router = APIRouter(tags=["operations"])


class Alive(BaseModel):
    alive: Literal[True] = True


class Check(BaseModel):
    """`detail` is for people and names no address."""

    state: Literal["ok", "down"]
    detail: str


class Readiness(BaseModel):
    """The four things that the portal needs, each with its state."""

    ready: bool
    database: Check
    migrations: Check
    temporal: Check
    worker: Check


@router.get("/healthz")
async def healthz() -> Alive:
    """The process answers."""
    return Alive()


@router.get(
    "/readyz",
    responses={503: {"model": Readiness, "description": "Something is missing, and named"}},
)
async def readyz(portal: PortalDep, response: Response) -> Readiness:
    """Whether everything is there. 503 with the same body when something is missing."""
    watch = portal.database_watch
    database, migrations, temporal, worker = await asyncio.gather(
        _checked(_database(portal.engine, watch)),
        _checked(_migrations(portal.engine, watch)),
        _checked(_temporal(portal.temporal)),
        _checked(_worker(portal.temporal, portal.task_queue, portal.own_release)),
    )
    ready = all(check.state == "ok" for check in (database, migrations, temporal, worker))
    if not ready:
        response.status_code = 503
    return Readiness(
        ready=ready, database=database, migrations=migrations, temporal=temporal, worker=worker
    )


class _Missing(Exception):
    """A check's own finding."""


async def _checked(check: Awaitable[str]) -> Check:
    try:
        async with asyncio.timeout(LIMIT_SECONDS):
            return Check(state="ok", detail=await check)
    except _Missing as missing:
        return Check(state="down", detail=str(missing))
    except TimeoutError:
        return Check(state="down", detail="no answer in time")
    except Exception as error:  # whatever is wrong is the answer
        return Check(state="down", detail=type(error).__name__)


async def _database(engine: AsyncEngine, watch: DatabaseWatch) -> str:
    _answering(watch)
    async with engine.connect() as connection:
        await connection.execute(text("select 1"))
    return "answers"


async def _migrations(engine: AsyncEngine, watch: DatabaseWatch) -> str:
    _answering(watch)
    async with engine.connect() as connection:
        rows = await connection.execute(text("select version_num from alembic_version"))
        found = set(rows.scalars())
    standing = revision_of(found)
    if standing is Revision.older:
        raise _Missing("the database is not at the newest revision")
    return f"{standing} revision"


def _answering(watch: DatabaseWatch) -> None:
    """A query of a database that hangs cannot be given up in time."""
    if watch.is_hung:
        raise _Missing("no answer in time")


async def _temporal(client: Client) -> str:
    healthy = await client.service_client.check_health(
        timeout=timedelta(seconds=LIMIT_SECONDS), retry=False
    )
    if not healthy:
        raise _Missing("not serving")
    return "serving"


async def _worker(client: Client, task_queue: str, release: OwnRelease) -> str:
    """Where releases have names, only a worker of our own carries on what begins here."""
    described = await client.workflow_service.describe_task_queue(
        DescribeTaskQueueRequest(
            namespace=client.namespace,
            task_queue=TaskQueue(name=task_queue),
            task_queue_type=TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
        ),
        timeout=timedelta(seconds=LIMIT_SECONDS),
    )
    oldest = datetime.now(UTC) - POLLED_WITHIN
    polling = [
        poller
        for poller in described.pollers
        if poller.last_access_time.ToDatetime(tzinfo=UTC) > oldest
        and release.name in ("", poller.deployment_options.build_id)
    ]
    if not polling:
        raise _Missing(f"no worker of {release.name} polls" if release.name else "no worker polls")
    if release.name and not await release.is_known():
        raise _Missing(f"Temporal does not know all yet that workers of {release.name} take")
    return f"{len(polling)} polling"
