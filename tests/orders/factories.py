"""Orders for tests: each call makes new ones, of businesses that no other test meets."""

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from db.base import Sessions
from db.orders.progress import store
from domain.billing.payments import PaymentType
from domain.identity.people import User
from domain.orders.orders import NewOrder, Order, OrderAddress, OrderLine
from tests.drivers.factories import a_name

ADDRESS = OrderAddress(
    name="Prairie Car Audio",
    street="1 Main Street",
    city="Regina",
    country_area="SK",
    postal_code="S4P 3Y2",
    country="CA",
)


def a_line(
    sku: str | None = None, quantity: int = 2, price: str = "10.00", **given: Any
) -> OrderLine:
    """Everything is sent at once, unless `given` says otherwise."""
    name = a_name()
    values: dict[str, Any] = {
        "variant_id": f"v{name}",
        "product_id": name,
        "sku": sku or f"T-{name}",
        "name": "Thing",
        "quantity": quantity,
        "now": quantity,
        "later": 0,
        "unit_price": Decimal(price),
        "total": Decimal(price) * quantity,
    }
    return OrderLine(**{**values, **given})


def a_new_order(
    partner_code: str, lines: Sequence[OrderLine] | None = None, **given: Any
) -> NewOrder:
    """Not stored. Its sums fit its lines."""
    lines = tuple(lines or (a_line(),))
    subtotal = sum((line.total for line in lines), Decimal(0))
    values: dict[str, Any] = {
        "token": f"token-{a_name()}-{a_name()}",
        "partner_code": partner_code,
        "placed_by": "somebody",
        "placed_by_name": "Robin Test",
        "lines": lines,
        "subtotal": subtotal,
        "freight": Decimal(0),
        "tax": Decimal(0),
        "total": subtotal,
        "shipping_method": "B2B-Ground",
        "shipping_address": ADDRESS,
        "billing_address": ADDRESS,
        "payment_type": PaymentType.TERMS,
        "payment_shown": "TERMS",
        "channel": "dealer-1",
        "created_at": datetime.now(UTC),
    }
    return NewOrder(**{**values, **given})


async def an_order(
    sessions: Sessions, partner_code: str, lines: Sequence[OrderLine] | None = None, **given: Any
) -> Order:
    """A stored one."""
    async with sessions.begin() as session:
        return await store(session, a_new_order(partner_code, lines, **given))


def code_of(user: User) -> str:
    """The business of somebody who has one."""
    assert user.partner_code is not None
    return user.partner_code
