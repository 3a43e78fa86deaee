"""Browsers that a person trusts: they skip the second factor, never the first (promise 33)."""

import uuid
from datetime import datetime

from sqlalchemy import ColumnElement, ForeignKey, Index, Text, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from db.identity.security_stamp import Stamped, is_current, lock_stamp, stamp_of
from domain.identity.second_factor import MOST_TRUSTED, TRUST_LIFE, TrustedDevice


class TrustedDeviceRow(Stamped, Base):
    """`token_hash` is the SHA-256 (hex) of a 256-bit random token that only the browser keeps."""

    __tablename__ = "trusted_device"
    __table_args__ = (Index("ix_trusted_device_person_id", "person_id"),)

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"))
    token_hash: Mapped[str] = mapped_column(Text, unique=True)
    name: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    last_used_at: Mapped[datetime] = mapped_column(server_default=func.now())
    expires_at: Mapped[datetime]


async def trust_device(
    session: AsyncSession, person_id: str, token_hash: str, name: str
) -> TrustedDevice:
    """Trusted for 365 days. Of more than a person trusts at once that which was not used for longest goes."""
    await lock_stamp(session, person_id)
    row = TrustedDeviceRow(
        id=uuid.uuid4().hex,
        person_id=person_id,
        stamp=stamp_of(person_id),
        token_hash=token_hash,
        name=name,
        expires_at=func.now() + TRUST_LIFE,
    )
    session.add(row)
    await session.flush()
    await session.refresh(row)
    kept = (
        select(TrustedDeviceRow.id)
        .where(*_trusted_by(person_id))
        .order_by(TrustedDeviceRow.last_used_at.desc(), TrustedDeviceRow.id)
        .limit(MOST_TRUSTED)
    )
    await session.execute(
        delete(TrustedDeviceRow).where(
            TrustedDeviceRow.person_id == person_id, TrustedDeviceRow.id.not_in(kept)
        )
    )
    return TrustedDevice.model_validate(row, from_attributes=True)


async def is_trusted(session: AsyncSession, person_id: str, token_hash: str) -> bool:
    """Whether this browser is trusted for this very person; notes the use."""
    used = await session.execute(
        update(TrustedDeviceRow)
        .where(TrustedDeviceRow.token_hash == token_hash, *_trusted_by(person_id))
        .values(last_used_at=func.now())
        .returning(TrustedDeviceRow.id)
    )
    return used.one_or_none() is not None


async def has_trust(session: AsyncSession, person_id: str, token_hash: str) -> bool:
    """As `is_trusted`, for one who has proved nothing yet: the use is not noted."""
    query = select(TrustedDeviceRow.id).where(
        TrustedDeviceRow.token_hash == token_hash, *_trusted_by(person_id)
    )
    return await session.scalar(query) is not None


async def trusted_devices_of(
    session: AsyncSession, person_id: str, limit: int = 100
) -> tuple[TrustedDevice, ...]:
    """Those still trusted, the last used first."""
    rows = await session.scalars(
        select(TrustedDeviceRow)
        .where(*_trusted_by(person_id))
        .order_by(TrustedDeviceRow.last_used_at.desc(), TrustedDeviceRow.id)
        .limit(limit)
    )
    return tuple(TrustedDevice.model_validate(row, from_attributes=True) for row in rows)


async def forget_device(session: AsyncSession, person_id: str, device_id: str) -> bool:
    """Whether there was such a device of this person."""
    gone = await session.execute(
        delete(TrustedDeviceRow)
        .where(TrustedDeviceRow.id == device_id, TrustedDeviceRow.person_id == person_id)
        .returning(TrustedDeviceRow.id)
    )
    return gone.one_or_none() is not None


def _trusted_by(person_id: str) -> tuple[ColumnElement[bool], ...]:
    """Still trusted, and by this very person."""
    return (
        TrustedDeviceRow.person_id == person_id,
        TrustedDeviceRow.expires_at > func.now(),
        is_current(TrustedDeviceRow),
    )
