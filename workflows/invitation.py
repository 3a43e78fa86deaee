"""An invitation: mailed, answered or withdrawn, reminded of, and over after its time (shell spec 3 and 7).

Reads as the process; every change of state goes through `move`, which refuses what the transitions in
`domain/identity/invitation_v1.py` do not hold.
"""

import asyncio
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from activities.identity.invitations import (
        Answer,
        InvitationActivities,
        InvitationMail,
        InvitationStatus,
        Joined,
        Joining,
        MailKind,
        Opening,
    )
    from activities.operations.showing import InvitationReprojection, ShowingActivities
    from domain.identity import invitation_v1 as transitions
    from domain.identity.invitations import (
        AlreadyInvited,
        InvitationMessage,
        InvitationReply,
        InvitationStart,
        Opened,
    )
    from domain.kinds import INVITATION
    from domain.operations import operations
    from workflows import calls
    from workflows.run import CONDITION_MET, TIMED_OUT, Command, Machine
    from workflows.signals import patient_signal

ANSWERED = frozenset({"accepted", "registered", "declined"})
COPY = 100
"""What a person has sent again is numbered from here on, so that it is none of the reminders."""
TELLS_INVITER = "tells-inviter"
KEEPS_COMMANDS = "keeps-commands"
LOOKS_WHO_JOINED = "looks-who-joined"


@workflow.defn(name="Invitation")
class InvitationWorkflow(Machine[InvitationMessage]):
    """One invitation of one address to one dealer."""

    kind = INVITATION
    patches = (LOOKS_WHO_JOINED,)

    @workflow.init
    def __init__(self, start: InvitationStart) -> None:
        super().__init__(start.id)
        self.start = start
        self.answered_with: str | None = None
        self.refusal_code: str | None = None
        self.registered = False
        self.reminders = 0
        self.copies = 0
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
        await self.carry_out()
        return self.reply()

    async def stop(self) -> None:
        """An operator's cancel withdraws it, once an acceptance is over."""
        await self.stop_by(
            Command(transitions.WITHDRAW, InvitationMessage(event="WITHDRAW", key="operator"))
        )

    async def execute(self) -> None:
        if await self.open():
            self.post(MailKind.INVITATION)
            while not self.ended:
                await self.advance()
            for mail in self.mails:
                mail.cancel()
            if self.state in ANSWERED and self.does(TELLS_INVITER):
                await self.notify_inviter()

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
            await self.move(transitions.OPENED)
            return True
        self.refusal_code = AlreadyInvited.code
        self.enter(transitions.TAKEN)  # there is no row to show it in
        self.published_rev = self.rev
        return False

    async def advance(self) -> None:
        """The next thing that happens to it: news, an answer, a withdrawal, the reminder, or the end of its time."""
        happened = await self.happening()
        if happened == transitions.ACCEPT:
            await self.accept()
        elif happened == CONDITION_MET:
            await self.move(self.news() or transitions.EXPIRED)
            if self.state == "waiting":
                self.remind_at = workflow.now() + self.start.policy.reminder
        elif await self.has_joined_unnoticed(happened):
            await self.move(transitions.REGISTERED)
        elif happened != TIMED_OUT:
            await self.move(happened)
        elif workflow.now() < self.expires_at:
            await self.remind()
        else:
            await self.move(transitions.EXPIRED)

    async def has_joined_unnoticed(self, happened: str) -> bool:
        """The word that a registration is complete may have been lost on its way here: whoever works there by now is neither
        reminded nor taken back. Histories of before looked at the end of its time alone."""
        if self.state != "registering":
            return False
        is_over = happened == TIMED_OUT and workflow.now() >= self.expires_at
        return (is_over or LOOKS_WHO_JOINED in self.decided) and await self.has_joined()

    def news(self) -> str | None:
        """What came of the first mail, or of the registration."""
        first = self.mails[0]
        if self.state == "sending" and first.done():
            return transitions.SENT if first.result() else transitions.UNDELIVERABLE
        return transitions.REGISTERED if self.state == "registering" and self.registered else None

    async def accept(self) -> None:
        """Joins, or begins to register. An acceptance that may not be leaves the invitation open."""
        assert self.in_hand is not None
        ask = self.in_hand.ask
        assert ask is not None
        await self.move(transitions.ACCEPT)
        joined = await self.join(ask)
        if joined.refusal is not None:
            self.refusal_code, self.answered_with = joined.refusal, None
            return await self.move(transitions.REFUSED)
        if not joined.registers:
            return await self.move(transitions.JOINED)
        self.restart_clock()
        await self.move(transitions.REGISTERS)
        self.post(MailKind.REGISTRATION)

    async def remind(self) -> None:
        """Once."""
        self.remind_at = None
        self.reminders += 1
        kind = MailKind.REGISTRATION if self.state == "registering" else MailKind.REMINDER
        self.post(kind, number=self.reminders + 1)
        await self.move(transitions.REMIND)

    async def happening(self) -> str:
        """CONDITION_MET when there is news, TIMED_OUT at the reminder or the end, or what a person asked."""
        till = min(self.remind_at or self.expires_at, self.expires_at)
        return await self.wait_until(till, lambda: self.news() is not None)

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

    async def notify_inviter(self) -> None:
        """What came of it. It has ended by then, and stays so whatever becomes of the mail."""
        with suppress(ActivityError):
            await workflow.execute_activity_method(
                InvitationActivities.notify_inviter,
                Answer(start=self.start, state=self.state),
                summary=self.state,
                **calls.NOTIFY,
            )

    async def join(self, asked: InvitationMessage) -> Joined:
        return await workflow.execute_local_activity_method(
            InvitationActivities.join,
            Joining(start=self.start, first_name=asked.first_name, last_name=asked.last_name),
            **calls.OURS,
        )

    async def has_joined(self) -> bool:
        return await workflow.execute_local_activity_method(
            InvitationActivities.has_joined, self.start.id, **calls.OURS
        )

    async def move(self, event: str, *, limit: timedelta | None = None) -> None:
        await super().move(event, limit=limit)
        if self.command is not None and self.state != "accepting" and not self.keeps_commands():
            self.command = None

    def keeps_commands(self) -> bool:
        """Histories of before lost what was asked while a reminder was being sent."""
        return self.does(KEEPS_COMMANDS)

    def entered(self, event: str, before: str, cause: Command[InvitationMessage] | None) -> None:
        self.deadline = self.expires_at
        if cause is not None and cause.ask is not None:
            self.answered_with, self.refusal_code = cause.ask.key, None

    async def write(self) -> None:
        await workflow.execute_local_activity_method(
            InvitationActivities.move, self.standing_now(), **calls.OURS
        )

    def more_details(self) -> list[str]:
        return [f"{self.reminders} reminders"]

    @workflow.update
    async def opened(self, opened: Opened) -> InvitationReply:
        """The first answer: kept and on its way, or refused."""
        await workflow.wait_condition(lambda: self.published_rev > 0)
        return self.reply()

    @workflow.update
    async def answer(self, ask: InvitationMessage) -> InvitationReply:
        """Answers once the message has had its effect."""
        return await self.respond(ask.event, ask)

    @answer.validator
    def may_answer(self, ask: InvitationMessage) -> None:
        self.refuse_unless(ask.event)

    def is_answered(self, command: Command[InvitationMessage]) -> bool:
        return super().is_answered(command) and self.state != "accepting"

    @workflow.update
    def send_again(self, asked: Opened) -> InvitationReply:
        """Mails the same link once more. While the first mail is on its way there is nothing to repeat."""
        if self.state != "sending":
            self.copies += 1
            kind = MailKind.REGISTRATION if self.state == "registering" else MailKind.INVITATION
            self.post(kind, number=COPY + self.copies)
        return self.reply()

    @send_again.validator
    def may_send_again(self, asked: Opened) -> None:
        self.refuse_unless(transitions.WITHDRAW)

    @workflow.signal
    def completed_registration(self) -> None:
        """The invited person has a password now."""
        self.registered = True

    @patient_signal
    async def reproject(self, wrong: operations.Reproject) -> None:
        """The reconciler found another row than this run's: it is written again."""
        await workflow.execute_local_activity_method(
            ShowingActivities.show_invitation_again,
            InvitationReprojection(standing=self.standing_now(), wrong=wrong),
            **calls.OURS,
        )

    def standing_now(self) -> InvitationStatus:
        """Where it stands, as its row says it."""
        return InvitationStatus(
            id=self.id,
            rev=self.rev,
            state=self.state,
            at=workflow.now(),
            expires_at=self.expires_at,
            answered_with=self.answered_with,
            ended=self.ended,
        )

    @workflow.query
    def view(self) -> InvitationReply:
        return self.reply()

    def reply(self) -> InvitationReply:
        return InvitationReply(id=self.id, state=self.state, refusal=self.refusal_code)
