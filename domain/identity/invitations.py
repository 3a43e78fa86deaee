"""Inviting somebody to work at a dealer (shell spec 3 and 7; times our choice, decision 10)."""

from datetime import timedelta
from enum import StrEnum
from typing import Literal

from domain.base import Frozen, Utc
from domain.errors import Conflict, Gone
from domain.identity.people import User


class TokenType(StrEnum):
    """What the mailed link is for (shell spec 3)."""

    ACCEPT_DECLINE = "accept_decline_invitation"
    COMPLETE_REGISTRATION = "complete_registration"


class InvitationPolicy(Frozen):
    """How long an invitation waits. Both times are counted anew when registering begins."""

    reminder: timedelta = timedelta(days=3)
    expiry: timedelta = timedelta(days=7)


class InvitationStart(Frozen):
    """The workflow's input. No token is in it: the mail's activity derives it from the id."""

    id: str
    dealer_id: str
    dealer_name: str
    email: str
    user_type: Literal["installer"] = "installer"
    invited_by: str
    inviter: str
    acting_for: str | None = None
    partner: str | None = None
    site: str
    portal_url: str
    policy: InvitationPolicy = InvitationPolicy()


class InvitationMessage(Frozen):
    """A person's message. `key` names the request, so that its repeat is known; the names are for a new account."""

    event: Literal["ACCEPT", "DECLINE", "WITHDRAW"]
    key: str
    actor: str | None = None
    first_name: str | None = None
    last_name: str | None = None


class Opened(Frozen):
    """The message that an invitation is opened with."""

    invited_by: str


class InvitationReply(Frozen):
    """Where the invitation stands; `refusal` is the code of why an acceptance had no effect."""

    id: str
    state: str
    refusal: str | None = None


class Invitation(Frozen):
    """An invitation as the database keeps it; the token's hash stays there."""

    id: str
    workflow_id: str
    dealer_id: str
    dealer_name: str
    email: str
    user_type: Literal["installer"]
    inviter: str
    state: str
    created_at: Utc
    expires_at: Utc
    answered_with: str | None = None
    """The key of the request that answered it."""

    @property
    def token_type(self) -> TokenType:
        registering = self.state in ("registering", "registered")
        return TokenType.COMPLETE_REGISTRATION if registering else TokenType.ACCEPT_DECLINE


class AlreadyInvited(Conflict):
    code = "already_invited"
    detail = "This person has already been invited."


class AlreadyWorksHere(Conflict):
    code = "already_works_here"
    detail = "This person already works at your business."


class BelongsElsewhere(Conflict):
    code = "belongs_elsewhere"
    detail = "This account already belongs to another business. Please contact support."


class BusinessNeeded(Conflict):
    code = "business_needed"
    detail = "Please select a business first."


class InvitationEnded(Gone):
    code = "invitation_ended"
    detail = "This link is no longer valid."


class InvitationVoid(Gone):
    """Whoever invited has retired since: nobody joins on their word any more."""

    code = "invitation_void"
    detail = "This link is no longer valid."


def works_at(user: User, dealer_id: str) -> bool:
    return user.dealer_id == dealer_id and user.is_installer


def check_may_join(user: User, dealer_id: str) -> None:
    """One person works at one business; whoever retired is brought back by their own business, not by a link.

    Raises BelongsElsewhere.
    """
    another = user.dealer_id not in (None, dealer_id) or user.is_b2c
    if another or user.is_retired or user.is_sales_rep or user.is_admin:
        raise BelongsElsewhere
