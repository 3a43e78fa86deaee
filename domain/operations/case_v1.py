"""The transitions of a case, version 1: state → event → state (`workflows/operations/case.py` takes them; decision 51)."""

from collections.abc import Mapping

SOLVED, LATER, STUCK, AGAIN = "SOLVED", "LATER", "STUCK", "AGAIN"
OWED, PAID, DECLINED, LAPSED, SUSPENDED = "OWED", "PAID", "DECLINED", "LAPSED", "SUSPENDED"
RETRY, ASSIGN, NOTE, RESOLVE, PAY = "RETRY", "ASSIGN", "NOTE", "RESOLVE", "PAY"

USER_EVENTS = (RETRY, ASSIGN, NOTE, RESOLVE, PAY)

CASE: Mapping[str, Mapping[str, str]] = {
    "working": {SOLVED: "solved", LATER: "waiting", STUCK: "needs_attention", OWED: "owed"},
    "waiting": {
        AGAIN: "working",
        RETRY: "working",
        ASSIGN: "waiting",
        NOTE: "waiting",
        RESOLVE: "resolved",
    },
    "needs_attention": {
        AGAIN: "working",
        RETRY: "working",
        ASSIGN: "needs_attention",
        NOTE: "needs_attention",
        RESOLVE: "resolved",
    },
    "owed": {
        PAY: "charging",
        LAPSED: "suspending",
        ASSIGN: "owed",
        NOTE: "owed",
        RESOLVE: "restoring",
    },
    "charging": {PAID: "restoring", DECLINED: "owed"},
    "suspending": {SUSPENDED: "suspended"},
    "suspended": {
        PAY: "charging",
        ASSIGN: "suspended",
        NOTE: "suspended",
        RESOLVE: "restoring",
    },
    "restoring": {SOLVED: "solved"},
    "solved": {},
    "resolved": {},
}

LABELS = {
    "working": "Being worked on",
    "waiting": "Waiting for the next try",
    "needs_attention": "Needs attention",
    "owed": "Waiting for the buyer to pay",
    "charging": "Charging",
    "suspending": "Suspending what was not paid",
    "suspended": "Suspended until it is paid",
    "restoring": "Restoring what was held",
    "solved": "Solved",
    "resolved": "Resolved by hand",
}
