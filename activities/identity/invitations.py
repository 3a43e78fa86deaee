"""The effects of an invitation."""

from contextlib import suppress
from datetime import datetime
from enum import StrEnum

from temporalio import activity

from db.base import Sessions, reading
from db.identity import invitations
from db.identity.links import LinkKind, add_link, is_held
from db.identity.people import add_person, find_account, find_user, lock_person
from db.operations.audit import record
from domain.base import Frozen
from domain.errors import PortalError
from domain.identity.invitations import Invitation, InvitationStart, InvitationVoid, check_may_join
from domain.identity.people import EmailTaken
from domain.identity.registration_mail import REGISTRATION
from domain.letters.language import Reader
from domain.letters.text import Text, Written, written
from providers.errors import Refused
from providers.messenger import Messenger
from providers.security.tokens import MailedLink, Tokens, secret_hash


class Opening(Frozen):
    """A new invitation, with its times in UTC."""

    start: InvitationStart
    workflow_id: str
    created_at: datetime
    expires_at: datetime


class InvitationStatus(Frozen):
    """Where an invitation stands after a move."""

    id: str
    rev: int
    state: str
    at: datetime
    expires_at: datetime
    answered_with: str | None
    ended: bool


class MailKind(StrEnum):
    INVITATION = "invitation"
    REMINDER = "reminder"
    REGISTRATION = "registration"


class InvitationMail(Frozen):
    """`number` tells the mails of one kind apart."""

    kind: MailKind
    start: InvitationStart
    number: int = 1


class Answer(Frozen):
    """What came of an invitation: the state that it ended in."""

    start: InvitationStart
    state: str


class Joining(Frozen):
    """An acceptance; the names are for an account that does not exist yet."""

    start: InvitationStart
    first_name: str | None
    last_name: str | None


class Joined(Frozen):
    """`registers`: a password must be chosen first. `refusal` is the code of why it may not be."""

    registers: bool = False
    refusal: str | None = None


ENDED_BY_ITSELF = frozenset({"expired", "undeliverable"})

_ACCEPTED = Text(
    "{email} accepted your invitation and works with {dealer} on Turnkey now.",
    "{email} a accepté votre invitation et travaille maintenant avec {dealer} sur Turnkey.",
)
_ANSWERED = {
    "accepted": _ACCEPTED,
    "registered": _ACCEPTED,
    "declined": Text(
        "{email} declined your invitation to work with {dealer} on Turnkey.",
        "{email} a refusé votre invitation à travailler avec {dealer} sur Turnkey.",
    ),
}
"""What whoever invited is told, by the state that an answer ended the invitation in."""
_ANSWERED_SUBJECT = Text("Your invitation to Turnkey", "Votre invitation à Turnkey")

_SUBJECTS = {
    MailKind.INVITATION: Text(
        "{dealer} invites you to Turnkey", "{dealer} vous invite à utiliser Turnkey"
    ),
    MailKind.REMINDER: Text("{dealer} is waiting for your answer", "{dealer} attend votre réponse"),
}
_INVITE = Text(
    "{inviter} invites you to work with {dealer} on Turnkey.\n"
    "Accept: {portal}/accept-invite?token={token}\n"
    "Decline: {portal}/decline-invite?token={token}\n"
    "The invitation ends after {days} days.",
    "{inviter} vous invite à travailler avec {dealer} sur Turnkey.\n"
    "Accepter : {portal}/accept-invite?token={token}\n"
    "Refuser : {portal}/decline-invite?token={token}\n"
    "L’invitation prend fin après {days} jours.",
)


class InvitationActivities:
    def __init__(self, messenger: Messenger, sessions: Sessions, tokens: Tokens) -> None:
        self._messenger = messenger
        self._sessions = sessions
        self._tokens = tokens

    @activity.defn(name="open_invitation")
    async def open(self, opening: Opening) -> bool:
        """Keeps the invitation. False when the address has an open one at this dealer. Idempotent by its id."""
        start = opening.start
        async with self._sessions.begin() as session:
            stored = await invitations.open_invitation(
                session,
                Invitation(
                    id=start.id,
                    workflow_id=opening.workflow_id,
                    dealer_id=start.dealer_id,
                    dealer_name=start.dealer_name,
                    email=start.email,
                    user_type=start.user_type,
                    inviter=start.inviter,
                    state="sending",
                    created_at=opening.created_at,
                    expires_at=opening.expires_at,
                ),
                token_hash=secret_hash(self._tokens.link(MailedLink.INVITATION, start.id)),
                invited_by=start.invited_by,
            )
        return stored

    @activity.defn(name="move_invitation")
    async def move(self, status: InvitationStatus) -> None:
        """Writes where it stands; an end that no request brought is audited here. Idempotent by (id, rev)."""
        async with self._sessions.begin() as session:
            moved = await invitations.move_invitation(
                session, status.id, **status.model_dump(exclude={"id"})
            )
            if moved and status.state in ENDED_BY_ITSELF:
                await record(
                    session,
                    f"invitation {status.state}",
                    actor="invitation",
                    on=("invitation", status.id),
                )

    @activity.defn(name="mail_invitation")
    async def mail(self, mail: InvitationMail) -> bool:
        """Mails the link, to somebody unknown in the language of whoever invites. False when there is no such recipient, or the
        invitation is void. Idempotent by invitation, kind and number."""
        start = mail.start
        async with reading(self._sessions) as session:
            if await invitations.is_void(session, start.id):
                return False
            account = await find_account(session, start.email)
            inviter = await find_user(session, start.invited_by)
        language = account.user.language if account else None
        if language is None and inviter is not None:
            language = inviter.language
        try:
            await self._messenger.write(
                Reader(email=start.email, language=language),
                self._written(mail),
                key=f"{start.id}-{mail.kind}-{mail.number}",
            )
        except Refused:
            return False
        return True

    @activity.defn(name="tell_inviter")
    async def notify_inviter(self, answer: Answer) -> None:
        """Mails to whoever invited what came of it, unless they have retired or their address takes no mail. Idempotent
        by the invitation."""
        start = answer.start
        async with reading(self._sessions) as session:
            inviter = await find_user(session, start.invited_by)
        if inviter is None or inviter.is_retired:
            return
        letter = written(
            _ANSWERED_SUBJECT, _ANSWERED[answer.state], email=start.email, dealer=start.dealer_name
        )
        with suppress(Refused):
            await self._messenger.write(inviter, letter, key=f"{start.id}-told")

    @activity.defn(name="join_by_invitation")
    async def join(self, joining: Joining) -> Joined:
        """Makes an existing person an installer of the dealer; one without a usable account gets a link to complete it. An address
        that may be given back to whoever had it makes no account.

        Idempotent: a repeat finds what the first one did.
        """
        start = joining.start
        async with self._sessions.begin() as session:
            if await invitations.is_void(session, start.id):
                return Joined(refusal=InvitationVoid.code)
            if await find_account(session, start.email) is None and await is_held(
                session, start.email
            ):
                return Joined(refusal=EmailTaken.code)
            await add_person(
                session,
                email=start.email,
                first_name=joining.first_name or "",
                last_name=joining.last_name or "",
            )
            await lock_person(session, start.email)
            account = await find_account(session, start.email)
            assert account is not None
            try:
                check_may_join(account.user, start.dealer_id)
            except PortalError as refused:
                return Joined(refusal=refused.code)
            await invitations.name_invited(session, start.id, account.user.id)
            if account.confirmed_at is not None:
                await invitations.join(session, account.user.id, start.dealer_id)
                return Joined()
            await add_link(
                session,
                secret_hash(self._tokens.link(MailedLink.REGISTRATION, start.id)),
                LinkKind.COMPLETE_REGISTRATION,
                account.user.id,
                start.email,
            )
            return Joined(registers=True)

    @activity.defn(name="has_joined_by_invitation")
    async def has_joined(self, invitation_id: str) -> bool:
        """Whether the invited person completed the registration. Read only."""
        async with reading(self._sessions) as session:
            return await invitations.has_joined(session, invitation_id)

    def _written(self, mail: InvitationMail) -> Written:
        start = mail.start
        if mail.kind is MailKind.REGISTRATION:
            token = self._tokens.link(MailedLink.REGISTRATION, start.id)
            return written(*REGISTRATION, url=start.portal_url, token=token)
        return written(
            _SUBJECTS[mail.kind],
            _INVITE,
            inviter=start.inviter,
            dealer=start.dealer_name,
            portal=start.portal_url,
            token=self._tokens.link(MailedLink.INVITATION, start.id),
            days=start.policy.expiry.days,
        )
