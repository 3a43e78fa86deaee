"""Bank accounts at the card provider, in Stripe's shape: `us_bank_account` and `acss_debit`, their micro-deposits, their debits.

`POST /cards/v1/payment_methods` takes account numbers and forgets them. A setup intent that is confirmed sends two deposits, of
32 and 45 cents, or for account numbers that begin with 5 one whose text holds SM11AA; `POST …/setup_intents/{id}/
verify_microdeposits` {amounts or descriptor_code} verifies, ties the account to its customer and gives a mandate. 10 and 11, or
SM33CC, are one try too many. A debit is `processing` for `bank_days` (seconds), then it succeeds or fails. Stripe's own test
numbers, American and Canadian alike, any other number is good:

000111111113  closed (account_closed)               000111111116  unknown at its bank (no_account)
000222222227  without funds (insufficient_funds)    000333333335  not authorised (debit_not_authorized)
000666666661  its deposits cannot be sent           000555555559  debits succeed, and are disputed after `late_days`
000000000009  debits stay `processing` until their banks are told to answer
000888888881  one cent less than asked is debited   000888888882  debited in Canadian dollars instead of U.S. ones
000888888883  debited, and another payment's from then on

`pm_bank_<what>_<tag>` always exists, verified, of the customer `cus_demo_<tag>`: good, closed, insufficient, unauthorised, slow,
disputed, takenLess, takenInCanadian, takenForAnother, unanswered (good; a debit takes five times as long, and its first reply
never comes).
"""

import re
import time
from typing import Any

from simulators.cards.desk import Desk, Form, Problem, missing, nested, new_id, now, required
from simulators.cards.events import queue_event
from simulators.cards.known import fingerprint_of
from simulators.gateway.bank_accounts import is_routed

KINDS = ("us_bank_account", "acss_debit")
AMOUNTS, CODE = (32, 45), "SM11AA"
SLOW_TIMES = 5
_TOO_MANY: tuple[Any, ...] = ([10, 11], "SM33CC")
_BEHAVIOURS = {
    "000111111113": "closed",
    "000111111116": "unknown",
    "000222222227": "insufficient",
    "000333333335": "unauthorised",
    "000666666661": "undeposited",
    "000555555559": "disputed",
    "000000000009": "slow",
    "000888888881": "takenLess",
    "000888888882": "takenInCanadian",
    "000888888883": "takenForAnother",
}
_FAILS = {
    "closed": ("account_closed", "The customer's bank account has been closed."),
    "unknown": ("no_account", "The customer's bank account could not be located."),
    "insufficient": (
        "insufficient_funds",
        "The customer's account has insufficient funds to cover this payment.",
    ),
    "unauthorised": (
        "debit_not_authorized",
        "The customer has notified their bank that this payment was unauthorized.",
    ),
}
"""How a debit fails: code and words."""
_FAULTS = {
    "unanswered": "PAY-MUTE",
    "takenLess": "PAY-LESS",
    "takenInCanadian": "PAY-CAD",
    "takenForAnother": "PAY-OTHER",
}
_DEMO = re.compile(
    r"^pm_bank_(good|closed|insufficient|unauthorised|slow|disputed|unanswered|taken[A-Za-z]+)_([a-z0-9-]+)$"
)


def is_bank(stored: dict[str, Any]) -> bool:
    return stored["type"] in KINDS


def fault_of(stored: dict[str, Any]) -> str:
    """A word of `Faults`."""
    return _FAULTS.get(stored["_behaves"], "")


def known(id: str) -> dict[str, Any] | None:
    """One that always exists."""
    demo = _DEMO.match(id)
    if demo is None:
        return None
    made = _new(id, "us_bank_account", demo[1], {"last4": "6789", "bank_name": "STRIPE TEST BANK"})
    made["us_bank_account"]["fingerprint"] = fingerprint_of(id)
    return made | {
        "customer": f"cus_demo_{demo[2]}",
        "_verified": True,
        "_mandate": new_id("mandate"),
    }


def create_method(form: Form) -> dict[str, Any]:
    """From a number, which is forgotten at once. Raises Problem."""
    kind = required(form, "type")
    sent = nested(form, kind)
    if sent is None:
        raise Problem(400, f"Missing required param: {kind}.", code="parameter_missing", param=kind)
    billing = nested(form, "billing_details") or {}
    for name in ("name", "email") if kind == "acss_debit" else ("name",):
        if not billing.get(name):
            raise Problem(400, f"Missing required param: billing_details[{name}].", code="parameter_missing", param=f"billing_details[{name}]")  # fmt: skip
    number, routing = required(sent, "account_number"), _routing(kind, sent)
    if not re.fullmatch(r"[0-9]{4,17}", number):
        raise Problem(
            400,
            "The account number provided is invalid.",
            code="account_number_invalid",
            param=f"{kind}[account_number]",
        )
    shown = {
        "last4": number[-4:],
        "bank_name": "STRIPE TEST BANK",
        "fingerprint": fingerprint_of(f"{routing} {number}"),
        **{name: sent[name] for name in sent if name != "account_number"},
    }
    made = _new(new_id("pm"), kind, _BEHAVIOURS.get(number, "good"), shown)
    made["billing_details"] = billing
    return made | {"_by_code": number.startswith("5")}


def set_up(desk: Desk, stored: dict[str, Any], made: dict[str, Any], form: Form) -> None:
    """The deposits of a setup intent are sent. Raises Problem."""
    options = nested(nested(form, "payment_method_options") or {}, stored["type"]) or {}
    if options.get("verification_method") != "microdeposits":
        raise Problem(400, "This stand-in verifies by microdeposits only.", param="payment_method_options")  # fmt: skip
    if nested(form, "mandate_data") is None:
        raise Problem(400, "Missing required param: mandate_data.", code="parameter_missing", param="mandate_data")  # fmt: skip
    if made["customer"] is None:
        raise Problem(400, "Missing required param: customer.", code="parameter_missing", param="customer")  # fmt: skip
    made |= {
        "status": "requires_action",
        "next_action": {
            "type": "verify_with_microdeposits",
            "verify_with_microdeposits": {
                "arrival_date": now() + 86_400,
                "hosted_verification_url": f"{desk.own_url}/cards/microdeposits/{made['id']}",
                "microdeposit_type": "descriptor_code" if stored.get("_by_code") else "amounts",
            },
        },
    }
    queue_event(desk, "setup_intent.requires_action", made)
    if stored["_behaves"] == "undeposited":
        error = {
            "type": "invalid_request_error",
            "code": "payment_method_microdeposit_failed",
            "message": "Microdeposit transfers failed. Please check the account, institution and transit numbers provided.",
        }
        failed = made | {"status": "requires_payment_method", "last_setup_error": error, "next_action": None}  # fmt: skip
        queue_event(desk, "setup_intent.setup_failed", failed, after=desk.paying.knobs().bank_days)


def verify(desk: Desk, id: str, form: Form) -> dict[str, Any]:
    """Raises Problem."""
    setup = desk.paying.find("setup", id)
    if setup is None:
        raise missing("setupintent", id, "intent")
    if setup["status"] != "requires_action":
        raise Problem(400, f"This SetupIntent's status is {setup['status']}, so it cannot be verified.", code="setup_intent_unexpected_state")  # fmt: skip
    stored = desk.paying.find("method", setup["payment_method"]) or {}
    named: Any = form.get("descriptor_code") or sorted(
        int(one) for one in (nested(form, "amounts") or {}).values()
    )
    words = "payment_method_microdeposit_verification"
    if named in _TOO_MANY:
        raise Problem(400, "You have exceeded the number of allowed verification attempts.", code=f"{words}_attempts_exceeded", kept=True)  # fmt: skip
    if named != (CODE if stored.get("_by_code") else sorted(AMOUNTS)):
        what = "descriptor_code" if isinstance(named, str) else "amounts"
        raise Problem(400, "The microdeposits provided do not match those that were sent.", code=f"{words}_{what}_mismatch", kept=True)  # fmt: skip
    mandate = new_id("mandate")
    desk.paying.put(
        "method",
        stored | {"customer": setup["customer"], "_verified": True, "_mandate": mandate},
    )
    setup |= {"status": "succeeded", "next_action": None, "mandate": mandate}
    desk.paying.put("setup", setup)
    queue_event(desk, "setup_intent.succeeded", setup)
    return setup


def check_debit(stored: dict[str, Any], form: Form) -> None:
    """Raises Problem for an account that was not verified, and without its mandate."""
    if not stored["_verified"]:
        raise Problem(400, "This bank account has not been verified.", code="payment_method_bank_account_not_verified")  # fmt: skip
    if stored["type"] == "acss_debit" and "mandate" not in form:
        raise Problem(400, "Missing required param: mandate.", code="parameter_missing", param="mandate")  # fmt: skip
    if form.get("mandate") not in (None, stored["_mandate"]):
        raise missing("mandate", str(form["mandate"]), "mandate")


def due(desk: Desk, intent_id: str, stored: dict[str, Any]) -> tuple[float, bool]:
    """Has a debit answered by its bank: after so many seconds, and whether it is paid."""
    behaves = stored["_behaves"]
    days = desk.paying.knobs().bank_days * (SLOW_TIMES if behaves == "unanswered" else 1)
    ends = None if behaves == "slow" else time.time() + days
    desk.paying.put("debit", {"id": intent_id, "behaves": behaves, "due": ends})
    return days, behaves not in _FAILS


def answered(desk: Desk, intent_id: str) -> tuple[str, str] | str | None:
    """What the bank said of a debit that is due: why it failed, `paid` or `disputed`; None where there is nothing new."""
    debit = desk.paying.find("debit", intent_id)
    if debit is None or debit["due"] is None or debit["due"] > time.time():
        return None
    behaves = debit["behaves"]
    if behaves == "disputed":
        late = debit["due"] + desk.paying.knobs().late_days
        desk.paying.put("debit", debit | {"behaves": "dispute", "due": late})
        return "paid"
    desk.paying.put("debit", debit | {"due": None})
    if behaves == "dispute":
        return "disputed"
    return _FAILS.get(behaves, "paid")


def hurry(desk: Desk, intent_id: str) -> None:
    """Has the bank answer a debit that is on its way, now."""
    debit = desk.paying.find("debit", intent_id)
    if debit is not None:
        desk.paying.put("debit", debit | {"due": time.time()})


def waiting(desk: Desk) -> list[str]:
    """The intents whose debits are due."""
    return [
        one["id"]
        for one in desk.paying.all("debit")
        if one["due"] is not None and one["due"] <= time.time()
    ]


def _routing(kind: str, sent: Form) -> str:
    """Raises Problem."""
    if kind == "acss_debit":
        routing = required(sent, "institution_number") + required(sent, "transit_number")
        right = re.fullmatch(r"[0-9]{8}", routing) is not None
    else:
        routing = required(sent, "routing_number")
        right = is_routed(routing, "US")
    if not right:
        raise Problem(
            400,
            "The routing number provided is invalid.",
            code="routing_number_invalid",
            param=f"{kind}[routing_number]",
        )
    return routing


def _new(id: str, kind: str, behaves: str, shown: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": id,
        "object": "payment_method",
        "billing_details": {},
        kind: shown,
        "created": now(),
        "customer": None,
        "livemode": False,
        "metadata": {},
        "type": kind,
        "_behaves": behaves,
        "_verified": False,
        "_mandate": None,
        "_by_code": False,
    }
