"""What the calls on orders have in common."""

from typing import Annotated

from fastapi import Path
from pydantic import Field, StringConstraints

from domain.checkout.cart import check_business_chosen
from domain.identity.people import Actor, reads_any_business
from domain.orders.orders import OrderMissing, OrderStatus
from domain.orders.search import LONGEST_TERM

OrderId = Annotated[str, Path(min_length=1, max_length=64, pattern=r"^[\w-]+$")]


Term = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=LONGEST_TERM, pattern=r"^[^\x00]*$"),
]


Statuses = Annotated[list[OrderStatus], Field(max_length=len(OrderStatus))]


def business_of(actor: Actor) -> str:
    """The business whose orders are read. Raises BusinessFirst for a rep without one; nobody else without a business finds
    an order."""
    check_business_chosen(actor)
    if actor.business_code is None:
        raise OrderMissing
    return actor.business_code


def reader_of(actor: Actor) -> str | None:
    """The business of which one order may be read; None for whoever reads those of any. Raises what `business_of` does."""
    return None if reads_any_business(actor) else business_of(actor)
