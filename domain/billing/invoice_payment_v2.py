"""The transitions of a payment of invoices, version 2: as version 1, and nobody waits for a provider that is away (decision 56):
while money is asked for, or nobody knows what became of it, the payer may pay in another way or cancel.
`workflows/billing/invoice_payment.py` takes them.
"""

from collections.abc import Mapping

from domain.billing.invoice_payment_v1 import (
    ACTION,
    AGAIN,
    CANCEL,
    CHECKED,
    COVERED,
    DECLINED,
    ERP_AWAY,
    EXPIRED,
    LABELS,
    NOTHING_LEFT,
    PAID,
    PART_REFUSED,
    PAY,
    POSTED,
    REFUNDED,
    REFUSED,
    RETURNED,
    UNCLEAR,
    UNDER_WAY,
    USER_EVENTS,
)
from domain.billing.invoice_payment_v1 import INVOICE_PAYMENT as INVOICE_PAYMENT_V1

__all__ = [
    "ACTION",
    "AGAIN",
    "CANCEL",
    "CHECKED",
    "COVERED",
    "DECLINED",
    "ERP_AWAY",
    "EXPIRED",
    "INVOICE_PAYMENT",
    "LABELS",
    "NOTHING_LEFT",
    "PAID",
    "PART_REFUSED",
    "PAY",
    "POSTED",
    "REFUNDED",
    "REFUSED",
    "RETURNED",
    "UNCLEAR",
    "UNDER_WAY",
    "USER_EVENTS",
]

_OTHERWISE = {PAY: "checking", CANCEL: "cancelled"}

INVOICE_PAYMENT: Mapping[str, Mapping[str, str]] = {
    **INVOICE_PAYMENT_V1,
    "charging": {**INVOICE_PAYMENT_V1["charging"], **_OTHERWISE},
    "needs_attention": {**INVOICE_PAYMENT_V1["needs_attention"], **_OTHERWISE},
}
