"""Reading the audit back."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from db.operations.audit import AuditRow, Outcome
from domain.base import Frozen, Utc

_EQUAL = (
    "actor",
    "acting_for",
    "partner_code",
    "action",
    "object_kind",
    "object_id",
    "outcome",
    "request_id",
)


class AuditQuery(Frozen):
    """Each field that is set narrows. `since` is included, `until` is not."""

    actor: str | None = None
    acting_for: str | None = None
    partner_code: str | None = None
    action: str | None = None
    object_kind: str | None = None
    object_id: str | None = None
    outcome: Outcome | None = None
    request_id: str | None = None
    since: Utc | None = None
    until: Utc | None = None


async def search_audit(
    session: AsyncSession, wanted: AuditQuery, *, limit: int, before: int | None = None
) -> Sequence[AuditRow]:
    """Entries newest first, those with ids under `before`."""
    query = select(AuditRow).order_by(AuditRow.id.desc()).limit(limit)
    for name in _EQUAL:
        value = getattr(wanted, name)
        if value is not None:
            query = query.where(getattr(AuditRow, name) == value)
    if wanted.since is not None:
        query = query.where(AuditRow.at >= wanted.since)
    if wanted.until is not None:
        query = query.where(AuditRow.at < wanted.until)
    if before is not None:
        query = query.where(AuditRow.id < before)
    return (await session.scalars(query)).all()
