"""Effects of which nobody noted an outcome, and the word of an operator who looked."""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from domain.operations.effects import OpenEffect
from domain.operations.operations import OUTCOME_UNKNOWN_AFTER

_OPEN = """
    i.settled_at is null and i.refused_at is null and i.created_at < now() - cast(:after as interval)
        and not exists (select 1 from flow f where f.id = i.flow_id and f.ended_at is null
            and f.updated_at <= i.created_at + cast(:after as interval))
"""
"""Old enough, and its run has moved since, or is over."""


async def open_effects(session: AsyncSession, *, limit: int = 50) -> tuple[OpenEffect, ...]:
    """Oldest first."""
    rows = await session.execute(
        text(
            f"""
            select i.key, i.flow_id as run, i.kind as effect, i.created_at as asked_at
            from intent i where {_OPEN} order by i.created_at limit :limit
            """
        ),
        {"after": OUTCOME_UNKNOWN_AFTER, "limit": limit},
    )
    return tuple(OpenEffect.model_validate(dict(row)) for row in rows.mappings())


async def close_effect(session: AsyncSession, key: str, *, happened: bool) -> OpenEffect | None:
    """Notes that it happened, so that nobody asks for it again; or that it did not, so that it may be. None when it is none
    of them (any more)."""
    closed = await session.execute(
        text(
            f"""
            update intent i set
                settled_at = case when :happened then now() end,
                outcome = case when :happened then jsonb_build_object('done', true, 'found', 'by hand') end,
                refused_at = case when :happened then null else now() end
            where i.key = :key and {_OPEN}
            returning i.key, i.flow_id as run, i.kind as effect, i.created_at as asked_at
            """
        ),
        {"key": key, "happened": happened, "after": OUTCOME_UNKNOWN_AFTER},
    )
    row = closed.mappings().one_or_none()
    return OpenEffect.model_validate(dict(row)) if row else None


async def is_closed(session: AsyncSession, key: str) -> bool | None:
    """Whether its outcome is known; None where there is no such effect."""
    found = await session.execute(
        text(
            "select settled_at is not null or refused_at is not null from intent where key = :key"
        ),
        {"key": key},
    )
    return found.scalar_one_or_none()
