"""Where each feed of the ERP was left, and who reads it.

Of several workers one reads a feed. It holds the place of the feed while the ERP is asked, in no transaction and on no
connection (decision 93). What was answered is written in a transaction that finds the place still held by its reader, so that
an older page never overwrites a newer one, however long the ERP took.
"""

import asyncio
import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Text, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Sessions

DOCUMENTS = "documents"
"""The feed of invoices and credit memos."""
HELD = timedelta(seconds=40)
"""Longer than a page takes. The place of a reader that was killed is free after that."""
LOOKS_EVERY = timedelta(seconds=0.2)


class ErpFeedRow(Base):
    """How far a feed of the ERP was read, and who reads it until when."""

    __tablename__ = "erp_feed"

    name: Mapped[str] = mapped_column(Text, primary_key=True)
    cursor: Mapped[str] = mapped_column(Text)
    read_at: Mapped[datetime] = mapped_column(server_default=func.now())
    held_by: Mapped[str | None] = mapped_column(Text)
    held_until: Mapped[datetime | None]


@dataclass(frozen=True)
class Place:
    """Held by one reader. `cursor` is where the feed was left, empty at its begin."""

    name: str
    cursor: str
    by: str

    async def is_still_held(self, session: AsyncSession) -> bool:
        """Locks it until the transaction ends. False where the ERP took so long that somebody else holds it, or has: what was read
        is not written."""
        mine = select(ErpFeedRow.name).where(
            ErpFeedRow.name == self.name, ErpFeedRow.held_by == self.by
        )
        return await session.scalar(mine.with_for_update()) is not None

    async def move(self, session: AsyncSession, cursor: str) -> None:
        await session.execute(
            update(ErpFeedRow)
            .where(ErpFeedRow.name == self.name)
            .values(cursor=cursor, read_at=func.now())
        )


@asynccontextmanager
async def held(
    sessions: Sessions, name: str, *, wait: timedelta = timedelta(0)
) -> AsyncGenerator[Place | None]:
    """The place of a feed, until the block ends; None while somebody else holds it, for as long as this one may `wait`."""
    by, until = secrets.token_hex(8), asyncio.get_running_loop().time() + wait.total_seconds()
    place = await _take(sessions, name, by)
    while place is None and asyncio.get_running_loop().time() < until:
        await asyncio.sleep(LOOKS_EVERY.total_seconds())
        place = await _take(sessions, name, by)
    try:
        yield place
    finally:
        if place is not None:
            # One that is not given back is free after its time.
            with suppress(SQLAlchemyError):
                await _give_back(sessions, place)


async def _take(sessions: Sessions, name: str, by: str) -> Place | None:
    async with sessions.begin() as session:
        # Looked for first: to insert what is there waits for who is writing it.
        there = select(ErpFeedRow.name).where(ErpFeedRow.name == name)
        if await session.scalar(there) is None:
            await session.execute(
                insert(ErpFeedRow).values(name=name, cursor="").on_conflict_do_nothing()
            )
        clock = func.clock_timestamp()
        free = (
            select(ErpFeedRow.name)
            .where(
                ErpFeedRow.name == name,
                or_(ErpFeedRow.held_until.is_(None), ErpFeedRow.held_until < clock),
            )
            .with_for_update(skip_locked=True)
        )
        if await session.scalar(free) is None:
            return None
        cursor = await session.scalar(
            update(ErpFeedRow)
            .where(ErpFeedRow.name == name)
            .values(held_by=by, held_until=clock + HELD)
            .returning(ErpFeedRow.cursor)
        )
    assert cursor is not None
    return Place(name=name, cursor=cursor, by=by)


async def _give_back(sessions: Sessions, place: Place) -> None:
    async with sessions.begin() as session:
        await session.execute(
            update(ErpFeedRow)
            .where(ErpFeedRow.name == place.name, ErpFeedRow.held_by == place.by)
            .values(held_by=None, held_until=None)
        )
