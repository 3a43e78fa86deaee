"""What opens a run to a guest."""

from datetime import datetime, timedelta

from sqlalchemy import Text, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Executes


class GuestCapabilityRow(Base):
    """A guest's key to one run, kept as its hash."""

    __tablename__ = "guest_capability"

    hash: Mapped[str] = mapped_column(Text, primary_key=True)
    flow_id: Mapped[str] = mapped_column(Text, index=True)
    expires_at: Mapped[datetime]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


async def add_capability(
    session: AsyncSession, *, token_hash: str, flow_id: str, life: timedelta
) -> None:
    """It ends by the clock that it will be read by, the database's."""
    await session.execute(
        insert(GuestCapabilityRow)
        .values(hash=token_hash, flow_id=flow_id, expires_at=func.now() + life)
        .on_conflict_do_nothing()
    )


async def flow_of_capability(session: Executes, token_hash: str) -> str | None:
    """The run that a guest's capability opens, while it is valid."""
    return await session.scalar(
        select(GuestCapabilityRow.flow_id).where(
            GuestCapabilityRow.hash == token_hash, GuestCapabilityRow.expires_at > func.now()
        )
    )
