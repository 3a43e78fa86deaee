"""Chargebacks: the holder of a card has the bank take a payment back. In Stripe's shape (`charge.dispute.*`).

The card `createDispute` has each charge disputed once it is captured, `createDisputeInquiry` has it asked about, with nothing
taken. `POST /cards/_disputes` {payment_intent or flow_id, amount?, reason?, inquiry?, told?} disputes any other; `POST
/cards/_disputes/{id}` {status: needs_response|under_review|won|lost|warning_closed} is what the bank says next.

Beside them what a card's bank does not take back: of the card `refundFail` each refund is made and fails `bank_days` (seconds)
later, which `refund.failed` tells, of `refundFailsOnce` the first. As at Stripe the money is the charge's again.
"""

import time
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from simulators.cards.desk import Desk, Problem, missing, new_id, now
from simulators.cards.events import queue_event
from simulators.cards.known import Card
from simulators.cards.objects import shown

REFUND_FAILED_AS = "expired_or_canceled_card"
RESPOND_WITHIN = 7 * 86_400
Verdict = Literal["needs_response", "under_review", "won", "lost", "warning_closed"]
_TAKEN = frozenset({"needs_response", "under_review", "lost"})


class NewDispute(BaseModel):
    model_config = ConfigDict(extra="forbid")

    payment_intent: str | None = None
    flow_id: str | None = None
    amount: int | None = None
    reason: str = "fraudulent"
    inquiry: bool = False
    told: bool = True
    """False: its event is lost."""


class Decision(BaseModel):
    model_config = ConfigDict(extra="forbid")

    status: Verdict


def dispute(desk: Desk, id: str) -> dict[str, Any]:
    """Raises Problem."""
    found = desk.paying.find("dispute", id)
    if found is None:
        raise missing("dispute", id, "dispute")
    return found


def listed(desk: Desk, payment_intent: str | None, limit: int) -> dict[str, Any]:
    """Newest first."""
    found = [
        one
        for one in reversed(desk.paying.all("dispute"))
        if payment_intent in (None, one["payment_intent"])
    ]
    return {
        "object": "list",
        "url": "/v1/disputes",
        "has_more": len(found) > limit,
        "data": found[:limit],
    }


def disputed(desk: Desk, new: NewDispute) -> dict[str, Any]:
    """The last charge of this intent or flow, by its holder. Raises Problem."""
    charges = [
        one
        for one in desk.paying.all("charge")
        if one["captured"]
        and (
            one["payment_intent"] == new.payment_intent
            if new.flow_id is None
            else one["metadata"].get("flow_id") == new.flow_id
        )
    ]
    if not charges:
        raise missing("charge", new.payment_intent or new.flow_id or "", "charge")
    return opened(
        desk,
        charges[-1],
        reason=new.reason,
        amount=new.amount,
        is_inquiry=new.inquiry,
        is_told=new.told,
    )


def opened(
    desk: Desk,
    charge: dict[str, Any],
    *,
    reason: str = "fraudulent",
    amount: int | None = None,
    is_inquiry: bool = False,
    is_told: bool = True,
) -> dict[str, Any]:
    """A new dispute of a charge, told of; an inquiry takes nothing."""
    if any(one["charge"] == charge["id"] for one in desk.paying.all("dispute")):
        raise Problem(400, f"Charge {charge['id']} is disputed already.")
    made: dict[str, Any] = {
        "id": new_id("du"),
        "object": "dispute",
        "amount": amount or charge["amount_captured"] - charge["amount_refunded"],
        "balance_transactions": [],
        "charge": charge["id"],
        "created": now(),
        "currency": charge["currency"],
        "enhanced_eligibility_types": [],
        "evidence": {},
        "evidence_details": {
            "due_by": now() + RESPOND_WITHIN,
            "enhanced_eligibility": {},
            "has_evidence": False,
            "past_due": False,
            "submission_count": 0,
        },
        "is_charge_refundable": is_inquiry,
        "livemode": False,
        "metadata": {},
        "payment_intent": charge["payment_intent"],
        "reason": reason,
        "status": "warning_needs_response" if is_inquiry else "needs_response",
    }
    desk.paying.put("dispute", made, charge["metadata"].get("flow_id"))
    desk.paying.put("charge", charge | {"disputed": True})
    if not is_inquiry:
        _enter(desk, made, charge)
    if is_told:
        queue_event(desk, "charge.dispute.created", shown(made))
    return made


def decided(desk: Desk, id: str, decision: Decision) -> dict[str, Any]:
    """What the bank says next. Raises Problem once it is closed."""
    found = dispute(desk, id)
    before, after = found["status"], decision.status
    if before in ("won", "lost", "warning_closed"):
        raise Problem(400, "This dispute is already closed.", param="dispute")
    charge = desk.paying.find("charge", found["charge"]) or {}
    found |= {"status": after, "is_charge_refundable": after not in _TAKEN}
    desk.paying.put("dispute", found)
    if before in _TAKEN and after not in _TAKEN:
        desk.paying.put("charge", charge | {"disputed": False})
        _enter(desk, found, charge, is_given_back=True)
    elif before not in _TAKEN and after in _TAKEN:
        _enter(desk, found, charge)
    is_closed = after in ("won", "lost", "warning_closed")
    queue_event(desk, f"charge.dispute.{'closed' if is_closed else 'updated'}", shown(found))
    return found


def taken_back(desk: Desk, charge: dict[str, Any]) -> int:
    """Cents that a bank holds of a charge."""
    return sum(
        one["amount"]
        for one in desk.paying.all("dispute")
        if one["charge"] == charge["id"] and one["status"] in _TAKEN
    )


def _enter(
    desk: Desk, found: dict[str, Any], charge: dict[str, Any], *, is_given_back: bool = False
) -> None:
    flow_id = charge.get("metadata", {}).get("flow_id")
    amount = -found["amount"] if is_given_back else found["amount"]
    desk.paying.enter(
        "returned", found["payment_intent"], amount, flow_id=flow_id, detail=found["reason"]
    )


def refund(desk: Desk, id: str) -> dict[str, Any]:
    """As it is by now. Raises Problem."""
    advance_refunds(desk)
    found = desk.paying.find("refund", id)
    if found is None:
        raise missing("refund", id, "refund")
    return found


def refund_made(desk: Desk, new: dict[str, Any], card: Card) -> None:
    """A new one, of this card."""
    before = [one for one in desk.paying.all("failing") if one["charge"] == new["charge"]]
    if len(before) >= card.fails_refunds:
        return
    days = desk.paying.knobs().bank_days
    desk.paying.put(
        "failing", {"id": new["id"], "charge": new["charge"], "due": time.time() + days}
    )
    queue_event(desk, "refund.failed", _failed(new), after=days)


def advance_refunds(desk: Desk) -> None:
    """What banks have given back by now."""
    for one in desk.paying.all("failing"):
        if one["due"] is None or one["due"] > time.time():
            continue
        desk.paying.put("failing", one | {"due": None})
        found = desk.paying.find("refund", one["id"])
        charge = desk.paying.find("charge", one["charge"])
        if found is None or charge is None:
            continue
        charge["amount_refunded"] -= found["amount"]
        desk.paying.put("charge", charge | {"refunded": False})
        flow_id = charge["metadata"].get("flow_id")
        desk.paying.put("refund", _failed(found), flow_id)
        desk.paying.enter(
            "refund_failed", found["payment_intent"], found["amount"], flow_id=flow_id
        )


def _failed(refund: dict[str, Any]) -> dict[str, Any]:
    return refund | {"status": "failed", "failure_reason": REFUND_FAILED_AS}
