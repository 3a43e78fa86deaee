"""The list of orders as a file for spreadsheets: every order that fits, however many; cells are never formulas."""

from collections.abc import AsyncGenerator
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from api.billing.csv_text import BYTE_ORDER_MARK, lines, plain
from api.orders.queries import Day, Ids, Statuses, Term, business_of, moments_of
from api.platform.border.queries import or_default
from api.platform.deps import Portal, PortalDep, SignedIn
from db.orders.lists import list_orders
from domain.orders.orders import OrderCard, shown_method
from domain.orders.search import OrdersAsked, OrderSort

router = APIRouter(tags=["orders"])

Language = Literal["en", "fr"]

BATCH = 500
_HEADINGS: dict[Language, tuple[str, ...]] = {
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
    status: Statuses = []
    sort: Annotated[OrderSort, or_default(OrderSort.DATE_DESC)] = OrderSort.DATE_DESC
    language: Annotated[Language, or_default("en")] = "en"


@router.get(
    "/v1/orders.csv",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
async def export_orders(
    portal: PortalDep, actor: SignedIn, wanted: Annotated[ExportQuery, Query()]
) -> StreamingResponse:
    """CSV in UTF-8, with headings. Dates are UTC."""
    since, before = moments_of(actor, wanted.since, wanted.until)
    asked = OrdersAsked(
        partner_code=business_of(actor),
        ids=tuple(wanted.id),
        since=since,
        before=before,
        term=wanted.search,
        statuses=tuple(dict.fromkeys(wanted.status)),
        sort=wanted.sort,
        limit=BATCH,
    )
    return StreamingResponse(
        _written(portal, asked, wanted.language),
        media_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="orders.csv"'},
    )


async def _written(portal: Portal, asked: OrdersAsked, language: Language) -> AsyncGenerator[str]:
    yield BYTE_ORDER_MARK + lines([_HEADINGS[language]])
    while True:
        async with portal.sessions() as session:
            found = await list_orders(session, asked)
        yield lines([_cells(card) for card in found.cards])
        if found.end is None:
            return
        asked = asked.model_copy(update={"after": found.end})


def _cells(card: OrderCard) -> tuple[str, ...]:
    return (
        card.number,
        card.created_at.date().isoformat(),
        plain(card.po_number),
        card.status.value,
        str(card.pieces),
        str(card.total),
        plain(card.payment_shown),
        plain(shown_method(card.shipping_method)),
        plain(card.erp_number),
        plain(card.invoice_number),
        plain(card.placed_by_name),
    )
