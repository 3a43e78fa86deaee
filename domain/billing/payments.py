"""Money that is asked for: what is requested, what became of it, and the rules of its states (shop spec 4.7; rulings "Calls").

A payment is one attempt with one way to pay. Its id follows from its key, so that whoever knows the key can ask what became
of it. What providers say reaches a payment as answers that may come twice and in any order.
"""

import hashlib
from decimal import Decimal
from enum import StrEnum

from pydantic import Field

from domain.base import Frozen, Utc
from domain.errors import Conflict, NotFound
from domain.letters.text import Text
from domain.money import Money

NOTHING = Decimal("0.00")
MOST_ATTEMPTS = 40
"""Ways to pay that one run tries; its history has room for no end of them."""


class PaymentType(StrEnum):
    """Cards go through the card gateway, all others through the ACH/COD gateway (shop spec 4.7); orders on COD and TERMS are
    promised (decision 80)."""

    CARD = "CARD"
    BANK_ACCOUNT = "BANK_ACCOUNT"
    COD = "COD"
    TERMS = "TERMS"


PROMISES = frozenset({PaymentType.COD, PaymentType.TERMS})
"""Nobody is asked for money: what is owed is the ERP's to bill."""


class Provider(StrEnum):
    """Who moves the money: cards, and bank accounts that were added there, are the card provider's (decision 84)."""

    CARDS = "cards"
    GATEWAY = "gateway"


def is_at_card_provider(token: str) -> bool:
    """By a provider's own name of a saved method: the card provider's begin so."""
    return token.startswith("pm_")


def provider_of(kind: PaymentType, token: str | None) -> Provider:
    """Who moves the money of a method that is called so."""
    is_theirs = kind is PaymentType.CARD or is_at_card_provider(token or "")
    return Provider.CARDS if is_theirs else Provider.GATEWAY


class PayingFlow(StrEnum):
    """The kinds of runs that pay."""

    PLACEMENT = "placement"
    PURCHASE = "purchase"
    INVOICE_PAYMENT = "invoice_payment"


class PaymentStatus(StrEnum):
    """AUTHORISED: held, or promised, and not yet taken. PROCESSING: a bank's debit is on its way; what was paid for may go
    on, and the bank may still return it. UNKNOWN: asked for, and nobody has told yet what became of it."""

    UNKNOWN = "UNKNOWN"
    ACTION_REQUIRED = "ACTION_REQUIRED"
    AUTHORISED = "AUTHORISED"
    PROCESSING = "PROCESSING"
    CAPTURED = "CAPTURED"
    DECLINED = "DECLINED"
    VOIDED = "VOIDED"
    REFUNDED = "REFUNDED"
    RETURNED = "RETURNED"


GOOD = frozenset({PaymentStatus.AUTHORISED, PaymentStatus.PROCESSING, PaymentStatus.CAPTURED})
"""Money is held, on its way, or there."""

ENDED = frozenset(
    {
        PaymentStatus.DECLINED,
        PaymentStatus.VOIDED,
        PaymentStatus.REFUNDED,
        PaymentStatus.RETURNED,
    }
)
"""Nothing more will come of it."""


class PayBy(Frozen):
    """`method_id` is our id of a saved card or bank account of the business."""

    type: PaymentType
    method_id: str


class ChargeView(Frozen):
    """A payment as its run shows it."""

    type: PaymentType
    method_id: str
    shown: str = ""
    status: PaymentStatus
    attempt: int
    detail: str | None = None
    action_url: str | None = None

    @classmethod
    def asked(cls, request: "PaymentRequest") -> "ChargeView":
        """Before anybody has said what became of it."""
        return cls(
            type=request.type,
            method_id=request.method_id or "",
            status=PaymentStatus.UNKNOWN,
            attempt=request.attempt,
        )


class PaymentRequest(Frozen):
    """One attempt to be paid. `attempt` counts the ways chosen in this flow, from 1. `method_id` is our id of the saved
    method, None for COD and TERMS. With `capture` the money is taken at once, else it is held and taken later."""

    flow: PayingFlow
    flow_id: str
    workflow_id: str
    attempt: int = Field(ge=1)
    key: str
    partner_code: str
    person_id: str
    type: PaymentType
    method_id: str | None = None
    amount: Money = Field(gt=0)
    currency: str = "USD"
    description: str = ""
    reference: str | None = None
    """What the payer will find on the statement: our PO or order number."""
    capture: bool = False

    @property
    def payment_id(self) -> str:
        return payment_id_of(self.key)


class PaymentRef(Frozen):
    """Names a payment. With its `wish` a payment can be voided before it was ever asked for, and then never will be."""

    payment_id: str
    wish: PaymentRequest | None = None

    @classmethod
    def of_key(cls, key: str) -> "PaymentRef":
        return cls(payment_id=payment_id_of(key))

    @classmethod
    def of(cls, request: PaymentRequest) -> "PaymentRef":
        return cls(payment_id=request.payment_id, wish=request)


class RefundRequest(Frozen):
    """Money back. `key` makes it one refund however often it is asked for; `attempt` moves on after a definite refusal."""

    payment_id: str
    amount: Money = Field(gt=0)
    key: str
    attempt: int = Field(default=1, ge=1)
    reason: str = ""


class PaymentOutcome(Frozen):
    """What became of a payment. `detail` is the provider's text for a decline; `action_url` is where the payer confirms it;
    `shown` is how it is written, as in `Visa •••• 4242`. A decline is an outcome, not an error."""

    payment_id: str
    status: PaymentStatus
    detail: str | None = None
    action_url: str | None = None
    shown: str = ""
    captured: Money = NOTHING
    refunded: Money = NOTHING
    disputed: Money = NOTHING
    """What a bank took back for the holder of the card."""
    is_undecided: bool = False
    """The bank may still give back what it took: nobody knows yet what the payment holds."""
    must_arrive: bool = False
    """A bank is on its way with it: nothing can be let go of or given back before it has paid (decision 84)."""

    @property
    def is_good(self) -> bool:
        return self.status in GOOD


class PaymentChanged(Frozen):
    """The signal to a run after its payment moved on at the provider. A run that doubts asks by `look_up`."""

    payment_id: str
    status: PaymentStatus


class Payment(Frozen):
    """A payment as it is kept. `provider_id` is the provider's own name of it, None until it answered; `token` that of what is
    paid with."""

    id: str
    request: PaymentRequest
    status: PaymentStatus
    provider_id: str | None = None
    token: str | None = None
    detail: str | None = None
    action_url: str | None = None
    shown: str = ""
    captured: Money = NOTHING
    refunded: Money = NOTHING
    disputed: Money = NOTHING

    @property
    def provider(self) -> Provider:
        return provider_of(self.request.type, self.token)

    @property
    def must_arrive(self) -> bool:
        """The gateway gives back what is under way; the card provider does not."""
        return self.status is PaymentStatus.PROCESSING and self.provider is Provider.CARDS

    @property
    def outcome(self) -> PaymentOutcome:
        return PaymentOutcome(
            payment_id=self.id,
            status=self.status,
            detail=self.detail,
            action_url=self.action_url,
            shown=self.shown,
            captured=self.captured,
            refunded=self.refunded,
            disputed=self.disputed,
            must_arrive=self.must_arrive,
        )


class ProviderPayment(Frozen):
    """What a provider tells of a payment: the whole of it, so that a later answer stands for all earlier ones."""

    provider_id: str
    status: PaymentStatus
    detail: str | None = None
    action_url: str | None = None
    captured: Money = NOTHING
    refunded: Money = NOTHING
    currency: str | None = None
    owner: str | None = None
    """Our id of the payment, as the provider keeps it."""


class PaymentMissing(NotFound):
    code = "payment_missing"


class PaymentKeyReused(Conflict):
    """A key came with another request than before."""

    code = "payment_key_reused"


def payment_id_of(key: str) -> str:
    """One payment for each key."""
    return f"pay_{hashlib.sha256(key.encode()).hexdigest()[:32]}"


def goes_on(before: PaymentStatus, after: PaymentStatus) -> bool:
    """Whether `after` may follow on `before`: an answer that was overtaken by a later one tells nothing new."""
    return _RANK[after] >= _RANK[before]


def is_overtaken(before: Payment, at_provider: ProviderPayment) -> bool:
    """Whether an answer is older than what is known: what was taken grows only. But for a debit: on its way it counts with what
    its bank is asked for, and then with what it has paid."""
    if not goes_on(before.status, at_provider.status):
        return True
    has_arrived = before.status is PaymentStatus.PROCESSING and at_provider.status in _ARRIVED
    return at_provider.captured < before.captured and not has_arrived


_ARRIVED = frozenset({PaymentStatus.CAPTURED, PaymentStatus.REFUNDED})

TAKEN_INSTEAD = Text(
    "{taken} was taken instead of {asked}.", "{taken} a été prélevé au lieu de {asked}."
)
TAKEN_IN = Text(
    "It was taken in {taken} instead of {asked}.", "Prélevé en {taken} au lieu de {asked}."
)
OF_ANOTHER = Text("It belongs to another payment.", "Il appartient à un autre paiement.")


def difference(payment: Payment, at_provider: ProviderPayment) -> str | None:
    """What a provider holds of a payment that was taken and that is not what was asked for: amount, currency, owner
    (promise 5)."""
    if at_provider.status not in (PaymentStatus.PROCESSING, PaymentStatus.CAPTURED):
        return None
    if at_provider.captured != payment.request.amount:
        return TAKEN_INSTEAD(None, taken=at_provider.captured, asked=payment.request.amount)
    if at_provider.currency is not None and at_provider.currency != payment.request.currency:
        return TAKEN_IN(None, taken=at_provider.currency, asked=payment.request.currency)
    if at_provider.owner is not None and at_provider.owner != payment.id:
        return OF_ANOTHER(None)
    return None


class Refund(Frozen):
    """What was given back, and when, of money that had been taken."""

    at: Utc
    amount: Money


def entries_between(
    before: Payment, at_provider: ProviderPayment
) -> tuple[tuple[str, Decimal], ...]:
    """What the ledger gains when `at_provider` follows on `before`: kind and amount (US dollars) of each new entry.

    The sum of `captured` less `refunded` and `returned` is what was kept of the payment: of a debit that brought less than its
    bank was asked for, the rest is taken off `captured`.
    """
    entries: list[tuple[str, Decimal]] = []
    if at_provider.status is not before.status and at_provider.status in _NEWS:
        entries.append((at_provider.status.lower(), before.request.amount))
    if at_provider.captured != before.captured:
        entries.append(("captured", at_provider.captured - before.captured))
    if at_provider.refunded > before.refunded:
        entries.append(("refunded", at_provider.refunded - before.refunded))
    if at_provider.status is PaymentStatus.RETURNED and before.status is not PaymentStatus.RETURNED:
        entries.append(("returned", at_provider.captured - at_provider.refunded))
    return tuple(entries)


_NEWS = frozenset(
    {
        PaymentStatus.ACTION_REQUIRED,
        PaymentStatus.AUTHORISED,
        PaymentStatus.PROCESSING,
        PaymentStatus.DECLINED,
        PaymentStatus.VOIDED,
    }
)
"""States that are an entry of their own; captures, refunds and returns are entries by their amounts."""

_RANK = {
    PaymentStatus.UNKNOWN: 0,
    PaymentStatus.ACTION_REQUIRED: 1,
    PaymentStatus.AUTHORISED: 2,
    PaymentStatus.PROCESSING: 3,
    PaymentStatus.CAPTURED: 4,
    PaymentStatus.DECLINED: 5,
    PaymentStatus.VOIDED: 5,
    PaymentStatus.REFUNDED: 5,
    PaymentStatus.RETURNED: 6,
}


def is_news(known: PaymentStatus, new: PaymentStatus) -> bool:
    """Whether what a provider told says more than is known. An event that tells what we did ourselves does not."""
    return new is PaymentStatus.REFUNDED or _RANK[new] > _RANK[known]
