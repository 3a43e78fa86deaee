"""What a purchase of plans has paid for: set up device by device; what fails is tried again, and given up by nobody but its
buyer (decision 91). What is refused for good is paid back at once.
"""

import asyncio
from datetime import timedelta

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.billing.payments import PaymentActivities
    from activities.plans.purchase_mails import (
        PurchaseMail,
        PurchaseMailActivities,
        PurchaseQuestion,
    )
    from activities.plans.purchases import (
        Completion,
        Provisioned,
        ProvisionRequest,
        PurchaseActivities,
        StillTheirs,
    )
    from domain.billing.payments import PaymentRef, PaymentStatus, PaymentType
    from domain.operations.cases import AskedRefund
    from domain.plans import purchase_v3 as transitions
    from domain.plans.plans import PROBLEM_WORDS, LineProblem
    from domain.plans.purchase_mails import how_far_it_is, question
    from domain.plans.purchases import (
        ASKS_BUYER,
        LineStatus,
        PlansTriedTooOften,
        PurchaseError,
        PurchaseMessage,
        PurchaseStart,
        Trying,
    )
    from domain.plans.quote import ZERO, LinesFailed, QuotedLine
    from domain.runs.kind import Refusal
    from workflows import calls
    from workflows.plans.purchase_approval import PurchaseApproval
    from workflows.run import CONDITION_MET, TIMED_OUT, Command, refused

AT_ONCE = 5
"""Devices that are set up at a time."""
BY_OPERATOR = PurchaseMessage(actor_id=None, actor="Operator", reason="Cancelled by an operator.")

SETTLES_DEVICES = "settles-devices"


class PurchaseFailed(PurchaseApproval):
    """`payment_changes` counts what was told of the payment, `looked` is how much of that was looked up; `notified` are the final
    devices of which the activations know that wait; `saved_statuses` is how the lines stood when their receipt was written last."""

    def __init__(self, start: PurchaseStart) -> None:
        super().__init__(start)
        self.payment_changes: int = 0
        self.looked: int = -1 if start.resume else 0
        self.notified: tuple[str, ...] | None = None
        self.saved_statuses: dict[str, LineStatus] = {}
        self.tried: int = 0
        """Devices that were tried again by hand."""

    @property
    def asker(self) -> PurchaseMessage | None:
        """The message of the command that is in hand."""
        return self.in_hand.ask if self.in_hand is not None else None

    async def stop(self) -> None:
        """An operator's cancel: where nothing is paid it ends there, and what failed is given up."""
        gives_up = transitions.GIVE_UP if self.version >= ASKS_BUYER else transitions.CANCEL
        ends = (transitions.CANCEL, gives_up)
        await workflow.wait_condition(lambda: self.ended or bool({*ends} & {*self.allowed()}))
        if self.ended:
            return
        if transitions.CANCEL in self.allowed():
            self.command = Command(transitions.CANCEL)
        else:
            self.command = Command(gives_up, BY_OPERATOR)

    async def provision(self) -> None:
        """Each device that waits, a few at a time; what one of them does stops no other."""
        if self.version >= ASKS_BUYER and (self.trying or self.start.resume):
            await self.look_before_trying()
        waiting = self.of_status(LineStatus.WAITING)
        for first in range(0, len(waiting), AT_ONCE):
            block = waiting[first : first + AT_ONCE]
            for done in await asyncio.gather(*(self.set_up(line) for line in block)):
                self.note(done)
            await self.pay_back_refused()
            if first + AT_ONCE < len(waiting):
                await self.show()
                await self.release_final()
        if self.of_status(LineStatus.FAILED, LineStatus.UNCERTAIN):
            self.error = PurchaseError(code=LinesFailed.code, detail=LinesFailed.detail)
            return await self.fail_in_part()
        self.error = None
        await self.complete()
        await self.move(transitions.PROVISIONED if self.provisioned() else transitions.NOTHING_LEFT)

    async def fail_in_part(self) -> None:
        """Devices wait for their next try; after the last one, for their buyer. Who waits is told what has its plan."""
        if self.version < ASKS_BUYER:
            return await self.move(transitions.PART_FAILED, limit=self.policy.retry)
        now, is_first = workflow.now(), self.trying is None
        self.trying = self.trying or Trying(since=now)
        ends = self.trying.next_try(self.policy, now)
        await self.move(transitions.PART_FAILED, limit=ends - now if ends else None)
        await self.release_final()
        if is_first and self.does(SETTLES_DEVICES):
            self.notify_buyer()
        await self.notify_final()

    async def look_before_trying(self) -> None:
        """Time has passed since it was paid: a bank may have taken the money back, devices may be somebody else's."""
        if await self.is_returned():
            return await self.end_unpaid()
        waiting = self.of_status(LineStatus.WAITING)
        theirs = await workflow.execute_local_activity_method(
            PurchaseActivities.still_theirs,
            StillTheirs(
                buyer=self.start.buyer, device_keys=tuple(line.device_key for line in waiting)
            ),
            **calls.OURS,
        )
        for line in waiting:
            if line.device_key not in theirs.device_keys:
                await self.refuse_for_good(line, LineProblem.UNKNOWN_DEVICE)
            elif line.ends_at is not None and line.ends_at <= workflow.now():
                await self.refuse_for_good(line, LineProblem.END_UNSUITABLE)
        await self.pay_back_refused()

    async def refuse_for_good(self, line: QuotedLine, problem: LineProblem) -> None:
        """Unless the device took its plan after all."""
        done = await self.look_for_plan(line)
        if done.problem is not None:
            done = Provisioned(device_key=line.device_key, problem=problem, is_final=True)
        self.note(done)

    async def wait_for_retry(self) -> None:
        """Devices that failed are tried alone, until they are given up."""
        if self.version < ASKS_BUYER:
            return await self.wait_for_a_day()
        assert self.trying is not None
        if self.notified is None and self.does(SETTLES_DEVICES):
            await self.take_place(self.trying)
        ends = self.deadline or self.trying.next_question(self.policy)
        happened = await self.wait(self.left(ends) if ends else None, self.has_news)
        if happened == CONDITION_MET:
            is_returned = await self.is_returned()
            return await (self.move(transitions.AGAIN) if is_returned else self.show())
        if happened == TIMED_OUT and self.deadline is None:
            return await self.ask_what_to_do(self.trying)
        if happened == transitions.GIVE_UP:
            return await self.move(happened)
        if happened == TIMED_OUT:
            self.trying = self.trying.model_copy(update={"tries": self.trying.tries + 1})
            happened = transitions.AGAIN
        before = len(self.of_status(LineStatus.WAITING))
        self.put_back(self.asker.device_keys if self.asker else ())
        if happened == transitions.RETRY:
            self.tried += len(self.of_status(LineStatus.WAITING)) - before
        await self.move(happened)

    async def take_place(self, trying: Trying) -> None:
        """Of a run that is gone, and that may have told nobody how it is."""
        await self.release_final()
        if trying.tries == 0:
            self.notify_buyer()
        await self.notify_final()

    async def notify_final(self) -> None:
        """Activations that wait for one of the devices."""
        final = self.final_devices()
        if self.notified != final:
            self.notified = final
            await self.notify_waiting()

    async def wait_for_a_day(self) -> None:
        """As before version 3: then they are given up by themselves."""
        happened = await self.wait(self.left())
        if happened == transitions.RETRY and self.asker is not None:
            self.put_back(self.asker.device_keys)
        await self.move(transitions.EXPIRED if happened == TIMED_OUT else happened)

    def put_back(self, keys: tuple[str, ...]) -> None:
        """What failed waits to be set up again: these devices, or all."""
        for line in self.of_status(LineStatus.FAILED, LineStatus.UNCERTAIN):
            if not keys or line.device_key in keys:
                self.statuses[line.device_key] = LineStatus.WAITING
                self.faults.pop(line.device_key, None)
        self.error = None

    def refuse_trying_too_often(self) -> None:
        """Its history has room for no end of tries. For validators."""
        if self.version >= ASKS_BUYER and self.tried >= self.policy.most_tries:
            raise refused(Refusal.of(PlansTriedTooOften))

    async def ask_what_to_do(self, trying: Trying) -> None:
        """Nobody waits for the mail; who does not answer it is shown to operators."""
        view, number = self.present(), trying.asked
        self.trying = trying.model_copy(update={"asked": number + 1})
        self.index(self.state)
        await self.show()
        subject, text = question(view, number, self.start.portal_url)
        self.mails.append(
            workflow.start_activity_method(
                PurchaseMailActivities.ask_what_to_do,
                PurchaseQuestion(
                    purchase_id=self.start.id,
                    buyer=self.start.buyer,
                    number=number,
                    subject=subject,
                    text=text,
                ),
                summary="ask what to do",
                **calls.NOTIFY,
            )
        )

    def has_news(self) -> bool:
        """Whether something of the debit was told that nobody looked up."""
        return self.is_debit() and self.payment_changes != self.looked

    def is_debit(self) -> bool:
        return self.request is not None and self.request.type is PaymentType.BANK_ACCOUNT

    async def is_returned(self) -> bool:
        """Whether the bank took its debit back, however long it takes to know."""
        if self.request is None or not self.is_debit():
            return False
        self.looked = self.payment_changes
        outcome = await self.call_provider(
            PaymentActivities.look_up, PaymentRef.of_key(self.request.key), "look the payment up"
        )
        self.show_payment(outcome)
        return outcome.status is PaymentStatus.RETURNED

    async def end_unpaid(self) -> None:
        """What is not set up was not paid, and will not be. What a device took all the same is owed by the case of the debit."""
        for line in self.of_status(LineStatus.WAITING, LineStatus.FAILED, LineStatus.UNCERTAIN):
            done = await self.look_for_plan(line)
            self.note(done)
            if done.problem is not None:
                self.statuses[line.device_key] = LineStatus.UNPAID
                self.faults.pop(line.device_key, None)

    async def pay_back_refused(self) -> None:
        """What is refused for good is paid back at once; only what may still succeed waits for the buyer. In its own refund
        for each line, so that nothing is paid back twice where a run goes on in another's place."""
        refused = [
            line
            for line in self.of_status(LineStatus.FAILED)
            if line.device_key in self.refused_for_good
        ]
        owed: dict[str, AskedRefund] = {}
        reason: ActivityError | None = None
        brief: timedelta | None = self.policy.brief
        for line in refused:
            if self.request is None or line.total == ZERO:
                self.statuses[line.device_key] = LineStatus.REFUNDED
                continue
            key = f"{self.request.key}:{line.device_key}"
            try:
                is_back = await self.give_back(self.request, line.total, key, brief)
                self.statuses[line.device_key] = LineStatus.REFUNDED if is_back else LineStatus.OWED
                brief = brief if is_back else None
            except ActivityError as error:
                self.statuses[line.device_key] = LineStatus.OWED
                owed[line.device_key] = AskedRefund(key=key, amount=line.total)
                reason = error
        if self.request is not None and reason is not None:
            total = sum((one.amount for one in owed.values()), ZERO)
            refunds = list(owed.values())
            await self.open_refusal(self.request, total, reason, *sorted(owed), refunds=refunds)

    async def pay_back(self) -> None:
        """What was paid for devices without a plan goes back, to the cent. Those that nobody knows of are looked up first."""
        if self.version >= ASKS_BUYER and await self.is_returned():
            await self.end_unpaid()
        for line in self.of_status(LineStatus.UNCERTAIN):
            self.note(await self.look_for_plan(line))
        failed = self.of_status(LineStatus.FAILED)
        amount = sum((line.total for line in failed), ZERO)
        became = LineStatus.REFUNDED
        if amount > ZERO and self.request is not None:
            key = f"{self.request.key}:failed"
            try:
                is_back = await self.give_back(self.request, amount, key, self.policy.brief)
                became = LineStatus.REFUNDED if is_back else LineStatus.OWED
            except ActivityError as error:
                asked = AskedRefund(key=key, amount=amount)
                await self.open_refusal(self.request, amount, error, refunds=[asked])
                became = LineStatus.OWED
        for line in failed:
            self.statuses[line.device_key] = became
        await self.complete()
        await self.move(transitions.REFUNDED if self.provisioned() else transitions.NOTHING_LEFT)

    def provision_request(self, line: QuotedLine) -> ProvisionRequest:
        assert self.paid_at is not None
        return ProvisionRequest(
            purchase_id=self.start.id, line=line, buyer=self.start.buyer, at=self.paid_at
        )

    async def set_up(self, line: QuotedLine) -> Provisioned:
        try:
            return await workflow.execute_activity_method(
                PurchaseActivities.provision,
                self.provision_request(line),
                summary=f"{line.plan_id} for {line.device_key}",
                **calls.CHANGE,
            )
        except ActivityError:
            return Provisioned(device_key=line.device_key, problem=LineProblem.UNCERTAIN)

    async def look_for_plan(self, line: QuotedLine) -> Provisioned:
        """Whether the device took its plan, however long it takes to know."""
        return await workflow.execute_activity_method(
            PurchaseActivities.look_up,
            self.provision_request(line),
            summary=f"look up the plan of {line.device_key}",
            **calls.PAYING,
        )

    def note(self, done: Provisioned) -> None:
        key = done.device_key
        if done.problem is None:
            self.statuses[key] = LineStatus.PROVISIONED
            self.faults.pop(key, None)
            return
        problem = LineProblem(done.problem)
        uncertain = problem is LineProblem.UNCERTAIN
        self.statuses[key] = LineStatus.UNCERTAIN if uncertain else LineStatus.FAILED
        self.faults[key] = (problem, done.detail or PROBLEM_WORDS[problem])
        if done.is_final:
            self.refused_for_good.add(key)

    async def release_final(self) -> None:
        """While others wait: the receipt as it is by now; what is final leaves the cart and is free at once. The row tells of it
        first, so that no run in this one's place sets up a device that is free."""
        if self.version < ASKS_BUYER or self.saved_statuses == self.statuses:
            return
        if not self.does(SETTLES_DEVICES):
            return
        self.saved_statuses = dict(self.statuses)
        await workflow.execute_local_activity_method(
            PurchaseActivities.release_final, self.completion(completed=False), **calls.OURS
        )

    def notify_buyer(self) -> None:
        """Nobody waits for the mail."""
        subject, text = how_far_it_is(self.present(), self.policy, self.start.portal_url)
        self.mails.append(
            workflow.start_activity_method(
                PurchaseMailActivities.mail,
                PurchaseMail(
                    purchase_id=self.start.id,
                    person_id=self.start.buyer.person_id,
                    subject=subject,
                    text=text,
                ),
                summary="mail how far it is",
                **calls.NOTIFY,
            )
        )

    async def complete(self) -> None:
        """The purchase is marked complete: its receipt is final, and its devices leave the cart."""
        await workflow.execute_activity_method(
            PurchaseActivities.complete,
            self.completion(completed=True),
            summary="mark complete",
            **calls.OURS,
        )

    def completion(self, *, completed: bool) -> Completion:
        return Completion(
            receipt=self.receipt(succeeded=True, completed=completed),
            person_id=self.start.buyer.person_id,
            provisioned=self.provisioned(),
            given_up=self.given_up_for_good(),
        )
