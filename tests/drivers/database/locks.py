"""Who waits for whom in the database."""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

_BEHIND = text(
    """
    with recursive behind (pid) as (
        select pg_backend_pid()
        union
        select other.pid from pg_locks other join behind on behind.pid = any(pg_blocking_pids(other.pid))
        where not other.granted
    )
    select count(*) - 1 from behind
    """
)


async def waiting_behind(session: AsyncSession) -> int:
    """How many transactions wait for this one, or for one that does."""
    return int(await session.scalar(_BEHIND) or 0)
