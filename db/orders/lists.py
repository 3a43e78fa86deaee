"""Lists of the orders of one business."""

from typing import Any

from sqlalchemy import ColumnElement, Select, func, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from db.orders.orders import summary_of
from db.orders.tables import OrderLineRow, OrderRow
from domain.orders.orders import OPEN, OrderStatus, OrderSummary
from domain.orders.search import OrderSearch, OrdersFound, place_of


async def list_orders(session: AsyncSession, asked: OrderSearch) -> OrdersFound:
    """A page of the orders that fit, and how many fit in all."""
    counts = await _counts(session, asked)
    total = sum(count for status, count in counts.items() if status in (asked.statuses or counts))
    key = OrderRow.created_at if asked.sort.is_by_date else OrderRow.total
    query = _of_status(_fitting(asked), asked).limit(asked.limit + 1).offset(asked.skip)
    if asked.after is not None:
        place = tuple_(key, OrderRow.id)
        last = tuple_(
            asked.after.at if asked.sort.is_by_date else asked.after.total, asked.after.id
        )
        query = query.where(place < last if asked.sort.is_falling else place > last)
    falling = asked.sort.is_falling
    rows = await session.scalars(
        query.order_by(
            key.desc() if falling else key, OrderRow.id.desc() if falling else OrderRow.id
        )
    )
    summaries = [summary_of(row) for row in rows]
    shown = tuple(summaries[: asked.limit])
    is_last = len(summaries) <= asked.limit
    end = None if is_last else place_of(shown[-1], asked.sort)
    return OrdersFound(orders=shown, end=end, total=total, counts=counts)


async def orders_named(
    session: AsyncSession, partner_code: str, term: str, *, limit: int
) -> tuple[OrderSummary, ...]:
    """The latest orders of a business with this in a number of theirs."""
    rows = await session.scalars(
        select(OrderRow)
        .where(OrderRow.partner_code == partner_code, _names(term))
        .order_by(OrderRow.created_at.desc(), OrderRow.id.desc())
        .limit(limit)
    )
    return tuple(summary_of(row) for row in rows)


async def orders_under_way(
    session: AsyncSession, partner_code: str, *, limit: int
) -> tuple[tuple[OrderSummary, ...], int]:
    """The latest orders of a business that are neither invoiced nor cancelled, and how many there are."""
    rows = await session.execute(
        select(OrderRow, func.count().over())
        .where(OrderRow.partner_code == partner_code, OrderRow.status.in_([*OPEN]))
        .order_by(OrderRow.created_at.desc(), OrderRow.id.desc())
        .limit(limit)
    )
    found = rows.all()
    return tuple(summary_of(order) for order, _ in found), found[0][1] if found else 0


def _fitting(asked: OrderSearch) -> Select[Any]:
    query = select(OrderRow).where(OrderRow.partner_code == asked.partner_code)
    if asked.ids:
        query = query.where(OrderRow.id.in_(asked.ids))
    if asked.since is not None:
        query = query.where(OrderRow.created_at >= asked.since)
    if asked.before is not None:
        query = query.where(OrderRow.created_at < asked.before)
    if asked.term:
        query = query.where(or_(_names(asked.term), _holds(asked.term)))
    return query


def _of_status(query: Select[Any], asked: OrderSearch) -> Select[Any]:
    if not asked.statuses:
        return query
    return query.where(OrderRow.status.in_([status.value for status in asked.statuses]))


async def _counts(session: AsyncSession, asked: OrderSearch) -> dict[OrderStatus, int]:
    by_status = _fitting(asked).with_only_columns(OrderRow.status, func.count(OrderRow.id))
    rows = await session.execute(by_status.group_by(OrderRow.status))
    return {OrderStatus(status): count for status, count in rows}


def _holds(term: str) -> ColumnElement[bool]:
    """Somebody of this name placed it, or a SKU in it begins so."""
    line = select(OrderLineRow.order_id).where(
        OrderLineRow.order_id == OrderRow.id,
        OrderLineRow.sku.istartswith(term, autoescape=True),
    )
    return or_(OrderRow.placed_by_name.icontains(term, autoescape=True), line.exists())


def _names(term: str) -> ColumnElement[bool]:
    return or_(
        OrderRow.po_number.icontains(term, autoescape=True),
        OrderRow.number.icontains(term, autoescape=True),
        OrderRow.erp_number.icontains(term, autoescape=True),
    )
