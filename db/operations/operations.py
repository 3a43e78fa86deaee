"""What operators read: runs of every kind in one list, what waits, what was repaired, how third parties answer.

Flows and invitations keep tables of their own; here they are one list, newest change first.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Identity, Index, Text, func, select, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base
from domain.kinds import INVITATION, KINDS
from domain.operations.operations import (
    STUCK_AFTER,
    UNDELIVERED_AFTER,
    Orphan,
    Pass,
    Run,
    RunName,
    Shown,
    Tally,
    ThirdParty,
    TimedTransition,
    Undelivered,
    Way,
)
from domain.operations.retrying import Part, PartState
from domain.operations.search import About
from domain.runs.kind import RunKind


class RunCheckRow(Base):
    """What the reconciler last found of an open run, so that one that has not moved is not asked again. `pending` holds
    the activities that have been tried too often."""

    __tablename__ = "run_check"
    __table_args__ = (
        Index("ix_run_check_pending", "run", postgresql_where=text("pending <> '[]'::jsonb")),
    )

    run: Mapped[str] = mapped_column(Text, primary_key=True)
    kind: Mapped[str] = mapped_column(Text)
    checked_at: Mapped[datetime] = mapped_column(server_default=func.now())
    temporal_run: Mapped[str | None] = mapped_column(Text)
    events: Mapped[int]
    rev: Mapped[int]
    row_at: Mapped[datetime]
    pending: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default="[]")


class ReconciliationRow(Base):
    """One round of the reconciler."""

    __tablename__ = "reconciliation"
    __table_args__ = (Index("ix_reconciliation_at", "at"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    at: Mapped[datetime] = mapped_column(server_default=func.now())
    took_ms: Mapped[int]
    looked: Mapped[int]
    asked: Mapped[int]
    repaired: Mapped[dict[str, int]] = mapped_column(JSONB)
    failed: Mapped[list[str]] = mapped_column(ARRAY(Text))


class ThirdPartyRow(Base):
    """How an outside system answered one process, by its own count."""

    __tablename__ = "third_party"

    system: Mapped[str] = mapped_column(Text, primary_key=True)
    process: Mapped[str] = mapped_column(Text, primary_key=True)
    seen_at: Mapped[datetime] = mapped_column(server_default=func.now())
    calls: Mapped[int]
    failures: Mapped[int]
    last_ok_at: Mapped[datetime | None]
    last_failed_at: Mapped[datetime | None]
    reason: Mapped[str | None] = mapped_column(Text)


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
    Shown.ALL: "true",
    Shown.OPEN: "r.ended_at is null",
    Shown.STUCK: """r.ended_at is null and r.waits_for <> 'person' and r.updated_at < now() - cast(:stuck as interval)
                    and not (r.waits_for = 'clock' and coalesce(r.next_at > now(), false))""",
    Shown.RETRYING: "r.ended_at is null and c.pending <> '[]'::jsonb",
    Shown.ATTENTION: """r.outcome = 'needs_attention'
                        and (r.ended_at is null
                             or not exists (select 1 from attention_settled s where s.run = r.id))""",
    Shown.ENDED: "r.ended_at is not null",
}


_ABOUT = """(r.id = any(:runs) or r.workflow_id = any(:workflows) or r.device_key = any(:devices)
             or r.owner_id = any(:people) or r.dealer_id = any(:dealers) or r.partner = any(:partners))"""


def _all_runs(kind: RunName | None) -> str:
    if kind is None:
        return f"{_FLOWS} union all {_INVITATIONS}"
    return _INVITATIONS if kind == "invitation" else _FLOWS


async def list_runs(
    session: AsyncSession,
    shown: Shown,
    *,
    kind: RunName | None = None,
    state: str | None = None,
    about: About | None = None,
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


async def count_shown(session: AsyncSession, shown: Shown, *, up_to: int = 1000) -> int:
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
    return tuple(Tally.model_validate(dict(row)) for row in rows.mappings())


_ORPHANS = """
    select d.id, d.device_key, d.kind, d.flow_id, d.workflow_id, d.created_at
    from device_reservation d left join flow f on f.id = d.flow_id
    where d.released_at is null and (f.id is null or f.ended_at is not null)
    order by d.id limit :limit
"""


async def orphans(session: AsyncSession, *, limit: int = 50) -> tuple[Orphan, ...]:
    """Devices that are held by a run that has ended, or that nobody has seen. Oldest first."""
    rows = await session.execute(text(_ORPHANS), {"limit": limit})
    return tuple(Orphan.model_validate(dict(row)) for row in rows.mappings())


async def undelivered(session: AsyncSession, *, limit: int = 50) -> tuple[Undelivered, ...]:
    """Logs that should have reached their runs by now. Oldest first."""
    rows = await session.execute(
        text(
            """
            select id, device_key, type, received_at from device_log
            where delivered_at is null and received_at < now() - cast(:after as interval)
            order by received_at limit :limit
            """
        ),
        {"after": UNDELIVERED_AFTER, "limit": limit},
    )
    return tuple(Undelivered.model_validate(dict(row)) for row in rows.mappings())


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


# ---------------------------------------------------------------- attention


async def settle_attention(session: AsyncSession, run_id: str, *, by: str, note: str) -> bool:
    """Notes that somebody took care of the run. False when somebody had."""
    kept = await session.scalar(
        insert(AttentionRow)
        .values(run=run_id, by=by, note=note)
        .on_conflict_do_nothing()
        .returning(AttentionRow.run)
    )
    return kept is not None


# ---------------------------------------------------------------- the reconciler's rounds


async def keep_pass(session: AsyncSession, done: Pass) -> None:
    session.add(
        ReconciliationRow(
            at=done.at,
            took_ms=done.took_ms,
            looked=done.looked,
            asked=done.asked,
            repaired={str(name): count for name, count in done.repaired.items()},
            failed=list(done.failed),
        )
    )
    await session.flush()


async def last_pass(session: AsyncSession) -> Pass | None:
    row = await session.scalar(
        select(ReconciliationRow).order_by(ReconciliationRow.at.desc()).limit(1)
    )
    return Pass.model_validate(row, from_attributes=True) if row else None


async def repaired_within_a_day(session: AsyncSession) -> dict[str, int]:
    """Repair → how often."""
    rows = await session.execute(
        text(
            """
            select key, sum(cast(value as int)) from reconciliation, jsonb_each_text(repaired)
            where at > now() - interval '1 day' group by key order by key
            """
        )
    )
    return {name: int(count) for name, count in rows}


# ---------------------------------------------------------------- third parties


async def keep_third_parties(session: AsyncSession, seen: Iterable[ThirdParty]) -> None:
    """Writes what one process has counted so far."""
    for each in seen:
        values = each.model_dump()
        await session.execute(
            insert(ThirdPartyRow)
            .values(**values, seen_at=func.now())
            .on_conflict_do_update(
                index_elements=["system", "process"], set_={**values, "seen_at": func.now()}
            )
        )


async def third_parties(session: AsyncSession) -> tuple[ThirdParty, ...]:
    """What was counted by processes that wrote within the last quarter of an hour."""
    rows = await session.scalars(
        select(ThirdPartyRow)
        .where(ThirdPartyRow.seen_at > func.now() - text("interval '15 minutes'"))
        .order_by(ThirdPartyRow.system, ThirdPartyRow.process)
    )
    return tuple(ThirdParty.model_validate(row, from_attributes=True) for row in rows)


_PARTS = {str(part): part for part in Part}


async def part_states(session: AsyncSession) -> dict[Part, PartState]:
    """How each part answered of late, of all our processes together."""
    states: dict[Part, PartState] = {}
    for one in await third_parties(session):
        part = _PARTS.get(one.system)
        if part is None:
            continue
        known = states.get(part) or PartState(name=part)
        ok, failed = _later(known.last_ok_at, one.last_ok_at), one.last_failed_at
        is_newer = failed is not None and failed == _later(known.last_failed_at, failed)
        states[part] = PartState(
            name=part,
            last_ok_at=ok,
            last_failed_at=failed if is_newer else known.last_failed_at,
            reason=one.reason if is_newer else known.reason,
        )
    return states


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    return max((at for at in (one, other) if at is not None), default=None)
