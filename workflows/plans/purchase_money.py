"""The money of a purchase of plans: charged, looked up, given back; what a provider does not give back is a case (decision 51)."""

import asyncio
from decimal import Decimal

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.billing.payments import PaymentActivities
    from activities.operations.cases import CaseActivities
    from domain.billing.payments import (
        ChargeView,
        PayBy,
        PayingFlow,
        PaymentOutcome,
        PaymentRef,
        PaymentStatus,
        PaymentWish,
        RefundWish,
    )
    from domain.operations.cases import IN_A_CASE, BelongsTo, let_go, refused_refund
    from domain.plans import purchase_v2 as walk
    from domain.plans.purchases import PurchaseStart
    from domain.plans.quote import Quote
    from workflows import calls
    from workflows.plans.purchase_state import PurchaseRunState
    from workflows.run import reason_of

STOPS_CHARGES = "stops-charges"


class PurchaseMoney(PurchaseRunState):
    """`wish` is the present payment, `pay_by` how it is paid."""

    def __init__(self, start: PurchaseStart) -> None:
        super().__init__(start)
        self.pay_by = start.pay_by or (start.resume.pay_by if start.resume else None)
        self.wish: PaymentWish | None = start.resume.wish if start.resume else None

    async def authorise(self, quote: Quote) -> PaymentOutcome | None:
        """The charge, under a key of its own; None while nobody can tell what became of it."""
        pay_by = self.pay_by
        assert pay_by is not None
        self.attempt += 1
        self.wish = self.payment_wish(quote, pay_by)
        self.payment_id = self.wish.payment_id
        self.payment = ChargeView(
            type=pay_by.type,
            method_id=pay_by.method_id,
            status=PaymentStatus.UNKNOWN,
            attempt=self.attempt,
        )
        charging = workflow.start_activity_method(
            PaymentActivities.authorise,
            self.wish,
            summary=f"charge {quote.final_charge} {quote.currency}",
            schedule_to_close_timeout=self.policy.charge,
            **calls.PAYING,
        )
        await workflow.wait_condition(lambda: charging.done() or self.is_stopped())
        if not charging.done() and workflow.patched(STOPS_CHARGES):
            charging.cancel()
        try:
            outcome = await charging
            if outcome.status is not PaymentStatus.AUTHORISED:
                return outcome
            return await workflow.execute_activity_method(
                PaymentActivities.capture,
                PaymentRef.of_key(self.wish.key),
                summary="take what is held",
                schedule_to_close_timeout=self.policy.charge,
                **calls.PAYING,
            )
        except (ActivityError, asyncio.CancelledError):
            return None

    def is_stopped(self) -> bool:
        """Whether the buyer does not wait for this charge any longer."""
        return (
            self.command is not None
            and self.command.event in (walk.CANCEL, walk.PAY)
            and self.command.event in self.allowed()
        )

    def payment_wish(self, quote: Quote, pay_by: PayBy) -> PaymentWish:
        buyer, workflow_id = self.start.buyer, workflow.info().workflow_id
        return PaymentWish(
            flow=PayingFlow.PURCHASE,
            flow_id=self.start.id,
            workflow_id=workflow_id,
            attempt=self.attempt,
            key=f"{workflow_id}:{self.attempt}",
            partner_code=buyer.partner_code,
            person_id=buyer.person_id,
            type=pay_by.type,
            method_id=pay_by.method_id,
            amount=quote.final_charge,
            currency=quote.currency,
            description=f"Plans for {len(quote.good_lines)} devices",
            capture=True,
        )

    async def look_up(self) -> PaymentOutcome | None:
        """What the provider says now; None while it does not answer."""
        if self.wish is None:
            return None
        try:
            return await workflow.execute_activity_method(
                PaymentActivities.look_up,
                PaymentRef.of_key(self.wish.key),
                summary="look the payment up",
                **calls.READ,
            )
        except ActivityError:
            return None

    async def give_back(self, wish: PaymentWish, amount: Decimal, key: str) -> None:
        """Raises ActivityError."""
        outcome = await workflow.execute_activity_method(
            PaymentActivities.refund,
            RefundWish(
                payment_id=wish.payment_id,
                amount=amount,
                key=key,
                reason="plans that could not be set up",
            ),
            summary="pay back what failed",
            **calls.PAYING,
        )
        self.show_payment(outcome)
        self.refunded += amount

    async def let_go(self) -> None:
        """Of the present charge, if there is one; the buyer waits for no provider: what it does not let go of at once is a
        case's."""
        wish = self.wish
        if wish is None:
            return
        if not workflow.patched(STOPS_CHARGES):
            self.show_payment(await self.void())
            return
        outcome = PaymentOutcome(payment_id=wish.payment_id, status=PaymentStatus.VOIDED)
        is_dropped = await workflow.execute_local_activity_method(
            PaymentActivities.drop, PaymentRef.of(wish), **calls.OURS
        )
        try:
            if not is_dropped:
                outcome = await workflow.execute_activity_method(
                    PaymentActivities.void,
                    PaymentRef.of(wish),
                    summary="void the payment",
                    schedule_to_close_timeout=self.policy.brief,
                    **calls.PAYING,
                )
        except ActivityError:
            buyer = self.start.buyer
            case = let_go(
                self.belongs_to(),
                wish,
                at=workflow.now(),
                dealer_id=buyer.dealer_id,
                site=buyer.site,
            )
            await workflow.execute_activity_method(
                CaseActivities.open, case, summary="open a case", **calls.OURS
            )
        self.show_payment(outcome)

    async def void(self) -> PaymentOutcome:
        """Lets go of the money, however long that takes: after it there is no charge any more."""
        assert self.wish is not None
        try:
            return await workflow.execute_activity_method(
                PaymentActivities.void,
                PaymentRef.of(self.wish),
                summary="void the payment",
                **calls.PAYING,
            )
        except ActivityError as error:
            await self.open_case(self.wish, None, error)
            return PaymentOutcome(
                payment_id=self.wish.payment_id, status=PaymentStatus.VOIDED, detail=IN_A_CASE
            )

    def belongs_to(self) -> BelongsTo:
        """What a case of this run stands on."""
        return BelongsTo(
            kind="purchase",
            id=self.start.id,
            name="Purchase of plans",
            flow=PayingFlow.PURCHASE,
            flow_id=self.start.id,
        )

    async def open_case(
        self, wish: PaymentWish, amount: Decimal | None, error: ActivityError, *devices: str
    ) -> None:
        """What the provider refuses to give back, for these devices or as a whole, is looked after beside this run, which goes
        on."""
        buyer = self.start.buyer
        case = refused_refund(
            self.belongs_to(),
            wish,
            amount,
            reason_of(error),
            *devices,
            at=workflow.now(),
            dealer_id=buyer.dealer_id,
            site=buyer.site,
            policy=self.policy.case,
        )
        await workflow.execute_activity_method(
            CaseActivities.open, case, summary="open a case", **calls.OURS
        )

    def show_payment(self, outcome: PaymentOutcome) -> None:
        if self.payment is not None:
            self.payment = self.payment.model_copy(
                update={
                    "status": outcome.status,
                    "shown": outcome.shown or self.payment.shown,
                    "detail": outcome.detail,
                    "action_url": outcome.action_url,
                }
            )
