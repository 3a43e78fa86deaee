"""Differences as they were found, repaired, and settled by operators."""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import CheckConstraint, Index, Numeric, Text, case, func, select, text, update
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.billing.reconciliation.differences import (
    Difference,
    DifferenceEnded,
    DifferenceKind,
    DifferenceMissing,
    DifferenceState,
    KnownDifference,
    Part,
)

MOST_COUNTED = 1000


class DifferenceRow(Base):
    """`round_id` is the last round that found it."""

    __tablename__ = "reconciliation_difference"
    __table_args__ = (
        CheckConstraint("state in ('open', 'repaired', 'settled', 'gone')", name="state"),
        CheckConstraint("(state = 'open') = (ended_at is null)", name="ended"),
        Index("ix_reconciliation_difference_state", "state", "found_at", "id"),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    kind: Mapped[str] = mapped_column(Text)
    part: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(Text)
    subject: Mapped[str] = mapped_column(Text)
    about: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    partner_code: Mapped[str | None] = mapped_column(Text)
    here: Mapped[str] = mapped_column(Text)
    there: Mapped[str] = mapped_column(Text)
    amount: Mapped[Decimal | None] = mapped_column(Numeric(14, 2))
    charge_id: Mapped[str | None] = mapped_column(Text)
    round_id: Mapped[str] = mapped_column(Text)
    found_at: Mapped[datetime] = mapped_column(server_default=func.now())
    ended_at: Mapped[datetime | None]
    settled_by: Mapped[str | None] = mapped_column(Text)
    note: Mapped[str | None] = mapped_column(Text)


async def save_differences(
    session: AsyncSession, round_id: str, part: Part, found: Iterable[Difference]
) -> None:
    """Opens what is new; what was repaired or gone and is there again is open again. What an operator has settled stays so.
    Idempotent."""
    values = [
        {
            "id": one.id,
            "part": part.value,
            "state": DifferenceState.OPEN.value,
            "round_id": round_id,
            **one.model_dump(exclude={"kind", "about"}),
            "kind": one.kind.value,
            "about": [about.model_dump() for about in one.about],
        }
        for one in {one.id: one for one in found}.values()
    ]
    if not values:
        return
    asked = insert(DifferenceRow).values(values)
    is_resolved = DifferenceRow.state == DifferenceState.SETTLED.value
    is_open = DifferenceRow.state == DifferenceState.OPEN.value
    await session.execute(
        asked.on_conflict_do_update(
            index_elements=[DifferenceRow.id],
            set_={
                "round_id": round_id,
                "state": DifferenceState.OPEN.value,
                "ended_at": None,
                "found_at": case((is_open, DifferenceRow.found_at), else_=func.now()),
            },
            where=~is_resolved,
        )
    )


async def mark_repaired(session: AsyncSession, difference_id: str) -> bool:
    """Whether it was open."""
    return await _end(session, difference_id, DifferenceState.REPAIRED)


async def clear_gone(session: AsyncSession, round_id: str, parts: Iterable[Part]) -> int:
    """Ends what these parts did not find any more."""
    ended = await session.scalars(
        update(DifferenceRow)
        .where(
            DifferenceRow.state == DifferenceState.OPEN.value,
            DifferenceRow.part.in_([part.value for part in parts]),
            DifferenceRow.round_id != round_id,
        )
        .values(state=DifferenceState.GONE.value, ended_at=func.now())
        .returning(DifferenceRow.id)
    )
    return len(list(ended))


async def resolve_difference(
    session: AsyncSession, difference_id: str, *, by: str, note: str
) -> KnownDifference:
    """Raises DifferenceMissing, DifferenceEnded."""
    if await find_difference(session, difference_id) is None:
        raise DifferenceMissing
    if not await _end(session, difference_id, DifferenceState.SETTLED, settled_by=by, note=note):
        raise DifferenceEnded
    known = await find_difference(session, difference_id)
    assert known is not None
    return known


async def find_difference(session: AsyncSession, difference_id: str) -> KnownDifference | None:
    row = await session.get(DifferenceRow, difference_id, populate_existing=True)
    return _known(row) if row else None


async def list_differences(
    session: AsyncSession,
    state: DifferenceState,
    *,
    kind: DifferenceKind | None = None,
    limit: int,
    before: tuple[datetime, str] | None = None,
) -> tuple[KnownDifference, ...]:
    """The latest found first. `before` is the (found_at, id) of the last of the page before."""
    kinds = (kind,) if kind is not None else tuple(DifferenceKind)
    query = select(DifferenceRow).where(
        DifferenceRow.state == state.value, DifferenceRow.kind.in_(kinds)
    )
    if before is not None:
        at, id_ = before
        query = query.where(
            (DifferenceRow.found_at < at)
            | ((DifferenceRow.found_at == at) & (DifferenceRow.id < id_))
        )
    rows = await session.scalars(
        query.order_by(DifferenceRow.found_at.desc(), DifferenceRow.id.desc()).limit(limit)
    )
    return tuple(_known(row) for row in rows)


async def count_open(session: AsyncSession) -> dict[DifferenceKind, int]:
    """Open ones by kind, of those that this release knows; no further than 1,000 in all."""
    listed = (
        select(DifferenceRow.kind)
        .where(DifferenceRow.state == DifferenceState.OPEN.value)
        .limit(MOST_COUNTED)
        .subquery()
    )
    rows = await session.execute(
        select(listed.c.kind, func.count()).group_by(listed.c.kind).order_by(text("2 desc, 1"))
    )
    known = set(DifferenceKind)
    return {DifferenceKind(kind): count for kind, count in rows if kind in known}


async def _end(
    session: AsyncSession, difference_id: str, state: DifferenceState, **more: str
) -> bool:
    ended = await session.scalar(
        update(DifferenceRow)
        .where(DifferenceRow.id == difference_id, DifferenceRow.state == DifferenceState.OPEN.value)
        .values(state=state.value, ended_at=func.now(), **more)
        .returning(DifferenceRow.id)
    )
    return ended is not None


def _known(row: DifferenceRow) -> KnownDifference:
    return KnownDifference.model_validate(row, from_attributes=True)
