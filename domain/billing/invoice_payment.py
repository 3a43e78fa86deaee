"""A payment of invoices: who pays, how, and what became of each invoice (shop spec 4; rulings "Calls"; decision 53)."""

import hashlib
import json
from datetime import date, timedelta
from enum import StrEnum
from typing import Any

from domain.base import Frozen, Utc
from domain.billing.invoice_allocation import AllocationRequest, FromMemo, PaymentPlan
from domain.billing.payments import NOTHING, ChargeView, PayBy, PaymentRequest, PaymentType
from domain.errors import Conflict, Forbidden, Gone
from domain.letters.language import Language
from domain.letters.text import Text
from domain.money import Money
from domain.runs.kind import WaitsFor

CURRENT_VERSION = 2
PATH = 2
"""The way that runs take from now on: see `InvoicePaymentStart.path`."""
NOT_CONFIRMED = "The payment was not confirmed in time. Please choose another way to pay."
NO_PAYMENT = "The payment could not be made. Nothing was charged."


class Payer(Frozen):
    """Who pays, and for whom."""

    partner_code: str
    dealer_id: str | None
    person_id: str
    name: str
    acting_for: str | None = None
    site: str


class InvoicePaymentPolicy(Frozen):
    """How long a payment waits (our choice, decision 53). The invoices are held meanwhile."""

    declined: timedelta = timedelta(minutes=30)
    action: timedelta = timedelta(minutes=30)
    """For the payer to confirm at their bank."""
    brief: timedelta = timedelta(seconds=5)
    """For a provider to let go of what the payer does not want any more; a case goes on with it."""
    charge: timedelta = timedelta(minutes=10)
    """How long a payment is tried before a person is shown that it hangs; then it is looked up."""
    look: timedelta = timedelta(seconds=60)
    """How often a payment is asked about that nobody tells of."""
    bank: timedelta = timedelta(hours=1)
    """How often a debit is asked about that is under way."""
    post: timedelta = timedelta(seconds=60)
    """How long one invoice is tried at the ERP before all wait for it."""
    late: timedelta = timedelta(seconds=30)
    """The first wait for an ERP that is away; each one is twice as long, up to `latest`."""
    latest: timedelta = timedelta(hours=1)


class InvoicePaymentStart(Frozen):
    """The workflow's input: what was frozen at the submit. Without `pay_by` memos cover everything. On `path` 2 rights, holds and
    open amounts are read again when a charge is there after a wait. `rev_from` and `resume` are those of a run in the place of
    one that is gone."""

    id: str
    version: int = CURRENT_VERSION
    path: int = 1
    payer: Payer
    plan: PaymentPlan
    pay_by: PayBy | None = None
    submitted_at: Utc
    policy: InvoicePaymentPolicy = InvoicePaymentPolicy()
    portal_url: str = ""
    rev_from: int = 0
    resume: "InvoicePaymentResume | None" = None


class InvoicePaymentMessage(Frozen):
    """A person's message to a payment."""

    actor_id: str | None
    actor: str
    acting_for: str | None = None
    pay_by: PayBy | None = None


class InvoicePaymentReply(Frozen):
    id: str
    rev: int
    state: str


class InvoiceStatus(StrEnum):
    WAITING = "waiting"
    POSTED = "posted"
    REFUSED = "refused"
    """By the ERP: its money is given back, its memos are free again."""
    REFUNDED = "refunded"
    RELEASED = "released"
    """The payment came to nothing before it was posted."""
    RETURNED = "returned"
    """Posted, and taken back: the bank returned the money."""


class InvoiceLine(Frozen):
    """An invoice of a payment. `detail` says why it was refused."""

    number: str
    amount: Money
    charged: Money
    discount: Money
    discount_day: date | None
    memos: tuple[FromMemo, ...]
    settles: bool
    status: InvoiceStatus
    detail: str | None


class InvoicePaymentError(Frozen):
    code: str
    detail: str


class InvoicePaymentView(Frozen):
    """Where a payment stands. `deadline` is the end of the present state."""

    uuid: str
    version: int
    partner_code: str
    lines: tuple[InvoiceLine, ...]
    charged: Money
    discount: Money
    applied: Money
    refunded: Money
    currency: str
    submitted_at: Utc
    deadline: Utc | None
    payment: ChargeView | None
    refused_methods: tuple[str, ...]
    error: InvoicePaymentError | None
    waits_for: WaitsFor | None
    paid_by: str
    acting_for: str | None
    notes_at: dict[str, Utc]
    left: str | None = None
    """What is said of payments that a case goes on with: without it, what came to nothing charged nothing."""

    @property
    def is_owed(self) -> bool:
        """Whether what was charged for an invoice that the ERP refused is not given back yet."""
        return any(one.status is InvoiceStatus.REFUSED for one in self.lines)

    @property
    def taken_back(self) -> Money:
        """What a bank took back of what was posted."""
        taken = (one.charged for one in self.lines if one.status is InvoiceStatus.RETURNED)
        return sum(taken, NOTHING)


class BookedInvoice(Frozen):
    """What our books say of an invoice of a payment."""

    number: str
    status: InvoiceStatus
    detail: str | None


_ASKED_FOR = ("charging", "action_required", "needs_attention")


class InvoicePaymentResume(Frozen):
    """Where a run stood whose history is gone. `wish` is the last payment that was asked for: its key is the same, so what
    became of it is looked up; not where a case goes on with it (`is_let_go`). `is_left` is whether
    a case goes on with any of its payments. `settled` is ahead of the view where an invoice
    was posted and not shown yet."""

    state: str
    view: InvoicePaymentView
    settled: tuple[BookedInvoice, ...]
    wish: PaymentRequest | None = None
    is_let_go: bool = False
    is_left: bool = False

    @property
    def goes_on_at(self) -> str:
        """Where it goes on: a payment that may have been asked for is looked up, never asked for again; after a decline the
        payer chooses once more; the ERP is tried at once."""
        if self.state == "posting_late":
            return "posting"
        if self.is_let_go and self.state in _ASKED_FOR:
            return "declined"
        if self.state not in ("checking", "charging", "needs_attention"):
            return self.state
        if self.wish is None:
            return "checking"
        return "declined" if self.state == "checking" else "needs_attention"

    @property
    def payment(self) -> ChargeView | None:
        """The payment that was asked for last: as it was shown, if it ever was."""
        if self.wish is None:
            return None
        shown = self.view.payment
        is_shown = shown is not None and shown.attempt == self.wish.attempt
        return shown if is_shown else ChargeView.asked(self.wish)

    @property
    def is_untouched(self) -> bool:
        """Whether no payment was ever asked for."""
        return self.goes_on_at == "checking"


class MayNotPay(Forbidden):
    code = "may_not_pay_invoices"
    detail = "You do not have the right to pay invoices."


class InvoicePaymentTypeRefused(Conflict):
    code = "invoice_payment_type_refused"
    detail = "Invoices are paid by card or from a bank account."


class InvoicePaymentMethodNeeded(Conflict):
    code = "invoice_payment_method_needed"
    detail = "Please choose a card or a bank account to pay with."


class InvoicePaymentMethodRefused(Conflict):
    code = "invoice_payment_method_refused"
    detail = "This payment method cannot be used. Please choose another one."


class InvoiceFiguresChanged(Conflict):
    code = "invoice_figures_changed"
    detail = "The invoices have changed. Please check the new figures."


class InvoicePaymentStateConflict(Conflict):
    code = "invoice_payment_moved"
    detail = "This is not possible at this point of the payment."


class InvoicePaymentTriedTooOften(Conflict):
    code = "tried_too_often"
    detail = "This payment was tried too often. Please cancel it and pay again."


class InvoicePaymentEnded(Gone):
    code = "invoice_payment_ended"
    detail = "This payment has ended."


class InvoicePaymentDeclined(Conflict):
    """With the provider's own words."""

    code = "PAYMENT_ERROR"
    detail = "This transaction has been declined."


def resumed(
    start: InvoicePaymentStart, *, rev: int, resume: InvoicePaymentResume
) -> InvoicePaymentStart:
    """The start of a run in the place of one that is gone, which stood like this."""
    return start.model_copy(update={"rev_from": rev + 1, "resume": resume})


def check_type(kind: PaymentType) -> None:
    """Raises InvoicePaymentTypeRefused: never COD or TERMS (rulings)."""
    if kind not in (PaymentType.CARD, PaymentType.BANK_ACCOUNT):
        raise InvoicePaymentTypeRefused


def plan_hash(plan: PaymentPlan) -> str:
    """SHA-256 (hex) of what a payer agrees to: each invoice's charge, discount and memos."""
    agreed = [one.model_dump(mode="json", exclude={"wanted"}) for one in plan.allocations]
    return hashlib.sha256(json.dumps(agreed).encode()).hexdigest()


def said_again(partner_code: str, request: AllocationRequest, pay_by: PayBy | None) -> str:
    """SHA-256 (hex) of what a payment without a key is known by."""
    wanted: list[Any] = [partner_code, request.model_dump(mode="json")]
    wanted.append(pay_by.model_dump(mode="json") if pay_by else None)
    return hashlib.sha256(json.dumps(wanted).encode()).hexdigest()


NOT_SETTLED = frozenset(
    {
        InvoiceStatus.REFUSED,
        InvoiceStatus.REFUNDED,
        InvoiceStatus.RELEASED,
        InvoiceStatus.RETURNED,
    }
)
"""Nothing of the payment settles such an invoice: it keeps neither its discount nor its memos."""


def paid_back(view: InvoicePaymentView, amount: Money) -> InvoicePaymentView:
    """An ended payment of which so much was given back by now: all that the ERP refused is paid back once that is enough
    for it."""
    turned_down = (InvoiceStatus.REFUSED, InvoiceStatus.REFUNDED)
    wanted = sum((one.charged for one in view.lines if one.status in turned_down), NOTHING)
    lines = view.lines
    if NOTHING < wanted <= amount:
        lines = _marked(lines, InvoiceStatus.REFUSED, InvoiceStatus.REFUNDED)
    return view.model_copy(update={"lines": lines, "refunded": max(view.refunded, amount)})


def taken_back(view: InvoicePaymentView, number: str) -> InvoicePaymentView:
    """An ended payment of which a bank took back what was posted to this invoice."""
    lines = _marked(view.lines, InvoiceStatus.POSTED, InvoiceStatus.RETURNED, number)
    return view.model_copy(update={"lines": lines})


def _marked(
    lines: tuple[InvoiceLine, ...],
    before: InvoiceStatus,
    after: InvoiceStatus,
    number: str | None = None,
) -> tuple[InvoiceLine, ...]:
    return tuple(
        one.model_copy(update={"status": after})
        if one.status is before and number in (None, one.number)
        else one
        for one in lines
    )


RECEIPTED = frozenset({"confirmed", "refused"})
"""Ends after which money was taken, also where it went back: of these there is a receipt."""

CAME_TO_NOTHING = frozenset({"refused", "returned", "expired", "cancelled"})
"""Ends after which the same may be paid anew."""


_RECEIPT = Text("Your payment of invoices", "Votre paiement de factures")
RECEIPT = _RECEIPT.en


def mail_text(view: InvoicePaymentView, portal_url: str) -> str:
    """The outcome as a mail. Of a payment that was under way, and of which every invoice was released, the bank has returned
    the debit."""
    english, currency = Language.EN, view.currency
    said = _CHARGED(english, charged=view.charged, refunded=view.refunded, currency=currency)
    if all(one.status is InvoiceStatus.RELEASED for one in view.lines):
        said = _DEBIT_RETURNED(english, charged=view.charged, currency=currency)
    lines = [
        (_LINE_WITH_WHY if one.detail else _LINE)(
            english,
            number=one.number,
            amount=one.amount,
            currency=currency,
            status=_MAILED[one.status],
            detail=one.detail,
        )
        for one in view.lines
    ]
    return "\n".join(
        [
            said,
            *lines,
            "",
            f"{portal_url}/invoice-payment/complete?id={view.uuid}",
        ]
    )


_MAILED = {
    InvoiceStatus.WAITING: Text("waiting", "en attente"),
    InvoiceStatus.POSTED: Text("paid", "payée"),
    InvoiceStatus.REFUSED: Text("refused", "refusée"),
    InvoiceStatus.REFUNDED: Text("refused and paid back", "refusée et remboursée"),
    InvoiceStatus.RELEASED: Text("not paid", "non payée"),
    InvoiceStatus.RETURNED: Text("returned by the bank", "retournée par la banque"),
}
_CHARGED = Text(
    "Charged: {charged:f} {currency}, paid back: {refunded:f} {currency}",
    "Débité : {charged:f} {currency}, remboursé : {refunded:f} {currency}",
)
_DEBIT_RETURNED = Text(
    "Your bank returned the debit of {charged:f} {currency}. Nothing was paid:"
    " the invoices are open again, and their credit memos free.",
    "Votre banque a retourné le débit de {charged:f} {currency}. Rien n’a été payé :"
    " les factures sont de nouveau ouvertes, et leurs notes de crédit libres.",
)
_LINE_WITH_WHY = Text(
    "{number}  {amount:f} {currency}  {status} ({detail})",
    "{number}  {amount:f} {currency}  {status} ({detail})",
)
_LINE = Text(
    "{number}  {amount:f} {currency}  {status}", "{number}  {amount:f} {currency}  {status}"
)
TEXTS = (
    _RECEIPT,
    _CHARGED,
    _DEBIT_RETURNED,
    _LINE_WITH_WHY,
    _LINE,
    *_MAILED.values(),
)
"""All that is said here: a run has it in its history in English, and it is mailed in the language of its reader (`reread`)."""
