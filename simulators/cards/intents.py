"""Payment intents, charges and refunds: where the card provider moves money. Amounts are whole cents.

An event follows each change of an intent; the ledger notes what was held, taken, given back and refused.
"""

import re
from typing import Any
from urllib.parse import urlencode

from simulators.cards import banks, disputes
from simulators.cards.desk import (
    Desk,
    Form,
    Problem,
    amount_of,
    missing,
    nested,
    new_id,
    now,
    required,
)
from simulators.cards.events import queue_event
from simulators.cards.known import NOT_AUTHENTICATED, Decline
from simulators.cards.objects import card_of, customer, declined, method, shown

_CLAUSE = re.compile(r"^\s*metadata\['(?P<name>[^']+)'\]\s*:\s*'(?P<value>[^']*)'\s*$")
LEAST, MOST = 50, 99_999_999
_CANCELLABLE = ("requires_payment_method", "requires_confirmation", "requires_action", "requires_capture")  # fmt: skip


def intent(desk: Desk, id: str) -> dict[str, Any]:
    """Raises Problem."""
    found = desk.paying.find("intent", id)
    if found is None:
        raise missing("payment_intent", id, "intent")
    disputes.advance_refunds(desk)
    return _advanced(desk, found)


def advance(desk: Desk) -> None:
    """What banks have answered by now."""
    disputes.advance_refunds(desk)
    for id in banks.waiting(desk):
        intent(desk, id)


def reference_of(desk: Desk, id: str) -> str:
    """What faults of a request about this intent go by."""
    found = desk.paying.find("intent", id)
    return "" if found is None else _reference(desk, found)


def create(desk: Desk, form: Form) -> dict[str, Any]:
    """Raises Problem, also for a decline when it is confirmed at once."""
    made: dict[str, Any] = {
        "id": new_id("pi"),
        "object": "payment_intent",
        "amount": _asked(form),
        "amount_capturable": 0,
        "amount_received": 0,
        "canceled_at": None,
        "cancellation_reason": None,
        "capture_method": form.get("capture_method", "automatic"),
        "confirmation_method": form.get("confirmation_method", "automatic"),
        "created": now(),
        "currency": required(form, "currency"),
        "customer": None,
        "description": form.get("description"),
        "last_payment_error": None,
        "latest_charge": None,
        "livemode": False,
        "metadata": form.get("metadata", {}),
        "next_action": None,
        "payment_method": None,
        "payment_method_types": [*(nested(form, "payment_method_types") or {0: "card"}).values()],
        "status": "requires_payment_method",
    }
    if made["capture_method"] not in ("automatic", "automatic_async", "manual"):
        raise Problem(400, "Invalid capture_method", param="capture_method")
    made["client_secret"] = f"{made['id']}_secret_{new_id('s')[2:]}"
    if "customer" in form:
        made["customer"] = customer(desk, form["customer"])["id"]
    if "payment_method" in form:
        _take_method(desk, made, form["payment_method"])
    _put(desk, made)
    _queue_event(desk, made, "payment_intent.created")
    if form.get("confirm") == "true":
        return confirm(desk, made["id"], form)
    return made


def _asked(form: Form) -> int:
    """Within the provider's limits."""
    amount = amount_of(form, "amount")
    if amount < LEAST:
        least = f"Amount must be at least ${LEAST / 100:.2f} usd"
        raise Problem(400, least, code="amount_too_small", param="amount")
    if amount > MOST:
        most = f"Amount must be no more than ${MOST / 100:,.2f}"
        raise Problem(400, most, code="amount_too_large", param="amount")
    return amount


def update(desk: Desk, id: str, form: Form) -> dict[str, Any]:
    found = intent(desk, id)
    if found["status"] not in ("requires_payment_method", "requires_confirmation"):
        raise _unexpected(found, "updated")
    if "amount" in form:
        found["amount"] = _asked(form)
    if isinstance(form.get("metadata"), dict):
        found["metadata"] |= form["metadata"]
    if "description" in form:
        found["description"] = form["description"]
    if "payment_method" in form:
        _take_method(desk, found, form["payment_method"])
    _put(desk, found)
    return found


def confirm(desk: Desk, id: str, form: Form) -> dict[str, Any]:
    """Charges, holds, asks the payer, or refuses. Raises Problem."""
    found = intent(desk, id)
    if found["status"] not in ("requires_payment_method", "requires_confirmation"):
        raise _unexpected(found, "confirmed")
    if "payment_method" in form:
        _take_method(desk, found, form["payment_method"])
    if found["payment_method"] is None:
        raise Problem(
            400,
            "You cannot confirm this PaymentIntent because it's missing a payment method.",
            code="payment_intent_unexpected_state",
        )
    stored = method(desk, found["payment_method"])
    if stored.get("_detached"):
        raise Problem(
            400,
            "The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, or was"
            " detached from a Customer. It may not be used again.",
            code="payment_method_unexpected_state",
            param="payment_method",
        )
    if banks.is_bank(stored):
        return _debit(desk, found, stored, form)
    if card_of(stored).authentication:
        found |= {"status": "requires_action", "next_action": _next_action(desk, found, form)}
        _put(desk, found)
        _queue_event(desk, found, "payment_intent.requires_action")
        return found
    return _charge(desk, found)


def authenticated(desk: Desk, id: str, *, agreed: bool) -> dict[str, Any]:
    """The payer has answered their bank. A second answer changes nothing."""
    found = intent(desk, id)
    if found["status"] != "requires_action":
        return found
    found["next_action"] = None
    try:
        return _charge(desk, found) if agreed else _refuse(desk, found, NOT_AUTHENTICATED)
    except Problem:
        return intent(desk, id)


def capture(desk: Desk, id: str, form: Form, key: str | None) -> dict[str, Any]:
    """Takes what is held, or a part of it; the rest is let go. Raises Problem."""
    found = intent(desk, id)
    if found["status"] != "requires_capture":
        raise _unexpected(found, "captured")
    amount = amount_of(form, "amount_to_capture", found["amount_capturable"])
    if amount > found["amount_capturable"]:
        raise Problem(
            400,
            "The remaining amount to capture for this PaymentIntent is less than the amount requested.",
            code="amount_too_large",
            param="amount_to_capture",
        )
    amount = _taken(desk, found, amount)
    found |= {"status": "succeeded", "amount_received": amount, "amount_capturable": 0}
    charge = _charge_of(desk, found)
    charge |= {"captured": True, "amount_captured": amount}
    desk.paying.put("charge", charge)
    _put(desk, found)
    _enter(desk, "captured", found, amount, key=key)
    _queue_event(desk, found, "payment_intent.succeeded")
    _dispute(desk, found, charge)
    return found


def cancel(desk: Desk, id: str, form: Form) -> dict[str, Any]:
    """Lets go of what is held. Raises Problem."""
    found = intent(desk, id)
    if found["status"] not in _CANCELLABLE:
        raise _unexpected(found, "canceled")
    held = found["amount_capturable"]
    found |= {
        "status": "canceled",
        "amount_capturable": 0,
        "canceled_at": now(),
        "cancellation_reason": form.get("cancellation_reason"),
        "next_action": None,
    }
    _put(desk, found)
    _enter(desk, "voided", found, held)
    _queue_event(desk, found, "payment_intent.canceled")
    return found


def refund(desk: Desk, form: Form, key: str | None) -> dict[str, Any]:
    """Gives money back. Raises Problem."""
    found = intent(desk, required(form, "payment_intent"))
    if found["status"] != "succeeded":
        raise Problem(
            400,
            f"This PaymentIntent ({found['id']}) does not have a successful charge to refund.",
            stored=True,
        )
    charge = _charge_of(desk, found)
    left = charge["amount_captured"] - charge["amount_refunded"]
    if left == 0:
        raise Problem(
            400,
            f"Charge {charge['id']} has already been refunded.",
            code="charge_already_refunded",
            stored=True,
        )
    amount = amount_of(form, "amount", left)
    if amount > left:
        raise Problem(
            400,
            f"Refund amount (${amount / 100:.2f}) is greater than unrefunded amount on charge (${left / 100:.2f})",
            code="amount_too_large",
            param="amount",
        )
    if amount > left - disputes.taken_back(desk, charge):
        raise Problem(
            400,
            f"Charge {charge['id']} has been charged back; cannot issue a refund.",
            code="charge_disputed",
            stored=True,
        )
    refused = charge.get("refunds_refused", 0)
    if refused < card_of(method(desk, found["payment_method"])).refuses_refunds:
        desk.paying.put("charge", {**charge, "refunds_refused": refused + 1})
        _enter(desk, "refund_refused", found, amount, key=key)
        raise Problem(
            400,
            "The card's bank does not take this refund.",
            code="refund_refused",
            stored=True,
        )
    charge["amount_refunded"] += amount
    charge["refunded"] = charge["amount_refunded"] == charge["amount_captured"]
    desk.paying.put("charge", charge)
    made = {
        "id": new_id("re"),
        "object": "refund",
        "amount": amount,
        "charge": charge["id"],
        "created": now(),
        "currency": found["currency"],
        "metadata": form.get("metadata", {}),
        "payment_intent": found["id"],
        "reason": form.get("reason"),
        "status": "succeeded",
    }
    desk.paying.put("refund", made, found["metadata"].get("flow_id"))
    _enter(desk, "refunded", found, amount, key=key)
    queue_event(desk, "charge.refunded", charge)
    disputes.refund_made(desk, made, card_of(method(desk, found["payment_method"])))
    return made


def searched(desk: Desk, form: Form) -> dict[str, Any]:
    """By `metadata['name']:'value'`, joined by AND."""
    clauses = [_CLAUSE.match(part) for part in required(form, "query").split(" AND ")]
    wanted = {clause["name"]: clause["value"] for clause in clauses if clause is not None}
    if len(wanted) != len(clauses):
        raise Problem(400, "We were unable to parse your search query.", param="query")
    found = [
        one
        for one in reversed(desk.paying.all("intent"))
        if all(one["metadata"].get(name) == value for name, value in wanted.items())
    ]
    return {
        "object": "search_result",
        "url": "/v1/payment_intents/search",
        "has_more": False,
        "next_page": None,
        "data": found[:100],
    }


def expanded(desk: Desk, found: dict[str, Any], form: Form) -> dict[str, Any]:
    """With the charge itself where `expand[]=latest_charge` asks for it."""
    wanted = nested(form, "expand") or {}
    if "latest_charge" in wanted.values() and found["latest_charge"] is not None:
        return found | {"latest_charge": shown(_charge_of(desk, found))}
    return found


def _take_method(desk: Desk, found: dict[str, Any], id: str) -> None:
    stored = method(desk, id)
    if stored["customer"] is not None and stored["customer"] != found["customer"]:
        raise Problem(
            400,
            f"The PaymentMethod {stored['id']} does not belong to the Customer you supplied.",
            param="payment_method",
        )
    if stored["type"] not in found["payment_method_types"]:
        raise Problem(
            400,
            f"The PaymentMethod provided ({stored['type']}) is not allowed for this PaymentIntent.",
            param="payment_method",
        )
    if banks.is_bank(stored) and found["capture_method"] == "manual":
        raise Problem(400, "This payment method cannot be captured later.", param="capture_method")
    found |= {"payment_method": stored["id"], "status": "requires_confirmation"}


def _charge(desk: Desk, found: dict[str, Any]) -> dict[str, Any]:
    stored = method(desk, found["payment_method"])
    decline = card_of(stored).on_charge
    if decline is not None:
        return _refuse(desk, found, decline)
    charge = _new_charge("ch", found, stored)
    found |= {"latest_charge": charge["id"], "last_payment_error": None}
    _enter(desk, "authorised", found, found["amount"])
    if found["capture_method"] == "manual":
        found |= {"status": "requires_capture", "amount_capturable": found["amount"]}
        event = "payment_intent.amount_capturable_updated"
    else:
        amount = _taken(desk, found, found["amount"])
        found |= {"status": "succeeded", "amount_received": amount}
        charge |= {"captured": True, "amount_captured": amount}
        event = "payment_intent.succeeded"
        _enter(desk, "captured", found, amount)
    desk.paying.put("charge", charge)
    _put(desk, found)
    _queue_event(desk, found, event)
    _dispute(desk, found, charge)
    return found


def _taken(desk: Desk, found: dict[str, Any], amount: int) -> int:
    """What is taken of a card or an account; another amount, currency or owner than was asked for by the words of its faults."""
    words = _reference(desk, found)
    if "PAY-CAD" in words:
        found["currency"] = "cad"
    if "PAY-OTHER" in words:
        found["metadata"] = found["metadata"] | {"payment_id": f"of-another-{found['id']}"}
    return amount - 1 if "PAY-LESS" in words else amount


def _new_charge(prefix: str, found: dict[str, Any], stored: dict[str, Any]) -> dict[str, Any]:
    """What is asked of a card or of a bank for an intent, with nothing taken yet."""
    return {
        "id": new_id(prefix),
        "object": "charge",
        "amount": found["amount"],
        "amount_captured": 0,
        "amount_refunded": 0,
        "captured": False,
        "created": now(),
        "currency": found["currency"],
        "customer": found["customer"],
        "metadata": found["metadata"],
        "paid": True,
        "payment_intent": found["id"],
        "payment_method": stored["id"],
        "refunded": False,
        "status": "succeeded",
    }


def _debit(desk: Desk, found: dict[str, Any], stored: dict[str, Any], form: Form) -> dict[str, Any]:
    """A bank is asked for the money; its answer takes days. Raises Problem."""
    banks.check_debit(stored, form)
    charge = _new_charge("py", found, stored) | {"paid": False, "status": "pending"}
    desk.paying.put("charge", charge)
    found |= {
        "latest_charge": charge["id"],
        "last_payment_error": None,
        "status": "processing",
    }
    _put(desk, found)
    _enter(desk, "processing", found, found["amount"])
    _queue_event(desk, found, "payment_intent.processing")
    days, is_paid = banks.due(desk, found["id"], stored)
    kind = "payment_intent.succeeded" if is_paid else "payment_intent.payment_failed"
    queue_event(desk, kind, found, after=days)
    return found


def _advanced(desk: Desk, found: dict[str, Any]) -> dict[str, Any]:
    """As it is by now: a bank's answer that is due has come."""
    while (said := banks.answered(desk, found["id"])) is not None:
        charge = _charge_of(desk, found)
        if said == "disputed":
            if charge["amount_captured"] > charge["amount_refunded"]:
                made = disputes.opened(desk, charge, reason="debit_not_authorized")
                disputes.decided(desk, made["id"], disputes.Decision(status="lost"))  # no appeal
        elif said == "paid":
            amount = _taken(desk, found, found["amount"])
            charge |= {"captured": True, "paid": True, "status": "succeeded"}
            charge["amount_captured"] = amount
            found |= {"status": "succeeded", "amount_received": amount}
            _enter(desk, "captured", found, amount)
        else:
            code, words = said
            charge |= {"status": "failed", "failure_code": code, "failure_message": words}
            error = {"type": "card_error", "code": "payment_intent_payment_attempt_failed"}
            found |= {
                "status": "requires_payment_method",
                "payment_method": None,
                "last_payment_error": error | {"decline_code": code, "message": words},
            }
            _enter(desk, "declined", found, found["amount"], detail=code)
        if said != "disputed":
            desk.paying.put("charge", charge)
            _put(desk, found)
    return found


def _dispute(desk: Desk, found: dict[str, Any], charge: dict[str, Any]) -> None:
    """Holders of some cards dispute every charge, once the money was taken."""
    disputes_as = card_of(method(desk, found["payment_method"])).disputes
    if disputes_as and charge["captured"]:
        disputes.opened(desk, charge, is_inquiry=disputes_as == "inquiry")


def _refuse(desk: Desk, found: dict[str, Any], decline: Decline) -> dict[str, Any]:
    """Never returns: the intent is kept as refused, and the refusal raised."""
    problem = declined(decline)
    found |= {
        "status": "requires_payment_method",
        "payment_method": None,
        "last_payment_error": problem.body["error"],
        "next_action": None,
    }
    _put(desk, found)
    _enter(desk, "declined", found, found["amount"], detail=decline.decline_code or decline.code)
    _queue_event(desk, found, "payment_intent.payment_failed")
    raise declined(decline, payment_intent=found)


def _next_action(desk: Desk, found: dict[str, Any], form: Form) -> dict[str, Any]:
    back = form.get("return_url", "")
    said = urlencode({"secret": found["client_secret"], "return_url": back})
    url = f"/cards/authenticate/{found['id']}?{said}"
    return {
        "type": "redirect_to_url",
        "redirect_to_url": {"url": f"{desk.own_url}{url}", "return_url": back},
    }


def _charge_of(desk: Desk, found: dict[str, Any]) -> dict[str, Any]:
    charge = desk.paying.find("charge", found["latest_charge"] or "")
    if charge is None:
        raise missing("charge", str(found["latest_charge"]))
    return charge


def _unexpected(found: dict[str, Any], done: str) -> Problem:
    return Problem(
        400,
        f"This PaymentIntent's status is {found['status']}, so it cannot be {done}.",
        code="payment_intent_unexpected_state",
        stored=True,
        payment_intent=found,
    )


def _reference(desk: Desk, found: dict[str, Any]) -> str:
    stored = desk.paying.find("method", found["payment_method"] or "")
    fault = card_of(stored).fault if stored is not None else ""
    words = f"{found['metadata'].get('reference', '')} {fault}".strip()
    return f"{words} {found['id']}" if words else ""


def _put(desk: Desk, found: dict[str, Any]) -> None:
    desk.paying.put("intent", found, found["metadata"].get("flow_id"))


def _enter(
    desk: Desk,
    operation: str,
    found: dict[str, Any],
    amount: int,
    *,
    key: str | None = None,
    detail: str = "",
) -> None:
    flow_id = found["metadata"].get("flow_id")
    desk.paying.enter(operation, found["id"], amount, flow_id=flow_id, key=key, detail=detail)


def _queue_event(desk: Desk, found: dict[str, Any], kind: str) -> None:
    queue_event(desk, kind, found)
