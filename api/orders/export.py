"""The list of orders as a file for spreadsheets: every order that fits, however many; cells are never formulas."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from api.orders.queries import Day, Ids, Statuses, Term, business_of, moments_of
from api.platform.answers.csv_text import (
    BATCH,
    CSV,
    Headings,
    Language,
    Row,
    as_csv,
    batches,
    plain,
)
from api.platform.border.queries import known_of, or_default
from api.platform.deps import PortalDep, SignedIn
from db.base import reading
from db.orders.lists import list_orders
from domain.orders.orders import OrderStatus, OrderSummary, shown_method
from domain.orders.search import OrderSearch, OrderSort, Place

router = APIRouter(tags=["orders"])

_HEADINGS: Headings = {
    "en": (
        "Order",
        "Date",
        "PO number",
        "Status",
        "Pieces",
        "Total (USD)",
        "Payment",
        "Shipping method",
        "ERP number",
        "Invoice",
        "Placed by",
    ),
    "fr": (
        "Commande",
        "Date",
        "Bon de commande",
        "État",
        "Pièces",
        "Total (USD)",
        "Paiement",
        "Mode de livraison",
        "Numéro ERP",
        "Facture",
        "Passée par",
    ),
}


class ExportQuery(BaseModel):
    """As the list is narrowed and sorted, or the orders with these ids alone. `language` is that of the headings."""

    id: Ids = []
    search: Term = ""
    since: Annotated[Day | None, or_default(None)] = None
    until: Annotated[Day | None, or_default(None)] = None
    status: Annotated[Statuses, known_of(OrderStatus)] = []
    sort: Annotated[OrderSort, or_default(OrderSort.DATE_DESC)] = OrderSort.DATE_DESC
    language: Language = "en"


@router.get("/v1/orders.csv", response_class=StreamingResponse, responses=CSV)
async def export_orders(
    portal: PortalDep, actor: SignedIn, wanted: Annotated[ExportQuery, Query()]
) -> StreamingResponse:
    """CSV in UTF-8, with headings. Dates are days of the site, as `since` and `until` are."""
    since, before = moments_of(actor, wanted.since, wanted.until)
    asked = OrderSearch(
        partner_code=business_of(actor),
        ids=tuple(wanted.id),
        since=since,
        before=before,
        term=wanted.search,
        statuses=tuple(dict.fromkeys(wanted.status)),
        sort=wanted.sort,
        limit=BATCH,
    )

    async def read(after: Place | None) -> tuple[Sequence[OrderSummary], Place | None]:
        async with reading(portal.sessions) as session:
            found = await list_orders(session, asked.model_copy(update={"after": after}))
        return found.orders, found.end

    cells = partial(_cells, zone=ZoneInfo(actor.site.time_zone))
    return as_csv("orders", _HEADINGS[wanted.language], batches(read, cells))


def _cells(order: OrderSummary, zone: ZoneInfo) -> Row:
    return (
        order.number,
        order.created_at.astimezone(zone).date().isoformat(),
        plain(order.po_number),
        order.status.value,
        str(order.pieces),
        str(order.total),
        plain(order.payment_shown),
        plain(shown_method(order.shipping_method)),
        plain(order.erp_number),
        plain(order.invoice_number),
        plain(order.placed_by_name),
    )
