"""Opens a session and answers it: tokens, cookies, and what is noted of who comes from where."""

from fastapi import Request, Response

from api.identity.auth_answers import AuthAnswer, person_of
from api.platform.border.cookies import DEVICE, RefreshCookie, SignInCookie
from api.platform.deps import Portal, address_of, language_of
from db.base import reading
from db.identity.profiles import note_place
from db.identity.sign_ins import SignIn, open_sign_in
from db.identity.trusted_devices import has_trust
from db.operations.audit import Outcome, record
from domain.identity.people import Account, User
from providers.security.tokens import secret_hash


def refresh_cookie(portal: Portal) -> RefreshCookie:
    return RefreshCookie(behind_tls=portal.behind_tls)


def device_cookie(portal: Portal) -> SignInCookie:
    return SignInCookie(DEVICE, behind_tls=portal.behind_tls)


async def known_place(portal: Portal, request: Request, account: Account | None) -> str | None:
    """What tells this browser from a stranger's before anything is proved: the person trusts it, or signed in from this
    address last. The same query is made for an unknown account."""
    token_hash = secret_hash(device_cookie(portal).read(request) or "")
    async with reading(portal.sessions) as session:
        trusted = await has_trust(session, account.user.id if account else "", token_hash)
    if trusted:
        return f"device {token_hash}"
    is_last = account is not None and account.last_address == address_of(request)
    return place_of(request) if is_last else None


def place_of(request: Request) -> str:
    """The place that whoever proves to be the person from here makes known."""
    return f"address {address_of(request)}"


async def start_session(
    portal: Portal, request: Request, response: Response, account: Account, *, remember: bool
) -> AuthAnswer:
    """Opens a family of refresh tokens, as the account stood when it was proved; audited."""
    user = account.user
    async with portal.sessions.begin() as session:
        family = await open_sign_in(
            session, user.id, remembered=remember, stamp=account.security_stamp
        )
        await note_place(session, user.id, address_of(request), language_of(request))
        await record(
            session,
            "signed in",
            actor=f"user:{user.id}",
            on=("sign_in", family.id),
            request_id=request.state.request_id,
            address=address_of(request),
        )
    return await answer_session(portal, request, response, user, family, family.turn)


async def answer_session(
    portal: Portal, request: Request, response: Response, user: User, family: SignIn, turn: int
) -> AuthAnswer:
    """Tokens of this turn. Without remember-me no cookie is kept, and an older one goes."""
    cookie = refresh_cookie(portal)
    refresh_token = portal.tokens.refresh(family.id, turn)
    if family.remembered:
        cookie.set(response, refresh_token, family.expires_at)
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


async def record_refusal(
    portal: Portal, request: Request, action: str, person_id: str | None, code: str
) -> None:
    """In a transaction of its own: the refused one is rolled back. What was typed is not kept."""
    async with portal.sessions.begin() as session:
        await record(
            session,
            action,
            actor="anonymous",
            outcome=Outcome.REFUSED,
            on=("person", person_id or "unknown"),
            request_id=request.state.request_id,
            address=address_of(request),
            more={"code": code},
        )
