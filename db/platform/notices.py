"""Waking those who follow something live: a NOTIFY with its name, sent when the transaction commits."""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

CHANNEL = "flow"
"""The channel of all news: of a run its id, of a dealer's activation also the name of its team."""

ORDER = "order:"
"""Before an order's number: the name under which it is followed with its shipments and invoices."""


async def notify(session: AsyncSession, name: str) -> None:
    await session.execute(select(func.pg_notify(CHANNEL, name)))
