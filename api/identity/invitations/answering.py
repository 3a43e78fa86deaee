"""The answer to an invitation (shell spec 3, 4 and 7; promise 34).

A link only opens a page; the page's button answers, with the token in the body.
"""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel

from api.identity.invitations.asking import (
    REFUSALS,
    TokenBody,
    key_of,
    own_invitation,
    send_message,
)
from api.platform.deps import (
    Caller,
    IdempotencyKey,
    Portal,
    PortalDep,
    address_of,
    counted_address,
    record_now,
)
from api.platform.throttling.links import LinkTries
from db.base import reading
from db.identity.invitations import find_invitation, is_void
from db.identity.people import find_account
from db.operations.audit import Outcome, record
from domain.base import Utc
from domain.contact import PersonName
from domain.errors import Invalid, PortalError
from domain.identity.invitations import (
    Invitation,
    InvitationEnded,
    InvitationMessage,
    InvitationVoid,
    TokenType,
)
from domain.identity.people import Actor
from providers.security.tokens import MailedLink, secret_hash

router = APIRouter(tags=["invitations"])


class Acceptance(TokenBody):
    """The names are needed when the address has no account yet."""

    first_name: PersonName | None = None
    last_name: PersonName | None = None


class Invited(BaseModel):
    """What the invited person is asked. `has_account`: whether accepting is enough."""

    business: str
    invited_by: str
    email: str
    has_account: bool
    expires_at: Utc


class Answered(BaseModel):
    """After accepting: a member, or somebody who still chooses a password with `registration_token`."""

    state: str
    token_type: TokenType
    registration_token: str | None = None


@router.post("/v1/auth/invitations/read")
async def read_invitation(body: TokenBody, request: Request, portal: PortalDep) -> Invited:
    """What a mailed token is about. Uses nothing up."""
    invitation = await _by_token(portal, request, body.token)
    if invitation.state not in ("sending", "waiting"):
        raise InvitationEnded
    async with reading(portal.sessions) as session:
        account = await find_account(session, invitation.email)
    return Invited(
        business=invitation.dealer_name,
        invited_by=invitation.inviter,
        email=invitation.email,
        has_account=account is not None,
        expires_at=invitation.expires_at,
    )


@router.post("/v1/auth/invitations/accept")
async def accept_invitation(
    body: Acceptance, request: Request, portal: PortalDep, key: IdempotencyKey = None
) -> Answered:
    """Joins the business. Whoever has no account, or never completed it, chooses a password next.

    A token is answered once; the same key again gets the same answer.
    """
    invitation = await _by_token(portal, request, body.token)
    message = InvitationMessage(
        event="ACCEPT",
        key=key_of(invitation, key),
        first_name=body.first_name,
        last_name=body.last_name,
    )
    if invitation.answered_with == message.key:
        return _answered(portal, invitation, invitation.state)
    await _check_names(portal, invitation, body)
    try:
        reply = await send_message(portal, invitation, message)
        if reply.refusal is not None:
            raise REFUSALS.get(reply.refusal, InvitationEnded)
    except PortalError as refusal:
        await _record_answer(portal, request, invitation, "accepted", refused=refusal.code)
        raise
    await _record_answer(portal, request, invitation, "accepted")
    return _answered(portal, invitation, reply.state)


@router.delete("/v1/user/invite/decline", status_code=204)
async def decline_invitation(
    request: Request,
    actor: Caller,
    portal: PortalDep,
    token: Annotated[str | None, Query(max_length=200)] = None,
    body: TokenBody | None = None,
    key: IdempotencyKey = None,
) -> None:
    """Declines with the mailed token; or withdraws, with the token that the list shows to the business."""
    given = token or (body.token if body else "")
    withdrawn = await own_invitation(portal, actor, given)
    if withdrawn is not None:
        await _withdraw(portal, actor, request, withdrawn, key)
        return
    invitation = await _by_token(portal, request, given)
    message = InvitationMessage(event="DECLINE", key=key_of(invitation, key))
    if invitation.answered_with == message.key:
        return
    await send_message(portal, invitation, message)
    await _record_answer(portal, request, invitation, "declined")


async def _by_token(portal: Portal, request: Request, token: str) -> Invitation:
    """Any invitation with this mailed token; only wrong ones are counted. An open one of somebody who has retired is void. Raises
    InvitationEnded, InvitationVoid or Throttled."""
    async with reading(portal.sessions) as session:
        found = await find_invitation(session, secret_hash(token))
        void = found is not None and await is_void(session, found.id)
    if found is None:
        await LinkTries(portal.sessions).count_link(counted_address(request))
        raise InvitationEnded
    if void and found.state in ("sending", "waiting"):
        raise InvitationVoid
    return found


async def _withdraw(
    portal: Portal, actor: Actor, request: Request, invitation: Invitation, key: str | None
) -> None:
    message = InvitationMessage(
        event="WITHDRAW", key=key_of(invitation, key), actor=actor.person.id
    )
    if invitation.answered_with == message.key:
        return
    await send_message(portal, invitation, message)
    await record_now(
        portal,
        actor,
        "withdrew an invitation",
        on=("invitation", invitation.id),
        address=address_of(request),
    )


async def _check_names(portal: Portal, invitation: Invitation, body: Acceptance) -> None:
    """A new account needs its person's names. Raises Invalid."""
    async with reading(portal.sessions) as session:
        if await find_account(session, invitation.email) is not None:
            return
    names = {"first_name": body.first_name, "last_name": body.last_name}
    missing = [(field, "Required field") for field, name in names.items() if name is None]
    if missing:
        raise Invalid(fields=missing)


async def _record_answer(
    portal: Portal, request: Request, invitation: Invitation, answer: str, *, refused: str = ""
) -> None:
    async with portal.sessions.begin() as session:
        await record(
            session,
            f"invitation {answer}",
            actor="anonymous",
            outcome=Outcome.REFUSED if refused else Outcome.DONE,
            on=("invitation", invitation.id),
            request_id=request.state.request_id,
            address=address_of(request),
            more={"code": refused} if refused else None,
        )


def _answered(portal: Portal, invitation: Invitation, state: str) -> Answered:
    registers = state in ("registering", "registered")
    return Answered(
        state=state,
        token_type=TokenType.COMPLETE_REGISTRATION if registers else TokenType.ACCEPT_DECLINE,
        registration_token=(
            portal.tokens.link(MailedLink.REGISTRATION, invitation.id)
            if state == "registering"
            else None
        ),
    )
