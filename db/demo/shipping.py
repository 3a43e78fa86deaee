"""Invented shipping methods, named as the ERP names its own; the hidden one is among them."""

from decimal import Decimal

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.checkout.cart import ShippingMethodRow
from domain.orders.shipping import HIDDEN_METHOD, METHOD_PREFIX

_METHODS = (
    ("ground", f"{METHOD_PREFIX}Ground", "14.50", "500.00", False),
    ("express", f"{METHOD_PREFIX}Express", "39.00", None, False),
    ("pick-up", f"{METHOD_PREFIX}Pick-up at the warehouse", "0.00", None, True),
    ("custom-sap", HIDDEN_METHOD, "0.00", None, False),
)


async def add_shipping_methods(session: AsyncSession) -> None:
    """Adds what is missing; nothing is changed."""
    rows = [
        {
            "id": id_,
            "name": name,
            "price": Decimal(price),
            "free_from": Decimal(free_from) if free_from else None,
            "is_pick_up": is_pick_up,
            "countries": ["CA", "US"],
            "position": position,
        }
        for position, (id_, name, price, free_from, is_pick_up) in enumerate(_METHODS)
    ]
    await session.execute(insert(ShippingMethodRow).on_conflict_do_nothing(), rows)
