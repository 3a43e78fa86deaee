"""What the commands of the installation's operators share."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from db.base import Sessions, make_engine, make_sessions

OPERATOR = "operator"
"""Who it was, where what they do is audited."""
Said = TypeVar("Said")


def run(database_url: str, work: Callable[[Sessions], Awaitable[Said]]) -> Said:
    """What the work answers, or raises, with this database."""

    async def done() -> Said:
        engine = make_engine(database_url)
        try:
            return await work(make_sessions(engine))
        finally:
            await engine.dispose()

    return asyncio.run(done())
