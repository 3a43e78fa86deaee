"""One run from near, as operators read it: its moves with their times, its way, who asked for it last."""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from domain.operations.operations import TimedTransition, Way


async def timed_transitions(
    session: AsyncSession, run_id: str, *, after: int = -1, limit: int = 100
) -> tuple[TimedTransition, ...]:
    """Oldest first, from the one after `rev` = `after`; each with how long the state before it had lasted."""
    rows = await session.execute(
        text(
            """
            select t.*, cast(extract(epoch from t.at - coalesce(
                       (select max(p.at) from transition p where p.flow_id = t.flow_id and p.rev < t.rev),
                       (select f.created_at from flow f where f.id = t.flow_id))) * 1000 as bigint) as lasted_ms
            from (select * from transition where flow_id = :id and rev > :after order by rev limit :limit) t
            order by t.rev
            """
        ),
        {"id": run_id, "after": after, "limit": limit},
    )
    return tuple(TimedTransition.model_validate(dict(row)) for row in rows.mappings())


async def way_of(session: AsyncSession, run_id: str) -> Way:
    """The plan of a run that has one, and what was skipped of it; of all others nothing."""
    row = await session.execute(
        text(
            """
            select coalesce(f.view->'plan', '[]'::jsonb) as plan, coalesce(f.view->'skipped', '{}'::jsonb) as skipped
            from flow f where f.id = :id
            """
        ),
        {"id": run_id},
    )
    found = row.mappings().one_or_none()
    return Way.model_validate(dict(found)) if found else Way()


async def last_request(session: AsyncSession, kind: str, run_id: str) -> str | None:
    """The reference of the last audited request on the run."""
    return await session.scalar(
        text(
            """
            select request_id from audit where object_kind = :kind and object_id = :id and request_id is not null
            order by at desc limit 1
            """
        ),
        {"kind": kind, "id": run_id},
    )
