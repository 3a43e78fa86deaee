"""The money of a placement: held before there is an order, taken when the ERP has it, given back where nothing comes of it."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.billing.payments import PaymentActivities
    from domain.billing.payments import (
        ENDED,
        MOST_ATTEMPTS,
        PROMISES,
        PayingFlow,
        PaymentChanged,
        PaymentOutcome,
        PaymentRef,
        PaymentRequest,
        PaymentStatus,
        payment_id_of,
    )
    from domain.checkout.placement import (
        CAPTURE_UNCLEAR,
        DECLINED_WORDS,
        NOT_PROVEN,
        PAYMENT_ERROR,
        PAYMENT_UNCLEAR,
        PlacementMessage,
        PlacementReply,
        PlacementStart,
        PlacementTriedTooOften,
        Problem,
        Resume,
    )
    from domain.checkout.placements import placement_v4 as transitions
    from domain.operations.cases import UNANSWERED, BelongsTo, on_order
    from domain.runs.kind import Refusal
    from workflows.charging import VOIDS_BEHIND
    from workflows.checkout.placement_state import PlacementRunState
    from workflows.run import CONDITION_MET, TIMED_OUT, refused
    from workflows.signals import patient_signal

PRESENT_BEHIND = "voids-present-behind"
WAITS_ONCE = "waits-once"
COUNTS_RETURNED = "counts-returned"
SECOND = timedelta(seconds=1)
BRIEFLY = timedelta(minutes=1)
"""How long a payment that waits for its payer is looked up at once."""


class PlacementMoney(PlacementRunState):
    """`tried` are the attempts to be paid, the present one last; `over` the keys of those of which nothing more comes."""

    def __init__(self, start: PlacementStart) -> None:
        super().__init__(start)
        self.tried: list[PaymentRequest] = []
        self.over: set[str] = set()
        self.payment_change: PaymentChanged | None = None
        if start.resume is not None:
            self.tried = self.asked_before(start.resume)
            if start.resume.begins is not None and self.is_promised:
                self.outcome = self.promise()

    def asked_before(self, resume: Resume) -> list[PaymentRequest]:
        """By whatever each was to be paid. Runs that were resumed earlier know the present way alone."""
        if resume.tried is None:
            asked = self.attempt - 1 if self.is_promised else self.attempt
            return [self.request_of(n + 1) for n in range(asked)]
        tried = list(resume.tried)
        if not self.is_promised and all(one.attempt != self.attempt for one in tried):
            tried.append(self.request_of(self.attempt))
        return tried

    async def authorise(self) -> None:
        """Has the total held. An attempt that was made before is looked up."""
        if not self.is_promised:
            await self.publish()
        if self.stopped():
            return self.leave(transitions.CANCEL)
        if self.is_promised:
            self.outcome, self.error = self.promise(), None
            return self.enter(transitions.AUTHORISED)
        if not self.tried or self.tried[-1].attempt != self.attempt:
            self.tried.append(self.request_of(self.attempt))
        try:
            outcome = await self.charge_or_stop(
                self.tried[-1], f"authorise, attempt {self.attempt}", self.policy.unclear
            )
        except ActivityError:
            return self.stick(PAYMENT_UNCLEAR)
        self.outcome = outcome
        if self.stopped():
            return self.leave(transitions.CANCEL)
        if self.asked == transitions.CHOOSE_PAYMENT:
            return self.choose()
        assert outcome is not None
        if outcome.is_good:
            self.error = None
            return self.enter(transitions.AUTHORISED)
        if outcome.status is PaymentStatus.ACTION_REQUIRED:
            self.error = None
            return self.enter(transitions.ACTION_REQUIRED)
        if outcome.status is PaymentStatus.UNKNOWN:
            return self.stick(PAYMENT_UNCLEAR)
        self.decline()

    @property
    def is_promised(self) -> bool:
        """Whether it is paid by a promise, for which no provider is asked. Runs of before `path` 3 had one note it."""
        return self.is_short and self.choice.type in PROMISES

    def promise(self) -> PaymentOutcome:
        return PaymentOutcome(
            payment_id=payment_id_of(self.key_of(self.attempt)),
            status=PaymentStatus.AUTHORISED,
            shown=self.shown,
        )

    def request_of(self, attempt: int) -> PaymentRequest:
        """What the gateway is asked for at this attempt: to hold the whole total."""
        start = self.start
        return self.attempt_to_charge(
            self.choice,
            attempt,
            amount=start.total,
            currency=start.currency,
            description=f"Order of {start.partner_name}",
            reference=start.po_number,
            at_once=False,
        )

    def is_stopped(self) -> bool:
        return self.stopped(or_asked=True)

    def decline(self) -> None:
        """The method is marked invalid, everything else is kept."""
        detail = self.outcome.detail if self.outcome else None
        self.error = Problem(code=PAYMENT_ERROR, detail=detail or DECLINED_WORDS)
        method = self.choice.method_id
        if method is not None and method not in self.refused_methods:
            self.refused_methods.append(method)
        self.over.add(self.tried[-1].key)
        self.enter(transitions.DECLINED)

    async def wait_for_proof(self) -> None:
        """The payer confirms at the bank. Without a word for long enough the payment is voided."""
        self.deadline = workflow.now() + self.policy.idle
        await self.publish()
        happened = await self.wait_for_change(self.deadline)
        self.deadline = None
        if happened == CONDITION_MET:
            ended = self.outcome is not None and self.outcome.status in ENDED
            return self.decline() if ended else self.enter(transitions.PROVEN)
        if happened == transitions.CANCEL:
            return self.leave(transitions.CANCEL)
        await self.void_present()
        if happened == transitions.CHOOSE_PAYMENT:
            return self.choose()
        self.error = NOT_PROVEN
        self.enter(transitions.IDLE)

    async def wait_for_change(self, until: datetime) -> str:
        """CONDITION_MET once the payment has moved on, TIMED_OUT, or what a person asked. The provider's word of it may be lost, so
        it is looked at from time to time."""
        while (left := until - workflow.now()) > timedelta(0):
            happened = await self.listen(
                min(left, self.policy.poll), lambda: self.payment_change is not None
            )
            if happened not in (CONDITION_MET, TIMED_OUT):
                return happened
            self.payment_change = None
            if await self.look_again() is not PaymentStatus.ACTION_REQUIRED:
                return CONDITION_MET
        return TIMED_OUT

    async def look_again(self) -> PaymentStatus:
        """While the provider does not answer, the payer is still waited for."""
        outcome = await self.look_up_payment(self.tried[-1], self.patient(BRIEFLY))
        if outcome is None:
            return PaymentStatus.ACTION_REQUIRED
        if outcome.status is not PaymentStatus.ACTION_REQUIRED:
            self.outcome = outcome
        return outcome.status

    async def wait_for_payment(self) -> None:
        """Another way to pay, within its time."""
        self.deadline = workflow.now() + self.policy.payment
        await self.publish()
        happened = await self.listen(self.policy.payment)
        self.deadline = None
        if happened == transitions.CHOOSE_PAYMENT:
            return self.choose()
        self.leave(transitions.EXPIRED if happened == TIMED_OUT else transitions.CANCEL)

    def choose(self) -> None:
        """Another attempt, by what the buyer chose; a method that was refused may be tried again."""
        ask = self.asker
        assert ask is not None
        assert ask.payment is not None
        self.choice, self.shown = ask.payment, ask.shown
        self.attempt += 1
        self.outcome, self.error, self.payment_change = None, None, None
        self.enter(transitions.CHOOSE_PAYMENT)

    async def capture(self) -> None:
        """Takes the money; what was held by an earlier attempt is given back."""
        earlier = [request for request in self.tried if request.attempt != self.attempt]
        if self.is_promised and self.over.issuperset(request.key for request in earlier):
            self.error = None
            return self.enter(transitions.CAPTURED)
        await self.publish()
        try:
            if not self.is_promised:
                self.outcome = await self.call_provider(
                    PaymentActivities.capture,
                    self.last_payment,
                    "capture",
                    self.policy.capture,
                )
            await self.let_go(earlier, self.policy.capture)
        except ActivityError:
            return self.stick(CAPTURE_UNCLEAR)
        if not self.is_taken() and not (self.stands and self.is_promised):
            return self.stick(CAPTURE_UNCLEAR)
        self.error = None
        self.enter(transitions.CAPTURED)

    def is_taken(self) -> bool:
        """Also what a bank took back before its taking was known: the order stands, and a case asks for what is owed."""
        if self.outcome is None:
            return False
        is_back = self.outcome.status is PaymentStatus.RETURNED
        return self.outcome.is_good or (is_back and self.does(COUNTS_RETURNED))

    def patient(self, limit: timedelta | None) -> dict[str, Any]:
        slowest = self.policy.slowest
        again = RetryPolicy(initial_interval=min(SECOND, slowest), maximum_interval=slowest)
        return {**super().patient(limit), "retry_policy": again}

    async def void(self, request: PaymentRequest, limit: timedelta) -> None:
        """Gives an attempt's money back, held or taken; one that was never sent never will be. Raises ActivityError."""
        self.note_void(request, await self.voided(request, limit))

    def note_void(self, request: PaymentRequest, outcome: PaymentOutcome | None) -> None:
        """Nothing more comes of this attempt."""
        self.over.add(request.key)
        if outcome is not None and request.attempt == self.attempt:
            self.outcome = outcome

    @property
    def last_payment(self) -> PaymentRef:
        """The last attempt, by which it is paid."""
        return PaymentRef.of(self.tried[-1])

    async def void_all(self, attempts: Sequence[PaymentRequest], limit: timedelta) -> None:
        """The last one first. Raises ActivityError."""
        for request in reversed(attempts):
            if request.key not in self.over:
                await self.void(request, limit)

    async def let_go(self, attempts: Sequence[PaymentRequest], limit: timedelta) -> None:
        """The last one first. The buyer waits for no provider, and for one that is away once: what it does not let go of at
        once is a case's. Raises ActivityError in runs of before there was one."""
        is_away = False
        for request in reversed(attempts):
            if request.key in self.over:
                continue
            if not self.does(VOIDS_BEHIND):
                await self.void(request, limit)
                continue
            waits = None if is_away and self.does(WAITS_ONCE) else self.policy.brief
            outcome = await self.void_behind(request, waits)
            is_away = is_away or (outcome is not None and outcome.detail == UNANSWERED)
            self.note_void(request, outcome)

    async def void_present(self) -> None:
        """Nobody waits long for it: what cannot be voided now is a case's. Runs of before that void it at the end."""
        request = self.tried[-1]
        if self.does(PRESENT_BEHIND):
            return self.note_void(request, await self.void_behind(request, self.policy.brief))
        try:
            await self.void(request, self.policy.brief)
        except ActivityError:
            workflow.logger.info("a payment is voided later")

    def belongs_to(self) -> BelongsTo:
        if (order := self.order) is not None:
            return on_order(order.id, order.number, self.id)
        return BelongsTo(
            kind="cart", id=self.id, name="Your cart", flow=PayingFlow.PLACEMENT, flow_id=self.id
        )

    @patient_signal
    def payment_heard(self, changed: PaymentChanged) -> None:
        """The provider told of a payment: of the present one it is looked up, of any other it is history."""
        if self.tried and changed.payment_id == self.tried[-1].payment_id:
            self.payment_change = changed

    @workflow.update
    async def choose_payment(self, ask: PlacementMessage) -> PlacementReply:
        return await self.respond(transitions.CHOOSE_PAYMENT, ask)

    @choose_payment.validator
    def may_choose_payment(self, ask: PlacementMessage) -> None:
        self.refuse_unless(transitions.CHOOSE_PAYMENT)
        if self.attempt >= MOST_ATTEMPTS:
            raise refused(Refusal.of(PlacementTriedTooOften))
