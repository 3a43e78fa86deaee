"""The placement workflow: a frozen cart becomes one order, paid once and handed over once, or nothing at all (shop spec 4.7).

Each state has its method; every change of state goes through `move`, which refuses what the walk
(`domain/checkout/placement_v1.py`) does not hold. What was begun and did not come to its end is taken back in reverse order.
`workflows/placement_shown.py` has what people see of it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError, ApplicationError

with workflow.unsafe.imports_passed_through():
    from activities.billing.payments import PaymentActivities
    from activities.checkout.placements import (
        Checking,
        Ending,
        Judged,
        PlacementActivities,
        Reserving,
    )
    from activities.orders.orders import (
        Cancelling,
        HandedOver,
        HandingOver,
        OrderActivities,
        OrderMail,
        Storing,
    )
    from domain.billing.payments import (
        ENDED,
        PaymentHeard,
        PaymentOutcome,
        PaymentRef,
        PaymentStatus,
        PaymentWish,
    )
    from domain.checkout import placement_v1 as walk
    from domain.checkout.placement import (
        CAPTURE_UNCLEAR,
        DECLINED_WORDS,
        HAND_OVER_UNCLEAR,
        NOT_PROVEN,
        OVER_LIMIT,
        PAYMENT_ERROR,
        PAYMENT_UNCLEAR,
        UNDOING_UNCLEAR,
        NotCancellable,
        OrderRefused,
        PlacementAsk,
        PlacementMoved,
        PlacementReply,
        PlacementStart,
        Problem,
        settling,
        wish_of,
    )
    from domain.checkout.placement_snapshot import Moving
    from workflows import calls
    from workflows.placement_shown import ShownPlacement

SECOND = timedelta(seconds=1)
HEARD, TIMED_OUT = "HEARD", "TIMED_OUT"
MOST_ATTEMPTS = 40
"""Ways to pay that one run tries; its history has room for no end of them."""
BRIEFLY = timedelta(minutes=1)
"""How long a payment that nobody wants any more is voided at once; what is left is voided at the end."""

WAYS_OUT = {
    walk.CANCEL: walk.WITHDRAWN,
    walk.EXPIRED: walk.LAPSED,
    walk.REFUSED: walk.UNDONE,
}
"""Why everything is taken back → the end that follows."""


@workflow.defn(name="Placement")
class PlacementWorkflow(ShownPlacement):
    """One submit of one cart; its workflow id is the lock."""

    @workflow.init
    def __init__(self, start: PlacementStart) -> None:
        super().__init__(start)
        self.tried: list[PaymentWish] = []
        self.over: set[str] = set()
        self.heard: PaymentHeard | None = None
        self.way_out = walk.UNDONE
        self.stop_asked = False
        if start.resume is not None:
            workflow_id = workflow.info().workflow_id
            self.tried = [
                wish_of(start, workflow_id, self.choice, n + 1) for n in range(self.attempt)
            ]

    @workflow.run
    async def run(self, start: PlacementStart) -> Moving:
        life = asyncio.create_task(self.live())
        try:
            await asyncio.shield(life)
        except asyncio.CancelledError:
            # An operator's cancel in Temporal's own page is the buyer's: never is money left where it is.
            self.stop_asked = True
            await life
        await workflow.wait_condition(workflow.all_handlers_finished)
        return self.moving()

    async def live(self) -> None:
        steps: dict[str, Callable[[], Awaitable[None]]] = {
            "checking": self.check,
            "reserving": self.reserve,
            "authorising": self.authorise,
            "action_required": self.wait_for_proof,
            "payment_failed": self.wait_for_payment,
            "recording": self.record,
            "handing_over": self.hand_over,
            "capturing": self.capture,
            "compensating": self.compensate,
            "needs_attention": self.wait_for_operator,
        }
        while not self.ended:
            await steps[self.state]()
        await self.end()

    # ------------------------------------------------------------ the way on

    async def check(self) -> None:
        """Rights, partner and retirement as they are now."""
        judged = await self.judge(
            PlacementActivities.check,
            Checking(start=self.start, **self.call()),
        )
        await self.go(walk.CHECKED, judged)

    async def reserve(self) -> None:
        """Stock, and credit for TERMS."""
        judged = await self.judge(
            PlacementActivities.reserve,
            Reserving(start=self.start, payment=self.choice, **self.call()),
        )
        if judged.over_limit:
            self.error = OVER_LIMIT
            return self.move(walk.OVER_LIMIT)
        await self.go(walk.RESERVED, judged)

    async def authorise(self) -> None:
        """Has the total held. An attempt that was made before is looked up."""
        await self.settle()
        if self.stopped():
            return self.leave(walk.CANCEL)
        if not self.tried or self.tried[-1].attempt != self.attempt:
            self.tried.append(
                wish_of(self.start, workflow.info().workflow_id, self.choice, self.attempt)
            )
        try:
            outcome = await self.pay(
                PaymentActivities.authorise,
                self.tried[-1],
                f"authorise, attempt {self.attempt}",
                self.policy.unclear,
            )
        except ActivityError:
            return self.stick(PAYMENT_UNCLEAR)
        self.outcome = outcome
        if self.stopped():
            return self.leave(walk.CANCEL)
        if outcome.is_good:
            self.error = None
            return self.move(walk.AUTHORISED)
        if outcome.status is PaymentStatus.ACTION_REQUIRED:
            self.error = None
            return self.move(walk.ACTION_REQUIRED)
        if outcome.status is PaymentStatus.UNKNOWN:
            return self.stick(PAYMENT_UNCLEAR)
        self.decline()

    def decline(self) -> None:
        """The method is marked invalid, everything else is kept."""
        detail = self.outcome.detail if self.outcome else None
        self.error = Problem(code=PAYMENT_ERROR, detail=detail or DECLINED_WORDS)
        method = self.choice.method_id
        if method is not None and method not in self.refused_methods:
            self.refused_methods.append(method)
        self.over.add(self.tried[-1].key)
        self.move(walk.DECLINED)

    async def wait_for_proof(self) -> None:
        """The payer confirms at the bank. Without a word for long enough the payment is voided."""
        self.deadline = workflow.now() + self.policy.idle
        await self.settle()
        happened = await self.hear(self.deadline)
        self.deadline = None
        if happened == HEARD:
            ended = self.outcome is not None and self.outcome.status in ENDED
            return self.decline() if ended else self.move(walk.PROVEN)
        if happened == walk.CANCEL:
            return self.leave(walk.CANCEL)
        await self.void_present()
        if happened == walk.CHOOSE_PAYMENT:
            return self.choose()
        self.error = NOT_PROVEN
        self.move(walk.IDLE)

    async def hear(self, until: datetime) -> str:
        """HEARD once the payment has moved on, TIMED_OUT, or what a person asked. The provider's word of it may be lost, so
        it is looked at from time to time."""
        while (left := until - workflow.now()) > timedelta(0):
            happened = await self.wait(min(left, self.policy.poll), lambda: self.heard is not None)
            if happened not in (HEARD, TIMED_OUT):
                return happened
            self.heard = None
            if await self.look_again() is not PaymentStatus.ACTION_REQUIRED:
                return HEARD
        return TIMED_OUT

    async def wait_for_payment(self) -> None:
        """Another way to pay, within its time."""
        self.deadline = workflow.now() + self.policy.payment
        await self.settle()
        happened = await self.wait(self.policy.payment)
        self.deadline = None
        if happened == walk.CHOOSE_PAYMENT:
            return self.choose()
        self.leave(walk.EXPIRED if happened == TIMED_OUT else walk.CANCEL)

    async def record(self) -> None:
        """Our own order: from here on there is something to look at."""
        self.order = await workflow.execute_local_activity_method(
            OrderActivities.store,
            Storing(
                turn=self.start.turn,
                type=self.choice.type,
                shown=self.outcome.shown if self.outcome else self.shown,
                **self.call(),
            ),
            **calls.OURS,
        )
        self.mark_settled()
        self.move(walk.RECORDED)

    async def hand_over(self) -> None:
        """To the ERP, tried for days. Whether it was taken or cancelled first is decided by the last try alone."""
        await self.settle()
        if self.stopped():
            return self.leave(walk.CANCEL)
        handing = workflow.start_activity_method(
            OrderActivities.hand_over,
            HandingOver(token=self.start.token, key=f"{workflow.info().workflow_id}:order"),
            summary=f"hand {self.order.number if self.order else ''} over",
            cancellation_type=workflow.ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
            **self.patient(self.policy.hand_over),
        )
        await workflow.wait_condition(lambda: handing.done() or self.stopped(or_asked=True))
        if not handing.done():
            handing.cancel()
        try:
            handed: HandedOver = await handing
        except (ActivityError, asyncio.CancelledError):
            if self.asked == walk.RETRY_HAND_OVER:
                return self.move(walk.RETRY_HAND_OVER)
            if self.stopped():
                return self.leave(walk.CANCEL)
            return self.stick(HAND_OVER_UNCLEAR)
        if handed.order is None:
            self.error = Problem(
                code=OrderRefused.code, detail=handed.refused or OrderRefused.detail
            )
            return self.leave(walk.REFUSED)
        self.order = handed.order
        self.error = None
        self.move(walk.ACCEPTED)

    async def capture(self) -> None:
        """Takes the money; what was held by an earlier attempt is given back."""
        await self.settle()
        try:
            self.outcome = await self.pay(
                PaymentActivities.capture,
                self.present,
                "capture",
                self.policy.capture,
            )
            await self.void_all(self.tried[:-1], self.policy.capture)
        except ActivityError:
            return self.stick(CAPTURE_UNCLEAR)
        if not self.outcome.is_good:
            return self.stick(CAPTURE_UNCLEAR)
        self.error = None
        self.move(walk.CAPTURED)

    # ------------------------------------------------------------ the ways out

    async def compensate(self) -> None:
        """In reverse: the order, the payments, what is held. Tried until done."""
        if self.order is not None:
            self.next_token = self.next_token or workflow.uuid4().hex
        await self.settle()
        try:
            if self.order is not None:
                await workflow.execute_activity_method(
                    OrderActivities.cancel,
                    Cancelling(token=self.start.token, reason=self.reason or self.way_out.lower()),
                    summary="cancel the order",
                    **self.patient(self.policy.undo),
                )
            await self.void_all(self.tried, self.policy.undo)
        except ActivityError:
            return self.stick(UNDOING_UNCLEAR)
        await self.release()
        self.move(self.way_out)

    async def wait_for_operator(self) -> None:
        """Somebody looks, for as long as it takes."""
        await self.settle()
        await workflow.wait_condition(lambda: self.stopped(or_asked=True))
        event = self.asked or walk.CANCEL
        if event == walk.SETTLE_UNDONE:
            await self.release()
        if event == walk.CANCEL:
            return self.leave(walk.CANCEL)
        self.move(event)

    async def end(self) -> None:
        """The end is durable before anybody sees it, together with what becomes of the cart."""
        placed = self.state == "confirmed"
        self.show_details()
        await workflow.execute_activity_method(
            PlacementActivities.end,
            Ending(
                projection=self.projection(),
                turn=self.start.turn,
                placed=placed,
                next_token=None if placed else self.next_token,
            ),
            summary="show the end",
            **calls.OURS,
        )
        self.mark_settled()
        if not placed:
            return
        mail = OrderMail(token=self.start.token, portal_url=self.start.portal_url)
        try:
            await workflow.execute_activity_method(
                OrderActivities.mail, mail, summary="mail the confirmation", **calls.NOTIFY
            )
        except ActivityError:
            workflow.logger.info("the order's confirmation could not be mailed")

    # ------------------------------------------------------------ effects

    async def judge(self, activity: Any, judging: Checking | Reserving) -> Judged:
        judged: Judged = await workflow.execute_local_activity_method(
            activity, judging, **calls.OURS
        )
        self.mark_settled()
        return judged

    async def pay(
        self, activity: Any, asked: Any, summary: str, limit: timedelta
    ) -> PaymentOutcome:
        """Tried until nobody may wait any longer. Raises ActivityError."""
        return await workflow.execute_activity_method(
            activity, asked, summary=summary, **self.patient(limit)
        )

    def patient(self, limit: timedelta) -> dict[str, Any]:
        """What moves money or goods is tried again for so long."""
        slowest = self.policy.slowest
        again = RetryPolicy(initial_interval=min(SECOND, slowest), maximum_interval=slowest)
        return {**calls.PAYING, "schedule_to_close_timeout": limit, "retry_policy": again}

    async def void(self, wish: PaymentWish, limit: timedelta) -> None:
        """Gives an attempt's money back, held or taken; one that was never sent never will be. Raises ActivityError."""
        outcome = await self.pay(PaymentActivities.void, PaymentRef.of(wish), "void", limit)
        self.over.add(wish.key)
        if wish is self.tried[-1]:
            self.outcome = outcome

    @property
    def present(self) -> PaymentRef:
        """The last attempt, by which it is paid."""
        return PaymentRef.of(self.tried[-1])

    async def void_all(self, attempts: Sequence[PaymentWish], limit: timedelta) -> None:
        """The last one first. Raises ActivityError."""
        for wish in reversed(attempts):
            if wish.key not in self.over:
                await self.void(wish, limit)

    async def void_present(self) -> None:
        """Nobody waits long for it: what can not be voided now is voided at the end."""
        try:
            await self.void(self.tried[-1], BRIEFLY)
        except ActivityError:
            workflow.logger.info("a payment is voided later")

    async def look_again(self) -> PaymentStatus:
        try:
            outcome = await self.pay(PaymentActivities.look_up, self.present, "look", BRIEFLY)
        except ActivityError:
            return PaymentStatus.ACTION_REQUIRED
        if outcome.status is not PaymentStatus.ACTION_REQUIRED:
            self.outcome = outcome
        return outcome.status

    async def release(self) -> None:
        await workflow.execute_local_activity_method(
            PlacementActivities.release, self.start.token, **calls.OURS
        )

    async def wait(self, limit: timedelta, until: Callable[[], bool] = lambda: False) -> str:
        """HEARD when `until` holds, TIMED_OUT, or what a person asked."""
        try:
            await workflow.wait_condition(
                lambda: self.stopped(or_asked=True) or until(),
                timeout=limit,
                timeout_summary=f"{self.state} until {limit}",
            )
        except TimeoutError:
            return TIMED_OUT
        if self.stopped(or_asked=True):
            return self.asked or walk.CANCEL
        return HEARD

    # ------------------------------------------------------------ moving

    def stopped(self, *, or_asked: bool = False) -> bool:
        """Whether it is to be given up here, or anything was asked of it."""
        if or_asked and self.asked is not None:
            return True
        return (self.asked == walk.CANCEL or self.stop_asked) and walk.CANCEL in self.allowed()

    async def go(self, event: str, judged: Judged) -> None:
        """On, unless it was refused."""
        if judged.refused is None:
            return self.move(event)
        self.error = judged.refused
        self.leave(walk.REFUSED)

    def leave(self, event: str) -> None:
        """To where everything is taken back."""
        self.way_out = WAYS_OUT[event]
        if event == walk.CANCEL and self.ask is not None:
            self.reason = self.ask.reason or None
        self.move(event)
        self.stop_asked = False

    def stick(self, problem: Problem) -> None:
        """It can not go on: a person looks."""
        self.error, self.stuck_in = problem, self.state
        self.move(walk.UNCLEAR)

    def choose(self) -> None:
        """Another attempt, by what the buyer chose; a method that was refused may be tried again."""
        ask = self.ask
        assert ask is not None
        assert ask.payment is not None
        self.choice, self.shown = ask.payment, ask.shown
        self.attempt += 1
        self.outcome, self.error, self.heard = None, None, None
        self.move(walk.CHOOSE_PAYMENT)

    # ------------------------------------------------------------ messages

    @workflow.signal
    def payment_heard(self, heard: PaymentHeard) -> None:
        """The provider told of a payment: of the present one it is looked up, of any other it is history."""
        if self.tried and heard.payment_id == self.tried[-1].payment_id:
            self.heard = heard

    @workflow.update
    async def choose_payment(self, ask: PlacementAsk) -> PlacementReply:
        return await self.answer(walk.CHOOSE_PAYMENT, ask)

    @workflow.update
    async def cancel(self, ask: PlacementAsk) -> PlacementReply:
        return await self.answer(walk.CANCEL, ask)

    @workflow.update
    async def settle_by_hand(self, ask: PlacementAsk) -> PlacementReply:
        """An operator has it tried again, gives it up, or says how it was settled."""
        return await self.answer(settling(self.state, self.stuck_in, ask.how) or "", ask)

    @choose_payment.validator
    def may_choose_payment(self, ask: PlacementAsk) -> None:
        self.refuse_unless(walk.CHOOSE_PAYMENT)
        if self.attempt >= MOST_ATTEMPTS:
            raise ApplicationError(
                "This order was tried too often. Please cancel it and order again.",
                type=PlacementMoved.code,
                non_retryable=True,
            )

    @cancel.validator
    def may_cancel(self, ask: PlacementAsk) -> None:
        self.refuse_unless(walk.CANCEL)

    @settle_by_hand.validator
    def may_settle(self, ask: PlacementAsk) -> None:
        self.refuse_unless(settling(self.state, self.stuck_in, ask.how) or "")

    def refuse_unless(self, event: str) -> None:
        if event in self.allowed() and self.asked is None:
            return
        late = event == walk.CANCEL and self.state in ("capturing", "confirmed")
        raise refusal(NotCancellable if late else PlacementMoved)

    async def answer(self, event: str, ask: PlacementAsk) -> PlacementReply:
        """Once the message has had its effect; one that came too late for it is refused."""
        self.seq += 1
        self.asked, self.ask = event, ask
        await workflow.wait_condition(lambda: self.ask is not ask)
        if self.taken is not ask:
            raise refusal(NotCancellable if event == walk.CANCEL else PlacementMoved)
        await workflow.wait_condition(self.is_worth_telling)
        return PlacementReply(token=self.start.token, rev=self.rev, state=self.state)


def refusal(error: type[NotCancellable | PlacementMoved]) -> ApplicationError:
    return ApplicationError(error.detail, type=error.code, non_retryable=True)
