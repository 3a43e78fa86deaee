"""What a payment of invoices shows of itself: its state and every change of it, the view, the row."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from temporalio import workflow
from temporalio.common import SearchAttributeUpdate

with workflow.unsafe.imports_passed_through():
    from domain.billing.invoice_allocation import Allocation
    from domain.billing.invoice_payment import (
        InvoiceLine,
        InvoicePaymentDeclined,
        InvoicePaymentError,
        InvoicePaymentMessage,
        InvoicePaymentReply,
        InvoicePaymentResume,
        InvoicePaymentStart,
        InvoicePaymentView,
        InvoiceStatus,
    )
    from domain.billing.payments import NOTHING, PayingFlow
    from domain.kinds import INVOICE_PAYMENT
    from domain.operations.cases import UNANSWERED, BelongsTo
    from workflows import ids
    from workflows.charging import ChargingAtOnce
    from workflows.run import NEEDS_ATTENTION, Command


class InvoicePaymentRunState(ChargingAtOnce[InvoicePaymentMessage]):
    """State and view of one payment of invoices."""

    kind = INVOICE_PAYMENT

    def __init__(self, start: InvoicePaymentStart) -> None:
        super().__init__(
            start.id, version=start.version, rev=start.rev_from, published_rev=start.rev_from - 1
        )
        self.start: InvoicePaymentStart = start
        self.policy = start.policy
        self.pay_by = start.pay_by
        self.statuses = {one.number: InvoiceStatus.WAITING for one in start.plan.allocations}
        self.reasons: dict[str, str] = {}
        self.payment = None
        self.attempt: int = 0
        self.refused_methods: tuple[str, ...] = ()
        self.refunded: Decimal = NOTHING
        self.error: InvoicePaymentError | None = None
        self.times: dict[str, datetime] = {self.state: self.since}
        self.request = None
        if start.resume is not None:
            self.resume(start.resume)

    def resume(self, resume: InvoicePaymentResume) -> None:
        """In the place of a run that is gone: under the same keys, so that nothing is charged, posted or paid back twice."""
        view = resume.view
        self.state = resume.goes_on_at
        self.request = resume.wish
        self.attempt = resume.wish.attempt if resume.wish else 0
        self.payment = resume.payment
        self.refused_methods, self.error = view.refused_methods, view.error
        self.left_note = view.left or (UNANSWERED if resume.is_left else None)
        if resume.is_let_go and self.state == "declined" and self.error is None:
            self.error = InvoicePaymentError(code=InvoicePaymentDeclined.code, detail=UNANSWERED)
        self.times = dict(view.notes_at) | {self.state: self.since}
        for one in resume.settled:
            self.statuses[one.number] = one.status
            if one.detail is not None:
                self.reasons[one.number] = one.detail
        given_back = self.of_status(InvoiceStatus.REFUNDED)
        self.refunded = sum((one.charged for one in given_back), NOTHING)
        limits = {"declined": self.policy.declined, "action_required": self.policy.action}
        if self.state in limits:
            self.deadline = view.deadline or self.since + limits[self.state]

    def belongs_to(self) -> BelongsTo:
        return BelongsTo(
            kind="invoice_payment",
            id=self.start.id,
            name="Payment of invoices",
            flow=PayingFlow.INVOICE_PAYMENT,
            flow_id=self.start.id,
        )

    def entered(
        self, event: str, before: str, cause: Command[InvoicePaymentMessage] | None
    ) -> None:
        super().entered(event, before, cause)
        self.times[self.state] = self.since

    def remark(self, ask: InvoicePaymentMessage | None) -> str | None:
        return self.error.detail if self.error else None

    def attributes(self, before: str) -> list[SearchAttributeUpdate[Any]]:
        updates = super().attributes(before)
        if NEEDS_ATTENTION in (self.state, before):
            updates.append(ids.NEEDS_ATTENTION.value_set(self.state == NEEDS_ATTENTION))
        return updates

    async def show(self) -> None:
        """A change without another state: how far the invoices are."""
        self.rev += 1
        await self.publish()

    def of_status(self, status: InvoiceStatus) -> tuple[Allocation, ...]:
        return tuple(
            one for one in self.start.plan.allocations if self.statuses[one.number] is status
        )

    def mark(self, allocations: tuple[Allocation, ...], status: InvoiceStatus) -> None:
        for one in allocations:
            self.statuses[one.number] = status

    def present(self) -> InvoicePaymentView:
        start, plan = self.start, self.start.plan
        return InvoicePaymentView(
            uuid=start.id,
            version=start.version,
            partner_code=start.payer.partner_code,
            lines=tuple(self.line(one) for one in plan.allocations),
            charged=plan.charged,
            discount=plan.discount,
            applied=plan.applied,
            refunded=self.refunded,
            currency=plan.currency,
            submitted_at=start.submitted_at,
            deadline=self.deadline,
            payment=self.payment,
            refused_methods=self.refused_methods,
            error=self.error,
            waits_for=None if self.ended else self.turn(),
            paid_by=start.payer.name,
            acting_for=start.payer.acting_for,
            notes_at=dict(self.times),
            left=self.left_note,
        )

    def line(self, one: Allocation) -> InvoiceLine:
        return InvoiceLine(
            number=one.number,
            amount=one.amount,
            charged=one.charged,
            discount=one.discount,
            discount_day=one.discount_day,
            memos=one.memos,
            settles=one.settles,
            status=self.statuses[one.number],
            detail=self.reasons.get(one.number),
        )

    def more_details(self) -> list[str]:
        plan = self.start.plan
        counts = [f"{len(self.of_status(status))} {status}" for status in InvoiceStatus]
        return [
            f"Last error: {self.error.detail}" if self.error else "",
            f"{plan.charged} {plan.currency}, {self.refunded} paid back, attempt {self.attempt}",
            f"{len(plan.allocations)} invoices: {', '.join(counts)}",
            "",
            f"Business {self.start.payer.partner_code}",
        ]

    def reply(self) -> InvoicePaymentReply:
        return InvoicePaymentReply(id=self.start.id, rev=self.rev, state=self.state)
