"""Invoices and credit memos in the ERP: issued, told by signed events, and offered by a feed of changes.

`Invoices` and `CreditNotes` of the Service Layer show the latest version of each. Events `invoice.changed` and
`credit_memo.changed` {id, at, document} hold the whole document, as `GET /erp/_documents/{number}` does.

`POST /erp/_documents` {kind, document, is_told, after, copies} issues the next version of a document by its number, in
`after` seconds; without `is_told` the feed alone knows of it. `POST /erp/_ledger_of_documents` {documents: [{kind,
document}]} takes over documents as they stand, each once by number and version, at noon of the day of their issue, or now
where that noon is still to come.
"""

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, HTTPException, Path, Request
from pydantic import BaseModel, ConfigDict, Field

from simulators.erp import deliveries, shown
from simulators.erp.deliveries import Part
from simulators.events import Events
from simulators.state import State

router = APIRouter(prefix="/erp")

SENDER = "erp"
NET_DAYS = 30
EARLY_DAYS, EARLY_PERCENT = 10, Decimal(2)

Kind = Literal["invoice", "credit_memo"]
_SHOWN: dict[Kind, tuple[str, Callable[[Mapping[str, Any]], dict[str, Any]]]] = {
    "invoice": ("Invoices", shown.invoice_of),
    "credit_memo": ("CreditNotes", shown.credit_note_of),
}
Number = Annotated[str, Field(min_length=1, max_length=64)]


class Issue(BaseModel):
    """`document` has at least `number` and `partner_code`."""

    model_config = ConfigDict(extra="forbid")

    kind: Kind
    document: dict[str, Any]
    is_told: bool = True
    after: Annotated[float, Field(ge=0, le=86_400)] = 0
    copies: Annotated[int, Field(ge=1, le=5)] = 1


class Issued(BaseModel):
    model_config = ConfigDict(extra="forbid")

    kind: Kind
    document: dict[str, Any]


class AsTheyStand(BaseModel):
    """Each `document` is whole, with its `version`."""

    model_config = ConfigDict(extra="forbid")

    documents: Annotated[list[Issued], Field(max_length=20_000)]


@router.get("/_documents/{number}")
async def one_document(
    request: Request, number: Annotated[str, Path(max_length=64)]
) -> dict[str, Any]:
    found = latest(request.app.state.file, number)
    if found is None:
        raise HTTPException(404, "Unknown document")
    return found


@router.post("/_documents")
async def issue_document(request: Request, asked: Issue) -> dict[str, Any]:
    return issue(
        request.app.state.file,
        request.app.state.events,
        asked.kind,
        asked.document,
        after=asked.after,
        copies=asked.copies if asked.is_told else 0,
    )


@router.post("/_ledger_of_documents")
async def take_over(request: Request, asked: AsTheyStand) -> dict[str, int]:
    state: State = request.app.state.file
    now, taken = time.time(), 0
    with state.transaction():
        for one in asked.documents:
            issued = min(now, _noon(one.document["create_date"]))
            taken += _store(state, one.kind, one.document, issued)
    return {"taken": taken}


def _noon(day: str) -> float:
    return datetime.fromisoformat(f"{day}T12:00:00Z").timestamp()


def issue(
    state: State,
    events: Events,
    kind: Kind,
    document: dict[str, Any],
    *,
    after: float = 0.0,
    copies: int = 1,
    reference: str = "",
) -> dict[str, Any]:
    """The next version of the document, and so many events of it. `reference` is the order that it can be withdrawn
    with until it is issued."""
    # Whole microseconds, so that a cursor names the moment exactly.
    issued = round(time.time() + after, 6)
    with state.transaction() as db:
        version: int = db.execute(
            "select coalesce(max(version), 0) + 1 from erp_document where number = ?",
            (document["number"],),
        ).fetchone()[0]
        whole = {**document, "version": version}
        _store(state, kind, whole, issued, reference)
    if copies:
        body = {
            "id": f"{document['number']}-v{version}",
            "at": datetime.fromtimestamp(issued, UTC).isoformat(),
            "type": f"{kind}.changed",
            "document": whole,
        }
        subject = reference or document["number"]
        events.queue(SENDER, subject, body, after=after, copies=copies)
    return whole


def _store(
    state: State, kind: Kind, whole: dict[str, Any], issued: float, reference: str = ""
) -> int:
    """Answers 1 where this version is new."""
    entity, shape = _SHOWN[kind]
    number, version = whole["number"], whole["version"]
    with state.transaction() as db:
        new = db.execute(
            "insert or ignore into erp_document (issued, kind, number, partner, version,"
            " reference, body) values (?, ?, ?, ?, ?, ?, ?)",
            (
                issued,
                kind,
                number,
                whole["partner_code"],
                version,
                reference,
                orjson.dumps(whole).decode(),
            ),
        ).rowcount
    entry = entry_of(state, number)
    record = _based(state, shape(whole))
    shown.show(state, entity, entry, record, version=version, at=issued, reference=reference)
    return new


def _based(state: State, record: dict[str, Any]) -> dict[str, Any]:
    """The lines of an invoice stand on those of its delivery note, in their order."""
    note = deliveries.entry_of(state, record.get("U_ShipmentNumber"))
    if note is None:
        return record
    lines = [
        {**line, "BaseType": 15, "BaseEntry": note, "BaseLine": n}
        for n, line in enumerate(record["DocumentLines"])
    ]
    return {**record, "DocumentLines": lines}


def entry_of(state: State, number: str) -> int:
    """The DocEntry of a document: it is that of its first version."""
    with state.transaction() as db:
        row = db.execute("select min(seq) from erp_document where number = ?", (number,)).fetchone()
    return int(row[0])


def withdraw(state: State, reference: str) -> None:
    """What was to be issued for this order never will be."""
    now = time.time()
    with state.transaction() as db:
        db.execute("delete from erp_document where reference = ? and issued > ?", (reference, now))
        shown.withdraw(state, reference, now)


def postpone(state: State, reference: str, *, after: float) -> None:
    """What was to be issued for this order is issued so many seconds from now."""
    now = time.time()
    with state.transaction() as db:
        db.execute(
            "update erp_document set issued = ? where reference = ? and issued > ?",
            (now + after, reference, now),
        )
        shown.postpone(state, reference, now, now + after)


def owed_by(state: State, code: str) -> tuple[list[dict[str, Any]], Decimal, int]:
    """The open invoices of a business, what its documents come to, and how many invoices there are."""
    with state.transaction() as db:
        rows = db.execute(
            "select body, kind, max(version) from erp_document where partner = ? and issued <= ?"
            " group by number",
            (code, time.time()),
        ).fetchall()
    open_: list[dict[str, Any]] = []
    owed, count = Decimal(0), 0
    for row in rows:
        body = orjson.loads(row["body"])
        if row["kind"] == "credit_memo":
            owed -= _amount(body["total"]) - _amount(body["applied"])
            continue
        count += 1
        balance = _amount(body["total"]) - _amount(body["paid"])
        owed += balance
        if balance > 0:
            due = {"number": body["number"], "due_date": body["due_date"]}
            open_.append({**due, "open_amount": float(balance)})
    return open_, owed, count


def invoice_for(order: dict[str, Any], number: str, part: Part, after: float) -> dict[str, Any]:
    """What the ERP asks for a shipment: on terms it is due in 30 days, with two per cent off for ten; COD is due at once; what
    was paid before is settled."""
    day = (datetime.now(UTC) + timedelta(seconds=after)).date()
    is_on_terms = order["payment"] == "TERMS"
    is_paid = order["payment"] not in ("TERMS", "COD")
    total = part.total
    saved = _cents(part.goods * EARLY_PERCENT / 100) if is_on_terms else Decimal(0)
    early = {"number_of_days": EARLY_DAYS, "percent": float(EARLY_PERCENT)}
    paid_before = {
        "on": str(day),
        "kind": "payment",
        "number": order["reference"],
        "amount": float(total),
    }
    return {
        "number": number,
        "partner_code": order["business_partner"],
        "order_number": order["reference"],
        "order_token": order.get("token"),
        "po_number": order["po_number"],
        "tax_number": order["tax_number"],
        "shipment_number": part.shipment,
        "create_date": str(day),
        "due_date": str(day + timedelta(days=NET_DAYS if is_on_terms else 0)),
        "coupon_code": order["coupon"],
        "coupon_amount": float(part.discount),
        "subtotal": float(part.goods),
        "freight": float(part.freight),
        "tax": float(part.tax),
        "total": float(total),
        "paid": float(total) if is_paid else 0.0,
        "payoff": 0.0 if is_paid else float(total - saved),
        "early_pay": [early] if is_on_terms else [],
        "settled_with": [paid_before] if is_paid else [],
        "lines": [
            {**line, "name": line["sku"], "total": float(line["total"])} for line in part.lines
        ],
    }


def latest(state: State, number: str) -> dict[str, Any] | None:
    """{kind, document} of the last version that was issued."""
    with state.transaction() as db:
        row = db.execute(
            "select * from erp_document where number = ? and issued <= ?"
            " order by version desc limit 1",
            (number, time.time()),
        ).fetchone()
    return {"kind": row["kind"], "document": orjson.loads(row["body"])} if row else None


def _amount(number: float | str) -> Decimal:
    return Decimal(str(number))


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(Decimal("0.01"), ROUND_HALF_UP)
