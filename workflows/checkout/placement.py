"""The placement workflow: a frozen cart becomes one order, paid once and handed over once, or nothing at all (shop spec 4.7).

Each state has its method; every change of state goes through `enter`, which refuses what the transitions
(`domain/checkout/placements/placement_v4.py`) do not hold. What was begun and did not come to its end is taken back in reverse order.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.checkout.approval_mails import MailKind
    from activities.checkout.placements import (
        Checking,
        Ending,
        PlacementActivities,
        PlacementCheck,
        Reserving,
    )
    from activities.orders.orders import (
        Cancelling,
        HandingOver,
        OrderActivities,
        OrderHandOff,
        OrderMail,
        Recorded,
        Storing,
    )
    from domain.checkout.placement import (
        APPROVAL_EXPIRED,
        HAND_OVER_UNCLEAR,
        OVER_LIMIT,
        UNDOING_UNCLEAR,
        OrderRef,
        OrderRefused,
        PlacementMessage,
        PlacementProgress,
        PlacementReply,
        PlacementStart,
        Problem,
        event_by_hand,
    )
    from domain.checkout.placements import placement_v4 as transitions
    from workflows import calls
    from workflows.checkout.placement_approval import PlacementApproval
    from workflows.run import Command

ASKS_FIRST = "asks-the-erp-first"
FREES_CARTS = "frees-carts"
ANSWERS_OVERTAKEN = "answers-overtaken"


@workflow.defn(name="Placement")
class PlacementWorkflow(PlacementApproval):
    """One submit of one cart; its workflow id is the lock."""

    patches = (ANSWERS_OVERTAKEN,)

    @workflow.init
    def __init__(self, start: PlacementStart) -> None:
        super().__init__(start)
        self.is_sent = False

    @workflow.run
    async def run(self, start: PlacementStart) -> PlacementProgress:
        await self.carry_out()
        return self.moving()

    async def execute(self) -> None:
        steps: dict[str, Callable[[], Awaitable[None]]] = {
            "checking": self.check,
            "waiting_for_approval": self.wait_for_approval,
            "requoted": self.wait_for_agreement,
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

    async def check(self) -> None:
        """Rights, partner and retirement as they are now."""
        if self.is_held:
            return self.pass_by()
        if self.start.path > 1:
            return await self.check_and_reserve()
        judged = await self.judge(
            PlacementActivities.check,
            Checking(start=self.start, **self.call()),
        )
        if judged.needs_approval:
            return self.enter(transitions.APPROVAL_NEEDED)
        await self.go(transitions.CHECKED, judged)

    def pass_by(self) -> None:
        """The submit did both a moment ago; after any wait they are done again."""
        self.is_held = False
        self.enter(transitions.CHECKED)
        self.enter(transitions.RESERVED)

    async def check_and_reserve(self) -> None:
        """Both at once, and both are told of."""
        judged = await self.judge(
            PlacementActivities.check_and_reserve,
            Reserving(start=self.start, payment=self.choice, **self.call()),
        )
        if judged.needs_approval:
            return self.enter(transitions.APPROVAL_NEEDED)
        if judged.refused is None or judged.is_checked:
            self.enter(transitions.CHECKED)
        if judged.over_limit:
            self.error = OVER_LIMIT
            return self.enter(transitions.OVER_LIMIT)
        await self.go(transitions.RESERVED, judged)

    async def reserve(self) -> None:
        """Stock, and credit for TERMS."""
        judged = await self.judge(
            PlacementActivities.reserve,
            Reserving(start=self.start, payment=self.choice, **self.call()),
        )
        if judged.over_limit:
            self.error = OVER_LIMIT
            return self.enter(transitions.OVER_LIMIT)
        await self.go(transitions.RESERVED, judged)

    async def record(self) -> None:
        """Our own order: from here on there is something to look at."""
        storing = Storing(
            turn=self.start.turn,
            type=self.choice.type,
            shown=self.outcome.shown if self.outcome else self.shown,
            **self.call(),
        )
        if self.is_short:
            return await self.record_and_hand_over(storing)
        self.order = await workflow.execute_local_activity_method(
            OrderActivities.store, storing, **calls.OURS
        )
        self.mark_published()
        self.enter(transitions.RECORDED)

    async def record_and_hand_over(self, storing: Storing) -> None:
        """Both at once, and both are told of; an ERP that does not answer at once is waited for in the next state."""
        recorded: Recorded = await workflow.execute_activity_method(
            OrderActivities.record,
            storing,
            summary="store the order and hand it over",
            **calls.RECORD,
        )
        self.mark_published()
        self.order = recorded.order
        self.enter(transitions.RECORDED)
        if recorded.refused is not None or recorded.order.erp_number is not None:
            return self.take_answer(recorded.refused)
        self.is_sent = True

    def take_answer(self, refused: str | None) -> None:
        """What the ERP said of the order."""
        if refused is not None:
            self.error = Problem(code=OrderRefused.code, detail=refused)
            return self.leave(transitions.REFUSED)
        self.error = None
        self.enter(transitions.ACCEPTED)

    async def hand_over(self) -> None:
        """To the ERP, tried for days. Whether it was taken or cancelled first is decided by the last try alone. What was sent
        as it was stored may still arrive, after a cancel that finds nothing to cancel: so the ERP is asked once more first."""
        await self.publish()
        handing_over = HandingOver(
            token=self.start.token, key=f"{workflow.info().workflow_id}:order"
        )
        summary = f"hand {self.order.number if self.order else ''} over"
        if self.is_sent and self.does(ASKS_FIRST):
            self.is_sent = False
            with suppress(ActivityError):
                return self.take_handed(
                    await workflow.execute_activity_method(
                        OrderActivities.hand_over, handing_over, summary=summary, **calls.ONCE
                    )
                )
        if self.stopped():
            return self.leave(transitions.CANCEL)
        handing = workflow.start_activity_method(
            OrderActivities.hand_over,
            handing_over,
            summary=summary,
            cancellation_type=workflow.ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
            **self.patient(self.policy.hand_over),
        )
        await workflow.wait_condition(lambda: handing.done() or self.stopped(or_asked=True))
        if not handing.done():
            handing.cancel()
        try:
            handed: OrderHandOff = await handing
        except (ActivityError, asyncio.CancelledError):
            if self.asked == transitions.RETRY_HAND_OVER:
                return self.enter(transitions.RETRY_HAND_OVER)
            if self.stopped():
                return self.leave(transitions.CANCEL)
            return self.stick(HAND_OVER_UNCLEAR)
        self.take_handed(handed)

    def take_handed(self, handed: OrderHandOff) -> None:
        if handed.order is None:
            return self.take_answer(handed.refused or OrderRefused.detail)
        self.order = handed.order
        self.take_answer(None)

    async def compensate(self) -> None:
        """In reverse: the order, the payments, what is held. Tried until done."""
        if self.order is not None:
            self.next_token = self.next_token or workflow.uuid4().hex
        await self.publish()
        try:
            if self.order is not None and (sent := await self.cancel_order()) is not None:
                return self.stand(sent)
            if self.way_out == transitions.WITHDRAWN or self.is_cart_waiting():
                await self.let_go(self.tried, self.policy.undo)
            else:
                await self.void_all(self.tried, self.policy.undo)
        except ActivityError:
            return self.stick(UNDOING_UNCLEAR)
        await self.release()
        self.enter(self.way_out)

    async def cancel_order(self) -> OrderRef | None:
        """The order as the ERP has it where it was sent already. Raises ActivityError, also then in runs of before version 3."""
        return await workflow.execute_activity_method(
            OrderActivities.cancel,
            Cancelling(
                token=self.start.token,
                reason=self.reason or self.way_out.lower(),
                stands_if_sent=transitions.ALREADY_SENT in self.transitions[self.state],
            ),
            summary="cancel the order",
            **self.patient(self.policy.undo),
        )

    def stand(self, sent: OrderRef) -> None:
        """Nothing was taken back yet: it goes on as if the ERP had answered in time, and its buyer is told so."""
        self.order, self.error, self.stands = sent, None, True
        self.next_token, self.reason = None, None
        self.enter(transitions.ALREADY_SENT)

    def is_cart_waiting(self) -> bool:
        """Whether there is no order yet: its cart is free at once, whatever became of the money. Runs of before that kept it."""
        return self.order is None and self.does(FREES_CARTS)

    async def wait_for_operator(self) -> None:
        """Somebody looks, for as long as it takes."""
        await self.publish()
        await workflow.wait_condition(lambda: self.stopped(or_asked=True))
        event = self.asked or transitions.CANCEL
        if event == transitions.SETTLE_UNDONE:
            await self.release()
        if event == transitions.CANCEL:
            return self.leave(transitions.CANCEL)
        if event == transitions.CHOOSE_PAYMENT:
            return self.choose()
        self.enter(event)

    async def end(self) -> None:
        """The last thing that people see of it. Its mail goes out by itself; runs of before `path` 3 send it."""
        await self.publish()
        if self.state == "rejected":
            self.mail_once(MailKind.REJECTED)
        if self.error == APPROVAL_EXPIRED:
            self.mail_once(MailKind.EXPIRED)
        for mail_ in self.mails:
            with suppress(ActivityError):
                await mail_
        if self.state != "confirmed" or self.is_short:
            return
        mail = OrderMail(token=self.id, portal_url=self.start.portal_url)
        try:
            await workflow.execute_activity_method(
                OrderActivities.mail, mail, summary="mail the confirmation", **calls.NOTIFY
            )
        except ActivityError:
            workflow.logger.info("the order's confirmation could not be mailed")

    async def write(self) -> None:
        """The end is durable before anybody sees it, together with what becomes of the cart."""
        if not self.ended:
            return await super().write()
        placed = self.state == "confirmed"
        await workflow.execute_activity_method(
            PlacementActivities.end,
            Ending(
                projection=self.projection(self.take_moves()),
                turn=self.start.turn,
                placed=placed,
                next_token=None if placed else self.next_token,
                portal_url=self.start.portal_url if placed and self.is_short else None,
            ),
            summary="show the end",
            **calls.OURS,
        )

    async def judge(self, activity: Any, judging: Checking | Reserving) -> PlacementCheck:
        judged: PlacementCheck = await workflow.execute_local_activity_method(
            activity, judging, **calls.OURS
        )
        self.mark_published()
        return judged

    async def go(self, event: str, judged: PlacementCheck) -> None:
        """On, unless it was refused."""
        if judged.refused is None:
            return self.enter(event)
        self.error = judged.refused
        self.leave(transitions.REFUSED)

    async def release(self) -> None:
        await workflow.execute_local_activity_method(
            PlacementActivities.release, self.id, **calls.OURS
        )

    @workflow.update
    async def cancel(self, ask: PlacementMessage) -> PlacementReply:
        return await self.respond(transitions.CANCEL, ask)

    @workflow.update(name="settle_by_hand")
    async def resolve_by_hand(self, ask: PlacementMessage) -> PlacementReply:
        """An operator has it tried again, gives it up, or says how it was settled."""
        return await self.respond(event_by_hand(self.state, self.stuck_in, ask.how) or "", ask)

    @cancel.validator
    def may_cancel(self, ask: PlacementMessage) -> None:
        self.refuse_unless(transitions.CANCEL)

    @resolve_by_hand.validator
    def may_resolve(self, ask: PlacementMessage) -> None:
        self.refuse_unless(event_by_hand(self.state, self.stuck_in, ask.how) or "")

    def is_answered(self, command: Command[PlacementMessage]) -> bool:
        """Also once it goes on by itself for long, and once something else was asked of it: Temporal keeps ten messages of a
        run waiting, and takes no more of them, not even a cancel."""
        if not self.is_over(command):
            return False
        is_overtaken = ANSWERS_OVERTAKEN in self.decided and command is not self.newest
        return not command.had_effect or is_overtaken or self.is_worth_answering()
