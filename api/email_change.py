"""A new e-mail address: asked for with the password, taken by the link that only the new address gets (promise 34)."""

import secrets
import uuid
from typing import Annotated

import structlog
from fastapi import APIRouter, Request, Response
from pydantic import Field
from sqlalchemy.exc import IntegrityError

from api.auth_answers import record_refusal, refresh_cookie
from api.deps import Portal, PortalDep, SignedIn, address_of
from api.throttling import Tries
from db.audit import record, record_by
from db.identity import change_email, find_account, find_account_of
from db.links import LinkKind, add_link, use_link
from db.sign_ins import end_all_sign_ins
from domain.base import EXACT, Body
from domain.contact import Email
from domain.errors import Unavailable
from domain.identity import EmailTaken, User
from domain.passwords import TypedPassword, WrongPassword
from providers.errors import Refused
from providers.tokens import secret_hash

router = APIRouter(prefix="/v1/auth/email-change", tags=["identity"])
log = structlog.stdlib.get_logger()


class NewEmail(Body):
    """`password` is the present one."""

    email: Email
    password: TypedPassword


class LinkBody(Body):
    token: Annotated[str, Field(max_length=200, repr=False), EXACT]


@router.post("", status_code=204)
async def ask_email_change(
    body: NewEmail, actor: SignedIn, request: Request, portal: PortalDep
) -> None:
    """Mails a link to the new address, and word of it to the present one.

    The answer is the same for an address that somebody has; nothing is mailed there.
    """
    user = actor.person
    tries = Tries(portal.sessions)
    await tries.count_password_change(user.id)
    async with portal.sessions() as session:
        account = await find_account_of(session, user.id)
        taken = await find_account(session, body.email)
    kept = account.password_hash if account else None
    if not await portal.passwords.verify(kept, body.password):
        await record_refusal(portal, request, "e-mail change refused", user.id, WrongPassword.code)
        raise WrongPassword
    await tries.give_back_password_change(user.id)
    await tries.count_sending(user.id)
    async with portal.sessions.begin() as session:
        await record_by(
            session,
            actor,
            "asked for another e-mail address",
            on=("person", user.id),
            address=address_of(request),
        )
    if taken is None:
        await _send_link(portal, user, body.email)
        await _send_word(
            portal,
            user.email,
            "Somebody asked to use another e-mail address for your Turnkey account. "
            "Was it not you? Then change your password now.",
        )


@router.post("/accept", status_code=204)
async def accept_email_change(
    body: LinkBody, request: Request, response: Response, portal: PortalDep
) -> None:
    """Takes the new address. Every sign-in ends, as the credentials are others now. Works once."""
    await Tries(portal.sessions).count_registering(address_of(request))
    try:
        async with portal.sessions.begin() as session:
            link = await use_link(session, secret_hash(body.token), LinkKind.CHANGE_EMAIL)
            account = await find_account_of(session, link.person_id)
            await change_email(session, link.person_id, link.email)
            await end_all_sign_ins(session, link.person_id, "e-mail changed")
            await record(
                session,
                "e-mail changed",
                actor=f"user:{link.person_id}",
                on=("person", link.person_id),
                request_id=request.state.request_id,
                address=address_of(request),
            )
    except IntegrityError:
        raise EmailTaken from None
    refresh_cookie(portal).clear(response)
    if account is not None:
        await _send_word(
            portal,
            account.user.email,
            "Your Turnkey account has another e-mail address now. Was it not you? Then contact us.",
        )


@router.post("/decline", status_code=204)
async def decline_email_change(body: LinkBody, request: Request, portal: PortalDep) -> None:
    """Ends the link; the present address stays."""
    await Tries(portal.sessions).count_registering(address_of(request))
    async with portal.sessions.begin() as session:
        link = await use_link(session, secret_hash(body.token), LinkKind.CHANGE_EMAIL)
        await record(
            session,
            "e-mail change declined",
            actor="anonymous",
            on=("person", link.person_id),
            request_id=request.state.request_id,
            address=address_of(request),
        )


async def _send_link(portal: Portal, user: User, email: str) -> None:
    token = secrets.token_urlsafe(32)
    async with portal.sessions.begin() as session:
        await add_link(session, secret_hash(token), LinkKind.CHANGE_EMAIL, user.id, email)
    await portal.messenger.send_mail(
        email,
        "Confirm your new e-mail address",
        f"Use this address for your Turnkey account: {portal.portal_url}/change-email-accept?token={token}\n"
        f"It was not you? {portal.portal_url}/change-email-decline?token={token}",
        key=uuid.uuid4().hex,
    )


async def _send_word(portal: Portal, email: str, text: str) -> None:
    """Nothing depends on it."""
    try:
        await portal.messenger.send_mail(email, "Your Turnkey account", text, key=uuid.uuid4().hex)
    except (Unavailable, Refused) as error:
        log.warning("word of a change was not sent", code=error.code)
