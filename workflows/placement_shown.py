"""What people see of a placement: where it stands, what moved, and whom it waits for."""

from datetime import datetime
from typing import Any

from temporalio import workflow
from temporalio.common import SearchAttributePair as Pair
from temporalio.common import SearchAttributeUpdate, TypedSearchAttributes
from temporalio.exceptions import ApplicationError

with workflow.unsafe.imports_passed_through():
    from activities.operations.operations import Reprojection, ShowingActivities
    from activities.runs.flows import FlowActivities
    from domain.billing.payments import PaymentOutcome
    from domain.checkout import placement_v1 as walk
    from domain.checkout.placement import (
        Moving,
        OrderRef,
        PaymentView,
        PlacementAsk,
        PlacementStart,
        Problem,
        Resume,
        waits_on,
    )
    from domain.operations.operations import TURN_WORDS, Reproject, Standing, waits_for
    from domain.runs.projection import Projection
    from domain.runs.transition import Transition
    from workflows import calls, ids


class ShownPlacement:
    """The state of one run, and how it is told. `asked` is the event that somebody wants, `ask` their message; `taken` is the
    last message that had its effect. `settled` is the last change that people can see."""

    def __init__(self, start: PlacementStart) -> None:
        self.start = start
        self.policy = start.policy
        self.state = "checking"
        self.rev = start.rev_from
        self.seq = 0
        self.settled = start.rev_from - 1
        self.since = workflow.now()
        self.notes_at: dict[str, datetime] = {"checking": self.since}
        self.moves: list[Transition] = []
        self.choice, self.shown = start.payment, start.shown
        self.attempt: int = 1
        self.outcome: PaymentOutcome | None = None
        self.order: OrderRef | None = None
        self.error: Problem | None = None
        self.refused_methods: list[str] = []
        self.deadline: datetime | None = None
        self.reason: str | None = None
        self.stuck_in: str | None = None
        self.next_token: str | None = None
        self.asked: str | None = None
        self.ask: PlacementAsk | None = None
        self.taken: PlacementAsk | None = None
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

    @property
    def ended(self) -> bool:
        return not walk.PLACEMENT[self.state]

    def allowed(self) -> tuple[str, ...]:
        return walk.allowed(self.state, self.stuck_in)

    def move(self, event: str) -> None:
        """The one place where the state changes. What was asked of the state before has had its effect, or has lapsed."""
        target = walk.PLACEMENT[self.state].get(event)
        if target is None:
            raise ApplicationError(f"{event} leads nowhere from {self.state}", non_retryable=True)
        ask = self.ask if event == self.asked else None
        self.rev += 1
        self.since = workflow.now()
        self.moves.append(
            Transition(
                rev=self.rev,
                event=event,
                from_state=self.state,
                to_state=target,
                at=self.since,
                actor_id=ask.actor_id if ask else None,
                actor=ask.actor if ask else None,
                acting_for=ask.acting_for if ask else None,
                note=(ask.reason if ask else None) or (self.error.detail if self.error else None),
            )
        )
        self.state = target
        self.notes_at[target] = self.since
        if target != "needs_attention":
            self.stuck_in = None
        if ask is not None or self.asked not in self.allowed():
            self.taken = ask or self.taken
            self.asked = self.ask = None

    async def settle(self) -> None:
        """Shows where it stands. An effect on our own database shows it as it begins: see `call`."""
        self.show_details()
        projection = self.projection()
        await workflow.execute_local_activity_method(
            FlowActivities.project, projection, **calls.OURS
        )
        self.settled = projection.rev

    def call(self) -> dict[str, Any]:
        """On whose behalf an effect is carried out, and how the run looks meanwhile."""
        return {
            "flow_id": self.start.token,
            "workflow_id": workflow.info().workflow_id,
            "busy": self.projection(),
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
            notes_at=dict(self.notes_at),
        )

    def projection(self) -> Projection:
        """How it looks now, with what happened since the last time."""
        start, moves = self.start, tuple(self.moves)
        self.moves = []
        outcome = self.state if self.ended else None
        return Projection(
            id=start.token,
            kind="placement",
            version=start.version,
            workflow_id=workflow.info().workflow_id,
            run_id=workflow.info().run_id,
            rev=self.rev,
            seq=self.seq,
            state=self.state,
            allowed=self.allowed(),
            view=self.moving().model_dump(mode="json"),
            site=start.site,
            dealer_id=start.dealer_id,
            owner_id=start.owner_id,
            partner=start.partner_code,
            outcome="needs_attention" if self.state == "needs_attention" else outcome,
            at=self.since,
            ended=self.ended,
            transitions=moves,
        )

    def show_details(self) -> None:
        """What operators read in Temporal's own page, and find runs by."""
        order, error = self.order, self.error
        workflow.set_current_details(
            "\n".join(
                [
                    f"**{walk.LABELS[self.state]}** ({self.state}) since {self.since:%Y-%m-%d %H:%M:%S} UTC",
                    f"Waits for {TURN_WORDS[waits_for('placement', self.state)]}",
                    f"Until {self.deadline:%Y-%m-%d %H:%M:%S} UTC" if self.deadline else "",
                    f"Could not go on while: {walk.LABELS[self.stuck_in]}" if self.stuck_in else "",
                    f"Last error: {error.detail}" if error else "",
                    f"Order {order.number}, ERP {order.erp_number or 'not yet'}" if order else "",
                    f"Payment {self.choice.type}, attempt {self.attempt}",
                    f"[portal]({self.start.portal_url}/operations/run?kind=placement&id={self.start.token})",
                ]
            )
        )
        updates: list[SearchAttributeUpdate[Any]] = [
            ids.FLOW_STEP.value_set(self.state),
            ids.NEEDS_ATTENTION.value_set(self.state == "needs_attention"),
        ]
        workflow.upsert_search_attributes(updates)  # pyright: ignore[reportUnknownMemberType]

    @workflow.signal
    async def reproject(self, wrong: Reproject) -> None:
        """The reconciler found another row than this run's: it is written again."""
        moves = self.moves
        projection = self.projection()
        self.moves = moves
        await workflow.execute_local_activity_method(
            ShowingActivities.show_again,
            Reprojection(projection=projection, wrong=wrong),
            **calls.OURS,
        )

    @workflow.query
    def standing(self) -> Standing:
        return Standing(id=self.start.token, rev=self.rev, settled=self.settled, state=self.state)

    @workflow.query
    def view(self) -> Moving:
        return self.moving()


def attributes_of(start: PlacementStart) -> TypedSearchAttributes:
    """Search attributes that a run is started with, by whomever."""
    pairs: list[Pair[str]] = [
        Pair(ids.FLOW_KIND, "placement"),
        Pair(ids.FLOW_STEP, "checking"),
        Pair(ids.SITE, start.site),
        Pair(ids.BP_CODE, start.partner_code),
        Pair(ids.INSTALLER_ID, start.owner_id),
    ]
    if start.dealer_id is not None:
        pairs.append(Pair(ids.DEALER_ID, start.dealer_id))
    return TypedSearchAttributes(pairs)


def summary_of(start: PlacementStart) -> str:
    """The one line of a run in the Temporal UI."""
    return f"placement · {start.partner_code} · {start.payment.type} · {start.site}"
