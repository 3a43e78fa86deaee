"""The open activations of a dealer, or of all: a page, the counts, and how the steps go. Read from the projections."""

from datetime import datetime
from functools import cache, lru_cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    DateTime,
    Select,
    Text,
    TextClause,
    and_,
    bindparam,
    func,
    literal_column,
    or_,
    select,
    text,
    tuple_,
)
from sqlalchemy.ext.asyncio import AsyncSession

from db.identity.people import PersonRow
from db.partner_tables import DealerRow
from db.runs.flows import FlowRow
from domain.dealers.team import COUNTED_BACK, Group, OpenActivation, StepFigures
from domain.kinds import ACTIVATION

MOST_GROUPS = 100
"""People, products or steps in one answer."""

_STEP = func.split_part(FlowRow.state, "/", 1)
_IS_ACTIVATION = FlowRow.kind == literal_column("'activation'")
"""Written out, as the indexes of open activations are: a plan that is kept for any kind could not use them."""


def _work_of(person_id: str | BindParameter[str]) -> ColumnElement[bool]:
    """Theirs, or handed over by them only to be paid: it will be theirs again."""
    returns_to = FlowRow.view[("handed", "back_to_id")].astext
    return or_(FlowRow.owner_id == person_id, returns_to == person_id)


async def list_open(
    session: AsyncSession,
    dealer_id: str | None,
    *,
    owner_id: str | None = None,
    product: str | None = None,
    step: str | None = None,
    work_of: str | None = None,
    limit: int,
    after: tuple[datetime, str] | None = None,
) -> tuple[OpenActivation, ...]:
    """The longest idle first; of one dealer, or of all for None. With `work_of` what is this person's, or comes back to
    them. `after` is the (idle_since, id) of the last row of the
    page before."""
    asked = {
        "dealer_id": dealer_id,
        "owner_id": owner_id,
        "product": product,
        "step": step,
        "work_of": work_of,
        "idle_since": after[0] if after else None,
        "after_id": after[1] if after else None,
    }
    known = {name: value for name, value in asked.items() if value is not None}
    rows = await session.execute(_page_of(frozenset(known), limit), known)
    return tuple(
        OpenActivation(
            id=row.id,
            seq=row.seq,
            device_key=row.device_key or "",
            product=row.product,
            type=row.type,
            state=row.state,
            step=row.state.partition("/")[0],
            position=row.position,
            total=row.total,
            waits_for=ACTIVATION.waits_for(row.state, tuple(row.allowed)),
            owner_id=row.owner_id,
            owner=row.owner,
            owner_is_gone=row.owner_id is not None
            and (row.is_unknown or row.is_retired or row.works_at != row.dealer_id),
            dealer_id=row.dealer_id,
            dealer=row.dealer,
            idle_since=row.updated_at,
            created_at=row.created_at,
        )
        for row in rows
    )


@lru_cache(maxsize=200)
def _page_of(wanted: frozenset[str], limit: int) -> Select[*tuple[Any, ...]]:
    """Put together once for what is asked by: that takes longer than to run it."""
    conditions = {
        "dealer_id": FlowRow.dealer_id == bindparam("dealer_id"),
        "owner_id": FlowRow.owner_id == bindparam("owner_id"),
        "product": FlowRow.product == bindparam("product"),
        "step": bindparam("step") == _STEP,
        "work_of": _work_of(bindparam("work_of", type_=Text)),
        "after_id": tuple_(FlowRow.updated_at, FlowRow.id)
        > tuple_(bindparam("idle_since", type_=DateTime(timezone=True)), bindparam("after_id")),
    }
    page = (
        _open()
        .where(*(condition for name, condition in conditions.items() if name in wanted))
        .order_by(FlowRow.updated_at, FlowRow.id)
        .limit(literal_column(str(limit)))
        .subquery()
    )
    return (
        select(
            page,
            PersonRow.id.is_(None).label("is_unknown"),
            PersonRow.is_retired,
            PersonRow.dealer_id.label("works_at"),
            DealerRow.name.label("dealer"),
        )
        .outerjoin(PersonRow, PersonRow.id == page.c.owner_id)
        .outerjoin(DealerRow, DealerRow.id == page.c.dealer_id)
        .order_by(page.c.updated_at, page.c.id)
    )


def _open() -> Select[*tuple[Any, ...]]:
    view = FlowRow.view
    return select(
        FlowRow.id,
        FlowRow.seq,
        FlowRow.device_key,
        FlowRow.product,
        FlowRow.state,
        FlowRow.allowed,
        FlowRow.owner_id,
        FlowRow.dealer_id,
        FlowRow.updated_at,
        FlowRow.created_at,
        view["type"].astext.label("type"),
        view["owner"].astext.label("owner"),
        view["position"].as_integer().label("position"),
        view["total"].as_integer().label("total"),
    ).where(_IS_ACTIVATION, FlowRow.ended_at.is_(None))


_GROUPS = """
    with found as materialized (
        select owner_id, product, split_part(state, '/', 1) as step
        from flow where kind = 'activation' and ended_at is null {whose}
    )
    (select 'person' as by, owner_id as name, count(*) as count from found group by 2 order by 3 desc, 2 limit :most)
    union all
    (select 'product', product, count(*) from found group by 2 order by 3 desc, 2 limit :most)
    union all
    (select 'step', step, count(*) from found group by 2 order by 3 desc, 2 limit :most)
"""


async def count_work(session: AsyncSession, dealer_id: str, person_id: str) -> int:
    """How many open activations are this person's, or come back to them."""
    query = select(func.count()).select_from(FlowRow)
    open_ = (_IS_ACTIVATION, FlowRow.ended_at.is_(None), FlowRow.dealer_id == dealer_id)
    return await session.scalar(query.where(*open_, _work_of(person_id))) or 0


async def count_open(session: AsyncSession, dealer_id: str | None) -> tuple[Group, ...]:
    """By person, by product and by step, the most first; of one dealer, or of all for None."""
    known = {} if dealer_id is None else {"dealer": dealer_id}
    rows = await session.execute(
        _counts(of_one=dealer_id is not None), {"most": MOST_GROUPS, **known}
    )
    return tuple(Group.model_validate(dict(row)) for row in rows.mappings())


@cache
def _counts(*, of_one: bool) -> TextClause:
    groups = _GROUPS.format(whose="and dealer_id = :dealer" if of_one else "")
    return text(
        f"""
        select g.by, g.name, g.count, trim(p.first_name || ' ' || p.last_name) as label
        from ({groups}) g left join person p on g.by = 'person' and p.id = g.name
        order by g.by, g.count desc, g.name
        """
    )


async def last_change(session: AsyncSession, dealer_id: str) -> tuple[datetime, str] | None:
    """When which activation, order or purchase of the dealer changed last; None while there is none."""
    found = [
        row
        for kind in ("activation", "placement", "purchase")
        if (row := (await session.execute(_LAST, {"dealer": dealer_id, "kind": kind})).first())
    ]
    return max(((row[0], row[1]) for row in found), default=None)


_LAST = (
    select(FlowRow.updated_at, FlowRow.id)
    .where(FlowRow.dealer_id == bindparam("dealer"), FlowRow.kind == bindparam("kind"))
    .order_by(FlowRow.updated_at.desc(), FlowRow.id.desc())
    .limit(1)
)


async def reminded(session: AsyncSession, flow_id: str) -> tuple[PersonRow, str, str] | None:
    """Whom a reminder of the activation goes to, with its state and the name of its product; None where nobody reads it."""
    row = await session.execute(
        select(PersonRow, FlowRow.state, func.coalesce(FlowRow.product, ""))
        .join(
            FlowRow,
            and_(FlowRow.owner_id == PersonRow.id, FlowRow.dealer_id == PersonRow.dealer_id),
        )
        .where(FlowRow.id == flow_id, PersonRow.is_retired.is_(False))
    )
    found = row.one_or_none()
    return (found[0], found[1], found[2]) if found else None


_STEPS = """
    with ended as (
        select id, created_at, outcome from flow
        where kind = 'activation' and ended_at > now() - cast(:back as interval)
        order by ended_at desc limit :most
    ), moves as (
        select t.flow_id, split_part(t.from_state, '/', 1) as step, split_part(t.to_state, '/', 1) as next,
               t.at - coalesce(lag(t.at) over (partition by t.flow_id order by t.rev), e.created_at) as lasted
        from ended e join transition t on t.flow_id = e.id
    ), stays as (
        select flow_id, step, extract(epoch from sum(lasted)) * 1000 as ms, bool_or(next = 'abandoned') as is_lost
        from moves group by flow_id, step
    )
    select step, count(*) as reached, count(*) filter (where is_lost) as lost,
           round(percentile_cont(0.5) within group (order by ms)) as median_ms,
           round(percentile_cont(0.95) within group (order by ms)) as p95_ms
    from stays group by step order by lost desc, p95_ms desc, step
"""

MOST_ENDED = 10_000
"""Of the activations that ended last: the figures are not read from more."""


async def step_figures(session: AsyncSession) -> tuple[StepFigures, ...]:
    """Where most are lost first. A step that was come back to counts once for each activation, with all its time."""
    rows = await session.execute(text(_STEPS), {"back": COUNTED_BACK, "most": MOST_ENDED})
    return tuple(StepFigures.model_validate(dict(row)) for row in rows.mappings())
