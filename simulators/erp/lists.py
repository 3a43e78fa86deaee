"""What the ERP's books hold, for whoever compares: orders and incoming payments, in the order in which they came.

`GET /erp/v1/orders?since=&after=&limit=` {results: [{reference, order_number, status, total}], cursor, has_more}, `GET
/erp/v1/payments?since=&after=&limit=` {results: [{number, …the payment as it was sent}], cursor, has_more}; `since` are
seconds, `after` is the `cursor` of the answer before.
"""

from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Query, Request

from simulators.erp import documents
from simulators.erp.orders import receipt_of
from simulators.state import State

router = APIRouter(prefix="/erp")

Since = Annotated[int, Query(ge=0, le=10_000_000_000)]
After = Annotated[int, Query(ge=0, le=1_000_000_000)]
Limit = Annotated[int, Query(ge=1, le=500)]

_ORDERED = "l.device_key = e.reference"
_PAID = (
    "l.device_key = json_extract(e.body, '$.payment.invoice_number')"
    " and l.idempotency_key = e.reference"
)


@router.get("/v1/orders")
async def list_orders(
    request: Request, since: Since = 0, after: After = 0, limit: Limit = 100
) -> dict[str, Any]:
    rows = _page(request, "erp_order", "erp-order", _ORDERED, since, after, limit)
    shown = [
        {**receipt_of(row), "total": orjson.loads(row["body"])["total"]} for row in rows[:limit]
    ]
    return _answer(shown, rows, after, limit)


@router.get("/v1/payments")
async def list_payments(
    request: Request, since: Since = 0, after: After = 0, limit: Limit = 100
) -> dict[str, Any]:
    rows = _page(request, "erp_payment", "erp-payment", _PAID, since, after, limit)
    shown = [
        {"number": f"RCT-{row['seq']}", **orjson.loads(row["body"])["payment"]}
        for row in rows[:limit]
    ]
    return _answer(shown, rows, after, limit)


def _page(
    request: Request,
    table: str,
    operation: str,
    known_by: str,
    since: int,
    after: int,
    limit: int,
) -> list[Any]:
    """When something came is known from the request that brought it."""
    state: State = request.app.state.file
    documents.check_is_up(state)
    came = (
        f"select 1 from ledger l where l.operation = ?1 and {known_by} and l.effect = 1"
        " and l.at < ?2"
    )
    with state.transaction() as db:
        return db.execute(
            f"select e.* from {table} e where e.seq > ?3 and not exists ({came})"
            " order by e.seq limit ?4",
            (operation, float(since), after, limit + 1),
        ).fetchall()


def _answer(shown: list[dict[str, Any]], rows: list[Any], after: int, limit: int) -> dict[str, Any]:
    page = rows[:limit]
    return {
        "results": shown,
        "cursor": page[-1]["seq"] if page else after,
        "has_more": len(rows) > limit,
    }
