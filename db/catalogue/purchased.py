"""What a business has bought lately (shop spec 9: the last three orders)."""

from sqlalchemy import Subquery, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.orders.tables import OrderLineRow, OrderRow
from domain.catalogue.products import LastBought
from domain.orders.orders import OrderStatus

LAST_ORDERS = 3
MOST_PRODUCTS = 100
"""As many as one call takes."""


async def bought_last(session: AsyncSession, partner_code: str) -> tuple[LastBought, ...]:
    """The products of its last three orders, the newest first, each once, as they were bought the last time: by the first of
    its lines there. Cancelled orders bought nothing."""
    orders = _last_orders(partner_code)
    rows = await session.execute(
        select(
            OrderLineRow.product_id,
            OrderLineRow.quantity,
            OrderLineRow.unit_price,
            orders.c.created_at,
        )
        .join(orders, orders.c.id == OrderLineRow.order_id)
        .order_by(orders.c.created_at.desc(), orders.c.id.desc(), OrderLineRow.place)
    )
    found: dict[str, LastBought] = {}
    for product_id, quantity, unit_price, created_at in rows:
        found.setdefault(
            product_id,
            LastBought(
                product_id=product_id,
                quantity=quantity,
                unit_price=unit_price,
                bought_at=created_at,
            ),
        )
    return tuple(found.values())[:MOST_PRODUCTS]


def _last_orders(partner_code: str) -> Subquery:
    return (
        select(OrderRow.id, OrderRow.created_at)
        .where(
            OrderRow.partner_code == partner_code, OrderRow.status != OrderStatus.CANCELLED.value
        )
        .order_by(OrderRow.created_at.desc(), OrderRow.id.desc())
        .limit(LAST_ORDERS)
        .subquery()
    )
