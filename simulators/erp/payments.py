"""Incoming payments in the ERP: each settles a part of one invoice, or all of it, and issues the documents anew.

They are taken as `IncomingPayments` of the Service Layer. One that is cancelled frees its memos, and its invoice says what was
taken back beside what it had paid. `POST /erp/_payments` {reference?, business_partner,
invoice_number, amount, discount, memos [{number, amount}], paid_on} is somebody's who enters one there by hand; without a
reference it is a cheque. `GET /erp/_payments?invoice_number=` lists what was taken, and the requests for it.

Sentinels, by the end of the invoice's number:
    -REFUSED  stopped by a rule there, always    -DOWN  503, always
    -AWAY     503 three times, then taken        -LOST  taken, first reply 504
    -PROXY    a page of a proxy, 404, three times, then taken
"""

import secrets
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from simulators.erp import documents, shown
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

ENTITY = "IncomingPayments"
OPERATION = "erp-payment"
AWAY_TIMES = 3

Number = Annotated[str, Field(min_length=1, max_length=64)]
Amount = Annotated[float, Field(ge=0, le=1e9)]


class Part(BaseModel):
    number: Number
    amount: Annotated[float, Field(gt=0, le=1e9)]


class Incoming(BaseModel):
    model_config = ConfigDict(extra="forbid")

    reference: Annotated[str, Field(min_length=1, max_length=160)]
    business_partner: Annotated[str, Field(min_length=1, max_length=40)]
    invoice_number: Number
    amount: Amount
    discount: Amount = 0
    memos: Annotated[list[Part], Field(max_length=100)] = []
    paid_on: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]


class ByHand(Incoming):
    """Without a `reference` the books call it by a name that is shown to nobody."""

    # Read only, so it may be wider.
    reference: (  # pyright: ignore[reportIncompatibleVariableOverride]
        Annotated[str, Field(min_length=1, max_length=160)] | None
    ) = None


@router.post("/_payments")
async def enter_payment(request: Request, given: ByHand) -> Response:
    name = given.reference or f"by-hand-{secrets.token_hex(8)}"
    incoming = Incoming.model_validate(given.model_dump() | {"reference": name})
    try:
        entry = take(request.app.state, incoming, {})
    except Failure as failure:
        return JSONResponse(failure.body, failure.status)
    if given.reference is None:
        cheque = {"TransferSum": 0.0, "CashSum": 0.0, "CheckSum": given.amount}
        nobodys = {"U_Reference": None, "U_InvoiceNumber": None, "TransferReference": None}
        shown.change(request.app.state.file, ENTITY, entry, cheque | nobodys)
    return JSONResponse({"entry": entry}, 201)


def take(app: Any, incoming: Incoming, record: dict[str, Any]) -> int:
    """Its DocEntry. `app` is the state of the stand-ins, `record` what the Service Layer shows of it. Raises Failure."""
    state: State = app.file
    ledger: Ledger = app.ledger
    fault = incoming.invoice_number.rpartition("-")[2]

    def failed(failure: Failure, *, effect: bool = False, replayed: bool = False) -> Failure:
        ledger.record(
            OPERATION,
            incoming.invoice_number,
            incoming.reference,
            status=failure.status,
            effect=effect,
            replayed=replayed,
        )
        return failure

    if _found(state, incoming.reference) is not None:
        raise failed(already_there(), replayed=True)
    if fault == "DOWN" or (fault == "AWAY" and _asked_before(ledger, incoming) < AWAY_TIMES):
        raise failed(is_away())
    if fault == "PROXY" and _asked_before(ledger, incoming) < AWAY_TIMES:
        ledger.record(OPERATION, incoming.invoice_number, incoming.reference, status=404)
        raise NotReached
    try:
        if fault == "REFUSED":
            raise stopped("The ERP does not accept this payment.")
        with state.transaction():
            entry = _take(state, app.events, incoming, record)
    except Failure as failure:
        raise failed(failure) from None
    if fault == "LOST":
        raise failed(Failure(504, -1, "Gateway Timeout"), effect=True)
    ledger.record(OPERATION, incoming.invoice_number, incoming.reference, status=201, effect=True)
    return entry


def cancel(app: Any, entry: int) -> None:
    """Takes all of it back, today. Raises Failure, also where it was taken back already."""
    state: State = app.file
    with state.transaction() as db:
        row = db.execute("select * from erp_payment where seq = ?", (entry,)).fetchone()
        if row is None:
            raise not_found()
        taken = orjson.loads(row["body"])
        if taken.get("is_cancelled"):
            raise not_supported()
        _take_back(state, app.events, taken)
        taken["is_cancelled"] = True
        db.execute(
            "update erp_payment set body = ? where seq = ?",
            (orjson.dumps(taken).decode(), entry),
        )
        shown.change(state, ENTITY, entry, {"Cancelled": "tYES"})


@router.get("/_payments")
async def read_payments(
    request: Request, invoice_number: Annotated[str | None, Query(max_length=64)] = None
) -> dict[str, Any]:
    state: State = request.app.state.file
    ledger: Ledger = request.app.state.ledger
    with state.transaction() as db:
        rows = db.execute("select * from erp_payment order by seq").fetchall()
    taken = [orjson.loads(row["body"]) for row in rows]
    return {
        **ledger.read(invoice_number, OPERATION, 0),
        "payments": [
            one for one in taken if invoice_number in (None, one["payment"]["invoice_number"])
        ],
    }


def _take(state: State, events: Events, incoming: Incoming, record: dict[str, Any]) -> int:
    """Settles the invoice and applies the memos, and issues the next version of each."""
    invoice = _document(state, "invoice", incoming.invoice_number, incoming.business_partner)
    parts = [(one.number, _cents(one.amount)) for one in incoming.memos]
    paid, discount = _cents(incoming.amount), _cents(incoming.discount)
    credit = sum((amount for _, amount in parts), Decimal(0))
    cleared = paid + credit + discount
    before = _cents(invoice["paid"])
    if cleared > _cents(invoice["total"]) - before:
        raise Failure(400, -10, "The amount is above what is open on the invoice.")
    entries = [
        ("payment", incoming.reference, paid),
        *(("credit_memo", number, amount) for number, amount in parts),
        ("discount", incoming.reference, discount),
    ]
    changed: list[tuple[documents.Kind, dict[str, Any]]] = [
        (
            "invoice",
            {
                **invoice,
                "paid": float(before + cleared),
                "payoff": float(max(_cents(invoice["payoff"]) - paid - credit, Decimal(0))),
                "settled_with": [
                    *invoice.get("settled_with", []),
                    *(_entry(incoming, *entry) for entry in entries if entry[2] > 0),
                ],
            },
        )
    ]
    for number, amount in parts:
        memo = _document(state, "credit_memo", number, incoming.business_partner)
        applied = _cents(memo["applied"]) + amount
        if applied > _cents(memo["total"]):
            raise Failure(400, -10, "The amount is above what is left of the credit memo.")
        entry = _entry(incoming, "invoice", incoming.invoice_number, amount)
        applied_to = [*memo.get("applied_to", []), entry]
        changed.append(
            ("credit_memo", {**memo, "applied": float(applied), "applied_to": applied_to})
        )
    for kind, document in changed:
        documents.issue(state, events, kind, document)
    taken = {
        "reference": incoming.reference,
        "payment": incoming.model_dump(),
        "payoff": float(_cents(invoice["payoff"]) - _cents(changed[0][1]["payoff"])),
    }
    with state.transaction() as db:
        entry = db.execute(
            "insert into erp_payment (reference, fingerprint, body) values (?, '', ?)",
            (incoming.reference, orjson.dumps(taken).decode()),
        ).lastrowid
    assert entry is not None
    whole = {**(record or _record(state, incoming)), "Cancelled": "tNO"}
    shown.show(state, ENTITY, entry, whole)
    return entry


def _take_back(state: State, events: Events, taken: dict[str, Any]) -> None:
    """The invoice is owed and the memos are free as before, in a next version of each."""
    incoming = Incoming.model_validate(taken["payment"])
    partner = incoming.business_partner
    invoice = _document(state, "invoice", incoming.invoice_number, partner)
    cleared = _cents(incoming.amount) + _cents(incoming.discount)
    cleared += sum((_cents(one.amount) for one in incoming.memos), Decimal(0))
    settled = list(invoice.get("settled_with", []))
    for part in incoming.memos:
        settled = _without(settled, _entry(incoming, "credit_memo", part.number, part.amount))
    today = str(max(datetime.now(UTC).date(), date.fromisoformat(incoming.paid_on)))
    for kind, amount in (("payment", incoming.amount), ("discount", incoming.discount)):
        if amount > 0:
            back = _entry(incoming, f"returned_{kind}", incoming.reference, amount)
            settled.append({**back, "on": today})
    changed: list[tuple[documents.Kind, dict[str, Any]]] = [
        (
            "invoice",
            {
                **invoice,
                "paid": float(_cents(invoice["paid"]) - cleared),
                "payoff": float(_cents(invoice["payoff"]) + _cents(taken["payoff"])),
                "settled_with": settled,
            },
        )
    ]
    for part in incoming.memos:
        memo = _document(state, "credit_memo", part.number, partner)
        applied = float(_cents(memo["applied"]) - _cents(part.amount))
        entry = _entry(incoming, "invoice", incoming.invoice_number, part.amount)
        applied_to = _without(memo.get("applied_to", []), entry)
        changed.append(("credit_memo", {**memo, "applied": applied, "applied_to": applied_to}))
    for kind, document in changed:
        documents.issue(state, events, kind, document)


def _without(entries: list[dict[str, Any]], gone: dict[str, Any]) -> list[dict[str, Any]]:
    """The last one that is the same is left out."""
    place = max((n for n, one in enumerate(entries) if one == gone), default=len(entries))
    return [*entries[:place], *entries[place + 1 :]]


def _document(state: State, kind: documents.Kind, number: str, partner: str) -> dict[str, Any]:
    found = documents.latest(state, number)
    if found is None or found["kind"] != kind or found["document"]["partner_code"] != partner:
        raise not_found()
    return found["document"]


def _record(state: State, incoming: Incoming) -> dict[str, Any]:
    """What the Service Layer shows of a payment that was entered by hand."""
    credit = sum((_cents(one.amount) for one in incoming.memos), Decimal(0))
    settled = [
        ("it_Invoice", incoming.invoice_number, _cents(incoming.amount) + credit),
        *(("it_CredItnote", one.number, -_cents(one.amount)) for one in incoming.memos),
    ]
    return {
        "CardCode": incoming.business_partner,
        "DocDate": incoming.paid_on,
        "DocType": "rCustomer",
        "TransferSum": incoming.amount,
        "TransferDate": incoming.paid_on,
        "U_Reference": incoming.reference,
        "U_InvoiceNumber": incoming.invoice_number,
        "PaymentInvoices": [
            {
                "DocEntry": documents.entry_of(state, number),
                "InvoiceType": kind,
                "SumApplied": float(amount),
                "TotalDiscount": incoming.discount if kind == "it_Invoice" else 0.0,
            }
            for kind, number, amount in settled
        ],
    }


def _entry(incoming: Incoming, kind: str, number: str, amount: Decimal | float) -> dict[str, Any]:
    return {"on": incoming.paid_on, "kind": kind, "number": number, "amount": float(amount)}


def _found(state: State, reference: str) -> dict[str, Any] | None:
    with state.transaction() as db:
        row = db.execute("select * from erp_payment where reference = ?", (reference,)).fetchone()
    return dict(row) if row else None


def _asked_before(ledger: Ledger, incoming: Incoming) -> int:
    entries = ledger.read(incoming.invoice_number, OPERATION, 0)["results"]
    return sum(one["idempotency_key"] == incoming.reference for one in entries)


def _cents(amount: float) -> Decimal:
    return Decimal(str(amount)).quantize(Decimal("0.01"))
