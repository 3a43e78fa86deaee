"""The payment of invoices: checked, charged once, each invoice posted at the ERP, paid back what it refuses (decision 53).

Each state has its method; every change of state goes through `move`, which refuses what the transitions
(`domain/billing/invoice_payment_v2.py`, and for runs from before it `invoice_payment_v1.py`) do not hold.
`invoice_payment_state.py` has what people see of it.
"""

import asyncio
from collections.abc import Awaitable, Callable

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.billing.invoice_payments import (
        Closing,
        InvoicePaymentActivities,
        InvoicePaymentMail,
        Posted,
        PostRequest,
    )
    from domain.billing import invoice_payment_v2 as transitions
    from domain.billing.invoice_allocation import Allocation
    from domain.billing.invoice_payment import (
        NO_PAYMENT,
        NOT_CONFIRMED,
        RECEIPT,
        InvoicePaymentDeclined,
        InvoicePaymentError,
        InvoicePaymentMessage,
        InvoicePaymentMethodNeeded,
        InvoicePaymentReply,
        InvoicePaymentStart,
        InvoicePaymentTriedTooOften,
        InvoicePaymentView,
        InvoiceStatus,
        mail_text,
    )
    from domain.billing.payments import (
        MOST_ATTEMPTS,
        NOTHING,
        PaymentChanged,
        PaymentOutcome,
        PaymentStatus,
        RefundRequest,
    )
    from domain.operations.cases import AskedRefund
    from domain.runs.kind import Refusal
    from workflows import calls
    from workflows.billing.invoice_payment_state import InvoicePaymentRunState
    from workflows.run import SHORTEST_WAIT, TIMED_OUT, Command, refused
    from workflows.signals import patient_signal

AT_ONCE = 10
"""Invoices that are posted at a time."""
MOST_LOOKS = 10
"""After so many without an answer the payment is voided, so that it ends one way or the other."""
_ENDS_WITHOUT_MONEY = frozenset({"cancelled", "expired"})
ASKS_BY_ONE = "asks-by-one"


@workflow.defn(name="InvoicePayment")
class InvoicePaymentWorkflow(InvoicePaymentRunState):
    """One payment of 1 to 200 invoices of one business."""

    patches = (ASKS_BY_ONE,)

    @workflow.init
    def __init__(self, start: InvoicePaymentStart) -> None:
        super().__init__(start)
        self.payment_changes = 0
        self.late = start.policy.late
        self.times_away = 0

    @workflow.run
    async def run(self, start: InvoicePaymentStart) -> InvoicePaymentReply:
        await self.carry_out()
        return self.reply()

    async def stop(self) -> None:
        """An operator's cancel: where nothing is paid it ends there."""
        await self.stop_by(Command(transitions.CANCEL))

    async def execute(self) -> None:
        steps: dict[str, Callable[[], Awaitable[None]]] = {
            "checking": self.check,
            "charging": self.charge,
            "action_required": self.wait_for_payer,
            "declined": self.wait_for_other_payment,
            "needs_attention": self.look_until_clear,
            "processing": self.wait_for_bank,
            "posting": self.post,
            "posting_late": self.wait_for_erp,
            "refunding": self.pay_back,
        }
        await self.publish()
        while not self.ended:
            await steps[self.state]()
        if self.state not in _ENDS_WITHOUT_MONEY:
            await self.mail()

    async def check(self) -> None:
        """Rights, holds and open amounts of the moment; the figures are those of the submit."""
        self.error = await self.why_not()
        if self.error is not None:
            return await self.end(transitions.REFUSED, "cancelled")
        await self.move(
            transitions.CHECKED if self.start.plan.charged > NOTHING else transitions.COVERED
        )

    async def charge(self) -> None:
        """Takes the money, once."""
        outcome = await self.authorise()
        if self.is_stopped():
            return await self.withdraw()
        if outcome is None:
            return await self.move(transitions.UNCLEAR)
        await self.follow(outcome)

    def is_stopped(self) -> bool:
        return (
            self.command is not None
            and self.command.event in (transitions.CANCEL, transitions.PAY)
            and self.command.event in self.allowed()
        )

    async def withdraw(self) -> None:
        """Cancelled, or paid in another way: the present charge is let go, behind if need be."""
        if self.command is not None:
            self.in_hand, self.command = self.command, None
        assert self.in_hand is not None
        assert self.request is not None
        event, asked = self.in_hand.event, self.in_hand.ask
        await self.let_go_behind(self.request, self.policy.brief)
        if event == transitions.CANCEL:
            return await self.end(transitions.CANCEL, "cancelled")
        self.pay_by = asked.pay_by if asked is not None else self.pay_by
        await self.move(transitions.PAY)

    async def follow(self, outcome: PaymentOutcome) -> None:
        """What comes of a payment's state; nothing while it has none."""
        self.show_payment(outcome)
        if outcome.is_good and self.state == "action_required":
            return await self.go_on_if_allowed(outcome)
        if outcome.is_good:
            return await self.go_on(outcome)
        if outcome.status is PaymentStatus.ACTION_REQUIRED:
            if self.state != "action_required":
                await self.move(transitions.ACTION, limit=self.policy.action)
            return
        if outcome.status is not PaymentStatus.UNKNOWN:
            await self.decline(
                transitions.DECLINED, outcome.detail or InvoicePaymentDeclined.detail
            )
        elif self.state == "charging":
            await self.move(transitions.UNCLEAR)

    async def go_on_if_allowed(self, outcome: PaymentOutcome) -> None:
        """The same after a wait: what may not be paid any more goes back."""
        refused = await self.why_not() if self.start.path > 1 else None
        if refused is None:
            return await self.go_on(outcome)
        await self.void_in_time()
        await self.decline(transitions.DECLINED, refused.detail, is_method=False)

    async def go_on(self, outcome: PaymentOutcome) -> None:
        """With money that is there; a bank's debit is waited for."""
        self.error = None
        under_way = outcome.status is PaymentStatus.PROCESSING
        await self.move(transitions.UNDER_WAY if under_way else transitions.PAID)

    async def wait_for_payer(self) -> None:
        """The payer confirms at their bank; the provider tells so, or is asked."""
        seen, left = self.payment_changes, self.left()
        happened = await self.wait(
            min(self.policy.look, left), lambda: self.payment_changes != seen
        )
        if happened == transitions.CANCEL:
            if self.version > 1:
                return await self.withdraw()
            await self.void()
            return await self.end(transitions.CANCEL, "cancelled")
        if happened == TIMED_OUT and left <= self.policy.look:
            self.show_payment(await self.void_in_time())
            return await self.decline(transitions.EXPIRED, NOT_CONFIRMED)
        outcome = await self.look_up()
        if outcome is not None:
            await self.follow(outcome)

    async def decline(self, event: str, detail: str, *, is_method: bool = True) -> None:
        """Not paid: another way to pay may be chosen, for a while. The invoices stay held. A method is told as refused unless it
        was not the method that was."""
        detail = self.why(detail)
        self.error = InvoicePaymentError(code=InvoicePaymentDeclined.code, detail=detail)
        if self.payment is not None:
            self.payment = self.payment.model_copy(update={"detail": detail})
            if is_method:
                self.refused_methods = (*self.refused_methods, self.payment.method_id)
        await self.move(event, limit=self.policy.declined)

    async def wait_for_other_payment(self) -> None:
        happened = await self.wait(self.left())
        if happened == transitions.PAY:
            asked = self.in_hand.ask if self.in_hand is not None else None
            self.pay_by = asked.pay_by if asked is not None else self.pay_by
            return await self.move(transitions.PAY)
        if happened == TIMED_OUT:
            return await self.end(transitions.EXPIRED, "expired")
        await self.end(transitions.CANCEL, "cancelled")

    async def look_until_clear(self) -> None:
        """Nobody knows what became of the payment: it is asked for, and voided in the end. Never a second charge."""
        waits = SHORTEST_WAIT if self.start.resume is not None else self.policy.look
        for _ in range(MOST_LOOKS):
            seen = self.payment_changes
            happened = await self.wait(waits, lambda seen=seen: self.payment_changes != seen)
            if happened in (transitions.CANCEL, transitions.PAY):
                return await self.withdraw()
            waits = self.policy.look
            outcome = await self.look_up()
            if outcome is not None and outcome.status is not PaymentStatus.UNKNOWN:
                return await self.follow_late(outcome)
        await self.follow_late(await self.void_in_time())

    async def follow_late(self, outcome: PaymentOutcome) -> None:
        if outcome.status is PaymentStatus.ACTION_REQUIRED:
            outcome = await self.void_in_time()
        self.show_payment(outcome)
        if outcome.is_good:
            return await self.go_on_if_allowed(outcome)
        await self.decline(transitions.DECLINED, outcome.detail or NO_PAYMENT)

    async def wait_for_bank(self) -> None:
        """A debit takes days; nothing is posted before the bank has paid it. What it has paid is the business's, and settles
        its debt whatever became of its payer's right, which was read before it was asked for; what is not owed any more the ERP
        refuses (decision 53). One that comes back ends the payment: a discount is granted again by another payment only, and
        until its last day."""
        seen = self.payment_changes
        outcome = await self.look_up()
        if outcome is None or outcome.status is PaymentStatus.PROCESSING:
            await self.wait(self.policy.bank, lambda: self.payment_changes != seen)
            return
        self.show_payment(outcome)
        if outcome.is_good:
            return await self.move(transitions.PAID)
        detail = self.why(outcome.detail or NO_PAYMENT)
        self.error = InvoicePaymentError(code=InvoicePaymentDeclined.code, detail=detail)
        await self.end(transitions.RETURNED, "returned")

    async def post(self) -> None:
        """Each invoice that waits, some at a time; what one of them does stops no other, but an ERP that is away all. One
        that was is asked by one of them first, each time by another: days of it must not fill the history."""
        waiting = self.of_status(InvoiceStatus.WAITING)
        ahead = AT_ONCE
        if self.times_away and ASKS_BY_ONE in self.decided:
            place = self.times_away % len(waiting)
            ahead, waiting = 1, (*waiting[place:], *waiting[:place])
        while waiting:
            block, waiting = waiting[:ahead], waiting[ahead:]
            posted = await asyncio.gather(*(self.post_one(one) for one in block))
            for done in posted:
                self.note(done)
            if None in posted:
                self.times_away += 1
                return await self.move(transitions.ERP_AWAY)
            if waiting:
                await self.show()
            ahead = AT_ONCE
        if self.of_status(InvoiceStatus.REFUSED):
            return await self.move(transitions.PART_REFUSED)
        await self.end(transitions.POSTED, "confirmed")

    async def wait_for_erp(self) -> None:
        """The ERP is away: those that are not posted wait, each time twice as long."""
        waits = self.late
        self.late = min(waits * 2, self.policy.latest)
        await workflow.sleep(waits, summary=f"the ERP is tried again in {waits}")
        await self.move(transitions.AGAIN)

    async def pay_back(self) -> None:
        """What was charged for invoices that the ERP refused goes back, to the cent."""
        turned_down = self.of_status(InvoiceStatus.REFUSED)
        numbers = tuple(one.number for one in turned_down)
        amount = sum((one.charged for one in turned_down), NOTHING)
        if amount > NOTHING and self.request is not None:
            refund = RefundRequest(
                payment_id=self.request.payment_id,
                amount=amount,
                key=f"{self.request.key}:refused",
                reason="refused by the ERP",
            )
            try:
                outcome = await self.refund_behind(
                    self.request, refund, f"pay back {amount}", self.policy.brief
                )
                if outcome is None:
                    numbers = ()
                else:
                    self.show_payment(outcome)
                    self.refunded += amount
            except ActivityError as error:
                asked = AskedRefund(key=refund.key, amount=amount)
                await self.open_refusal(self.request, amount, error, refunds=[asked])
                numbers = ()
        self.mark(
            tuple(one for one in turned_down if one.number in numbers), InvoiceStatus.REFUNDED
        )
        if self.of_status(InvoiceStatus.POSTED):
            return await self.end(transitions.REFUNDED, "confirmed", refunded=numbers)
        await self.end(transitions.NOTHING_LEFT, "refused", refunded=numbers)

    async def why_not(self) -> InvoicePaymentError | None:
        """Why it may not be paid as it was agreed to, if that is so."""
        checked = await workflow.execute_local_activity_method(
            InvoicePaymentActivities.check, self.start, **calls.OURS
        )
        return checked.refused

    async def void_in_time(self) -> PaymentOutcome:
        """Lets go of the present charge; whoever pays in another way meanwhile does not wait for its provider."""
        if self.version == 1:
            return await self.void()
        assert self.request is not None
        return await self.let_go_behind(self.request, self.policy.brief)

    async def end(self, event: str, outcome: str, refunded: tuple[str, ...] = ()) -> None:
        """Lets go of everything that is still held, and shows the end."""
        await workflow.execute_local_activity_method(
            InvoicePaymentActivities.close,
            Closing(payment_id=self.start.id, outcome=outcome, refunded=refunded),
            **calls.OURS,
        )
        self.mark(self.of_status(InvoiceStatus.WAITING), InvoiceStatus.RELEASED)
        await self.move(event)

    async def authorise(self) -> PaymentOutcome | None:
        """The charge, under a key of its own; None while nobody can tell what became of it."""
        plan = self.start.plan
        assert self.pay_by is not None
        self.attempt += 1
        request = self.attempt_to_charge(
            self.pay_by,
            self.attempt,
            amount=plan.charged,
            currency=plan.currency,
            description=f"{len(plan.allocations)} invoices",
            reference=plan.allocations[0].number if len(plan.allocations) == 1 else None,
        )
        return await self.charge_at_once(request, self.policy.charge)

    async def post_one(self, one: Allocation) -> Posted | None:
        """None while the ERP does not answer."""
        try:
            return await workflow.execute_activity_method(
                InvoicePaymentActivities.post,
                PostRequest(
                    payment_id=self.start.id,
                    partner_code=self.start.payer.partner_code,
                    allocation=one,
                    on=self.start.plan.on,
                ),
                summary=f"post {one.amount} to {one.number}",
                **calls.within(self.policy.post, calls.PAYING),
            )
        except ActivityError:
            return None

    def note(self, done: Posted | None) -> None:
        if done is None:
            return
        is_posted = done.refused is None
        self.statuses[done.number] = InvoiceStatus.POSTED if is_posted else InvoiceStatus.REFUSED
        if done.refused is not None:
            self.reasons[done.number] = done.refused

    async def mail(self) -> None:
        mail = InvoicePaymentMail(
            payment_id=self.start.id,
            person_id=self.start.payer.person_id,
            subject=RECEIPT,
            text=mail_text(self.present(), self.start.portal_url),
        )
        try:
            await workflow.execute_activity_method(
                InvoicePaymentActivities.mail, mail, summary="mail the outcome", **calls.NOTIFY
            )
        except ActivityError:
            workflow.logger.info("the outcome could not be mailed")

    @workflow.update
    async def choose_payment(self, ask: InvoicePaymentMessage) -> InvoicePaymentReply:
        return await self.respond(transitions.PAY, ask)

    @workflow.update
    async def cancel(self, ask: InvoicePaymentMessage) -> InvoicePaymentReply:
        return await self.respond(transitions.CANCEL, ask)

    @choose_payment.validator
    def may_choose_payment(self, ask: InvoicePaymentMessage) -> None:
        self.refuse_unless(transitions.PAY)
        if ask.pay_by is None:
            raise refused(Refusal.of(InvoicePaymentMethodNeeded))
        if self.attempt >= MOST_ATTEMPTS:
            raise refused(Refusal.of(InvoicePaymentTriedTooOften))

    @cancel.validator
    def may_cancel(self, ask: InvoicePaymentMessage) -> None:
        self.refuse_unless(transitions.CANCEL)

    @patient_signal
    async def payment_heard(self, changed: PaymentChanged) -> None:
        """The provider told something of a payment of this run; what it is, is looked up."""
        self.payment_changes += 1

    @workflow.query
    def view(self) -> InvoicePaymentView:
        return self.present()
