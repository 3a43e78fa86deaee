"""The transitions of a case, version 1: state → event → state (`workflows/operations/case.py` takes them; decision 51)."""

from collections.abc import Mapping

SOLVED, LATER, STUCK, AGAIN = "SOLVED", "LATER", "STUCK", "AGAIN"
RETRY, ASSIGN, NOTE, RESOLVE = "RETRY", "ASSIGN", "NOTE", "RESOLVE"

USER_EVENTS = (RETRY, ASSIGN, NOTE, RESOLVE)

CASE: Mapping[str, Mapping[str, str]] = {
    "working": {SOLVED: "solved", LATER: "waiting", STUCK: "needs_attention"},
    "waiting": {
        AGAIN: "working",
        RETRY: "working",
        ASSIGN: "waiting",
        NOTE: "waiting",
        RESOLVE: "resolved",
    },
    "needs_attention": {
        RETRY: "working",
        ASSIGN: "needs_attention",
        NOTE: "needs_attention",
        RESOLVE: "resolved",
    },
    "solved": {},
    "resolved": {},
}

LABELS = {
    "working": "Giving the money back",
    "waiting": "Waiting for the next try",
    "needs_attention": "Needs attention",
    "solved": "Solved by itself",
    "resolved": "Resolved by hand",
}
