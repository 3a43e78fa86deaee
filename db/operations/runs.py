"""Runs of every kind in one list, newest change first, as operators read them: what waits, for whom, what needs attention.

Flows and invitations keep tables of their own; here they are one list.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, get_args

from sqlalchemy import Text, func, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.kinds import INVITATION, KINDS
from domain.operations.operations import (
    STUCK_AFTER,
    Run,
    RunList,
    RunName,
    Tally,
)
from domain.operations.search import RunsAbout
from domain.runs.kind import RunKind


class AttentionRow(Base):
    """Who took care of a run that needed attention, and how."""

    __tablename__ = "attention_settled"

    run: Mapped[str] = mapped_column(Text, primary_key=True)
    at: Mapped[datetime] = mapped_column(server_default=func.now())
    by: Mapped[str] = mapped_column(Text)
    note: Mapped[str] = mapped_column(Text)


_TURNS: dict[str, Any] = {}
"""What the conditions below are compared with."""


def _bound(values: Iterable[str]) -> str:
    """The name of a parameter that holds these."""
    name = f"turn_{len(_TURNS)}"
    _TURNS[name] = list(values)
    return f"cast(:{name} as text[])"


def _turns_of(kind: RunKind[Any], run: str) -> Iterator[str]:
    """SQL of whose turn it is, as the kind's record says it."""
    if kind.persons:
        yield f"when {run}.allowed && {_bound(kind.persons)} then 'person'"
    for turn, states in kind.turns.items():
        patterns = [state.replace("_", r"\_").replace("*", "%") for state in states]
        yield f"when {run}.state like any({_bound(patterns)}) then '{turn}'"


def _waits_for(run: str, *kinds: RunKind[Any]) -> str:
    """SQL of whose turn it is in an open run of one of these kinds."""
    cases = "\n".join(
        f"when '{kind.name}' then case {' '.join(_turns_of(kind, run))} else 'portal' end"
        for kind in kinds
    )
    return f"case when {run}.ended_at is not null then null else case {run}.kind {cases} end end"


_FLOWS = f"""
    select f.kind, f.id, f.version, f.state, f.outcome, coalesce(f.device_key, f.partner, f.id) as subject,
           f.device_key, f.site,
           f.dealer_id, f.owner_id, f.partner, f.workflow_id, f.run_id, f.rev,
           case f.kind when 'firmware' then f.view->>'error' else f.view->'error'->>'detail' end as error,
           case f.kind when 'firmware' then null else f.view->'error'->>'code' end as error_code,
           case f.kind when 'firmware' then f.view->>'next_at' else f.view->>'deadline' end::timestamptz as next_at,
           {_waits_for("f", *(kind for kind in KINDS if kind.row == "flow"))} as waits_for,
           f.created_at, f.updated_at, f.ended_at
    from flow f
"""


_INVITATIONS = f"""
    select i.kind, i.id, 1 as version, i.state,
           case when i.ended_at is not null then i.state end as outcome, i.dealer_name as subject,
           null as device_key, null as site,
           i.dealer_id, null as owner_id, null as partner, i.workflow_id, null as run_id, i.rev, null as error,
           null as error_code, i.expires_at as next_at,
           {_waits_for("i", INVITATION)} as waits_for,
           i.created_at, i.updated_at, i.ended_at
    from (select *, 'invitation' as kind from invitation) i
"""


_SHOWN = {
    RunList.ALL: "true",
    RunList.OPEN: "r.ended_at is null",
    RunList.STUCK: """r.ended_at is null and r.waits_for <> 'person' and r.updated_at < now() - cast(:stuck as interval)
                    and not (r.waits_for = 'clock' and coalesce(r.next_at > now(), false))""",
    RunList.RETRYING: "r.ended_at is null and c.pending <> '[]'::jsonb",
    RunList.ATTENTION: """r.outcome = 'needs_attention'
                        and (r.ended_at is null
                             or not exists (select 1 from attention_settled s where s.run = r.id))""",
    RunList.ENDED: "r.ended_at is not null",
}


_ABOUT = """(r.id = any(:runs) or r.workflow_id = any(:workflows) or r.device_key = any(:devices)
             or r.owner_id = any(:people) or r.dealer_id = any(:dealers) or r.partner = any(:partners))"""


def _all_runs(kind: RunName | None) -> str:
    if kind is None:
        return f"{_FLOWS} union all {_INVITATIONS}"
    return _INVITATIONS if kind == "invitation" else _FLOWS


async def list_runs(
    session: AsyncSession,
    shown: RunList,
    *,
    kind: RunName | None = None,
    state: str | None = None,
    about: RunsAbout | None = None,
    limit: int,
    before: tuple[datetime, str] | None = None,
) -> tuple[Run, ...]:
    """Newest change first. `before` is the (updated_at, id) of the last row of the page before."""
    where, values = [_SHOWN[shown]], {**_TURNS, "stuck": STUCK_AFTER, "limit": limit}
    if about is not None:
        where.append(_ABOUT)
        values |= {name: list(found) for name, found in about.model_dump().items()}
    for name, given, condition in (
        ("kind", kind, "r.kind = :kind"),
        ("state", state, "r.state = :state"),
    ):
        if given is not None:
            where.append(condition)
            values[name] = given
    if before is not None:
        where.append("(r.updated_at, r.id) < (:before_at, :before_id)")
        values |= {"before_at": before[0], "before_id": before[1]}
    rows = await session.execute(
        text(
            f"""
            select r.*, coalesce(c.pending, '[]'::jsonb) as pending, c.checked_at
            from ({_all_runs(kind)}) r left join run_check c on c.run = r.id
            where {" and ".join(where)} order by r.updated_at desc, r.id desc limit :limit
            """
        ),
        values,
    )
    return tuple(Run.model_validate(dict(row)) for row in rows.mappings())


async def find_run(session: AsyncSession, kind: RunName, run_id: str) -> Run | None:
    rows = await session.execute(
        text(
            f"""
            select r.*, coalesce(c.pending, '[]'::jsonb) as pending, c.checked_at
            from ({_all_runs(kind)}) r left join run_check c on c.run = r.id where r.id = :id and r.kind = :kind
            """
        ),
        {**_TURNS, "id": run_id, "kind": kind},
    )
    row = rows.mappings().one_or_none()
    return Run.model_validate(dict(row)) if row else None


async def count_shown(session: AsyncSession, shown: RunList, *, up_to: int = 1000) -> int:
    """How many runs the list would hold, counted no further than `up_to`."""
    counted = await session.scalar(
        text(
            f"""
            select count(*) from (
                select 1 from ({_all_runs(None)}) r left join run_check c on c.run = r.id
                where {_SHOWN[shown]} limit :up_to
            ) found
            """
        ),
        {**_TURNS, "stuck": STUCK_AFTER, "up_to": up_to},
    )
    return int(counted or 0)


async def attention_by_kind(session: AsyncSession) -> tuple[tuple[str, int], ...]:
    """How many runs of each kind need attention, as their list shows them."""
    rows = await session.execute(
        text(
            f"""
            select r.kind, count(*) from flow r where {_SHOWN[RunList.ATTENTION]} group by 1 order by 1
            """
        )
    )
    return tuple((kind, count) for kind, count in rows)


async def tallies(session: AsyncSession) -> tuple[Tally, ...]:
    """Open runs by kind and state, and by their end those that ended within a day."""
    rows = await session.execute(
        text(
            """
            select kind, state, true as is_open, count(*) as count from flow where ended_at is null group by 1, 2
            union all
            select kind, coalesce(outcome, state), false, count(*) from flow
            where ended_at > now() - interval '1 day' group by 1, 2
            union all
            select 'invitation', state, true, count(*) from invitation where ended_at is null group by 2
            union all
            select 'invitation', state, false, count(*) from invitation
            where ended_at is not null and updated_at > now() - interval '1 day' group by 2
            order by 1, 3 desc, 2
            """
        )
    )
    known = get_args(RunName)
    return tuple(Tally.model_validate(dict(row)) for row in rows.mappings() if row["kind"] in known)


async def resolve_attention(session: AsyncSession, run_id: str, *, by: str, note: str) -> bool:
    """Notes that somebody took care of the run. False when somebody had."""
    stored = await session.scalar(
        insert(AttentionRow)
        .values(run=run_id, by=by, note=note)
        .on_conflict_do_nothing()
        .returning(AttentionRow.run)
    )
    return stored is not None
