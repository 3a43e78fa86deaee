"""The reconciler's rounds: what each did and found, and what it looks for among devices and logs."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Identity, Index, Text, func, select, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.operations.operations import (
    UNDELIVERED_AFTER,
    Orphan,
    Pass,
    Undelivered,
)


class RunCheckRow(Base):
    """What the reconciler last found of an open run, so that one that has not moved is not asked again. `pending` holds
    the activities that have been tried too often."""

    __tablename__ = "run_check"
    __table_args__ = (
        Index("ix_run_check_pending", "run", postgresql_where=text("pending <> '[]'::jsonb")),
    )

    run: Mapped[str] = mapped_column(Text, primary_key=True)
    kind: Mapped[str] = mapped_column(Text)
    checked_at: Mapped[datetime] = mapped_column(server_default=func.now())
    temporal_run: Mapped[str | None] = mapped_column(Text)
    events: Mapped[int]
    rev: Mapped[int]
    row_at: Mapped[datetime]
    pending: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default="[]")


class ReconciliationRow(Base):
    """One round of the reconciler."""

    __tablename__ = "reconciliation"
    __table_args__ = (Index("ix_reconciliation_at", "at"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    at: Mapped[datetime] = mapped_column(server_default=func.now())
    took_ms: Mapped[int]
    looked: Mapped[int]
    asked: Mapped[int]
    repaired: Mapped[dict[str, int]] = mapped_column(JSONB)
    failed: Mapped[list[str]] = mapped_column(ARRAY(Text))


_ORPHANS = """
    select d.id, d.device_key, d.kind, d.flow_id, d.workflow_id, d.created_at
    from device_reservation d left join flow f on f.id = d.flow_id
    where d.released_at is null and (f.id is null or f.ended_at is not null)
    order by d.id limit :limit
"""


async def orphans(session: AsyncSession, *, limit: int = 50) -> tuple[Orphan, ...]:
    """Devices that are held by a run that has ended, or that nobody has seen. Oldest first."""
    rows = await session.execute(text(_ORPHANS), {"limit": limit})
    return tuple(Orphan.model_validate(dict(row)) for row in rows.mappings())


async def unmailed(session: AsyncSession) -> int:
    """Confirmations of orders that should be out by now."""
    found = await session.scalar(
        text("select count(*) from order_mail where created_at < now() - cast(:after as interval)"),
        {"after": UNDELIVERED_AFTER},
    )
    return int(found or 0)


async def undelivered(session: AsyncSession, *, limit: int = 50) -> tuple[Undelivered, ...]:
    """Logs that should have reached their runs by now. Oldest first."""
    rows = await session.execute(
        text(
            """
            select id, device_key, type, received_at from device_log
            where delivered_at is null and received_at < now() - cast(:after as interval)
            order by received_at limit :limit
            """
        ),
        {"after": UNDELIVERED_AFTER, "limit": limit},
    )
    return tuple(Undelivered.model_validate(dict(row)) for row in rows.mappings())


async def save_pass(session: AsyncSession, done: Pass) -> None:
    session.add(
        ReconciliationRow(
            at=done.at,
            took_ms=done.took_ms,
            looked=done.looked,
            asked=done.asked,
            repaired={str(name): count for name, count in done.repaired.items()},
            failed=list(done.failed),
        )
    )
    await session.flush()


async def last_pass(session: AsyncSession) -> Pass | None:
    row = await session.scalar(
        select(ReconciliationRow).order_by(ReconciliationRow.at.desc()).limit(1)
    )
    return Pass.model_validate(row, from_attributes=True) if row else None


async def repaired_within_a_day(session: AsyncSession) -> dict[str, int]:
    """Repair → how often."""
    rows = await session.execute(
        text(
            """
            select key, sum(cast(value as int)) from reconciliation, jsonb_each_text(repaired)
            where at > now() - interval '1 day' group by key order by key
            """
        )
    )
    return {name: int(count) for name, count in rows}
