"""A round of the reconciler, asked for at once instead of by its schedule; and what it leaves in the audit."""

import uuid
from typing import Any

from sqlalchemy import text

from db.operations.audit_search import AuditQuery, search_audit
from domain.operations.operations import Pass
from tests.drivers.stage import Stage
from workflows.operations.reconciler import ReconcilerWorkflow


async def a_round(stage: Stage) -> Pass:
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


async def came_of(stage: Stage, kind: str, object_id: str) -> dict[str, str]:
    """Each action that was done to it, and its outcome."""
    wanted = AuditQuery(object_kind=kind, object_id=object_id)
    async with stage.sessions() as session:
        found = await search_audit(session, wanted, limit=20)
    return {entry.action: entry.outcome for entry in found}
