"""Guesses at the token of a mailed link."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from fastapi import Request

from api.platform.deps import Portal, counted_address
from api.platform.throttling.links import LinkTries
from db.identity.links import LinkEnded


@asynccontextmanager
async def guesses_counted(portal: Portal, request: Request) -> AsyncGenerator[None]:
    """A wrong token is counted once what looked it up is over; a right one is never refused (`LinkTries.count_link`). Raises
    Throttled in place of LinkEnded beyond the limit."""
    try:
        yield
    except LinkEnded:
        await LinkTries(portal.sessions).count_link(counted_address(request))
        raise
