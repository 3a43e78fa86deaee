"""What a placement shows of itself, and the ways out that each of its parts may take."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from temporalio import workflow
from temporalio.common import SearchAttributeUpdate

with workflow.unsafe.imports_passed_through():
    from domain.billing.payments import PaymentOutcome
    from domain.checkout.approvals import Approval
    from domain.checkout.placement import (
        ALREADY_SENT,
        UNCLEAR_IN,
        OrderRef,
        PaymentView,
        PlacementMessage,
        PlacementProgress,
        PlacementReply,
        PlacementStart,
        Problem,
        Resume,
        waits_on,
    )
    from domain.checkout.placements import placement_v4 as transitions
    from domain.kinds import PLACEMENT
    from workflows import ids
    from workflows.charging import ChargingRun
    from workflows.run import CONDITION_MET, NEEDS_ATTENTION, Command

WAYS_OUT = {
    transitions.CANCEL: transitions.WITHDRAWN,
    transitions.EXPIRED: transitions.LAPSED,
    transitions.REFUSED: transitions.UNDONE,
    transitions.REJECT: transitions.REJECTED,
}
"""Why everything is taken back → the end that follows."""

AT_ONCE = timedelta(seconds=30)
"""How long what the submit looked at is taken for what is: a run may have waited for its first worker."""


class PlacementRunState(ChargingRun[PlacementMessage]):
    """The state of one run, and how it is told."""

    kind = PLACEMENT
    stops_charges = "stops-paying"

    def __init__(self, start: PlacementStart) -> None:
        super().__init__(
            start.token, version=start.version, rev=start.rev_from, published_rev=start.rev_from - 1
        )
        self.start: PlacementStart = start
        self.policy = start.policy
        self.is_short = start.path > 2
        waited = workflow.now() - workflow.info().start_time
        self.is_held = start.held and waited < AT_ONCE
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
        self.stands = False
        self.way_out = transitions.UNDONE
        self.approval = (
            Approval.model_validate(start.approval.model_dump()) if start.approval else None
        )
        if start.resume is not None:
            self.resume(start.resume)

    def resume(self, resume: Resume) -> None:
        """In the place of a run that is gone: on from the beginning, as what was done is found again; an order that is stored is
        handed over and paid, and what was being taken back is still taken back."""
        if resume.begins is not None:
            self.state, self.notes_at = resume.begins, {resume.begins: self.since}
        self.attempt = max(resume.attempt, 1)
        self.order, self.reason, self.stands = resume.order, resume.reason, resume.stands
        self.refused_methods = list(resume.refused_methods)
        if resume.state in ("compensating", "needs_attention"):
            self.state, self.stuck_in = resume.state, resume.stuck_in
            self.notes_at = {resume.state: self.since}
        if resume.state == NEEDS_ATTENTION:
            self.error = UNCLEAR_IN.get(resume.stuck_in or "")

    def allowed(self) -> tuple[str, ...]:
        return transitions.allowed(self.state, self.stuck_in, self.transitions)

    def entered(self, event: str, before: str, cause: Command[PlacementMessage] | None) -> None:
        super().entered(event, before, cause)
        self.notes_at[self.state] = self.since
        if self.state != NEEDS_ATTENTION:
            self.stuck_in = None

    def remark(self, ask: PlacementMessage | None) -> str | None:
        problem = self.problem
        return (ask.reason if ask else None) or (problem.detail if problem else None)

    @property
    def problem(self) -> Problem | None:
        """What people are told: why it does not go on, or that it does although it was cancelled."""
        return self.error or (ALREADY_SENT if self.stands else None)

    @property
    def asked(self) -> str | None:
        """The event of what somebody asked."""
        command = self.in_hand or self.command
        return command.event if command is not None else None

    @property
    def asker(self) -> PlacementMessage | None:
        command = self.in_hand or self.command
        return command.ask if command is not None else None

    def stopped(self, *, or_asked: bool = False) -> bool:
        """Whether it is to be given up here, or anything was asked of it."""
        if or_asked and self.asked is not None:
            return True
        return (
            self.asked == transitions.CANCEL or self.cancelled
        ) and transitions.CANCEL in self.allowed()

    async def listen(self, limit: timedelta, until: Callable[[], bool] = lambda: False) -> str:
        """CONDITION_MET when `until` holds, TIMED_OUT, or what a person asked."""
        happened = await self.wait(limit, lambda: self.stopped() or until())
        return transitions.CANCEL if happened == CONDITION_MET and self.stopped() else happened

    def leave(self, event: str) -> None:
        """To where everything is taken back."""
        self.way_out = WAYS_OUT[event]
        if event in (transitions.CANCEL, transitions.REJECT) and self.asker is not None:
            self.reason = self.asker.reason or None
        self.enter(event)
        self.cancelled = False

    def stick(self, problem: Problem) -> None:
        """It cannot go on: a person looks."""
        self.error, self.stuck_in = problem, self.state
        self.enter(transitions.UNCLEAR)

    async def publish(self) -> None:
        """Shows where it stands. An effect on our own database shows it as it begins: see `call`."""
        self.index(self.state)
        await super().publish()

    def call(self) -> dict[str, Any]:
        """On whose behalf an effect is carried out, and how the run looks meanwhile."""
        self.publish_details()
        return {
            "flow_id": self.id,
            "workflow_id": workflow.info().workflow_id,
            "busy": self.projection(self.take_moves()),
        }

    def mark_published(self) -> None:
        """The effect is over, and what it carried was seen."""
        self.published_rev = self.rev

    def is_worth_answering(self) -> bool:
        """Whether the run rests, is over, or goes on by itself for long."""
        rests = self.state in transitions.AT_REST or self.state == "handing_over" or self.ended
        return rests and self.published_rev == self.rev

    def moving(self) -> PlacementProgress:
        outcome = self.outcome
        return PlacementProgress(
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
            error=self.problem,
            order=self.order,
            waits_for=waits_on(self.state),
            deadline=self.deadline,
            reason=self.reason,
            stuck_in=self.stuck_in,
            next_token=self.next_token,
            stands=self.stands,
            approval=self.approval,
            notes_at=dict(self.notes_at),
        )

    def present(self) -> PlacementProgress:
        return self.moving()

    def attributes(self, before: str) -> list[SearchAttributeUpdate[Any]]:
        needs = ids.NEEDS_ATTENTION.value_set(self.state == NEEDS_ATTENTION)
        number = [ids.NUMBER.value_set(self.order.number)] if self.order else []
        return [*super().attributes(before), needs, *number]

    def more_details(self) -> list[str]:
        order, problem = self.order, self.problem
        return [
            f"Could not go on while: {self.kind.labels[self.stuck_in]}" if self.stuck_in else "",
            f"Last error: {problem.detail}" if problem else "",
            f"Order {order.number}, ERP {order.erp_number or 'not yet'}" if order else "",
            f"Payment {self.choice.type}, attempt {self.attempt}",
        ]

    def reply(self) -> PlacementReply:
        return PlacementReply(token=self.id, rev=self.rev, state=self.state)

    @workflow.query
    def view(self) -> PlacementProgress:
        return self.moving()
