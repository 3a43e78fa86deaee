"""The placement workflow: a frozen cart becomes one order, paid once and handed over once, or nothing at all (shop spec 4.7).

Each state has its method; every change of state goes through `enter`, which refuses what the walk
(`domain/checkout/placement_v2.py`) does not hold. What was begun and did not come to its end is taken back in reverse order.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from temporalio import workflow
from temporalio.common import RetryPolicy, SearchAttributeUpdate
from temporalio.exceptions import ActivityError, ApplicationError
from temporalio.workflow import ActivityHandle

with workflow.unsafe.imports_passed_through():
    from activities.billing.payments import PaymentActivities
    from activities.checkout.approvals import (
        Agreeing,
        ApprovalActivities,
        ApprovalMail,
        Approved,
        Approving,
        MailKind,
    )
    from activities.checkout.placements import (
        Checking,
        Ending,
        Judged,
        PlacementActivities,
        Reserving,
    )
    from activities.operations.cases import CaseActivities
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
        PayingFlow,
        PaymentHeard,
        PaymentOutcome,
        PaymentRef,
        PaymentStatus,
        PaymentWish,
    )
    from domain.checkout import placement_v2 as walk
    from domain.checkout.approvals import AgreementNeeded, Approval, NotApprover
    from domain.checkout.placement import (
        APPROVAL_EXPIRED,
        APPROVAL_REJECTED,
        CAPTURE_UNCLEAR,
        DECLINED_WORDS,
        HAND_OVER_UNCLEAR,
        NOT_PROVEN,
        OVER_LIMIT,
        PAYMENT_ERROR,
        PAYMENT_UNCLEAR,
        UNDOING_UNCLEAR,
        Moving,
        OrderRef,
        OrderRefused,
        PaymentView,
        PlacementAsk,
        PlacementMoved,
        PlacementReply,
        PlacementStart,
        Problem,
        Resume,
        settling,
        waits_on,
        wish_of,
    )
    from domain.checkout.quote import QuoteChanged
    from domain.kinds import PLACEMENT
    from domain.operations.cases import BelongsTo, let_go
    from domain.runs.kind import Refusal
    from workflows import calls, ids
    from workflows.run import (
        HEARD,
        NEEDS_ATTENTION,
        TIMED_OUT,
        Command,
        ProjectedMachine,
        refused,
    )
    from workflows.signals import patient_signal

SECOND = timedelta(seconds=1)
MOST_ATTEMPTS = 40
"""Ways to pay that one run tries; its history has room for no end of them."""
STOPS_PAYING, VOIDS_BEHIND = "stops-paying", "voids-behind"
BRIEFLY = timedelta(minutes=1)
"""How long a payment that waits for its payer is looked up at once."""

WAYS_OUT = {
    walk.CANCEL: walk.WITHDRAWN,
    walk.EXPIRED: walk.LAPSED,
    walk.REFUSED: walk.UNDONE,
    walk.REJECT: walk.REJECTED,
}
"""Why everything is taken back → the end that follows."""


class PlacementRunState(ProjectedMachine[PlacementAsk]):
    """The state of one run, and how it is told."""

    kind = PLACEMENT

    def __init__(self, start: PlacementStart) -> None:
        super().__init__(
            start.token, version=start.version, rev=start.rev_from, settled=start.rev_from - 1
        )
        self.start: PlacementStart = start
        self.policy = start.policy
        self.notes_at: dict[str, datetime] = {self.state: self.since}
        self.choice, self.shown = start.payment, start.shown
        self.attempt: int = 1
        self.outcome: PaymentOutcome | None = None
        self.order: OrderRef | None = None
        self.error: Problem | None = None
        self.refused_methods: list[str] = []
        self.reason: str | None = None
        self.stuck_in: str | None = None
        self.next_token: str | None = None
        self.approval = (
            Approval.model_validate(start.approval.model_dump()) if start.approval else None
        )
        if start.resume is not None:
            self.resume(start.resume)

    def resume(self, resume: Resume) -> None:
        """In the place of a run that is gone: on from the beginning, as what was done is found again; what was being taken
        back is still taken back."""
        self.attempt = max(resume.attempt, 1)
        self.order, self.reason = resume.order, resume.reason
        self.refused_methods = list(resume.refused_methods)
        if resume.state in ("compensating", "needs_attention"):
            self.state, self.stuck_in = resume.state, resume.stuck_in
            self.notes_at = {resume.state: self.since}

    def allowed(self) -> tuple[str, ...]:
        return walk.allowed(self.state, self.stuck_in, self.transitions)

    def entered(self, event: str, before: str, cause: Command[PlacementAsk] | None) -> None:
        super().entered(event, before, cause)
        self.notes_at[self.state] = self.since
        if self.state != NEEDS_ATTENTION:
            self.stuck_in = None

    def remark(self, ask: PlacementAsk | None) -> str | None:
        return (ask.reason if ask else None) or (self.error.detail if self.error else None)

    async def publish(self) -> None:
        """Shows where it stands. An effect on our own database shows it as it begins: see `call`."""
        self.index(self.state)
        await super().publish()

    def call(self) -> dict[str, Any]:
        """On whose behalf an effect is carried out, and how the run looks meanwhile."""
        self.tell_operators()
        return {
            "flow_id": self.id,
            "workflow_id": workflow.info().workflow_id,
            "busy": self.projection(self.take_moves()),
        }

    def mark_settled(self) -> None:
        """The effect is over, and what it carried was seen."""
        self.settled = self.rev

    def is_worth_telling(self) -> bool:
        """Whether the run rests, is over, or goes on by itself for long."""
        rests = self.state in walk.AT_REST or self.state == "handing_over" or self.ended
        return rests and self.settled == self.rev

    def moving(self) -> Moving:
        outcome = self.outcome
        return Moving(
            payment=PaymentView(
                type=self.choice.type,
                method_id=self.choice.method_id,
                shown=outcome.shown if outcome and outcome.shown else self.shown,
                status=outcome.status if outcome else None,
                attempt=self.attempt,
                detail=outcome.detail if outcome else None,
                action_url=outcome.action_url if outcome else None,
            ),
            refused_methods=tuple(self.refused_methods),
            error=self.error,
            order=self.order,
            waits_for=waits_on(self.state),
            deadline=self.deadline,
            reason=self.reason,
            stuck_in=self.stuck_in,
            next_token=self.next_token,
            approval=self.approval,
            notes_at=dict(self.notes_at),
        )

    def present(self) -> Moving:
        return self.moving()

    def attributes(self, before: str) -> list[SearchAttributeUpdate[Any]]:
        needs = ids.NEEDS_ATTENTION.value_set(self.state == NEEDS_ATTENTION)
        number = [ids.NUMBER.value_set(self.order.number)] if self.order else []
        return [*super().attributes(before), needs, *number]

    def more_details(self) -> list[str]:
        order, error = self.order, self.error
        return [
            f"Could not go on while: {self.kind.labels[self.stuck_in]}" if self.stuck_in else "",
            f"Last error: {error.detail}" if error else "",
            f"Order {order.number}, ERP {order.erp_number or 'not yet'}" if order else "",
            f"Payment {self.choice.type}, attempt {self.attempt}",
        ]

    def reply(self) -> PlacementReply:
        return PlacementReply(token=self.id, rev=self.rev, state=self.state)

    @workflow.query
    def view(self) -> Moving:
        return self.moving()


@workflow.defn(name="Placement")
class PlacementWorkflow(PlacementRunState):
    """One submit of one cart; its workflow id is the lock."""

    @workflow.init
    def __init__(self, start: PlacementStart) -> None:
        super().__init__(start)
        self.tried: list[PaymentWish] = []
        self.over: set[str] = set()
        self.heard: PaymentHeard | None = None
        self.hindered: Problem | None = None
        self.mails: list[ActivityHandle[None]] = []
        self.told: set[datetime] = set()
        self.way_out = walk.UNDONE
        if start.resume is not None:
            workflow_id = workflow.info().workflow_id
            self.tried = [
                wish_of(start, workflow_id, self.choice, n + 1) for n in range(self.attempt)
            ]

    @workflow.run
    async def run(self, start: PlacementStart) -> Moving:
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

    # ------------------------------------------------------------ the way on

    async def check(self) -> None:
        """Rights, partner and retirement as they are now."""
        judged = await self.judge(
            PlacementActivities.check,
            Checking(start=self.start, **self.call()),
        )
        if judged.needs_approval:
            return self.enter(walk.APPROVAL_NEEDED)
        await self.go(walk.CHECKED, judged)

    async def wait_for_approval(self) -> None:
        """An owner's yes holds stock and credit at once; until it is there nothing is held."""
        assert self.approval is not None
        self.deadline = self.approval.until
        await self.publish()
        self.mail_once(MailKind.ASKED)
        happened = await self.listen(self.left(self.deadline))
        if happened == walk.APPROVE:
            return await self.approve(self.approval)
        self.deadline = None
        if happened == TIMED_OUT:
            self.error = APPROVAL_EXPIRED
            return self.leave(walk.EXPIRED)
        if happened == walk.REJECT:
            self.answer_with(self.approval)
            self.error = APPROVAL_REJECTED
        self.leave(happened)

    async def approve(self, approval: Approval) -> None:
        """Approver, buyer and figures are looked at once more. What hinders it leaves the order waiting."""
        ask = self.asker
        approved: Approved = await workflow.execute_local_activity_method(
            ApprovalActivities.approve,
            Approving(
                start=self.start,
                payment=self.choice,
                approver_id=ask.actor_id if ask else None,
                **self.call(),
            ),
            **calls.OURS,
        )
        self.mark_settled()
        self.hindered = approved.hindered
        if approved.hindered is not None:
            self.in_hand = None
            return
        if approved.requoted is not None:
            self.start = self.start.model_copy(update=approved.requoted.model_dump())
            self.tried.clear()
        if approved.must_agree:
            return self.enter(walk.CHANGED)
        self.deadline = None
        if approved.refused is not None:
            self.error = approved.refused
            return self.leave(walk.REFUSED)
        self.answer_with(approval)
        self.enter(walk.APPROVE)
        self.mail_once(MailKind.APPROVED)

    async def wait_for_agreement(self) -> None:
        """Prices changed: nothing is approved that its requester has not agreed to."""
        assert self.approval is not None
        self.deadline = self.approval.until
        await self.publish()
        self.mail_once(MailKind.REQUOTED)
        happened = await self.listen(self.left(self.deadline))
        if happened == walk.AGREE:
            agreeing = Agreeing(turn=self.start.turn, **self.call())
            await workflow.execute_local_activity_method(
                ApprovalActivities.agree, agreeing, **calls.OURS
            )
            self.mark_settled()
            return self.enter(walk.AGREE)
        self.deadline = None
        if happened == TIMED_OUT:
            self.error = APPROVAL_EXPIRED
            return self.leave(walk.EXPIRED)
        self.leave(happened)

    async def reserve(self) -> None:
        """Stock, and credit for TERMS."""
        judged = await self.judge(
            PlacementActivities.reserve,
            Reserving(start=self.start, payment=self.choice, **self.call()),
        )
        if judged.over_limit:
            self.error = OVER_LIMIT
            return self.enter(walk.OVER_LIMIT)
        await self.go(walk.RESERVED, judged)

    async def authorise(self) -> None:
        """Has the total held. An attempt that was made before is looked up."""
        await self.publish()
        if self.stopped():
            return self.leave(walk.CANCEL)
        if not self.tried or self.tried[-1].attempt != self.attempt:
            self.tried.append(
                wish_of(self.start, workflow.info().workflow_id, self.choice, self.attempt)
            )
        try:
            outcome = await self.authorised()
        except ActivityError:
            return self.stick(PAYMENT_UNCLEAR)
        self.outcome = outcome
        if self.stopped():
            return self.leave(walk.CANCEL)
        if self.asked == walk.CHOOSE_PAYMENT:
            return self.choose()
        assert outcome is not None
        if outcome.is_good:
            self.error = None
            return self.enter(walk.AUTHORISED)
        if outcome.status is PaymentStatus.ACTION_REQUIRED:
            self.error = None
            return self.enter(walk.ACTION_REQUIRED)
        if outcome.status is PaymentStatus.UNKNOWN:
            return self.stick(PAYMENT_UNCLEAR)
        self.decline()

    async def authorised(self) -> PaymentOutcome | None:
        """What the provider says; None when the buyer does not wait for it any longer. Raises ActivityError."""
        asking = workflow.start_activity_method(
            PaymentActivities.authorise,
            self.tried[-1],
            summary=f"authorise, attempt {self.attempt}",
            **self.patient(self.policy.unclear),
        )
        await workflow.wait_condition(lambda: asking.done() or self.stopped(or_asked=True))
        stops = not asking.done() and workflow.patched(STOPS_PAYING)
        if stops:
            asking.cancel()
        try:
            return await asking
        except (ActivityError, asyncio.CancelledError):
            if not stops:
                raise
            return None

    def decline(self) -> None:
        """The method is marked invalid, everything else is kept."""
        detail = self.outcome.detail if self.outcome else None
        self.error = Problem(code=PAYMENT_ERROR, detail=detail or DECLINED_WORDS)
        method = self.choice.method_id
        if method is not None and method not in self.refused_methods:
            self.refused_methods.append(method)
        self.over.add(self.tried[-1].key)
        self.enter(walk.DECLINED)

    async def wait_for_proof(self) -> None:
        """The payer confirms at the bank. Without a word for long enough the payment is voided."""
        self.deadline = workflow.now() + self.policy.idle
        await self.publish()
        happened = await self.hear(self.deadline)
        self.deadline = None
        if happened == HEARD:
            ended = self.outcome is not None and self.outcome.status in ENDED
            return self.decline() if ended else self.enter(walk.PROVEN)
        if happened == walk.CANCEL:
            return self.leave(walk.CANCEL)
        await self.void_present()
        if happened == walk.CHOOSE_PAYMENT:
            return self.choose()
        self.error = NOT_PROVEN
        self.enter(walk.IDLE)

    async def hear(self, until: datetime) -> str:
        """HEARD once the payment has moved on, TIMED_OUT, or what a person asked. The provider's word of it may be lost, so
        it is looked at from time to time."""
        while (left := until - workflow.now()) > timedelta(0):
            happened = await self.listen(
                min(left, self.policy.poll), lambda: self.heard is not None
            )
            if happened not in (HEARD, TIMED_OUT):
                return happened
            self.heard = None
            if await self.look_again() is not PaymentStatus.ACTION_REQUIRED:
                return HEARD
        return TIMED_OUT

    async def wait_for_payment(self) -> None:
        """Another way to pay, within its time."""
        self.deadline = workflow.now() + self.policy.payment
        await self.publish()
        happened = await self.listen(self.policy.payment)
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
        self.enter(walk.RECORDED)

    async def hand_over(self) -> None:
        """To the ERP, tried for days. Whether it was taken or cancelled first is decided by the last try alone."""
        await self.publish()
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
                return self.enter(walk.RETRY_HAND_OVER)
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
        self.enter(walk.ACCEPTED)

    async def capture(self) -> None:
        """Takes the money; what was held by an earlier attempt is given back."""
        await self.publish()
        try:
            self.outcome = await self.pay(
                PaymentActivities.capture,
                self.last_payment,
                "capture",
                self.policy.capture,
            )
            await self.let_go(self.tried[:-1], self.policy.capture)
        except ActivityError:
            return self.stick(CAPTURE_UNCLEAR)
        if not self.outcome.is_good:
            return self.stick(CAPTURE_UNCLEAR)
        self.error = None
        self.enter(walk.CAPTURED)

    # ------------------------------------------------------------ the ways out

    async def compensate(self) -> None:
        """In reverse: the order, the payments, what is held. Tried until done."""
        if self.order is not None:
            self.next_token = self.next_token or workflow.uuid4().hex
        await self.publish()
        try:
            if self.order is not None:
                await workflow.execute_activity_method(
                    OrderActivities.cancel,
                    Cancelling(token=self.start.token, reason=self.reason or self.way_out.lower()),
                    summary="cancel the order",
                    **self.patient(self.policy.undo),
                )
            if self.way_out == walk.WITHDRAWN:
                await self.let_go(self.tried, self.policy.undo)
            else:
                await self.void_all(self.tried, self.policy.undo)
        except ActivityError:
            return self.stick(UNDOING_UNCLEAR)
        await self.release()
        self.enter(self.way_out)

    async def wait_for_operator(self) -> None:
        """Somebody looks, for as long as it takes."""
        await self.publish()
        await workflow.wait_condition(lambda: self.stopped(or_asked=True))
        event = self.asked or walk.CANCEL
        if event == walk.SETTLE_UNDONE:
            await self.release()
        if event == walk.CANCEL:
            return self.leave(walk.CANCEL)
        if event == walk.CHOOSE_PAYMENT:
            return self.choose()
        self.enter(event)

    async def end(self) -> None:
        """The last thing that people see of it, then the mail."""
        await self.publish()
        if self.state == "rejected":
            self.mail_once(MailKind.REJECTED)
        if self.error == APPROVAL_EXPIRED:
            self.mail_once(MailKind.EXPIRED)
        for mail_ in self.mails:
            with suppress(ActivityError):
                await mail_
        if self.state != "confirmed":
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
            ),
            summary="show the end",
            **calls.OURS,
        )

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
    def last_payment(self) -> PaymentRef:
        """The last attempt, by which it is paid."""
        return PaymentRef.of(self.tried[-1])

    async def void_all(self, attempts: Sequence[PaymentWish], limit: timedelta) -> None:
        """The last one first. Raises ActivityError."""
        for wish in reversed(attempts):
            if wish.key not in self.over:
                await self.void(wish, limit)

    async def let_go(self, attempts: Sequence[PaymentWish], limit: timedelta) -> None:
        """The last one first. The buyer waits for no provider: what it does not let go of at once is a case's. Raises
        ActivityError in runs of before there was one."""
        for wish in reversed(attempts):
            if wish.key in self.over:
                continue
            if workflow.patched(VOIDS_BEHIND):
                await self.void_behind(wish)
            else:
                await self.void(wish, limit)

    async def void_behind(self, wish: PaymentWish) -> None:
        is_dropped = await workflow.execute_local_activity_method(
            PaymentActivities.drop, PaymentRef.of(wish), **calls.OURS
        )
        try:
            if not is_dropped:
                await self.void(wish, self.policy.brief)
        except ActivityError:
            await workflow.execute_activity_method(
                CaseActivities.open,
                let_go(
                    self.belongs_to(),
                    wish,
                    at=workflow.now(),
                    dealer_id=self.start.dealer_id,
                    site=self.start.site,
                ),
                summary="open a case",
                **calls.OURS,
            )
        self.over.add(wish.key)

    def belongs_to(self) -> BelongsTo:
        """What a case of this run stands on."""
        order, flow = self.order, PayingFlow.PLACEMENT
        if order is None:
            return BelongsTo(kind="cart", id=self.id, name="Your cart", flow=flow, flow_id=self.id)
        return BelongsTo(
            kind="order", id=order.id, name=f"Order {order.number}", flow=flow, flow_id=self.id
        )

    async def void_present(self) -> None:
        """Nobody waits long for it: what cannot be voided now is voided at the end."""
        try:
            await self.void(self.tried[-1], self.policy.brief)
        except ActivityError:
            workflow.logger.info("a payment is voided later")

    async def look_again(self) -> PaymentStatus:
        try:
            outcome = await self.pay(PaymentActivities.look_up, self.last_payment, "look", BRIEFLY)
        except ActivityError:
            return PaymentStatus.ACTION_REQUIRED
        if outcome.status is not PaymentStatus.ACTION_REQUIRED:
            self.outcome = outcome
        return outcome.status

    def mail_once(self, kind: MailKind) -> None:
        """Tells of the state that was entered last; nobody waits for it."""
        if self.since in self.told:
            return
        self.told.add(self.since)
        mail = ApprovalMail(
            kind=kind,
            start=self.start,
            number=self.rev,
            by=self.approval.answered_by if self.approval else None,
            note=self.approval.note if self.approval else None,
        )
        self.mails.append(
            workflow.start_activity_method(
                ApprovalActivities.mail, mail, summary=f"mail: {kind}", **calls.NOTIFY
            )
        )

    async def release(self) -> None:
        await workflow.execute_local_activity_method(
            PlacementActivities.release, self.id, **calls.OURS
        )

    async def listen(self, limit: timedelta, until: Callable[[], bool] = lambda: False) -> str:
        """HEARD when `until` holds, TIMED_OUT, or what a person asked."""
        happened = await self.wait(limit, lambda: self.stopped() or until())
        return walk.CANCEL if happened == HEARD and self.stopped() else happened

    # ------------------------------------------------------------ moving

    @property
    def asked(self) -> str | None:
        """The event of what somebody asked."""
        command = self.in_hand or self.command
        return command.event if command is not None else None

    @property
    def asker(self) -> PlacementAsk | None:
        command = self.in_hand or self.command
        return command.ask if command is not None else None

    def stopped(self, *, or_asked: bool = False) -> bool:
        """Whether it is to be given up here, or anything was asked of it."""
        if or_asked and self.asked is not None:
            return True
        return (self.asked == walk.CANCEL or self.cancelled) and walk.CANCEL in self.allowed()

    async def go(self, event: str, judged: Judged) -> None:
        """On, unless it was refused."""
        if judged.refused is None:
            return self.enter(event)
        self.error = judged.refused
        self.leave(walk.REFUSED)

    def answer_with(self, approval: Approval) -> None:
        """Whoever answered is told of, with their word."""
        if (ask := self.asker) is not None:
            said = {"answered_by": ask.actor, "note": ask.reason or None}
            self.approval = approval.model_copy(update=said)

    def refusal(self, event: str) -> Refusal:
        """Why an approval has no effect."""
        if event == walk.APPROVE and self.state == "requoted":
            return Refusal.of(AgreementNeeded)
        if event == walk.APPROVE and self.hindered is not None and event in self.allowed():
            return Refusal(status=409, code=self.hindered.code, detail=self.hindered.detail)
        return super().refusal(event)

    def leave(self, event: str) -> None:
        """To where everything is taken back."""
        self.way_out = WAYS_OUT[event]
        if event in (walk.CANCEL, walk.REJECT) and self.asker is not None:
            self.reason = self.asker.reason or None
        self.enter(event)
        self.cancelled = False

    def stick(self, problem: Problem) -> None:
        """It cannot go on: a person looks."""
        self.error, self.stuck_in = problem, self.state
        self.enter(walk.UNCLEAR)

    def choose(self) -> None:
        """Another attempt, by what the buyer chose; a method that was refused may be tried again."""
        ask = self.asker
        assert ask is not None
        assert ask.payment is not None
        self.choice, self.shown = ask.payment, ask.shown
        self.attempt += 1
        self.outcome, self.error, self.heard = None, None, None
        self.enter(walk.CHOOSE_PAYMENT)

    # ------------------------------------------------------------ messages

    @patient_signal
    def payment_heard(self, heard: PaymentHeard) -> None:
        """The provider told of a payment: of the present one it is looked up, of any other it is history."""
        if self.tried and heard.payment_id == self.tried[-1].payment_id:
            self.heard = heard

    @workflow.update
    async def choose_payment(self, ask: PlacementAsk) -> PlacementReply:
        return await self.respond(walk.CHOOSE_PAYMENT, ask)

    @workflow.update
    async def cancel(self, ask: PlacementAsk) -> PlacementReply:
        return await self.respond(walk.CANCEL, ask)

    @workflow.update
    async def settle_by_hand(self, ask: PlacementAsk) -> PlacementReply:
        """An operator has it tried again, gives it up, or says how it was settled."""
        return await self.respond(settling(self.state, self.stuck_in, ask.how) or "", ask)

    @workflow.update
    async def approve_order(self, ask: PlacementAsk) -> PlacementReply:
        return await self.respond(walk.APPROVE, ask)

    @workflow.update
    async def reject(self, ask: PlacementAsk) -> PlacementReply:
        return await self.respond(walk.REJECT, ask)

    @workflow.update
    async def agree(self, ask: PlacementAsk) -> PlacementReply:
        """The requester's yes to the figures that are frozen now."""
        return await self.respond(walk.AGREE, ask)

    @approve_order.validator
    def may_approve(self, ask: PlacementAsk) -> None:
        self.refuse_unless(walk.APPROVE)
        self.check_approver(ask)

    @reject.validator
    def may_reject(self, ask: PlacementAsk) -> None:
        self.refuse_unless(walk.REJECT)
        self.check_approver(ask)

    def check_approver(self, ask: PlacementAsk) -> None:
        """Nobody answers their own order."""
        if ask.actor_id is None or ask.actor_id == self.start.owner_id:
            raise refused(Refusal.of(NotApprover))

    @agree.validator
    def may_agree(self, ask: PlacementAsk) -> None:
        self.refuse_unless(walk.AGREE)
        if ask.quote_hash != self.start.quote_hash:
            raise refused(Refusal.of(QuoteChanged))

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

    def is_answered(self, command: Command[PlacementAsk]) -> bool:
        """Also once it goes on by itself for long."""
        return self.is_over(command) and (not command.had_effect or self.is_worth_telling())
