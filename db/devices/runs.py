"""What runs tell of devices: which ones somebody has worked on, and what was done with one of them."""

from datetime import datetime

from sqlalchemy import ColumnElement, and_, func, or_, select, text, true, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from db.runs.flows import FlowRow
from domain.base import Frozen, Utc
from domain.runs.projection import FlowAnswer, FlowKind


class Whose(Frozen):
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


_GOES_ON = func.bool_or(FlowRow.ended_at.is_(None))
"""Of all the runs of a device."""


async def devices_worked_on(
    session: AsyncSession,
    whose: Whose,
    *,
    starts_with: str = "",
    in_work: bool = False,
    limit: int,
    before: tuple[datetime, str] | None = None,
) -> tuple[WorkedOn, ...]:
    """Newest change first; `in_work` are those that a run goes on with. `before` is the (at, device key) of the last row of the page before."""
    latest = func.max(FlowRow.updated_at)
    product = func.max(FlowRow.view[("device", "product_name")].astext)
    query = (
        select(FlowRow.device_key, product.label("product_name"), latest.label("at"))
        .where(_of(whose), FlowRow.device_key.startswith(starts_with, autoescape=True))
        .group_by(FlowRow.device_key)
    )
    if in_work:
        query = query.having(_GOES_ON)
    if before is not None:
        query = query.having(tuple_(latest, FlowRow.device_key) < before)
    rows = await session.execute(
        query.order_by(latest.desc(), FlowRow.device_key.desc()).limit(limit)
    )
    return tuple(
        WorkedOn(device_key=key, product_name=product_name, at=at)
        for key, product_name, at in rows
        if key is not None
    )


async def count_devices(session: AsyncSession, whose: Whose, *, starts_with: str) -> DeviceCounts:
    device = (
        select(_GOES_ON.label("in_work"))
        .where(_of(whose), FlowRow.device_key.startswith(starts_with, autoescape=True))
        .group_by(FlowRow.device_key)
        .subquery()
    )
    query = select(func.count(), func.count().filter(device.c.in_work)).select_from(device)
    row = (await session.execute(query)).one()
    return DeviceCounts(all=row[0], in_work=row[1])


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
    whose: Whose,
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


def _of(whose: Whose) -> ColumnElement[bool]:
    if whose.everybodys:
        return true()
    own = and_(FlowRow.owner_id.is_not(None), FlowRow.owner_id == whose.owner_id)
    dealers = and_(FlowRow.dealer_id.is_not(None), FlowRow.dealer_id == whose.dealer_id)
    return or_(own, dealers)


def _past(row: FlowRow) -> PastRun:
    told = {"ended": row.ended_at is not None}
    return PastRun.model_validate(
        {name: getattr(row, name) for name in PastRun.model_fields if name not in {*told, "moved"}}
        | told
    )
