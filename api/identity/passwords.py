"""Forgotten, changed and first passwords; new accounts (shell spec 4, 5, 7 and 8)."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import AfterValidator, Field
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.mailed_links import guesses_counted
from api.identity.mailing import resend_registration_link, send_code_by_mail, send_link
from api.identity.registered import notify_registered
from api.identity.signing_in.human import Human, Solved, solved
from api.identity.signing_in.sessions import known_place, place_of, record_refusal, refresh_cookie
from api.platform.deps import (
    Portal,
    PortalDep,
    SignedIn,
    address_of,
    counted_address,
    language_of,
    url_here,
)
from api.platform.throttling.accounts import AccountTries
from api.platform.throttling.mails import MailTries
from api.platform.throttling.resets import ResetTries
from api.platform.throttling.signing_in import lift_sign_in
from db.base import reading
from db.identity.codes import CodeUse, has_live_code, use_code
from db.identity.credentials import change_password
from db.identity.invitations import join_as_registered
from db.identity.links import LinkKind, check_link, is_held, use_link
from db.identity.people import add_person, find_account, find_account_of
from db.identity.profiles import note_place
from db.identity.sign_ins import renew_stamp
from db.operations.audit import record
from domain.base import EXACT, Body
from domain.contact import AddressOrMasked, Email, PersonName
from domain.errors import Invalid, Throttled
from domain.identity.passwords import (
    PasswordInvalid,
    TypedPassword,
    UserNotFound,
    Weakness,
    WrongPassword,
    check_new_password,
)
from domain.identity.people import Account, InvalidToken, User
from domain.identity.second_factor import Code, CodeMismatch
from domain.letters.language import Language
from providers.security.tokens import secret_hash

router = APIRouter(tags=["identity"])

Username = Annotated[
    str,
    Field(max_length=320),
    AfterValidator(lambda text: text.strip().lower()),
    AddressOrMasked,
    EXACT,
]
LinkToken = Annotated[str | None, Query(max_length=200)]


class Forgotten(Body):
    username: Username = ""


class NewPassword(Body):
    username: Username
    code: Code
    password: TypedPassword
    confirm_password: Annotated[str | None, Field(max_length=1000, repr=False), EXACT] = None


class PasswordChange(Body):
    """`password` is the present one. The headers decide who asks; an `access_token` is accepted as the spec has
    it, also when it has run out since, and is refused where it is of another sign-in."""

    password: TypedPassword
    new_password: TypedPassword
    confirm_new_password: TypedPassword
    access_token: Annotated[str | None, Field(max_length=4000, repr=False), EXACT] = None


class FirstPassword(Body):
    """`token` may stand here instead of in the query."""

    token: Annotated[str | None, Field(max_length=200, repr=False), EXACT] = None
    password: TypedPassword
    confirm_password: TypedPassword


class Registration(Body):
    first_name: PersonName
    last_name: PersonName
    email: Email


class Address(Body):
    email: Email


@router.post("/v1/auth/forgot-password", status_code=204)
async def forgot_password(
    body: Forgotten, request: Request, portal: PortalDep, is_solved: Solved
) -> None:
    """Mails a code. An unknown address is told so, as the spec has it, behind a strict limit.

    Beyond the limit nothing more is mailed while the newest code still works. Once it does not, whoever solved a puzzle is
    mailed another: others may have asked and tried in their name.
    """
    if not body.username:
        raise Invalid
    address = counted_address(request)
    async with reading(portal.sessions) as session:
        account = await find_account(session, body.username)
    place = await known_place(portal, request, account)
    tries = ResetTries(portal.sessions)
    try:
        await tries.count_reset_ask(body.username, address, place, is_solved=is_solved)
    except Throttled:
        if account is not None and await _has_live_code(portal, account.user):
            return
        if place is not None or not is_solved:
            raise
        await tries.count_solved_reset_ask(body.username, address)
        if account is None:
            raise
    if account is None:
        raise UserNotFound
    await send_code_by_mail(
        portal,
        account.user,
        CodeUse.RESET,
        asked_from=address_of(request),
        language=language_of(request, account.user),
    )


@router.post("/v1/auth/reset-password", status_code=204)
async def reset_password(body: NewPassword, request: Request, portal: PortalDep) -> None:
    """A new password for the code. Unlocks the account and renews its stamp: nothing that was out opens it any more.

    Whoever was invited and still had no password joins the business with this: their link has ended too. Beyond the limits a
    solved bot check in `X-Bot-Check` lets a stranger through, as at sign-in.
    """
    tries, address = ResetTries(portal.sessions), counted_address(request)
    async with reading(portal.sessions) as session:
        account = await find_account(session, body.username)
    place = await known_place(portal, request, account)
    try:
        await tries.count_reset_try(body.username, address, place)
    except Throttled:
        if place is not None or not await solved(portal, request):
            raise
        await tries.count_solved_reset_try(address)
    if account is None:
        raise CodeMismatch
    confirmed = body.password if body.confirm_password is None else body.confirm_password
    check_new_password(body.password, confirmed)
    password_hash = await portal.passwords.hash(body.password)
    digest = portal.tokens.code_hash(CodeUse.RESET, account.user.id, body.code)
    invitation = None
    async with portal.sessions.begin() as session:
        is_right = await use_code(
            session, account.user.id, CodeUse.RESET, digest, tried_from=address_of(request)
        )
        if is_right:
            # Only now: without the code nobody learns the person's words, or whether a password is theirs.
            check_new_password(body.password, confirmed, about=_about(account.user))
            if await portal.passwords.verify(account.password_hash, body.password):
                raise PasswordInvalid("password", Weakness.SAME)
            await _take_password(session, request, account.user, password_hash, "password reset")
            invitation = await join_as_registered(session, account.user.id)
    if not is_right:
        await record_refusal(
            portal, request, "password reset refused", account.user.id, CodeMismatch.code
        )
        raise CodeMismatch
    await tries.give_back_reset_try(body.username, address, place)
    if invitation is not None:
        await notify_registered(portal, invitation)


@router.post("/api/change-password", status_code=204)
async def change_own_password(
    body: PasswordChange, actor: SignedIn, request: Request, portal: PortalDep
) -> None:
    """Needs the present password. Every other sign-in ends; this one goes on."""
    user = actor.person
    if body.access_token and portal.tokens.sign_in_once_of(body.access_token) != actor.sign_in_id:
        raise InvalidToken
    tries = AccountTries(portal.sessions)
    await tries.count_password_change(user.id)
    account = await _account_of(portal, user.id)
    if not await portal.passwords.verify(account.password_hash, body.password):
        await record_refusal(
            portal, request, "password change refused", user.id, WrongPassword.code
        )
        raise WrongPassword
    check_new_password(
        body.new_password, body.confirm_new_password, field="new_password", about=_about(user)
    )
    if body.new_password == body.password:
        raise PasswordInvalid("new_password", Weakness.SAME)
    password_hash = await portal.passwords.hash(body.new_password)
    async with portal.sessions.begin() as session:
        await _take_password(
            session, request, user, password_hash, "password changed", but=actor.sign_in_id
        )
    await tries.give_back_password_change(user.id)


@router.post("/v1/user/set-password", status_code=204)
async def set_password(
    body: FirstPassword,
    request: Request,
    response: Response,
    portal: PortalDep,
    token: LinkToken = None,
) -> None:
    """The first password of a new account, by the link in its mail; the link works once.

    Whoever was invited joins the business with this.
    """
    check_new_password(body.password, body.confirm_password)
    token_hash = secret_hash(token or body.token or "")
    # Neither a guess nor a word that is refused costs a hash.
    async with guesses_counted(portal, request), reading(portal.sessions) as session:
        person_id = await check_link(session, token_hash, LinkKind.COMPLETE_REGISTRATION)
        asked = await find_account_of(session, person_id)
    about = _about(asked.user) if asked else ()
    check_new_password(body.password, body.confirm_password, about=about)
    password_hash = await portal.passwords.hash(body.password)
    async with guesses_counted(portal, request), portal.sessions.begin() as session:
        link = await use_link(session, token_hash, LinkKind.COMPLETE_REGISTRATION)
        account = await find_account_of(session, link.person_id)
        if account is None or account.user.email != link.email:
            raise CodeMismatch
        check_new_password(body.password, body.confirm_password, about=_about(account.user))
        await _take_password(session, request, account.user, password_hash, "password set")
        invitation = await join_as_registered(session, account.user.id)
    if invitation is not None:
        await notify_registered(portal, invitation)
    refresh_cookie(portal).clear(response)


@router.post("/v1/auth/register", status_code=204, dependencies=[Human])
async def register(body: Registration, request: Request, portal: PortalDep) -> None:
    """A new account, to be completed by mail. The answer is the same for an address that has one already, and waits for
    nothing that would tell the two apart."""
    await MailTries(portal.sessions).count_registering(counted_address(request))
    registering = _register(
        portal,
        body,
        request.state.request_id,
        address_of(request),
        language_of(request),
        url=await url_here(request),
    )
    portal.errands.begin("register", registering)


@router.post("/v1/user/email-resend", status_code=204)
async def resend_email(body: Address, request: Request, portal: PortalDep) -> None:
    """Sends the registration link again, if the account still waits for it; the answer is always the same, and waits for
    nothing."""
    await MailTries(portal.sessions).count_registering(counted_address(request))
    again = resend_registration_link(
        portal, body.email, language_of(request), url=await url_here(request)
    )
    portal.errands.begin("resend a mail", again)


async def _register(
    portal: Portal,
    body: Registration,
    request_id: str,
    address: str,
    language: Language | None,
    *,
    url: str,
) -> None:
    async with portal.sessions.begin() as session:
        if await is_held(session, body.email):
            return
        user = await add_person(
            session,
            email=body.email,
            first_name=body.first_name,
            last_name=body.last_name,
            language=language,
        )
        if user is None:
            return
        await record(
            session,
            "registered",
            actor="anonymous",
            on=("person", user.id),
            request_id=request_id,
            address=address,
        )
    await send_link(portal, LinkKind.COMPLETE_REGISTRATION, user.id, user, url=url)


async def _take_password(
    session: AsyncSession,
    request: Request,
    user: User,
    password_hash: str,
    action: str,
    *,
    but: str | None = None,
) -> None:
    """A new password acts at once everywhere, and lifts the limit on sign-in: for all, and for this place for good."""
    await change_password(session, user.id, password_hash)
    await renew_stamp(session, user.id, action, but=but)
    await note_place(session, user.id, address_of(request), language_of(request))
    await lift_sign_in(session, user, place_of(request))
    await record(
        session,
        action,
        actor=f"user:{user.id}",
        on=("person", user.id),
        request_id=request.state.request_id,
        address=address_of(request),
    )


async def _has_live_code(portal: Portal, user: User) -> bool:
    async with reading(portal.sessions) as session:
        return await has_live_code(session, user.id, CodeUse.RESET)


async def _account_of(portal: Portal, person_id: str) -> Account:
    async with reading(portal.sessions) as session:
        account = await find_account_of(session, person_id)
    if account is None:
        raise UserNotFound
    return account


def _about(user: User) -> tuple[str, ...]:
    return (user.first_name, user.last_name, user.email)
