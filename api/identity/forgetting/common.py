"""What is the same of people with an account and without one, where they are forgotten or told what is known of them."""

from pydantic import BaseModel
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from domain.identity.erasure import OpenRun

SECONDS = 120
"""For what goes through everything that names somebody; whoever waits is told that it goes on (decision 71)."""


class OpenRuns(BaseModel):
    """What has to end, or go to somebody else, before the person can be erased; at most twenty."""

    results: list[OpenRun]


async def take_long(session: AsyncSession) -> None:
    """A statement of this transaction may."""
    await session.execute(text(f"set local statement_timeout = '{SECONDS}s'"))
