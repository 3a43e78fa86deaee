"""How third parties answer, as each of our processes counts it."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Text, func, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.operations.operations import (
    ThirdParty,
)
from domain.operations.retrying import Part, PartState


class ThirdPartyRow(Base):
    """How an outside system answered one process, by its own count."""

    __tablename__ = "third_party"

    system: Mapped[str] = mapped_column(Text, primary_key=True)
    process: Mapped[str] = mapped_column(Text, primary_key=True)
    seen_at: Mapped[datetime] = mapped_column(server_default=func.now())
    calls: Mapped[int]
    failures: Mapped[int]
    last_ok_at: Mapped[datetime | None]
    last_failed_at: Mapped[datetime | None]
    reason: Mapped[str | None] = mapped_column(Text)


async def save_third_parties(session: AsyncSession, seen: Iterable[ThirdParty]) -> None:
    """Writes what one process has counted so far."""
    for each in seen:
        values = each.model_dump()
        await session.execute(
            insert(ThirdPartyRow)
            .values(**values, seen_at=func.now())
            .on_conflict_do_update(
                index_elements=["system", "process"], set_={**values, "seen_at": func.now()}
            )
        )


async def third_parties(session: AsyncSession) -> tuple[ThirdParty, ...]:
    """What was counted by processes that wrote within the last quarter of an hour."""
    rows = await session.scalars(
        select(ThirdPartyRow)
        .where(ThirdPartyRow.seen_at > func.now() - text("interval '15 minutes'"))
        .order_by(ThirdPartyRow.system, ThirdPartyRow.process)
    )
    return tuple(ThirdParty.model_validate(row, from_attributes=True) for row in rows)


_PARTS = {str(part): part for part in Part}


async def part_states(session: AsyncSession) -> dict[Part, PartState]:
    """How each part answered of late, of all our processes together."""
    states: dict[Part, PartState] = {}
    for one in await third_parties(session):
        part = _PARTS.get(one.system)
        if part is None:
            continue
        known = states.get(part) or PartState(name=part)
        ok, failed = _later(known.last_ok_at, one.last_ok_at), one.last_failed_at
        is_newer = failed is not None and failed == _later(known.last_failed_at, failed)
        states[part] = PartState(
            name=part,
            last_ok_at=ok,
            last_failed_at=failed if is_newer else known.last_failed_at,
            reason=one.reason if is_newer else known.reason,
        )
    return states


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    return max((at for at in (one, other) if at is not None), default=None)
