"""Orders in the ERP: taken once by our reference, then accepted, shipped and invoiced by signed events.

They are taken as `Orders` of the Service Layer, cancelled by `Orders(entry)/Cancel` until something was shipped, and kept
back by `Confirmed: tNO` (what was not sent yet; it is accepted and cancelled there all the same). `POST /erp/_orders`
{reference?, business_partner, po_number, …, lines} is somebody's who enters one there by hand, also without a reference of
anybody's. Events: `order.accepted`, `order.shipped` (the pieces on hand, then those that follow), `order.invoiced`.

`POST /erp/_knobs` {outage, silent, accept_seconds, ship_seconds, invoice_seconds}: only what is given is changed.
`POST /erp/_orders/{reference}/_send` sends one now instead of at its time.
`GET /erp/_ledger?reference=&after=` lists requests and effects, and the orders that were taken.

Sentinels, by the end of the PO number:
    ERP-REFUSED  stopped by a rule there     ERP-DOWN  503, always
    ERP-AWAY     503 three times, then taken ERP-SLOW  taken, answered after 4 s
    ERP-LOST     taken, first reply 504      ERP-STUCK taken, and nothing is ever told of it
    ERP-TWICE    every event comes twice     ERP-MIXED events come in the reverse order
    ERP-CANCELS  taken, and cancelled there  ERP-WAITS accepted, and never shipped
    ERP-REVOKES  accepted, and cancelled there   ERP-PARTS accepted, and its last line is never sent
    ERP-UNTOLD   its invoice is issued, and no event tells of that
    ERP-PROXY    a page of a proxy, 404, three times, then taken
    ERP-UNSEEN   taken, first reply 504; nothing is told of it, and whoever looks for it by its reference gets 503, until it is
                 sent by `_send`
    ERP-REVOKES-UNTOLD, ERP-PARTS-UNTOLD   so it is in the books, and no event tells of it

What is cancelled by a sentinel is so in the books a second after it is told.
"""

import asyncio
import hashlib
import secrets
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from simulators.erp import deliveries, documents, records, shown
from simulators.erp.failure import (
    Failure,
    already_there,
    is_away,
    not_found,
    not_supported,
    stopped,
)
from simulators.events import Events
from simulators.ledger import Ledger
from simulators.refusal import NotReached
from simulators.state import State

router = APIRouter(prefix="/erp")

ENTITY = "Orders"
SENDER = "erp"
SLOW_SECONDS = 4.0
AWAY_TIMES = 3
BOOKED_AFTER = 1.0
FOR_LONG = 10 * 365 * 86_400.0
SENT = ("order.shipped", "order.invoiced", "invoice.changed")
"""Events of what is sent: an order that is kept back may be accepted and cancelled all the same."""

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
    token: str | None = None
    business_partner: Annotated[str, Field(min_length=1, max_length=40)]
    po_number: str | None = None
    tax_number: str | None = None
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


class Knobs(BaseModel):
    """Times in seconds from one event to the next. `silent` orders are taken and never told of."""

    model_config = ConfigDict(extra="forbid")

    outage: bool = False
    silent: bool = False
    accept_seconds: Seconds = 2.0
    ship_seconds: Seconds = 20.0
    invoice_seconds: Seconds = 10.0


class ByHand(NewOrder):
    """Without a `reference` the books call it by a name that is shown to nobody."""

    # Read only, so it may be wider.
    reference: (  # pyright: ignore[reportIncompatibleVariableOverride]
        Annotated[str, Field(min_length=1, max_length=80)] | None
    ) = None


@router.post("/_orders")
async def enter_order(request: Request, given: ByHand) -> Response:
    name = given.reference or f"by-hand-{secrets.token_hex(8)}"
    order = NewOrder.model_validate(given.model_dump() | {"reference": name})
    try:
        entry = await take(request.app.state, order)
    except Failure as failure:
        return JSONResponse(failure.body, failure.status)
    if given.reference is None:
        shown.change(request.app.state.file, ENTITY, entry, {"U_Reference": None})
    return JSONResponse({"entry": entry}, 201)


@router.post("/_orders/{reference}/_send", status_code=204)
async def send_now(request: Request, reference: str) -> None:
    documents.postpone(request.app.state.file, reference, after=0)
    request.app.state.events.postpone(SENDER, reference, after=0)


def is_unseen(state: State, record: Mapping[str, Any]) -> bool:
    """Whether nobody can tell yet that it is there."""
    is_meant = _fault_of(record.get("NumAtCard")) == "UNSEEN"
    return is_meant and not _is_shipped(state, record["U_Reference"])


async def take(app: Any, order: NewOrder) -> int:
    """Its DocEntry. `app` is the state of the stand-ins. Raises Failure."""
    state: State = app.file
    ledger: Ledger = app.ledger
    fault = _fault_of(order.po_number)

    def failed(failure: Failure, *, effect: bool = False, replayed: bool = False) -> Failure:
        ledger.record(
            "erp-order",
            order.reference,
            None,
            status=failure.status,
            effect=effect,
            replayed=replayed,
        )
        return failure

    if fault == "DOWN":
        raise failed(is_away())
    if _found(state, order.reference) is not None:
        raise failed(already_there(), replayed=True)
    if fault == "REFUSED":
        raise failed(stopped("The ERP does not accept this order."))
    if fault == "AWAY" and _asked_before(ledger, order.reference) < AWAY_TIMES:
        raise failed(is_away())
    if fault == "PROXY" and _asked_before(ledger, order.reference) < AWAY_TIMES:
        ledger.record("erp-order", order.reference, None, status=404)
        raise NotReached
    entry = _take(app, order, fault)
    if fault in ("LOST", "UNSEEN"):
        raise failed(Failure(504, -1, "Gateway Timeout"), effect=True)
    ledger.record("erp-order", order.reference, None, status=201, effect=True)
    if fault == "SLOW":
        await asyncio.sleep(SLOW_SECONDS)
    return entry


def cancel(app: Any, entry: int) -> None:
    """Raises Failure, also where it is cancelled already."""
    state: State = app.file
    known = _under(state, entry)
    reference = known["reference"]
    if known["status"] == "cancelled" or _is_shipped(state, reference):
        app.ledger.record("erp-cancel", reference, None, status=400)
        raise not_supported()
    with state.transaction() as db:
        db.execute("update erp_order set status = 'cancelled' where reference = ?", (reference,))
        order = NewOrder.model_validate_json(known["body"])
        _promise(state, order.lines, sign=-1)
        closed = {"Cancelled": "tYES", "DocumentStatus": "bost_Close"}
        shown.change(state, ENTITY, entry, closed)
        documents.withdraw(state, reference)
    app.events.forget(SENDER, reference)
    app.ledger.record("erp-cancel", reference, None, status=204, effect=True)


def hold(app: Any, entry: int, *, is_held: bool) -> None:
    """Raises Failure where nothing is left to keep back."""
    state: State = app.file
    known = _under(state, entry)
    reference = known["reference"]
    if is_held and _is_shipped(state, reference):
        raise not_supported()
    status = "held" if is_held else "taken"
    is_new = known["status"] not in (status, "cancelled")
    if is_new:
        after = FOR_LONG if is_held else _knobs(state).ship_seconds
        with state.transaction() as db:
            db.execute("update erp_order set status = ? where reference = ?", (status, reference))
            shown.change(state, ENTITY, entry, {"Confirmed": "tNO" if is_held else "tYES"})
            documents.postpone(state, reference, after=after)
        app.events.postpone(SENDER, reference, after=after, types=SENT)
    app.ledger.record("erp-hold", reference, None, status=204, effect=is_new, replayed=not is_new)


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
    ledgers = [
        ledger.read(reference, operation, after)
        for operation in ("erp-order", "erp-cancel", "erp-hold")
    ]
    return {
        "results": sorted((one for part in ledgers for one in part["results"]), key=_seq),
        "effects": ledgers[0]["effects"] | ledgers[1]["effects"] | ledgers[2]["effects"],
        "orders": [
            {**_receipt_of(_as_booked(state, row)), **orjson.loads(row["body"])} for row in rows
        ],
    }


def _take(app: Any, order: NewOrder, fault: str | None) -> int:
    state: State = app.file
    with state.transaction() as db:
        entry = db.execute(
            "insert into erp_order (reference, fingerprint, status, body) values (?, '', 'taken', ?)",
            (order.reference, order.model_dump_json()),
        ).lastrowid
        assert entry is not None
        _promise(state, order.lines, sign=1)
        number = number_of(order.reference)
        record = {"DocNum": int(number), **shown.order_of(order.model_dump())}
        shown.show(state, ENTITY, entry, record)
        knobs = _knobs(state)
        if fault == "UNSEEN":
            knobs = knobs.model_copy(update={"accept_seconds": FOR_LONG})
        if fault != "STUCK" and not knobs.silent:
            _plan(state, app.events, order, entry, knobs, fault)
    return entry


def _promise(state: State, lines: list[Line], *, sign: int) -> None:
    """Pieces on hand that an order takes are promised until they leave the warehouse."""
    for line in lines:
        records.move_stock(state, line.sku, committed=sign * line.now)


def _plan(
    state: State, events: Events, order: NewOrder, entry: int, knobs: Knobs, fault: str | None
) -> None:
    """Everything that will be told of this order, each at its time."""
    number = number_of(order.reference)
    fault, _, untold = (fault or "").partition("-")
    stories = _stories(order, number, fault)
    sent = [one["shipment"] for one in stories if one["type"] == "order.shipped"]
    parts = deliveries.parts_of(order.model_dump(), sent)
    at, times = 0.0, list[float]()
    for story in stories:
        at += {
            "order.accepted": knobs.accept_seconds,
            "order.cancelled": knobs.accept_seconds,
            "order.shipment_cancelled": knobs.ship_seconds,
            "order.shipped": knobs.ship_seconds,
            "order.invoiced": 0.0,
        }[story["type"]]
        times.append(at + (knobs.invoice_seconds if story["type"] == "order.invoiced" else 0.0))
    if fault == "MIXED":
        stories.reverse()
        times.sort()
    for n, (story, after) in enumerate(zip(stories, times, strict=True)):
        body = {
            "id": f"{order.reference}-{story['type']}-{n}",
            "at": datetime.fromtimestamp(datetime.now(UTC).timestamp() + after, UTC).isoformat(),
            "reference": order.reference,
            "token": order.token,
            "erp_number": number,
            **story,
        }
        copies = 2 if fault == "TWICE" else 1
        booked = _booked(body)
        if booked is not None:
            booked_at = time.time() + after + BOOKED_AFTER
            shown.become(state, ENTITY, entry, booked, at=booked_at)
            if untold:
                continue
        if story["type"] == "order.shipped":
            deliveries.send(state, order.reference, story["shipment"], after=after)
        if story["type"] == "order.invoiced":
            number_of_shipment = story["shipment_number"]
            part = next(one for one in parts if one.shipment == number_of_shipment)
            invoice = documents.invoice_for(
                order.model_dump(), story["invoice_number"], part, after
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
        events.queue(SENDER, order.reference, body, after=after, copies=copies)


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
    shipments: list[dict[str, Any]] = [
        {
            "number": f"SH-{number}-{n + 1}",
            "carrier": "Northern Parcel",
            "tracking_number": f"NP{number}{n + 1}",
            "parcels": parcels,
        }
        for n, parcels in enumerate([part for part in (first, rest) if part])
    ]
    parts = deliveries.parts_of(order.model_dump(), shipments)
    steps: list[dict[str, Any]] = [accepted]
    for n, (shipment, part) in enumerate(zip(shipments, parts, strict=True)):
        invoiced = {
            "type": "order.invoiced",
            "invoice_number": f"INV-{number}" + (f"-{n + 1}" if len(parts) > 1 else ""),
            "shipment_number": part.shipment,
            "amount": float(part.total),
        }
        steps += [{"type": "order.shipped", "shipment": shipment}, invoiced]
    return steps


def _booked(event: dict[str, Any]) -> dict[str, Any] | None:
    """What the books have of what is cancelled."""
    match event["type"]:
        case "order.cancelled":
            closed = {"Cancelled": "tYES", "DocumentStatus": "bost_Close"}
            return closed | {"U_CancelReason": event["reason"]}
        case "order.shipment_cancelled":
            withdrawn = {**event["shipment"], "reason": event["reason"], "at": event["at"]}
            return {"U_Withdrawn": orjson.dumps([withdrawn]).decode()}
        case _:
            return None


def _fault_of(po_number: str | None) -> str | None:
    _, found, fault = (po_number or "").upper().rpartition("ERP-")
    return fault if found else None


def _found(state: State, reference: str) -> dict[str, Any] | None:
    with state.transaction() as db:
        row = db.execute("select * from erp_order where reference = ?", (reference,)).fetchone()
    return dict(row) if row else None


def _under(state: State, entry: int) -> dict[str, Any]:
    """Raises Failure."""
    with state.transaction() as db:
        row = db.execute("select * from erp_order where seq = ?", (entry,)).fetchone()
    if row is None:
        raise not_found()
    return _as_booked(state, row)


def _as_booked(state: State, row: Any) -> dict[str, Any]:
    """What the ERP cancelled by itself is cancelled too, as soon as its books say so."""
    booked = shown.find(state, ENTITY, row["seq"]) or {}
    is_cancelled = booked.get("Cancelled") == "tYES"
    return {**dict(row), **({"status": "cancelled"} if is_cancelled else {})}


def _is_shipped(state: State, reference: str) -> bool:
    with state.transaction() as db:
        row = db.execute(
            "select 1 from erp_shown where entity = ? and reference = ? and at <= ?",
            (deliveries.ENTITY, reference, time.time()),
        ).fetchone()
    return row is not None


def _asked_before(ledger: Ledger, reference: str) -> int:
    return len(ledger.read(reference, "erp-order", 0)["results"])


def number_of(reference: str) -> str:
    """From the reference, so that an emptied memory never gives a number twice."""
    return str(4_500_000_000 + int(hashlib.sha256(reference.encode()).hexdigest()[:8], 16))


def _receipt_of(row: Any) -> dict[str, Any]:
    """An order as it is answered."""
    return {
        "reference": row["reference"],
        "order_number": number_of(row["reference"]),
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


def _seq(row: dict[str, Any]) -> int:
    return int(row["seq"])
