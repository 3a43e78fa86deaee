"""The transitions of an invitation, version 1: state → event → state (shell spec 3 and 7; `workflows/invitation.py` takes them).

Somebody who has an account joins when they accept. Somebody who has none, or never completed it, chooses a password
first (`registering`), and joins with that. The link works from the moment it was made, so an answer may come while the
mail's delivery is still being confirmed.
"""

from collections.abc import Mapping

OPENED, TAKEN, SENT, UNDELIVERABLE = "OPENED", "TAKEN", "SENT", "UNDELIVERABLE"
JOINED, REGISTERS, REFUSED, REGISTERED = "JOINED", "REGISTERS", "REFUSED", "REGISTERED"
REMIND, EXPIRED = "REMIND", "EXPIRED"
ACCEPT, DECLINE, WITHDRAW = "ACCEPT", "DECLINE", "WITHDRAW"

USER_EVENTS = (ACCEPT, DECLINE, WITHDRAW)

INVITATION: Mapping[str, Mapping[str, str]] = {
    "opening": {OPENED: "sending", TAKEN: "refused"},
    "sending": {
        SENT: "waiting",
        UNDELIVERABLE: "undeliverable",
        EXPIRED: "expired",
        ACCEPT: "accepting",
        DECLINE: "declined",
        WITHDRAW: "withdrawn",
    },
    "waiting": {
        REMIND: "waiting",
        EXPIRED: "expired",
        ACCEPT: "accepting",
        DECLINE: "declined",
        WITHDRAW: "withdrawn",
    },
    "accepting": {JOINED: "accepted", REGISTERS: "registering", REFUSED: "waiting"},
    "registering": {
        REGISTERED: "registered",
        REMIND: "registering",
        EXPIRED: "expired",
        WITHDRAW: "withdrawn",
    },
    "accepted": {},
    "registered": {},
    "declined": {},
    "withdrawn": {},
    "expired": {},
    "undeliverable": {},
    "refused": {},
}

LABELS = {
    "opening": "Starting",
    "sending": "Sending",
    "waiting": "Invited",
    "accepting": "Accepting",
    "registering": "Setting up an account",
    "accepted": "Accepted",
    "registered": "Joined",
    "declined": "Declined",
    "withdrawn": "Withdrawn",
    "expired": "Expired",
    "undeliverable": "Not delivered",
    "refused": "Not sent",
}
