"""A bank account is verified by two small deposits, and watched for a while after (shop spec 7; decision 31).

Reads as the process; every change of state goes through `move`, which refuses what the transitions in
`domain/billing/bank_verification_v1.py` do not hold.
"""

import asyncio
from contextlib import suppress
from datetime import datetime

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.billing.bank_verifications import (
        BankVerificationActivities,
        Comparing,
        Opening,
        ReturnMail,
        Verdict,
        VerificationStatus,
    )
    from domain.billing import bank_verification_v1 as transitions
    from domain.billing.bank_verification import (
        AlreadySaved,
        AmountsMessage,
        AmountsNotChecked,
        BankOpened,
        BankReply,
        BankVerificationStart,
        DepositsReturned,
        TooManyAmounts,
        WrongAmounts,
    )
    from domain.kinds import BANK_VERIFICATION
    from workflows import calls
    from workflows.run import TIMED_OUT, Command, Machine
    from workflows.signals import patient_signal


@workflow.defn(name="BankVerification")
class BankVerificationWorkflow(Machine[AmountsMessage]):
    """One bank account of one business."""

    kind = BANK_VERIFICATION

    @workflow.init
    def __init__(self, start: BankVerificationStart) -> None:
        super().__init__(start.account.method_id)
        self.start = start
        self.tries_left = start.policy.tries
        self.reason: str | None = None
        self.refusal_code: str | None = None
        self.used_secret: str | None = None
        self.returned: DepositsReturned | None = None
        self.removed = False
        self.till: datetime = workflow.now() + start.policy.expiry
        self.sending: asyncio.Task[str | None] | None = None

    @workflow.run
    async def run(self, start: BankVerificationStart) -> BankReply:
        await self.carry_out()
        return self.reply()

    async def execute(self) -> None:
        if await self.open():
            self.sending = asyncio.create_task(self.send_deposits())
            while not self.ended:
                await self.advance()
            self.sending.cancel()
            await self.close()

    async def open(self) -> bool:
        """Keeps the account, which cannot be paid with yet. False when its business has it already."""
        stored = await workflow.execute_local_activity_method(
            BankVerificationActivities.open,
            Opening(
                start=self.start,
                workflow_id=workflow.info().workflow_id,
                at=workflow.now(),
                expires_at=self.till,
            ),
            **calls.OURS,
        )
        if stored:
            await self.move(transitions.OPENED)
            return True
        self.refusal_code = AlreadySaved.code
        self.enter(transitions.TAKEN)  # there is no row to show it in
        self.published_rev = self.rev
        return False

    async def advance(self) -> None:
        """The next thing that happens to it: the deposits are out, amounts are read, they come back, or its time is up."""
        happened = await self.next()
        if happened == transitions.VERIFY:
            await self.compare()
        elif happened == transitions.RETURNED:
            assert self.returned is not None
            self.reason = self.returned.reason
            await self.move(transitions.RETURNED)
        elif happened == TIMED_OUT:
            await self.move(self.end_of_time())
        else:
            await self.move(happened)

    def news(self) -> str | None:
        """What there is to do in this state, the gravest first."""
        may = self.transitions[self.state]
        if self.removed and transitions.REMOVE in may:
            return transitions.REMOVE
        if self.returned is not None and transitions.RETURNED in may:
            return transitions.RETURNED
        if self.cancelled:
            return self.end_of_time()
        if self.state == "sending" and self.sending is not None and self.sending.done():
            self.reason = self.sending.result()
            return transitions.REFUSED if self.reason else transitions.SENT
        return (
            self.command.event if self.command is not None and transitions.VERIFY in may else None
        )

    def end_of_time(self) -> str:
        return transitions.SETTLED if self.state == "verified" else transitions.EXPIRED

    async def next(self) -> str:
        """The news, once there is one, or TIMED_OUT."""
        try:
            await workflow.wait_condition(
                lambda: self.news() is not None,
                timeout=self.left(self.till),
                timeout_summary=f"{self.state} until {self.till:%Y-%m-%d %H:%M} UTC",
            )
        except TimeoutError:
            return TIMED_OUT
        return self.news() or TIMED_OUT

    async def compare(self) -> None:
        """Whether the amounts are right. What could not be compared uses no try."""
        assert self.command is not None
        ask = self.command.ask
        assert ask is not None
        self.refusal_code = None
        await self.move(transitions.VERIFY)
        verdict = await self.verdict(ask)
        event = self.judge(verdict)
        self.used_secret = ask.secret_id
        await self.move(event)
        self.used_secret = None

    def judge(self, verdict: Verdict) -> str:
        """What the verdict does."""
        if verdict is Verdict.RIGHT:
            self.till = workflow.now() + self.start.policy.watch
            return transitions.CONFIRMED
        if verdict is Verdict.UNKNOWN:
            self.refusal_code = AmountsNotChecked.code
            return transitions.AGAIN
        self.tries_left -= 1
        self.refusal_code = WrongAmounts.code if self.tries_left else TooManyAmounts.code
        if self.tries_left:
            return transitions.AGAIN
        self.reason = TooManyAmounts.code
        return transitions.LOCKED

    async def close(self) -> None:
        """Whoever added it is told that it came back; its provider forgets what nobody pays with any more. Its end has been
        shown by then, and nothing hangs on either."""
        with suppress(ActivityError):
            if self.state == "returned":
                await workflow.execute_activity_method(
                    BankVerificationActivities.mail_return,
                    ReturnMail(start=self.start),
                    summary="deposits returned",
                    **calls.NOTIFY,
                )
            if self.state == "removed":
                await workflow.execute_activity_method(
                    BankVerificationActivities.forget,
                    self.start.account.token,
                    summary="forget the account",
                    **calls.TIDYING,
                )

    async def send_deposits(self) -> str | None:
        """None once they are out, else the gateway's reason. It is tried until then; the end of its time cancels it."""
        patient = calls.within(calls.LONGEST, calls.CHANGE)
        return await workflow.execute_activity_method(
            BankVerificationActivities.send_deposits, self.start, summary="two deposits", **patient
        )

    async def verdict(self, ask: AmountsMessage) -> Verdict:
        try:
            return await workflow.execute_activity_method(
                BankVerificationActivities.compare,
                Comparing(
                    method_id=self.id,
                    token=self.start.account.token,
                    secret_id=ask.secret_id,
                ),
                summary=f"try {self.start.policy.tries - self.tries_left + 1}",
                **calls.CHANGE,
            )
        except ActivityError:
            return Verdict.UNKNOWN

    def entered(self, event: str, before: str, cause: Command[AmountsMessage] | None) -> None:
        self.deadline = self.till

    async def write(self) -> None:
        """Its row, and forgets amounts that were compared."""
        await workflow.execute_local_activity_method(
            BankVerificationActivities.move,
            VerificationStatus(
                method_id=self.id,
                partner_code=self.start.partner_code,
                rev=self.rev,
                state=self.state,
                tries_left=self.tries_left,
                reason=self.reason,
                at=workflow.now(),
                expires_at=self.till,
                ended=self.ended,
                becomes_main=self.start.account.is_main,
                used_secret=self.used_secret,
            ),
            **calls.OURS,
        )

    def more_details(self) -> list[str]:
        return [f"{self.tries_left} tries left"]

    @workflow.update
    async def opened(self, opened: BankOpened) -> BankReply:
        """The first answer: the account is kept."""
        await workflow.wait_condition(lambda: self.published_rev > 0)
        return self.reply()

    @workflow.update
    async def verify(self, ask: AmountsMessage) -> BankReply:
        """Answers once the amounts were compared."""
        return await self.respond(transitions.VERIFY, ask)

    @verify.validator
    def may_verify(self, ask: AmountsMessage) -> None:
        self.refuse_unless(transitions.VERIFY)

    def is_answered(self, command: Command[AmountsMessage]) -> bool:
        return super().is_answered(command) and self.state != "checking"

    @patient_signal
    def deposits_returned(self, returned: DepositsReturned) -> None:
        """The bank sent them back. The first word counts."""
        self.returned = self.returned or returned

    @workflow.signal
    def account_removed(self) -> None:
        """Its business does not want it any more."""
        self.removed = True

    @workflow.query
    def view(self) -> BankReply:
        return self.reply()

    def reply(self) -> BankReply:
        return BankReply(
            method_id=self.id,
            state=self.state,
            tries_left=self.tries_left,
            refusal=self.refusal_code,
        )
