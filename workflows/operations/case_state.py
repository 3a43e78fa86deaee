"""What a case shows of itself, and what every kind of case does: it is tried again, held, and answered by people."""

import asyncio
from contextlib import suppress
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from temporalio import workflow
from temporalio.common import SearchAttributeUpdate
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.operations.cases import CaseActivities, HoldRequest
    from domain.billing.payments import NOTHING, PaymentStatus
    from domain.kinds import CASE
    from domain.operations import case_v1 as transitions
    from domain.operations.case_mails import CaseMail, MailKind
    from domain.operations.cases import (
        MOST_NOTES,
        ON_ITS_WAY,
        BelongsTo,
        CaseMessage,
        CaseNote,
        CasePayment,
        CaseProblem,
        CaseReply,
        CaseStart,
        CaseView,
        Lowered,
    )
    from workflows import calls, ids
    from workflows.charging import ChargingRun, is_refusal
    from workflows.run import NEEDS_ATTENTION, reason_of

LET_GO = frozenset({PaymentStatus.AUTHORISED, PaymentStatus.ACTION_REQUIRED, PaymentStatus.UNKNOWN})
"""Money that is held, or that nobody can tell of, is voided: it must not be taken later."""

REFUSED = "refund_refused"
FOR_A_PERSON = CaseProblem(
    code="for_a_person",
    detail="What was delivered for this money is not known. A person looks after it.",
)
STILL_AT_WORK = CaseProblem(
    code="still_at_work", detail="The run that moves this money has not ended yet."
)
OWED_BEFORE = CaseProblem(
    code="owed_before",
    detail="The whole is to be paid again first, or the bank has not decided whose its money is.",
)
NOT_ARRIVED = CaseProblem(code="debit_under_way", detail=ON_ITS_WAY)
DISPUTED = CaseProblem(
    code="disputed",
    detail="Answer the bank at the payment provider's page, or accept the chargeback there.",
)
NOT_REACHED = CaseProblem(
    code="provider_away", detail="The payment provider could not be reached in time."
)


class CaseRunState(ChargingRun[CaseMessage]):
    """State and view of one case."""

    kind = CASE

    def __init__(self, start: CaseStart) -> None:
        super().__init__(start.id, rev=start.rev_from)
        self.start = start
        known = start.resume
        self.given_back: Decimal = known.given_back if known else NOTHING
        self.owner_id: str | None = known.owner_id if known else None
        self.owner: str | None = known.owner if known else None
        self.done: list[CaseNote] = list(known.done) if known else []
        self.error: CaseProblem | None = None
        self.attempt: int = known.attempt if known else 1
        self.tries: int = 0
        self.looks: int = 0
        self.is_asked_for = False
        """Whether an administrator said that the money is to be given back."""
        self.owed: Decimal = NOTHING
        self.lowered: tuple[Lowered, ...] = known.lowered if known else ()
        self.taken_off: Decimal = known.taken_off if known else NOTHING
        self.owed_at: datetime = start.opened_at
        """Since when the buyer may pay it: banks take weeks to decide."""
        self.payment: CasePayment | None = known.payment if known else None
        self.payer_id: str | None = (known.payer_id if known else None) or start.person_id
        self.is_unclear = known is not None and known.state == "charging"
        self.is_plan_left = False
        """Whether a plan is still to be suspended, as its device did not answer."""
        self.mails: list[asyncio.Task[None]] = []
        self.dispute_changes: int = 0
        self.dispute_changes_before: int = 0
        """When the bank of a chargeback was asked last."""
        self.order_changes: int = 0
        self.order_changes_seen: int = 0
        self.asked_for_help = known is not None

    def belongs_to(self) -> BelongsTo:
        return self.start.belongs_to

    def remark(self, ask: CaseMessage | None) -> str | None:
        if ask is not None:
            return ask.note or ask.owner
        return self.error.detail if self.error else None

    def attributes(self, before: str) -> list[SearchAttributeUpdate[Any]]:
        updates = super().attributes(before)
        if NEEDS_ATTENTION in (self.state, before):
            updates.append(ids.NEEDS_ATTENTION.value_set(self.state == NEEDS_ATTENTION))
        return updates

    async def try_later(self, *, is_try: bool) -> None:
        policy = self.start.policy
        if is_try and self.tries >= policy.tries:
            await self.move(transitions.STUCK)
            return self.post(MailKind.ATTENTION)
        if not is_try:
            return await self.look_later(policy.pause)
        await self.move(transitions.LATER, limit=policy.pause)

    async def look_later(self, latest: timedelta) -> None:
        """Each time twice as late."""
        pause = min(latest, self.start.policy.soon * 2 ** min(self.looks, 20))
        await self.move(transitions.LATER, limit=pause)

    def ask_for_help(self) -> None:
        """Once: a bank may be asked many times."""
        if not self.asked_for_help:
            self.asked_for_help = True
            self.post(MailKind.ATTENTION)

    async def answer(self, event: str) -> None:
        """What an administrator does about it."""
        ask = self.in_hand.ask if self.in_hand else None
        assert ask is not None
        limit = self.left() if self.deadline else None
        match event:
            case transitions.ASSIGN:
                self.owner_id, self.owner = ask.owner_id, ask.owner
                self.write_down(ask.actor, f"Assigned to {ask.owner}.")
                self.post(MailKind.ASSIGNED)
            case transitions.RETRY:
                self.tries, self.looks, limit = 0, 0, None
                self.is_asked_for = True
                self.write_down(ask.actor, ask.note)
            case transitions.RESOLVE:
                self.error, limit = None, None
                if self.start.dispute_id is not None and self.state == NEEDS_ATTENTION:
                    await self.hold(is_held=False)
                self.write_down(ask.actor, ask.note)
            case _:
                self.write_down(ask.actor, ask.note)
        await self.move(event, limit=limit)

    async def hold(self, *, is_held: bool) -> None:
        """Raises ActivityError."""
        await workflow.execute_activity_method(
            CaseActivities.hold,
            HoldRequest(belongs_to=self.start.belongs_to, is_held=is_held),
            summary="hold what was not sent" if is_held else "let it go",
            **calls.PAYING
            | ({"schedule_to_close_timeout": self.start.policy.brief} if is_held else {}),
        )

    @property
    def grace(self) -> timedelta:
        """How long the buyer may still take."""
        return self.left(self.rests_at)

    @property
    def rests_at(self) -> datetime:
        return self.owed_at + self.start.policy.grace

    def write_down(self, by: str | None, text: str) -> None:
        self.done.append(CaseNote(at=workflow.now(), by=by, text=text))
        del self.done[: -2 * MOST_NOTES]

    def post(self, kind: MailKind) -> None:
        self.mails.append(asyncio.create_task(self.mail(kind)))

    async def mail(self, kind: MailKind) -> None:
        """Nobody waits for it: the case shows on what it belongs to."""
        with suppress(ActivityError):
            await workflow.execute_activity_method(
                CaseActivities.mail,
                CaseMail(
                    kind=kind,
                    person_id=self.start.person_id,
                    case=self.present(),
                    rev=0 if kind is MailKind.LOST else self.rev,  # of one decision
                    rests_at=self.rests_at,
                ),
                summary=f"mail: {kind}",
                **calls.NOTIFY,
            )

    def present(self) -> CaseView:
        start = self.start
        return CaseView(
            id=self.id,
            state=self.state,
            cause=start.cause,
            belongs_to=start.belongs_to,
            detail=start.detail,
            amount=start.amount,
            given_back=self.given_back,
            currency=start.currency,
            owner_id=self.owner_id,
            owner=self.owner,
            attempt=self.attempt,
            owed=self.owed,
            lowered=self.lowered,
            taken_off=self.taken_off,
            payment=self.payment,
            payer_id=self.payer_id,
            opened_at=start.opened_at,
            due_at=start.opened_at + start.policy.due,
            deadline=self.deadline,
            error=self.error,
            done=tuple(self.done),
            updated_at=self.since,
        )

    def more_details(self) -> list[str]:
        start = self.start
        wanted = "all that was taken" if start.amount is None else f"{start.amount}"
        return [
            f"{start.cause}: {start.belongs_to.name} of {start.partner_code}",
            f"To be paid back: {wanted}; paid back: {self.given_back} {start.currency}",
            f"Last error: {self.error.detail}" if self.error else "",
        ]

    def reply(self) -> CaseReply:
        return CaseReply(id=self.id, rev=self.rev, state=self.state)

    @workflow.query
    def view(self) -> CaseView:
        return self.present()


def problem_of(error: ActivityError) -> CaseProblem:
    """The provider's own no, or that it did not answer."""
    return CaseProblem(code=REFUSED, detail=reason_of(error)) if is_refusal(error) else NOT_REACHED
