"""The database's clock: what falls due, expires or is granted until a day is judged by it alone (promise 15)."""

from datetime import UTC, date, datetime

from sqlalchemy import func, select

from db.base import Executes

_NOW = select(func.clock_timestamp())


async def database_now(session: Executes) -> datetime:
    """In UTC or another zone, never without one."""
    return (await session.execute(_NOW)).scalar_one()


async def utc_day(session: Executes) -> date:
    """Today in UTC, by which cards expire."""
    return (await database_now(session)).astimezone(UTC).date()
