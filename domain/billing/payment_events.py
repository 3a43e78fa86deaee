"""What payment providers tell by their webhooks: hints. Where a payment stands is asked of the provider itself."""

from domain.base import Frozen
from domain.billing.payments import PaymentStatus
from domain.money import Money


class PaymentEvent(Frozen):
    """`id` is the provider's, so that a repeated event is one. `payment_id` is ours, from the payment's metadata; None where
    the event concerns no payment of ours. `reason` is the bank's text. `method_id` is that of a bank account whose deposits
    came back; `dispute_id`, `refund_id`, `account_id` and `transfer_id` are the provider's own names of a chargeback, of what was
    given back, of a dealer's account and of a payout to it."""

    id: str
    type: str
    payment_id: str | None = None
    method_id: str | None = None
    dispute_id: str | None = None
    refund_id: str | None = None
    account_id: str | None = None
    transfer_id: str | None = None
    status: PaymentStatus | None = None
    reason: str | None = None

    @property
    def subject(self) -> str:
        """What it is about, so that all that is told of one thing is handed on together."""
        names = (
            self.payment_id,
            self.method_id,
            self.dispute_id,
            self.refund_id,
            self.account_id,
            self.transfer_id,
        )
        return next(filter(None, names), self.id)


class ProviderRefund(Frozen):
    """What a provider says of money that it gave back: `id` is its name of that, `provider_id` of the payment, `key` ours where we
    have asked for it. One that `has_failed` is ours again: the bank did not take it, and `reason` says why."""

    id: str
    provider_id: str
    key: str | None = None
    amount: Money
    has_failed: bool = False
    reason: str = ""


CARD_EVENTS = {
    "payment_intent.requires_action": PaymentStatus.ACTION_REQUIRED,
    "payment_intent.amount_capturable_updated": PaymentStatus.AUTHORISED,
    "payment_intent.processing": PaymentStatus.PROCESSING,
    "payment_intent.succeeded": PaymentStatus.CAPTURED,
    "payment_intent.payment_failed": PaymentStatus.DECLINED,
    "payment_intent.canceled": PaymentStatus.VOIDED,
    "charge.refunded": PaymentStatus.REFUNDED,
}
"""Events of the card provider that may move a payment, and to where."""

BANK_EVENTS = {
    "transaction.authorised": PaymentStatus.AUTHORISED,
    "transaction.captured": PaymentStatus.PROCESSING,
    "transaction.settled": PaymentStatus.CAPTURED,
    "transaction.declined": PaymentStatus.DECLINED,
    "transaction.voided": PaymentStatus.VOIDED,
    "transaction.returned": PaymentStatus.RETURNED,
    "transaction.refunded": PaymentStatus.REFUNDED,
}
"""Those of the ACH/COD gateway."""

DEPOSITS_RETURNED = frozenset({"deposit.returned", "setup_intent.setup_failed"})
"""The bank sent the small deposits back; so the gateway tells it, and the card provider."""

DISPUTES = "charge.dispute."
"""Whatever is told of a chargeback begins so."""

REFUND_FAILED = "refund.failed"
"""A bank did not take what was given back."""

ACCOUNT_UPDATED = "account.updated"
TRANSFER_REVERSED = "transfer.reversed"
"""What concerns payouts to dealers."""
