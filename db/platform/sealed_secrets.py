"""What a run must read once and never carry: pins, sealed, until they are used or their time is up."""

from datetime import datetime, timedelta

from sqlalchemy import Text, delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base

LIFE = timedelta(minutes=15)
"""Longer than any effect that reads one is tried."""


class SealedSecretRow(Base):
    __tablename__ = "sealed_secret"

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    flow_id: Mapped[str] = mapped_column(Text, index=True)
    sealed: Mapped[bytes]
    expires_at: Mapped[datetime]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


async def save_secret(
    session: AsyncSession, *, secret_id: str, flow_id: str, sealed: bytes
) -> None:
    """Keeps the first that comes under an id: a repeated request brings no second."""
    await session.execute(
        insert(SealedSecretRow)
        .values(id=secret_id, flow_id=flow_id, sealed=sealed, expires_at=func.now() + LIFE)
        .on_conflict_do_nothing()
    )


async def find_secret(session: AsyncSession, *, secret_id: str, flow_id: str) -> bytes | None:
    """While it is there and its time is not up."""
    return await session.scalar(
        select(SealedSecretRow.sealed).where(
            SealedSecretRow.id == secret_id,
            SealedSecretRow.flow_id == flow_id,
            SealedSecretRow.expires_at > func.now(),
        )
    )


async def forget_secret(session: AsyncSession, secret_id: str) -> None:
    await session.execute(delete(SealedSecretRow).where(SealedSecretRow.id == secret_id))
