"""Which run holds a device."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Index, Row, Text, exists, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Executes
from domain.runs.projection import FlowKind


class ReservationRow(Base):
    """Which run holds a device: at most one live activation and one live firmware run each."""

    __tablename__ = "device_reservation"
    __table_args__ = (
        Index(
            "uq_device_reservation_live",
            "device_key",
            "kind",
            unique=True,
            postgresql_where=text("released_at is null"),
        ),
        Index("ix_device_reservation_flow", "flow_id"),
        Index("ix_device_reservation_device", "device_key"),
    )

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    device_key: Mapped[str] = mapped_column(Text)
    kind: Mapped[str] = mapped_column(Text)
    flow_id: Mapped[str] = mapped_column(Text)
    workflow_id: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    released_at: Mapped[datetime | None]


async def reserve(
    session: AsyncSession, *, device_key: str, kind: FlowKind, flow_id: str, workflow_id: str
) -> bool:
    """Takes the device for a run. False when another live run holds it; True again for the run that holds it."""
    taken = await session.scalar(
        insert(ReservationRow)
        .values(device_key=device_key, kind=kind, flow_id=flow_id, workflow_id=workflow_id)
        .on_conflict_do_nothing(
            index_elements=["device_key", "kind"],
            index_where=ReservationRow.released_at.is_(None),
        )
        .returning(ReservationRow.flow_id)
    )
    if taken is not None:
        return True
    holder = await holder_of(session, device_key, kind)
    return holder is not None and holder.flow_id == flow_id


async def release(
    session: Executes, *, flow_id: str, device_keys: Sequence[str] | None = None
) -> None:
    """Gives up what a run holds: all of it, or only some devices. Idempotent."""
    query = update(ReservationRow).where(
        ReservationRow.flow_id == flow_id, ReservationRow.released_at.is_(None)
    )
    if device_keys is not None:
        query = query.where(ReservationRow.device_key.in_(device_keys))
    await session.execute(query.values(released_at=func.now()))


async def holder_of(session: Executes, device_key: str, kind: FlowKind) -> Row[str, str] | None:
    """`flow_id` and `workflow_id` of the live run of this kind that holds the device."""
    held = await session.execute(
        select(ReservationRow.flow_id, ReservationRow.workflow_id).where(
            ReservationRow.device_key == device_key,
            ReservationRow.kind == kind,
            ReservationRow.released_at.is_(None),
        )
    )
    return held.one_or_none()


async def devices_of(session: Executes, flow_id: str) -> tuple[str, ...]:
    """What a live run holds."""
    rows = await session.execute(
        select(ReservationRow.device_key).where(
            ReservationRow.flow_id == flow_id, ReservationRow.released_at.is_(None)
        )
    )
    return tuple(rows.scalars())


async def is_held(session: AsyncSession, device_key: str, *kinds: FlowKind) -> bool:
    """Whether a live run of one of these kinds holds the device."""
    held = exists().where(
        ReservationRow.device_key == device_key,
        ReservationRow.kind.in_(kinds),
        ReservationRow.released_at.is_(None),
    )
    return bool(await session.scalar(select(held)))


async def holders_of(session: AsyncSession, device_key: str) -> tuple[str, ...]:
    """Workflow ids of every live run that works on the device: who is told of its logs. A purchase is not."""
    rows = await session.scalars(
        select(ReservationRow.workflow_id).where(
            ReservationRow.device_key == device_key,
            ReservationRow.kind != "purchase",
            ReservationRow.released_at.is_(None),
        )
    )
    return tuple(rows)


async def held_by_others(
    session: AsyncSession, device_keys: list[str], kind: FlowKind, flow_id: str
) -> frozenset[str]:
    """Those of the devices that another live run of this kind holds."""
    rows = await session.scalars(
        select(ReservationRow.device_key).where(
            ReservationRow.device_key.in_(device_keys),
            ReservationRow.kind == kind,
            ReservationRow.flow_id != flow_id,
            ReservationRow.released_at.is_(None),
        )
    )
    return frozenset(rows)
