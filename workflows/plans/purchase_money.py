"""The money of a purchase of plans: charged, given back, let go of."""

from datetime import timedelta
from decimal import Decimal

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from domain.billing.payments import (
        PayingFlow,
        PaymentOutcome,
        PaymentRequest,
        RefundRequest,
    )
    from domain.operations.cases import BelongsTo
    from domain.plans import purchase_v3 as transitions
    from domain.plans.purchases import PurchaseStart
    from domain.plans.quote import Quote
    from workflows.charging import VOIDS_BEHIND
    from workflows.plans.purchase_state import PurchaseRunState


class PurchaseMoney(PurchaseRunState):
    """`pay_by` is how the present payment is paid."""

    def __init__(self, start: PurchaseStart) -> None:
        super().__init__(start)
        self.pay_by = (start.resume.pay_by if start.resume else None) or start.pay_by
        self.request = start.resume.wish if start.resume else None
        self.case_policy = start.policy.case

    def belongs_to(self) -> BelongsTo:
        return BelongsTo(
            kind="purchase",
            id=self.start.id,
            name="Purchase of plans",
            flow=PayingFlow.PURCHASE,
            flow_id=self.start.id,
        )

    async def authorise(self, quote: Quote) -> PaymentOutcome | None:
        """The charge, under a key of its own; None while nobody can tell what became of it."""
        assert self.pay_by is not None
        self.attempt += 1
        request = self.attempt_to_charge(
            self.pay_by,
            self.attempt,
            amount=quote.final_charge,
            currency=quote.currency,
            description=f"Plans for {len(quote.good_lines)} devices",
        )
        self.payment_id = request.payment_id
        return await self.charge_at_once(request, self.policy.charge)

    def is_stopped(self) -> bool:
        return (
            self.command is not None
            and self.command.event in (transitions.CANCEL, transitions.PAY)
            and self.command.event in self.allowed()
        )

    async def give_back(
        self, request: PaymentRequest, amount: Decimal, key: str, brief: timedelta | None
    ) -> bool:
        """False where a case goes on with it. Raises ActivityError when it is refused."""
        refund = RefundRequest(
            payment_id=request.payment_id,
            amount=amount,
            key=key,
            reason="plans that could not be set up",
        )
        outcome = await self.refund_behind(request, refund, "pay back what failed", brief)
        if outcome is None:
            return False
        self.show_payment(outcome)
        self.refunded += amount
        return True

    async def let_go(self) -> None:
        """Of the present charge, if there is one; the buyer waits for no provider."""
        request = self.request
        if request is None:
            return
        if not self.does(self.stops_charges):
            self.show_payment(await self.void())
            return
        await self.let_go_behind(request, self.policy.brief)

    async def void_in_time(self) -> PaymentOutcome:
        """Lets go of the present charge, which is shown; whoever pays in another way meanwhile does not wait for its provider."""
        assert self.request is not None
        if self.does(VOIDS_BEHIND):
            return await self.let_go_behind(self.request, self.policy.brief)
        outcome = await self.void()
        self.show_payment(outcome)
        return outcome
