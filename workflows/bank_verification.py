"""A bank account is verified by two small deposits, and watched for a while after (shop spec 7; decision 31).

Reads as the process; every change of state goes through `move`, which refuses what the walk in
`domain/billing/bank_verification_v1.py` does not hold.
"""

import asyncio
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from temporalio import workflow
from temporalio.common import SearchAttributeUpdate
from temporalio.exceptions import ActivityError, ApplicationError

with workflow.unsafe.imports_passed_through():
    from activities.billing.bank_verifications import (
        BankVerificationActivities,
        Comparing,
        Opening,
        ReturnMail,
        Standing,
        Verdict,
    )
    from domain.billing import bank_verification_v1 as walk
    from domain.billing.bank_verification import (
        AlreadySaved,
        AmountsAsk,
        AmountsNotChecked,
        BankOpened,
        BankReply,
        BankVerificationStart,
        DepositsOnTheirWay,
        DepositsReturned,
        TooManyAmounts,
        VerificationEnded,
        WrongAmounts,
    )
    from workflows import calls, ids

TIMED_OUT = "TIMED_OUT"
MOMENT = timedelta(milliseconds=1)


@workflow.defn(name="BankVerification")
class BankVerificationWorkflow:
    """One bank account of one business."""

    @workflow.init
    def __init__(self, start: BankVerificationStart) -> None:
        self.start = start
        self.id = start.account.method_id
        self.state = "opening"
        self.rev = 0
        self.settled = 0
        self.tries_left = start.policy.tries
        self.reason: str | None = None
        self.refusal: str | None = None
        self.asked: AmountsAsk | None = None
        self.returned: DepositsReturned | None = None
        self.removed = False
        self.cancelled = False
        self.till: datetime = workflow.now() + start.policy.expiry
        self.sending: asyncio.Task[str | None] | None = None

    @workflow.run
    async def run(self, start: BankVerificationStart) -> BankReply:
        life = asyncio.create_task(self.live())
        try:
            await asyncio.shield(life)
        except asyncio.CancelledError:  # an operator's cancel ends the wait, not a comparison
            self.cancelled = True
            await life
        await workflow.wait_condition(workflow.all_handlers_finished)
        return self.reply()

    async def live(self) -> None:
        """From its opening to its end."""
        if await self.open():
            self.sending = asyncio.create_task(self.send_deposits())
            while not self.ended:
                await self.advance()
            self.sending.cancel()
            await self.close()

    # ------------------------------------------------------------ the process

    async def open(self) -> bool:
        """Keeps the account, which can not be paid with yet. False when its business has it already."""
        kept = await workflow.execute_local_activity_method(
            BankVerificationActivities.open,
            Opening(
                start=self.start,
                workflow_id=workflow.info().workflow_id,
                at=workflow.now(),
                expires_at=self.till,
            ),
            **calls.OURS,
        )
        if kept:
            await self.move(walk.OPENED)
            return True
        self.refusal = AlreadySaved.code
        self.state, self.rev = walk.BANK_VERIFICATION[self.state][walk.TAKEN], self.rev + 1
        self.settled = self.rev
        return False

    async def advance(self) -> None:
        """The next thing that happens to it: the deposits are out, amounts are read, they come back, or its time is up."""
        happened = await self.next()
        if happened == walk.VERIFY:
            await self.compare()
        elif happened == walk.RETURNED:
            assert self.returned is not None
            self.reason = self.returned.reason
            await self.move(walk.RETURNED)
        elif happened == TIMED_OUT:
            await self.move(self.end_of_time())
        else:
            await self.move(happened)

    def news(self) -> str | None:
        """What there is to do in this state, the gravest first."""
        may = walk.BANK_VERIFICATION[self.state]
        if self.removed and walk.REMOVE in may:
            return walk.REMOVE
        if self.returned is not None and walk.RETURNED in may:
            return walk.RETURNED
        if self.cancelled:
            return self.end_of_time()
        if self.state == "sending" and self.sending is not None and self.sending.done():
            self.reason = self.sending.result()
            return walk.REFUSED if self.reason else walk.SENT
        return walk.VERIFY if self.asked is not None and walk.VERIFY in may else None

    def end_of_time(self) -> str:
        return walk.SETTLED if self.state == "verified" else walk.EXPIRED

    async def next(self) -> str:
        """The news, once there is one, or TIMED_OUT."""
        try:
            await workflow.wait_condition(
                lambda: self.news() is not None,
                timeout=max(self.till - workflow.now(), MOMENT),
                timeout_summary=f"{self.state} until {self.till:%Y-%m-%d %H:%M} UTC",
            )
        except TimeoutError:
            return TIMED_OUT
        return self.news() or TIMED_OUT

    async def compare(self) -> None:
        """Whether the amounts are right. What could not be compared uses no try."""
        asked = self.asked
        assert asked is not None
        self.refusal = None
        await self.move(walk.VERIFY)
        verdict = await self.verdict(asked)
        self.asked = None
        event = self.judge(verdict)
        await self.move(event, used_secret=asked.secret_id)

    def judge(self, verdict: Verdict) -> str:
        """What the verdict does."""
        if verdict is Verdict.RIGHT:
            self.till = workflow.now() + self.start.policy.watch
            return walk.CONFIRMED
        if verdict is Verdict.UNKNOWN:
            self.refusal = AmountsNotChecked.code
            return walk.AGAIN
        self.tries_left -= 1
        self.refusal = WrongAmounts.code if self.tries_left else TooManyAmounts.code
        if self.tries_left:
            return walk.AGAIN
        self.reason = TooManyAmounts.code
        return walk.LOCKED

    async def close(self) -> None:
        """Whoever added it hears that it came back; the gateway forgets what is of no use any more. Its end has been shown
        by then, and nothing hangs on either."""
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
                    **calls.NOTIFY,
                )

    # ------------------------------------------------------------ effects

    async def send_deposits(self) -> str | None:
        """None once they are out, else the gateway's reason. It is tried until then; the end of its time cancels it."""
        patient: dict[str, Any] = {**calls.CHANGE, "schedule_to_close_timeout": None}
        return await workflow.execute_activity_method(
            BankVerificationActivities.send_deposits, self.start, summary="two deposits", **patient
        )

    async def verdict(self, asked: AmountsAsk) -> Verdict:
        try:
            return await workflow.execute_activity_method(
                BankVerificationActivities.compare,
                Comparing(
                    method_id=self.id,
                    token=self.start.account.token,
                    secret_id=asked.secret_id,
                ),
                summary=f"try {self.start.policy.tries - self.tries_left + 1}",
                **calls.CHANGE,
            )
        except ActivityError:
            return Verdict.UNKNOWN

    async def move(self, event: str, *, used_secret: str | None = None) -> None:
        """The one place where the state changes."""
        target = walk.BANK_VERIFICATION[self.state].get(event)
        if target is None:
            raise ApplicationError(f"{event} leads nowhere from {self.state}", non_retryable=True)
        self.rev += 1
        self.state = target
        rev = self.rev
        updates: list[SearchAttributeUpdate[Any]] = [ids.FLOW_STEP.value_set(target)]
        workflow.upsert_search_attributes(updates)  # pyright: ignore[reportUnknownMemberType]
        workflow.set_current_details(self.details())
        await workflow.execute_local_activity_method(
            BankVerificationActivities.move,
            Standing(
                method_id=self.id,
                partner_code=self.start.partner_code,
                rev=rev,
                state=target,
                tries_left=self.tries_left,
                reason=self.reason,
                at=workflow.now(),
                expires_at=self.till,
                ended=self.ended,
                becomes_main=self.start.account.is_main,
                used_secret=used_secret,
            ),
            **calls.OURS,
        )
        self.settled = rev

    def details(self) -> str:
        """What an operator reads in the Temporal UI."""
        return "\n".join(
            [
                f"**{walk.LABELS[self.state]}** ({self.state}) since {workflow.now():%Y-%m-%d %H:%M:%S} UTC, "
                f"until {self.till:%Y-%m-%d %H:%M} UTC, {self.tries_left} tries left",
                "Waits for " + ("a person" if self.state == "waiting" else "the portal"),
            ]
        )

    # ------------------------------------------------------------ messages

    @workflow.update
    async def opened(self, opened: BankOpened) -> BankReply:
        """The first answer: the account is kept."""
        await workflow.wait_condition(lambda: self.settled > 0)
        return self.reply()

    @workflow.update
    async def verify(self, ask: AmountsAsk) -> BankReply:
        """Answers once the amounts were compared."""
        self.asked = ask
        await workflow.wait_condition(
            lambda: (self.asked is not ask or self.ended) and self.settled == self.rev
        )
        return self.reply()

    @verify.validator
    def may_verify(self, ask: AmountsAsk) -> None:
        if self.asked is None and walk.VERIFY in walk.allowed(self.state):
            return
        busy = self.asked is not None or self.state in ("opening", "sending")
        why = DepositsOnTheirWay if busy else VerificationEnded
        raise ApplicationError(why.detail, type=why.code, non_retryable=True)

    @workflow.signal
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

    @property
    def ended(self) -> bool:
        return not walk.BANK_VERIFICATION[self.state]

    def reply(self) -> BankReply:
        return BankReply(
            method_id=self.id,
            state=self.state,
            tries_left=self.tries_left,
            refusal=self.refusal,
        )
