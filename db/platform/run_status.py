"""Where a run stands, in a table of its own that others read."""

from datetime import datetime
from typing import Any

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute


async def move(
    session: AsyncSession,
    key: InstrumentedAttribute[str],
    id_: str,
    *,
    rev: int,
    at: datetime,
    ended: bool,
    **columns: Any,
) -> bool:
    """Writes where it stands; `key` is the column of the table that names it. Idempotent; a late older `rev` changes nothing and
    answers False."""
    table: Any = key.class_
    moved = await session.scalar(
        update(table)
        .where(key == id_, table.rev < rev)
        .values(rev=rev, updated_at=at, ended_at=at if ended else None, **columns)
        .returning(key)
    )
    return moved is not None
