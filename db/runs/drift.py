"""Pages that were found older than a run: each thing that one lacked, once for each run."""

from datetime import datetime

from sqlalchemy import Index, Text, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.runs.drift import Drift

MOST = 1000
"""No figure of the operators' page counts further."""


class DriftRow(Base):
    __tablename__ = "chart_drift"
    __table_args__ = (Index("ix_chart_drift_at", "at"),)

    flow_id: Mapped[str] = mapped_column(Text, primary_key=True)
    what: Mapped[str] = mapped_column(Text, primary_key=True)
    name: Mapped[str] = mapped_column(Text, primary_key=True)
    kind: Mapped[str] = mapped_column(Text)
    version: Mapped[int]
    rev: Mapped[int]
    state: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(server_default=func.now())


async def save_drift(session: AsyncSession, drift: Drift) -> None:
    """Idempotent: the same page, open twice, says it once."""
    values = drift.model_dump(exclude={"id"}) | {"flow_id": drift.id}
    await session.execute(insert(DriftRow).values(values).on_conflict_do_nothing())


async def drifts_within_a_day(session: AsyncSession) -> int:
    recent = (
        select(DriftRow.flow_id)
        .where(DriftRow.at > func.now() - func.make_interval(0, 0, 0, 1))
        .limit(MOST)
        .subquery()
    )
    return int(await session.scalar(select(func.count()).select_from(recent)) or 0)
