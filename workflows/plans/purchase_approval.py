"""The approval of a purchase of plans: admitted within its buyer's limits, an owner's yes, the buyer's yes to changed figures
(decision 64)."""

from collections.abc import Awaitable
from contextlib import suppress
from datetime import datetime

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.checkout.approval_mails import MailKind
    from activities.plans.approvals import (
        Admitted,
        Admitting,
        ApprovedPurchase,
        ApprovingPurchase,
        PurchaseApprovalActivities,
        PurchaseApprovalMail,
    )
    from domain.checkout.approvals import AgreementNeeded, Approval, NotApprover
    from domain.plans import purchase_v3 as transitions
    from domain.plans.approvals import APPROVAL_EXPIRED, APPROVAL_REJECTED
    from domain.plans.purchases import PurchaseError, PurchaseMessage, PurchaseStart
    from domain.plans.quote import ZERO, Quote
    from domain.runs.kind import Refusal
    from workflows import calls
    from workflows.plans.purchase_money import PurchaseMoney
    from workflows.run import TIMED_OUT, refused

WITH_LIMITS = 2
"""The first version of the transitions that knows limits."""


class PurchaseApproval(PurchaseMoney):
    """`reason` is the buyer's for the owner, `agreed_at` when they agreed; `hindered` is why the last yes had no effect."""

    def __init__(self, start: PurchaseStart) -> None:
        super().__init__(start)
        self.reason = start.reason
        self.agreed_at: datetime | None = None
        self.hindered: PurchaseError | None = None
        self.mails: list[Awaitable[None]] = []
        if start.resume is not None and self.state in transitions.WAITING:
            self.agreed_at = self.quote.quoted_at if self.quote else None

    def forget_agreement(self) -> None:
        """Nobody has agreed to these figures, and no owner was asked."""
        self.agreed_at, self.approval, self.agreed_charge = None, None, None

    async def admit(self, agreed: Quote) -> bool:
        """Whether what was agreed to may be bought now: within the limits of its buyer, and approved where it must be."""
        if self.version < WITH_LIMITS:
            return True
        self.agreed_at = self.agreed_at or workflow.now()
        admitted: Admitted = await workflow.execute_local_activity_method(
            PurchaseApprovalActivities.admit,
            Admitting(
                purchase_id=self.start.id,
                buyer=self.start.buyer,
                total=agreed.final_charge,
                quote_hash=agreed.quote_hash,
                pay_by=self.pay_by,
                at=self.agreed_at,
                asked_above=self.approval.above if self.approval else None,
            ),
            **calls.OURS,
        )
        if admitted.over_limit is not None:
            self.forget_agreement()
            self.error = admitted.over_limit
            self.expires_at = workflow.now() + self.policy.quote
            await self.move(transitions.OVER_LIMIT, limit=self.policy.quote)
            return False
        if admitted.approval_above is None:
            return True
        self.approval = Approval(
            reason=self.reason,
            above=admitted.approval_above,
            until=self.approval.until if self.approval else workflow.now() + self.policy.approval,
        )
        await self.move(transitions.APPROVAL_NEEDED, limit=self.left(self.approval.until))
        self.notify_by_mail(MailKind.ASKED)
        return False

    async def wait_for_approval(self) -> None:
        """An owner's yes; until it is there nothing is held and nothing charged."""
        happened = await self.wait(self.left())
        if happened == transitions.APPROVE:
            return await self.take_approval()
        if happened == TIMED_OUT:
            return await self.expire()
        if happened == transitions.REJECT:
            self.note_answer()
            self.error = self.unapproved(APPROVAL_REJECTED)
        await self.move(happened)
        if happened == transitions.REJECT:
            self.notify_by_mail(MailKind.REJECTED)

    async def take_approval(self) -> None:
        """The approver is looked at once more. What hinders it leaves the purchase waiting."""
        assert self.quote is not None
        ask = self.in_hand.ask if self.in_hand else None
        approved: ApprovedPurchase = await workflow.execute_local_activity_method(
            PurchaseApprovalActivities.approve,
            ApprovingPurchase(
                purchase_id=self.start.id,
                buyer=self.start.buyer,
                quote_hash=self.quote.quote_hash,
                approver_id=ask.actor_id if ask else None,
            ),
            **calls.OURS,
        )
        self.hindered = approved.hindered
        if approved.hindered is not None:
            self.in_hand = None
            return await self.show()
        self.note_answer()
        await self.move(transitions.APPROVE)
        self.notify_by_mail(MailKind.APPROVED)

    async def wait_for_yes(self) -> None:
        """Figures changed: nothing is approved that its buyer has not agreed to."""
        happened = await self.wait(self.left())
        if happened == TIMED_OUT:
            return await self.expire()
        await self.move(happened)

    async def ask_buyer(self, before: Quote) -> None:
        """The figures that an owner approved are others by now."""
        assert self.approval is not None
        self.agreed_charge = before.final_charge
        await self.move(transitions.REQUOTED, limit=self.left(self.approval.until))
        self.notify_by_mail(MailKind.REQUOTED)

    async def expire(self) -> None:
        self.error = self.unapproved(APPROVAL_EXPIRED)
        await self.move(transitions.EXPIRED)
        self.notify_by_mail(MailKind.EXPIRED)

    def unapproved(self, error: PurchaseError) -> PurchaseError:
        return error.model_copy(update={"detail": self.why(error.detail)})

    def note_answer(self) -> None:
        """Whoever answered is told of, with their word."""
        ask = self.in_hand.ask if self.in_hand else None
        if ask is not None and self.approval is not None:
            said = {"answered_by": ask.actor, "note": ask.reason or None}
            self.approval = self.approval.model_copy(update=said)

    def notify_by_mail(self, kind: MailKind) -> None:
        """By mail; nobody waits for it."""
        assert self.approval is not None
        mail = PurchaseApprovalMail(
            kind=kind,
            purchase_id=self.start.id,
            buyer=self.start.buyer,
            total=self.quote.final_charge if self.quote else ZERO,
            devices=len(self.good_lines()),
            approval=self.approval,
            number=self.rev,
            portal_url=self.start.portal_url,
            left=self.left_note,
        )
        self.mails.append(
            workflow.start_activity_method(
                PurchaseApprovalActivities.mail, mail, summary=f"mail: {kind}", **calls.NOTIFY
            )
        )

    async def mailed(self) -> None:
        for mail in self.mails:
            with suppress(ActivityError):
                await mail

    def refusal(self, event: str) -> Refusal:
        """Why an approval has no effect."""
        if event == transitions.APPROVE and self.state == "requoted":
            return Refusal.of(AgreementNeeded)
        if event == transitions.APPROVE and self.hindered is not None and event in self.allowed():
            return Refusal(status=409, code=self.hindered.code, detail=self.hindered.detail)
        return super().refusal(event)

    def check_approver(self, ask: PurchaseMessage) -> None:
        """Nobody answers their own purchase."""
        if ask.actor_id is None or ask.actor_id == self.start.buyer.person_id:
            raise refused(Refusal.of(NotApprover))
