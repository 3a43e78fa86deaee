"""Signing in: password, then the second factor where there is one (shell spec 4 and 8; promises 26, 32 and 33)."""

import secrets
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field, StrictBool

from api.identity.auth_answers import AuthAnswer
from api.identity.mailing import resend_registration_link, send_code_by_sms
from api.identity.signing_in.human import solved
from api.identity.signing_in.sessions import (
    device_cookie,
    known_place,
    record_refusal,
    start_session,
)
from api.platform.deps import Portal, PortalDep, counted_address, language_of, url_here
from api.platform.throttling.signing_in import SignInTries
from db.base import reading
from db.identity.codes import CodeUse, close_challenge, find_challenge, open_challenge, use_code
from db.identity.credentials import renew_password_hash, sealed_totp, use_totp_step
from db.identity.people import find_account, find_account_of
from db.identity.trusted_devices import is_trusted, trust_device
from domain.base import EXACT, Body
from domain.contact import AddressOrMasked
from domain.errors import PortalError
from domain.identity.people import (
    Account,
    IncompleteSignIn,
    MfaType,
    TooManySignIns,
    Unconfirmed,
    User,
    check_may_sign_in,
    check_password_fits,
)
from domain.identity.second_factor import Challenge, Code, CodeMismatch, masked_phone, totp_steps
from providers.security.tokens import secret_hash
from providers.security.totp import matching_step

router = APIRouter(prefix="/v1/auth", tags=["identity"])


class Credentials(Body):
    """Empty fields are answered with the spec's own text, so they are allowed this far."""

    username: Annotated[str, Field(max_length=320), AddressOrMasked, EXACT] = ""
    password: Annotated[str, Field(max_length=1000, repr=False), EXACT] = ""
    remember_me: StrictBool = False


class ChallengeAnswer(BaseModel):
    """The password was right; a code is wanted. `sent_to` is the masked phone number for `sms`."""

    challenge_id: str
    mfa_type: MfaType
    sent_to: str | None = None


class Confirmation(Body):
    """`remember_device` lets this browser leave out the second factor for 365 days."""

    challenge_id: Annotated[str, Field(min_length=1, max_length=200, repr=False), EXACT]
    code: Code
    remember_device: StrictBool = False
    device_name: Annotated[str, Field(max_length=100)] = "Browser"


@router.post("/sign-in")
async def sign_in(
    credentials: Credentials, request: Request, response: Response, portal: PortalDep
) -> AuthAnswer | ChallengeAnswer:
    """Signs in by e-mail address and password. Unknown user and wrong password look the same, and take the same time.

    Beyond the limits a stranger is let through by a solved bot check in `X-Bot-Check`; without one the refusal says in
    `Retry-After` how long it lasts. A browser that the person trusts and the address of their last sign-in have a limit
    of their own: nobody locks somebody else out.
    """
    username, password = credentials.username.strip().lower(), credentials.password
    if not username or not password:
        raise IncompleteSignIn
    tries = SignInTries(portal.sessions)
    address = counted_address(request)
    async with reading(portal.sessions) as session:
        account = await find_account(session, username)
    place = await known_place(portal, request, account)
    try:
        await tries.count_sign_in(username, address, place)
    except TooManySignIns:
        if place is not None or not await solved(portal, request):
            raise
        await tries.count_solved_sign_in(username, address)
    stored_hash = account.password_hash if account else None
    fits = await portal.passwords.verify(stored_hash, password)
    try:
        account = check_password_fits(account, fits=fits)
        check_may_sign_in(account)
    except PortalError as refusal:
        person_id = account.user.id if account else None
        await record_refusal(portal, request, "sign-in refused", person_id, refusal.code)
        if isinstance(refusal, Unconfirmed):
            spoken = language_of(request)
            again = resend_registration_link(portal, username, spoken, url=await url_here(request))
            portal.errands.begin("resend a mail", again)
        raise
    await tries.give_back_sign_in(username, address, place)
    if stored_hash is not None and portal.passwords.is_outdated(stored_hash):
        await _renew_hash(portal, account.user.id, password, stored_hash)
    user, remember = account.user, credentials.remember_me
    if await _needs_second_factor(portal, request, user):
        return await _challenge(portal, request, account, place, remember=remember)
    return await start_session(portal, request, response, account, remember=remember)


@router.post("/mfa/confirm")
async def confirm_mfa(
    confirmation: Confirmation, request: Request, response: Response, portal: PortalDep
) -> AuthAnswer:
    """Answers a challenge. A challenge and its code work once. Wrong codes are limited per person, and apart from strangers'
    where the person is known: whoever has the password alone locks nobody out."""
    token_hash = secret_hash(confirmation.challenge_id)
    async with portal.sessions.begin() as session:
        challenge = await find_challenge(session, token_hash)
        asked = challenge and await find_account_of(session, challenge.person_id)
    if challenge is None:
        raise CodeMismatch
    tries, place = SignInTries(portal.sessions), await known_place(portal, request, asked)
    await tries.count_challenge_code(challenge.person_id, place)
    account = await _answered(portal, challenge, token_hash, confirmation.code)
    if account is None:
        await record_refusal(
            portal, request, "second factor refused", challenge.person_id, CodeMismatch.code
        )
        raise CodeMismatch
    check_may_sign_in(account)
    await tries.give_back_challenge_codes(challenge.person_id, place)
    if confirmation.remember_device:
        await _trust(portal, response, account.user, confirmation.device_name)
    return await start_session(portal, request, response, account, remember=challenge.remembered)


async def _needs_second_factor(portal: Portal, request: Request, user: User) -> bool:
    if not portal.mfa_support or user.mfa_type is MfaType.NONE:
        return False
    token = device_cookie(portal).read(request)
    if token is None:
        return True
    async with portal.sessions.begin() as session:
        return not await is_trusted(session, user.id, secret_hash(token))


async def _challenge(
    portal: Portal, request: Request, account: Account, place: str | None, *, remember: bool
) -> ChallengeAnswer:
    user = account.user
    token = secrets.token_urlsafe(32)
    token_hash = secret_hash(token)
    async with portal.sessions.begin() as session:
        await open_challenge(
            session,
            token_hash,
            user.id,
            user.mfa_type,
            remembered=remember,
            stamp=account.security_stamp,
        )
    sent_to = None
    if user.mfa_type is MfaType.SMS and user.phone_number:
        await SignInTries(portal.sessions).count_challenge_sending(user.id, place)
        await send_code_by_sms(
            portal,
            user.id,
            user.phone_number,
            CodeUse.SIGN_IN,
            bound_to=token_hash,
            language=language_of(request, user),
        )
        sent_to = masked_phone(user.phone_number)
    return ChallengeAnswer(challenge_id=token, mfa_type=user.mfa_type, sent_to=sent_to)


async def _answered(
    portal: Portal, challenge: Challenge, token_hash: str, code: str
) -> Account | None:
    """The account when the code is right. The challenge's row is locked, so that it closes once."""
    person_id = challenge.person_id
    async with portal.sessions.begin() as session:
        if await find_challenge(session, token_hash) is None:
            return None
        if challenge.kind is MfaType.SMS:
            digest = portal.tokens.code_hash(CodeUse.SIGN_IN, person_id, code)
            is_right = await use_code(
                session, person_id, CodeUse.SIGN_IN, digest, bound_to=token_hash
            )
        else:
            sealed = await sealed_totp(session, person_id, pending=False)
            if sealed is None:
                return None
            secret = portal.vault.open(sealed, purpose=f"totp:{person_id}")
            step = matching_step(secret, code, totp_steps(datetime.now(UTC)))
            is_right = step is not None and await use_totp_step(session, person_id, step)
        if not is_right:
            return None
        await close_challenge(session, token_hash)
        return await find_account_of(session, person_id)


async def _trust(portal: Portal, response: Response, user: User, name: str) -> None:
    token = secrets.token_urlsafe(32)
    async with portal.sessions.begin() as session:
        device = await trust_device(session, user.id, secret_hash(token), name)
    device_cookie(portal).set(response, token, device.expires_at)


async def _renew_hash(portal: Portal, person_id: str, password: str, outdated: str) -> None:
    renewed = await portal.passwords.hash(password)
    async with portal.sessions.begin() as session:
        await renew_password_hash(session, person_id, outdated, renewed)
