"""A case: money that something happened to after its run had ended (decision 51).

Reads as the process; every change of state goes through `move`, which refuses what the transitions in
`domain/operations/case_v1.py` do not hold.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from typing import Any

from temporalio import workflow
from temporalio.common import SearchAttributeUpdate
from temporalio.exceptions import ActivityError, ApplicationError

with workflow.unsafe.imports_passed_through():
    from activities.billing.invoice_payments import (
        InvoicePaymentActivities,
        PostedInvoices,
        UnpostWish,
    )
    from activities.billing.payments import PaymentActivities
    from activities.operations.cases import (
        CaseActivities,
        CaseMail,
        HoldWish,
        MailKind,
        Payer,
        Payments,
        SuspendWish,
        WhichPayments,
    )
    from domain.billing.disputes import DECIDED, Dispute, DisputeStatus
    from domain.billing.payments import (
        NOTHING,
        PaymentHeard,
        PaymentOutcome,
        PaymentRef,
        PaymentStatus,
        PaymentWish,
        RefundWish,
    )
    from domain.checkout.cart import NoPurchasingRights
    from domain.kinds import CASE
    from domain.operations import case_v1 as walk
    from domain.operations.cases import (
        BY_HAND,
        MOST_NOTES,
        CaseAsk,
        CaseCause,
        CaseFull,
        CaseNote,
        CasePayment,
        CaseProblem,
        CaseReply,
        CaseStart,
        CaseView,
        left_of,
        shares,
    )
    from domain.runs.kind import Refusal
    from workflows import calls, ids
    from workflows.run import HEARD, NEEDS_ATTENTION, TIMED_OUT, ProjectedMachine, refused
    from workflows.signals import patient_signal

LET_GO = frozenset({PaymentStatus.AUTHORISED, PaymentStatus.ACTION_REQUIRED, PaymentStatus.UNKNOWN})
"""Money that is held, or that nobody can tell of, is voided: it must not be taken later."""

REFUSED = "refund_refused"
FOR_A_PERSON = CaseProblem(
    code="for_a_person",
    detail="What was delivered for this money is not known. A person looks after it.",
)
NOT_PAID = "The payment could not be made. Nothing was charged."
STILL_AT_WORK = CaseProblem(
    code="still_at_work", detail="The run that moves this money has not ended yet."
)
DISPUTED = CaseProblem(
    code="disputed",
    detail="Answer the bank at the payment provider's page, or accept the chargeback there.",
)
UNPOSTED_AT_ONCE = 10
NOT_REACHED = CaseProblem(
    code="provider_away", detail="The payment provider could not be reached in time."
)


@workflow.defn(name="Case")
class CaseWorkflow(ProjectedMachine[CaseAsk]):
    """One case, from what caused it until it is solved or resolved."""

    kind = CASE

    @workflow.init
    def __init__(self, start: CaseStart) -> None:
        super().__init__(start.id, rev=start.rev_from)
        self.start = start
        known = start.resume
        self.given_back: Decimal = known.given_back if known else NOTHING
        self.owner_id: str | None = known.owner_id if known else None
        self.owner: str | None = known.owner if known else None
        self.done: list[CaseNote] = list(known.done) if known else []
        self.error: CaseProblem | None = None
        self.attempt = known.attempt if known else 1
        self.tries = 0
        self.looks = 0
        self.is_asked_for = False
        """Whether an administrator said that the money is to be given back."""
        self.owed: Decimal = NOTHING
        self.payment: CasePayment | None = known.payment if known else None
        self.payer_id = start.person_id
        self.is_unclear = known is not None and known.state == "charging"
        self.mails: list[asyncio.Task[None]] = []
        self.heard = 0
        self.asked_for_help = known is not None

    @workflow.run
    async def run(self, start: CaseStart) -> CaseReply:
        await self.carry_out()
        return self.reply()

    async def execute(self) -> None:
        steps: dict[str, Callable[[], Awaitable[None]]] = {
            "working": self.work,
            "waiting": self.wait_for_next_try,
            "needs_attention": self.wait_for_person,
            "owed": self.wait_for_money,
            "charging": self.charge,
            "suspending": self.suspend,
            "suspended": self.wait_for_late_money,
            "restoring": self.restore,
        }
        await self.publish()
        if self.start.resume is None:
            self.post(MailKind.OPENED)
        while not self.ended:
            await steps[self.state]()
        self.post(MailKind.ENDED)
        await asyncio.gather(*self.mails)

    # ------------------------------------------------------------ the process

    async def work(self) -> None:
        """Gives back what is to be given back, as far as the payments hold it."""
        if self.start.cause in BY_HAND and not self.is_asked_for:
            self.error = FOR_A_PERSON
            await self.move(walk.STUCK)
            return self.post(MailKind.ATTENTION)
        if self.start.cause is CaseCause.DEBIT_RETURNED:
            return await self.reopen()
        if self.start.dispute_id is not None:
            return await self.look_at_dispute(self.start.dispute_id)
        payments = await self.payments()
        if not payments.is_settled:
            self.error = STILL_AT_WORK
            self.looks += 1
            return await self.try_later(is_try=False)
        try:
            given = await self.give_back(payments)
        except ActivityError as error:
            self.error = problem_of(error)
            self.write_down(None, self.error.detail)
            self.tries += 1
            self.attempt += self.error.code == REFUSED
            return await self.try_later(is_try=True)
        self.error = None
        if given > NOTHING:
            self.write_down(None, f"Paid back {given:,.2f} {self.start.currency}.")
        else:
            self.write_down(None, "There was nothing to pay back.")
        await self.move(walk.SOLVED)

    async def try_later(self, *, is_try: bool) -> None:
        policy = self.start.policy
        if is_try and self.tries >= policy.tries:
            await self.move(walk.STUCK)
            return self.post(MailKind.ATTENTION)
        pause = (
            policy.pause if is_try else min(policy.pause, policy.soon * 2 ** min(self.looks, 20))
        )
        await self.move(walk.LATER, limit=pause)

    async def wait_for_next_try(self) -> None:
        happened = await self.wait(self.left())
        if happened == TIMED_OUT:
            return await self.move(walk.AGAIN)
        await self.answer(happened)

    async def wait_for_person(self) -> None:
        """However long that takes: it stays on the operators' list. Of a chargeback the bank tells, or is asked."""
        heard = self.heard
        happened = await self.wait(self.start.policy.due, lambda: self.heard != heard)
        if happened not in (TIMED_OUT, HEARD):
            return await self.answer(happened)
        if self.start.dispute_id is not None:
            await self.move(walk.AGAIN)

    # ------------------------------------------------------------ a chargeback

    async def look_at_dispute(self, dispute_id: str) -> None:
        """What was not sent yet is held until the bank has decided; a person answers it. Won, everything goes on; lost, it is
        as if a debit had come back."""
        try:
            dispute = await self.dispute(dispute_id)
            if dispute.status is DisputeStatus.LOST:
                return await self.reopen()
            await self.hold(is_held=dispute.status is DisputeStatus.OPEN)
        except ActivityError as error:
            self.error = problem_of(error)
            self.tries += 1
            return await self.try_later(is_try=True)
        if dispute.status not in DECIDED:
            self.error = DISPUTED
            await self.move(walk.STUCK)
            return self.ask_for_help()
        self.error = None
        self.write_down(None, "The bank decided for us: nothing was taken, or it was given back.")
        await self.move(walk.SOLVED)

    def ask_for_help(self) -> None:
        """Once: a bank may be asked many times."""
        if not self.asked_for_help:
            self.asked_for_help = True
            self.post(MailKind.ATTENTION)

    # ------------------------------------------------------------ a debit that came back

    async def reopen(self) -> None:
        """What was paid for is owed again; what was not sent yet is held."""
        if self.start.belongs_to.kind == "invoice_payment":
            return await self.reopen_invoices()
        try:
            await self.hold(is_held=True)
        except ActivityError as error:
            self.error = problem_of(error)
            self.tries += 1
            return await self.try_later(is_try=True)
        self.error, self.owed = None, self.start.amount or NOTHING
        self.write_down(None, f"{self.owed:,.2f} {self.start.currency} is owed again.")
        await self.move(walk.OWED, limit=self.grace)

    async def reopen_invoices(self) -> None:
        """What was posted is taken back at the ERP, discounts and memos too: the invoices are open as before."""
        payment_id = self.start.belongs_to.flow_id
        try:
            if not (await self.payments_of_all()).is_settled:
                self.error = STILL_AT_WORK
                self.looks += 1
                return await self.try_later(is_try=False)
            posted = await self.posted(payment_id)
            if self.start.amount is not None and self.start.amount < posted.charged:
                self.error = FOR_A_PERSON
                await self.move(walk.STUCK)
                return self.ask_for_help()
            for first in range(0, len(posted.numbers), UNPOSTED_AT_ONCE):
                block = posted.numbers[first : first + UNPOSTED_AT_ONCE]
                await asyncio.gather(*(self.unpost(payment_id, number) for number in block))
        except ActivityError as error:
            self.error = problem_of(error)
            self.tries += 1
            return await self.try_later(is_try=True)
        self.error = None
        self.write_down(
            None, f"Open again, without their discount: {', '.join(posted.numbers)}."[:500]
        )
        await self.move(walk.SOLVED)

    async def posted(self, payment_id: str) -> PostedInvoices:
        return await workflow.execute_activity_method(
            InvoicePaymentActivities.posted,
            payment_id,
            summary="find what was posted",
            **calls.OURS,
        )

    async def unpost(self, payment_id: str, number: str) -> None:
        await workflow.execute_activity_method(
            InvoicePaymentActivities.unpost,
            UnpostWish(payment_id=payment_id, number=number),
            summary=f"take back what was posted to {number}",
            schedule_to_close_timeout=self.start.policy.brief,
            **calls.PAYING,
        )

    @property
    def grace(self) -> timedelta:
        """How long the buyer may still take."""
        return self.left(self.start.opened_at + self.start.policy.grace)

    async def wait_for_money(self) -> None:
        """Until the buyer pays, or plans are suspended."""
        if self.is_unclear:
            return await self.move(walk.PAY)
        happened = await self.wait(self.grace)
        if happened == TIMED_OUT:
            return await self.move(walk.LAPSED)
        await self.paid_or_answered(happened)

    async def wait_for_late_money(self) -> None:
        """However long that takes."""
        happened = await self.wait(self.start.policy.due)
        if happened != TIMED_OUT:
            await self.paid_or_answered(happened)

    async def paid_or_answered(self, event: str) -> None:
        if event != walk.PAY:
            return await self.answer(event)
        ask = self.in_hand.ask if self.in_hand else None
        assert ask is not None
        assert ask.type is not None
        assert ask.method_id is not None
        attempt = self.payment.attempt + 1 if self.payment else 1
        self.payment = CasePayment(type=ask.type, method_id=ask.method_id, attempt=attempt)
        self.payer_id = ask.actor_id
        await self.move(walk.PAY)

    async def charge(self) -> None:
        """Takes what is owed once, if the payer still may; a payment that nobody can tell of is voided."""
        self.is_unclear = False
        assert self.payment is not None
        if not await self.may_pay():
            return await self.decline(NoPurchasingRights.detail)
        wish = self.payment_wish(self.payment)
        try:
            outcome = await self.paying(PaymentActivities.authorise, wish, f"charge {self.owed}")
            if outcome.status is PaymentStatus.AUTHORISED:
                ref = PaymentRef.of(wish)
                outcome = await self.paying(PaymentActivities.capture, ref, "take what is held")
        except ActivityError:
            outcome = None
        if outcome is None or outcome.status in LET_GO:
            outcome = await self.let_go(PaymentRef.of(wish))
        if not outcome.is_good:
            return await self.decline(outcome.detail or NOT_PAID)
        self.write_down(None, f"{self.owed:,.2f} {self.start.currency} was paid again.")
        self.owed = NOTHING
        self.payment = self.payment.model_copy(update={"shown": outcome.shown, "detail": None})
        await self.move(walk.PAID)

    async def let_go(self, ref: PaymentRef) -> PaymentOutcome:
        """However long it takes to know: what cannot be given back was paid."""
        try:
            return await workflow.execute_activity_method(
                PaymentActivities.void, ref, summary="void the payment", **calls.PAYING
            )
        except ActivityError:
            return await workflow.execute_activity_method(
                PaymentActivities.look_up, ref, summary="look the payment up", **calls.PAYING
            )

    async def decline(self, detail: str) -> None:
        assert self.payment is not None
        self.payment = self.payment.model_copy(update={"detail": detail})
        await self.move(walk.DECLINED, limit=self.grace)

    async def suspend(self) -> None:
        """The buyer did not pay in time: plans rest, and an administrator is told."""
        await self.set_suspended(is_suspended=True)
        self.write_down(None, "The time to pay is over.")
        await self.move(walk.SUSPENDED)
        self.post(MailKind.ATTENTION)

    async def restore(self) -> None:
        """It is paid, or an administrator lets it go on."""
        self.owed = NOTHING
        await self.set_suspended(is_suspended=False)
        await self.hold(is_held=False)
        await self.move(walk.SOLVED)

    async def hold(self, *, is_held: bool) -> None:
        """Raises ActivityError."""
        await workflow.execute_activity_method(
            CaseActivities.hold,
            HoldWish(belongs_to=self.start.belongs_to, is_held=is_held),
            summary="hold what was not sent" if is_held else "let it go",
            **calls.PAYING
            | ({"schedule_to_close_timeout": self.start.policy.brief} if is_held else {}),
        )

    async def set_suspended(self, *, is_suspended: bool) -> None:
        await workflow.execute_activity_method(
            CaseActivities.suspend,
            SuspendWish(
                case_id=self.id, belongs_to=self.start.belongs_to, is_suspended=is_suspended
            ),
            summary="suspend the plans" if is_suspended else "restore the plans",
            **calls.PAYING,
        )

    async def may_pay(self) -> bool:
        return await workflow.execute_local_activity_method(
            CaseActivities.may_pay,
            Payer(person_id=self.payer_id, partner_code=self.start.partner_code),
            **calls.OURS,
        )

    async def paying(self, activity: Any, asked: Any, summary: str) -> PaymentOutcome:
        return await workflow.execute_activity_method(
            activity,
            asked,
            summary=summary,
            schedule_to_close_timeout=self.start.policy.charge,
            **calls.PAYING,
        )

    def payment_wish(self, payment: CasePayment) -> PaymentWish:
        start, workflow_id = self.start, workflow.info().workflow_id
        return PaymentWish(
            flow=start.belongs_to.flow,
            flow_id=start.belongs_to.flow_id,
            workflow_id=workflow_id,
            attempt=payment.attempt,
            key=f"{workflow_id}:{payment.attempt}",
            partner_code=start.partner_code,
            person_id=start.person_id,
            type=payment.type,
            method_id=payment.method_id,
            amount=self.owed,
            currency=start.currency,
            description=start.belongs_to.name,
            capture=True,
        )

    # ------------------------------------------------------------ what administrators do

    async def answer(self, event: str) -> None:
        """What an administrator does about it."""
        ask = self.in_hand.ask if self.in_hand else None
        assert ask is not None
        limit = self.left() if self.deadline else None
        match event:
            case walk.ASSIGN:
                self.owner_id, self.owner = ask.owner_id, ask.owner
                self.write_down(ask.actor, f"Assigned to {ask.owner}.")
                self.post(MailKind.ASSIGNED)
            case walk.RETRY:
                self.tries, self.looks, limit = 0, 0, None
                self.is_asked_for = True
                self.write_down(ask.actor, ask.note)
            case walk.RESOLVE:
                self.error, limit = None, None
                if self.start.dispute_id is not None and self.state == NEEDS_ATTENTION:
                    await self.hold(is_held=False)
                self.write_down(ask.actor, ask.note)
            case _:
                self.write_down(ask.actor, ask.note)
        await self.move(event, limit=limit)

    # ------------------------------------------------------------ effects

    async def dispute(self, dispute_id: str) -> Dispute:
        return await workflow.execute_activity_method(
            PaymentActivities.look_up_dispute,
            dispute_id,
            summary="ask what the bank says",
            schedule_to_close_timeout=self.start.policy.brief,
            **calls.PAYING,
        )

    async def payments_of_all(self) -> Payments:
        """Of the whole run, not only of the payment that it is about."""
        return await workflow.execute_activity_method(
            CaseActivities.payments,
            WhichPayments(belongs_to=self.start.belongs_to),
            summary="see whether its run has ended",
            **calls.OURS,
        )

    async def payments(self) -> Payments:
        return await workflow.execute_activity_method(
            CaseActivities.payments,
            WhichPayments(belongs_to=self.start.belongs_to, payment_id=self.start.payment_id),
            summary="find the payments",
            **calls.OURS,
        )

    async def give_back(self, payments: Payments) -> Decimal:
        """At most captured − refunded − returned of each, as the provider says it now. Raises ActivityError."""
        outcomes = [await self.looked_up(one) for one in payments.ids]
        left = {one.payment_id: left_of(one) for one in outcomes}
        wanted = self.start.amount
        open_ = None if wanted is None else wanted - self.given_back
        for payment_id, amount in shares(open_, left).items():
            await self.call(
                PaymentActivities.refund,
                RefundWish(
                    payment_id=payment_id,
                    amount=amount,
                    key=f"case:{self.id}:{payment_id}",
                    attempt=self.attempt,
                    reason=self.start.cause,
                ),
                f"pay back {amount} {self.start.currency}",
            )
            self.given_back += amount
        return self.given_back

    async def looked_up(self, payment_id: str) -> PaymentOutcome:
        ref = PaymentRef(payment_id=payment_id)
        outcome = await self.call(PaymentActivities.look_up, ref, "look the payment up")
        if outcome.status in LET_GO:
            outcome = await self.call(PaymentActivities.void, ref, "void the payment")
        return outcome

    async def call(self, activity: Any, asked: Any, summary: str) -> PaymentOutcome:
        return await workflow.execute_activity_method(
            activity,
            asked,
            summary=summary,
            schedule_to_close_timeout=self.start.policy.brief,
            **calls.PAYING,
        )

    def post(self, kind: MailKind) -> None:
        self.mails.append(asyncio.create_task(self.mail(kind)))

    async def mail(self, kind: MailKind) -> None:
        """Nobody waits for it: the case shows on what it belongs to."""
        with suppress(ActivityError):
            await workflow.execute_activity_method(
                CaseActivities.mail,
                CaseMail(
                    kind=kind, person_id=self.start.person_id, case=self.present(), rev=self.rev
                ),
                summary=f"mail: {kind}",
                **calls.NOTIFY,
            )

    # ------------------------------------------------------------ what is shown

    def write_down(self, by: str | None, text: str) -> None:
        self.done.append(CaseNote(at=workflow.now(), by=by, text=text))
        del self.done[: -2 * MOST_NOTES]

    def present(self) -> CaseView:
        start = self.start
        return CaseView(
            id=self.id,
            state=self.state,
            cause=start.cause,
            belongs_to=start.belongs_to,
            detail=start.detail,
            amount=start.amount,
            given_back=self.given_back,
            currency=start.currency,
            owner_id=self.owner_id,
            owner=self.owner,
            attempt=self.attempt,
            owed=self.owed,
            payment=self.payment,
            opened_at=start.opened_at,
            due_at=start.opened_at + start.policy.due,
            deadline=self.deadline,
            error=self.error,
            done=tuple(self.done),
            updated_at=self.since,
        )

    def remark(self, ask: CaseAsk | None) -> str | None:
        if ask is not None:
            return ask.note or ask.owner
        return self.error.detail if self.error else None

    def attributes(self, before: str) -> list[SearchAttributeUpdate[Any]]:
        updates = super().attributes(before)
        if NEEDS_ATTENTION in (self.state, before):
            updates.append(ids.NEEDS_ATTENTION.value_set(self.state == NEEDS_ATTENTION))
        return updates

    def more_details(self) -> list[str]:
        start = self.start
        wanted = "all that was taken" if start.amount is None else f"{start.amount}"
        return [
            f"{start.cause}: {start.belongs_to.name} of {start.partner_code}",
            f"To be paid back: {wanted}; paid back: {self.given_back} {start.currency}",
            f"Last error: {self.error.detail}" if self.error else "",
        ]

    # ------------------------------------------------------------ messages

    @workflow.update
    async def retry(self, ask: CaseAsk) -> CaseReply:
        return await self.respond(walk.RETRY, ask)

    @workflow.update
    async def assign(self, ask: CaseAsk) -> CaseReply:
        return await self.respond(walk.ASSIGN, ask)

    @workflow.update
    async def add_note(self, ask: CaseAsk) -> CaseReply:
        return await self.respond(walk.NOTE, ask)

    @workflow.update
    async def resolve(self, ask: CaseAsk) -> CaseReply:
        return await self.respond(walk.RESOLVE, ask)

    @workflow.update
    async def pay(self, ask: CaseAsk) -> CaseReply:
        return await self.respond(walk.PAY, ask)

    @patient_signal
    def payment_heard(self, heard: PaymentHeard) -> None:
        """The provider told of a payment of this case; where it stands was looked up already, or is when it is charged."""

    @patient_signal
    def dispute_heard(self, dispute: Dispute) -> None:
        """The bank moved on a chargeback; what it says is asked again."""
        self.heard += 1

    @pay.validator
    def may_be_paid(self, ask: CaseAsk) -> None:
        self.refuse_unless(walk.PAY)

    @retry.validator
    def may_retry(self, ask: CaseAsk) -> None:
        self.refuse_unless(walk.RETRY)

    @assign.validator
    def may_assign(self, ask: CaseAsk) -> None:
        self.refuse_unless(walk.ASSIGN)
        self.refuse_when_full()

    @add_note.validator
    def may_add_note(self, ask: CaseAsk) -> None:
        self.refuse_unless(walk.NOTE)
        self.refuse_when_full()

    @resolve.validator
    def may_resolve(self, ask: CaseAsk) -> None:
        self.refuse_unless(walk.RESOLVE)

    def refuse_when_full(self) -> None:
        if len(self.done) >= MOST_NOTES:
            raise refused(Refusal.of(CaseFull))

    @workflow.query
    def view(self) -> CaseView:
        return self.present()

    def reply(self) -> CaseReply:
        return CaseReply(id=self.id, rev=self.rev, state=self.state)


def problem_of(error: ActivityError) -> CaseProblem:
    """The provider's own no, or that it did not answer."""
    cause = error.cause
    if isinstance(cause, ApplicationError) and cause.non_retryable:
        return CaseProblem(code=REFUSED, detail=cause.message)
    return NOT_REACHED
