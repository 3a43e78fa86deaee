"""Orders in the ERP: taken once by our reference, then accepted, shipped and invoiced by signed events.

`POST /erp/v1/orders` {reference, business_partner, po_number, …, lines} answers 201 {reference, order_number, status}; the
same reference again is answered alike (200) and taken once, with another body 409 `reference_reused`. `GET
/erp/v1/orders/{reference}` 404 where it is unknown. `POST …/cancel` {reason, business_partner} until something was shipped (409
`already_shipped`). `POST …/hold` {is_held, business_partner} keeps back what was not sent yet, or lets it go (404, 409 likewise). Events: `order.accepted`, `order.shipped` (the pieces on hand, then those that follow), `order.invoiced`.

`POST /erp/_knobs` {outage, silent, accept_seconds, ship_seconds, invoice_seconds}: only what is given is changed.
`GET /erp/_ledger?reference=&after=` lists requests and effects, and the orders that were taken.

Sentinels, by the end of the PO number:
    ERP-REFUSED  422, never taken            ERP-DOWN  503, always
    ERP-AWAY     503 three times, then taken ERP-SLOW  taken, answered after 4 s
    ERP-LOST     taken, first reply 504      ERP-STUCK taken, and nothing is ever told of it
    ERP-TWICE    every event comes twice     ERP-MIXED events come in the reverse order
    ERP-CANCELS  taken, and cancelled there  ERP-WAITS accepted, and never shipped
    ERP-REVOKES  accepted, and cancelled there   ERP-PARTS accepted, and its last line is never sent
    ERP-UNTOLD   its invoice is issued, and no event tells of that
"""

import asyncio
import hashlib
from datetime import UTC, datetime
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Header, Path, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from simulators.erp import documents, records
from simulators.events import Events
from simulators.ledger import Ledger
from simulators.state import State

router = APIRouter(prefix="/erp")

SENDER = "erp"
SLOW_SECONDS = 4.0
AWAY_TIMES = 3
FOR_LONG = 10 * 365 * 86_400.0

Reference = Annotated[str, Path(min_length=1, max_length=80)]
Seconds = Annotated[float, Field(ge=0, le=86_400)]


class Line(BaseModel):
    """`now` pieces are on hand, `later` follow."""

    sku: Annotated[str, Field(min_length=1, max_length=120)]
    quantity: Annotated[int, Field(ge=1, le=9_999)]
    now: Annotated[int, Field(ge=0)]
    later: Annotated[int, Field(ge=0)]
    unit_price: Annotated[float, Field(ge=0)]


class NewOrder(BaseModel):
    reference: Annotated[str, Field(min_length=1, max_length=80)]
    business_partner: Annotated[str, Field(min_length=1, max_length=40)]
    po_number: str | None = None
    currency: str
    payment: str
    shipping_method: str
    ship_to: dict[str, str]
    bill_to: dict[str, str]
    lines: Annotated[list[Line], Field(min_length=1, max_length=1_000)]
    subtotal: float
    coupon: str | None = None
    discount: Annotated[float, Field(ge=0)] = 0.0
    freight: float
    tax: float
    total: float


class OfBusiness(BaseModel):
    """An order of another business is unknown to whoever asks."""

    business_partner: Annotated[str, Field(min_length=1, max_length=40)]


class Cancelling(OfBusiness):
    reason: Annotated[str, Field(min_length=1, max_length=400)]


class Holding(OfBusiness):
    is_held: bool


class Knobs(BaseModel):
    """Times in seconds from one event to the next. `silent` orders are taken and never told of."""

    model_config = ConfigDict(extra="forbid")

    outage: bool = False
    silent: bool = False
    accept_seconds: Seconds = 2.0
    ship_seconds: Seconds = 20.0
    invoice_seconds: Seconds = 10.0


@router.post("/v1/orders")
async def take_order(
    request: Request,
    order: NewOrder,
    key: Annotated[str | None, Header(alias="Idempotency-Key", max_length=200)] = None,
) -> Response:
    state: State = request.app.state.file
    ledger: Ledger = request.app.state.ledger
    fault = _fault_of(order.po_number)
    known = _found(state, order.reference)

    def answered(
        status: int, body: dict[str, Any], *, effect: bool = False, replayed: bool = False
    ) -> Response:
        ledger.record(
            "erp-order", order.reference, key, status=status, effect=effect, replayed=replayed
        )
        return JSONResponse(body, status)

    if _knobs(state).outage or fault == "DOWN":
        return answered(503, {"detail": "Service Unavailable"})
    if known is not None:
        is_same = known["fingerprint"] == _fingerprint(order)
        if not is_same:
            return answered(409, _complaint("reference_reused", "Another order has this number."))
        return answered(200, receipt_of(known), replayed=True)
    if fault == "REFUSED":
        return answered(422, _complaint("order_refused", "The ERP does not accept this order."))
    if fault == "AWAY" and _asked_before(ledger, order.reference) < AWAY_TIMES:
        return answered(503, {"detail": "Service Unavailable"})
    taken = _take(request, order, fault)
    if fault == "LOST":
        return answered(504, {"detail": "Gateway Timeout"}, effect=True)
    answer = answered(201, receipt_of(taken), effect=True)
    if fault == "SLOW":
        await asyncio.sleep(SLOW_SECONDS)
    return answer


@router.get("/v1/orders/{reference}")
async def find_order(request: Request, reference: Reference) -> Response:
    state: State = request.app.state.file
    if _knobs(state).outage:
        return JSONResponse({"detail": "Service Unavailable"}, 503)
    known = _found(state, reference)
    if known is None:
        return JSONResponse(_complaint("order_unknown", "There is no such order."), 404)
    return JSONResponse(receipt_of(known))


@router.post("/v1/orders/{reference}/cancel")
async def cancel_order(request: Request, reference: Reference, wish: Cancelling) -> Response:
    state: State = request.app.state.file
    ledger: Ledger = request.app.state.ledger
    if _knobs(state).outage:
        return JSONResponse({"detail": "Service Unavailable"}, 503)
    known = _found(state, reference, wish)
    if known is None:
        return JSONResponse(_complaint("order_unknown", "There is no such order."), 404)
    if _is_shipped(state, reference):
        ledger.record("erp-cancel", reference, None, status=409)
        return JSONResponse(_complaint("already_shipped", "This order is on its way."), 409)
    is_new = known["status"] != "cancelled"
    with state.transaction() as db:
        db.execute("update erp_order set status = 'cancelled' where reference = ?", (reference,))
        if is_new:
            order = NewOrder.model_validate_json(known["body"])
            _promise(state, order.lines, sign=-1)
    request.app.state.events.forget(SENDER, reference)
    documents.withdraw(state, reference)
    ledger.record("erp-cancel", reference, None, status=200, effect=is_new, replayed=not is_new)
    return JSONResponse(receipt_of({**known, "status": "cancelled"}))


@router.post("/v1/orders/{reference}/hold")
async def hold_order(request: Request, reference: Reference, wish: Holding) -> Response:
    state: State = request.app.state.file
    ledger: Ledger = request.app.state.ledger
    if _knobs(state).outage:
        return JSONResponse({"detail": "Service Unavailable"}, 503)
    known = _found(state, reference, wish)
    if known is None:
        return JSONResponse(_complaint("order_unknown", "There is no such order."), 404)
    if wish.is_held and _is_shipped(state, reference):
        return JSONResponse(_complaint("already_shipped", "This order is on its way."), 409)
    status = "held" if wish.is_held else "taken"
    is_new = known["status"] not in (status, "cancelled")
    if is_new:
        with state.transaction() as db:
            db.execute("update erp_order set status = ? where reference = ?", (status, reference))
        after = FOR_LONG if wish.is_held else _knobs(state).ship_seconds
        request.app.state.events.postpone(SENDER, reference, after=after)
    ledger.record("erp-hold", reference, None, status=200, effect=is_new, replayed=not is_new)
    return JSONResponse(receipt_of({**known, "status": status if is_new else known["status"]}))


@router.post("/_knobs")
async def turn_knobs(request: Request, change: Knobs) -> Knobs:
    state: State = request.app.state.file
    with state.transaction() as db:
        for name, value in change.model_dump(exclude_unset=True).items():
            db.execute("insert or replace into erp_knob values (?, ?)", (name, orjson.dumps(value)))
    return _knobs(state)


@router.get("/_ledger")
async def read_ledger(
    request: Request, reference: str | None = None, after: Annotated[int, Query(ge=0)] = 0
) -> dict[str, Any]:
    state: State = request.app.state.file
    ledger: Ledger = request.app.state.ledger
    with state.transaction() as db:
        rows = db.execute(
            "select * from erp_order where ?1 is null or reference = ?1 order by seq", (reference,)
        ).fetchall()
    told = [
        ledger.read(reference, operation, after)
        for operation in ("erp-order", "erp-cancel", "erp-hold")
    ]
    return {
        "results": sorted((one for part in told for one in part["results"]), key=_seq),
        "effects": told[0]["effects"] | told[1]["effects"] | told[2]["effects"],
        "orders": [{**receipt_of(row), **orjson.loads(row["body"])} for row in rows],
    }


def _take(request: Request, order: NewOrder, fault: str | None) -> dict[str, Any]:
    state: State = request.app.state.file
    with state.transaction() as db:
        db.execute(
            "insert into erp_order (reference, fingerprint, status, body) values (?, ?, 'taken', ?)",
            (order.reference, _fingerprint(order), order.model_dump_json()),
        )
        _promise(state, order.lines, sign=1)
    taken = _found(state, order.reference)
    assert taken is not None
    knobs = _knobs(state)
    if fault != "STUCK" and not knobs.silent:
        _plan(state, request.app.state.events, order, _number_of(taken), knobs, fault)
    return taken


def _promise(state: State, lines: list[Line], *, sign: int) -> None:
    """Pieces on hand that an order takes are promised until they leave the warehouse."""
    for line in lines:
        records.move_stock(state, line.sku, committed=sign * line.now)


def _plan(
    state: State, events: Events, order: NewOrder, number: str, knobs: Knobs, fault: str | None
) -> None:
    """Everything that will be told of this order, each at its time."""
    stories = _stories(order, number, fault)
    at, times = 0.0, list[float]()
    for story in stories:
        at += {
            "order.accepted": knobs.accept_seconds,
            "order.cancelled": knobs.accept_seconds,
            "order.shipment_cancelled": knobs.ship_seconds,
            "order.shipped": knobs.ship_seconds,
            "order.invoiced": knobs.invoice_seconds,
        }[story["type"]]
        times.append(at)
    if fault == "MIXED":
        stories.reverse()
    for n, (story, after) in enumerate(zip(stories, times, strict=True)):
        body = {
            "id": f"{order.reference}-{story['type']}-{n}",
            "at": datetime.fromtimestamp(datetime.now(UTC).timestamp() + after, UTC).isoformat(),
            "reference": order.reference,
            "erp_number": number,
            **story,
        }
        copies = 2 if fault == "TWICE" else 1
        if story["type"] == "order.invoiced":
            shipment = next(
                (one["shipment"]["number"] for one in stories if "shipment" in one), None
            )
            invoice = documents.invoice_for(
                order.model_dump(), story["invoice_number"], shipment, after
            )
            documents.issue(
                state,
                events,
                "invoice",
                invoice,
                after=after,
                copies=0 if fault == "UNTOLD" else copies,
                reference=order.reference,
            )
            if fault == "UNTOLD":
                continue
        events.tell(SENDER, order.reference, body, after=after, copies=copies)


def _stories(order: NewOrder, number: str, fault: str | None) -> list[dict[str, Any]]:
    if fault == "CANCELS":
        return [{"type": "order.cancelled", "reason": "The account is blocked."}]
    accepted = {"type": "order.accepted"}
    if fault == "WAITS":
        return [accepted]
    if fault == "REVOKES":
        return [accepted, {"type": "order.cancelled", "reason": "The warehouse lost the goods."}]
    if fault == "PARTS":
        last = order.lines[-1]
        unsent = {
            "number": f"SH-{number}-1",
            "parcels": [{"sku": last.sku, "quantity": last.quantity}],
        }
        reason = "This article is not made any more."
        return [
            accepted,
            {"type": "order.shipment_cancelled", "reason": reason, "shipment": unsent},
        ]
    first = [{"sku": one.sku, "quantity": one.now} for one in order.lines if one.now]
    rest = [{"sku": one.sku, "quantity": one.later} for one in order.lines if one.later]
    shipped = [
        {
            "type": "order.shipped",
            "shipment": {
                "number": f"SH-{number}-{n + 1}",
                "carrier": "Northern Parcel",
                "tracking_number": f"NP{number}{n + 1}",
                "parcels": parcels,
            },
        }
        for n, parcels in enumerate([part for part in (first, rest) if part])
    ]
    invoiced = {
        "type": "order.invoiced",
        "invoice_number": f"INV-{number}",
        "amount": order.total,
    }
    return [accepted, *shipped, invoiced]


def _fault_of(po_number: str | None) -> str | None:
    _, found, fault = (po_number or "").upper().rpartition("ERP-")
    return fault if found else None


def _found(state: State, reference: str, of: OfBusiness | None = None) -> dict[str, Any] | None:
    with state.transaction() as db:
        row = db.execute("select * from erp_order where reference = ?", (reference,)).fetchone()
    if row is None or (of and orjson.loads(row["body"])["business_partner"] != of.business_partner):
        return None
    return dict(row)


def _is_shipped(state: State, reference: str) -> bool:
    with state.transaction() as db:
        row = db.execute(
            "select 1 from told_event where sender = ? and subject = ? and sent > 0"
            " and body like '%order.shipped%'",
            (SENDER, reference),
        ).fetchone()
    return row is not None


def _asked_before(ledger: Ledger, reference: str) -> int:
    return len(ledger.read(reference, "erp-order", 0)["results"])


def _number_of(row: Any) -> str:
    """From the reference, so that an emptied memory never gives a number twice."""
    return str(4_500_000_000 + int(hashlib.sha256(row["reference"].encode()).hexdigest()[:8], 16))


def receipt_of(row: Any) -> dict[str, Any]:
    """An order as it is answered."""
    return {
        "reference": row["reference"],
        "order_number": _number_of(row),
        "status": row["status"],
    }


def _knobs(state: State) -> Knobs:
    with state.transaction() as db:
        rows = db.execute("select name, value from erp_knob").fetchall()
    return Knobs(
        **{
            row["name"]: orjson.loads(row["value"])
            for row in rows
            if row["name"] in Knobs.model_fields
        }
    )


def _complaint(code: str, detail: str) -> dict[str, str]:
    return {"code": code, "detail": detail}


def _fingerprint(order: NewOrder) -> str:
    return hashlib.sha256(order.model_dump_json().encode()).hexdigest()


def _seq(row: dict[str, Any]) -> int:
    return int(row["seq"])
