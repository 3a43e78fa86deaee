"""Counters of tries per account, address and in all, kept in the database so that every process sees them (promise 27)."""

import hashlib
from datetime import datetime, timedelta

from sqlalchemy import Index, Text, case, delete, func, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.base import Frozen


class ThrottleRow(Base):
    __tablename__ = "throttle"
    __table_args__ = (Index("ix_throttle_since", "since"),)

    kind: Mapped[str] = mapped_column(Text, primary_key=True)
    subject: Mapped[str] = mapped_column(Text, primary_key=True)
    since: Mapped[datetime] = mapped_column(server_default=func.now())
    tries: Mapped[int]


class Limit(Frozen):
    """At most `tries` of this kind per subject within `window`, counted from the first."""

    kind: str
    tries: int
    window: timedelta


async def count_try(session: AsyncSession, limit: Limit, subject: str) -> int | None:
    """Counts a try before it is made, atomically, so that parallel ones all count.

    Answers None while within the limit, else the seconds until the window ends. The caller commits at once.
    """
    fresh = ThrottleRow.since <= func.now() - limit.window
    row = insert(ThrottleRow).values(kind=limit.kind, subject=_digest(subject), tries=1)
    counted = await session.execute(
        row.on_conflict_do_update(
            index_elements=[ThrottleRow.kind, ThrottleRow.subject],
            set_={
                "tries": case((fresh, 1), else_=ThrottleRow.tries + 1),
                "since": case((fresh, func.now()), else_=ThrottleRow.since),
            },
        ).returning(ThrottleRow.tries, ThrottleRow.since + limit.window - func.now())
    )
    tries, left = counted.one()
    return None if tries <= limit.tries else max(1, int(left.total_seconds()))


async def give_back(
    session: AsyncSession, limit: Limit, subject: str, *, all_of: bool = False
) -> None:
    """Takes back the try that turned out right, or with `all_of` every try of the subject."""
    key = (ThrottleRow.kind == limit.kind, ThrottleRow.subject == _digest(subject))
    if all_of:
        await session.execute(delete(ThrottleRow).where(*key))
        return
    await session.execute(
        update(ThrottleRow).where(*key, ThrottleRow.tries > 0).values(tries=ThrottleRow.tries - 1)
    )


def _digest(subject: str) -> str:
    """Addresses of people are not kept in clear where nobody needs to read them."""
    return hashlib.sha256(subject.encode()).hexdigest()
