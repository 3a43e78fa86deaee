"""Searching the audit, for administrators (promises 49 and 51)."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field, StringConstraints

from api.platform.border.queries import counted, or_default
from api.platform.deps import PortalDep, SignedIn
from api.platform.paging import pack, unpack
from db.base import reading
from db.operations.audit import Outcome
from db.operations.audit_search import AuditQuery, search_audit
from domain.base import Utc

router = APIRouter(prefix="/v1/audit", tags=["audit"])

Word = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=r"^[^\x00]*$"),
]


class Filters(BaseModel):
    """Each narrows; all texts are compared as a whole. `actor` is `user:ID`, `guest:…` or `anonymous`."""

    actor: Word | None = None
    acting_for: Word | None = None
    partner_code: Word | None = None
    action: Word | None = None
    object_kind: Word | None = None
    object_id: Word | None = None
    outcome: Annotated[Outcome | None, or_default(None)] = None
    request_id: Word | None = None
    since: Utc | None = None
    until: Utc | None = None
    limit: Annotated[int, Field(ge=1, le=100), counted(50, most=100)] = 50
    cursor: Annotated[str, StringConstraints(max_length=200)] | None = None


class Last(BaseModel):
    """Where a page of the audit ended."""

    id: Annotated[int, Field(ge=0, lt=2**63)]


class Entry(BaseModel):
    """Who did what, for whom, with what outcome; one that a later release has written is told by its word. `more` holds plain
    facts and never a secret."""

    id: int
    at: Utc
    actor: str
    acting_for: str | None
    partner_code: str | None
    action: str
    object_kind: str | None
    object_id: str | None
    outcome: Outcome | str
    request_id: str | None
    address: str | None
    more: dict[str, Any]


class Entries(BaseModel):
    """Newest first."""

    results: list[Entry]
    end_cursor: str | None


@router.get("")
async def list_audit(
    portal: PortalDep, actor: SignedIn, filters: Annotated[Filters, Query()]
) -> Entries:
    """What happened, newest first."""
    wanted = AuditQuery.model_validate(filters.model_dump(exclude={"limit", "cursor"}))
    before = unpack(filters.cursor, Last, "cursor").id if filters.cursor else None
    async with reading(portal.sessions) as session:
        rows = await search_audit(session, wanted, limit=filters.limit + 1, before=before)
    shown = rows[: filters.limit]
    more = len(rows) > filters.limit
    return Entries(
        results=[Entry.model_validate(row, from_attributes=True) for row in shown],
        end_cursor=pack(Last(id=shown[-1].id)) if more else None,
    )
