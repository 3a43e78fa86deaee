"""What a purchase of plans shows of itself: its state and every change of it, the view, the row, what it tells others."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from temporalio import workflow
from temporalio.common import SearchAttributePair as Pair
from temporalio.common import SearchAttributeUpdate, TypedSearchAttributes
from temporalio.exceptions import ApplicationError, FailureError

with workflow.unsafe.imports_passed_through():
    from activities.runs.flows import FlowActivities
    from domain.activation.activation import PurchaseMoved
    from domain.operations.operations import TURN_WORDS, WaitsFor, waits_for
    from domain.plans import purchase_v1 as walk
    from domain.plans.purchases import (
        LineStatus,
        LineView,
        PaymentView,
        PurchaseAsk,
        PurchaseError,
        PurchaseReply,
        PurchaseStart,
        PurchaseView,
    )
    from domain.plans.quote import ZERO, Quote, QuotedLine
    from domain.plans.receipts import Receipt, ReceiptLine
    from domain.runs.projection import Projection
    from domain.runs.transition import Transition
    from workflows import calls, ids

NEEDS_ATTENTION = "needs_attention"


class ShownPurchase:
    """State and view of one purchase. Every change of state goes through `move`, which refuses what the walk has not."""

    def __init__(self, start: PurchaseStart) -> None:
        self.start = start
        self.policy = start.policy
        self.address = start.address
        self.state = "quoting"
        self.rev = self.seq = 0
        self.settled = -1
        self.began = self.since = workflow.now()
        self.deadline: datetime | None = None
        self.expires_at: datetime | None = None
        self.paid_at: datetime | None = None
        self.quote: Quote | None = None
        self.statuses: dict[str, LineStatus] = {}
        self.faults: dict[str, tuple[str, str | None]] = {}
        self.payment: PaymentView | None = None
        self.payment_id: str | None = None
        self.attempt: int = 0
        self.refused_methods: tuple[str, ...] = ()
        self.refunded: Decimal = ZERO
        self.error: PurchaseError | None = None
        self.has_receipt = False
        self.moves: list[Transition] = []
        self.times: dict[str, datetime] = {"quoting": self.began}
        self.notify = [start.notify] if start.notify else []
        self.asked: str | None = None
        self.asker: PurchaseAsk | None = None

    @property
    def ended(self) -> bool:
        return not walk.PURCHASE[self.state]

    # ------------------------------------------------------------ changes

    async def move(self, event: str, *, limit: timedelta | None = None) -> None:
        """The one place where the state changes; `limit` is how long it may last."""
        target = walk.PURCHASE[self.state].get(event)
        if target is None:
            raise ApplicationError(f"{event} leads nowhere from {self.state}", non_retryable=True)
        now, asker = workflow.now(), self.asker if event in walk.USER_EVENTS else None
        self.rev += 1
        self.moves.append(
            Transition(
                rev=self.rev,
                event=event,
                from_state=self.state,
                to_state=target,
                at=now,
                actor_id=asker.actor_id if asker else None,
                actor=asker.actor if asker else None,
                acting_for=asker.acting_for if asker else None,
                note=self.error.detail if self.error else None,
            )
        )
        self.state, self.since = target, now
        self.times[target] = now
        self.deadline = now + limit if limit is not None else None
        if self.asked is not None and self.asked not in self.allowed():
            self.asked = self.asker = None  # what was asked of the state before has lapsed
        updates: list[SearchAttributeUpdate[Any]] = [ids.FLOW_STEP.value_set(target)]
        if NEEDS_ATTENTION in (target, self.moves[-1].from_state):
            updates.append(ids.NEEDS_ATTENTION.value_set(target == NEEDS_ATTENTION))
        workflow.upsert_search_attributes(updates)  # pyright: ignore[reportUnknownMemberType]
        await self.settle()

    async def settle(self) -> None:
        """Writes the row of the run."""
        view, rev, moves = self.view(), self.rev, self.moves
        self.moves = []
        workflow.set_current_details(self.details(view))
        projection = self.projection(view, moves)
        if projection.ended:
            # An end must be durable before anybody sees it: the server may refuse the task that closes the run.
            await workflow.execute_activity_method(
                FlowActivities.project, projection, summary="show the end", **calls.OURS
            )
        else:
            await workflow.execute_local_activity_method(
                FlowActivities.project, projection, **calls.OURS
            )
        self.settled = rev

    async def show(self) -> None:
        """A change without another state: how far the devices are."""
        self.rev += 1
        await self.settle()

    async def tell_waiting(self) -> None:
        """Each activation that waits is told once how it ended; one that has ended is told nothing."""
        settled = PurchaseMoved(
            id=f"{self.start.id}-{self.rev}",
            purchase_id=self.start.id,
            state=self.state,
            provisioned=self.provisioned(),
        )
        for listener in self.notify:
            try:
                await workflow.get_external_workflow_handle(listener).signal(
                    "purchase_settled", settled
                )
            except FailureError:
                workflow.logger.info("an activation is not there any more")

    # ------------------------------------------------------------ what is known

    def allowed(self) -> tuple[str, ...]:
        return walk.allowed(self.state)

    def good_lines(self) -> tuple[QuotedLine, ...]:
        return self.quote.good_lines if self.quote else ()

    def of_status(self, *statuses: LineStatus) -> tuple[QuotedLine, ...]:
        return tuple(
            line for line in self.good_lines() if self.statuses.get(line.device_key) in statuses
        )

    def provisioned(self) -> tuple[str, ...]:
        return tuple(line.device_key for line in self.of_status(LineStatus.PROVISIONED))

    def view(self) -> PurchaseView:
        start, quote = self.start, self.quote
        turn = None if self.ended else self.turn()
        return PurchaseView(
            uuid=start.id,
            version=start.version,
            partner_code=start.buyer.partner_code,
            lines=tuple(self.line_view(line) for line in quote.lines) if quote else (),
            base_amount=quote.base_amount if quote else ZERO,
            currency_discount=quote.currency_discount if quote else ZERO,
            base_tax=quote.base_tax if quote else ZERO,
            taxes=quote.taxes if quote else (),
            final_charge=quote.final_charge if quote else ZERO,
            currency=quote.currency if quote else "USD",
            refunded=self.refunded,
            quote_hash=quote.quote_hash if quote else None,
            expires_at=self.expires_at if self.state == "quoted" else None,
            deadline=self.deadline,
            address=self.address,
            payment=self.payment,
            refused_methods=self.refused_methods,
            error=self.error,
            waits_for=turn,
            placed_by=start.buyer.name,
            acting_for=start.buyer.acting_for,
            activation_id=start.activation_id,
            receipt=self.has_receipt,
            notes_at=dict(self.times),
        )

    def turn(self) -> WaitsFor:
        return waits_for("purchase", self.state, self.allowed())

    def line_view(self, line: QuotedLine) -> LineView:
        problem, detail = self.faults.get(line.device_key, (line.problem, line.detail))
        quoted = LineStatus.QUOTED if line.is_good else LineStatus.REFUSED
        kept: dict[str, Any] = line.model_dump()
        kept |= {"problem": problem, "detail": detail}
        return LineView(**kept, status=self.statuses.get(line.device_key, quoted))

    def receipt(self, *, succeeded: bool, completed: bool = False) -> Receipt:
        """The receipt as it is by now."""
        quote, buyer, payment = self.quote, self.start.buyer, self.payment
        assert quote is not None
        now = workflow.now()
        return Receipt(
            uuid=self.start.id,
            partner_code=buyer.partner_code,
            dealer_id=buyer.dealer_id,
            owner_id=buyer.person_id,
            subscriber_id=buyer.subscriber_id,
            bought_by=buyer.name,
            acting_for=buyer.acting_for,
            succeeded=succeeded,
            detail=None if succeeded or payment is None else payment.detail,
            transaction_id=self.payment_id,
            payment_shown=payment.shown if payment else "",
            currency=quote.currency,
            base_amount=quote.base_amount,
            currency_discount=quote.currency_discount,
            base_tax=quote.base_tax,
            gst_hst=quote.gst_hst,
            final_charge=quote.final_charge,
            refunded=self.refunded,
            lines=tuple(self.receipt_line(line) for line in quote.good_lines),
            taxes=quote.taxes,
            address=self.address,
            created_at=self.paid_at or now,
            completed_at=now if completed else None,
        )

    def receipt_line(self, line: QuotedLine) -> ReceiptLine:
        shown = self.line_view(line)
        fields = set(ReceiptLine.model_fields) - {"plan_name"}
        return ReceiptLine(**shown.model_dump(include=fields), plan_name=line.new_plan_name)

    def projection(self, view: PurchaseView, moves: list[Transition]) -> Projection:
        buyer, ended = self.start.buyer, self.ended
        needs = self.state == NEEDS_ATTENTION
        return Projection(
            id=self.start.id,
            kind="purchase",
            version=self.start.version,
            workflow_id=workflow.info().workflow_id,
            run_id=workflow.info().run_id,
            rev=self.rev,
            seq=self.seq,
            state=self.state,
            allowed=self.allowed(),
            view=view.model_dump(mode="json"),
            device_key=None,
            site=buyer.site,
            dealer_id=buyer.dealer_id,
            owner_id=buyer.person_id,
            partner=buyer.partner_code,
            outcome=self.state if ended or needs else None,
            at=self.since,
            ended=ended,
            transitions=tuple(moves),
        )

    def details(self, view: PurchaseView) -> str:
        """What an operator reads in the Temporal UI."""
        rows = [f"| {one.device_key} | {one.plan_id} | {one.status} |" for one in view.lines]
        return "\n".join(
            [
                f"**{walk.LABELS[self.state]}** ({self.state}) since {self.since:%Y-%m-%d %H:%M:%S} UTC",
                f"Waits for {TURN_WORDS[view.waits_for]}" if view.waits_for else "",
                f"Until {self.deadline:%Y-%m-%d %H:%M:%S} UTC" if self.deadline else "",
                f"Last error: {self.error.detail}" if self.error else "",
                f"{view.final_charge} {view.currency}, {view.refunded} paid back, attempt {self.attempt}",
                "",
                "| device | plan | |",
                "| --- | --- | --- |",
                *rows,
                "",
                f"Business {self.start.buyer.partner_code}; "
                f"[portal]({self.start.portal_url}/cart/checkout/subscriptions?uuid={self.start.id})",
            ]
        )

    def reply(self) -> PurchaseReply:
        return PurchaseReply(id=self.start.id, rev=self.rev, state=self.state)


def attributes_of(start: PurchaseStart) -> TypedSearchAttributes:
    """Search attributes that a run is started with."""
    buyer = start.buyer
    pairs: list[Pair[str]] = [
        Pair(ids.FLOW_KIND, "purchase"),
        Pair(ids.FLOW_STEP, "quoting"),
        Pair(ids.SITE, buyer.site),
        Pair(ids.BP_CODE, buyer.partner_code),
        Pair(ids.INSTALLER_ID, buyer.person_id),
    ]
    if buyer.dealer_id is not None:
        pairs.append(Pair(ids.DEALER_ID, buyer.dealer_id))
    return TypedSearchAttributes(pairs)


def summary_of(start: PurchaseStart) -> str:
    """The one line of a run in the Temporal UI."""
    return f"plans for {len(start.lines)} · {start.buyer.partner_code} · {start.buyer.site}"
