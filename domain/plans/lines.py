"""Plans in the cart: one for a device, until they are bought (shop spec 3, "Subscription cart line").

Nothing of a price is remembered in a line: the mock run works it out for all of them.
"""

from collections.abc import Sequence

from domain.base import Frozen
from domain.errors import Conflict
from domain.plans.plans import MOST_LINES


class Chosen(Frozen):
    """A plan for a device."""

    device_key: str
    plan_id: str
    product_name: str | None = None
    """None when the device network did not say in time."""


class TooManyChosen(Conflict):
    code = "too_many_plans"
    detail = f"At most {MOST_LINES} devices fit in one purchase of plans."


def check_room(present: Sequence[Chosen], device_key: str) -> None:
    """Raises TooManyChosen when one more device does not fit. The plan of a device that is there can be changed."""
    if len(present) >= MOST_LINES and all(one.device_key != device_key for one in present):
        raise TooManyChosen
