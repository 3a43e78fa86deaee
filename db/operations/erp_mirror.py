"""How far the feed from the ERP was read, what it set aside, and what comparisons found (decision 57)."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

import orjson
from sqlalchemy import ForeignKey, Index, Text, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from db.billing.invoices.erp_places import ErpFeedRow, Place
from domain.operations.erp_mirror import (
    Comparison,
    Cursor,
    Difference,
    Feed,
    FeedPlace,
    MirrorDifferenceKind,
    Records,
    SetAside,
    Unreadable,
)

KEPT = timedelta(days=30)
"""How long a comparison is remembered."""
LISTED = 200


class ErpSetAsideRow(Base):
    """A record of the ERP that could not be mirrored, and why."""

    __tablename__ = "erp_set_aside"

    records: Mapped[str] = mapped_column(Text, primary_key=True)
    code: Mapped[str] = mapped_column(Text, primary_key=True)
    reason: Mapped[str] = mapped_column(Text)
    since: Mapped[datetime] = mapped_column(server_default=func.now())
    tried_at: Mapped[datetime] = mapped_column(server_default=func.now())


class ErpComparisonRow(Base):
    """One comparison of our mirror with the ERP."""

    __tablename__ = "erp_comparison"
    __table_args__ = (Index("ix_erp_comparison_began_at", "began_at"),)

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    began_at: Mapped[datetime] = mapped_column(server_default=func.now())
    ended_at: Mapped[datetime | None]
    compared: Mapped[int] = mapped_column(server_default="0")


class ErpDifferenceRow(Base):
    """What one of them found of one record."""

    __tablename__ = "erp_difference"

    comparison_id: Mapped[str] = mapped_column(
        ForeignKey("erp_comparison.id", ondelete="CASCADE"), primary_key=True
    )
    kind: Mapped[str] = mapped_column(Text, primary_key=True)
    code: Mapped[str] = mapped_column(Text, primary_key=True)
    theirs: Mapped[str] = mapped_column(Text)
    ours: Mapped[str] = mapped_column(Text)
    is_repaired: Mapped[bool]


def cursor_at(place: Place) -> Cursor:
    """Where the feed was left."""
    on, at, code = place.cursor.split("|", 2) if place.cursor else ("", "", "")
    return Cursor(on=on, at=at, code=code)


async def move_on(session: AsyncSession, place: Place, cursor: Cursor) -> None:
    await place.move(session, f"{cursor.on}|{cursor.at}|{cursor.code}" if cursor.on else "")


async def places(session: AsyncSession) -> tuple[FeedPlace, ...]:
    """When each feed was read last, and of when its last change is; those that were begun."""
    rows = await session.scalars(select(ErpFeedRow).where(ErpFeedRow.name.in_(list(Feed))))
    named = {row.name: row for row in rows}
    return tuple(
        FeedPlace(feed=feed, read_at=named[feed].read_at, until=_until(named[feed].cursor))
        for feed in Feed
        if feed in named
    )


def _until(stored: str) -> str:
    """The date and time of a cursor, however its feed writes it; of several the one that is furthest behind."""
    if not stored.startswith("{"):
        return " ".join(stored.split("|")[:2]).strip()
    cursor = orjson.loads(stored)
    several = [cursor] if "on" in cursor else list(cursor.values())
    return min((f"{one['on']} {one['at']}".strip() for one in several), default="")


async def set_aside(session: AsyncSession, records: Records, found: Iterable[Unreadable]) -> None:
    for one in found:
        row = insert(ErpSetAsideRow).values(records=records.value, code=one.code, reason=one.reason)
        await session.execute(
            row.on_conflict_do_update(
                index_elements=["records", "code"],
                set_={"reason": row.excluded.reason, "tried_at": func.now()},
            )
        )


async def take_back(session: AsyncSession, records: Records, codes: Sequence[str]) -> None:
    """These are mirrored, or the ERP has them no more."""
    await session.execute(
        delete(ErpSetAsideRow).where(
            ErpSetAsideRow.records == records.value, ErpSetAsideRow.code.in_(codes)
        )
    )


async def codes_aside(session: AsyncSession, records: Records, *, limit: int) -> tuple[str, ...]:
    """Those that were tried longest ago."""
    return tuple(
        await session.scalars(
            select(ErpSetAsideRow.code)
            .where(ErpSetAsideRow.records == records.value)
            .order_by(ErpSetAsideRow.tried_at, ErpSetAsideRow.code)
            .limit(limit)
        )
    )


async def all_aside(session: AsyncSession) -> tuple[SetAside, ...]:
    """The oldest first."""
    rows = await session.scalars(
        select(ErpSetAsideRow).order_by(ErpSetAsideRow.since, ErpSetAsideRow.code).limit(LISTED)
    )
    return tuple(SetAside.model_validate(row, from_attributes=True) for row in rows)


async def begin_comparison(session: AsyncSession, id: str) -> None:
    """Idempotent. Forgets those that are old."""
    await session.execute(insert(ErpComparisonRow).values(id=id).on_conflict_do_nothing())
    await session.execute(
        delete(ErpComparisonRow).where(ErpComparisonRow.began_at < func.now() - KEPT)
    )


async def save_differences(
    session: AsyncSession, id: str, found: Iterable[Difference], *, compared: int
) -> None:
    """Each once for its kind and code: found again after it was repaired, it was repaired."""
    await session.execute(
        update(ErpComparisonRow)
        .where(ErpComparisonRow.id == id)
        .values(compared=ErpComparisonRow.compared + compared)
    )
    for one in found:
        await session.execute(
            insert(ErpDifferenceRow)
            .values(comparison_id=id, **{**one.model_dump(), "kind": one.kind.value})
            .on_conflict_do_nothing()
        )


async def end_comparison(session: AsyncSession, id: str) -> None:
    await session.execute(
        update(ErpComparisonRow)
        .where(ErpComparisonRow.id == id, ErpComparisonRow.ended_at.is_(None))
        .values(ended_at=func.now())
    )


async def comparisons(session: AsyncSession, *, limit: int) -> tuple[Comparison, ...]:
    """The latest first."""
    rows = (
        await session.scalars(
            select(ErpComparisonRow)
            .order_by(ErpComparisonRow.began_at.desc(), ErpComparisonRow.id)
            .limit(limit)
        )
    ).all()
    counted = await session.execute(
        select(ErpDifferenceRow.comparison_id, ErpDifferenceRow.kind, func.count())
        .where(ErpDifferenceRow.comparison_id.in_([row.id for row in rows]))
        .group_by(ErpDifferenceRow.comparison_id, ErpDifferenceRow.kind)
    )
    by_kind: dict[str, dict[MirrorDifferenceKind, int]] = {}
    for id, kind, count in counted:
        by_kind.setdefault(id, {})[MirrorDifferenceKind(kind)] = count
    return tuple(
        Comparison(
            id=row.id,
            began_at=row.began_at,
            ended_at=row.ended_at,
            compared=row.compared,
            by_kind=by_kind.get(row.id, {}),
        )
        for row in rows
    )


async def differences_of(session: AsyncSession, id: str) -> tuple[Difference, ...] | None:
    """Those that need somebody first, no more than `LISTED`; None for an unknown comparison."""
    if await session.get(ErpComparisonRow, id) is None:
        return None
    rows = await session.scalars(
        select(ErpDifferenceRow)
        .where(ErpDifferenceRow.comparison_id == id)
        .order_by(ErpDifferenceRow.is_repaired, ErpDifferenceRow.kind, ErpDifferenceRow.code)
        .limit(LISTED)
    )
    return tuple(Difference.model_validate(row, from_attributes=True) for row in rows)
