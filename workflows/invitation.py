"""An invitation: mailed, answered or withdrawn, reminded of, and over after its time (shell spec 3 and 7).

Reads as the process; every change of state goes through `move`, which refuses what the walk in
`domain/identity/invitation_v1.py` does not hold.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from temporalio import workflow
from temporalio.common import SearchAttributeUpdate
from temporalio.exceptions import ActivityError, ApplicationError

with workflow.unsafe.imports_passed_through():
    from activities.identity.invitations import (
        Answer,
        InvitationActivities,
        InvitationMail,
        Joined,
        Joining,
        MailKind,
        Opening,
        Standing,
    )
    from activities.operations.operations import InvitationReprojection, ShowingActivities
    from domain.identity import invitation_v1 as walk
    from domain.identity.invitations import (
        AlreadyInvited,
        InvitationAsk,
        InvitationEnded,
        InvitationReply,
        InvitationStart,
        Opened,
    )
    from domain.operations import operations
    from workflows import calls, ids

HEARD, TIMED_OUT = "HEARD", "TIMED_OUT"
MOMENT = timedelta(milliseconds=1)
ANSWERED = frozenset({"accepted", "registered", "declined"})
TELLS_INVITER = "tells-inviter"


@workflow.defn(name="Invitation")
class InvitationWorkflow:
    """One invitation of one address to one dealer."""

    @workflow.init
    def __init__(self, start: InvitationStart) -> None:
        self.start = start
        self.state = "opening"
        self.rev = 0
        self.settled = 0
        self.asked: InvitationAsk | None = None
        self.answered_with: str | None = None
        self.refusal: str | None = None
        self.registered = False
        self.reminders = 0
        self.remind_at: datetime | None = None
        self.mails: list[asyncio.Task[bool]] = []
        self.restart_clock()

    def restart_clock(self) -> None:
        """Its end, counted from now; and a reminder, for what has been mailed."""
        policy, now = self.start.policy, workflow.now()
        self.expires_at = now + policy.expiry
        is_mailed = self.state not in ("opening", "sending")
        self.remind_at = now + policy.reminder if is_mailed else None

    @workflow.run
    async def run(self, start: InvitationStart) -> InvitationReply:
        life = asyncio.create_task(self.live())
        try:
            await asyncio.shield(life)
        except (
            asyncio.CancelledError
        ):  # an operator's cancel withdraws it, once an acceptance is over
            await workflow.wait_condition(
                lambda: (
                    self.ended or (self.asked is None and walk.WITHDRAW in walk.allowed(self.state))
                )
            )
            if not self.ended:
                self.asked = InvitationAsk(event="WITHDRAW", key="operator")
            await life
        await workflow.wait_condition(workflow.all_handlers_finished)
        return self.reply()

    async def live(self) -> None:
        """From its opening to its end."""
        if await self.open():
            self.post(MailKind.INVITATION)
            while not self.ended:
                await self.advance()
            for mail in self.mails:
                mail.cancel()
            if self.state in ANSWERED and workflow.patched(TELLS_INVITER):
                await self.tell_inviter()

    # ------------------------------------------------------------ the process

    async def open(self) -> bool:
        """Takes the address for this dealer; one that has an open invitation there gets no second one."""
        taken = await workflow.execute_local_activity_method(
            InvitationActivities.open,
            Opening(
                start=self.start,
                workflow_id=workflow.info().workflow_id,
                created_at=workflow.now(),
                expires_at=self.expires_at,
            ),
            **calls.OURS,
        )
        if taken:
            await self.move(walk.OPENED)
            return True
        self.refusal = AlreadyInvited.code
        self.state, self.rev = walk.INVITATION[self.state][walk.TAKEN], self.rev + 1
        self.settled = self.rev
        return False

    async def advance(self) -> None:
        """The next thing that happens to it: news, an answer, a withdrawal, the reminder, or the end of its time."""
        happened = await self.wait(lambda: self.news() is not None)
        if happened == walk.ACCEPT:
            await self.accept()
        elif happened == HEARD:
            await self.move(self.news() or walk.EXPIRED)
            if self.state == "waiting":
                self.remind_at = workflow.now() + self.start.policy.reminder
        elif happened != TIMED_OUT:
            await self.move(happened)
        elif workflow.now() < self.expires_at:
            await self.remind()
        else:
            # The word that a registration is complete may have been lost on its way here.
            late = self.state == "registering" and await self.has_joined()
            await self.move(walk.REGISTERED if late else walk.EXPIRED)

    def news(self) -> str | None:
        """What came of the first mail, or of the registration."""
        first = self.mails[0]
        if self.state == "sending" and first.done():
            return walk.SENT if first.result() else walk.UNDELIVERABLE
        return walk.REGISTERED if self.state == "registering" and self.registered else None

    async def accept(self) -> None:
        """Joins, or begins to register. An acceptance that may not be leaves the invitation open."""
        asked = self.asked
        assert asked is not None
        await self.move(walk.ACCEPT)
        joined = await self.join(asked)
        if joined.refusal is not None:
            self.refusal, self.answered_with = joined.refusal, None
            return await self.move(walk.REFUSED)
        if not joined.registers:
            return await self.move(walk.JOINED)
        self.restart_clock()
        await self.move(walk.REGISTERS)
        self.post(MailKind.REGISTRATION)

    async def remind(self) -> None:
        """Once."""
        self.remind_at = None
        self.reminders += 1
        kind = MailKind.REGISTRATION if self.state == "registering" else MailKind.REMINDER
        self.post(kind, number=self.reminders + 1)
        await self.move(walk.REMIND)

    async def wait(self, until: Callable[[], bool]) -> str:
        """HEARD when `until` holds, TIMED_OUT at the reminder or the end, or what a person asked."""
        till = min(self.remind_at or self.expires_at, self.expires_at)
        try:
            await workflow.wait_condition(
                lambda: self.asked is not None or until(),
                timeout=max(till - workflow.now(), MOMENT),
                timeout_summary=f"{self.state} until {till:%Y-%m-%d %H:%M} UTC",
            )
        except TimeoutError:
            return TIMED_OUT
        return self.asked.event if self.asked else HEARD

    # ------------------------------------------------------------ effects

    def post(self, kind: MailKind, number: int = 1) -> None:
        """Sends a mail; nobody waits for it, as its link works from the start."""
        self.mails.append(asyncio.create_task(self.mail(kind, number)))

    async def mail(self, kind: MailKind, number: int) -> bool:
        """Whether the messenger took it, however long that took."""
        patient: dict[str, Any] = {
            **calls.NOTIFY,
            "schedule_to_close_timeout": self.start.policy.expiry,
        }
        try:
            return await workflow.execute_activity_method(
                InvitationActivities.mail,
                InvitationMail(kind=kind, start=self.start, number=number),
                summary=f"{kind} {number}",
                **patient,
            )
        except ActivityError:
            return False

    async def tell_inviter(self) -> None:
        """What came of it. It has ended by then, and stays so whatever becomes of the mail."""
        with suppress(ActivityError):
            await workflow.execute_activity_method(
                InvitationActivities.tell_inviter,
                Answer(start=self.start, state=self.state),
                summary=self.state,
                **calls.NOTIFY,
            )

    async def join(self, asked: InvitationAsk) -> Joined:
        return await workflow.execute_local_activity_method(
            InvitationActivities.join,
            Joining(start=self.start, first_name=asked.first_name, last_name=asked.last_name),
            **calls.OURS,
        )

    async def has_joined(self) -> bool:
        return await workflow.execute_local_activity_method(
            InvitationActivities.has_joined, self.start.id, **calls.OURS
        )

    async def move(self, event: str) -> None:
        """The one place where the state changes."""
        target = walk.INVITATION[self.state].get(event)
        if target is None:
            raise ApplicationError(f"{event} leads nowhere from {self.state}", non_retryable=True)
        if self.asked is not None and self.asked.event == event:
            self.answered_with, self.refusal = self.asked.key, None
        self.rev += 1
        self.state = target
        rev = self.rev
        updates: list[SearchAttributeUpdate[Any]] = [ids.FLOW_STEP.value_set(target)]
        workflow.upsert_search_attributes(updates)  # pyright: ignore[reportUnknownMemberType]
        workflow.set_current_details(self.details())
        await workflow.execute_local_activity_method(
            InvitationActivities.move, self.standing_now(), **calls.OURS
        )
        self.settled = rev
        if target != "accepting":
            self.asked = None

    def details(self) -> str:
        """What an operator reads in the Temporal UI."""
        turn = operations.waits_for("invitation", self.state)
        return "\n".join(
            [
                f"**{walk.LABELS[self.state]}** ({self.state}) since {workflow.now():%Y-%m-%d %H:%M:%S} UTC, "
                f"ends {self.expires_at:%Y-%m-%d %H:%M} UTC, {self.reminders} reminders",
                f"Waits for {operations.TURN_WORDS[turn]}",
                "",
                f"[Open in the portal]({self.start.portal_url}/operations/run?kind=invitation&id={self.start.id})",
            ]
        )

    # ------------------------------------------------------------ messages

    @workflow.update
    async def opened(self, opened: Opened) -> InvitationReply:
        """The first answer: kept and on its way, or refused."""
        await workflow.wait_condition(lambda: self.settled > 0)
        return self.reply()

    @workflow.update
    async def answer(self, ask: InvitationAsk) -> InvitationReply:
        """Answers once the message has had its effect."""
        self.asked = ask
        await workflow.wait_condition(lambda: self.asked is not ask and self.settled == self.rev)
        return self.reply()

    @answer.validator
    def may_answer(self, ask: InvitationAsk) -> None:
        if self.asked is not None or ask.event not in walk.allowed(self.state):
            raise ApplicationError(
                InvitationEnded.detail, type=InvitationEnded.code, non_retryable=True
            )

    @workflow.signal
    def completed_registration(self) -> None:
        """The invited person has a password now."""
        self.registered = True

    @workflow.signal
    async def reproject(self, wrong: operations.Reproject) -> None:
        """The reconciler found another row than this run's: it is written again."""
        await workflow.execute_local_activity_method(
            ShowingActivities.show_invitation_again,
            InvitationReprojection(standing=self.standing_now(), wrong=wrong),
            **calls.OURS,
        )

    def standing_now(self) -> Standing:
        """Where it stands, as its row says it."""
        return Standing(
            id=self.start.id,
            rev=self.rev,
            state=self.state,
            at=workflow.now(),
            expires_at=self.expires_at,
            answered_with=self.answered_with,
            ended=self.ended,
        )

    @workflow.query
    def standing(self) -> operations.Standing:
        return operations.Standing(
            id=self.start.id, rev=self.rev, settled=self.settled, state=self.state
        )

    @workflow.query
    def view(self) -> InvitationReply:
        return self.reply()

    @property
    def ended(self) -> bool:
        return not walk.INVITATION[self.state]

    def reply(self) -> InvitationReply:
        return InvitationReply(id=self.start.id, state=self.state, refusal=self.refusal)
