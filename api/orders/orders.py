"""The orders of the business that the caller works for (shop spec 7; rulings "Calls").

Any other business's order is not found. A rep who has chosen no business is told to choose one.
"""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Response
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.concurrency import run_in_threadpool

from api.catalogue.answers import Net, NetPrice
from api.orders.answers import OrderOut, OrderSummaryOut, order_out, summary_out
from api.orders.queries import (
    Day,
    OrderId,
    Statuses,
    Term,
    business_of,
    moments_of,
    reader_of,
)
from api.partners.named_business import BusinessCode, check_named
from api.platform.answers.lists import (
    PageNumber,
    WholeNumber,
    as_json,
    end_of,
    page_facts,
    place_after,
    skipped,
)
from api.platform.answers.paper import PDF, as_pdf
from api.platform.deps import PortalDep, SignedIn
from api.platform.paging import Cursor, EndFound
from api.platform.schemas import Camel, Id, QueryBody
from db.base import reading
from db.billing.invoices.documents import invoices_of_shipments
from db.billing.payments import given_back
from db.catalogue.purchased import bought_last
from db.catalogue.variants import restocks_of
from db.orders.lists import list_orders
from db.orders.orders import find_order
from db.partners.businesses import buyer_of_code
from domain.billing.payments import PROMISES, PayingFlow, Refund
from domain.catalogue.pricing import CURRENCY
from domain.identity.people import Actor
from domain.orders.orders import Order, OrderMissing, OrderStatus
from domain.orders.search import MOST_AT_ONCE, PAGE_SIZE, OrderSearch, OrderSort, Place
from domain.paper.buyer import Buyer
from domain.paper.orders import confirmation, packing_list

router = APIRouter(tags=["orders"])

PageLimit = Annotated[int, WholeNumber(PAGE_SIZE, MOST_AT_ONCE)]
EndLimit = Annotated[int, WholeNumber(MOST_AT_ONCE, MOST_AT_ONCE)]


class OrderNamed(QueryBody):
    """`sort` is taken and changes nothing: an id names one order."""

    id: Id
    sort: OrderSort = OrderSort.DATE_DESC
    sap_bp_code: BusinessCode | None = None


class OrdersQuery(QueryBody):
    """A page is named by the cursor where the one before it ended, or by its number from 1 on. `search` is part of a PO
    number, of our number or of the ERP's, or of the name of who ordered, or the beginning of a SKU; `since` and `until` are
    days of ordering; `id` narrows to one order."""

    id: Id | None = None
    sap_bp_code: BusinessCode | None = None
    sort: OrderSort = OrderSort.DATE_DESC
    page: PageNumber = 1
    limit: PageLimit = PAGE_SIZE
    end_cursor: Cursor | None = None
    search: Term = ""
    since: Day | None = None
    until: Day | None = None
    status: Statuses = []


class OrdersEndQuery(QueryBody):
    """Like a list, for the cursor alone."""

    id: Id | None = None
    sap_bp_code: BusinessCode | None = None
    sort: OrderSort = OrderSort.DATE_DESC
    limit: EndLimit = MOST_AT_ONCE
    end_cursor: Cursor | None = None
    search: Term = ""
    since: Day | None = None
    until: Day | None = None
    status: Statuses = []


class OneOrder(Camel):
    """The order that was named, as a list of one."""

    results: list[OrderOut]


class OrdersListed(Camel):
    """`count` orders fit, `counts` would of each status, were none asked for; `endCursor` is null on the last page."""

    results: list[OrderSummaryOut]
    count: int
    counts: dict[OrderStatus, int]
    page: int
    limit: int
    end_cursor: str | None


class LastBoughtOut(Camel):
    """The price is that of one piece, as it was paid."""

    product_id: str
    quantity: int
    unit_price: NetPrice
    bought_at: datetime


@router.post("/api/order-transaction", response_model=OneOrder)
async def order_transaction(portal: PortalDep, actor: SignedIn, named: OrderNamed) -> Response:
    """One order with its lines, shipments and history. 404 for one of another business."""
    async with reading(portal.sessions) as session:
        await check_named(session, actor, named.sap_bp_code)
        order = await _order_out(session, named.id, actor)
    return as_json(OneOrder(results=[order]))


@router.get("/v1/last-bought")
async def list_last_bought(portal: PortalDep, actor: SignedIn) -> list[LastBoughtOut]:
    """How the products of the last three orders of the business were bought the last time, the newest first, each once."""
    if actor.business_code is None:
        return []
    async with reading(portal.sessions) as session:
        found = await bought_last(session, actor.business_code)
    return [
        LastBoughtOut(
            product_id=one.product_id,
            quantity=one.quantity,
            unit_price=NetPrice(net=Net(amount=one.unit_price, currency=CURRENCY)),
            bought_at=one.bought_at,
        )
        for one in found
    ]


@router.get("/v1/orders/{id}", response_model=OrderOut)
async def get_order(portal: PortalDep, actor: SignedIn, id: OrderId) -> Response:
    """One order with its lines, shipments and history. 404 for one of another business."""
    async with reading(portal.sessions) as session:
        return as_json(await _order_out(session, id, actor))


@router.get("/v1/orders/{id}/order.pdf", response_class=Response, responses=PDF)
async def get_order_pdf(portal: PortalDep, actor: SignedIn, id: OrderId) -> Response:
    """One order as a PDF. 404 for one of another business."""
    async with reading(portal.sessions) as session:
        order, buyer = await _with_buyer(session, actor, id)
        back = await _back_of(session, order)
    content = await run_in_threadpool(confirmation, order, buyer, portal.seller, back)
    return as_pdf(content, f"order-{order.number}")


@router.get("/v1/orders/{id}/packing-list.pdf", response_class=Response, responses=PDF)
async def get_packing_list_pdf(portal: PortalDep, actor: SignedIn, id: OrderId) -> Response:
    """The list that goes with the goods of an order, without prices. 404 for one of another business."""
    async with reading(portal.sessions) as session:
        order, buyer = await _with_buyer(session, actor, id)
    content = await run_in_threadpool(packing_list, order, buyer, portal.seller)
    return as_pdf(content, f"packing-list-{order.number}")


@router.post("/api/order-transactions", response_model=OrdersListed)
async def order_transactions(portal: PortalDep, actor: SignedIn, wanted: OrdersQuery) -> Response:
    """A page of the orders of the business, the newest first unless sorted otherwise."""
    async with reading(portal.sessions) as session:
        await check_named(session, actor, wanted.sap_bp_code)
        asked = asked_for(actor, wanted, skip=skipped(wanted))
        found = await list_orders(session, asked)
    answer = OrdersListed(
        results=[summary_out(order) for order in found.orders],
        counts=found.counts,
        **page_facts(wanted, found),
    )
    return as_json(answer)


@router.post("/api/order-transactions-cursor")
async def order_transactions_cursor(
    portal: PortalDep, actor: SignedIn, wanted: OrdersEndQuery
) -> EndFound:
    """Where a page of at most 100 orders ends, without the orders."""
    async with reading(portal.sessions) as session:
        await check_named(session, actor, wanted.sap_bp_code)
        found = await list_orders(session, asked_for(actor, wanted))
    return end_of(found)


async def _with_buyer(session: AsyncSession, actor: Actor, id_: str) -> tuple[Order, Buyer]:
    """The order and its business. Raises OrderMissing."""
    order = await find_order(session, id_, reader_of(actor))
    if order is None:
        raise OrderMissing
    return order, await buyer_of_code(session, order.partner_code)


async def _back_of(session: AsyncSession, order: Order) -> tuple[Refund, ...]:
    """What of its payment was given back, by its run or a case. Nothing was paid for an order that is promised: a charge that was
    tried before bought nothing."""
    if order.payment_type in PROMISES:
        return ()
    return await given_back(session, PayingFlow.PLACEMENT, order.token)


async def _order_out(session: AsyncSession, id_: str, actor: Actor) -> OrderOut:
    """Raises OrderMissing."""
    order = await find_order(session, id_, reader_of(actor))
    if order is None:
        raise OrderMissing
    invoices = await invoices_of_shipments(session, order.partner_code, order.number, order.token)
    restocks = await restocks_of(session, [line.variant_id for line in order.lines if line.later])
    return order_out(order, invoices, restocks, await _back_of(session, order))


def asked_for(actor: Actor, wanted: OrdersQuery | OrdersEndQuery, *, skip: int = 0) -> OrderSearch:
    """Raises Invalid for a cursor of another sort."""
    since, before = moments_of(actor, wanted.since, wanted.until)
    return OrderSearch(
        partner_code=business_of(actor),
        ids=(wanted.id,) if wanted.id is not None else (),
        since=since,
        before=before,
        term=wanted.search,
        statuses=tuple(dict.fromkeys(wanted.status)),
        sort=wanted.sort,
        limit=wanted.limit,
        after=place_after(wanted.end_cursor, Place, lambda place: place.fits(wanted.sort)),
        skip=skip,
    )
