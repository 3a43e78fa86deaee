"""What the reconciler looks at and puts right (`workflows/operations/reconciler.py`). Each repair replaces exactly the row that was
found wrong, and is audited in its own transaction."""

from collections.abc import Iterable
from typing import Any

import orjson
from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from db.identity import invitations
from db.operations.audit import record
from db.platform.notices import CHANNEL
from db.runs import device_reservations, flows, projections
from domain.base import Frozen, Utc
from domain.kinds import BY_NAME
from domain.operations.operations import (
    PendingActivity,
    Repair,
    Reproject,
    RunName,
)
from domain.runs.kind import LOST
from domain.runs.projection import Projection

RECONCILER = "system:reconciler"
"""Who repairs, in the audit."""


class Due(Frozen):
    """An open row that is to be compared with its run, and what was found of it the last time."""

    kind: RunName
    id: str
    workflow_id: str
    run_id: str | None
    rev: int
    state: str
    updated_at: Utc
    temporal_run: str | None
    events: int | None
    is_new: bool
    """The row has changed since it was compared, or never was."""


class Check(Frozen):
    """What was found of one run. `temporal_run` and `events` name the history that the row was compared with."""

    run: str
    kind: RunName
    temporal_run: str | None
    events: int
    rev: int
    row_at: Utc
    pending: tuple[PendingActivity, ...]


async def due_for_check(session: AsyncSession, *, limit: int) -> tuple[Due, ...]:
    """Open rows: those that have changed since, then those that were compared longest ago."""
    rows = await session.execute(
        text(
            """
            select r.*, c.temporal_run, c.events, (c.run is null or c.rev <> r.rev or c.row_at <> r.updated_at) as is_new
            from (
                select kind, id, workflow_id, run_id, rev, state, updated_at from flow where ended_at is null
                union all
                select 'invitation', id, workflow_id, null, rev, state, updated_at from invitation where ended_at is null
            ) r left join run_check c on c.run = r.id
            order by is_new desc, c.checked_at nulls first, r.updated_at limit :limit
            """
        ),
        {"limit": limit},
    )
    return tuple(Due.model_validate(dict(row)) for row in rows.mappings())


async def row_of(session: AsyncSession, kind: RunName, run_id: str) -> Reproject | None:
    """The row's `rev` and time as they are now; None when it is not there or has ended."""
    table = "invitation" if kind == "invitation" else "flow"
    found = await session.execute(
        text(f"select rev, updated_at from {table} where id = :id and ended_at is null"),
        {"id": run_id},
    )
    row = found.one_or_none()
    return Reproject(over_rev=row.rev, over_at=row.updated_at) if row else None


async def save_checks(session: AsyncSession, checks: Iterable[Check]) -> None:
    """Notes what was found, and forgets runs that are over."""
    found = [check.model_dump(mode="json") for check in checks]
    await session.execute(
        text(
            """
            insert into run_check (run, kind, checked_at, temporal_run, events, rev, row_at, pending)
            select c.run, c.kind, now(), c.temporal_run, c.events, c.rev, c.row_at, c.pending
            from jsonb_to_recordset(cast(:found as jsonb)) as c(run text, kind text, temporal_run text, events int,
                 rev int, row_at timestamptz, pending jsonb)
            on conflict (run) do update set checked_at = now(), temporal_run = excluded.temporal_run,
                events = excluded.events, rev = excluded.rev, row_at = excluded.row_at, pending = excluded.pending
            """
        ),
        {"found": orjson.dumps(found).decode()},
    )
    await session.execute(
        text(
            """
            delete from run_check c where not exists (select 1 from flow f where f.id = c.run and f.ended_at is null)
                and not exists (select 1 from invitation i where i.id = c.run and i.ended_at is null)
            """
        )
    )


_REPLACE = text(
    """
    update flow set version = :version, workflow_id = :workflow_id, run_id = :run_id, rev = :rev, seq = :seq,
        state = :state, allowed = :allowed, view = cast(:view as jsonb), device_key = :device_key, dealer_id = :dealer_id,
        owner_id = :owner_id, outcome = :outcome, updated_at = :at
    where id = :id and ended_at is null
        and (rev < :rev or (rev = cast(:over_rev as int) and updated_at = cast(:over_at as timestamptz)))
    returning id
    """
)


async def replace_projection(
    session: AsyncSession, projection: Projection, wrong: Reproject
) -> Repair | None:
    """Writes an open run's row again: over the wrong row, over an older one, or where there is none. Transitions that
    the run's history does not hold are taken back. Answers what was repaired, nothing when the row is right."""
    values = projection.model_dump(
        exclude={"view", "transitions", "ended", "kind", "partner", "site"}
    )
    replaced = await session.scalar(
        _REPLACE,
        values
        | wrong.model_dump()
        | {"allowed": list(projection.allowed), "view": orjson.dumps(projection.view).decode()},
    )
    if replaced is None:
        there = await session.scalar(select(func.count()).where(flows.FlowRow.id == projection.id))
        if there:
            return None
        await projections.save_projection(session, projection)
    taken_back = await session.execute(
        text("delete from transition where flow_id = :id and rev > :rev returning rev"),
        {"id": projection.id, "rev": projection.rev},
    )
    repair = Repair.PROJECTION if replaced else Repair.UNSEEN
    await record(
        session,
        repair,
        actor=RECONCILER,
        on=(projection.kind, projection.id),
        more={
            "rev": projection.rev,
            "over_rev": wrong.over_rev,
            "state": projection.state,
            "taken_back": sorted(taken_back.scalars()),
        },
    )
    await session.execute(
        text("select pg_notify(:channel, :id)"), {"channel": CHANNEL, "id": projection.id}
    )
    return repair


async def replace_invitation(
    session: AsyncSession, invitation_id: str, wrong: Reproject, *, rev: int, state: str, at: Utc
) -> Repair | None:
    """The same for an open invitation."""
    replaced = await session.scalar(
        text(
            """
            update invitation set rev = :rev, state = :state, updated_at = :at
            where id = :id and ended_at is null
                and (rev < :rev or (rev = cast(:over_rev as int) and updated_at = cast(:over_at as timestamptz)))
            returning id
            """
        ),
        {"id": invitation_id, "rev": rev, "state": state, "at": at, **wrong.model_dump()},
    )
    if replaced is None:
        return None
    await record(
        session,
        Repair.PROJECTION,
        actor=RECONCILER,
        on=("invitation", invitation_id),
        more={"rev": rev, "over_rev": wrong.over_rev, "state": state},
    )
    return Repair.PROJECTION


_GIVE_UP_FLOW = text(
    """
    with gone as (
        update flow set ended_at = now(), updated_at = now(), rev = rev + 1, state = :state, allowed = '{}',
            outcome = coalesce(cast(:view as jsonb)->>'outcome', :state),
            view = view || jsonb_build_object('state', cast(:state as text), 'updated_at', now()) || cast(:view as jsonb)
        where id = :id and rev = :rev and updated_at = :updated_at and ended_at is null
        returning id, rev
    )
    insert into transition (flow_id, rev, event, from_state, to_state, at, note)
    select id, rev, :event, :from_state, :state, now(), :note from gone
    returning flow_id
    """
)
_GIVE_UP_INVITATION = text(
    """
    update invitation set ended_at = now(), updated_at = now(), rev = rev + 1, state = :state
    where id = :id and rev = :rev and updated_at = :updated_at and ended_at is null
    returning id
    """
)


async def give_up(session: AsyncSession, due: Due) -> bool:
    """Ends a row whose run is gone, gives its devices up, and says so in its transitions. False when it has moved."""
    kind = BY_NAME[due.kind]
    values: dict[str, Any] = due.model_dump(include={"id", "rev", "updated_at"})
    values["state"] = kind.lost
    if kind.row == "invitation":
        if due.state == "registering" and await invitations.has_joined(session, due.id):
            values["state"] = "registered"
        gone = await session.scalar(_GIVE_UP_INVITATION, values)
    else:
        shown = await session.scalar(select(flows.FlowRow.view).where(flows.FlowRow.id == due.id))
        if shown is None:
            return False
        view = orjson.dumps(kind.seen_lost(shown)).decode()
        more = {"view": view, "event": LOST, "from_state": due.state, "note": kind.lost_note}
        gone = await session.scalar(_GIVE_UP_FLOW, values | more)
    if gone is None:
        return False
    await device_reservations.release(session, flow_id=due.id)
    await record(
        session,
        Repair.LOST,
        actor=RECONCILER,
        on=(due.kind, due.id),
        more={"state": due.state, "workflow_id": due.workflow_id},
    )
    await session.execute(
        text("select pg_notify(:channel, :id)"), {"channel": CHANNEL, "id": due.id}
    )
    return True


async def unseen(session: AsyncSession, workflow_ids: Iterable[str]) -> frozenset[str]:
    """Those of the open runs that have no open row."""
    wanted = list(workflow_ids)
    seen = await session.scalars(
        select(flows.FlowRow.workflow_id).where(
            flows.FlowRow.ended_at.is_(None), flows.FlowRow.workflow_id.in_(wanted)
        )
    )
    return frozenset(wanted) - frozenset(seen)


async def shown(session: AsyncSession, workflow_ids: Iterable[str]) -> frozenset[str]:
    """Those executions of the workflows, by Temporal's id, that are seen in a row."""
    found = await session.scalars(
        select(flows.FlowRow.run_id).where(flows.FlowRow.workflow_id.in_(list(workflow_ids)))
    )
    return frozenset(found)


async def activations_of(session: AsyncSession, device_key: str) -> tuple[str, ...]:
    """Workflow ids of the activations that hold the device."""
    holder = await device_reservations.holder_of(session, device_key, "activation")
    return (holder.workflow_id,) if holder else ()
