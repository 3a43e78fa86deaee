"""The approval of a placement: an owner's yes or no, and its requester's yes to figures that changed (decision 61)."""

from datetime import datetime

from temporalio import workflow
from temporalio.workflow import ActivityHandle

with workflow.unsafe.imports_passed_through():
    from activities.checkout.approval_mails import MailKind
    from activities.checkout.approvals import (
        Agreeing,
        ApprovalActivities,
        ApprovalMail,
        Approved,
        Approving,
    )
    from domain.checkout.approvals import AgreementNeeded, Approval, NotApprover
    from domain.checkout.placement import (
        APPROVAL_EXPIRED,
        APPROVAL_REJECTED,
        PlacementMessage,
        PlacementReply,
        PlacementStart,
        Problem,
    )
    from domain.checkout.placements import placement_v4 as transitions
    from domain.checkout.quote import QuoteChanged
    from domain.runs.kind import Refusal
    from workflows import calls
    from workflows.checkout.placement_money import PlacementMoney
    from workflows.run import TIMED_OUT, refused


class PlacementApproval(PlacementMoney):
    """`hindered` is why the last yes had no effect; `notified` when a state began of which somebody was told."""

    def __init__(self, start: PlacementStart) -> None:
        super().__init__(start)
        self.hindered: Problem | None = None
        self.mails: list[ActivityHandle[None]] = []
        self.notified: set[datetime] = set()

    async def wait_for_approval(self) -> None:
        """An owner's yes holds stock and credit at once; until it is there nothing is held."""
        assert self.approval is not None
        self.deadline = self.approval.until
        await self.publish()
        self.mail_once(MailKind.ASKED)
        happened = await self.listen(self.left(self.deadline))
        if happened == transitions.APPROVE:
            return await self.approve(self.approval)
        self.deadline = None
        if happened == TIMED_OUT:
            self.error = APPROVAL_EXPIRED
            return self.leave(transitions.EXPIRED)
        if happened == transitions.REJECT:
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
        self.mark_published()
        self.hindered = approved.hindered
        if approved.hindered is not None:
            self.in_hand = None
            return
        if approved.requoted is not None:
            self.start = self.start.model_copy(update=approved.requoted.model_dump())
            self.tried.clear()
        if approved.must_agree:
            return self.enter(transitions.CHANGED)
        self.deadline = None
        if approved.refused is not None:
            self.error = approved.refused
            return self.leave(transitions.REFUSED)
        self.answer_with(approval)
        self.enter(transitions.APPROVE)
        self.mail_once(MailKind.APPROVED)

    async def wait_for_agreement(self) -> None:
        """Prices changed: nothing is approved that its requester has not agreed to."""
        assert self.approval is not None
        self.deadline = self.approval.until
        await self.publish()
        self.mail_once(MailKind.REQUOTED)
        happened = await self.listen(self.left(self.deadline))
        if happened == transitions.AGREE:
            agreeing = Agreeing(turn=self.start.turn, **self.call())
            await workflow.execute_local_activity_method(
                ApprovalActivities.agree, agreeing, **calls.OURS
            )
            self.mark_published()
            return self.enter(transitions.AGREE)
        self.deadline = None
        if happened == TIMED_OUT:
            self.error = APPROVAL_EXPIRED
            return self.leave(transitions.EXPIRED)
        self.leave(happened)

    def answer_with(self, approval: Approval) -> None:
        """Whoever answered is told of, with their word."""
        if (ask := self.asker) is not None:
            said = {"answered_by": ask.actor, "note": ask.reason or None}
            self.approval = approval.model_copy(update=said)

    def mail_once(self, kind: MailKind) -> None:
        """Tells of the state that was entered last; nobody waits for it."""
        if self.since in self.notified:
            return
        self.notified.add(self.since)
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

    def refusal(self, event: str) -> Refusal:
        """Why an approval has no effect."""
        if event == transitions.APPROVE and self.state == "requoted":
            return Refusal.of(AgreementNeeded)
        if event == transitions.APPROVE and self.hindered is not None and event in self.allowed():
            return Refusal(status=409, code=self.hindered.code, detail=self.hindered.detail)
        return super().refusal(event)

    @workflow.update
    async def approve_order(self, ask: PlacementMessage) -> PlacementReply:
        return await self.respond(transitions.APPROVE, ask)

    @workflow.update
    async def reject(self, ask: PlacementMessage) -> PlacementReply:
        return await self.respond(transitions.REJECT, ask)

    @workflow.update
    async def agree(self, ask: PlacementMessage) -> PlacementReply:
        """The requester's yes to the figures that are frozen now."""
        return await self.respond(transitions.AGREE, ask)

    @approve_order.validator
    def may_approve(self, ask: PlacementMessage) -> None:
        self.refuse_unless(transitions.APPROVE)
        self.check_approver(ask)

    @reject.validator
    def may_reject(self, ask: PlacementMessage) -> None:
        self.refuse_unless(transitions.REJECT)
        self.check_approver(ask)

    def check_approver(self, ask: PlacementMessage) -> None:
        """Nobody answers their own order."""
        if ask.actor_id is None or ask.actor_id == self.start.owner_id:
            raise refused(Refusal.of(NotApprover))

    @agree.validator
    def may_agree(self, ask: PlacementMessage) -> None:
        self.refuse_unless(transitions.AGREE)
        if ask.quote_hash != self.start.quote_hash:
            raise refused(Refusal.of(QuoteChanged))
