"""Signing in and out (shell spec 4 and 8; promises 26 to 31)."""

from typing import Annotated, Literal

import structlog
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from api.cookies import RefreshCookie
from api.deps import Portal, PortalDep, SignedIn, Transaction, address_of
from api.throttling import Tries
from db.audit import Outcome, record
from db.identity import find_account, find_user, keep_password_hash
from db.sign_ins import (
    REFRESH_GRACE,
    SignIn,
    end_all_sign_ins,
    end_sign_in,
    lock_sign_in,
    open_sign_in,
    take_turn,
)
from domain.base import Body, Utc
from domain.errors import PortalError
from domain.identity import (
    Account,
    IncompleteSignIn,
    InvalidCredentials,
    InvalidToken,
    MfaType,
    Role,
    SignedOut,
    Site,
    TokenExpired,
    User,
    UserType,
    check_may_sign_in,
    profile_label,
    purchasing_rights,
    roles_of,
)

router = APIRouter(prefix="/v1/auth", tags=["identity"])
log = structlog.stdlib.get_logger()


class Credentials(Body):
    """Empty fields are answered with the spec's own text, so they are allowed this far."""

    username: Annotated[str, Field(max_length=320)] = ""
    password: Annotated[str, Field(max_length=1000, repr=False)] = ""
    remember_me: bool = False


class RefreshBody(Body):
    """`refresh_token` is for a page that was not asked to remember: it keeps the token in memory."""

    refresh_token: Annotated[str | None, Field(max_length=200, repr=False)] = None


class Person(BaseModel):
    """The signed-in user (shell spec 3) with the flags that follow; `sub` equals `id`."""

    id: str
    sub: str
    first_name: str
    last_name: str
    email: str
    image: str | None
    phone_number: str | None
    user_type: list[UserType]
    subscriber_id: str | None
    is_retired: bool
    access_type: str | None
    dealer_id: str | None
    partner_code: str | None
    mfa_type: MfaType
    roles: list[Role]
    label: Literal["Sales Rep", "Dealer", "Installer"]
    is_owner: bool
    is_b2c: bool
    is_sales_rep: bool
    is_outside_rep: bool
    is_dealer_primary: bool
    is_dealer_accountant: bool
    purchasing_rights: bool


class AuthAnswer(BaseModel):
    """A session: the access token is for memory only. With `remember_me` the refresh token is in a cookie that scripts
    cannot read; without, it is `refresh_token` here, and is lost with the page."""

    access_token: str
    expires_at: Utc
    refresh_token: str | None = None
    user: Person
    site: Site


class Me(BaseModel):
    """The initial state: who is signed in, and on which site."""

    user: Person
    site: Site


@router.post("/sign-in")
async def sign_in(
    credentials: Credentials, request: Request, response: Response, portal: PortalDep
) -> AuthAnswer:
    """Signs in by e-mail address and password. Unknown user and wrong password look the same, and take the same time."""
    username, password = credentials.username.strip().lower(), credentials.password
    if not username or not password:
        raise IncompleteSignIn
    tries = Tries(portal.sessions)
    address = address_of(request)
    await tries.count_sign_in(username, address)
    async with portal.sessions() as session:
        account = await find_account(session, username)
    kept = account.password_hash if account else None
    fits = await portal.passwords.verify(kept, password)
    try:
        if account is None or kept is None or not fits:
            raise InvalidCredentials
        check_may_sign_in(account)
    except PortalError as refusal:
        await _record_refusal(portal, request, account, refusal)
        raise
    await tries.give_back_sign_in(username, address)
    if portal.passwords.is_outdated(kept):
        await _renew_hash(portal, account.user.id, password)
    return await _open(portal, request, response, account.user, remember=credentials.remember_me)


@router.post("/refresh")
async def refresh(
    request: Request, response: Response, portal: PortalDep, body: RefreshBody | None = None
) -> AuthAnswer:
    """A new access token, and the next refresh token in place of the one presented.

    The last token works a little longer and yields the same next one, for two tabs that ask at once; after that, its
    use ends the whole family.
    """
    cookie = RefreshCookie(behind_tls=portal.behind_tls)
    in_body = body.refresh_token if body else None
    token = in_body or cookie.read(request)
    if token is None:
        raise SignedOut
    named = portal.tokens.read_refresh(token)
    async with portal.sessions.begin() as session:
        family = await lock_sign_in(session, named.sign_in_id)
        user = await find_user(session, family.person_id) if family else None
        is_repeat = family is not None and named.turn == family.turn - 1
        is_reused = family is not None and not (
            named.turn == family.turn or (is_repeat and family.since_turn <= REFRESH_GRACE)
        )
        if family is not None and is_reused:
            await end_sign_in(session, family.id, "refresh token reused")
            await record(
                session,
                "refresh token reused",
                actor=f"user:{family.person_id}",
                outcome=Outcome.REFUSED,
                on=("sign_in", family.id),
                request_id=request.state.request_id,
                address=address_of(request),
            )
        elif family is not None and not is_repeat:
            await take_turn(session, family.id)
    if family is None or user is None or is_reused:
        raise SignedOut
    turn = family.turn if is_repeat else family.turn + 1
    return await _answer(portal, request, response, user, family, turn)


@router.post("/sign-out", status_code=204)
async def sign_out(
    request: Request, response: Response, portal: PortalDep, body: RefreshBody | None = None
) -> None:
    """Ends this sign-in, named by the access token or by a refresh token. Idempotent; never refused."""
    cookie = RefreshCookie(behind_tls=portal.behind_tls)
    sign_in_id = _sign_in_named(portal, request, cookie, body)
    if sign_in_id is not None:
        async with portal.sessions.begin() as session:
            family = await lock_sign_in(session, sign_in_id)
            if family is not None:
                await end_sign_in(session, family.id, "signed out")
                await record(
                    session,
                    "signed out",
                    actor=f"user:{family.person_id}",
                    on=("sign_in", family.id),
                    request_id=request.state.request_id,
                    address=address_of(request),
                )
    cookie.clear(response)


@router.post("/sign-out-everywhere", status_code=204)
async def sign_out_everywhere(
    actor: SignedIn, request: Request, response: Response, portal: PortalDep, session: Transaction
) -> None:
    """Ends every sign-in of the caller, this one included."""
    assert actor.user is not None
    await end_all_sign_ins(session, actor.user.id, "signed out everywhere")
    await record(
        session,
        "signed out everywhere",
        actor=actor.key,
        request_id=actor.request_id,
        address=address_of(request),
    )
    RefreshCookie(behind_tls=portal.behind_tls).clear(response)


@router.get("/user")
async def get_auth_user(actor: SignedIn) -> Me:
    """The initial state of the page."""
    assert actor.user is not None
    return Me(user=person_of(actor.user), site=actor.site)


def person_of(user: User) -> Person:
    return Person(
        **user.model_dump(
            include={
                "id",
                "first_name",
                "last_name",
                "email",
                "image",
                "phone_number",
                "subscriber_id",
                "is_retired",
                "access_type",
                "dealer_id",
                "partner_code",
                "mfa_type",
            }
        ),
        user_type=list(user.user_type),
        sub=user.id,
        roles=sorted(roles_of(user)),
        label=profile_label(user),
        is_owner=user.is_owner,
        is_b2c=user.is_b2c,
        is_sales_rep=user.is_sales_rep,
        is_outside_rep=user.is_outside_rep,
        is_dealer_primary=user.is_dealer_primary,
        is_dealer_accountant=user.is_dealer_accountant,
        purchasing_rights=purchasing_rights(user),
    )


async def _open(
    portal: Portal, request: Request, response: Response, user: User, *, remember: bool
) -> AuthAnswer:
    async with portal.sessions.begin() as session:
        family = await open_sign_in(session, user.id, remembered=remember)
        await record(
            session,
            "signed in",
            actor=f"user:{user.id}",
            on=("sign_in", family.id),
            request_id=request.state.request_id,
            address=address_of(request),
        )
    return await _answer(portal, request, response, user, family, family.turn)


async def _answer(
    portal: Portal, request: Request, response: Response, user: User, family: SignIn, turn: int
) -> AuthAnswer:
    """Without remember-me no cookie is kept, and an older one goes."""
    cookie = RefreshCookie(behind_tls=portal.behind_tls)
    refresh_token = portal.tokens.refresh(family.id, turn)
    if family.remembered:
        cookie.set(response, refresh_token, family)
    else:
        cookie.clear(response)
    access = portal.tokens.access(person_id=user.id, sign_in_id=family.id)
    return AuthAnswer(
        access_token=access.token,
        expires_at=access.expires_at,
        refresh_token=None if family.remembered else refresh_token,
        user=person_of(user),
        site=await portal.sites.of(request.headers.get("host", "")),
    )


async def _record_refusal(
    portal: Portal, request: Request, account: Account | None, refusal: PortalError
) -> None:
    """The typed address is not kept: it may be a password in the wrong field."""
    async with portal.sessions.begin() as session:
        await record(
            session,
            "sign-in refused",
            actor="anonymous",
            outcome=Outcome.REFUSED,
            on=("person", account.user.id if account else "unknown"),
            request_id=request.state.request_id,
            address=address_of(request),
            more={"code": refusal.code},
        )


async def _renew_hash(portal: Portal, person_id: str, password: str) -> None:
    renewed = await portal.passwords.hash(password)
    async with portal.sessions.begin() as session:
        await keep_password_hash(session, person_id, renewed)


def _sign_in_named(
    portal: Portal, request: Request, cookie: RefreshCookie, body: RefreshBody | None
) -> str | None:
    try:
        token = (body.refresh_token if body else None) or cookie.read(request)
        if token is not None:
            return portal.tokens.read_refresh(token).sign_in_id
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        access = bearer if scheme.lower() == "bearer" else request.headers.get("x-access-token")
        return portal.tokens.sign_in_of(access) if access else None
    except (SignedOut, InvalidToken, TokenExpired):
        return None
