"""Receipts of plan purchases (shop spec 3 and 7): what was paid for what, and what was paid back."""

from domain.base import Frozen, Utc
from domain.billing.taxes import Tax
from domain.checkout.draft import PostalAddress
from domain.errors import NotFound
from domain.money import Money
from domain.plans.purchases import FINAL, LineStatus


class ReceiptLine(Frozen):
    """`status` is that of the device in its purchase, as it was when the receipt was written last."""

    device_key: str
    product_name: str
    plan_id: str
    plan_name: str
    base_amount: Money
    discount: Money
    credit: Money
    tax: Money
    total: Money
    ends_at: Utc | None
    status: LineStatus
    detail: str | None

    @property
    def is_final(self) -> bool:
        """Whether its purchase wants nothing more of the device."""
        return self.status in FINAL


class Receipt(Frozen):
    """`uuid` is the purchase's. One that has not `succeeded` says in `detail` why nothing was charged. `completed_at` is
    None while devices are still tried."""

    uuid: str
    partner_code: str | None
    dealer_id: str | None
    owner_id: str | None
    subscriber_id: str | None
    bought_by: str
    acting_for: str | None
    succeeded: bool
    detail: str | None = None
    transaction_id: str | None
    payment_shown: str
    currency: str
    base_amount: Money
    currency_discount: Money
    base_tax: Money
    gst_hst: Money
    final_charge: Money
    refunded: Money
    lines: tuple[ReceiptLine, ...]
    taxes: tuple[Tax, ...]
    address: PostalAddress
    created_at: Utc
    completed_at: Utc | None = None


class ReceiptCounts(Frozen):
    """How many receipts tell of a charge, and how many of one that was declined."""

    charged: int
    declined: int


class ReceiptMissing(NotFound):
    code = "receipt_missing"
