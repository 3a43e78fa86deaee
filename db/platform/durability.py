"""A database that may lose what it has acknowledged is none to keep orders in; whether what it has comes back to any moment."""

import asyncio
from datetime import timedelta

from sqlalchemy import text
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine

from db.base import Executes

DURABLE = ("fsync", "synchronous_commit", "full_page_writes")
ASK_AGAIN_SECONDS = 5.0
LATE = timedelta(minutes=10)
"""Twice what a segment takes at the most until it is archived (`archive_timeout`)."""

_OFF = text("select name from pg_settings where name = any(:names) and setting = 'off' order by 1")

_ARCHIVES = text(
    """
    select (last_failed_time is null or coalesce(last_archived_time > last_failed_time, false))
       and (coalesce(last_archived_time, stats_reset) > now() - cast(:late as interval)
            or coalesce(last_archived_wal collate "C" >= pg_walfile_name(
                 pg_current_wal_lsn() - pg_size_bytes(current_setting('wal_segment_size'))
               ), false)) is not false
    from pg_stat_archiver where current_setting('archive_mode') <> 'off'
    """
)
"""The segment before the present one is full; names grow with the log."""


async def switched_off(engine: AsyncEngine) -> list[str]:
    """Those of the three settings that are off. Waits for a database that does not answer yet."""
    while True:
        try:
            async with engine.connect() as connection:
                found = await connection.execute(_OFF, {"names": list(DURABLE)})
                return [str(name) for name in found.scalars()]
        except (OperationalError, InterfaceError, PoolTimeout, OSError):
            await asyncio.sleep(ASK_AGAIN_SECONDS)


def unsafe_settings(names: list[str]) -> str:
    return f"The database has {', '.join(names)} switched off and could lose data: switch it on."


async def archives_wal(session: Executes, late: timedelta = LATE) -> bool | None:
    """As PostgreSQL says of itself: False from the first segment that could not be archived until one could, which it tries
    again by itself, and while a full one waits and for so long none was archived, as where the command hangs. None where
    nothing is archived (docs/restoring.md)."""
    return await session.scalar(_ARCHIVES, {"late": late})
