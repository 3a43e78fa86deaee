"""The transitions of a placement, version 2: as version 1, and an order above a purchaser's limit waits for an owner (decision 61).

It waits after `checking`. The approval itself holds stock and credit, so that it leads to `authorising`; what was approved
once passes `checking` by. `workflows/checkout/placement.py` takes them.
"""

# pyright: reportConstantRedefinition=false
# What is named here takes the place of what the version before has.

from collections.abc import Mapping

from domain.checkout.placements.placement_v1 import *
from domain.checkout.placements.placement_v1 import AT_REST as AT_REST_V1
from domain.checkout.placements.placement_v1 import LABELS as LABELS_V1
from domain.checkout.placements.placement_v1 import PLACEMENT as PLACEMENT_V1

APPROVAL_NEEDED, CHANGED, REJECTED = "APPROVAL_NEEDED", "CHANGED", "REJECTED"
APPROVE, REJECT, AGREE = "APPROVE", "REJECT", "AGREE"

BUYERS_EVENTS = (CHOOSE_PAYMENT, CANCEL, AGREE)
OWNERS_EVENTS = (APPROVE, REJECT)
USER_EVENTS = (*BUYERS_EVENTS, *OWNERS_EVENTS, *OPERATORS_EVENTS)

PLACEMENT: Mapping[str, Mapping[str, str]] = {
    "checking": {**PLACEMENT_V1["checking"], APPROVAL_NEEDED: "waiting_for_approval"},
    "waiting_for_approval": {
        APPROVE: "authorising",
        CHANGED: "requoted",
        REJECT: "compensating",
        EXPIRED: "compensating",
        REFUSED: "compensating",
        CANCEL: "compensating",
    },
    "requoted": {
        AGREE: "waiting_for_approval",
        EXPIRED: "compensating",
        CANCEL: "compensating",
    },
    **{
        state: PLACEMENT_V1[state]
        for state in (
            "reserving",
            "authorising",
            "action_required",
            "payment_failed",
            "recording",
            "handing_over",
            "capturing",
        )
    },
    "compensating": {**PLACEMENT_V1["compensating"], REJECTED: "rejected"},
    "needs_attention": PLACEMENT_V1["needs_attention"],
    "confirmed": {},
    "expired": {},
    "cancelled": {},
    "rejected": {},
    "compensated": {},
}

LABELS = {
    **LABELS_V1,
    "waiting_for_approval": "Waiting for an approval",
    "requoted": "Waiting for a yes to new prices",
    "rejected": "Rejected",
    "expired": "Out of time",
}

AT_REST = AT_REST_V1 | {"waiting_for_approval", "requoted"}


def allowed(
    state: str,
    stuck_in: str | None = None,
    transitions: Mapping[str, Mapping[str, str]] = PLACEMENT,
) -> tuple[str, ...]:
    """What a person may ask now. `stuck_in` is where a run that needs attention could not go on."""
    here = STUCK.get(stuck_in or "", ()) if state == "needs_attention" else transitions[state]
    return tuple(event for event in USER_EVENTS if event in here)
