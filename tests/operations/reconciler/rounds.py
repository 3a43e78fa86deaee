"""A round of the reconciler, asked for at once instead of by its schedule; and what it leaves in the audit."""

import uuid
from collections import Counter
from typing import Any

from sqlalchemy import text

from activities.operations.reconciler import Bounds
from db.operations.audit_search import AuditQuery, search_audit
from domain.operations.operations import Pass, Repair
from tests.drivers.stage import Stage
from workflows.operations.reconciler import ReconcilerWorkflow


async def a_round(stage: Stage) -> Pass:
    """As many rounds as reach every open row: one looks at so many alone, and other tests leave theirs open."""
    still_open = int(await ask(stage, "select count(*) from flow where ended_at is null"))
    repaired: Counter[Repair] = Counter()
    done = await _one_round(stage)
    for _ in range(still_open // Bounds().looked):
        repaired.update(done.repaired)
        done = await _one_round(stage)
    return done.model_copy(update={"repaired": dict(repaired + Counter(done.repaired))})


async def _one_round(stage: Stage) -> Pass:
    return await stage.client.execute_workflow(
        ReconcilerWorkflow.run, id=f"round-{uuid.uuid4().hex}", task_queue=stage.task_queue
    )


async def change(stage: Stage, statement: str, **values: Any) -> None:
    """Causes a fault in our own rows."""
    async with stage.sessions.begin() as session:
        await session.execute(text(statement), values)


async def ask(stage: Stage, statement: str, **values: Any) -> Any:
    async with stage.sessions() as session:
        return await session.scalar(text(statement), values)


async def audited(stage: Stage, kind: str, object_id: str) -> list[tuple[str, dict[str, Any]]]:
    """Action and facts of what was done to it, newest first."""
    async with stage.sessions() as session:
        found = await search_audit(
            session, AuditQuery(object_kind=kind, object_id=object_id), limit=20
        )
    return [(entry.action, entry.more) for entry in found]
