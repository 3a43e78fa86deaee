"""The transitions of a placement, version 1: state → event → state (shop spec 4.7). `workflows/checkout/placement.py` takes them.

The way on is checked, reserved, authorised, recorded, handed over, captured. After each wait for a person it begins again at
`checking`, as rights, partner and stock may have changed meanwhile. Every way out before the ERP has accepted the order goes
through `compensating`.
"""

from collections.abc import Mapping

CHECKED, REFUSED, RESERVED, OVER_LIMIT = "CHECKED", "REFUSED", "RESERVED", "OVER_LIMIT"
AUTHORISED, DECLINED, ACTION_REQUIRED = "AUTHORISED", "DECLINED", "ACTION_REQUIRED"
PROVEN, IDLE, EXPIRED, UNCLEAR = "PROVEN", "IDLE", "EXPIRED", "UNCLEAR"
RECORDED, ACCEPTED, CAPTURED = "RECORDED", "ACCEPTED", "CAPTURED"
UNDONE, WITHDRAWN, LAPSED = "UNDONE", "WITHDRAWN", "LAPSED"
CHOOSE_PAYMENT, CANCEL = "CHOOSE_PAYMENT", "CANCEL"
RETRY_PAYMENT, RETRY_HAND_OVER = "RETRY_PAYMENT", "RETRY_HAND_OVER"
RETRY_CAPTURE, RETRY_UNDOING = "RETRY_CAPTURE", "RETRY_UNDOING"
SETTLE_CONFIRMED, SETTLE_UNDONE = "SETTLE_CONFIRMED", "SETTLE_UNDONE"

BUYERS_EVENTS = (CHOOSE_PAYMENT, CANCEL)
OPERATORS_EVENTS = (
    RETRY_PAYMENT,
    RETRY_HAND_OVER,
    RETRY_CAPTURE,
    RETRY_UNDOING,
    SETTLE_CONFIRMED,
    SETTLE_UNDONE,
)
USER_EVENTS = (*BUYERS_EVENTS, *OPERATORS_EVENTS)

PLACEMENT: Mapping[str, Mapping[str, str]] = {
    "checking": {CHECKED: "reserving", REFUSED: "compensating"},
    "reserving": {RESERVED: "authorising", OVER_LIMIT: "payment_failed", REFUSED: "compensating"},
    "authorising": {
        AUTHORISED: "recording",
        ACTION_REQUIRED: "action_required",
        DECLINED: "payment_failed",
        UNCLEAR: "needs_attention",
        CHOOSE_PAYMENT: "checking",
        CANCEL: "compensating",
    },
    "action_required": {
        PROVEN: "checking",
        DECLINED: "payment_failed",
        IDLE: "payment_failed",
        CHOOSE_PAYMENT: "checking",
        CANCEL: "compensating",
    },
    "payment_failed": {
        CHOOSE_PAYMENT: "checking",
        EXPIRED: "compensating",
        CANCEL: "compensating",
    },
    "recording": {RECORDED: "handing_over"},
    "handing_over": {
        ACCEPTED: "capturing",
        REFUSED: "compensating",
        UNCLEAR: "needs_attention",
        RETRY_HAND_OVER: "handing_over",
        CANCEL: "compensating",
    },
    "capturing": {CAPTURED: "confirmed", UNCLEAR: "needs_attention"},
    "compensating": {
        UNDONE: "compensated",
        WITHDRAWN: "cancelled",
        LAPSED: "expired",
        UNCLEAR: "needs_attention",
    },
    "needs_attention": {
        RETRY_PAYMENT: "authorising",
        RETRY_HAND_OVER: "handing_over",
        RETRY_CAPTURE: "capturing",
        RETRY_UNDOING: "compensating",
        SETTLE_CONFIRMED: "confirmed",
        SETTLE_UNDONE: "compensated",
        CHOOSE_PAYMENT: "checking",
        CANCEL: "compensating",
    },
    "confirmed": {},
    "expired": {},
    "cancelled": {},
    "compensated": {},
}

LABELS = {
    "checking": "Checking the order",
    "reserving": "Reserving stock",
    "authorising": "Asking for the payment",
    "action_required": "Waiting for your bank's confirmation",
    "payment_failed": "Waiting for another payment method",
    "recording": "Storing the order",
    "handing_over": "Handing the order over",
    "capturing": "Taking the payment",
    "confirmed": "Confirmed",
    "expired": "Not paid in time",
    "cancelled": "Cancelled",
    "compensating": "Taking everything back",
    "compensated": "Not placed",
    "needs_attention": "Needs our attention",
}

STUCK: Mapping[str, tuple[str, ...]] = {
    "authorising": (RETRY_PAYMENT, CHOOSE_PAYMENT, CANCEL),
    "handing_over": (RETRY_HAND_OVER, CANCEL),
    "capturing": (RETRY_CAPTURE, SETTLE_CONFIRMED),
    "compensating": (RETRY_UNDOING, SETTLE_UNDONE),
}
"""What can be done about a run that needs attention, by the state in which it could not go on."""

AT_REST = frozenset({"action_required", "payment_failed", "needs_attention"})
"""States in which the run waits for somebody."""
