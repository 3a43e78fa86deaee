"""Refunds that the bank of a card does not take: they are made, and fail `bank_days` (seconds) later, which `refund.failed` tells.

As at Stripe the money is the charge's again. The card `refundFail` has it so for each refund, `refundFailsOnce` for the first.
"""

import time
from typing import Any

from simulators.cards.desk import Desk, missing
from simulators.cards.events import tell
from simulators.cards.known import Card

REASON = "expired_or_canceled_card"


def refund(desk: Desk, id: str) -> dict[str, Any]:
    """As it is by now. Raises Problem."""
    settle(desk)
    found = desk.paying.find("refund", id)
    if found is None:
        raise missing("refund", id, "refund")
    return found


def made(desk: Desk, new: dict[str, Any], card: Card) -> None:
    """A new one, of this card."""
    before = [one for one in desk.paying.all("failing") if one["charge"] == new["charge"]]
    if len(before) >= card.fails_refunds:
        return
    days = desk.paying.knobs().bank_days
    desk.paying.put(
        "failing", {"id": new["id"], "charge": new["charge"], "due": time.time() + days}
    )
    tell(desk, "refund.failed", _failed(new), after=days)


def settle(desk: Desk) -> None:
    """What banks have given back by now."""
    for one in desk.paying.all("failing"):
        if one["due"] is None or one["due"] > time.time():
            continue
        desk.paying.put("failing", one | {"due": None})
        found, charge = (
            desk.paying.find("refund", one["id"]),
            desk.paying.find("charge", one["charge"]),
        )
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
    return refund | {"status": "failed", "failure_reason": REASON}
