"""Service visits: asked for by the API, moved by their workflows, read by everybody else."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    ForeignKey,
    Index,
    Row,
    Text,
    and_,
    column,
    func,
    or_,
    select,
    table,
    text,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Executes, columns_of
from db.identity.people import PersonRow
from db.platform import run_status
from db.runs.device_reservations import ReservationRow
from db.runs.flows import FlowRow
from domain.activation.activation import OPENED
from domain.devices.activation_type import ActivationType
from domain.devices.ownership import Asker, Party
from domain.devices.visits import WITHOUT_RUN, Visit, VisitStart, VisitState
from domain.letters.language import Reader

DONE = ("completed", "abandoned")
"""States of an activation that end the visit; one that the device check refused, or that goes back to the choice of the type,
does not."""
_audit = table("audit", *map(column, ("id", "at", "actor", "action", "object_kind", "object_id")))


class VisitRow(Base):
    """`start` is the input of its run. At most one open visit of a person at a device."""

    __tablename__ = "visit"
    __table_args__ = (
        Index(
            "uq_visit_open",
            "device_key",
            "visitor_id",
            unique=True,
            postgresql_where=text("ended_at is null"),
        ),
        Index("ix_visit_visitor", "visitor_id", "asked_at"),
        Index("ix_visit_owner_dealer", "owner_dealer_id", "asked_at"),
        Index("ix_visit_owner_partner", "owner_partner_code", "asked_at"),
        Index("ix_visit_owner_person", "owner_person_id", "asked_at"),
        Index("ix_visit_not_begun", "asked_at", postgresql_where=text("rev = 0")),
    )

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    workflow_id: Mapped[str] = mapped_column(Text)
    device_key: Mapped[str] = mapped_column(Text)
    visitor_id: Mapped[str] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"))
    visitor_dealer_id: Mapped[str] = mapped_column(Text)
    visitor_name: Mapped[str] = mapped_column(Text)
    visitor_business: Mapped[str] = mapped_column(Text)
    owner_dealer_id: Mapped[str | None] = mapped_column(Text)
    owner_partner_code: Mapped[str | None] = mapped_column(Text)
    owner_person_id: Mapped[str | None] = mapped_column(Text)
    reason: Mapped[str] = mapped_column(Text)
    start: Mapped[dict[str, Any]] = mapped_column(JSONB)
    rev: Mapped[int]
    state: Mapped[str] = mapped_column(Text)
    answered_by: Mapped[str | None] = mapped_column(Text)
    asked_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


async def ask_visit(session: AsyncSession, visit: Visit, start: VisitStart) -> Visit:
    """Keeps a request; or finds the one that the person has open at the device, or its own repeat."""
    values = visit.model_dump() | {"start": start.model_dump(mode="json")}
    await session.execute(insert(VisitRow).values(**values).on_conflict_do_nothing())
    row = await session.scalar(
        select(VisitRow)
        .where(
            or_(
                VisitRow.id == visit.id,
                and_(
                    VisitRow.device_key == visit.device_key,
                    VisitRow.visitor_id == visit.visitor_id,
                    VisitRow.ended_at.is_(None),
                ),
            )
        )
        .order_by((VisitRow.id == visit.id).desc())
        .limit(1)
    )
    assert row is not None
    return _as_visit(row)


async def move_visit(
    session: AsyncSession,
    visit_id: str,
    *,
    rev: int,
    state: str,
    at: datetime,
    expires_at: datetime,
    answered_by: str | None,
    ended: bool,
) -> bool:
    return await run_status.move(
        session,
        VisitRow.id,
        visit_id,
        rev=rev,
        at=at,
        ended=ended,
        state=state,
        expires_at=expires_at,
        answered_by=answered_by,
    )


async def find_visit(session: Executes, visit_id: str) -> Visit | None:
    query = select(*columns_of(VisitRow)).where(VisitRow.id == visit_id)
    row = (await session.execute(query)).one_or_none()
    return _as_visit(row) if row else None


async def visits_of(
    session: AsyncSession,
    asker: Asker,
    *,
    asked_of_us: bool,
    limit: int,
    before: tuple[datetime, str] | None,
    state: VisitState | None,
    now: datetime,
) -> tuple[Visit, ...]:
    """Those that the person asked for, or that the person's business was asked for, the newest first; `state` is the
    one that people are shown."""
    query = select(VisitRow).where(_whose(asker, asked_of_us))
    if state is not None:
        query = query.where(_in_states(now)[state])
    if before is not None:
        query = query.where(tuple_(VisitRow.asked_at, VisitRow.id) < before)
    rows = await session.scalars(
        query.order_by(VisitRow.asked_at.desc(), VisitRow.id.desc()).limit(limit)
    )
    return tuple(_as_visit(row) for row in rows)


async def count_visits(
    session: AsyncSession, asker: Asker, *, asked_of_us: bool, now: datetime
) -> dict[VisitState, int]:
    """How many of them there are in each state that people are shown."""
    states = _in_states(now)
    counted = [func.count().filter(fits) for fits in states.values()]
    query = select(*counted).select_from(VisitRow).where(_whose(asker, asked_of_us))
    row = (await session.execute(query)).one()
    return dict(zip(states, row, strict=True))


async def permitted_visits(
    session: Executes, device_key: str, *visitor_ids: str
) -> tuple[Visit, ...]:
    """These people's visits at the device that are permitted at this moment: in time, the work not done, the person not
    retired and still where they were."""
    rows = await session.execute(
        select(*columns_of(VisitRow))
        .join(PersonRow, PersonRow.id == VisitRow.visitor_id)
        .where(
            VisitRow.device_key == device_key,
            VisitRow.visitor_id.in_(visitor_ids),
            VisitRow.state == "permitted",
            VisitRow.ended_at.is_(None),
            VisitRow.expires_at > func.now(),
            ~PersonRow.is_retired,
            PersonRow.dealer_id == VisitRow.visitor_dealer_id,
            ~_is_done(),
        )
    )
    return tuple(_as_visit(row) for row in rows)


async def done_visits(session: AsyncSession, visit_ids: Sequence[str]) -> frozenset[str]:
    """Those of them whose visitor's activation is over."""
    rows = await session.scalars(select(VisitRow.id).where(VisitRow.id.in_(visit_ids), _is_done()))
    return frozenset(rows)


async def runs_of_visit(session: AsyncSession, visit_id: str) -> tuple[tuple[str, str | None], ...]:
    """(workflow id, run id) of each unfinished activation that the visit let in and that holds the device."""
    held = ReservationRow
    rows = await session.execute(
        select(FlowRow.workflow_id, FlowRow.run_id)
        .select_from(VisitRow)
        .join(FlowRow, _is_its_activation())
        .join(held, held.flow_id == FlowRow.id)
        .where(
            VisitRow.id == visit_id,
            FlowRow.ended_at.is_(None),
            held.device_key == VisitRow.device_key,
            held.kind == "activation",
            held.released_at.is_(None),
        )
        .limit(10)
    )
    return tuple((row.workflow_id, row.run_id) for row in rows)


async def not_begun(session: AsyncSession, *, before: datetime) -> tuple[VisitStart, ...]:
    """Requests that no run has taken up, the oldest first."""
    rows = await session.scalars(
        select(VisitRow.start)
        .where(VisitRow.rev == 0, VisitRow.asked_at < before)
        .order_by(VisitRow.asked_at)
        .limit(100)
    )
    return tuple(VisitStart.model_validate(start) for start in rows)


async def open_visits(session: AsyncSession, *, limit: int) -> tuple[Visit, ...]:
    """Those that a run has taken up and that are not over, in another order each time."""
    rows = await session.scalars(
        select(VisitRow)
        .where(VisitRow.rev > 0, VisitRow.ended_at.is_(None))
        .order_by(func.random())
        .limit(limit)
    )
    return tuple(_as_visit(row) for row in rows)


async def give_up(session: AsyncSession, visit: Visit) -> bool:
    """Ends one whose run is gone. False when it has moved."""
    ended = await session.scalar(
        update(VisitRow)
        .where(VisitRow.id == visit.id, VisitRow.rev == visit.rev, VisitRow.ended_at.is_(None))
        .values(
            rev=VisitRow.rev + 1,
            state=WITHOUT_RUN[visit.state].value,
            updated_at=func.now(),
            ended_at=func.now(),
        )
        .returning(VisitRow.id)
    )
    return ended is not None


async def readers_of(session: AsyncSession, owner: Party) -> tuple[Reader, ...]:
    """The owners of a business, or a person alone, as they are written to."""
    rows = await session.execute(
        text(
            """
            select person.email, person.language
            from person
            left join installer on installer.person_id = person.id
            left join dealer on dealer.id = person.dealer_id
            left join partner on partner.id = coalesce(person.partner_id, dealer.partner_id)
            where not person.is_retired and person.confirmed_at is not null and case
                when cast(:dealer as text) is not null
                  then person.dealer_id = cast(:dealer as text) and coalesce(installer.is_owner, false)
                when cast(:partner as text) is not null then partner.sap_bp_code = cast(:partner as text)
                else person.id = cast(:person as text) end
            order by person.id limit 20
            """
        ),
        {"dealer": owner.dealer_id, "partner": owner.partner_code, "person": owner.person_id},
    )
    return tuple(Reader.model_validate(row, from_attributes=True) for row in rows)


def _is_done() -> ColumnElement[bool]:
    return (
        select(FlowRow.id)
        .where(_is_its_activation(), FlowRow.state.in_(DONE))
        .correlate(VisitRow)
        .exists()
    )


def _is_its_activation() -> ColumnElement[bool]:
    """Of the one type that a visit lets in, and begun by the visitor, whoever has it since. Its row knows the present owner
    alone: who began it was recorded."""
    began = (
        select(_audit.c.actor)
        .where(
            _audit.c.object_kind == "activation",
            _audit.c.object_id == FlowRow.id,
            _audit.c.action == OPENED,
        )
        .order_by(_audit.c.at, _audit.c.id)
        .limit(1)
        .correlate(FlowRow)
        .scalar_subquery()
    )
    return and_(
        FlowRow.kind == "activation",
        FlowRow.device_key == VisitRow.device_key,
        FlowRow.view["type"].astext == ActivationType.SERVICE_DEVICE.value,
        FlowRow.created_at >= VisitRow.asked_at,
        func.coalesce(began, func.concat("user:", FlowRow.owner_id))
        == func.concat("user:", VisitRow.visitor_id),
    )


def _in_states(now: datetime) -> dict[VisitState, ColumnElement[bool]]:
    """The rule of `domain.devices.visits.shown_state` over rows."""
    is_over = VisitRow.expires_at <= now
    waits, may = VisitRow.state == VisitState.WAITING, VisitRow.state == VisitState.PERMITTED
    is_past = or_(is_over, _is_done())
    return {
        VisitState.WAITING: and_(waits, ~is_over),
        VisitState.PERMITTED: and_(may, ~is_past),
        VisitState.REFUSED: VisitRow.state == VisitState.REFUSED,
        VisitState.LAPSED: or_(VisitRow.state == VisitState.LAPSED, and_(waits, is_over)),
        VisitState.ENDED: or_(VisitRow.state == VisitState.ENDED, and_(may, is_past)),
    }


def _whose(asker: Asker, asked_of_us: bool) -> ColumnElement[bool]:
    return _asked_of(asker) if asked_of_us else VisitRow.visitor_id == asker.person_id


def _asked_of(asker: Asker) -> ColumnElement[bool]:
    """The rule of `domain.devices.ownership.is_of` over rows."""
    alone = and_(
        VisitRow.owner_dealer_id.is_(None),
        VisitRow.owner_partner_code.is_(None),
        VisitRow.owner_person_id == asker.person_id,
    )
    return or_(
        and_(VisitRow.owner_dealer_id.is_not(None), VisitRow.owner_dealer_id == asker.dealer_id),
        and_(
            VisitRow.owner_partner_code.is_not(None),
            VisitRow.owner_partner_code == asker.partner_code,
        ),
        alone,
    )


def _as_visit(row: VisitRow | Row[*tuple[Any, ...]]) -> Visit:
    return Visit.model_validate(row, from_attributes=True)
