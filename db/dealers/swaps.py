"""A device that takes another's place, in our own books (decisions 34 and 54)."""

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from db.dealers.rewards import take_back_swapped
from db.plans.plans import move_subscription
from db.platform.clock import database_now
from domain.devices.devices import Product


async def save_swap(
    session: AsyncSession,
    old: str,
    new: str,
    product: Product | None,
    swapped_at: datetime | None = None,
) -> None:
    """The plan of the old device goes along, and what it earned shortly before the swap, which is now unless it says when, is
    taken back. Idempotent."""
    await move_subscription(session, old, new, product)
    await take_back_swapped(session, old, swapped_at or await database_now(session))
