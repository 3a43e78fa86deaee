"""A case of money that is owed again: waited for, charged once, and plans suspended where it does not come."""

from contextlib import suppress

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.billing.payments import PaymentActivities
    from activities.operations.cases import CaseActivities, Payer
    from activities.operations.plans_of_case import PlansOfCaseActivities, SuspendRequest
    from domain.billing.payments import (
        NOTHING,
        PaymentChanged,
        PaymentOutcome,
        PaymentRef,
        PaymentRequest,
        PaymentStatus,
    )
    from domain.checkout.cart import NoPurchasingRights
    from domain.operations import case_v1 as transitions
    from domain.operations.case_mails import MailKind
    from domain.operations.cases import (
        IN_A_CASE,
        TIME_IS_OVER,
        UNANSWERED,
        CasePayment,
        NotSent,
        OrderChanged,
        left_words,
        lowerings,
        with_case,
    )
    from workflows import calls
    from workflows.charging import is_refusal, left_behind
    from workflows.operations.case_state import LET_GO, CaseRunState
    from workflows.run import CONDITION_MET, TIMED_OUT
    from workflows.signals import patient_signal

LETS_GO_BEHIND = "lets-go-behind"
LETS_GO_OF_UNCLEAR = "lets-go-of-unclear"
ASKS_WHAT_IS_OWED = "asks-what-is-owed"
LOOKS_AT_ONCE = -1
"""Changes of the order that were seen: what came before everybody could see that it is owed may have told nobody."""
NEVER_SENT = "goods are never sent"
GIVEN_BACK_BEFORE = "it had been given back before the bank took it"
NOT_PAID = "The payment could not be made. Nothing was charged."


class CaseOwed(CaseRunState):
    """What its buyer owes again."""

    async def wait_for_money(self) -> None:
        """Until the buyer pays, or plans are suspended."""
        if self.is_unclear:
            return await self.move(transitions.PAY)
        happened = await self.wait(self.grace, self.has_order_changed)
        if happened == TIMED_OUT:
            return await self.move(transitions.LAPSED)
        await self.paid_or_answered(happened)

    async def wait_for_late_money(self) -> None:
        """However long that takes."""
        policy = self.start.policy
        limit = policy.bank if self.is_plan_left else policy.due
        happened = await self.wait(limit, self.has_order_changed)
        if happened != TIMED_OUT:
            await self.paid_or_answered(happened)
        elif self.is_plan_left:
            await self.suspend_in_time()

    async def paid_or_answered(self, event: str) -> None:
        if event == CONDITION_MET:
            return await self.take_order_change()
        if event != transitions.PAY:
            return await self.answer(event)
        if self.does(ASKS_WHAT_IS_OWED):
            await self.lower()
            if self.is_owed_no_more:
                return await self.move(transitions.RESOLVE)
        ask = self.in_hand.ask if self.in_hand else None
        assert ask is not None
        assert ask.type is not None
        assert ask.method_id is not None
        attempt = self.payment.attempt + 1 if self.payment else 1
        self.payment = CasePayment(type=ask.type, method_id=ask.method_id, attempt=attempt)
        self.payer_id = ask.actor_id
        await self.move(transitions.PAY)

    def has_order_changed(self) -> bool:
        return self.order_changes != self.order_changes_seen

    async def take_order_change(self) -> None:
        """Goods are never sent: less is owed, or nothing, and then everything goes on. What a person asked meanwhile comes first,
        and has its own place in the history."""
        seen = self.order_changes
        is_less = await self.lower()
        if self.is_owed_no_more:
            return None if self.command else await self.move(transitions.RESOLVE)
        self.order_changes_seen = seen
        if is_less:
            self.rev += 1
            await self.publish()

    async def lower(self) -> bool:
        """Takes off what is owed whatever goods are never sent; whether anything was."""
        before = self.owed
        not_sent = await self.not_sent()
        if not_sent.is_cancelled and self.owed > NOTHING:
            self.owed = NOTHING
            self.write_down(None, "The order was cancelled: nothing is owed for it any more.")
        for one in lowerings(self.owed, self.lowered, not_sent):
            self.lowered += (one,)
            self.owed -= one.amount
            why = GIVEN_BACK_BEFORE if one.case_id == self.id else NEVER_SENT
            self.write_down(None, f"{one.amount:,.2f} {self.start.currency} less is owed: {why}.")
        return self.owed != before

    async def not_sent(self) -> NotSent:
        return await workflow.execute_local_activity_method(
            CaseActivities.not_sent, self.id, **calls.OURS
        )

    @property
    def is_owed_no_more(self) -> bool:
        return self.owed == NOTHING

    async def charge(self) -> None:
        """Takes what is owed once, if the payer still may; a payment that nobody can tell of is voided."""
        may_be_under_way, self.is_unclear = self.is_unclear, False
        assert self.payment is not None
        may_pay = await self.may_pay()
        if not may_pay and not (may_be_under_way and LETS_GO_OF_UNCLEAR in self.decided):
            return await self.decline(NoPurchasingRights.detail)
        request = self.attempt_to_charge(
            self.payment,
            self.payment.attempt,
            amount=self.owed,
            currency=self.start.currency,
            description=self.start.belongs_to.name,
        )
        if not may_pay:
            return await self.take_back(request)
        is_brief, policy = self.does(LETS_GO_BEHIND), self.start.policy
        limit = policy.brief if is_brief else policy.charge
        try:
            outcome = await self.charge_or_stop(request, f"charge {self.owed}", limit)
            if outcome is not None and outcome.status is PaymentStatus.AUTHORISED:
                outcome = await self.call_provider(
                    PaymentActivities.capture, PaymentRef.of(request), "take what is held", limit
                )
        except ActivityError:
            outcome = None
        if outcome is None or outcome.status in LET_GO:
            ref = PaymentRef.of(request)
            outcome = await (self.let_go_behind(request) if is_brief else self.let_go(ref))
        if not outcome.is_good:
            return await self.decline(outcome.detail or NOT_PAID)
        await self.pay_with(outcome)

    async def take_back(self, request: PaymentRequest) -> None:
        """What a run before this one may have taken, of a payer who may not pay any more."""
        outcome = await self.let_go_behind(request)
        if outcome.is_good:
            return await self.pay_with(outcome)
        words = with_case(NoPurchasingRights.detail, left_words(outcome.detail))
        await self.decline(words)

    async def pay_with(self, outcome: PaymentOutcome) -> None:
        assert self.payment is not None
        self.write_down(None, f"{self.owed:,.2f} {self.start.currency} was paid again.")
        self.owed = NOTHING
        self.payment = self.payment.model_copy(update={"shown": outcome.shown, "detail": None})
        await self.move(transitions.PAID)

    async def let_go_behind(self, request: PaymentRequest) -> PaymentOutcome:
        """The buyer does not wait for its provider, and may pay in another way: what it neither lets go of at once nor has taken
        is another case's. What it refuses to give back was paid."""
        ref, brief = PaymentRef.of(request), self.start.policy.brief
        if await workflow.execute_local_activity_method(PaymentActivities.drop, ref, **calls.OURS):
            return PaymentOutcome(payment_id=request.payment_id, status=PaymentStatus.VOIDED)
        try:
            return await self.call_provider(PaymentActivities.void, ref, "void the payment", brief)
        except ActivityError as error:
            if not is_refusal(error):
                await self.open_let_go(request)
                return left_behind(request, UNANSWERED)
            refusal = error
        with suppress(ActivityError):
            outcome = await self.call_provider(
                PaymentActivities.look_up, ref, "look the payment up", brief
            )
            if outcome.status not in LET_GO:
                return outcome
        await self.open_refusal(request, None, refusal)
        return left_behind(request, IN_A_CASE)

    async def let_go(self, ref: PaymentRef) -> PaymentOutcome:
        """Of runs of before: however long it takes to know. What cannot be given back was paid."""
        try:
            return await self.call_provider(PaymentActivities.void, ref, "void the payment")
        except ActivityError:
            return await self.call_provider(PaymentActivities.look_up, ref, "look the payment up")

    async def decline(self, detail: str) -> None:
        assert self.payment is not None
        self.payment = self.payment.model_copy(update={"detail": detail})
        await self.move(transitions.DECLINED, limit=self.grace)

    async def suspend(self) -> None:
        """The buyer did not pay in time: plans rest, and an administrator is told."""
        await self.suspend_in_time()
        self.write_down(None, TIME_IS_OVER)
        await self.move(transitions.SUSPENDED)
        self.post(MailKind.ATTENTION)

    async def suspend_in_time(self) -> None:
        """As far as the devices answer: the buyer may pay without the others, which are suspended later."""
        was_left, self.is_plan_left = self.is_plan_left, False
        try:
            await self.set_suspended(is_suspended=True)
        except ActivityError:
            self.is_plan_left = True
            if not was_left:
                self.write_down(None, "Not every device answered: its plan is suspended later.")

    async def restore(self) -> None:
        """It is paid, or an administrator lets it go on."""
        self.owed = NOTHING
        await self.set_suspended(is_suspended=False)
        await self.hold(is_held=False)
        await self.move(transitions.SOLVED)

    async def set_suspended(self, *, is_suspended: bool) -> None:
        """Raises ActivityError where devices do not answer in time."""
        limit = self.start.policy.suspend if is_suspended else calls.LONGEST
        refused = await workflow.execute_activity_method(
            PlansOfCaseActivities.suspend,
            SuspendRequest(
                case_id=self.id, belongs_to=self.start.belongs_to, is_suspended=is_suspended
            ),
            summary="suspend the plans" if is_suspended else "restore the plans",
            **calls.within(limit, calls.SUSPENDING),
        )
        if refused:
            what = "suspend" if is_suspended else "restore"
            self.write_down(
                None, f"The network refused to {what} the plans of {', '.join(refused)}."[:500]
            )

    async def may_pay(self) -> bool:
        return await workflow.execute_local_activity_method(
            CaseActivities.may_pay,
            Payer(person_id=self.payer_id, partner_code=self.start.partner_code),
            **calls.OURS,
        )

    @patient_signal
    def order_changed(self, changed: OrderChanged) -> None:
        """Goods of the order are never sent."""
        self.order_changes += 1

    @patient_signal
    def payment_heard(self, changed: PaymentChanged) -> None:
        """The provider told of a payment of this case; where it stands was looked up already, or is when it is charged."""
