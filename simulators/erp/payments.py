"""Incoming payments in the ERP: each settles a part of one invoice, or all of it, and issues the documents anew.

`POST /erp/v1/payments` {reference, business_partner, invoice_number, amount, discount, memos [{number, amount}], paid_on}
answers 201 {reference, documents: [{kind, document}]}; the same reference again is answered alike (200) and taken once,
with another body 409 `reference_reused`. A clear no is 422: `invoice_unknown`, `amount_above_balance`, `memo_unknown`,
`memo_above_balance`. `POST /erp/v1/payments/{reference}/cancel` takes all of it back, as if it had never been: 200
{reference, documents}, answered alike when asked again; 422 `payment_unknown`. `GET /erp/_payments?invoice_number=` lists what was taken, and the requests for it.

Sentinels, by the end of the invoice's number:
    -REFUSED  422 `payment_refused`, always    -DOWN  503, always
    -AWAY     503 three times, then taken      -LOST  taken, first reply 504
"""

import hashlib
from decimal import Decimal
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from simulators.erp import documents
from simulators.events import Events
from simulators.ledger import Ledger
from simulators.state import State

router = APIRouter(prefix="/erp")

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


class _No(Exception):
    """A clear no."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(code)
        self.body = {"code": code, "detail": detail}


@router.post("/v1/payments")
async def take_payment(request: Request, incoming: Incoming) -> Response:
    state: State = request.app.state.file
    ledger: Ledger = request.app.state.ledger
    fault = incoming.invoice_number.rpartition("-")[2]

    def answered(
        status: int, body: dict[str, Any], *, effect: bool = False, replayed: bool = False
    ) -> Response:
        ledger.record(
            OPERATION,
            incoming.invoice_number,
            incoming.reference,
            status=status,
            effect=effect,
            replayed=replayed,
        )
        return JSONResponse(body, status)

    documents.check_is_up(state)
    known = _found(state, incoming.reference)
    if known is not None:
        if known["fingerprint"] != _fingerprint(incoming):
            return answered(
                409,
                {"code": "reference_reused", "detail": "Another payment has this reference."},
            )
        return answered(200, orjson.loads(known["body"]), replayed=True)
    if fault == "DOWN" or (fault == "AWAY" and _asked_before(ledger, incoming) < AWAY_TIMES):
        return answered(503, {"detail": "Service Unavailable"})
    try:
        if fault == "REFUSED":
            raise _No("payment_refused", "The ERP does not accept this payment.")
        with state.transaction():
            taken = _take(state, request.app.state.events, incoming)
    except _No as no:
        return answered(422, no.body)
    if fault == "LOST":
        return answered(504, {"detail": "Gateway Timeout"}, effect=True)
    return answered(201, taken, effect=True)


@router.post("/v1/payments/{reference}/cancel")
async def cancel_payment(
    request: Request, reference: Annotated[str, Path(max_length=160)]
) -> Response:
    state: State = request.app.state.file
    documents.check_is_up(state)
    with state.transaction():
        known = _found(state, reference)
        if known is None:
            no = _No("payment_unknown", "The ERP does not know this payment.")
            return JSONResponse(no.body, 422)
        taken = orjson.loads(known["body"])
        if "cancelled" not in taken:
            taken["cancelled"] = _take_back(state, request.app.state.events, taken)
            with state.transaction() as db:
                db.execute(
                    "update erp_payment set body = ? where reference = ?",
                    (orjson.dumps(taken).decode(), reference),
                )
    return JSONResponse({"reference": reference, "documents": taken["cancelled"]})


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


def _take(state: State, events: Events, incoming: Incoming) -> dict[str, Any]:
    """Settles the invoice and applies the memos, and issues the next version of each."""
    invoice = _document(state, "invoice", incoming.invoice_number, incoming.business_partner)
    parts = [(one.number, _cents(one.amount)) for one in incoming.memos]
    paid, discount = _cents(incoming.amount), _cents(incoming.discount)
    credit = sum((amount for _, amount in parts), Decimal(0))
    cleared = paid + credit + discount
    before = _cents(invoice["paid"])
    if cleared > _cents(invoice["total"]) - before:
        raise _No("amount_above_balance", "The amount is above what is open on the invoice.")
    entries = [
        ("payment", incoming.reference, paid),
        *(("credit memo", number, amount) for number, amount in parts),
        ("early-pay discount", incoming.reference, discount),
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
            raise _No("memo_above_balance", "The amount is above what is left of the credit memo.")
        entry = _entry(incoming, "invoice", incoming.invoice_number, amount)
        told = [*memo.get("applied_to", []), entry]
        changed.append(("credit_memo", {**memo, "applied": float(applied), "applied_to": told}))
    issued = [
        {"kind": kind, "document": documents.issue(state, events, kind, document)}
        for kind, document in changed
    ]
    taken = {
        "reference": incoming.reference,
        "payment": incoming.model_dump(),
        "payoff": float(_cents(invoice["payoff"]) - _cents(changed[0][1]["payoff"])),
        "documents": issued,
    }
    with state.transaction() as db:
        db.execute(
            "insert into erp_payment (reference, fingerprint, body) values (?, ?, ?)",
            (incoming.reference, _fingerprint(incoming), orjson.dumps(taken).decode()),
        )
    return taken


def _take_back(state: State, events: Events, taken: dict[str, Any]) -> list[dict[str, Any]]:
    """The invoice and the memos as they were, in a next version of each."""
    incoming = Incoming.model_validate(taken["payment"])
    partner = incoming.business_partner
    invoice = _document(state, "invoice", incoming.invoice_number, partner)
    cleared = _cents(incoming.amount) + _cents(incoming.discount)
    cleared += sum((_cents(one.amount) for one in incoming.memos), Decimal(0))
    numbers = {incoming.reference, *(one.number for one in incoming.memos)}
    changed: list[tuple[documents.Kind, dict[str, Any]]] = [
        (
            "invoice",
            {
                **invoice,
                "paid": float(_cents(invoice["paid"]) - cleared),
                "payoff": float(_cents(invoice["payoff"]) + _cents(taken["payoff"])),
                "settled_with": _without(invoice.get("settled_with", []), numbers),
            },
        )
    ]
    for part in incoming.memos:
        memo = _document(state, "credit_memo", part.number, partner)
        applied = float(_cents(memo["applied"]) - _cents(part.amount))
        told = _without(memo.get("applied_to", []), {incoming.invoice_number})
        changed.append(("credit_memo", {**memo, "applied": applied, "applied_to": told}))
    return [
        {"kind": kind, "document": documents.issue(state, events, kind, document)}
        for kind, document in changed
    ]


def _without(entries: list[dict[str, Any]], numbers: set[str]) -> list[dict[str, Any]]:
    return [one for one in entries if one["number"] not in numbers]


def _document(state: State, kind: documents.Kind, number: str, partner: str) -> dict[str, Any]:
    found = documents.latest(state, number)
    if found is None or found["kind"] != kind or found["document"]["partner_code"] != partner:
        short = "invoice" if kind == "invoice" else "memo"
        raise _No(f"{short}_unknown", "The ERP does not know this document.")
    return found["document"]


def _entry(incoming: Incoming, kind: str, number: str, amount: Decimal) -> dict[str, Any]:
    return {"on": incoming.paid_on, "kind": kind, "number": number, "amount": float(amount)}


def _found(state: State, reference: str) -> dict[str, Any] | None:
    with state.transaction() as db:
        row = db.execute("select * from erp_payment where reference = ?", (reference,)).fetchone()
    return dict(row) if row else None


def _asked_before(ledger: Ledger, incoming: Incoming) -> int:
    told = ledger.read(incoming.invoice_number, OPERATION, 0)["results"]
    return sum(one["idempotency_key"] == incoming.reference for one in told)


def _cents(amount: float) -> Decimal:
    return Decimal(str(amount)).quantize(Decimal("0.01"))


def _fingerprint(incoming: Incoming) -> str:
    return hashlib.sha256(incoming.model_dump_json().encode()).hexdigest()
