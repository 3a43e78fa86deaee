"""Lists of the orders of one business."""

from typing import Any

from sqlalchemy import Select, func, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from db.orders.orders import OrderRow, card_of
from domain.orders.orders import OPEN, OrderCard
from domain.orders.search import OrdersAsked, OrdersFound, place_of


async def list_orders(session: AsyncSession, asked: OrdersAsked) -> OrdersFound:
    """A page of the orders that fit, and how many fit in all."""
    fitting = _fitting(asked)
    total = await session.scalar(fitting.with_only_columns(func.count(OrderRow.id)))
    key = OrderRow.created_at if asked.sort.is_by_date else OrderRow.total
    query = fitting.limit(asked.limit + 1).offset(asked.skip)
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
    cards = [card_of(row) for row in rows]
    shown = tuple(cards[: asked.limit])
    is_last = len(cards) <= asked.limit
    end = None if is_last else place_of(shown[-1], asked.sort)
    return OrdersFound(cards=shown, end=end, total=total or 0)


async def orders_under_way(
    session: AsyncSession, partner_code: str, *, limit: int
) -> tuple[tuple[OrderCard, ...], int]:
    """The latest orders of a business that are neither invoiced nor cancelled, and how many there are."""
    total = func.count().over()
    rows = await session.execute(
        select(OrderRow, total.label("count"))
        .where(OrderRow.partner_code == partner_code, OrderRow.status.in_([*OPEN]))
        .order_by(OrderRow.created_at.desc(), OrderRow.id.desc())
        .limit(limit)
    )
    found = rows.all()
    return tuple(card_of(row.OrderRow) for row in found), found[0].count if found else 0


def _fitting(asked: OrdersAsked) -> Select[Any]:
    query = select(OrderRow).where(OrderRow.partner_code == asked.partner_code)
    if asked.id is not None:
        query = query.where(OrderRow.id == asked.id)
    if asked.statuses:
        query = query.where(OrderRow.status.in_([status.value for status in asked.statuses]))
    if asked.term:
        query = query.where(
            or_(
                OrderRow.po_number.icontains(asked.term, autoescape=True),
                OrderRow.number.icontains(asked.term, autoescape=True),
                OrderRow.erp_number.icontains(asked.term, autoescape=True),
            )
        )
    return query
