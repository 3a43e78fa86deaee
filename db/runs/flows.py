"""Runs as people see them: the projection of each, its transitions, the devices it holds, and the intents of its effects.

Workflows write here in local activities; everybody else only reads.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import orjson
from sqlalchemy import ARRAY, Computed, Index, Text, func, select, text, tuple_, update
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Executes
from domain.kinds import BY_NAME
from domain.runs.projection import FlowAnswer, FlowKind, FlowOwner, Moved, Projection
from domain.runs.transition import Transition
from domain.views import up_to_date

TEAM = "team:"
"""Before a dealer's id: the name under which all its activations and orders are followed together."""


class FlowRow(Base):
    __tablename__ = "flow"
    __table_args__ = (
        Index("ix_flow_dealer_updated", "dealer_id", "kind", "updated_at", "id"),
        Index("ix_flow_owner_updated", "owner_id", "kind", "updated_at", "id"),
        Index("ix_flow_device", "device_key", "kind", "updated_at"),
        Index("ix_flow_updated", "updated_at", "id"),
        Index("ix_flow_open", "workflow_id", postgresql_where=text("ended_at is null")),
        Index("ix_flow_open_owner", "owner_id", "kind", postgresql_where=text("ended_at is null")),
        Index(
            "ix_flow_open_dealer", "dealer_id", "kind", postgresql_where=text("ended_at is null")
        ),
        Index(
            "ix_flow_open_team",
            "dealer_id",
            "updated_at",
            "id",
            postgresql_include=["owner_id", "state", "product"],
            postgresql_where=text("kind = 'activation' and ended_at is null"),
        ),
        Index(
            "ix_flow_open_activation",
            "updated_at",
            "id",
            postgresql_include=["owner_id", "state", "product"],
            postgresql_where=text("kind = 'activation' and ended_at is null"),
        ),
        Index("ix_flow_ended", "ended_at"),
        Index("ix_flow_workflow", "workflow_id"),
        Index("ix_flow_partner", "partner", "updated_at"),
        Index(
            "ix_flow_replaced_device",
            text("(view #>> '{facts,replaced,old_device_key}')"),
            postgresql_where=text(
                "kind = 'activation' and view #>> '{facts,replaced,old_device_key}' is not null"
            ),
        ),
        Index(
            "ix_flow_completed_vehicle",
            "product",
            text("(view #>> '{facts,vehicle,model_id}')"),
            "ended_at",
            postgresql_where=text("kind = 'activation' and outcome = 'completed'"),
        ),
        Index(
            "ix_flow_customer",
            "dealer_id",
            text("lower(view ->> 'consumer_email') text_pattern_ops"),
            postgresql_where=text("kind = 'activation' and view ->> 'consumer_email' is not null"),
        ),
        Index(
            "ix_flow_attention",
            "updated_at",
            "id",
            postgresql_where=text("outcome = 'needs_attention'"),
        ),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    kind: Mapped[str] = mapped_column(Text)
    version: Mapped[int]
    workflow_id: Mapped[str] = mapped_column(Text)
    run_id: Mapped[str] = mapped_column(Text)
    rev: Mapped[int]
    seq: Mapped[int]
    state: Mapped[str] = mapped_column(Text)
    allowed: Mapped[list[str]] = mapped_column(ARRAY(Text))
    view: Mapped[dict[str, Any]] = mapped_column(JSONB)
    device_key: Mapped[str | None] = mapped_column(Text)
    site: Mapped[str] = mapped_column(Text)
    dealer_id: Mapped[str | None] = mapped_column(Text)
    owner_id: Mapped[str | None] = mapped_column(Text)
    partner: Mapped[str | None] = mapped_column(Text)
    outcome: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    product: Mapped[str | None] = mapped_column(
        Text, Computed("view -> 'device' ->> 'product_name'")
    )
    """Read from the view, for the lists that count by it."""


class TransitionRow(Base):
    """The audit trail of one run: each change once, by its `rev`."""

    __tablename__ = "transition"

    flow_id: Mapped[str] = mapped_column(Text, primary_key=True)
    rev: Mapped[int] = mapped_column(primary_key=True)
    event: Mapped[str] = mapped_column(Text)
    from_state: Mapped[str] = mapped_column(Text)
    to_state: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime]
    actor_id: Mapped[str | None] = mapped_column(Text)
    actor: Mapped[str | None] = mapped_column(Text)
    acting_for: Mapped[str | None] = mapped_column(Text)
    note: Mapped[str | None] = mapped_column(Text)


class ReservationRow(Base):
    """Which run holds a device: at most one live activation and one live firmware run each."""

    __tablename__ = "device_reservation"
    __table_args__ = (
        Index(
            "uq_device_reservation_live",
            "device_key",
            "kind",
            unique=True,
            postgresql_where=text("released_at is null"),
        ),
        Index("ix_device_reservation_flow", "flow_id"),
        Index("ix_device_reservation_device", "device_key"),
    )

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    device_key: Mapped[str] = mapped_column(Text)
    kind: Mapped[str] = mapped_column(Text)
    flow_id: Mapped[str] = mapped_column(Text)
    workflow_id: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    released_at: Mapped[datetime | None]


class IntentRow(Base):
    """One effect on an outside system: written before the call, settled after it. `refused_at` is when its outside system last
    said no."""

    __tablename__ = "intent"
    __table_args__ = (
        Index(
            "ix_intent_unsettled",
            "created_at",
            postgresql_where=text("settled_at is null and refused_at is null"),
        ),
    )

    key: Mapped[str] = mapped_column(Text, primary_key=True)
    flow_id: Mapped[str] = mapped_column(Text, index=True)
    kind: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    settled_at: Mapped[datetime | None]
    refused_at: Mapped[datetime | None]
    outcome: Mapped[dict[str, Any] | None] = mapped_column(JSONB)


class FrozenViewRow(Base):
    """The part of a run's view that never changes while it goes on: kept once, and no history holds it."""

    __tablename__ = "frozen_view"

    flow_id: Mapped[str] = mapped_column(Text, primary_key=True)
    view: Mapped[dict[str, Any]] = mapped_column(JSONB)


class GuestCapabilityRow(Base):
    """A guest's key to one run, kept as its hash."""

    __tablename__ = "guest_capability"

    hash: Mapped[str] = mapped_column(Text, primary_key=True)
    flow_id: Mapped[str] = mapped_column(Text, index=True)
    expires_at: Mapped[datetime]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


_PROJECT = text(
    """
    with changed as (
        insert into flow (id, kind, version, workflow_id, run_id, rev, seq, state, allowed, view, device_key, site,
                          dealer_id, owner_id, partner, outcome, created_at, updated_at, ended_at)
        values (:id, :kind, :version, :workflow_id, :run_id, :rev, :seq, :state, :allowed, cast(:view as jsonb), :device_key,
                :site, :dealer_id, :owner_id, :partner, :outcome, :at, :at, :ended_at)
        on conflict (id) do update set
            rev = excluded.rev, seq = excluded.seq, state = excluded.state, allowed = excluded.allowed,
            view = excluded.view, device_key = excluded.device_key, dealer_id = excluded.dealer_id,
            owner_id = excluded.owner_id, outcome = excluded.outcome, updated_at = excluded.updated_at,
            ended_at = excluded.ended_at, version = excluded.version, workflow_id = excluded.workflow_id,
            run_id = excluded.run_id
        where flow.rev < excluded.rev or (flow.rev = excluded.rev and flow.updated_at < excluded.updated_at)
        returning id, kind, dealer_id
    ), moves as (
        insert into transition (flow_id, rev, event, from_state, to_state, at, actor_id, actor, acting_for, note)
        select :id, m.rev, m.event, m.from_state, m.to_state, m.at, m.actor_id, m.actor, m.acting_for, m.note
        from jsonb_to_recordset(cast(:transitions as jsonb)) as m(rev int, event text, from_state text,
             to_state text, at timestamptz, actor_id text, actor text, acting_for text, note text)
        on conflict (flow_id, rev) do update set
            event = excluded.event, from_state = excluded.from_state, to_state = excluded.to_state, at = excluded.at,
            actor_id = excluded.actor_id, actor = excluded.actor, acting_for = excluded.acting_for, note = excluded.note
        where transition.at < excluded.at
    ), given_up as (
        update device_reservation set released_at = now()
        where flow_id = :id and released_at is null and cast(:ended_at as timestamptz) is not null
    )
    select pg_notify('flow', name) from changed, unnest(array[
        id, case when kind in ('activation', 'placement') then 'team:' || dealer_id end
    ]) as name where name is not null
    """
)


async def save_projection(session: Executes, projection: Projection) -> None:
    """Writes the run and its new transitions, and tells listeners; an ended run gives up its devices. One statement.
    A run that follows an ended one under the same id goes on from its `rev`.

    Idempotent; a late older `rev` changes nothing. The same `rev` told later replaces what a lost workflow task had
    written: the history decides, and it holds the later one.
    """
    moves = [move.model_dump(mode="json") for move in projection.transitions]
    values = projection.model_dump(exclude={"view", "transitions", "ended"})
    await session.execute(
        _PROJECT,
        values
        | {
            "allowed": list(projection.allowed),
            "view": orjson.dumps(projection.view).decode(),
            "transitions": orjson.dumps(moves).decode(),
            "ended_at": projection.at if projection.ended else None,
        },
    )


# ---------------------------------------------------------------- reading


async def find_flow(session: AsyncSession, kind: FlowKind, flow_id: str) -> FlowAnswer | None:
    row = await session.scalar(select(FlowRow).where(FlowRow.id == flow_id, FlowRow.kind == kind))
    if row is None:
        return None
    frozen = await frozen_view(session, flow_id) if BY_NAME[kind].snapshot else None
    return _answer(row, frozen, await _last_move(session, row))


async def _last_move(session: AsyncSession, row: FlowRow) -> Moved | None:
    """None before the first one; a move that is not shown yet is passed over."""
    found = await session.scalar(
        select(TransitionRow)
        .where(TransitionRow.flow_id == row.id, TransitionRow.rev <= row.rev)
        .order_by(TransitionRow.rev.desc())
        .limit(1)
    )
    return Moved.model_validate(found, from_attributes=True) if found else None


async def freeze_view(session: AsyncSession, flow_id: str, view: dict[str, Any]) -> None:
    """Keeps what will not change of a run's view, in the place of what an earlier run of that id had."""
    await session.execute(
        insert(FrozenViewRow)
        .values(flow_id=flow_id, view=view)
        .on_conflict_do_update(index_elements=["flow_id"], set_={"view": view})
    )


async def frozen_view(session: AsyncSession, flow_id: str) -> dict[str, Any]:
    """Empty for a run of which nothing was frozen."""
    kept = await session.scalar(select(FrozenViewRow.view).where(FrozenViewRow.flow_id == flow_id))
    return kept or {}


async def find_owner(session: AsyncSession, kind: FlowKind, flow_id: str) -> FlowOwner | None:
    row = await session.scalar(select(FlowRow).where(FlowRow.id == flow_id, FlowRow.kind == kind))
    return _owner(row) if row else None


async def list_flows(
    session: AsyncSession,
    kind: FlowKind,
    *,
    dealer_id: str | None,
    owner_id: str | None,
    ended: bool,
    limit: int,
    before: tuple[datetime, str] | None = None,
) -> tuple[FlowAnswer, ...]:
    """Newest change first. `before` is the (updated_at, id) of the last row of the page before."""
    query = select(FlowRow).where(
        FlowRow.kind == kind,
        FlowRow.ended_at.is_not(None) if ended else FlowRow.ended_at.is_(None),
    )
    if dealer_id is not None:
        query = query.where(FlowRow.dealer_id == dealer_id)
    if owner_id is not None:
        query = query.where(FlowRow.owner_id == owner_id)
    if before is not None:
        query = query.where(tuple_(FlowRow.updated_at, FlowRow.id) < before)
    rows = await session.scalars(
        query.order_by(FlowRow.updated_at.desc(), FlowRow.id.desc()).limit(limit)
    )
    return tuple(_answer(row) for row in rows)


async def count_flows(
    session: AsyncSession,
    kind: FlowKind,
    *,
    dealer_id: str | None,
    owner_id: str | None,
    ended: bool,
) -> int:
    query = select(func.count()).where(
        FlowRow.kind == kind,
        FlowRow.ended_at.is_not(None) if ended else FlowRow.ended_at.is_(None),
    )
    if dealer_id is not None:
        query = query.where(FlowRow.dealer_id == dealer_id)
    if owner_id is not None:
        query = query.where(FlowRow.owner_id == owner_id)
    return int(await session.scalar(query) or 0)


async def last_unfinished(
    session: AsyncSession, device_key: str, dealer_id: str
) -> FlowAnswer | None:
    """The latest ended run of a device at one dealer, if it was abandoned: what a new run may take over."""
    row = await session.scalar(
        select(FlowRow)
        .where(
            FlowRow.device_key == device_key,
            FlowRow.kind == "activation",
            FlowRow.dealer_id == dealer_id,
            FlowRow.ended_at.is_not(None),
        )
        .order_by(FlowRow.updated_at.desc())
        .limit(1)
    )
    return _answer(row) if row is not None and row.state == "abandoned" else None


async def transitions_of(
    session: AsyncSession, flow_id: str, *, after: int = -1, limit: int = 100
) -> tuple[Transition, ...]:
    """Oldest first, from the one after `rev` = `after`."""
    rows = await session.scalars(
        select(TransitionRow)
        .where(TransitionRow.flow_id == flow_id, TransitionRow.rev > after)
        .order_by(TransitionRow.rev)
        .limit(limit)
    )
    return tuple(Transition.model_validate(row, from_attributes=True) for row in rows)


def _answer(
    row: FlowRow, frozen: dict[str, Any] | None = None, moved: Moved | None = None
) -> FlowAnswer:
    told = {"ended": row.ended_at is not None, "moved": moved}
    kept = {name: getattr(row, name) for name in FlowAnswer.model_fields if name not in told}
    kept["view"] = up_to_date(kept["kind"], {**frozen, **row.view} if frozen else row.view)
    return FlowAnswer.model_validate(kept | told)


def _owner(row: FlowRow) -> FlowOwner:
    return FlowOwner.model_validate(
        {name: getattr(row, name) for name in FlowOwner.model_fields if hasattr(row, name)}
        | {"ended": row.ended_at is not None}
    )


# ---------------------------------------------------------------- who holds a device


async def reserve(
    session: AsyncSession, *, device_key: str, kind: FlowKind, flow_id: str, workflow_id: str
) -> bool:
    """Takes the device for a run. False when another live run holds it; True again for the run that holds it."""
    taken = await session.scalar(
        insert(ReservationRow)
        .values(device_key=device_key, kind=kind, flow_id=flow_id, workflow_id=workflow_id)
        .on_conflict_do_nothing(
            index_elements=["device_key", "kind"],
            index_where=ReservationRow.released_at.is_(None),
        )
        .returning(ReservationRow.flow_id)
    )
    if taken is not None:
        return True
    holder = await holder_of(session, device_key, kind)
    return holder is not None and holder.flow_id == flow_id


async def release(
    session: AsyncSession, *, flow_id: str, device_keys: Sequence[str] | None = None
) -> None:
    """Gives up what a run holds: all of it, or only some devices. Idempotent."""
    query = update(ReservationRow).where(
        ReservationRow.flow_id == flow_id, ReservationRow.released_at.is_(None)
    )
    if device_keys is not None:
        query = query.where(ReservationRow.device_key.in_(device_keys))
    await session.execute(query.values(released_at=func.now()))


async def holder_of(
    session: AsyncSession, device_key: str, kind: FlowKind
) -> ReservationRow | None:
    return await session.scalar(
        select(ReservationRow).where(
            ReservationRow.device_key == device_key,
            ReservationRow.kind == kind,
            ReservationRow.released_at.is_(None),
        )
    )


async def holders_of(session: AsyncSession, device_key: str) -> tuple[str, ...]:
    """Workflow ids of every live run that works on the device: who is told of its logs. A purchase is not."""
    rows = await session.scalars(
        select(ReservationRow.workflow_id).where(
            ReservationRow.device_key == device_key,
            ReservationRow.kind != "purchase",
            ReservationRow.released_at.is_(None),
        )
    )
    return tuple(rows)


async def held_by_others(
    session: AsyncSession, device_keys: list[str], kind: FlowKind, flow_id: str
) -> frozenset[str]:
    """Those of the devices that another live run of this kind holds."""
    rows = await session.scalars(
        select(ReservationRow.device_key).where(
            ReservationRow.device_key.in_(device_keys),
            ReservationRow.kind == kind,
            ReservationRow.flow_id != flow_id,
            ReservationRow.released_at.is_(None),
        )
    )
    return frozenset(rows)


# ---------------------------------------------------------------- intents


_BEGIN_INTENT = text(
    """
    insert into intent (key, flow_id, kind) values (:key, :flow_id, :kind)
    on conflict (key) do update set refused_at = null
    returning outcome
    """
)
_SETTLE_INTENT = text(
    """
    update intent set outcome = cast(:outcome as jsonb), settled_at = now()
    where key = :key and settled_at is null
    """
)


async def begin_intent(
    session: Executes, *, key: str, flow_id: str, kind: str
) -> dict[str, Any] | None:
    """Notes that an effect is about to be asked for, or answers the outcome of an earlier try. One statement."""
    begun = await session.execute(_BEGIN_INTENT, {"key": key, "flow_id": flow_id, "kind": kind})
    return begun.scalar_one()


async def settle_intent(session: Executes, key: str, outcome: dict[str, Any]) -> None:
    """Keeps the first outcome. One statement."""
    await session.execute(_SETTLE_INTENT, {"key": key, "outcome": orjson.dumps(outcome).decode()})


async def refuse_intents(session: Executes, *, flow_id: str, key: str | None = None) -> None:
    """What the run had asked for was refused, so that nobody waits for its outcome: this effect, or whatever it has open. It may
    be asked for again. One statement."""
    await session.execute(
        text(
            """
            update intent set refused_at = now()
            where flow_id = :flow_id and settled_at is null and key = coalesce(cast(:key as text), key)
            """
        ),
        {"flow_id": flow_id, "key": key},
    )


# ---------------------------------------------------------------- guests


async def add_capability(
    session: AsyncSession, *, token_hash: str, flow_id: str, expires_at: datetime
) -> None:
    await session.execute(
        insert(GuestCapabilityRow)
        .values(hash=token_hash, flow_id=flow_id, expires_at=expires_at)
        .on_conflict_do_nothing()
    )


async def flow_of_capability(session: AsyncSession, token_hash: str) -> str | None:
    """The run that a guest's capability opens, while it is valid."""
    return await session.scalar(
        select(GuestCapabilityRow.flow_id).where(
            GuestCapabilityRow.hash == token_hash, GuestCapabilityRow.expires_at > func.now()
        )
    )
