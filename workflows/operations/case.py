"""A case: money that something happened to after its run had ended (decision 51).

Reads as the process; every change of state goes through `move`, which refuses what the transitions in
`domain/operations/case_v1.py` do not hold.
"""

import asyncio
from collections.abc import Awaitable, Callable

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from domain.billing.disputes import Dispute
    from domain.operations import case_v1 as transitions
    from domain.operations.case_mails import MailKind
    from domain.operations.cases import (
        BY_HAND,
        MOST_NOTES,
        CaseCause,
        CaseFull,
        CaseMessage,
        CaseProblem,
        CaseReply,
        CaseStart,
        CaseTriedTooOften,
        is_tried_too_often,
    )
    from domain.runs.kind import Refusal
    from workflows.operations.case_owed import LETS_GO_OF_UNCLEAR
    from workflows.operations.case_reopening import CaseReopening
    from workflows.operations.case_state import FOR_A_PERSON, REFUSED
    from workflows.run import CONDITION_MET, TIMED_OUT, refused
    from workflows.signals import patient_signal

RESTORES_ON = "restores-on"
COUNTS_WHILE_LOOKING = "hears-while-looking"
COUNTS_WHILE_WAITING = "counts-while-waiting"


@workflow.defn(name="Case")
class CaseWorkflow(CaseReopening):
    """One case, from what caused it until it is solved or resolved."""

    patches = (RESTORES_ON, LETS_GO_OF_UNCLEAR, COUNTS_WHILE_LOOKING, COUNTS_WHILE_WAITING)

    @workflow.init
    def __init__(self, start: CaseStart) -> None:
        super().__init__(start)

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

    async def work(self) -> None:
        """What the cause asks for, if a person does not have to look first. What was paid by a run before this one is not owed."""
        resume, self.dispute_changes_before = self.start.resume, self.dispute_changes
        if resume is not None and resume.state == "restoring" and RESTORES_ON in self.decided:
            return await self.restore()
        if (self.start.cause in BY_HAND or self.start.for_a_person) and not self.is_asked_for:
            self.error = self.why_by_hand()
            await self.move(transitions.STUCK)
            return self.post(MailKind.ATTENTION)
        if self.start.cause is CaseCause.DEBIT_RETURNED:
            return await self.reopen()
        if self.start.dispute_id is not None:
            return await self.look_at_dispute(self.start.dispute_id)
        await self.pay_back()

    def why_by_hand(self) -> CaseProblem:
        if self.start.cause in BY_HAND:
            return FOR_A_PERSON
        return CaseProblem(code=REFUSED, detail=self.start.detail)

    async def wait_for_next_try(self) -> None:
        """Until its time, or until the bank has told something since it was asked last."""
        seen, counts = self.dispute_changes_before, COUNTS_WHILE_WAITING in self.decided
        happened = await self.wait(self.left(), lambda: counts and self.dispute_changes != seen)
        if happened in (TIMED_OUT, CONDITION_MET):
            return await self.move(transitions.AGAIN)
        await self.answer(happened)

    async def wait_for_person(self) -> None:
        """However long that takes: it stays on the operators' list. Of a chargeback the bank tells, or is asked, and what it
        told since it was asked last counts; of a debit that came back its order may be cancelled."""
        seen, is_debit = self.dispute_changes, self.start.cause is CaseCause.DEBIT_RETURNED
        if COUNTS_WHILE_LOOKING in self.decided:
            seen = self.dispute_changes_before
        happened = await self.wait(
            self.start.policy.due,
            lambda: self.dispute_changes != seen or (is_debit and self.has_order_changed()),
        )
        if happened not in (TIMED_OUT, CONDITION_MET):
            return await self.answer(happened)
        if is_debit and happened == CONDITION_MET:
            self.order_changes_seen, self.tries = self.order_changes, 0
            return await self.move(transitions.AGAIN)
        if self.start.dispute_id is not None:
            await self.move(transitions.AGAIN)

    @workflow.update
    async def retry(self, ask: CaseMessage) -> CaseReply:
        return await self.respond(transitions.RETRY, ask)

    @workflow.update
    async def assign(self, ask: CaseMessage) -> CaseReply:
        return await self.respond(transitions.ASSIGN, ask)

    @workflow.update
    async def add_note(self, ask: CaseMessage) -> CaseReply:
        return await self.respond(transitions.NOTE, ask)

    @workflow.update
    async def resolve(self, ask: CaseMessage) -> CaseReply:
        return await self.respond(transitions.RESOLVE, ask)

    @workflow.update
    async def pay(self, ask: CaseMessage) -> CaseReply:
        return await self.respond(transitions.PAY, ask)

    @patient_signal
    def dispute_heard(self, dispute: Dispute) -> None:
        """The bank moved on a chargeback; what it says is asked again."""
        self.dispute_changes += 1

    @pay.validator
    def may_be_paid(self, ask: CaseMessage) -> None:
        self.refuse_unless(transitions.PAY)
        if is_tried_too_often(self.payment):
            raise refused(Refusal.of(CaseTriedTooOften))

    @retry.validator
    def may_retry(self, ask: CaseMessage) -> None:
        self.refuse_unless(transitions.RETRY)

    @assign.validator
    def may_assign(self, ask: CaseMessage) -> None:
        self.refuse_unless(transitions.ASSIGN)
        self.refuse_when_full()

    @add_note.validator
    def may_add_note(self, ask: CaseMessage) -> None:
        self.refuse_unless(transitions.NOTE)
        self.refuse_when_full()

    @resolve.validator
    def may_resolve(self, ask: CaseMessage) -> None:
        self.refuse_unless(transitions.RESOLVE)

    def refuse_when_full(self) -> None:
        if len(self.done) >= MOST_NOTES:
            raise refused(Refusal.of(CaseFull))
