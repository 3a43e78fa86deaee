"""A database that may lose what it has acknowledged is none to keep orders in; whether what it has comes back to any moment."""

import asyncio

from sqlalchemy import text
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine

from db.base import Executes

DURABLE = ("fsync", "synchronous_commit", "full_page_writes")
ASK_AGAIN_SECONDS = 5.0

_OFF = text("select name from pg_settings where name = any(:names) and setting = 'off' order by 1")


async def switched_off(engine: AsyncEngine) -> list[str]:
    """Those of the three settings that are off. Waits for a database that does not answer yet."""
    while True:
        try:
            async with engine.connect() as connection:
                found = await connection.execute(_OFF, {"names": list(DURABLE)})
                return [str(name) for name in found.scalars()]
        except (OperationalError, InterfaceError, PoolTimeout, OSError):
            await asyncio.sleep(ASK_AGAIN_SECONDS)


def told(names: list[str]) -> str:
    return f"The database has {', '.join(names)} switched off and could lose data: switch it on."


async def archives_wal(session: Executes) -> bool | None:
    """As PostgreSQL says of itself: False from the first segment that could not be archived until one could, which it tries
    again by itself; None where nothing is archived (docs/restoring.md)."""
    return await session.scalar(
        text(
            """
            select last_failed_time is null or coalesce(last_archived_time > last_failed_time, false)
            from pg_stat_archiver where current_setting('archive_mode') <> 'off'
            """
        )
    )
