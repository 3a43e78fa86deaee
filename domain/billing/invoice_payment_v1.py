"""The transitions of a payment of invoices, version 1: state → event → state (`workflows/billing/invoice_payment.py` takes them).

Its invoices and memos are held from the submit to the end. Money is taken once, then each invoice is posted at the ERP;
what the ERP refuses is paid back. After a decline it begins again at `checking`, under the figures of the submit.
"""

from collections.abc import Mapping

CHECKED, COVERED, REFUSED = "CHECKED", "COVERED", "REFUSED"
PAID, UNDER_WAY, DECLINED = "PAID", "UNDER_WAY", "DECLINED"
ACTION, UNCLEAR, EXPIRED, RETURNED = "ACTION", "UNCLEAR", "EXPIRED", "RETURNED"
POSTED, PART_REFUSED, ERP_AWAY, AGAIN = "POSTED", "PART_REFUSED", "ERP_AWAY", "AGAIN"
REFUNDED, NOTHING_LEFT = "REFUNDED", "NOTHING_LEFT"
PAY, CANCEL = "PAY", "CANCEL"

USER_EVENTS = (PAY, CANCEL)

INVOICE_PAYMENT: Mapping[str, Mapping[str, str]] = {
    "checking": {CHECKED: "charging", COVERED: "posting", REFUSED: "cancelled"},
    "charging": {
        PAID: "posting",
        UNDER_WAY: "processing",
        ACTION: "action_required",
        DECLINED: "declined",
        UNCLEAR: "needs_attention",
    },
    "action_required": {
        PAID: "posting",
        DECLINED: "declined",
        CANCEL: "cancelled",
        EXPIRED: "declined",
    },
    "declined": {PAY: "checking", CANCEL: "cancelled", EXPIRED: "expired"},
    "needs_attention": {PAID: "posting", UNDER_WAY: "processing", DECLINED: "declined"},
    "processing": {PAID: "posting", RETURNED: "returned"},
    "posting": {POSTED: "confirmed", PART_REFUSED: "refunding", ERP_AWAY: "posting_late"},
    "posting_late": {AGAIN: "posting"},
    "refunding": {REFUNDED: "confirmed", NOTHING_LEFT: "refused"},
    "confirmed": {},
    "refused": {},
    "returned": {},
    "expired": {},
    "cancelled": {},
}

LABELS = {
    "checking": "Checking the invoices",
    "charging": "Charging",
    "action_required": "To be confirmed at the bank",
    "declined": "Declined",
    "needs_attention": "Needs attention",
    "processing": "Waiting for the bank",
    "posting": "Posting the invoices",
    "posting_late": "Waiting for the ERP",
    "refunding": "Paying back",
    "confirmed": "Paid",
    "refused": "Refused and paid back",
    "returned": "Returned by the bank",
    "expired": "Expired",
    "cancelled": "Cancelled",
}
