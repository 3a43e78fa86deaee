"""Cases: money that something happened to after its run had ended, or without one (decision 51).

A case is opened in the transaction of what caused it. It is solved by itself where that is safe; otherwise an administrator
takes it: assigns it, writes down what was done, resolves it by hand.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Literal

from domain.base import Frozen, Utc
from domain.billing.payments import (
    MOST_ATTEMPTS,
    NOTHING,
    PayingFlow,
    PaymentOutcome,
    PaymentRequest,
    PaymentStatus,
    PaymentType,
    RefundRequest,
)
from domain.errors import Conflict, Gone
from domain.money import Money, to_cents
from domain.orders.orders import Order, Parcel

IN_A_CASE = "What was charged is being paid back."
UNANSWERED = "The provider did not answer. Whatever it took is paid back."
ON_ITS_WAY = "Your bank is on its way with the money. Whatever arrives is paid back."
NOTHING_CHARGED = "Nothing was charged."
NO_REASON = "no reason"
"""In the place of one that a bank did not give."""
TIME_IS_OVER = "The time to pay is over."
"""Written down on a case whose plans are suspended from then on."""
_LEFT = (IN_A_CASE, UNANSWERED, ON_ITS_WAY)
"""What is said of a payment that a case goes on with."""
MOST_NOTES = 50
"""What is written down on one case."""


class CaseCause(StrEnum):
    """Why there is a case."""

    ORDER_CANCELLED = "order_cancelled"
    """The ERP cancelled an order that it had accepted."""
    SHIPMENT_CANCELLED = "shipment_cancelled"
    """The ERP will not send a part of an order."""
    REFUND_REFUSED = "refund_refused"
    """The payment provider refused to give money back."""
    DEBIT_RETURNED = "debit_returned"
    """A bank's debit came back after what it paid for had been confirmed."""
    AMOUNT_DIFFERS = "amount_differs"
    """A provider took something else than it was asked for."""
    RUN_LOST = "run_lost"
    """A run was ended from outside, and something was paid."""
    LET_GO = "let_go"
    """A payment that nobody waited for any longer, and that its provider could not let go of at once."""
    CHARGEBACK = "chargeback"
    """The holder of a card had the bank take a payment back."""


BY_HAND = frozenset({CaseCause.RUN_LOST, CaseCause.AMOUNT_DIFFERS})
"""What nobody can put right by itself: what was delivered for the money, or meant by it, is not known."""


class CasePolicy(Frozen):
    """How often and how long a case is tried by itself. `soon` is when a run that is still at work is looked at again, each
    time twice as late, and a bank that is on its way with a debit `bank` later at most; `brief` limits one call to a provider;
    `due` is when it should be settled."""

    tries: int = 5
    soon: timedelta = timedelta(seconds=15)
    brief: timedelta = timedelta(minutes=1)
    pause: timedelta = timedelta(hours=1)
    bank: timedelta = timedelta(hours=6)
    due: timedelta = timedelta(days=2)
    grace: timedelta = timedelta(days=5)
    """How long a buyer may take to pay what a bank returned, before plans are suspended."""
    charge: timedelta = timedelta(minutes=10)
    suspend: timedelta = timedelta(minutes=5)
    """How long a buyer waits for devices that do not answer, before what is suspended may be paid."""


class BelongsTo(Frozen):
    """What a case stands on. `name` is how people call it, `number` an order's; its payments are those of the run (`flow`,
    `flow_id`). Of an order that `is_promised` nothing was paid: on terms, on delivery, or for nothing (decision 80)."""

    kind: Literal["order", "cart", "purchase", "invoice_payment"]
    id: str
    name: str
    number: str | None = None
    flow: PayingFlow
    flow_id: str
    is_promised: bool = False


def on_order(id: str, number: str, token: str, *, is_promised: bool = False) -> BelongsTo:
    """What a case of an order stands on; `token` is that of its placement."""
    return BelongsTo(
        kind="order",
        id=id,
        name=f"Order {number}",
        number=number,
        flow=PayingFlow.PLACEMENT,
        flow_id=token,
        is_promised=is_promised,
    )


class CaseNote(Frozen):
    """What was done, by whom; None for the portal itself."""

    at: Utc
    by: str | None
    text: str


class CaseProblem(Frozen):
    code: str
    detail: str


class CasePayment(Frozen):
    """How a buyer tries to pay what is owed. `detail` is why it was declined."""

    type: PaymentType
    method_id: str
    shown: str = ""
    attempt: int
    detail: str | None = None


def is_tried_too_often(payment: CasePayment | None) -> bool:
    """Whether no other way to pay is taken by the portal; an administrator may still let it go on."""
    return payment is not None and payment.attempt >= MOST_ATTEMPTS


class Lowered(Frozen):
    """By how much less is asked for, because goods are never sent; `case_id` is the case of those goods, or the one that asks
    where it was given back for them before."""

    case_id: str
    amount: Money


class NotSent(Frozen):
    """What is not owed any more of an order whose money came back: all of it, or what was withdrawn since and is not given
    back yet; of a chargeback also what was withdrawn before it."""

    is_cancelled: bool = False
    withdrawn: tuple[Lowered, ...] = ()


def lowerings(owed: Decimal, lowered: Iterable[Lowered], not_sent: NotSent) -> tuple[Lowered, ...]:
    """By how much less is asked for than `owed`, and never more than that; what was lowered for the same goods stays so."""
    known, left, found = {one.case_id for one in lowered}, owed, list[Lowered]()
    for one in not_sent.withdrawn:
        less = min(one.amount, left)
        if one.case_id not in known and less > NOTHING:
            found.append(Lowered(case_id=one.case_id, amount=less))
            left -= less
    return tuple(found)


def taken_twice(outcome: PaymentOutcome, amount: Decimal, *, lost_before: Decimal) -> Decimal:
    """What a bank took by a chargeback of this amount although it had been given back already: it is not asked for again.
    `lost_before` is what was lost by the chargebacks of this payment that it had decided about earlier; all of them together
    take off no more than was given back."""

    def beyond(lost: Decimal) -> Decimal:
        return min(outcome.refunded, max(outcome.refunded + lost - outcome.captured, NOTHING))

    return beyond(lost_before + amount) - beyond(lost_before)


class Earlier(Frozen):
    """A case that goods which are never sent wait for. Of a chargeback, whether it `is_owed` the bank decides."""

    case_id: str
    cause: CaseCause
    is_owed: bool


def cases_to_notify(cause: CaseCause, owed_by: Sequence[str]) -> Sequence[str]:
    """Those that are asked to ask for less: all where nothing is sent any more, and of a part the first alone, as each takes off
    as much as it can."""
    return owed_by if cause is CaseCause.ORDER_CANCELLED else owed_by[:1]


class OrderChanged(Frozen):
    """Goods are never sent: what is owed for their order is looked at again. `case_id` is the case of those goods."""

    case_id: str


class CaseView(Frozen):
    """A case as its row tells it. `amount` is what is to be given back, None for all that was taken; `given_back` is what was.
    Of a debit that came back `owed` is what is to be paid again, and `lowered` what it was lowered by; of goods that are never
    sent `taken_off` is what another case lowered for them instead of giving it back. `payer_id` is who asked for the last
    `payment`. `owner` takes care of it. `error` is why the last try did not solve it, `deadline` when the next one begins."""

    id: str
    state: str
    cause: CaseCause
    belongs_to: BelongsTo
    detail: str
    amount: Money | None
    given_back: Money = NOTHING
    currency: str = "USD"
    owner_id: str | None = None
    owner: str | None = None
    attempt: int = 1
    owed: Money = NOTHING
    lowered: tuple[Lowered, ...] = ()
    taken_off: Money = NOTHING
    payment: CasePayment | None = None
    payer_id: str | None = None
    opened_at: Utc
    due_at: Utc
    deadline: Utc | None = None
    error: CaseProblem | None = None
    done: tuple[CaseNote, ...] = ()
    updated_at: Utc


class AskedRefund(Frozen):
    """What a run has asked for, and its provider has refused."""

    key: str
    amount: Money


class CaseStart(Frozen):
    """What a case is opened with. `payment_id` names the one payment that it is about, if it is not all of them,
    `dispute_id` a chargeback of it, `refund_key` the refund that its run has asked for, `refunds` several of them. One that
    is `for_a_person` first waits until an administrator says that it is to be tried. `rev_from` and `resume` are those of a run
    in the place of one that is gone."""

    id: str
    version: int = 1
    cause: CaseCause
    belongs_to: BelongsTo
    payment_id: str | None = None
    dispute_id: str | None = None
    refund_key: str | None = None
    refunds: tuple[AskedRefund, ...] = ()
    for_a_person: bool = False
    amount: Money | None = None
    currency: str = "USD"
    detail: str = ""
    partner_code: str
    person_id: str
    dealer_id: str | None = None
    site: str
    opened_at: Utc
    policy: CasePolicy = CasePolicy()
    rev_from: int = 0
    resume: CaseView | None = None


class CaseMessage(Frozen):
    """What an administrator wants of a case."""

    actor_id: str | None = None
    actor: str = ""
    acting_for: str | None = None
    note: str = ""
    owner_id: str | None = None
    owner: str | None = None
    type: PaymentType | None = None
    method_id: str | None = None


class CaseReply(Frozen):
    id: str
    rev: int
    state: str


class CaseStateConflict(Conflict):
    code = "case_moved"
    detail = "This is not possible at this point of the case."


class CaseEnded(Gone):
    code = "case_ended"
    detail = "This case has ended."


class CaseTriedTooOften(Conflict):
    code = "tried_too_often"
    detail = "This was tried too often. Please ask us for another way to pay."


class CaseFull(Conflict):
    code = "case_full"
    detail = "So much is written down on this case that it must be resolved now."


def case_id(cause: CaseCause, *names: str) -> str:
    """One case for each cause and thing, however often it is told."""
    return hashlib.sha256(":".join((cause, *names)).encode()).hexdigest()[:32]


def refused_refund(
    belongs_to: BelongsTo,
    request: PaymentRequest,
    amount: Decimal | None,
    reason: str,
    *names: str,
    at: datetime,
    dealer_id: str | None,
    site: str,
    policy: CasePolicy | None = None,
    refunds: Sequence[AskedRefund] = (),
) -> CaseStart:
    """The case of what a provider refused to give back of a payment; all that was taken without an `amount`. `names` tell it
    from other refunds of the same payment. It goes on with the `refunds` under the keys of its run: a run in the place of that
    one may ask for them as well."""
    is_one = len(refunds) == 1
    return CaseStart(
        id=case_id(CaseCause.REFUND_REFUSED, request.payment_id, *names),
        cause=CaseCause.REFUND_REFUSED,
        belongs_to=belongs_to,
        payment_id=request.payment_id,
        refund_key=refunds[0].key if is_one else None,
        refunds=() if is_one else tuple(refunds),
        amount=amount,
        currency=request.currency,
        detail=reason,
        partner_code=request.partner_code,
        person_id=request.person_id,
        dealer_id=dealer_id,
        site=site,
        opened_at=at,
        policy=policy or CasePolicy(),
    )


SOON_AGAIN = CasePolicy(tries=60, pause=timedelta(minutes=1), brief=timedelta(seconds=30))
"""For what only waits for a provider to answer: tried for an hour, then a person."""


def put_off(
    belongs_to: BelongsTo,
    request: PaymentRequest,
    refund: RefundRequest,
    detail: str,
    *,
    at: datetime,
    dealer_id: str | None,
    site: str,
) -> CaseStart:
    """The case of a refund that its run does not wait for any longer. It may have been made: its key is the same."""
    return refused_refund(
        belongs_to,
        request,
        refund.amount,
        detail,
        refund.key,
        at=at,
        dealer_id=dealer_id,
        site=site,
        policy=SOON_AGAIN,
        refunds=[AskedRefund(key=refund.key, amount=refund.amount)],
    )


def let_go(
    belongs_to: BelongsTo,
    request: PaymentRequest,
    detail: str = "",
    *,
    at: datetime,
    dealer_id: str | None,
    site: str,
) -> CaseStart:
    """The case of a payment that is to be voided as soon as its provider answers; what was taken is given back."""
    return CaseStart(
        id=case_id(CaseCause.LET_GO, request.payment_id),
        cause=CaseCause.LET_GO,
        belongs_to=belongs_to,
        payment_id=request.payment_id,
        currency=request.currency,
        detail=detail,
        partner_code=request.partner_code,
        person_id=request.person_id,
        dealer_id=dealer_id,
        site=site,
        opened_at=at,
        policy=SOON_AGAIN,
    )


def left_words(detail: str | None) -> str | None:
    """What `detail` says of a payment that its provider did not let go of; None where it says nothing of one."""
    return next((words for words in _LEFT if words in (detail or "")), None)


def with_case(words: str, left: str | None) -> str:
    """What is said where a payment came to nothing, with what a case goes on with of it or of one before it."""
    if left is None or left_words(words) is not None:
        return words
    return f"{words.removesuffix(NOTHING_CHARGED).rstrip()} {left}"


def left_to_a_case(payment_id: str) -> tuple[str, ...]:
    """The ids of the cases that a whole payment may be left to by its run."""
    return tuple(
        case_id(cause, payment_id) for cause in (CaseCause.LET_GO, CaseCause.REFUND_REFUSED)
    )


def was_suspended(case: CaseView) -> bool:
    """Whether it stands on plans that were suspended, as nobody had paid in time."""
    is_over = any(note.text == TIME_IS_OVER for note in case.done)
    return is_over and case.belongs_to.kind == "purchase"


def chargeback_case(dispute_id: str) -> str:
    """The id of the case of a chargeback."""
    return case_id(CaseCause.CHARGEBACK, dispute_id)


def left_of(outcome: PaymentOutcome) -> Decimal:
    """Captured − refunded − returned: the most that may be given back."""
    if outcome.status is PaymentStatus.RETURNED:
        return NOTHING
    return max(outcome.captured - outcome.refunded - outcome.disputed, NOTHING)


def shares(wanted: Decimal | None, left: Mapping[str, Decimal]) -> dict[str, Decimal]:
    """Payment → what it gives back, so that together they give `wanted`, or all that is left: never more than each has."""
    found: dict[str, Decimal] = {}
    open_ = wanted
    for payment_id, most in left.items():
        share = most if open_ is None else min(most, open_)
        if share > NOTHING:
            found[payment_id] = share
        if open_ is not None:
            open_ -= share
    return found


def worth_of(order: Order, parcels: Iterable[Parcel]) -> Decimal:
    """What a buyer paid for these pieces: their price, less their part of what a coupon took off, and with it their part of the
    tax; where all of the order is among them, with its freight too. A coupon is shared by price, as the ERP shares it
    among its invoices. To the cent: parts that make the whole order are worth its total."""
    wanted: dict[str, int] = {}
    for parcel in parcels:
        wanted[parcel.sku] = wanted.get(parcel.sku, 0) + parcel.quantity
    goods, pieces = NOTHING, 0
    for line in order.lines:
        count = min(line.quantity, wanted.get(line.sku, 0))
        wanted[line.sku] = wanted.get(line.sku, 0) - count
        goods += line.unit_price * count
        pieces += count
    if pieces == sum(line.quantity for line in order.lines):
        return order.total
    if order.subtotal:
        goods -= order.coupon_amount * goods / order.subtotal
    taxed = order.subtotal - order.coupon_amount + order.freight
    return to_cents(goods + (order.tax * goods / taxed if taxed else NOTHING))
