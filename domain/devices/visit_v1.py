"""The transitions of a service visit, version 1: state → event → state (`workflows/visit.py` takes them; decision 40)."""

from collections.abc import Mapping

PERMIT, REFUSE, END, LAPSE = "PERMIT", "REFUSE", "END", "LAPSE"

USER_EVENTS = (PERMIT, REFUSE, END)

VISIT: Mapping[str, Mapping[str, str]] = {
    "waiting": {PERMIT: "permitted", REFUSE: "refused", LAPSE: "lapsed", END: "ended"},
    "permitted": {END: "ended"},
    "refused": {},
    "lapsed": {},
    "ended": {},
}

LABELS = {
    "waiting": "Waiting for the owner",
    "permitted": "Permitted",
    "refused": "Refused",
    "lapsed": "Not answered in time",
    "ended": "Ended",
}
