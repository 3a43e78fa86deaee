"""The transitions of a purchase of plans, version 1: state → event → state (workflows 1.7;
`workflows/plans/purchase.py` takes them).

Money is taken once, after the figures were worked out again and are those that were agreed to. Devices that are refused
for good are paid back at once; others that fail are tried alone, and paid back when they are given up.
"""

from collections.abc import Mapping

QUOTED, CHANGED, EXPIRED = "QUOTED", "CHANGED", "EXPIRED"
PAID, DECLINED, ACTION, UNCLEAR = "PAID", "DECLINED", "ACTION", "UNCLEAR"
PROVISIONED, PART_FAILED = "PROVISIONED", "PART_FAILED"
REFUNDED, NOTHING_LEFT = "REFUNDED", "NOTHING_LEFT"
REQUOTE, CONFIRM, PAY, RETRY = "REQUOTE", "CONFIRM", "PAY", "RETRY"
GIVE_UP, CANCEL = "GIVE_UP", "CANCEL"

USER_EVENTS = (REQUOTE, CONFIRM, PAY, RETRY, GIVE_UP, CANCEL)

PURCHASE: Mapping[str, Mapping[str, str]] = {
    "quoting": {QUOTED: "quoted"},
    "quoted": {
        REQUOTE: "quoting",
        CONFIRM: "charging",
        CANCEL: "cancelled",
        EXPIRED: "expired",
    },
    "charging": {
        PAID: "provisioning",
        ACTION: "action_required",
        DECLINED: "declined",
        CHANGED: "quoted",
        UNCLEAR: "needs_attention",
        PAY: "charging",
        CANCEL: "cancelled",
    },
    "action_required": {
        PAID: "provisioning",
        DECLINED: "declined",
        CANCEL: "cancelled",
        EXPIRED: "declined",
    },
    "declined": {
        PAY: "charging",
        REQUOTE: "quoting",
        CANCEL: "cancelled",
        EXPIRED: "expired",
    },
    "needs_attention": {
        PAID: "provisioning",
        DECLINED: "declined",
        PAY: "charging",
        CANCEL: "cancelled",
    },
    "provisioning": {
        PROVISIONED: "confirmed",
        PART_FAILED: "part_failed",
        NOTHING_LEFT: "cancelled",
    },
    "part_failed": {RETRY: "provisioning", GIVE_UP: "refunding", EXPIRED: "refunding"},
    "refunding": {REFUNDED: "confirmed", NOTHING_LEFT: "cancelled"},
    "confirmed": {},
    "expired": {},
    "cancelled": {},
}

UNDER_WAY = (
    "charging",
    "action_required",
    "declined",
    "needs_attention",
    "provisioning",
    "part_failed",
    "refunding",
)
"""From the agreement to the end: what a buyer has to find again."""

LABELS = {
    "quoting": "Working out the price",
    "quoted": "Price worked out",
    "charging": "Charging",
    "action_required": "To be confirmed at the bank",
    "declined": "Declined",
    "needs_attention": "Needs attention",
    "provisioning": "Setting up the plans",
    "part_failed": "Some devices failed",
    "refunding": "Paying back",
    "confirmed": "Complete",
    "expired": "Expired",
    "cancelled": "Cancelled",
}
