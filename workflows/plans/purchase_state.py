"""What a purchase of plans shows of itself: its state and every change of it, the view, the row, what it tells others."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from temporalio import workflow
from temporalio.common import SearchAttributeUpdate
from temporalio.exceptions import FailureError

with workflow.unsafe.imports_passed_through():
    from domain.activation.activation import PurchaseProgress
    from domain.checkout.approvals import Approval
    from domain.kinds import PURCHASE
    from domain.operations.cases import UNANSWERED
    from domain.plans.approvals import OVER_LIMITS
    from domain.plans.purchase_v3 import WAITING
    from domain.plans.purchases import (
        GIVEN_UP,
        NOT_PAID,
        LineStatus,
        LineView,
        PurchaseError,
        PurchaseMessage,
        PurchaseReply,
        PurchaseResume,
        PurchaseStart,
        PurchaseView,
        Trying,
    )
    from domain.plans.quote import ZERO, Quote, QuotedLine
    from domain.plans.receipts import Receipt, ReceiptLine
    from workflows import ids
    from workflows.charging import ChargingAtOnce
    from workflows.run import NEEDS_ATTENTION, Command


class PurchaseRunState(ChargingAtOnce[PurchaseMessage]):
    """State and view of one purchase."""

    kind = PURCHASE
    answers_early = True

    def __init__(self, start: PurchaseStart) -> None:
        super().__init__(
            start.id, version=start.version, rev=start.rev_from, published_rev=start.rev_from - 1
        )
        self.start: PurchaseStart = start
        self.policy = start.policy
        self.address = start.address
        self.expires_at: datetime | None = None
        self.paid_at: datetime | None = None
        self.quote: Quote | None = None
        self.statuses: dict[str, LineStatus] = {}
        self.faults: dict[str, tuple[str, str | None]] = {}
        self.payment = None
        self.payment_id: str | None = None
        self.attempt: int = 0
        self.refused_methods: tuple[str, ...] = ()
        self.refunded: Decimal = ZERO
        self.refused_for_good: set[str] = set()
        self.error: PurchaseError | None = None
        self.approval: Approval | None = None
        self.agreed_charge: Decimal | None = None
        self.trying: Trying | None = None
        self.has_receipt = False
        self.times: dict[str, datetime] = {self.state: self.since}
        self.notify = [start.notify] if start.notify else []
        if start.resume is not None:
            self.resume(start.resume)

    def resume(self, resume: PurchaseResume) -> None:
        """In the place of a run that is gone: under the same keys, so that nothing is charged, set up or paid back twice."""
        view = resume.view
        self.state = resume.goes_on_at
        self.notify = list(dict.fromkeys([*self.notify, *resume.listeners]))
        self.address, self.refused_methods = view.address, view.refused_methods
        self.has_receipt, self.refunded = view.receipt, view.refunded
        self.left_note = view.left or (UNANSWERED if resume.is_left else None)
        self.attempt = resume.wish.attempt if resume.wish else 0
        self.quote = resume.quote
        self.times = dict(view.notes_at) | {self.state: self.since}
        if self.quote is None:
            return
        self.payment = view.payment
        self.payment_id = resume.wish.payment_id if resume.wish else None
        self.paid_at = self.quote.quoted_at
        if self.state in WAITING:
            self.approval, self.agreed_charge = view.approval, view.agreed_charge
            self.deadline = view.approval.until if view.approval else None
        if self.state == NEEDS_ATTENTION or self.state in WAITING:
            return
        for line in view.lines:
            self.statuses[line.device_key] = line.status
            if line.problem is not None:
                self.faults[line.device_key] = (line.problem, line.detail)
        self.trying = view.trying
        if self.state == "part_failed":
            self.deadline = view.deadline

    def entered(self, event: str, before: str, cause: Command[PurchaseMessage] | None) -> None:
        super().entered(event, before, cause)
        self.times[self.state] = self.since

    def remark(self, ask: PurchaseMessage | None) -> str | None:
        return (ask.reason if ask else None) or (self.error.detail if self.error else None)

    def attributes(self, before: str) -> list[SearchAttributeUpdate[Any]]:
        updates = super().attributes(before)
        if NEEDS_ATTENTION in (self.state, before) or self.is_overdue:
            needs_it = self.ended_as() == NEEDS_ATTENTION
            updates.append(ids.NEEDS_ATTENTION.value_set(needs_it))
        return updates

    @property
    def is_overdue(self) -> bool:
        """Whether its buyer was asked again, and has not said what to do."""
        return self.trying is not None and self.trying.is_overdue

    def ended_as(self) -> str | None:
        if self.state == "part_failed" and self.is_overdue:
            return NEEDS_ATTENTION
        return super().ended_as()

    async def show(self) -> None:
        """A change without another state: how far the devices are."""
        self.rev += 1
        await self.publish()

    async def notify_waiting(self) -> None:
        """Each activation that waits is told what has its plan by now: once it has ended, and each time when some failed."""
        for listener in tuple(self.notify):
            await self.notify_listener(listener)

    async def notify_listener(self, listener: str) -> None:
        """One that has ended is told nothing."""
        progress = PurchaseProgress(
            id=f"{self.start.id}-{self.rev}",
            purchase_id=self.start.id,
            state=self.state,
            provisioned=self.provisioned(),
            given_up=self.given_up_for_good(),
        )
        try:
            await workflow.get_external_workflow_handle(listener).signal(
                "purchase_settled", progress
            )
        except FailureError:
            workflow.logger.info("an activation is not there any more")

    def good_lines(self) -> tuple[QuotedLine, ...]:
        return self.quote.good_lines if self.quote else ()

    def of_status(self, *statuses: LineStatus) -> tuple[QuotedLine, ...]:
        return tuple(
            line for line in self.good_lines() if self.statuses.get(line.device_key) in statuses
        )

    def provisioned(self) -> tuple[str, ...]:
        return tuple(line.device_key for line in self.of_status(LineStatus.PROVISIONED))

    def given_up_for_good(self) -> tuple[str, ...]:
        """Devices that will have no plan by this purchase."""
        over = self.of_status(*GIVEN_UP)
        return tuple(line.device_key for line in over)

    def final_devices(self) -> tuple[str, ...]:
        """Devices of which this purchase wants nothing more: no try and no resumed run sets them up again."""
        return (*self.provisioned(), *self.given_up_for_good())

    def present(self) -> PurchaseView:
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
            approval_above=quote.approval_above if quote else None,
            approval=self.approval,
            agreed_charge=self.agreed_charge,
            left=self.left_note,
            trying=self.trying,
            over_limit=OVER_LIMITS.get(quote.over_limit) if quote and quote.over_limit else None,
        )

    def line_view(self, line: QuotedLine) -> LineView:
        problem, detail = self.faults.get(line.device_key, (line.problem, line.detail))
        quoted = LineStatus.QUOTED if line.is_good else LineStatus.REFUSED
        values: dict[str, Any] = line.model_dump()
        values |= {"problem": problem, "detail": detail}
        status = self.statuses.get(line.device_key, quoted)
        return LineView(
            **values,
            status=status,
            paid=ZERO if status in NOT_PAID else line.total,
            refunded=line.total if status is LineStatus.REFUNDED else ZERO,
        )

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

    def more_details(self) -> list[str]:
        view = self.present()
        return [
            f"Last error: {self.error.detail}" if self.error else "",
            f"{view.final_charge} {view.currency}, {view.refunded} paid back, attempt {self.attempt}",
            "",
            "| device | plan | |",
            "| --- | --- | --- |",
            *(f"| {one.device_key} | {one.plan_id} | {one.status} |" for one in view.lines),
            "",
            f"Business {self.start.buyer.partner_code}",
        ]

    def reply(self) -> PurchaseReply:
        return PurchaseReply(id=self.start.id, rev=self.rev, state=self.state)
