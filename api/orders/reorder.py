"""Ordering again: the lines of an order go into the cart, each with its verdict, at the prices and the stock of now."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import Field

from api.checkout.rows import Added, add_rows
from api.orders.queries import OrderId, business_of
from api.platform.deps import IdempotencyKey, PortalDep, SignedIn
from db.base import reading
from db.orders.orders import find_order
from domain.base import EXACT, Body
from domain.checkout.cart import check_may_buy
from domain.checkout.quick_order import MOST_ROWS, Row
from domain.orders.orders import OrderMissing

router = APIRouter(tags=["orders"])


class Reordered(Body):
    """What a repeat under the same key must have in common with the first."""

    order_id: Annotated[str, EXACT]
    lines: tuple[int, ...]


Places = Annotated[
    tuple[Annotated[int, Field(ge=1, le=MOST_ROWS)], ...],
    Query(alias="line", max_length=MOST_ROWS),
]
"""Lines of an order, from 1 on; none for all of them."""


@router.post("/v1/orders/{id}/reorder", response_model=Added)
async def reorder(
    portal: PortalDep, actor: SignedIn, id: OrderId, lines: Places = (), key: IdempotencyKey = None
) -> Response:
    """Adds every line, or those that are named, to the caller's present cart, and says of each that cannot be bought why.
    A SKU that has another name by now leads to that article. 404 for an order of another business."""
    check_may_buy(actor)
    async with reading(portal.sessions) as session:
        order = await find_order(session, id, business_of(actor))
    if order is None:
        raise OrderMissing
    rows = tuple(
        Row(number=place, sku=line.sku, quantity=str(line.quantity))
        for place, line in enumerate(order.lines, start=1)
        if not lines or place in lines
    )
    return await add_rows(
        portal,
        actor,
        key,
        "reorder",
        Reordered(order_id=order.id, lines=lines),
        rows,
        "order added again",
    )
