"""A case of a debit that came back, or of a chargeback: what was paid for is owed again, what was not sent yet is held."""

import asyncio

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.billing.invoice_payments import (
        InvoicePaymentActivities,
        PostedInvoices,
        UnpostRequest,
    )
    from activities.billing.payments import PaymentActivities
    from activities.operations.cases import CaseActivities, Payments, WhichPayments
    from domain.billing.disputes import DECIDED, Dispute, DisputeStatus
    from domain.billing.payments import NOTHING
    from domain.operations import case_v1 as transitions
    from domain.operations.case_mails import MailKind
    from workflows import calls
    from workflows.operations.case_owed import ASKS_WHAT_IS_OWED, LOOKS_AT_ONCE, CaseOwed
    from workflows.operations.case_refund import CaseRefund
    from workflows.operations.case_state import (
        DISPUTED,
        FOR_A_PERSON,
        STILL_AT_WORK,
        problem_of,
    )

UNPOSTED_AT_ONCE = 10
WON = "The bank decided for us: nothing was taken, or it was given back."
TELLS_OF_LOSS = "tells-of-loss"
TELLS_PAYER_OF_LOSS = "tells-payer-of-loss"


class CaseReopening(CaseRefund, CaseOwed):
    """What a bank took back."""

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
            await self.move(transitions.STUCK)
            return self.ask_for_help()
        self.error = None
        if all(one.text != WON for one in self.done):
            self.write_down(None, WON)
        if self.does(ASKS_WHAT_IS_OWED) and (await self.not_sent()).is_cancelled:
            return await self.pay_back()
        await self.move(transitions.SOLVED)

    async def reopen(self) -> None:
        """What was paid for is owed again, but goods that are never sent; what was not sent yet is held."""
        if self.start.belongs_to.kind == "invoice_payment":
            return await self.reopen_invoices()
        resume = self.start.resume
        try:
            await self.hold(is_held=True)
        except ActivityError as error:
            self.error = problem_of(error)
            self.tries += 1
            return await self.try_later(is_try=True)
        self.error = None
        lowered = sum((one.amount for one in self.lowered), NOTHING)
        self.owed = (self.start.amount or NOTHING) - lowered
        if self.does(ASKS_WHAT_IS_OWED):
            if resume is not None and self.is_unclear:
                self.owed = resume.owed  # its charge may be under way, under its key
            elif await self.lower() and self.is_owed_no_more:
                await self.hold(is_held=False)
                return await self.move(transitions.SOLVED)
            self.order_changes_seen = LOOKS_AT_ONCE
        if self.start.dispute_id is not None and self.does(TELLS_OF_LOSS):
            self.owed_at = workflow.now()
            if resume is None or not resume.owed:
                self.post(MailKind.LOST)
        self.write_down(None, f"{self.owed:,.2f} {self.start.currency} is owed again.")
        await self.move(transitions.OWED, limit=self.grace)

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
                await self.move(transitions.STUCK)
                self.mail_loss()
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
        self.mail_loss()
        await self.move(transitions.SOLVED)

    def mail_loss(self) -> None:
        """The payer of invoices is told what the bank has decided about a chargeback."""
        if self.start.dispute_id is not None and self.does(TELLS_PAYER_OF_LOSS):
            self.post(MailKind.LOST)

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
            UnpostRequest(payment_id=payment_id, number=number),
            summary=f"take back what was posted to {number}",
            **calls.within(self.start.policy.brief, calls.PAYING),
        )

    async def dispute(self, dispute_id: str) -> Dispute:
        return await workflow.execute_activity_method(
            PaymentActivities.look_up_dispute,
            dispute_id,
            summary="ask what the bank says",
            **calls.within(self.start.policy.brief, calls.PAYING),
        )

    async def payments_of_all(self) -> Payments:
        """Of the whole run, not only of the payment that it is about."""
        return await workflow.execute_activity_method(
            CaseActivities.payments,
            WhichPayments(belongs_to=self.start.belongs_to),
            summary="see whether its run has ended",
            **calls.OURS,
        )
