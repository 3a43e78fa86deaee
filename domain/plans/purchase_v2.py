"""The walk of a purchase of plans, version 2: as version 1, within the limits that an owner set; above one of them it waits for
an owner (decision 64).

Both are asked in `charging`, before any device is held: whatever led there, an agreement, an approval or another way to pay.
`workflows/plans/purchase.py` walks it.
"""

# pyright: reportConstantRedefinition=false
# What is named here takes the place of what the version before has.

from collections.abc import Mapping

from domain.plans.purchase_v1 import *
from domain.plans.purchase_v1 import LABELS as LABELS_V1
from domain.plans.purchase_v1 import PURCHASE as PURCHASE_V1
from domain.plans.purchase_v1 import UNDER_WAY as UNDER_WAY_V1
from domain.plans.purchase_v1 import USER_EVENTS as USER_EVENTS_V1

APPROVAL_NEEDED, OVER_LIMIT, REQUOTED = "APPROVAL_NEEDED", "OVER_LIMIT", "REQUOTED"
APPROVE, REJECT, AGREE = "APPROVE", "REJECT", "AGREE"

OWNERS_EVENTS = (APPROVE, REJECT)
USER_EVENTS = (*USER_EVENTS_V1, AGREE, *OWNERS_EVENTS)

PURCHASE: Mapping[str, Mapping[str, str]] = {
    "quoting": PURCHASE_V1["quoting"],
    "quoted": PURCHASE_V1["quoted"],
    "charging": {
        **PURCHASE_V1["charging"],
        OVER_LIMIT: "quoted",
        APPROVAL_NEEDED: "waiting_for_approval",
        REQUOTED: "requoted",
    },
    "waiting_for_approval": {
        APPROVE: "charging",
        REJECT: "rejected",
        CANCEL: "cancelled",
        EXPIRED: "expired",
    },
    "requoted": {AGREE: "charging", CANCEL: "cancelled", EXPIRED: "expired"},
    **{
        state: PURCHASE_V1[state]
        for state in (
            "action_required",
            "declined",
            "needs_attention",
            "provisioning",
            "part_failed",
            "refunding",
        )
    },
    "confirmed": {},
    "expired": {},
    "cancelled": {},
    "rejected": {},
}

WAITING = ("waiting_for_approval", "requoted")
"""An owner, or the buyer before them, has the next word."""

UNDER_WAY = (*WAITING, *UNDER_WAY_V1)

NOT_COUNTED = ("quoting", "quoted", "expired", "cancelled", "rejected")
"""States in which a purchase counts in nobody's limit: nothing is agreed to, or nothing came of it."""

LABELS = {
    **LABELS_V1,
    "waiting_for_approval": "Waiting for an approval",
    "requoted": "Waiting for a yes to new prices",
    "rejected": "Rejected",
}
