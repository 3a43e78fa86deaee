"""A cart on its way to an order (shop spec 4.7; rulings "Credit limit"): how a run begins, what of it moves, what may be asked.

`domain/checkout/placement_snapshot.py` has what does not move; `workflows/checkout/placement.py` takes them.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Literal

from pydantic import StringConstraints

from domain.base import Frozen, Utc
from domain.billing.payments import PaymentRequest, PaymentStatus, PaymentType
from domain.checkout.approvals import Approval, ApprovalAsked
from domain.checkout.draft import PaymentChoice
from domain.checkout.placements import placement_v4 as transitions
from domain.checkout.quote import OverCreditLimit
from domain.errors import Conflict
from domain.money import Money

VERSION = 4
PATH = 3
"""The way that runs take from now on: see `PlacementStart.path`."""

Reason = Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)]

WaitsOn = Literal["portal", "buyer", "approver", "payment", "erp", "operator"]
"""Who has the next word in a placement."""

How = Literal["retry", "cancel", "confirmed", "undone"]
"""What an operator does: has it tried again, gives it up, or says how it was settled by hand."""
BEGINS = frozenset[How]({"retry", "cancel"})
"""What of it only begins with the run's yes: the ERP may have sent what is to be cancelled."""


class PlacementPolicy(Frozen):
    """How long a run waits. `approval`: for an owner's yes. `payment`: for another way to pay. `idle`: with an
    unconfirmed payment, which is then voided. `unclear`: until nobody could tell what became of a payment.
    `hand_over`: for the ERP. `capture` and `undo`: until a person must look. `brief`: for a provider to let go of
    what a buyer does not want any more; a case goes on with it. `slowest` is the longest pause between two tries,
    `poll` the pause between two looks at a payment that waits for its payer."""

    approval: timedelta = timedelta(days=30)
    payment: timedelta = timedelta(minutes=30)
    idle: timedelta = timedelta(minutes=15)
    unclear: timedelta = timedelta(minutes=10)
    hand_over: timedelta = timedelta(days=7)
    capture: timedelta = timedelta(hours=24)
    undo: timedelta = timedelta(hours=24)
    brief: timedelta = timedelta(seconds=5)
    slowest: timedelta = timedelta(minutes=1)
    poll: timedelta = timedelta(seconds=30)


class OrderRef(Frozen):
    """The order that was stored. `erp_number` is None until the ERP has it."""

    id: str
    number: str
    erp_number: str | None = None


class Resume(Frozen):
    """Where a run stood whose history is gone: what it had begun is looked up, so that it goes on as one. `tried` are
    the payments that were asked for; None where that was not kept. `stands` as in `PlacementProgress`. `begins` is where an
    order that is stored goes on; without it all is looked at again."""

    state: str
    attempt: int
    order: OrderRef | None = None
    stuck_in: str | None = None
    reason: str | None = None
    refused_methods: tuple[str, ...] = ()
    tried: tuple[PaymentRequest, ...] | None = None
    stands: bool = False
    begins: str | None = None


class PlacementStart(Frozen):
    """What a run is started with. `turn` counts the runs of one cart, from 1, and `rev_from` is where the one before ended.
    `acting_for` is the name of the person whom a rep stands for; `approval` says that an owner must approve it. On `path` 2
    check and reservation are one transaction; on 3 the order is stored and handed over in one activity, its end writes down that
    the buyer is to be mailed, and nobody is asked for TERMS and COD. Runs end on the path that they began on. `held` says that
    the submit looked at the rights and holds stock and credit: its caller begins the run at once. Who begins it later leaves
    that out, and the run looks itself."""

    token: str
    turn: int = 1
    version: int = VERSION
    path: int = 1
    quote_hash: str
    partner_code: str
    partner_name: str
    owner_id: str
    owner_name: str
    dealer_id: str | None = None
    acting_for: str | None = None
    acting_for_id: str | None = None
    site: str
    total: Money
    currency: str = "USD"
    po_number: str | None = None
    payment: PaymentChoice
    shown: str
    approval: ApprovalAsked | None = None
    held: bool = False
    rev_from: int = 0
    policy: PlacementPolicy = PlacementPolicy()
    portal_url: str = ""
    resume: Resume | None = None


class PaymentView(Frozen):
    """How it is to be paid. `status` is None while nobody was asked; `action_url` is where the buyer confirms it."""

    type: PaymentType
    method_id: str | None
    shown: str
    status: PaymentStatus | None = None
    attempt: int = 0
    detail: str | None = None
    action_url: str | None = None


class Problem(Frozen):
    """Why it does not go on. `code` is stable, `detail` the English text."""

    code: str
    detail: str


class PlacementProgress(Frozen):
    """The part of the view that changes. `refused_methods` are the saved methods that were declined; `notes_at` is when each
    state was last entered; `stuck_in` is where a run that needs attention could not go on. `next_token` is the cart in which the
    lines go on after an order was stored and cancelled. `stands`: the ERP had sent the order before it could be cancelled."""

    payment: PaymentView
    refused_methods: tuple[str, ...] = ()
    error: Problem | None = None
    order: OrderRef | None = None
    waits_for: WaitsOn | None = None
    deadline: Utc | None = None
    reason: str | None = None
    stuck_in: str | None = None
    next_token: str | None = None
    stands: bool = False
    approval: Approval | None = None
    notes_at: dict[str, Utc] = {}


class PlacementMessage(Frozen):
    """What somebody wants of a run. `how` is an operator's request; `quote_hash` is what a requester agrees to."""

    actor_id: str | None = None
    actor: str = ""
    acting_for: str | None = None
    payment: PaymentChoice | None = None
    shown: str = ""
    reason: str = ""
    how: How | None = None
    quote_hash: str | None = None


class PlacementReply(Frozen):
    token: str
    rev: int
    state: str


class CartInPlacement(Conflict):
    """The cart is being placed: nothing of it changes until that has ended. `flow` in the answer is the run."""

    code = "cart_in_placement"
    detail = "This cart is being ordered and cannot be changed."


class PlacementStateConflict(Conflict):
    """Not at this point."""

    code = "order_moved"
    detail = "This is not possible at this point of the order."


class PlacementTriedTooOften(Conflict):
    code = "tried_too_often"
    detail = "This order was tried too often. Please cancel it and order again."


class NotCancellable(Conflict):
    """The ERP has accepted it."""

    code = "order_not_cancellable"
    detail = "This order cannot be cancelled any more."


class StockChanged(Conflict):
    """Somebody else was faster: what can be sent at once has changed, so the buyer is asked again."""

    code = "stock_changed"
    detail = "The stock has changed. Please check your order again."


class BusinessChanged(Conflict):
    """Buyer and business no longer belong together."""

    code = "business_changed"
    detail = "You cannot order for this business any more."


class OrderSpent(Conflict):
    """An order of this cart was stored, and cancelled."""

    code = "order_spent"
    detail = "This order was cancelled. Please order again from your cart."


class OrderRefused(Conflict):
    """The ERP said no."""

    code = "order_refused"
    detail = "Your order could not be accepted. Please ask your sales rep."


PAYMENT_ERROR = "PAYMENT_ERROR"
"""Shop spec 8: the method is marked invalid, and the server's text is shown."""

NOT_PROVEN = Problem(
    code=PAYMENT_ERROR, detail="The payment was not confirmed in time. Please choose how to pay."
)
OVER_LIMIT = Problem(code=OverCreditLimit.code, detail=OverCreditLimit.detail)
PAYMENT_UNCLEAR = Problem(
    code="payment_unclear",
    detail="Nobody can tell yet what became of the payment. We look after it; you are not charged twice.",
)
HAND_OVER_UNCLEAR = Problem(
    code="hand_over_unclear", detail="The order could not be handed over yet. We look after it."
)
CAPTURE_UNCLEAR = Problem(
    code="capture_unclear", detail="The payment could not be taken yet. We look after it."
)
UNDOING_UNCLEAR = Problem(
    code="undoing_unclear", detail="Not everything could be taken back yet. We look after it."
)
UNCLEAR_IN: Mapping[str, Problem] = {
    "authorising": PAYMENT_UNCLEAR,
    "handing_over": HAND_OVER_UNCLEAR,
    "capturing": CAPTURE_UNCLEAR,
    "compensating": UNDOING_UNCLEAR,
}
"""Where it is stuck → what is told of it."""
ALREADY_SENT = Problem(
    code="already_sent",
    detail="The order was sent before it could be cancelled, so it stands.",
)
APPROVAL_EXPIRED = Problem(
    code="approval_expired", detail="Nobody approved the order in time. Your cart is back."
)
APPROVAL_REJECTED = Problem(
    code="approval_rejected", detail="The order was not approved. Your cart is back."
)
DECLINED_WORDS = "Your payment was declined."

WAITS_ON: Mapping[str, WaitsOn] = {
    "waiting_for_approval": "approver",
    "requoted": "buyer",
    "authorising": "payment",
    "action_required": "buyer",
    "payment_failed": "buyer",
    "handing_over": "erp",
    "capturing": "payment",
    "needs_attention": "operator",
}

BY_HAND: Mapping[str, Mapping[How, str]] = {
    "authorising": {"retry": transitions.RETRY_PAYMENT, "cancel": transitions.CANCEL},
    "handing_over": {"retry": transitions.RETRY_HAND_OVER, "cancel": transitions.CANCEL},
    "capturing": {"retry": transitions.RETRY_CAPTURE, "confirmed": transitions.SETTLE_CONFIRMED},
    "compensating": {"retry": transitions.RETRY_UNDOING, "undone": transitions.SETTLE_UNDONE},
}
"""Where it is stuck → what an operator may do → the event."""


def waits_on(state: str) -> WaitsOn | None:
    """None once it has ended."""
    return WAITS_ON.get(state, "portal") if transitions.PLACEMENT[state] else None


def event_by_hand(state: str, stuck_in: str | None, how: How | None) -> str | None:
    """The event that an operator's request is at this point; None when it is not possible. The ERP's slowness may be looked at
    again at any time."""
    if how is None:
        return None
    where = stuck_in if state == "needs_attention" else state
    event = BY_HAND.get(where or "", {}).get(how)
    return event if event in transitions.allowed(state, stuck_in) else None


STORED_GOES_ON_AT: Mapping[str, str] = {
    "recording": "handing_over",
    "handing_over": "handing_over",
    "capturing": "capturing",
}
"""Where the run of a stored order was lost → where another goes on, as the ERP may have the order."""


def resumed(
    start: PlacementStart,
    *,
    state: str,
    rev: int,
    view: PlacementProgress,
    tried: tuple[PaymentRequest, ...],
    order: OrderRef | None = None,
) -> PlacementStart:
    """The start of a run in the place of one that is gone, which stood like this and had asked for these payments. `order` is what
    it had stored."""
    return start.model_copy(
        update={
            "rev_from": rev + 1,
            "payment": PaymentChoice(type=view.payment.type, method_id=view.payment.method_id),
            "shown": view.payment.shown,
            "resume": Resume(
                state=state,
                attempt=view.payment.attempt,
                order=view.order or order,
                stuck_in=view.stuck_in,
                reason=view.reason,
                refused_methods=view.refused_methods,
                tried=tried,
                stands=view.stands,
                begins=STORED_GOES_ON_AT.get(state) if view.order or order else None,
            ),
        }
    )
