"""Inviting somebody to one's business, and their answer (shell spec 3, 4 and 7; promise 34).

A link only opens a page; the page's button answers, with the token in the body.
"""

import uuid
from typing import Annotated, Literal

import structlog
from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field
from sqlalchemy.ext.asyncio import AsyncSession
from temporalio.client import WithStartWorkflowOperation
from temporalio.exceptions import WorkflowAlreadyStartedError

from api.platform.deps import (
    Caller,
    IdempotencyKey,
    Portal,
    PortalDep,
    SignedIn,
    Transaction,
    address_of,
)
from api.platform.idempotency import answer_once
from api.platform.throttling import Tries
from api.runs.flows import NotTaken, update_id_of, update_run, within_deadline
from db.identity.invitations import find_dealers_invitation, find_invitation, is_void, pending_of
from db.identity.people import find_account
from db.operations.audit import Outcome, record, record_by
from db.partner_tables import name_of_dealer
from domain.base import EXACT, Body, Utc
from domain.contact import Email, PersonName
from domain.errors import Invalid, NotFound, PortalError, Unavailable
from domain.identity.invitations import (
    AlreadyInvited,
    AlreadyWorksHere,
    BelongsElsewhere,
    BusinessNeeded,
    Invitation,
    InvitationEnded,
    InvitationMessage,
    InvitationReply,
    InvitationStart,
    InvitationVoid,
    Opened,
    TokenType,
    works_at,
)
from domain.identity.people import Actor, Role
from domain.kinds import INVITATION
from domain.runs.access import may_access
from domain.runs.projection import RunOwner
from providers.security.tokens import MailedLink, secret_hash
from workflows.client import joined_as
from workflows.invitation import InvitationWorkflow

router = APIRouter(tags=["invitations"])
log = structlog.stdlib.get_logger()

Token = Annotated[str, Field(max_length=200, repr=False), EXACT]
REFUSALS: dict[str, type[PortalError]] = {
    AlreadyInvited.code: AlreadyInvited,
    BelongsElsewhere.code: BelongsElsewhere,
    InvitationVoid.code: InvitationVoid,
}


class Invite(Body):
    """`user_type` is always installer (shell spec 7)."""

    email: Email
    user_type: Literal["installer"] = "installer"


class TokenBody(Body):
    token: Token


class Acceptance(TokenBody):
    """The names are needed when the address has no account yet."""

    first_name: PersonName | None = None
    last_name: PersonName | None = None


class PendingInvitation(BaseModel):
    """One invitation as its business sees it. `token` names it; the secret one is in the mail alone."""

    token: str
    token_type: TokenType
    email: str
    user_type: Literal["installer"]
    state: str
    invited_by: str
    created_at: Utc
    expires_at: Utc


class PendingInvitations(BaseModel):
    results: list[PendingInvitation]


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


@router.post("/v1/user/invite", response_model=PendingInvitation)
async def invite_user(
    body: Invite, actor: SignedIn, request: Request, portal: PortalDep, key: IdempotencyKey = None
) -> Response:
    """Mails an invitation to work at the caller's business. The same key again is the same invitation."""
    dealer_id = dealer_of(actor)

    async def work() -> tuple[int, PendingInvitation]:
        await Tries(portal.sessions).count_inviting(dealer_id)
        start = await _start(portal, actor, dealer_id, body, key)
        reply = await _open(portal, start, actor)
        if reply.refusal is not None:
            raise REFUSALS.get(reply.refusal, AlreadyInvited)
        async with portal.sessions.begin() as session:
            opened = await find_dealers_invitation(session, start.id, dealer_id)
            if opened is None:
                raise NotFound
            await record_by(
                session,
                actor,
                "invited",
                on=("invitation", start.id),
                address=address_of(request),
            )
        return 200, _pending(opened)

    return await answer_once(portal.sessions, actor, key, "invite_user", body, work)


@router.post("/v1/user/invite/again", response_model=PendingInvitation)
async def send_invitation_again(
    body: TokenBody,
    actor: SignedIn,
    request: Request,
    portal: PortalDep,
    key: IdempotencyKey = None,
) -> Response:
    """Mails the link of an open invitation of the caller's business once more; `token` is that of its list. It stays as it
    is, whatever comes of the mail. Counted with the invitations."""

    async def work() -> tuple[int, PendingInvitation]:
        invitation = await _own(portal, actor, body.token)
        if invitation is None:
            raise InvitationEnded
        await Tries(portal.sessions).count_inviting(dealer_of(actor))
        try:
            await update_run(
                portal,
                invitation.workflow_id,
                InvitationWorkflow.send_again,
                Opened(invited_by=actor.person.id),
                update_id=_key_of(invitation, key),
            )
        except NotTaken:
            raise InvitationEnded from None
        async with portal.sessions.begin() as session:
            await record_by(
                session,
                actor,
                "sent an invitation again",
                on=("invitation", invitation.id),
                address=address_of(request),
            )
        return 200, _pending(invitation)

    return await answer_once(portal.sessions, actor, key, "send_invitation_again", body, work)


@router.get("/v1/user/token")
async def list_invitations(
    actor: SignedIn,
    session: Transaction,
    dealer_id: Annotated[str | None, Query(max_length=64)] = None,
) -> PendingInvitations:
    """The open invitations of the caller's business, newest first, at most 100. Administrators name a dealer."""
    own = dealer_id if Role.ADMIN in actor.roles else dealer_of(actor)
    if own is None or (dealer_id is not None and dealer_id != own):
        raise NotFound
    return PendingInvitations(results=[_pending(each) for each in await pending_of(session, own)])


@router.post("/v1/auth/invitations/read")
async def read_invitation(body: TokenBody, request: Request, portal: PortalDep) -> Invited:
    """What a mailed token is about. Uses nothing up."""
    invitation = await _by_token(portal, request, body.token)
    if invitation.state not in ("sending", "waiting"):
        raise InvitationEnded
    async with portal.sessions() as session:
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
    ask = InvitationMessage(
        event="ACCEPT",
        key=_key_of(invitation, key),
        first_name=body.first_name,
        last_name=body.last_name,
    )
    if invitation.answered_with == ask.key:
        return _answered(portal, invitation, invitation.state)
    await _check_names(portal, invitation, body)
    try:
        reply = await _ask(portal, invitation, ask)
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
    withdrawn = await _own(portal, actor, given)
    if withdrawn is not None:
        await _withdraw(portal, actor, request, withdrawn, key)
        return
    invitation = await _by_token(portal, request, given)
    ask = InvitationMessage(event="DECLINE", key=_key_of(invitation, key))
    if invitation.answered_with == ask.key:
        return
    await _ask(portal, invitation, ask)
    await _record_answer(portal, request, invitation, "declined")


def dealer_of(actor: Actor) -> str:
    """The dealer that the caller works for. Raises BusinessNeeded for a rep who has chosen none."""
    if actor.dealer_id is None:
        raise BusinessNeeded
    return actor.dealer_id


async def _start(
    portal: Portal, actor: Actor, dealer_id: str, body: Invite, key: str | None
) -> InvitationStart:
    """Raises AlreadyWorksHere for a colleague: the only thing that is told of an address."""
    async with portal.sessions() as session:
        await _refuse_colleague(session, body.email, dealer_id)
        dealer_name = await name_of_dealer(session, dealer_id)
    said = update_id_of(actor, f"{key} {dealer_id}") if key else uuid.uuid4().hex
    return InvitationStart(
        id=said[:32],
        dealer_id=dealer_id,
        dealer_name=dealer_name,
        email=body.email,
        user_type=body.user_type,
        invited_by=actor.person.id,
        inviter=actor.person.name,
        acting_for=actor.impersonated.id if actor.impersonated else None,
        partner=actor.business_code,
        site=actor.site.code,
        portal_url=portal.portal_url,
        policy=portal.invitation_policy,
    )


async def _refuse_colleague(session: AsyncSession, email: str, dealer_id: str) -> None:
    account = await find_account(session, email)
    if account is not None and works_at(account.user, dealer_id):
        raise AlreadyWorksHere


async def _open(portal: Portal, start: InvitationStart, actor: Actor) -> InvitationReply:
    """Starts the run and waits for its first word. Raises AlreadyInvited or Unavailable."""

    async def sending() -> InvitationReply:
        # An operation can be used once only.
        operation = WithStartWorkflowOperation(
            InvitationWorkflow.run,
            start,
            task_queue=portal.task_queue,
            **joined_as(INVITATION, start),
        )
        return await portal.temporal.execute_update_with_start_workflow(  # pyright: ignore[reportUnknownMemberType] one overload of the SDK is open
            InvitationWorkflow.opened,
            Opened(invited_by=actor.person.id),
            start_workflow_operation=operation,
            id=f"open-{start.id}",
        )

    try:
        return await within_deadline(sending)
    except WorkflowAlreadyStartedError:
        raise AlreadyInvited from None
    except TimeoutError:
        raise Unavailable(retry_after=2) from None


async def _ask(portal: Portal, invitation: Invitation, ask: InvitationMessage) -> InvitationReply:
    """Raises InvitationEnded, or Unavailable when the outcome takes longer; the same key again will have it."""
    try:
        return await update_run(
            portal, invitation.workflow_id, InvitationWorkflow.answer, ask, update_id=ask.key
        )
    except NotTaken:
        raise InvitationEnded from None


async def _by_token(portal: Portal, request: Request, token: str) -> Invitation:
    """Any invitation with this mailed token; guesses are counted. An open one of somebody who has retired is void. Raises
    InvitationEnded, InvitationVoid or Throttled."""
    tries, address = Tries(portal.sessions), address_of(request)
    await tries.count_invitation(address)
    async with portal.sessions() as session:
        found = await find_invitation(session, secret_hash(token))
        void = found is not None and await is_void(session, found.id)
    if found is None:
        raise InvitationEnded
    await tries.give_back_invitation(address)
    if void and found.state in ("sending", "waiting"):
        raise InvitationVoid
    return found


async def _own(portal: Portal, actor: Actor, token: str) -> Invitation | None:
    """The invitation of the caller's own business, if the caller may withdraw it."""
    if actor.dealer_id is None:
        return None
    async with portal.sessions() as session:
        found = await find_dealers_invitation(session, token, actor.dealer_id)
    owner = RunOwner(kind="invitation", dealer_id=actor.dealer_id)
    return found if found is not None and may_access(actor, owner) else None


async def _withdraw(
    portal: Portal, actor: Actor, request: Request, invitation: Invitation, key: str | None
) -> None:
    ask = InvitationMessage(event="WITHDRAW", key=_key_of(invitation, key), actor=actor.person.id)
    if invitation.answered_with == ask.key:
        return
    await _ask(portal, invitation, ask)
    async with portal.sessions.begin() as session:
        await record_by(
            session,
            actor,
            "withdrew an invitation",
            on=("invitation", invitation.id),
            address=address_of(request),
        )


async def _check_names(portal: Portal, invitation: Invitation, body: Acceptance) -> None:
    """A new account needs its person's names. Raises Invalid."""
    async with portal.sessions() as session:
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


def _key_of(invitation: Invitation, key: str | None) -> str:
    """The request's own key, kept apart from those for other invitations."""
    return secret_hash(f"{invitation.id} {key}") if key else uuid.uuid4().hex


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


def _pending(invitation: Invitation) -> PendingInvitation:
    return PendingInvitation(
        token=invitation.id,
        token_type=invitation.token_type,
        email=invitation.email,
        user_type=invitation.user_type,
        state=invitation.state,
        invited_by=invitation.inviter,
        created_at=invitation.created_at,
        expires_at=invitation.expires_at,
    )
