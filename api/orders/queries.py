"""What the calls on orders have in common."""

from datetime import date, datetime, time, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import BeforeValidator, Field, StringConstraints

from api.platform.answers.days import written_day
from api.platform.schemas import Id, PathId
from domain.checkout.cart import check_business_chosen
from domain.identity.people import Actor, reads_any_business
from domain.orders.orders import OrderMissing, OrderStatus
from domain.orders.search import LONGEST_TERM, MOST_AT_ONCE

OrderId = PathId


Term = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=LONGEST_TERM, pattern=r"^[^\x00]*$"),
]


Statuses = Annotated[list[OrderStatus], Field(max_length=len(OrderStatus))]


Ids = Annotated[
    list[Id],
    Field(max_length=MOST_AT_ONCE),
]
Day = Annotated[date, BeforeValidator(written_day)]
"""YYYY-MM-DD (shop spec 9), in the time zone of the caller's site."""


def moments_of(
    actor: Actor, since: date | None, until: date | None
) -> tuple[datetime | None, datetime | None]:
    """The first moment of one day, and the first one after the other: after the last day of all there is none."""
    zone = ZoneInfo(actor.site.time_zone)
    after = until + timedelta(days=1) if until and until < date.max else None
    return (
        datetime.combine(since, time(), zone) if since else None,
        datetime.combine(after, time(), zone) if after else None,
    )


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
