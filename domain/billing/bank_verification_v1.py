"""The transitions of a bank account's verification, version 1: state → event → state
(`workflows/billing/bank_verification.py` takes them).

Two deposits of a few cents are sent; whoever sees them in the bank's statement says how much they were. A bank may send
them back days later, also after the account was verified, so a verified account is watched for a while.
"""

from collections.abc import Mapping

from domain.billing.payment_methods import MethodStatus

OPENED, TAKEN, SENT, REFUSED = "OPENED", "TAKEN", "SENT", "REFUSED"
AGAIN, CONFIRMED, LOCKED = "AGAIN", "CONFIRMED", "LOCKED"
RETURNED, EXPIRED, SETTLED = "RETURNED", "EXPIRED", "SETTLED"
VERIFY, REMOVE = "VERIFY", "REMOVE"

USER_EVENTS = (VERIFY, REMOVE)

BANK_VERIFICATION: Mapping[str, Mapping[str, str]] = {
    "opening": {OPENED: "sending", TAKEN: "refused"},
    "sending": {SENT: "waiting", REFUSED: "failed", EXPIRED: "expired", REMOVE: "removed"},
    "waiting": {VERIFY: "checking", RETURNED: "returned", EXPIRED: "expired", REMOVE: "removed"},
    "checking": {CONFIRMED: "verified", AGAIN: "waiting", LOCKED: "failed"},
    "verified": {RETURNED: "returned", SETTLED: "settled", REMOVE: "removed"},
    "settled": {},
    "failed": {},
    "expired": {},
    "returned": {},
    "removed": {},
    "refused": {},
}

LABELS = {
    "opening": "Starting",
    "sending": "Sending two deposits",
    "waiting": "Waiting for the amounts",
    "checking": "Comparing the amounts",
    "verified": "Verified",
    "settled": "Verified",
    "failed": "Not verified",
    "expired": "Not verified in time",
    "returned": "Returned by the bank",
    "removed": "Removed",
    "refused": "Not added",
}

STATUS: Mapping[str, MethodStatus] = {
    "opening": "pending",
    "sending": "pending",
    "waiting": "pending",
    "checking": "pending",
    "verified": "ready",
    "settled": "ready",
    "failed": "failed",
    "expired": "failed",
    "returned": "returned",
}
"""What a state means for paying with the account; one that was removed has no status left."""

WITHOUT_RUN: Mapping[str, str] = {
    "opening": "expired",
    "sending": "expired",
    "waiting": "expired",
    "checking": "expired",
    "verified": "settled",
}
"""Where one ends whose run is gone. A verified account stays ready, and is watched without a run for as long as with one."""
