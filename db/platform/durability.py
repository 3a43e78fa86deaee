"""A database that may lose what it has acknowledged is none to keep orders in."""

import asyncio

from sqlalchemy import text
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine

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
