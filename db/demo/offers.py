"""What the demonstration offers, by the file that is also the example of one; the hidden way of shipping is among it."""

from functools import cache
from pathlib import Path

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.checkout.cart import ShippingMethodRow
from db.offered import method_rows
from domain.offers import OfferedPlan, OffersFile

EXAMPLE = Path(__file__).with_suffix(".toml")


@cache
def _file() -> OffersFile:
    return OffersFile(EXAMPLE.read_text())


def demo_plans() -> tuple[OfferedPlan, ...]:
    """The one that is sold no more is among them."""
    return _file().offers.plans or ()


async def add_shipping_methods(session: AsyncSession) -> None:
    """Adds what is missing; nothing is changed."""
    rows = method_rows(_file().offers.shipping_methods or ())
    await session.execute(insert(ShippingMethodRow).on_conflict_do_nothing(), rows)
