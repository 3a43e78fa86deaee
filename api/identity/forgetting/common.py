"""What is the same of people with an account and without one, where they are forgotten or told what is known of them."""

from collections.abc import AsyncIterator

from fastapi.responses import StreamingResponse
from pydantic import BaseModel
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Sessions
from db.identity.erasure import known_of
from domain.identity.erasure import OpenRun
from domain.identity.people import User

SECONDS = 120
"""For what goes through everything that names somebody; whoever waits is told that it goes on (decision 71)."""


class OpenRuns(BaseModel):
    """What has to end, or go to somebody else, before the person can be erased; at most twenty."""

    results: list[OpenRun]


async def take_long(session: AsyncSession) -> None:
    """A statement of this transaction may."""
    await session.execute(text(f"set local statement_timeout = '{SECONDS}s'"))


def handed_out(sessions: Sessions, user: User) -> StreamingResponse:
    """What is known of somebody, as a file. Its first sign, which JSON passes over, goes before the rest is gathered: that may take
    `SECONDS`, and what has not begun to answer in a few is given up, read or not (decision 71). The caller has audited it.
    """

    async def gathered() -> AsyncIterator[str]:
        yield "\n"
        async with sessions.begin() as session:
            await take_long(session)
            known = await known_of(session, user)
        yield known.model_dump_json()

    return StreamingResponse(
        gathered(),
        media_type="application/json",
        headers={"Content-Disposition": 'attachment; filename="known.json"'},
    )
