"""The ACH/COD gateway: bank debits, cash on delivery and terms (shop spec 4.7). Amounts are whole cents.

`POST /gateway/v1/transactions` {reference, type ACH|COD|TERMS, account?, amount, currency, capture, metadata} holds, or with
`capture` takes, at once. A reference has one transaction, ever: the same again answers as it is now, another body 422. A
refusal is a transaction with status `declined` and a `reason`. `GET …/{reference}`; `GET …?since=&after=&limit=` {results,
has_more}: those made since (seconds), in their order, after one of them; `POST …/{reference}/capture`, `/void`,
`/refund` {amount, key}. Voiding a reference that never came keeps it from ever being taken. A captured ACH transaction is
`processing` for `bank_days` (seconds, 2), then `settled` or `returned`.

`metadata.reference` has the faults of `paying.Faults` (PAY-SLOW, PAY-LOST, PAY-HANG, PAY-DOWN, PAY-GONE). Signed events
`transaction.<status>` follow, each twice. The bank's part is in `bank_accounts.py`.
"""

import asyncio
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, HTTPException, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from simulators.gateway.bank_accounts import account_of
from simulators.paying import Faults, Paying
from simulators.refusal import Refusal

router = APIRouter(prefix="/gateway")

SLOW_TIMES = 5
"""A slow bank takes so much longer."""
KEY = "turnkey-development-gateway-key"
Cents = Annotated[int, Field(ge=1, le=10_000_000_000)]
Reference = Annotated[str, Field(min_length=1, max_length=200)]


class ChargeRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    reference: Reference
    type: Literal["ACH", "COD", "TERMS"]
    account: str | None = None
    amount: Cents
    currency: Literal["USD"] = "USD"
    capture: bool = False
    metadata: dict[str, str] = {}


class RefundRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    amount: Cents
    key: Reference


def check_key(request: Request) -> None:
    """Raises HTTPException."""
    sent = request.headers.get("authorization", "").removeprefix("Bearer ")
    if not hmac.compare_digest(sent.encode(), str(request.app.state.gateway_key).encode()):
        raise HTTPException(401, "This key is not known.")


@router.post("/v1/transactions")
async def create(request: Request, charge: ChargeRequest) -> Response:
    paying: Paying = request.app.state.gateway
    reference = charge.metadata.get("reference", "")
    return await _change(request, "authorised", reference, lambda: _authorise(paying, charge))


@router.get("/v1/transactions")
async def list_transactions(
    request: Request,
    since: Annotated[int, Query(ge=0)] = 0,
    after: Annotated[str, Query(max_length=200)] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 100,
) -> dict[str, Any]:
    check_key(request)
    paying: Paying = request.app.state.gateway
    if paying.knobs().outage:
        raise HTTPException(503, "Service Unavailable")
    with paying.state.transaction():
        found = [one for one in paying.all("transaction") if one.get("created", 0) >= since]
        ids = [one["id"] for one in found]
        rest = found[ids.index(after) + 1 :] if after in ids else [] if after else found
        shown = [_find(paying, one["id"]) or one for one in rest[:limit]]
    return {"results": [_shown(one) for one in shown], "has_more": len(rest) > limit}


@router.get("/v1/transactions/{reference}")
async def read(request: Request, reference: str) -> Response:
    check_key(request)
    paying: Paying = request.app.state.gateway
    if paying.knobs().outage:
        raise HTTPException(503, "Service Unavailable")
    with paying.state.transaction():
        found = _find(paying, reference)
    if found is None:
        raise Refusal(404, "unknown_transaction", "No such transaction.")
    return _answer(200, found)


@router.post("/v1/transactions/{reference}/capture")
async def capture(request: Request, reference: str) -> Response:
    paying: Paying = request.app.state.gateway

    def work() -> dict[str, Any]:
        found = _needed(paying, reference)
        if found["status"] == "authorised":
            _take(paying, found)
        elif found["status"] not in ("processing", "settled", "captured"):
            raise Refusal(409, "not_authorised", f"This transaction is {found['status']}.")
        return found

    return await _change(request, "captured", _words(paying, reference), work)


@router.post("/v1/transactions/{reference}/void")
async def void(request: Request, reference: str) -> Response:
    paying: Paying = request.app.state.gateway

    def work() -> dict[str, Any]:
        found = _find(paying, reference)
        if found is None:
            found = _new(ChargeRequest(reference=reference, type="COD", amount=1), "voided") | {
                "amount": 0
            }
            paying.put("transaction", found)
        elif found["status"] == "authorised":
            found["status"] = "voided"
            _store(paying, found, "voided", found["amount"])
        elif found["status"] not in ("voided", "declined", "returned"):
            raise Refusal(409, "not_voidable", f"This transaction is {found['status']}.")
        return found

    return await _change(request, "voided", _words(paying, reference), work)


@router.post("/v1/transactions/{reference}/refund")
async def refund(request: Request, reference: str, body: RefundRequest) -> Response:
    paying: Paying = request.app.state.gateway

    def work() -> dict[str, Any]:
        found = _needed(paying, reference)
        given: dict[str, int] = found["refunds"]
        if body.key in given:
            return found
        if found["status"] not in ("processing", "settled", "captured", "refunded"):
            raise Refusal(409, "not_captured", f"This transaction is {found['status']}.")
        if body.amount > found["captured"] - found["refunded"]:
            raise Refusal(409, "refund_too_large", "More than was taken cannot be given back.")
        given[body.key] = body.amount
        found["refunded"] += body.amount
        if found["refunded"] == found["captured"]:
            found |= {"status": "refunded", "due": None}
        _store(paying, found, "refunded", body.amount, key=body.key)
        return found

    return await _change(request, "refunded", _words(paying, reference), work)


@router.get("/_ledger")
async def ledger(
    request: Request, flow_id: Annotated[str | None, Query()] = None
) -> dict[str, Any]:
    """Cents: `intents`, `captures`, `refunds`, all `entries` in order, and `sums` by operation; narrowed to one flow.
    `deposits` are the micro-deposits that were sent, with their amounts."""
    paying: Paying = request.app.state.gateway
    for one in paying.all("transaction", flow_id):
        _find(paying, one["id"])
    return {
        "intents": paying.all("transaction", flow_id),
        "captures": paying.entries(flow_id, ["captured"]),
        "refunds": paying.entries(flow_id, ["refunded"]),
        "entries": paying.entries(flow_id),
        "sums": paying.sums(flow_id),
        "deposits": paying.all("deposit"),
    }


@router.post("/_control")
async def control(request: Request, changes: dict[str, Any]) -> dict[str, Any]:
    """Turns the knobs of `PayingKnobs`; only what is given changes."""
    paying: Paying = request.app.state.gateway
    try:
        return paying.turn(changes).model_dump()
    except ValidationError as error:
        raise HTTPException(422, error.errors(include_url=False)) from None


async def _change(
    request: Request, operation: str, reference: str, work: Callable[[], dict[str, Any]]
) -> Response:
    check_key(request)
    paying: Paying = request.app.state.gateway
    faults = Faults(paying)
    seconds, refused = faults.before(reference, operation)
    if seconds:
        await asyncio.sleep(seconds)
    if refused:
        return _answer(503, {"code": "unavailable", "detail": "Service Unavailable"})
    with paying.state.transaction():
        done = work()
        lost = faults.after(reference, operation)
    if lost is not None:
        await asyncio.sleep(lost)
        return _answer(504, {"code": "gateway_timeout", "detail": "Gateway Timeout"})
    return _answer(200, done)


def _authorise(paying: Paying, charge: ChargeRequest) -> dict[str, Any]:
    fingerprint = _fingerprint(charge)
    found = _find(paying, charge.reference)
    if found is not None:
        if found["status"] != "voided" and found["fingerprint"] != fingerprint:
            raise Refusal(422, "reference_reused", "This reference was used with another body.")
        return found
    made = _new(charge, "authorised") | {"fingerprint": fingerprint}
    reason = _refusal(paying, made, charge)
    if reason is not None:
        made |= {"status": "declined", "reason": reason}
        _store(paying, made, "declined", charge.amount)
        return made
    _store(paying, made, "authorised", charge.amount)
    if charge.capture:
        _take(paying, made)
    return made


def _refusal(paying: Paying, made: dict[str, Any], charge: ChargeRequest) -> str | None:
    if charge.type != "ACH":
        return None
    account = account_of(paying, charge.account or "")
    if account is None or account["forgotten"]:
        return "This bank account is not known."
    made["bank"] = account["behaves"]
    return "The bank account is closed." if account["behaves"] == "closed" else None


def _take(paying: Paying, found: dict[str, Any]) -> None:
    found["captured"] = found["amount"]
    if found["type"] == "ACH":
        days = paying.knobs().bank_days * (SLOW_TIMES if found["bank"] == "slow" else 1)
        found |= {"status": "processing", "due": time.time() + days}
        _store(paying, found, "captured", found["amount"])
        after = "returned" if found["bank"] in _RETURNS else "settled"
        _queue_event(paying, found, after, days)
        if found["bank"] in _RETURNS_LATE:
            _queue_event(paying, found, "returned", days + paying.knobs().late_days)
    else:
        found["status"] = "captured"
        _store(paying, found, "captured", found["amount"])


_RETURNS = {
    "insufficient": "R01 Insufficient funds",
    "unauthorised": "R10 The customer says the debit is not authorised",
}


_RETURNS_LATE = {"late": "R10 The customer says the debit is not authorised"}
"""After they had settled."""


def _find(paying: Paying, reference: str) -> dict[str, Any] | None:
    """As it is by now: a bank's answer that is due has come."""
    found = paying.find("transaction", reference)
    while found is not None and found["due"] is not None and found["due"] <= time.time():
        due, found["due"] = found["due"], None
        reason = _RETURNS.get(found["bank"])
        late = _RETURNS_LATE.get(found["bank"])
        if late is not None and found["status"] == "settled":
            reason = late
        elif late is not None:
            found["due"] = due + paying.knobs().late_days
        found |= {"status": "returned", "reason": reason} if reason else {"status": "settled"}
        _store(
            paying, found, found["status"], found["captured"] - found["refunded"], queue_event=False
        )
    return found


def _needed(paying: Paying, reference: str) -> dict[str, Any]:
    found = _find(paying, reference)
    if found is None:
        raise Refusal(404, "unknown_transaction", "No such transaction.")
    return found


def _new(charge: ChargeRequest, status: str) -> dict[str, Any]:
    return {
        "id": charge.reference,
        "reference": charge.reference,
        "type": charge.type,
        "status": status,
        "amount": charge.amount,
        "currency": _currency(charge),
        "captured": 0,
        "refunded": 0,
        "refunds": {},
        "reason": None,
        "due": None,
        "bank": None,
        "fingerprint": "",
        "created": int(time.time()),
        "metadata": charge.metadata,
    }


def _currency(charge: ChargeRequest) -> str:
    return "CAD" if "PAY-CAD" in charge.metadata.get("reference", "") else charge.currency


def _store(
    paying: Paying,
    found: dict[str, Any],
    operation: str,
    amount: int,
    *,
    key: str | None = None,
    queue_event: bool = True,
) -> None:
    flow_id = found["metadata"].get("flow_id")
    paying.put("transaction", found, flow_id)
    paying.enter(operation, found["id"], amount, flow_id=flow_id, key=key)
    if queue_event:
        _queue_event(paying, found, operation, 0.0)


def _queue_event(paying: Paying, found: dict[str, Any], what: str, after: float) -> None:
    event = {
        "id": f"gev_{secrets.token_hex(12)}",
        "type": f"transaction.{what}",
        "created": int(time.time()),
        "reference": found["reference"],
        "metadata": found["metadata"],
    }
    paying.queue_event(event, found["reference"], after=after)


def _words(paying: Paying, reference: str) -> str:
    found = paying.find("transaction", reference)
    words = found["metadata"].get("reference", "") if found is not None else ""
    return f"{words} {reference}" if words else ""


def _fingerprint(charge: ChargeRequest) -> str:
    body = orjson.dumps(charge.model_dump(), option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(body).hexdigest()


def _answer(status: int, body: dict[str, Any]) -> Response:
    return Response(orjson.dumps(_shown(body)), status, media_type="application/json")


def _shown(body: dict[str, Any]) -> dict[str, Any]:
    hidden = {"fingerprint", "bank", "due", "refunds"}
    return {name: value for name, value in body.items() if name not in hidden}
