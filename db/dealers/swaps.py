"""A device that takes another's place, in our own books (decisions 34 and 54)."""

from sqlalchemy.ext.asyncio import AsyncSession

from db.dealers.rewards import take_back_swapped
from db.plans.plans import move_subscription
from db.platform.clock import database_now
from domain.devices.devices import Product


async def keep_swap(session: AsyncSession, old: str, new: str, product: Product | None) -> None:
    """The plan of the old device goes along, and what it earned lately is taken back. Idempotent."""
    await move_subscription(session, old, new, product)
    await take_back_swapped(session, old, await database_now(session))
