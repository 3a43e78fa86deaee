"""Quick order: many rows of SKU and quantity at once, each with its verdict (shop spec 2; decision "Quick order").

Nothing is kept between reading and adding: the rows are judged again when they are added, with the stock, the prices and
the rights of that moment.
"""

from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Request, Response
from pydantic import ConfigDict, StringConstraints

from api.checkout.cart_changes import cart_response
from api.checkout.rows import Added, QuickOrder, add_rows, judged_rows, summary_of
from api.checkout.sheets.spreadsheets import read_csv, read_xlsx
from api.platform.border.uploads import CSV, XLSX
from api.platform.deps import IdempotencyKey, Portal, PortalDep, SignedIn
from db.base import reading
from db.catalogue.viewers import find_viewer
from db.checkout.cart import latest_cart
from db.checkout.cart_lines import pieces_in
from domain.base import EXACT, Body
from domain.checkout.cart import check_may_buy
from domain.checkout.quick_order import Row, read_text
from domain.identity.people import Actor

router = APIRouter(prefix="/v1/quick-orders", tags=["cart"])

LONGEST_TEXT = 120_000


class Rows(Body):
    """One row a line: SKU and quantity, parted by a comma, a semicolon, a tab or blanks."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_TEXT), EXACT]


class RowsQuery(Rows):
    """To be judged alone: what is not known is dropped, as by every call that only reads."""

    model_config = ConfigDict(extra="ignore")


_TABLE: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            kind: {"schema": {"type": "string", "format": "binary"}} for kind in (CSV, XLSX)
        },
    }
}


@router.post("/check", response_model=QuickOrder)
async def check_quick_order(portal: PortalDep, actor: SignedIn, rows: RowsQuery) -> Response:
    """A verdict on each row; nothing is added."""
    check_may_buy(actor)
    return cart_response(await _checked(portal, actor, read_text(rows.text)))


@router.post("/file", response_model=QuickOrder, openapi_extra=_TABLE)
async def check_quick_order_file(portal: PortalDep, actor: SignedIn, request: Request) -> Response:
    """A verdict on each row of a CSV or of the first sheet of an XLSX, of at most 1 MB; nothing is added."""
    check_may_buy(actor)
    content = await request.body()
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    read = read_xlsx if kind == XLSX else read_csv
    rows = await to_thread.run_sync(read, content, limiter=portal.tables)
    return cart_response(await _checked(portal, actor, rows))


@router.post("/add", response_model=Added)
async def add_quick_order(
    portal: PortalDep, actor: SignedIn, rows: Rows, key: IdempotencyKey = None
) -> Response:
    """Adds every row that can be added to the caller's present cart, and says of each other one why it cannot."""
    given = read_text(rows.text)
    return await add_rows(portal, actor, key, "add_quick_order", rows, given, "quick order added")


async def _checked(portal: Portal, actor: Actor, rows: tuple[Row, ...]) -> QuickOrder:
    assert actor.business_code is not None
    async with reading(portal.sessions) as session:
        viewer = await find_viewer(session, actor)
        held = await latest_cart(session, actor.person.id, actor.business_code)
        present = await pieces_in(session, held.token) if held else {}
        return QuickOrder.model_construct(
            **summary_of(await judged_rows(session, viewer, rows, present))
        )
