"""An invitation whose token somebody has, and what is said to its run."""

import uuid
from typing import Annotated

from pydantic import Field

from api.platform.deps import Portal
from api.runs.messages import NotTaken, update_run
from db.base import reading
from db.identity.invitations import find_dealers_invitation
from domain.base import EXACT, Body
from domain.errors import PortalError
from domain.identity.invitations import (
    AlreadyInvited,
    BelongsElsewhere,
    Invitation,
    InvitationEnded,
    InvitationMessage,
    InvitationReply,
    InvitationVoid,
)
from domain.identity.people import Actor, EmailTaken
from domain.runs.access import may_access
from domain.runs.projection import RunOwner
from providers.security.tokens import secret_hash
from workflows.invitation import InvitationWorkflow

Token = Annotated[str, Field(max_length=200, repr=False), EXACT]
REFUSALS: dict[str, type[PortalError]] = {
    AlreadyInvited.code: AlreadyInvited,
    BelongsElsewhere.code: BelongsElsewhere,
    EmailTaken.code: EmailTaken,
    InvitationVoid.code: InvitationVoid,
}


class TokenBody(Body):
    token: Token


async def send_message(
    portal: Portal, invitation: Invitation, message: InvitationMessage
) -> InvitationReply:
    """Raises InvitationEnded, or Unavailable when the outcome takes longer; the same key again will have it."""
    try:
        return await update_run(
            portal,
            invitation.workflow_id,
            InvitationWorkflow.answer,
            message,
            update_id=message.key,
        )
    except NotTaken:
        raise InvitationEnded from None


async def own_invitation(portal: Portal, actor: Actor, token: str) -> Invitation | None:
    """The invitation of the caller's own business, if the caller may withdraw it."""
    if actor.dealer_id is None:
        return None
    async with reading(portal.sessions) as session:
        found = await find_dealers_invitation(session, token, actor.dealer_id)
    owner = RunOwner(kind="invitation", dealer_id=actor.dealer_id)
    return found if found is not None and may_access(actor, owner) else None


def key_of(invitation: Invitation, key: str | None) -> str:
    """The request's own key, kept apart from those for other invitations."""
    return secret_hash(f"{invitation.id} {key}") if key else uuid.uuid4().hex
