"""The purchase of plans: quoted, agreed to, charged once, set up device by device, paid back where it fails (workflows 1.7).

Each state has its method; every change of state goes through `move`, which refuses what the transitions
(`domain/plans/purchase_v3.py`, and for runs of before it its earlier versions) does not hold. `workflows/plans/purchase_state.py`
has what people see of it, `workflows/plans/purchase_approval.py` what an owner has to say, `workflows/plans/purchase_failed.py`
what becomes of each device.
"""

from collections.abc import Awaitable, Callable

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.plans.purchase_mails import PurchaseMail, PurchaseMailActivities
    from activities.plans.purchases import HoldDevices, PurchaseActivities
    from activities.plans.quoting import PlanQuoteActivities, QuoteRequest
    from domain.billing.payments import MOST_ATTEMPTS, PaymentChanged, PaymentOutcome, PaymentStatus
    from domain.checkout.cart import NoPurchasingRights
    from domain.plans import purchase_v3 as transitions
    from domain.plans.purchase_mails import RECEIPT, mail_text
    from domain.plans.purchases import (
        NO_PAYMENT,
        NOT_CONFIRMED,
        Attach,
        Declined,
        LineStatus,
        NoCard,
        PurchaseError,
        PurchaseMessage,
        PurchaseReply,
        PurchaseStart,
        PurchaseTriedTooOften,
        PurchaseView,
        QuoteChanged,
    )
    from domain.plans.quote import ZERO, LinesFailed, Quote
    from domain.runs.kind import Refusal
    from workflows import calls
    from workflows.plans.purchase_failed import PurchaseFailed
    from workflows.run import TIMED_OUT, Command, refused
    from workflows.signals import patient_signal

READS_RIGHTS = "reads-rights"
NO_RIGHTS = PurchaseError(code=NoPurchasingRights.code, detail=NoPurchasingRights.detail)
MOST_LOOKS = 10
"""After so many without an answer the payment is voided, so that it ends one way or the other."""


@workflow.defn(name="Purchase")
class PurchaseWorkflow(PurchaseFailed):
    """One purchase of plans by one business."""

    @workflow.init
    def __init__(self, start: PurchaseStart) -> None:
        super().__init__(start)
        self.lines = (start.resume.lines if start.resume else ()) or start.lines
        self.at_once = start.pay_by is not None and start.resume is None

    @workflow.run
    async def run(self, start: PurchaseStart) -> PurchaseReply:
        await self.carry_out()
        return self.reply()

    async def execute(self) -> None:
        steps: dict[str, Callable[[], Awaitable[None]]] = {
            "quoting": self.work_out,
            "quoted": self.wait_for_agreement,
            "waiting_for_approval": self.wait_for_approval,
            "requoted": self.wait_for_yes,
            "charging": self.charge,
            "action_required": self.wait_for_payer,
            "declined": self.wait_for_other_payment,
            "needs_attention": self.look_until_clear,
            "provisioning": self.provision,
            "part_failed": self.wait_for_retry,
            "refunding": self.pay_back,
        }
        await self.publish()
        while not self.ended:
            await steps[self.state]()
        await self.notify_waiting()
        await self.mailed()
        if self.provisioned():
            await self.mail()

    async def work_out(self) -> None:
        """The mock run: figures, and nothing that anybody else could see."""
        self.take_quote(await self.quoted())
        self.forget_agreement()
        await self.move(transitions.QUOTED, limit=self.policy.quote)
        if not self.at_once:
            return
        self.at_once = False
        if any(not line.is_good for line in self.quote.lines) if self.quote else True:
            self.error = PurchaseError(code=LinesFailed.code, detail=LinesFailed.detail)
            return await self.show()
        await self.move(transitions.CONFIRM)

    async def wait_for_agreement(self) -> None:
        """Until somebody agrees, asks for other figures, or the quote expires."""
        happened = await self.wait(self.left())
        if happened == transitions.REQUOTE:
            return await self.ask_again()
        if happened == transitions.CONFIRM and self.asker is not None:
            self.pay_by, self.error = self.asker.pay_by, None
            self.reason = self.asker.reason
        await self.move(transitions.EXPIRED if happened == TIMED_OUT else happened)

    async def charge(self) -> None:
        """Takes the money once, if the figures are still those that were agreed to."""
        agreed = self.quote
        assert agreed is not None
        if not await self.has_rights():
            self.error = NO_RIGHTS.model_copy(update={"detail": self.why(NO_RIGHTS.detail)})
            return await self.move(transitions.DECLINED, limit=self.policy.declined)
        if not await self.admit(agreed):
            return
        await self.hold()
        fresh = await self.quoted()
        if fresh.quote_hash != agreed.quote_hash:
            await self.release()
            self.take_quote(fresh)
            self.error = PurchaseError(code=QuoteChanged.code, detail=QuoteChanged.detail)
            if self.approval is not None:
                return await self.ask_buyer(agreed)
            self.forget_agreement()
            return await self.move(transitions.CHANGED, limit=self.policy.quote)
        self.quote, self.paid_at = fresh, fresh.quoted_at
        if fresh.final_charge == ZERO:
            return await self.paid()
        outcome = await self.authorise(fresh)
        if self.is_stopped() and self.does(self.stops_charges):
            return await self.withdraw()
        if outcome is None:
            return await self.move(transitions.UNCLEAR)
        await self.follow(outcome)

    async def withdraw(self) -> None:
        """Cancelled, or charged in another way: the present charge is let go, behind if need be."""
        if self.command is not None:
            self.in_hand, self.command = self.command, None
        assert self.in_hand is not None
        event = self.in_hand.event
        await self.let_go()
        await self.release()
        if event == transitions.PAY and self.asker is not None:
            self.pay_by, self.error = self.asker.pay_by, None
        await self.move(event)

    async def follow(self, outcome: PaymentOutcome) -> None:
        """What comes of a payment's state; nothing while it has none."""
        self.show_payment(outcome)
        if outcome.is_good:
            return await (
                self.paid_if_allowed() if self.state == "action_required" else self.paid()
            )
        if outcome.status is PaymentStatus.ACTION_REQUIRED:
            if self.state != "action_required":
                await self.move(transitions.ACTION, limit=self.policy.action)
            return
        if outcome.status is not PaymentStatus.UNKNOWN:
            await self.decline(transitions.DECLINED, outcome.detail or Declined.detail)
        elif self.state == "charging":
            await self.move(transitions.UNCLEAR)

    async def wait_for_payer(self) -> None:
        """The payer confirms at their bank; the provider tells so, or is asked."""
        seen = self.payment_changes
        left = self.left()
        happened = await self.wait(
            min(self.policy.look, left), lambda: self.payment_changes != seen
        )
        if happened == transitions.CANCEL:
            await self.let_go()
            await self.release()
            return await self.move(transitions.CANCEL)
        if happened == TIMED_OUT and left <= self.policy.look:
            await self.void_in_time()
            return await self.decline(transitions.EXPIRED, NOT_CONFIRMED)
        outcome = await self.look_up()
        if outcome is not None:
            await self.follow(outcome)

    async def decline(self, event: str, detail: str, *, is_method: bool = True) -> None:
        """Not paid: another way to pay may be chosen, for a while. The devices are free again. A method is told as refused unless
        it was not the method that was."""
        await self.release()
        detail = self.why(detail)
        self.error = PurchaseError(code=Declined.code, detail=detail)
        if self.payment is not None:
            self.payment = self.payment.model_copy(update={"detail": detail})
            if is_method:
                self.refused_methods = (*self.refused_methods, self.payment.method_id)
        await self.save_receipt(succeeded=False)
        await self.move(event, limit=self.policy.declined)

    async def wait_for_other_payment(self) -> None:
        happened = await self.wait(self.left())
        if happened == transitions.REQUOTE:
            return await self.ask_again()
        if happened == transitions.PAY and self.asker is not None:
            self.pay_by, self.error = self.asker.pay_by, None
        await self.move(transitions.EXPIRED if happened == TIMED_OUT else happened)

    async def look_until_clear(self) -> None:
        """Nobody knows what became of the payment: it is asked for, and voided in the end. Never a second charge."""
        for _ in range(MOST_LOOKS):
            seen = self.payment_changes
            happened = await self.wait(
                self.policy.look, lambda seen=seen: self.payment_changes != seen
            )
            if happened in (transitions.CANCEL, transitions.PAY):
                return await self.withdraw()
            outcome = await self.look_up()
            if outcome is not None and outcome.status is not PaymentStatus.UNKNOWN:
                return await self.follow_late(outcome)
        await self.follow_late(await self.void_in_time())

    async def follow_late(self, outcome: PaymentOutcome) -> None:
        if outcome.status is PaymentStatus.ACTION_REQUIRED:
            outcome = await self.void_in_time()
        self.show_payment(outcome)
        if outcome.is_good:
            return await (self.paid_if_allowed() if self.start.path > 1 else self.paid())
        await self.decline(transitions.DECLINED, outcome.detail or NO_PAYMENT)

    async def paid_if_allowed(self) -> None:
        """Paid after a wait: the money of who may not buy any more goes back."""
        if await self.has_rights():
            return await self.paid()
        await self.void_in_time()
        await self.decline(transitions.DECLINED, NO_RIGHTS.detail, is_method=False)

    async def paid(self) -> None:
        self.error = None
        self.statuses = {line.device_key: LineStatus.WAITING for line in self.good_lines()}
        await self.save_receipt(succeeded=True)
        await self.move(transitions.PAID)

    async def quoted(self) -> Quote:
        return await workflow.execute_activity_method(
            PlanQuoteActivities.quote,
            QuoteRequest(
                purchase_id=self.start.id,
                lines=self.lines,
                address=self.address,
                buyer=self.start.buyer,
                at=workflow.now(),
            ),
            summary=f"quote {len(self.lines)} plans",
            **calls.QUOTE,
        )

    def take_quote(self, quote: Quote) -> None:
        self.quote, self.statuses, self.faults, self.error = quote, {}, {}, None
        self.expires_at = workflow.now() + self.policy.quote

    async def ask_again(self) -> None:
        """Other lines or another address, or the same once more."""
        if self.asker is not None:
            self.lines = self.asker.lines or self.lines
            self.address = self.asker.address or self.address
        self.error = None
        await self.move(transitions.REQUOTE)

    async def has_rights(self) -> bool:
        """Whether the buyer may still buy for this business."""
        if not self.does(READS_RIGHTS):
            return True
        return await workflow.execute_local_activity_method(
            PurchaseActivities.may_buy, self.start.buyer, **calls.OURS
        )

    async def hold(self) -> None:
        await workflow.execute_local_activity_method(
            PurchaseActivities.hold,
            HoldDevices(
                purchase_id=self.start.id,
                workflow_id=workflow.info().workflow_id,
                device_keys=tuple(line.device_key for line in self.good_lines()),
            ),
            **calls.OURS,
        )

    async def release(self) -> None:
        await workflow.execute_local_activity_method(
            PurchaseActivities.release, self.start.id, **calls.OURS
        )

    async def save_receipt(self, *, succeeded: bool) -> None:
        self.has_receipt = True
        await workflow.execute_local_activity_method(
            PurchaseActivities.save_receipt, self.receipt(succeeded=succeeded), **calls.OURS
        )

    async def mail(self) -> None:
        mail = PurchaseMail(
            purchase_id=self.start.id,
            person_id=self.start.buyer.person_id,
            subject=RECEIPT,
            text=mail_text(self.present(), self.start.portal_url),
        )
        try:
            await workflow.execute_activity_method(
                PurchaseMailActivities.mail, mail, summary="mail the receipt", **calls.NOTIFY
            )
        except ActivityError:
            workflow.logger.info("the receipt could not be mailed")

    @workflow.update
    async def requote(self, ask: PurchaseMessage) -> PurchaseReply:
        return await self.respond(transitions.REQUOTE, ask)

    @workflow.update
    async def confirm(self, ask: PurchaseMessage) -> PurchaseReply:
        return await self.respond(transitions.CONFIRM, ask)

    @workflow.update
    async def choose_payment(self, ask: PurchaseMessage) -> PurchaseReply:
        return await self.respond(transitions.PAY, ask)

    @workflow.update
    async def retry(self, ask: PurchaseMessage) -> PurchaseReply:
        return await self.respond(transitions.RETRY, ask)

    @workflow.update
    async def give_up(self, ask: PurchaseMessage) -> PurchaseReply:
        return await self.respond(transitions.GIVE_UP, ask)

    @workflow.update
    async def cancel(self, ask: PurchaseMessage) -> PurchaseReply:
        return await self.respond(transitions.CANCEL, ask)

    @workflow.update
    async def approve(self, ask: PurchaseMessage) -> PurchaseReply:
        return await self.respond(transitions.APPROVE, ask)

    @workflow.update
    async def reject(self, ask: PurchaseMessage) -> PurchaseReply:
        return await self.respond(transitions.REJECT, ask)

    @workflow.update
    async def agree(self, ask: PurchaseMessage) -> PurchaseReply:
        """The buyer's yes to figures that changed while the purchase waited."""
        return await self.respond(transitions.AGREE, ask)

    @requote.validator
    def may_requote(self, ask: PurchaseMessage) -> None:
        self.refuse_unless(transitions.REQUOTE)

    @confirm.validator
    def may_confirm(self, ask: PurchaseMessage) -> None:
        self.refuse_unless(transitions.CONFIRM)
        if self.quote is None or ask.quote_hash != self.quote.quote_hash:
            raise refused(Refusal.of(QuoteChanged))
        if not self.good_lines():
            raise refused(Refusal.of(LinesFailed))
        self.refuse_without_payment(ask)
        self.refuse_one_too_many()

    @choose_payment.validator
    def may_choose_payment(self, ask: PurchaseMessage) -> None:
        self.refuse_unless(transitions.PAY)
        self.refuse_without_payment(ask)
        self.refuse_one_too_many()

    @retry.validator
    def may_retry(self, ask: PurchaseMessage) -> None:
        self.refuse_unless(transitions.RETRY)
        self.refuse_trying_too_often()

    @give_up.validator
    def may_give_up(self, ask: PurchaseMessage) -> None:
        self.refuse_unless(transitions.GIVE_UP)

    @approve.validator
    def may_approve(self, ask: PurchaseMessage) -> None:
        self.refuse_unless(transitions.APPROVE)
        self.check_approver(ask)

    @reject.validator
    def may_reject(self, ask: PurchaseMessage) -> None:
        self.refuse_unless(transitions.REJECT)
        self.check_approver(ask)

    @agree.validator
    def may_agree_anew(self, ask: PurchaseMessage) -> None:
        self.refuse_unless(transitions.AGREE)
        if self.quote is None or ask.quote_hash != self.quote.quote_hash:
            raise refused(Refusal.of(QuoteChanged))
        if not self.good_lines():
            raise refused(Refusal.of(LinesFailed))

    @cancel.validator
    def may_cancel(self, ask: PurchaseMessage) -> None:
        self.refuse_unless(transitions.CANCEL)

    def may_agree(self) -> bool:
        """Whether nobody has agreed to anything yet, and the figures are of good lines, or are being worked out."""
        if self.command is not None or self.state not in ("quoting", "quoted"):
            return False
        if self.attempt >= MOST_ATTEMPTS:
            return False
        return self.quote is None or all(line.is_good for line in self.quote.lines)

    def refuse_without_payment(self, ask: PurchaseMessage) -> None:
        if ask.pay_by is None and self.quote is not None and self.quote.final_charge > ZERO:
            raise refused(Refusal.of(NoCard))

    def refuse_one_too_many(self) -> None:
        if self.attempt >= MOST_ATTEMPTS:
            raise refused(Refusal.of(PurchaseTriedTooOften))

    @patient_signal
    async def payment_heard(self, changed: PaymentChanged) -> None:
        """The provider told something of a payment of this run; what it is, is looked up."""
        self.payment_changes += 1

    @patient_signal
    async def attach(self, attach: Attach) -> None:
        """An activation that came later wants to be told too."""
        if attach.notify not in self.notify:
            self.notify.append(attach.notify)
        if self.notified is not None and attach.device_key in self.final_devices():
            return await self.notify_listener(attach.notify)
        if attach.pay_by is None or not self.may_agree():
            return
        self.pay_by, self.reason = attach.pay_by, attach.reason
        if self.state == "quoted":
            self.command = Command(transitions.CONFIRM)
        else:
            self.at_once = True

    @workflow.query
    def view(self) -> PurchaseView:
        return self.present()
