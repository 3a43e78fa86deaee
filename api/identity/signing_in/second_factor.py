"""Phone, authenticator app and trusted devices of the signed-in person (shell spec 4; promises 32 and 33)."""

import secrets
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.mailing import send_code_by_sms
from api.identity.signing_in.sessions import device_cookie, refresh_cookie
from api.platform.deps import (
    Portal,
    PortalDep,
    SignedIn,
    Transaction,
    address_of,
    language_of,
)
from api.platform.throttling.accounts import AccountTries
from api.platform.throttling.mails import MailTries
from db.identity.codes import CodeUse, use_code
from db.identity.credentials import (
    save_pending_totp,
    sealed_totp,
    set_mfa,
    take_pending_totp,
    use_totp_step,
)
from db.identity.profiles import change_phone
from db.identity.sign_ins import renew_stamp
from db.identity.trusted_devices import forget_device, trust_device, trusted_devices_of
from db.operations.audit import record
from domain.base import Body
from domain.errors import NotFound
from domain.identity.people import Actor, MfaType, User
from domain.identity.second_factor import (
    Code,
    CodeMismatch,
    MfaInUse,
    MfaUnavailable,
    NoPhone,
    Phone,
    TrustedDevice,
    totp_steps,
)
from providers.security.tokens import secret_hash
from providers.security.totp import matching_step, new_totp_secret, totp_address

router = APIRouter(prefix="/v1/auth", tags=["identity"])


class NewPhone(Body):
    phone_number: Phone


class PhoneCode(Body):
    phone_number: Phone
    code: Code


class TypedCode(Body):
    code: Code


class MfaChoice(Body):
    """`code` is of the factor that is on now: from the app, or sent by `phone/update` to the present number."""

    mfa_type: MfaType
    code: Code | None = None


class DeviceName(Body):
    name: Annotated[str, Field(min_length=1, max_length=100)] = "Browser"


class TotpSetup(BaseModel):
    """The secret as text and as the address that a QR code shows; counts once a code of it was given."""

    secret: str
    address: str


class TrustedDevices(BaseModel):
    results: list[TrustedDevice]


@router.post("/phone/update", status_code=204)
async def update_phone(
    body: NewPhone, actor: SignedIn, request: Request, portal: PortalDep
) -> None:
    """Sends a code to the number; the number counts only when the code comes back."""
    _refuse_new_number_under_sms(actor.person, body.phone_number)
    await MailTries(portal.sessions).count_sending(actor.person.id)
    await send_code_by_sms(
        portal,
        actor.person.id,
        body.phone_number,
        CodeUse.PHONE,
        bound_to=body.phone_number,
        language=language_of(request, actor.person),
    )


@router.post("/phone/verify", status_code=204)
async def verify_phone(
    body: PhoneCode, actor: SignedIn, request: Request, portal: PortalDep
) -> None:
    """Keeps the number that the code was sent to."""
    person = actor.person
    _refuse_new_number_under_sms(person, body.phone_number)
    await AccountTries(portal.sessions).count_code(person.id)
    async with portal.sessions.begin() as session:
        is_right = await _use_phone_code(portal, session, person, body.phone_number, body.code)
        if is_right:
            await change_phone(session, person.id, body.phone_number)
            await _record(session, actor, request, "phone changed")
    if not is_right:
        raise CodeMismatch
    await AccountTries(portal.sessions).give_back_codes(person.id)


@router.post("/totp/setup")
async def set_up_totp(actor: SignedIn, portal: PortalDep, session: Transaction) -> TotpSetup:
    """A fresh secret; an older one that was never verified is dropped."""
    _refuse_without_support(portal)
    secret = new_totp_secret()
    person = actor.person
    sealed = portal.vault.seal(secret, purpose=f"totp:{person.id}")
    await save_pending_totp(session, person.id, sealed)
    return TotpSetup(secret=secret, address=totp_address(secret, person.email))


@router.post("/totp/verify", status_code=204)
async def verify_totp(
    body: TypedCode, actor: SignedIn, request: Request, portal: PortalDep
) -> None:
    """Switches the app on; every other sign-in of the person ends."""
    _refuse_without_support(portal)
    person = actor.person
    if person.mfa_type is not MfaType.NONE:
        raise MfaInUse
    await AccountTries(portal.sessions).count_code(person.id)
    async with portal.sessions.begin() as session:
        is_right = await _use_totp(portal, session, person, body.code, pending=True)
        if is_right:
            await take_pending_totp(session, person.id)
            await _after_mfa_change(session, actor, request, MfaType.TOTP)
    if not is_right:
        raise CodeMismatch
    await AccountTries(portal.sessions).give_back_codes(person.id)


@router.post("/mfa/preferred", status_code=204)
async def prefer_mfa(
    body: MfaChoice, actor: SignedIn, request: Request, response: Response, portal: PortalDep
) -> None:
    """Switches text messages on, or a factor off. Off needs a code, forgets all devices and signs out everywhere."""
    _refuse_without_support(portal)
    person = actor.person
    if body.mfa_type is MfaType.NONE:
        await _disable(portal, actor, request, body.code)
        refresh_cookie(portal).clear(response)
        return
    if person.mfa_type is not MfaType.NONE:
        raise MfaInUse
    if body.mfa_type is MfaType.TOTP:
        raise MfaUnavailable
    if person.phone_number is None:
        raise NoPhone
    async with portal.sessions.begin() as session:
        await set_mfa(session, person.id, MfaType.SMS)
        await _after_mfa_change(session, actor, request, MfaType.SMS)


@router.get("/devices")
async def list_trusted_devices(actor: SignedIn, session: Transaction) -> TrustedDevices:
    """The browsers that may leave out the second factor, the last used first."""
    return TrustedDevices(results=list(await trusted_devices_of(session, actor.person.id)))


@router.post("/devices/remember", status_code=201)
async def remember_device(
    body: DeviceName,
    actor: SignedIn,
    request: Request,
    response: Response,
    portal: PortalDep,
    session: Transaction,
) -> TrustedDevice:
    """Trusts this browser for 365 days."""
    _refuse_without_support(portal)
    token = secrets.token_urlsafe(32)
    device = await trust_device(session, actor.person.id, secret_hash(token), body.name)
    await _record(session, actor, request, "device trusted")
    device_cookie(portal).set(response, token, device.expires_at)
    return device


@router.delete("/devices/{device_id}", status_code=204)
async def forget_trusted_device(
    device_id: str, actor: SignedIn, request: Request, session: Transaction
) -> None:
    if not await forget_device(session, actor.person.id, device_id):
        raise NotFound
    await _record(session, actor, request, "device forgotten")


async def _disable(portal: Portal, actor: Actor, request: Request, code: str | None) -> None:
    person = actor.person
    if person.mfa_type is MfaType.NONE:
        return
    await AccountTries(portal.sessions).count_code(person.id)
    async with portal.sessions.begin() as session:
        if code is None:
            is_right = False
        elif person.mfa_type is MfaType.TOTP:
            is_right = await _use_totp(portal, session, person, code, pending=False)
        else:
            phone = person.phone_number or ""
            is_right = await _use_phone_code(portal, session, person, phone, code)
        if is_right:
            await set_mfa(session, person.id, MfaType.NONE)
            await renew_stamp(session, person.id, "second factor switched off")
            await _record(session, actor, request, "second factor changed", mfa_type=MfaType.NONE)
    if not is_right:
        raise CodeMismatch
    await AccountTries(portal.sessions).give_back_codes(person.id)


async def _after_mfa_change(
    session: AsyncSession, actor: Actor, request: Request, kind: MfaType
) -> None:
    await renew_stamp(session, actor.person.id, "second factor switched on", but=actor.sign_in_id)
    await _record(session, actor, request, "second factor changed", mfa_type=kind)


async def _use_totp(
    portal: Portal, session: AsyncSession, person: User, code: str, *, pending: bool
) -> bool:
    sealed = await sealed_totp(session, person.id, pending=pending)
    if sealed is None:
        return False
    secret = portal.vault.open(sealed, purpose=f"totp:{person.id}")
    step = matching_step(secret, code, totp_steps(datetime.now(UTC)))
    return step is not None and await use_totp_step(session, person.id, step)


async def _use_phone_code(
    portal: Portal, session: AsyncSession, person: User, phone: str, code: str
) -> bool:
    digest = portal.tokens.code_hash(CodeUse.PHONE, person.id, code)
    return await use_code(session, person.id, CodeUse.PHONE, digest, bound_to=phone)


def _refuse_without_support(portal: Portal) -> None:
    if not portal.mfa_support:
        raise MfaUnavailable


def _refuse_new_number_under_sms(person: User, phone: str) -> None:
    """Else a stolen session could move the second factor to the thief's phone."""
    if person.mfa_type is MfaType.SMS and phone != person.phone_number:
        raise MfaInUse


async def _record(
    session: AsyncSession, actor: Actor, request: Request, action: str, **more: object
) -> None:
    await record(
        session,
        action,
        actor=actor.key,
        on=("person", actor.person.id),
        request_id=actor.request_id,
        address=address_of(request),
        more=dict(more),
    )
