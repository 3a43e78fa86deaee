"""A new e-mail address: asked for with the password, taken by the link that only the new address gets (promise 34), and
given back by the one that the old address gets (docs/decisions/0038-security-stamp.md)."""

from datetime import datetime
from typing import Annotated

import structlog
from fastapi import APIRouter, Request, Response
from pydantic import Field
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.mailed_links import guesses_counted
from api.identity.mailing import mail_link, save_link, send_link, send_word
from api.identity.signing_in.sessions import record_refusal, refresh_cookie
from api.platform.deps import (
    Portal,
    PortalDep,
    SignedIn,
    address_of,
    language_of,
    record_by,
    url_here,
)
from api.platform.throttling.accounts import AccountTries
from api.platform.throttling.mails import MailTries
from db.base import reading
from db.identity.credentials import change_email, drop_mfa_since, lock_account
from db.identity.links import Link, LinkKind, end_newer_reverts, is_held, use_link
from db.identity.people import find_account, find_account_of
from db.identity.sign_ins import renew_stamp
from db.operations.audit import record
from domain.base import EXACT, Body
from domain.contact import Email
from domain.identity.passwords import TypedPassword, WrongPassword
from domain.identity.people import EmailTaken, User
from domain.identity.second_factor import SET_BEFORE_CHANGE
from domain.letters.language import Reader
from domain.letters.text import Text
from providers.errors import Refused
from providers.security.tokens import secret_hash

router = APIRouter(prefix="/v1/auth/email-change", tags=["identity"])
log = structlog.stdlib.get_logger()


_ASKED = Text(
    "Somebody asked to use another e-mail address for your Turnkey account. "
    "Was it not you? Then change your password now.",
    "Quelqu’un a demandé d’utiliser une autre adresse courriel pour votre compte Turnkey. "
    "Ce n’était pas vous? Changez alors votre mot de passe dès maintenant.",
)
_TAKEN_BACK = Text(
    "The owner of the address that your Turnkey account had before took the change back. "
    "The account is locked. Was it your own change? Then contact us.",
    "Le titulaire de l’adresse que votre compte Turnkey avait auparavant a annulé le changement. "
    "Le compte est verrouillé. C’était votre propre changement? Contactez-nous.",
)
_NO_FACTOR = Text(
    "Your account has this address again and is locked until you choose a new password. The second factor that "
    "was switched on around the change is removed. Please set one up again once you are signed in.",
    "Votre compte a de nouveau cette adresse et est verrouillé jusqu’à ce que vous choisissiez un nouveau mot de passe. "
    "L’authentification multifacteur qui avait été activée autour du changement est retirée. Veuillez la configurer de "
    "nouveau une fois votre session ouverte.",
)


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
    """Mails a link to the new address, and word of it to the present one. The links of earlier requests end.

    The answer is the same for an address that somebody has, and waits for no mail. A link is kept there too, though
    nothing is mailed: whether earlier links still work must tell nobody who has an account.
    """
    user = actor.person
    tries = AccountTries(portal.sessions)
    await tries.count_password_change(user.id)
    async with reading(portal.sessions) as session:
        account = await find_account_of(session, user.id)
    stored_hash = account.password_hash if account else None
    if not await portal.passwords.verify(stored_hash, body.password):
        await record_refusal(portal, request, "e-mail change refused", user.id, WrongPassword.code)
        raise WrongPassword
    await tries.give_back_password_change(user.id)
    await MailTries(portal.sessions).count_sending(user.id)
    async with portal.sessions.begin() as session:
        token = await save_link(session, LinkKind.CHANGE_EMAIL, user.id, body.email)
        await record_by(
            session,
            actor,
            "asked for another e-mail address",
            on=("person", user.id),
            address=address_of(request),
        )
    mailing = _mail_new_address(portal, user, body.email, token, url=portal.url_of(actor.site))
    portal.errands.begin("mail a new address", mailing)


@router.post("/accept", status_code=204)
async def accept_email_change(
    body: LinkBody, request: Request, response: Response, portal: PortalDep
) -> None:
    """Takes the new address. Every sign-in ends, as the credentials are others now. Works once.

    The old address gets a link that takes it back, before anything is committed: without that there is no change.
    """
    url = await url_here(request)
    try:
        async with guesses_counted(portal, request), portal.sessions.begin() as session:
            link = await use_link(session, secret_hash(body.token), LinkKind.CHANGE_EMAIL)
            account = await find_account_of(session, link.person_id)
            if account is None or await is_held(session, link.email, but=link.person_id):
                raise EmailTaken
            await change_email(session, link.person_id, link.email)
            await renew_stamp(session, link.person_id, "e-mail changed")
            await record(
                session,
                "e-mail changed",
                actor=f"user:{link.person_id}",
                on=("person", link.person_id),
                request_id=request.state.request_id,
                address=address_of(request),
            )
            await _send_way_back(portal, session, account.user, link.asked_at, url=url)
    except IntegrityError:
        raise EmailTaken from None
    refresh_cookie(portal).clear(response)


@router.post("/revert", status_code=204)
async def revert_email_change(
    body: LinkBody, request: Request, response: Response, portal: PortalDep
) -> None:
    """The old address says "this was not me": it is the account's again, and the account is locked until its password is reset.

    A second factor that was switched on since the change was asked for, or shortly before, goes with it: whoever
    took the account would keep its owner out by it. Works once. Raises EmailTaken when somebody else has the old
    address by now; the account is locked all the same.
    """
    token_hash = secret_hash(body.token)
    async with guesses_counted(portal, request), portal.sessions.begin() as session:
        link = await use_link(session, token_hash, LinkKind.REVERT_EMAIL)
        await end_newer_reverts(session, token_hash)
        account = await find_account_of(session, link.person_id)
        is_back = await _take_back(session, link)
        since = link.asked_at - SET_BEFORE_CHANGE
        no_factor = is_back and await drop_mfa_since(session, link.person_id, since)
        await lock_account(session, link.person_id)
        await renew_stamp(session, link.person_id, "account locked")
        await record(
            session,
            "e-mail change reverted",
            actor="anonymous",
            on=("person", link.person_id),
            request_id=request.state.request_id,
            address=address_of(request),
            more={"is_back": is_back, "second_factor_removed": no_factor},
        )
    refresh_cookie(portal).clear(response)
    if account is not None and account.user.email != link.email:
        await send_word(portal, account.user, _TAKEN_BACK)
    if no_factor:
        await send_word(portal, Reader(email=link.email, language=language_of(request)), _NO_FACTOR)
    if not is_back:
        raise EmailTaken


@router.post("/decline", status_code=204)
async def decline_email_change(body: LinkBody, request: Request, portal: PortalDep) -> None:
    """Ends the link; the present address stays."""
    async with guesses_counted(portal, request), portal.sessions.begin() as session:
        link = await use_link(session, secret_hash(body.token), LinkKind.CHANGE_EMAIL)
        await record(
            session,
            "e-mail change declined",
            actor="anonymous",
            on=("person", link.person_id),
            request_id=request.state.request_id,
            address=address_of(request),
        )


async def _mail_new_address(
    portal: Portal, user: User, email: str, token: str, *, url: str
) -> None:
    """Nothing is mailed to an address that somebody has, or may get back."""
    await send_word(portal, user, _ASKED)
    async with reading(portal.sessions) as session:
        taken = await find_account(session, email)
        held = await is_held(session, email, but=user.id)
    if taken is None and not held:
        to = Reader(email=email, language=user.language)
        await mail_link(portal, LinkKind.CHANGE_EMAIL, to, token, url=url)


async def _send_way_back(
    portal: Portal, session: AsyncSession, old: User, asked_at: datetime, *, url: str
) -> None:
    """Raises Unavailable while no mail can be sent. An address that takes none any more needs no way back."""
    try:
        await send_link(
            portal, LinkKind.REVERT_EMAIL, old.id, old, url=url, within=session, asked_at=asked_at
        )
    except Refused as error:
        log.warning("way back was not sent", code=error.code)


async def _take_back(session: AsyncSession, link: Link) -> bool:
    """Whether the old address was still free."""
    try:
        async with session.begin_nested():
            await change_email(session, link.person_id, link.email)
    except IntegrityError:
        return False
    return True
