"""What the card provider keeps: customers, payment methods, tokens and setup intents. A number is never among it."""

import re
from datetime import UTC, datetime
from typing import Any

from simulators.cards import banks
from simulators.cards.desk import Desk, Form, Problem, missing, nested, new_id, now, required
from simulators.cards.known import (
    BY_NAME,
    Card,
    Decline,
    card_behind,
    fingerprint_of,
    is_number,
)

DEMO = re.compile(r"^pm_demo_(?P<card>[A-Za-z]+(?:_debit)?)_(?P<tag>[a-z0-9-]+)$")
"""Saved cards that always exist: `pm_demo_<test card>_<tag>` is attached to the customer `cus_demo_<tag>`."""
_DEMO_CUSTOMER = re.compile(r"^cus_demo_[a-z0-9-]+$")
_DEMO_YEAR = 2031


def declined(decline: Decline, *, stored: bool = True, **more: Any) -> Problem:
    """402 in Stripe's shape."""
    code = {"decline_code": decline.decline_code} if decline.decline_code else {}
    return Problem(
        402, decline.message, type="card_error", stored=stored, code=decline.code, **code, **more
    )


def customer(desk: Desk, id: str) -> dict[str, Any]:
    """Raises Problem."""
    found = desk.paying.find("customer", id)
    if found is None and _DEMO_CUSTOMER.match(id):
        found = _new_customer(id, {})
        desk.paying.put("customer", found)
    if found is None or found.get("deleted"):
        raise missing("customer", id, "customer")
    return found


def create_customer(desk: Desk, form: Form) -> dict[str, Any]:
    made = _new_customer(new_id("cus"), form)
    desk.paying.put("customer", made)
    return made


def method(desk: Desk, id: str) -> dict[str, Any]:
    """A payment method. The names of test cards make a new one each time; demo ones always exist. Raises Problem."""
    found = desk.paying.find("method", id)
    if found is not None:
        return found
    if (made := banks.known(id)) is not None:
        customer(desk, made["customer"])
    elif (demo := DEMO.match(id)) and (card := BY_NAME.get(demo["card"])):
        made = _new_method(id, card, _DEMO_YEAR, 12, {}, fingerprint_of(id))
        made["customer"] = f"cus_demo_{demo['tag']}"
        customer(desk, made["customer"])
    elif card := BY_NAME.get(id.removeprefix("pm_card_") if id.startswith("pm_card_") else ""):
        made = _new_method(new_id("pm"), card, now_year() + 2, 12, {}, fingerprint_of(card.number))
    else:
        raise missing("PaymentMethod", id, "payment_method")
    desk.paying.put("method", made)
    return made


def card_of(stored: dict[str, Any]) -> Card:
    """How a saved card behaves; a bank account as a card of which nothing is special."""
    if banks.is_bank(stored):
        return Card("bank", "", "bank", fault=banks.fault_of(stored))
    return BY_NAME[stored["_behaves"]]


def create_method(desk: Desk, form: Form) -> dict[str, Any]:
    """From a number, which is forgotten at once, or from a token. Raises Problem."""
    if form.get("type") in banks.KINDS:
        made = banks.create_method(form)
        desk.paying.put("method", made)
        return made
    if form.get("type") != "card":
        raise Problem(400, "Invalid type: must be card", param="type")
    card = nested(form, "card")
    if card is None:
        raise Problem(400, "Missing required param: card.", code="parameter_missing", param="card")
    billing = form.get("billing_details")
    if isinstance(card.get("token"), str):
        made = _from_token(desk, card["token"], billing)
    else:
        made = _from_number(card, billing)
    desk.paying.put("method", made)
    return made


def create_token(desk: Desk, form: Form) -> dict[str, Any]:
    """The older way to hand in a number. Raises Problem."""
    card = nested(form, "card")
    if card is None:
        raise Problem(400, "Missing required param: card.", code="parameter_missing", param="card")
    made = _from_number(card, None)
    token = {"id": new_id("tok"), "object": "token", "type": "card", "used": False}
    desk.paying.put("token", token | {"_method": made})
    return token | {"card": made["card"]}


def update_method(desk: Desk, id: str, form: Form) -> dict[str, Any]:
    stored = method(desk, id)
    if not stored["customer"]:
        raise Problem(
            400,
            "You must save this PaymentMethod to a customer before you can update it.",
            param="customer",
        )
    card = nested(form, "card")
    if card is not None:
        month = _month(card.get("exp_month", str(stored["card"]["exp_month"])))
        year = _year(card.get("exp_year", str(stored["card"]["exp_year"])))
        stored["card"] |= {"exp_month": month, "exp_year": year}
    if isinstance(form.get("billing_details"), dict):
        stored["billing_details"] = _billing(form["billing_details"], stored["billing_details"])
    desk.paying.put("method", stored)
    return stored


def attach(desk: Desk, id: str, form: Form) -> dict[str, Any]:
    """Raises Problem when the bank refuses the card, as Stripe's check for nothing does."""
    stored = method(desk, id)
    wanted = customer(desk, required(form, "customer"))["id"]
    if stored["customer"] not in (None, wanted):
        raise Problem(
            400,
            "The payment method you provided has already been attached to a customer.",
            code="payment_method_unexpected_state",
        )
    decline = card_of(stored).on_attach
    if decline is not None:
        raise declined(decline)
    stored["customer"] = wanted
    desk.paying.put("method", stored)
    return stored


def detach(desk: Desk, id: str) -> dict[str, Any]:
    stored = method(desk, id)
    if not stored["customer"]:
        raise Problem(
            400,
            "The payment method you provided is not attached to a customer so detachment is impossible.",
            code="payment_method_unexpected_state",
            stored=True,
        )
    stored["customer"] = None
    stored["_detached"] = True
    desk.paying.put("method", stored)
    return stored


def create_setup(desk: Desk, form: Form) -> dict[str, Any]:
    """A permission to charge a card later; confirmed at once where a method is named. Raises Problem."""
    made: dict[str, Any] = {
        "id": new_id("seti"),
        "object": "setup_intent",
        "created": now(),
        "customer": customer(desk, form["customer"])["id"] if "customer" in form else None,
        "livemode": False,
        "mandate": None,
        "metadata": form.get("metadata", {}),
        "next_action": None,
        "payment_method": None,
        "status": "requires_payment_method",
        "usage": form.get("usage", "off_session"),
    }
    made["client_secret"] = f"{made['id']}_secret_{new_id('s')[2:]}"
    if isinstance(form.get("payment_method"), str):
        stored = method(desk, form["payment_method"])
        made |= {"payment_method": stored["id"], "status": "requires_confirmation"}
        if form.get("confirm") == "true" and banks.is_bank(stored):
            banks.set_up(desk, stored, made, form)
        elif form.get("confirm") == "true":
            made["status"] = _set_up(desk, stored, made["customer"])
    desk.paying.put("setup", made)
    return made


def _set_up(desk: Desk, stored: dict[str, Any], customer_id: str | None) -> str:
    """The status after a card was set up; one that can be charged later is attached."""
    card = card_of(stored)
    if card.on_attach is not None:
        raise declined(card.on_attach)
    if card.authentication:
        return "requires_action"
    if customer_id is not None:
        attach(desk, stored["id"], {"customer": customer_id})
    return "succeeded"


def now_year() -> int:
    return datetime.now(UTC).year


def shown(stored: dict[str, Any]) -> dict[str, Any]:
    """Without what only the stand-in needs."""
    return {name: value for name, value in stored.items() if not name.startswith("_")}


def _new_customer(id: str, form: Form) -> dict[str, Any]:
    return {
        "id": id,
        "object": "customer",
        "created": now(),
        "email": form.get("email"),
        "name": form.get("name"),
        "description": form.get("description"),
        "livemode": False,
        "metadata": form.get("metadata", {}),
    }


def _from_number(card: Form, billing: Any) -> dict[str, Any]:
    number = re.sub(r"[\s-]", "", str(card.get("number", "")))
    if not is_number(number):
        raise Problem(
            402,
            "Your card number is incorrect.",
            type="card_error",
            code="incorrect_number",
            param="number",
        )
    month, year = _month(card.get("exp_month")), _year(card.get("exp_year"))
    cvc = card.get("cvc")
    if cvc is not None and not re.fullmatch(r"[0-9]{3,4}", str(cvc)):
        raise Problem(
            402,
            "Your card's security code is invalid.",
            type="card_error",
            code="invalid_cvc",
            param="cvc",
        )
    known = card_behind(number)
    return _new_method(
        new_id("pm"), known, year, month, billing, fingerprint_of(number), last4=number[-4:]
    )


def _from_token(desk: Desk, token: str, billing: Any) -> dict[str, Any]:
    if card := BY_NAME.get(token.removeprefix("tok_") if token.startswith("tok_") else ""):
        return _new_method(
            new_id("pm"), card, now_year() + 2, 12, billing, fingerprint_of(card.number)
        )
    stored = desk.paying.find("token", token)
    if stored is None:
        raise missing("token", token, "card[token]")
    if stored["used"]:
        raise Problem(
            400,
            "You cannot use a Stripe token more than once.",
            code="token_already_used",
            param="card[token]",
        )
    desk.paying.put("token", stored | {"used": True})
    made = stored["_method"]
    made["billing_details"] = _billing(billing, made["billing_details"])
    return made


def _new_method(
    id: str,
    card: Card,
    year: int,
    month: int,
    billing: Any,
    fingerprint: str,
    last4: str | None = None,
) -> dict[str, Any]:
    return {
        "id": id,
        "object": "payment_method",
        "billing_details": _billing(billing, {}),
        "card": {
            "brand": card.brand,
            "country": "CA",
            "exp_month": month,
            "exp_year": year,
            "fingerprint": fingerprint,
            "funding": "debit" if card.name.endswith("debit") else "credit",
            "last4": last4 or card.number[-4:],
        },
        "created": now(),
        "customer": None,
        "livemode": False,
        "metadata": {},
        "type": "card",
        "_behaves": card.name,
    }


def _billing(sent: Any, before: dict[str, Any]) -> dict[str, Any]:
    given: Form = nested({"sent": sent}, "sent") or {}
    names = ("line1", "line2", "city", "state", "postal_code", "country")
    address: Form = nested(given, "address") or {}
    earlier: dict[str, Any] = before.get("address") or {}
    return {
        "name": given.get("name", before.get("name")),
        "email": given.get("email", before.get("email")),
        "phone": given.get("phone", before.get("phone")),
        "address": {name: address.get(name, earlier.get(name)) for name in names},
    }


def _month(value: Any) -> int:
    if str(value).isdigit() and 1 <= int(value) <= 12:
        return int(value)
    raise Problem(
        402,
        "Your card's expiration month is invalid.",
        type="card_error",
        code="invalid_expiry_month",
        param="exp_month",
    )


def _year(value: Any) -> int:
    if str(value).isdigit() and now_year() <= int(value) <= now_year() + 50:
        return int(value)
    raise Problem(
        402,
        "Your card's expiration year is invalid.",
        type="card_error",
        code="invalid_expiry_year",
        param="exp_year",
    )
