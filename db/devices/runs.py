"""What runs tell of devices: which ones somebody has worked on, and what was done with one of them."""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    CTE,
    ColumnElement,
    Select,
    and_,
    exists,
    func,
    or_,
    select,
    text,
    true,
    tuple_,
)
from sqlalchemy.ext.asyncio import AsyncSession

from db.runs.flows import FlowRow
from domain.base import Frozen, Utc
from domain.runs.projection import FlowAnswer, FlowKind


class RunScope(Frozen):
    """Whose runs are looked at: the person's own and their dealer's, or with `everybodys` all."""

    dealer_id: str | None = None
    owner_id: str | None = None
    everybodys: bool = False


class WorkedOn(Frozen):
    """A device with the latest change of any run of it."""

    device_key: str
    product_name: str | None
    """As an activation last saw it."""
    at: Utc


class DeviceCounts(Frozen):
    """`in_work`: those that a run goes on with."""

    all: int
    in_work: int


class PastRun(FlowAnswer):
    """A run with when it began and, once it is over, when it ended."""

    created_at: Utc
    ended_at: Utc | None
    outcome: str | None


async def devices_worked_on(
    session: AsyncSession,
    whose: RunScope,
    *,
    starts_with: str = "",
    in_work: bool = False,
    limit: int,
    before: tuple[datetime, str] | None = None,
) -> tuple[WorkedOn, ...]:
    """Newest change first; `in_work` are those that a run goes on with. `before` is the (at, device key) of the
    last row of the page before."""
    device = _devices(whose, starts_with)
    query = _listed(device, in_work=in_work, limit=limit)
    if before is not None:
        query = query.where(tuple_(device.c.at, device.c.device_key) < before)
    rows = await session.execute(query)
    return tuple(WorkedOn.model_validate(row, from_attributes=True) for row in rows)


async def first_devices(
    session: AsyncSession, whose: RunScope, *, starts_with: str, in_work: bool, limit: int
) -> tuple[tuple[WorkedOn, ...], DeviceCounts]:
    """The first page of `devices_worked_on`, and how many there are on all pages, whether in work or not."""
    device = _devices(whose, starts_with)
    page = _listed(device, in_work=in_work, limit=limit).subquery()
    going_on = func.count().filter(device.c.goes_on)
    counts = (
        select(func.count().label("total"), going_on.label("in_work"))
        .select_from(device)
        .subquery()
    )
    query = (
        select(counts, page)
        .select_from(counts.outerjoin(page, true()))
        .order_by(page.c.at.desc(), page.c.device_key.desc())
    )
    rows = (await session.execute(query)).all()
    found = tuple(
        WorkedOn.model_validate(row, from_attributes=True)
        for row in rows
        if row.device_key is not None
    )
    return found, DeviceCounts(all=rows[0].total, in_work=rows[0].in_work)


def _devices(whose: RunScope, starts_with: str) -> CTE:
    """Each device once, with the latest change of any run of it and whether one goes on."""
    return (
        select(
            FlowRow.device_key,
            func.max(FlowRow.product).label("product_name"),
            func.max(FlowRow.updated_at).label("at"),
            func.bool_or(FlowRow.ended_at.is_(None)).label("goes_on"),
        )
        .where(_of(whose), FlowRow.device_key.startswith(starts_with, autoescape=True))
        .group_by(FlowRow.device_key)
        .cte("device")
    )


def _listed(device: CTE, *, in_work: bool, limit: int) -> Select[Any, Any, Any]:
    query = select(device.c.device_key, device.c.product_name, device.c.at)
    if in_work:
        query = query.where(device.c.goes_on)
    return query.order_by(device.c.at.desc(), device.c.device_key.desc()).limit(limit)


class Customer(Frozen):
    """The owner of a vehicle, by the address that an activation sends the welcome to, with its latest device."""

    email: str
    device_key: str


_CUSTOMERS = text(
    r"""
    select distinct on (lower(view ->> 'consumer_email')) view ->> 'consumer_email' as email, device_key
    from flow
    where kind = 'activation' and view ->> 'consumer_email' is not null and dealer_id = :dealer
      and device_key is not null
      and lower(view ->> 'consumer_email') like regexp_replace(lower(:begin), '([\\%_])', '\\\1', 'g') || '%'
    order by lower(view ->> 'consumer_email'), updated_at desc
    limit :limit
    """
)


async def customers_named(
    session: AsyncSession, dealer_id: str, begin: str, *, limit: int
) -> tuple[Customer, ...]:
    """The customers of a dealer whose address begins so."""
    rows = await session.execute(_CUSTOMERS, {"dealer": dealer_id, "begin": begin, "limit": limit})
    return tuple(Customer.model_validate(row, from_attributes=True) for row in rows)


async def runs_of_device(
    session: AsyncSession,
    kind: FlowKind,
    device_key: str,
    whose: RunScope,
    *,
    limit: int,
    before: tuple[datetime, str] | None = None,
) -> tuple[PastRun, ...]:
    """Newest first. `before` is the (created_at, id) of the last row of the page before."""
    query = select(FlowRow).where(
        FlowRow.device_key == device_key, FlowRow.kind == kind, _of(whose)
    )
    if before is not None:
        query = query.where(tuple_(FlowRow.created_at, FlowRow.id) < before)
    rows = await session.scalars(
        query.order_by(FlowRow.created_at.desc(), FlowRow.id.desc()).limit(limit)
    )
    return tuple(_past(row) for row in rows)


async def has_runs(session: AsyncSession, device_key: str, whose: RunScope) -> bool:
    """Whether any run of theirs names the device."""
    found = exists().where(FlowRow.device_key == device_key, _of(whose))
    return bool(await session.scalar(select(found)))


def _of(whose: RunScope) -> ColumnElement[bool]:
    if whose.everybodys:
        return true()
    own = and_(FlowRow.owner_id.is_not(None), FlowRow.owner_id == whose.owner_id)
    dealers = and_(FlowRow.dealer_id.is_not(None), FlowRow.dealer_id == whose.dealer_id)
    return or_(own, dealers)


def _past(row: FlowRow) -> PastRun:
    worked_out = {"ended": row.ended_at is not None}
    return PastRun.model_validate(
        {
            name: getattr(row, name)
            for name in PastRun.model_fields
            if name not in {*worked_out, "moved"}
        }
        | worked_out
    )
