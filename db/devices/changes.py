"""Changes of devices beside their activations: noted before the network is asked, until somebody has recorded what came of them
(decision 19)."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Text, delete, func, select
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.devices.changes import BegunChange
from domain.identity.people import Actor


class DeviceChangeRow(Base):
    """`key` is that of the effect at the network. Whose it is and what is said of it go into the record as they are."""

    __tablename__ = "device_change"

    key: Mapped[str] = mapped_column(Text, primary_key=True)
    device_key: Mapped[str] = mapped_column(Text)
    action: Mapped[str] = mapped_column(Text)
    actor: Mapped[str] = mapped_column(Text)
    acting_for: Mapped[str | None] = mapped_column(Text)
    partner_code: Mapped[str | None] = mapped_column(Text)
    request_id: Mapped[str | None] = mapped_column(Text)
    more: Mapped[dict[str, Any]] = mapped_column(JSONB)
    begun_at: Mapped[datetime] = mapped_column(server_default=func.now())


async def begin_change(
    session: AsyncSession,
    actor: Actor,
    *,
    key: str,
    device_key: str,
    action: str,
    more: Mapping[str, Any] | None,
) -> None:
    """From now on somebody will record what came of it. Idempotent by `key`."""
    noted = insert(DeviceChangeRow).values(
        key=key,
        device_key=device_key,
        action=action,
        actor=actor.key,
        acting_for=actor.impersonated.id if actor.impersonated else None,
        partner_code=actor.business_code,
        request_id=actor.request_id,
        more=dict(more or {}),
    )
    await session.execute(noted.on_conflict_do_nothing())


async def end_change(session: AsyncSession, key: str) -> bool:
    """Its outcome is recorded in the caller's transaction. False where somebody else has done so."""
    ended = delete(DeviceChangeRow).where(DeviceChangeRow.key == key)
    return await session.scalar(ended.returning(DeviceChangeRow.key)) is not None


async def changes_left(
    session: AsyncSession, *, after: timedelta, limit: int
) -> tuple[BegunChange, ...]:
    """Those that were begun so long ago and that nobody has recorded, the oldest first."""
    rows = await session.scalars(
        select(DeviceChangeRow)
        .where(DeviceChangeRow.begun_at < func.now() - after)
        .order_by(DeviceChangeRow.begun_at)
        .limit(limit)
    )
    return tuple(BegunChange.model_validate(row, from_attributes=True) for row in rows)
