"""What people without an account write to us: kept first, mailed second."""

import uuid
from collections.abc import Collection
from datetime import datetime, timedelta
from enum import StrEnum

from sqlalchemy import CheckConstraint, Index, Text, func, select, text, update
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.base import Frozen


class InquiryKind(StrEnum):
    DEALER_REQUEST = "dealer_request"
    CONTACT_US = "contact_us"


LANGUAGE = "language"
"""Said beside the form's fields where it is not English."""
TAKEN_FOR = timedelta(minutes=2)
"""Longer than one mail may take."""


class InquiryRow(Base):
    """`said` holds the form's fields as they were typed. Until `taken_until` somebody is at it."""

    __tablename__ = "inquiry"
    __table_args__ = (
        CheckConstraint("kind in ('dealer_request', 'contact_us')", name="kind"),
        Index("ix_inquiry_unmailed", "created_at", postgresql_where=text("mailed_at is null")),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    kind: Mapped[str] = mapped_column(Text)
    reply_to: Mapped[str] = mapped_column(Text)
    said: Mapped[dict[str, str]] = mapped_column(JSONB)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    mailed_at: Mapped[datetime | None]
    taken_until: Mapped[datetime | None]


class Inquiry(Frozen):
    id: str
    kind: InquiryKind
    reply_to: str
    said: dict[str, str]


async def save_inquiry(
    session: AsyncSession, kind: InquiryKind, reply_to: str, said: dict[str, str]
) -> Inquiry:
    inquiry = Inquiry(id=uuid.uuid4().hex, kind=kind, reply_to=reply_to, said=said)
    session.add(InquiryRow(**inquiry.model_dump()))
    await session.flush()
    return inquiry


async def take_unmailed(session: AsyncSession, *, but: Collection[str] = ()) -> Inquiry | None:
    """The oldest that nobody has been told of, `but` for those with these ids: the caller's for a while, so that others
    leave it alone though nothing is locked."""
    waiting = (
        select(InquiryRow.id)
        .where(
            InquiryRow.mailed_at.is_(None),
            InquiryRow.id.not_in(but),
            func.coalesce(InquiryRow.taken_until, func.now()) <= func.now(),
        )
        .order_by(InquiryRow.created_at)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    row = await session.scalar(
        update(InquiryRow)
        .where(InquiryRow.id == waiting.scalar_subquery())
        .values(taken_until=func.now() + TAKEN_FOR)
        .returning(InquiryRow)
    )
    return None if row is None else Inquiry.model_validate(row, from_attributes=True)


async def put_back(session: AsyncSession, inquiry_id: str) -> None:
    """For the next look."""
    await session.execute(
        update(InquiryRow).where(InquiryRow.id == inquiry_id).values(taken_until=None)
    )


async def mark_mailed(session: AsyncSession, inquiry_id: str) -> None:
    await session.execute(
        update(InquiryRow).where(InquiryRow.id == inquiry_id).values(mailed_at=func.now())
    )
