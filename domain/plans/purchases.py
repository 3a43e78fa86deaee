"""A purchase of plans: who buys, how it is paid, and what became of each device (workflows 1.7; decision 32)."""

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from domain.base import Frozen, Utc
from domain.billing.payments import ChargeView, PayBy, PaymentRequest, PaymentType
from domain.billing.taxes import Tax
from domain.checkout.approvals import Approval
from domain.checkout.draft import PostalAddress
from domain.devices.ownership import Asker
from domain.errors import Conflict, Gone
from domain.money import Money
from domain.operations.cases import CasePolicy
from domain.plans.quote import ZERO, PlanLineRequest, Quote, QuotedLine, quote_of
from domain.runs.kind import WaitsFor

CURRENT_VERSION = 3
PATH = 2
"""The way that runs take from now on: see `PurchaseStart.path`."""
ASKS_BUYER = 3
"""The first version of the transitions by which nothing is given up without its buyer's yes."""

NOT_CONFIRMED = "The payment was not confirmed in time. Please choose another way to pay."
NO_PAYMENT = "The payment could not be made. Nothing was charged."


def said_again(partner_code: str, lines: Sequence[PlanLineRequest]) -> str:
    """SHA-256 (hex) of what a purchase without a key is known by: for whom, which devices, which plans, until which
    day where one is wished. A plan's id names its term."""
    wanted = sorted(line.said for line in lines)
    return hashlib.sha256(json.dumps([partner_code, wanted]).encode()).hexdigest()


def came_to_nothing(state: str, *, was_refused: bool) -> bool:
    """Whether nothing is charged by a purchase that stands like this unless its buyer asks it to: the same can be bought
    anew. `was_refused` means that it has an error."""
    return state in ("declined", "expired", "cancelled", "rejected") or (
        state == "quoted" and was_refused
    )


class Buyer(Frozen):
    """Who buys, and for whom. `canadian` goes by their default card, or else by the site, as they began."""

    partner_code: str
    channel: str
    dealer_id: str | None
    person_id: str
    name: str
    acting_for: str | None = None
    subscriber_id: str | None = None
    site: str
    canadian: bool

    @property
    def asker(self) -> Asker:
        """As whom the buyer accesses devices; outside reps buy no plans."""
        return Asker(
            dealer_id=self.dealer_id, partner_code=self.partner_code, person_id=self.person_id
        )


class PurchasePolicy(Frozen):
    """How long a purchase waits for people (our choice, decision 32)."""

    quote: timedelta = timedelta(minutes=15)
    declined: timedelta = timedelta(minutes=30)
    action: timedelta = timedelta(minutes=30)
    """For the payer to confirm at their bank."""
    retry: timedelta = timedelta(hours=24)
    """For devices that failed: for so long they are tried again by themselves, then their buyer is asked what to do. Before
    version 3 they were paid back then."""
    again: timedelta = timedelta(minutes=5)
    """The first wait before they are; each one is twice as long."""
    reminders: tuple[timedelta, ...] = (timedelta(days=7), timedelta(days=30))
    """When the buyer is asked again, since the first device failed; from then on operators are shown it too."""
    most_tries: int = 1000
    """Devices that one run tries again by hand."""
    approval: timedelta = timedelta(days=30)
    """For an owner's yes."""
    charge: timedelta = timedelta(minutes=10)
    """How long a payment is tried before a person is shown that it hangs; then it is looked up."""
    brief: timedelta = timedelta(seconds=5)
    """For a provider to let go of what the buyer does not want any more; a case goes on with it."""
    look: timedelta = timedelta(seconds=60)
    """How often a payment is asked about that nobody tells of."""
    case: CasePolicy = CasePolicy()
    """Of what the provider refuses to give back."""


class PurchaseStart(Frozen):
    """The workflow's input. With `pay_by` it buys at once what it quotes, if every line is good. On `path` 2 the
    buyer's rights are read again also when a charge of which nobody knew is found. `rev_from` and `resume` are those of a run in
    the place of one that is gone."""

    id: str
    version: int = CURRENT_VERSION
    path: int = 1
    lines: tuple[PlanLineRequest, ...]
    address: PostalAddress
    buyer: Buyer
    pay_by: PayBy | None = None
    reason: str = ""
    """For the owner, where one must approve it."""
    activation_id: str | None = None
    notify: str | None = None
    """Workflow id of the activation that waits for this purchase."""
    policy: PurchasePolicy = PurchasePolicy()
    portal_url: str = ""
    rev_from: int = 0
    resume: "PurchaseResume | None" = None


class PurchaseMessage(Frozen):
    """A person's message to a purchase; which fields count depends on the message. `reason` is the buyer's for the owner, or
    the owner's word."""

    actor_id: str | None
    actor: str
    acting_for: str | None = None
    quote_hash: str | None = None
    pay_by: PayBy | None = None
    lines: tuple[PlanLineRequest, ...] = ()
    address: PostalAddress | None = None
    device_keys: tuple[str, ...] = ()
    reason: str = ""


class PurchaseReply(Frozen):
    id: str
    rev: int
    state: str


class LineStatus(StrEnum):
    QUOTED = "quoted"
    REFUSED = "refused"
    """Not bought: its problem is known before anything was paid."""
    WAITING = "waiting"
    PROVISIONED = "provisioned"
    FAILED = "failed"
    UNCERTAIN = "uncertain"
    """The device network did not answer: it is asked before anything is paid back."""
    REFUNDED = "refunded"
    OWED = "owed"
    """The provider refused to pay it back at once: a case does (decision 51)."""
    UNPAID = "unpaid"
    """It has no plan, and its bank took the debit back: nothing is owed either way."""


NOT_PAID = frozenset({LineStatus.QUOTED, LineStatus.REFUSED, LineStatus.UNPAID})
"""Nothing was taken for such a line, or nothing of it is left."""
GIVEN_UP = frozenset({LineStatus.REFUNDED, LineStatus.OWED, LineStatus.UNPAID})
"""It will have no plan by this purchase."""
FINAL = GIVEN_UP | {LineStatus.PROVISIONED}
"""No try and no resumed run sets it up again."""


class LineView(QuotedLine):
    """`paid` is what was taken for it, tax included; `refunded` what of that was paid back."""

    status: LineStatus
    paid: Money = ZERO
    refunded: Money = ZERO


class PurchaseError(Frozen):
    code: str
    detail: str


class Trying(Frozen):
    """What failed, may still succeed and was not given up: since when; how often it was tried again by itself, and how often
    its buyer was asked what to do."""

    since: Utc
    tries: int = 0
    asked: int = 0

    def next_try(self, policy: PurchasePolicy, now: datetime) -> datetime | None:
        """When it is tried again by itself, each time twice as late; None after the last time."""
        ends = self.since + policy.retry
        return min(ends, now + policy.again * 2 ** min(self.tries, 20)) if now < ends else None

    def next_question(self, policy: PurchasePolicy) -> datetime | None:
        """When its buyer is asked; None after the last time."""
        times = (policy.retry, *policy.reminders)
        return self.since + times[self.asked] if self.asked < len(times) else None

    @property
    def is_overdue(self) -> bool:
        return self.asked > 1


class PurchaseView(Frozen):
    """Where a purchase stands. `expires_at` is the quote's end, `deadline` that of the present state. `receipt` says that
    there is one under `uuid`. An agreement to figures above `approval_above` waits for an owner: `approval` says of that, and
    `agreed_charge` is what was agreed to before the figures changed. `over_limit` speaks against these figures."""

    uuid: str
    version: int
    partner_code: str
    lines: tuple[LineView, ...]
    base_amount: Money
    currency_discount: Money
    base_tax: Money
    taxes: tuple[Tax, ...]
    final_charge: Money
    currency: str
    refunded: Money
    quote_hash: str | None
    expires_at: Utc | None
    deadline: Utc | None
    address: PostalAddress
    payment: ChargeView | None
    refused_methods: tuple[str, ...]
    error: PurchaseError | None
    waits_for: WaitsFor | None
    placed_by: str
    acting_for: str | None
    activation_id: str | None
    receipt: bool
    notes_at: dict[str, Utc]
    approval_above: Money | None = None
    approval: Approval | None = None
    agreed_charge: Money | None = None
    over_limit: PurchaseError | None = None
    trying: Trying | None = None
    """Of version 3, once a device failed; `deadline` is then when it is tried again by itself."""
    left: str | None = None
    """What is said of payments that a case goes on with: without it, what came to nothing charged nothing."""


class PurchaseResume(Frozen):
    """Where a run stood whose history is gone. `wish` is the last payment that was asked for: its key is the same, so what
    became of it is looked up; not where a case goes on with it (`is_let_go`). `is_left` is whether
    a case goes on with any of its payments. `pay_by` is how it was to be paid once it was
    approved; `listeners` are the activations that wait for it."""

    state: str
    view: PurchaseView
    wish: PaymentRequest | None = None
    is_let_go: bool = False
    is_left: bool = False
    pay_by: PayBy | None = None
    listeners: tuple[str, ...] = ()

    @property
    def goes_on_at(self) -> str:
        """Where it goes on: what is paid for is set up or paid back, a payment is looked up, what waits for a yes waits on; all
        else is quoted again."""
        if self.state in ("provisioning", "part_failed", "refunding"):
            return self.state
        if self.state in ("waiting_for_approval", "requoted"):
            return self.state
        is_asked_for = self.state in ("charging", "action_required", "needs_attention")
        is_open = is_asked_for and self.wish is not None and not self.is_let_go
        return "needs_attention" if is_open else "quoting"

    @property
    def lines(self) -> tuple[PlanLineRequest, ...]:
        """What it was quoted for last: lines may have been taken out since it was begun. Nothing before the first quote."""
        fields = set(PlanLineRequest.model_fields)
        return tuple(
            PlanLineRequest.model_validate(line.model_dump(include=fields))
            for line in self.view.lines
        )

    @property
    def quote(self) -> Quote | None:
        """What was agreed to; what failed later is no fault of the quote."""
        view = self.view
        if view.quote_hash is None or self.goes_on_at == "quoting":
            return None
        fields = set(QuotedLine.model_fields)
        lines = [QuotedLine.model_validate(line.model_dump(include=fields)) for line in view.lines]
        agreed = [
            line
            if shown.status is LineStatus.REFUSED
            else line.model_copy(update={"problem": None, "detail": None})
            for line, shown in zip(lines, view.lines, strict=True)
        ]
        quoted_at = view.notes_at.get("charging") or min(view.notes_at.values())
        return quote_of(agreed, view.address, quoted_at)


class OpenPurchase(Frozen):
    """A purchase in the list of those that are under way."""

    id: str
    state: str
    device_keys: tuple[str, ...]
    final_charge: Money
    updated_at: Utc


class Attach(Frozen):
    """An activation that came later wants to be told too. With `pay_by` it agrees to the quote, if that is still open;
    `reason` is for the owner, where one must approve it."""

    notify: str
    device_key: str | None = None
    """The one that it waits for."""
    pay_by: PayBy | None = None
    reason: str = ""


class AddressNeeded(Conflict):
    code = "address_needed"
    detail = "An address is needed to work out the taxes."


class PaymentTypeRefused(Conflict):
    code = "payment_type_refused"
    detail = "Plans are paid by card or from a bank account."


class NoCard(Conflict):
    code = "no_card"
    detail = "Please choose a card or a bank account to pay with."


class QuoteExpired(Gone):
    code = "quote_expired"
    detail = "This quote has expired. Please ask for a new one."


class QuoteChanged(Conflict):
    code = "quote_changed"
    detail = "The prices or devices have changed. Please check the new figures."


class PurchaseEnded(Gone):
    code = "closed"
    detail = "This purchase has ended."


def about_purchase(purchase_id: str) -> dict[str, Any]:
    """What a problem says of the purchase that it is about."""
    return {"flow": {"kind": "purchase", "id": purchase_id}}


class PurchaseTriedTooOften(Conflict):
    code = "tried_too_often"
    detail = "This purchase was tried too often. Please cancel it and buy again."


class PlansTriedTooOften(Conflict):
    code = PurchaseTriedTooOften.code
    detail = "These plans were tried too often. Please give them up and buy them again."


class Declined(Conflict):
    """With the provider's own words (shop spec 8)."""

    code = "declined"
    detail = "This transaction has been declined."


def resumed(start: PurchaseStart, *, rev: int, resume: PurchaseResume) -> PurchaseStart:
    """The start of a run in the place of one that is gone, which stood like this. It buys nothing at once, and goes the way
    that runs take now."""
    return start.model_copy(update={"path": PATH, "rev_from": rev + 1, "resume": resume})


def check_type(kind: PaymentType) -> None:
    """Raises PaymentTypeRefused: a plan is paid before it begins."""
    if kind not in (PaymentType.CARD, PaymentType.BANK_ACCOUNT):
        raise PaymentTypeRefused


PurchaseStart.model_rebuild()
