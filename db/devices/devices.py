"""Device logs as they came in: the inbox of the webhook and of polling, and the outbox towards the runs."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Index, Text, func, select, text, tuple_
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Executes
from db.platform.outboxes import HandedOn, Taken
from db.runs.device_reservations import ReservationRow
from db.runs.flows import FlowRow
from domain.base import Frozen
from domain.devices.devices import DeviceLog
from domain.kinds import BUYING, CHECKING_FIRMWARE

BATCH = 100
CHANNEL = "device_log"
"""NOTIFY channel that wakes the relay."""

TAKEN_FOR, LOOKED_AT_AGAIN = timedelta(seconds=10), timedelta(seconds=5)
"""The second is longer than a relay rests: those that cannot be told leave the next look to younger ones."""

WAITING_FIRMWARE = ("download_sent", "update_sent", "waiting_online")
"""States of a firmware run that a log of the device ends."""
WAITING_FOR_RUNS = (BUYING, CHECKING_FIRMWARE)
"""States of an activation that another run ends, and no log."""


class DeviceLogRow(HandedOn, Base):
    """`id` is the device network's own, so that a repeated delivery is one row."""

    __tablename__ = "device_log"
    __table_args__ = (
        Index(
            "ix_device_log_undelivered",
            "received_at",
            postgresql_where=text("delivered_at is null"),
        ),
        Index("ix_device_log_device", "device_key", "timestamp"),
        Index("ix_device_log_received", "received_at"),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    device_key: Mapped[str] = mapped_column(Text)
    type: Mapped[str] = mapped_column(Text)
    timestamp: Mapped[datetime]
    command: Mapped[str | None] = mapped_column(Text)
    command_id: Mapped[str | None] = mapped_column(Text)
    ok: Mapped[bool]
    reading: Mapped[dict[str, Any]] = mapped_column(JSONB)
    received_at: Mapped[datetime] = mapped_column(server_default=func.now())


outbox = Taken(DeviceLogRow, DeviceLogRow.id.in_, again=LOOKED_AT_AGAIN)


async def store_logs(session: AsyncSession, logs: Iterable[DeviceLog]) -> int:
    """Keeps what is new and wakes the relay; answers how many were new. Idempotent by log id."""
    # In one order always, so that two deliveries of the same entries never wait for each other in a circle.
    rows = [log.model_dump() for _, log in sorted({log.id: log for log in logs}.items())]
    if not rows:
        return 0
    stored = await session.scalars(
        insert(DeviceLogRow).on_conflict_do_nothing().returning(DeviceLogRow.id), rows
    )
    new = len(stored.all())
    if new:
        await session.execute(text("select pg_notify('device_log', '')"))
    return new


class Undelivered(Frozen):
    """A log entry with the workflow ids of every live run that holds its device."""

    log: DeviceLog
    holders: tuple[str, ...]


_TAKE = text(
    """
    with oldest as (
        select id from device_log where delivered_at is null and (taken_until is null or taken_until < now())
        order by received_at, timestamp limit :limit for update skip locked
    ), taken as (
        update device_log log set taken_until = now() + :taken_for from oldest where log.id = oldest.id
        returning log.id
    )
    select log.id, log.device_key, log.type, log.timestamp, log.command, log.command_id, log.ok, log.reading,
           array(select held.workflow_id from device_reservation held left join flow on flow.id = held.flow_id
                 where held.device_key = log.device_key and held.kind <> 'purchase'
                   and held.released_at is null
                   and (held.kind <> 'activation' or flow.id is null or flow.state ~ '/(busy|waiting)$'
                        or log.command is not null or log.command_id is not null or log.type = 'firmware'
                        or log.reading -> 'keylocker' is not null)) as holders
    from device_log log join taken using (id)
    order by log.received_at, log.timestamp
    """
)
"""Each with the runs that it is for: an activation that rests reads what settles a command, and how the KeyLocker is. What a device
reports besides would fill its history, of which Temporal keeps so many signals and no more."""


async def take_undelivered(session: Executes, limit: int = BATCH) -> tuple[Undelivered, ...]:
    """The oldest rows that no run has been told of: the caller's for a while, so that other relays leave them alone though
    nothing is locked."""
    rows = await session.execute(_TAKE, {"limit": limit, "taken_for": TAKEN_FOR})
    return tuple(
        Undelivered(
            log=DeviceLog.model_validate(row, from_attributes=True), holders=tuple(row.holders)
        )
        for row in rows
    )


async def devices_waited_for(
    session: AsyncSession, *, older_than: timedelta, limit: int = 50
) -> tuple[tuple[str, datetime], ...]:
    """Devices whose runs have waited for a log for some time, with when the wait began: what polling asks about. Others
    each time where there are more, so that none is left out for long."""
    waiting = FlowRow.state.like("%/waiting") & FlowRow.state.not_in(WAITING_FOR_RUNS)
    rows = await session.execute(
        select(FlowRow.device_key, func.min(FlowRow.updated_at))
        .join(ReservationRow, ReservationRow.flow_id == FlowRow.id)
        .where(
            ReservationRow.released_at.is_(None),
            FlowRow.ended_at.is_(None),
            waiting | FlowRow.state.in_(WAITING_FIRMWARE),
            FlowRow.updated_at < func.now() - older_than,
        )
        .group_by(FlowRow.device_key)
        .order_by(func.random())
        .limit(limit)
    )
    return tuple((key, since) for key, since in rows if key is not None)


async def logs_of(
    session: AsyncSession,
    device_key: str,
    *,
    limit: int = 100,
    before: tuple[datetime, str] | None = None,
    since: datetime | None = None,
) -> tuple[DeviceLog, ...]:
    """Entries of one device, newest first, none older than `since`. `before` is the (timestamp, id) of the last row of the page
    before."""
    query = select(DeviceLogRow).where(DeviceLogRow.device_key == device_key)
    if since is not None:
        query = query.where(DeviceLogRow.timestamp >= since)
    if before is not None:
        query = query.where(tuple_(DeviceLogRow.timestamp, DeviceLogRow.id) < before)
    rows = await session.scalars(
        query.order_by(DeviceLogRow.timestamp.desc(), DeviceLogRow.id.desc()).limit(limit)
    )
    return tuple(_log(row) for row in rows)


def _log(row: DeviceLogRow) -> DeviceLog:
    return DeviceLog.model_validate(row, from_attributes=True)
