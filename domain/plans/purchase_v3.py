"""The walk of a purchase of plans, version 3: as version 2, and what may still succeed is tried again by itself until it does, or
until its buyer gives it up (decision 32): nothing is paid back without their yes. `workflows/plans/purchase.py` walks it.
"""

from collections.abc import Mapping

from domain.plans.purchase_v2 import (
    ACTION,
    AGREE,
    APPROVAL_NEEDED,
    APPROVE,
    CANCEL,
    CHANGED,
    CONFIRM,
    DECLINED,
    EXPIRED,
    GIVE_UP,
    LABELS,
    NOT_COUNTED,
    NOTHING_LEFT,
    OVER_LIMIT,
    OWNERS_EVENTS,
    PAID,
    PART_FAILED,
    PAY,
    PROVISIONED,
    QUOTED,
    REFUNDED,
    REJECT,
    REQUOTE,
    REQUOTED,
    RETRY,
    UNCLEAR,
    UNDER_WAY,
    USER_EVENTS,
    WAITING,
)
from domain.plans.purchase_v2 import PURCHASE as PURCHASE_V2

__all__ = [
    "ACTION",
    "AGAIN",
    "AGREE",
    "APPROVAL_NEEDED",
    "APPROVE",
    "CANCEL",
    "CHANGED",
    "CONFIRM",
    "DECLINED",
    "EXPIRED",
    "GIVE_UP",
    "LABELS",
    "NOTHING_LEFT",
    "NOT_COUNTED",
    "OVER_LIMIT",
    "OWNERS_EVENTS",
    "PAID",
    "PART_FAILED",
    "PAY",
    "PROVISIONED",
    "PURCHASE",
    "QUOTED",
    "REFUNDED",
    "REJECT",
    "REQUOTE",
    "REQUOTED",
    "RETRY",
    "UNCLEAR",
    "UNDER_WAY",
    "USER_EVENTS",
    "WAITING",
]

AGAIN = "AGAIN"

PURCHASE: Mapping[str, Mapping[str, str]] = {
    **PURCHASE_V2,
    "part_failed": {RETRY: "provisioning", AGAIN: "provisioning", GIVE_UP: "refunding"},
}
