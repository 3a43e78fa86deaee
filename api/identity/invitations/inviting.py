"""Inviting somebody to one's business, and what is still open (shell spec 3, 4 and 7; promise 34)."""

import uuid
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession
from temporalio.client import WithStartWorkflowOperation
from temporalio.exceptions import WorkflowAlreadyStartedError

from api.identity.invitations.asking import REFUSALS, TokenBody, key_of, own_invitation
from api.partners.named_business import check_named_dealer
from api.platform.deps import (
    IdempotencyKey,
    Portal,
    PortalDep,
    SignedIn,
    Transaction,
    address_of,
    record_now,
)
from api.platform.idempotency import answer_once
from api.platform.throttling.mails import MailTries
from api.runs.messages import NotTaken, update_id_of, update_run, within_deadline
from db.base import reading
from db.identity.invitations import find_dealers_invitation, pending_of
from db.identity.people import find_account
from db.operations.audit import record_by
from db.partner_tables import name_of_dealer
from domain.base import Body, Utc
from domain.contact import Email
from domain.errors import NotFound, Unavailable
from domain.identity.invitations import (
    AlreadyInvited,
    AlreadyWorksHere,
    BusinessNeeded,
    Invitation,
    InvitationEnded,
    InvitationReply,
    InvitationStart,
    Opened,
    TokenType,
    works_at,
)
from domain.identity.people import Actor, Role
from domain.kinds import INVITATION
from workflows.client import joined_as
from workflows.invitation import InvitationWorkflow

router = APIRouter(tags=["invitations"])


class Invite(Body):
    """`user_type` is always installer (shell spec 7)."""

    email: Email
    user_type: Literal["installer"] = "installer"


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


@router.post("/v1/user/invite", response_model=PendingInvitation)
async def invite_user(
    body: Invite, actor: SignedIn, request: Request, portal: PortalDep, key: IdempotencyKey = None
) -> Response:
    """Mails an invitation to work at the caller's business. The same key again is the same invitation."""
    dealer_id = _dealer_of(actor)

    async def work() -> tuple[int, PendingInvitation]:
        await MailTries(portal.sessions).count_inviting(dealer_id)
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
        invitation = await own_invitation(portal, actor, body.token)
        if invitation is None:
            raise InvitationEnded
        await MailTries(portal.sessions).count_inviting(_dealer_of(actor))
        try:
            await update_run(
                portal,
                invitation.workflow_id,
                InvitationWorkflow.send_again,
                Opened(invited_by=actor.person.id),
                update_id=key_of(invitation, key),
            )
        except NotTaken:
            raise InvitationEnded from None
        await record_now(
            portal,
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
    if Role.ADMIN in actor.roles:
        own = dealer_id
    else:
        own = _dealer_of(actor)
        await check_named_dealer(session, actor, dealer_id)
    if own is None:
        raise NotFound
    return PendingInvitations(results=[_pending(each) for each in await pending_of(session, own)])


def _dealer_of(actor: Actor) -> str:
    """The dealer that the caller works for. Raises BusinessNeeded for a rep who has chosen none."""
    if actor.dealer_id is None:
        raise BusinessNeeded
    return actor.dealer_id


async def _start(
    portal: Portal, actor: Actor, dealer_id: str, body: Invite, key: str | None
) -> InvitationStart:
    """Raises AlreadyWorksHere for a colleague: the only thing that is told of an address."""
    async with reading(portal.sessions) as session:
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
        portal_url=portal.url_of(actor.site),
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
