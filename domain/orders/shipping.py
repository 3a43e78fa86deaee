"""Shipping methods: which may be chosen, how they are called, what they cost (shop spec 2 and 3; rulings "Money")."""

from collections.abc import Sequence
from decimal import Decimal

from domain.base import Frozen
from domain.errors import Conflict
from domain.money import Money

HIDDEN_METHOD = "CUSTOM SAP SHIPPING"
"""Never offered and never taken (shop spec 3)."""
METHOD_PREFIX = "B2B-"
"""Removed for display (shop spec 3)."""


class ShippingMethod(Frozen):
    """`name` is the ERP's. Free from a subtotal of `free_from` on, which is None where it never is; a pick-up costs
    nothing and needs no address."""

    id: str
    name: str
    price: Money
    free_from: Money | None = None
    is_pick_up: bool = False

    @property
    def is_hidden(self) -> bool:
        return self.name.strip().upper() == HIDDEN_METHOD

    @property
    def shown_name(self) -> str:
        """Without the prefix."""
        return self.name.removeprefix(METHOD_PREFIX).strip()


class NoSuchMethod(Conflict):
    """Absent, hidden, or not for this business: never told apart."""

    code = "shipping_method_missing"
    detail = "This shipping method is not available."


class NoSuchAddress(Conflict):
    """Absent, of another business, or no shipping address."""

    code = "shipping_address_missing"
    detail = "This shipping address is not available."


def offered(methods: Sequence[ShippingMethod]) -> tuple[ShippingMethod, ...]:
    """Without the hidden one."""
    return tuple(method for method in methods if not method.is_hidden)


def freight(method: ShippingMethod, subtotal: Decimal) -> Decimal:
    """A flat rate, free above a threshold; pick-up is free (rulings "Money")."""
    if method.is_pick_up or (method.free_from is not None and subtotal >= method.free_from):
        return Decimal(0)
    return method.price
