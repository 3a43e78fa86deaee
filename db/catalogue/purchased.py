"""What a business has bought lately (shop spec 9: the last three orders)."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from db.orders.tables import OrderLineRow, OrderRow
from domain.orders.orders import OrderStatus

LAST_ORDERS = 3
MOST_PRODUCTS = 100
"""As many as one call takes."""


async def purchased_lately(session: AsyncSession, partner_code: str) -> tuple[str, ...]:
    """Ids of the products of its last three orders, the newest first, each once. Cancelled orders bought nothing."""
    orders = (
        select(OrderRow.id, OrderRow.created_at)
        .where(
            OrderRow.partner_code == partner_code, OrderRow.status != OrderStatus.CANCELLED.value
        )
        .order_by(OrderRow.created_at.desc(), OrderRow.id.desc())
        .limit(LAST_ORDERS)
        .subquery()
    )
    rows = await session.scalars(
        select(OrderLineRow.product_id)
        .join(orders, orders.c.id == OrderLineRow.order_id)
        .order_by(orders.c.created_at.desc(), orders.c.id.desc(), OrderLineRow.place)
    )
    return tuple(dict.fromkeys(rows))[:MOST_PRODUCTS]
