"""Runs as people see them: the row of each, what of its view never changes, its transitions.

`db/runs/projections.py` has how a workflow writes them; everybody else only reads.
"""

from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    ARRAY,
    Computed,
    Index,
    Row,
    Select,
    Text,
    bindparam,
    func,
    select,
    text,
    true,
    tuple_,
)
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Executes
from domain.base import Frozen
from domain.runs.projection import FlowAnswer, FlowKind, FlowOwner, LastTransition
from domain.runs.transition import Transition
from domain.views import up_to_date

TEAM = "team:"
"""Before a dealer's id: the name under which all its activations, orders and purchases are followed together."""


class Unfinished(Frozen):
    """A run that was abandoned; its view is as it was written, by whichever release."""

    id: str
    view: dict[str, Any]


_WORKED_OUT = frozenset({"ended", "moved"})
"""What is told of a run without a column of its own."""


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


class FrozenViewRow(Base):
    """The part of a run's view that never changes while it goes on: kept once, and no history holds it."""

    __tablename__ = "frozen_view"

    flow_id: Mapped[str] = mapped_column(Text, primary_key=True)
    view: Mapped[dict[str, Any]] = mapped_column(JSONB)


async def find_flow(session: Executes, kind: FlowKind, flow_id: str) -> FlowAnswer | None:
    """One statement by primary keys."""
    found = await session.execute(_shown(), {"flow_id": flow_id, "kind": kind})
    row = found.one_or_none()
    return _answer(row, row.frozen, _last_move(row)) if row else None


async def find_run(
    session: Executes, kind: FlowKind, flow_id: str
) -> tuple[FlowOwner, FlowAnswer] | None:
    """Whose it is and how it stands by one statement, made on every look at a run."""
    found = await session.execute(_shown_and_owned(), {"flow_id": flow_id, "kind": kind})
    row = found.one_or_none()
    return (_owner(row), _answer(row, row.frozen, _last_move(row))) if row else None


@cache
def _shown_and_owned() -> Select[*tuple[Any, ...]]:
    more = _OWNER_COLUMNS - FlowAnswer.model_fields.keys()
    return _shown().add_columns(*(getattr(FlowRow, name) for name in sorted(more)))


@cache
def _shown() -> Select[*tuple[Any, ...]]:
    """A run, what is frozen of its view, and the last of its moves that is shown by now. Put together once: that takes longer
    than to run it."""
    last = (
        select(TransitionRow)
        .where(TransitionRow.flow_id == FlowRow.id, TransitionRow.rev <= FlowRow.rev)
        .order_by(TransitionRow.rev.desc())
        .limit(1)
        .lateral("last")
    )
    moved = (last.c[name].label(f"moved_{name}") for name in LastTransition.model_fields)
    shown = (getattr(FlowRow, name) for name in FlowAnswer.model_fields if name not in _WORKED_OUT)
    return (
        select(*shown, FlowRow.ended_at, FrozenViewRow.view.label("frozen"), *moved)
        .outerjoin(FrozenViewRow, FrozenViewRow.flow_id == FlowRow.id)
        .outerjoin(last, true())
        .where(FlowRow.id == bindparam("flow_id"), FlowRow.kind == bindparam("kind"))
    )


def _last_move(row: Row[*tuple[Any, ...]]) -> LastTransition | None:
    """None before the first one."""
    if row.moved_rev is None:
        return None
    return LastTransition.model_validate(
        {name: getattr(row, f"moved_{name}") for name in LastTransition.model_fields}
    )


async def freeze_view(session: AsyncSession, flow_id: str, view: dict[str, Any]) -> None:
    """Keeps what will not change of a run's view, in the place of what an earlier run of that id had."""
    await session.execute(
        insert(FrozenViewRow)
        .values(flow_id=flow_id, view=view)
        .on_conflict_do_update(index_elements=["flow_id"], set_={"view": view})
    )


async def find_owner(session: Executes, kind: FlowKind, flow_id: str) -> FlowOwner | None:
    """One statement by the primary key, made with every message to a run; its view is not read."""
    found = await session.execute(_owned(), {"flow_id": flow_id, "kind": kind})
    row = found.one_or_none()
    return _owner(row) if row else None


@cache
def _owned() -> Select[*tuple[Any, ...]]:
    owned = (getattr(FlowRow, name) for name in sorted(_OWNER_COLUMNS))
    return select(*owned, FlowRow.ended_at).where(
        FlowRow.id == bindparam("flow_id"), FlowRow.kind == bindparam("kind")
    )


_OWNER_COLUMNS = frozenset(name for name in FlowOwner.model_fields if hasattr(FlowRow, name))


def _owner(row: Row[*tuple[Any, ...]]) -> FlowOwner:
    stored = {name: getattr(row, name) for name in _OWNER_COLUMNS}
    return FlowOwner.model_validate(stored | {"ended": row.ended_at is not None})


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
) -> Unfinished | None:
    """The latest ended run of a device at one dealer, if it was abandoned: what a new run may take over."""
    found = await session.execute(
        select(FlowRow.id, FlowRow.state, FlowRow.view)
        .where(
            FlowRow.device_key == device_key,
            FlowRow.kind == "activation",
            FlowRow.dealer_id == dealer_id,
            FlowRow.ended_at.is_not(None),
        )
        .order_by(FlowRow.updated_at.desc())
        .limit(1)
    )
    row = found.one_or_none()
    if row is None or row.state != "abandoned":
        return None
    return Unfinished(id=row.id, view=row.view)


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
    row: FlowRow | Row[*tuple[Any, ...]],
    frozen: dict[str, Any] | None = None,
    moved: LastTransition | None = None,
) -> FlowAnswer:
    stored = {
        name: getattr(row, name) for name in FlowAnswer.model_fields if name not in _WORKED_OUT
    }
    stored["view"] = up_to_date(stored["kind"], {**frozen, **row.view} if frozen else row.view)
    return FlowAnswer.model_validate(stored | {"ended": row.ended_at is not None, "moved": moved})
