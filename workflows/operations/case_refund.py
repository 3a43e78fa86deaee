"""A case of money that is to be given back: as far as its payments hold it, and never more."""

from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal

from temporalio import workflow
from temporalio.exceptions import ActivityError, FailureError

with workflow.unsafe.imports_passed_through():
    from activities.billing.payments import PaymentActivities
    from activities.operations.cases import CaseActivities, Payments, WhichPayments
    from domain.billing.payments import NOTHING, PaymentOutcome, PaymentRef, RefundRequest
    from domain.operations import case_v1 as transitions
    from domain.operations.cases import CaseCause, OrderChanged, cases_to_notify, left_of, shares
    from workflows import calls, ids
    from workflows.charging import is_refusal
    from workflows.operations.case_state import (
        LET_GO,
        NOT_ARRIVED,
        OWED_BEFORE,
        REFUSED,
        STILL_AT_WORK,
        CaseRunState,
        problem_of,
    )

ASKS_BY_KEY = "asks-by-key"
ASKS_FOR_LESS = "asks-for-less"


class CaseRefund(CaseRunState):
    """What was taken for nothing is given back."""

    async def pay_back(self) -> None:
        """Gives back what is to be given back, as far as the payments hold it."""
        payments = await self.payments()
        await self.ask_for_less(payments.owed_by)
        if payments.is_owed_before:
            return await self.wait_for_decision()
        if not payments.is_settled:
            self.error = STILL_AT_WORK
            self.looks += 1
            return await self.try_later(is_try=False)
        self.taken_off = payments.taken_off
        try:
            outcomes = [await self.looked_up(one) for one in payments.ids]
            given = await self.give_back(outcomes)
        except ActivityError as error:
            self.error = problem_of(error)
            self.write_down(None, self.error.detail)
            self.tries += 1
            self.attempt += self.error.code == REFUSED
            return await self.try_later(is_try=True)
        covered = given + self.taken_off
        if covered != self.start.amount:
            if any(one.must_arrive for one in outcomes):
                return await self.wait_for_bank()
            if any(one.is_undecided for one in outcomes) and not self.is_left_to_chargeback:
                return await self.wait_for_decision()
        self.error = None
        if self.taken_off > NOTHING:
            self.write_down(
                None, f"{self.taken_off:,.2f} {self.start.currency} less is asked for instead."
            )
        if given > NOTHING:
            self.write_down(None, f"Paid back {given:,.2f} {self.start.currency}.")
        if covered == NOTHING:
            self.write_down(None, "There was nothing to pay back.")
        await self.move(transitions.SOLVED)

    async def ask_for_less(self, owed_by: Sequence[str]) -> None:
        """Tells the cases that wait to be paid again for these goods; one that has ended meanwhile owes nothing. What the first
        does not take off for a part, the next is asked at another look."""
        if not owed_by or not self.does(ASKS_FOR_LESS):
            return
        for case_id in cases_to_notify(self.start.cause, owed_by):
            owed = workflow.get_external_workflow_handle(ids.case_id(case_id))
            with suppress(FailureError):
                await owed.signal("order_changed", OrderChanged(case_id=self.id))

    async def payments(self) -> Payments:
        return await workflow.execute_activity_method(
            CaseActivities.payments,
            WhichPayments(
                belongs_to=self.start.belongs_to,
                payment_id=self.start.payment_id,
                case_id=self.id,
            ),
            summary="find the payments",
            **calls.OURS,
        )

    async def wait_for_bank(self) -> None:
        """A debit takes days, and is asked about until its bank has paid it or sent it back."""
        self.error = NOT_ARRIVED
        self.looks += 1
        await self.look_later(self.start.policy.bank)

    @property
    def is_left_to_chargeback(self) -> bool:
        """An order that is cancelled while a bank has its money is paid back by the case of the chargeback, if that is won."""
        return self.start.cause is CaseCause.ORDER_CANCELLED

    async def wait_for_decision(self) -> None:
        """What the holder of the card has had taken back, or what a case is still asking for, is not there to be given back, and
        may come again."""
        self.error = OWED_BEFORE
        self.looks += 1
        await self.look_later(self.start.policy.bank)

    async def give_back(self, outcomes: Sequence[PaymentOutcome]) -> Decimal:
        """At most captured − refunded − returned of each, as the provider says it now, and nothing of what must arrive before.
        Raises ActivityError."""
        if self.start.refunds:
            return await self.give_back_each(outcomes)
        wanted, brief = self.start.amount, self.start.policy.brief
        if await self.is_given_back(outcomes):
            self.given_back = wanted or NOTHING
        left = {one.payment_id: left_of(one) for one in outcomes if not one.must_arrive}
        open_ = None if wanted is None else wanted - self.given_back - self.taken_off
        for payment_id, amount in shares(open_, left).items():
            refund = RefundRequest(
                payment_id=payment_id,
                amount=amount,
                key=self.start.refund_key or f"case:{self.id}:{payment_id}",
                attempt=self.attempt,
                reason=self.start.cause,
            )
            await self.call_provider(
                PaymentActivities.refund, refund, f"pay back {amount} {self.start.currency}", brief
            )
            self.given_back += amount
        return self.given_back

    async def give_back_each(self, outcomes: Sequence[PaymentOutcome]) -> Decimal:
        """Of one payment, under the keys of the run that asked for it: what was made meanwhile is not made again. Raises
        ActivityError."""
        given = NOTHING
        is_held = any(one.must_arrive or one.is_undecided for one in outcomes)
        for one in () if is_held else self.start.refunds:
            refund = RefundRequest(
                payment_id=self.start.payment_id or "",
                amount=one.amount,
                key=one.key,
                attempt=self.attempt,
                reason=self.start.cause,
            )
            await self.call_provider(
                PaymentActivities.refund,
                refund,
                f"pay back {one.amount} {self.start.currency}",
                self.start.policy.brief,
            )
            given += one.amount
            self.given_back = max(self.given_back, given)
        return given

    async def is_given_back(self, outcomes: Sequence[PaymentOutcome]) -> bool:
        """Whether the refund that its run had asked for was made, and so is a part of what is not left: its provider knows its
        key. Raises ActivityError."""
        key, wanted = self.start.refund_key, self.start.amount
        if key is None or wanted is None or self.given_back >= wanted:
            return False
        may_be = [one for one in outcomes if left_of(one) < wanted <= one.refunded]
        if not may_be or not self.does(ASKS_BY_KEY):
            return False
        asked = RefundRequest(
            payment_id=may_be[0].payment_id,
            amount=wanted,
            key=key,
            attempt=self.attempt,
            reason=self.start.cause,
        )
        try:
            await self.call_provider(
                PaymentActivities.refund, asked, "see what was paid back", self.start.policy.brief
            )
        except ActivityError as error:
            if not is_refusal(error):
                raise
            return False
        return True

    async def looked_up(self, payment_id: str) -> PaymentOutcome:
        ref, brief = PaymentRef(payment_id=payment_id), self.start.policy.brief
        outcome = await self.call_provider(
            PaymentActivities.look_up, ref, "look the payment up", brief
        )
        if outcome.status in LET_GO:
            outcome = await self.call_provider(
                PaymentActivities.void, ref, "void the payment", brief
            )
        return outcome
