"""Staying signed in, signing out, and who one is (shell spec 4; promises 29 to 31)."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import Field

from api.identity.auth_answers import AuthAnswer, Person, person_of
from api.identity.signing_in.sessions import answer_session, refresh_cookie
from api.identity.work import Work, find_work
from api.platform.deps import Portal, PortalDep, SignedIn, Transaction, address_of, token_in
from db.base import reading
from db.identity.people import find_user
from db.identity.sign_ins import (
    REFRESH_GRACE,
    SignIn,
    end_of,
    end_sign_in,
    lock_sign_in,
    renew_stamp,
    take_turn,
)
from db.operations.audit import Outcome, record
from domain.base import EXACT, Body
from domain.identity.people import (
    IdentityMismatch,
    InvalidToken,
    SignedOut,
    Site,
    check_drone_profile,
    ended_because,
)

router = APIRouter(prefix="/v1/auth", tags=["identity"])


class RefreshBody(Body):
    """`refresh_token` is for a page that was not asked to remember: it keeps the token in memory."""

    refresh_token: Annotated[str | None, Field(max_length=200, repr=False), EXACT] = None
    sub: Annotated[str | None, Field(max_length=64), EXACT] = None
    """Whom the page belongs to: it is not handed another person's session."""


class Me(Work):
    """The initial state: who is signed in, on which site, and for which business they work."""

    user: Person
    site: Site


@router.post("/refresh")
async def refresh(
    request: Request, response: Response, portal: PortalDep, body: RefreshBody | None = None
) -> AuthAnswer:
    """A new access token, and the next refresh token in place of the one presented.

    The last token works a little longer and yields the same next one, for two tabs that ask at once; after that, its
    use ends the whole family.
    """
    token = (body.refresh_token if body else None) or refresh_cookie(portal).read(request)
    if token is None:
        raise SignedOut
    named = portal.tokens.read_refresh(token)
    async with portal.sessions.begin() as session:
        family = await lock_sign_in(session, named.sign_in_id)
        if family is not None and body and body.sub not in (None, family.person_id):
            raise IdentityMismatch
        turn = _next_turn(family, named.turn) if family else None
        if family is not None and turn is None:
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
        elif family is not None and turn != family.turn:
            await take_turn(session, family.id)
        user = await find_user(session, family.person_id) if family else None
        because = None if family else await end_of(session, named.sign_in_id)
    if family is None or turn is None or user is None:
        raise ended_because(because)
    check_drone_profile(user)
    return await answer_session(portal, request, response, user, family, turn)


@router.post("/sign-out", status_code=204)
async def sign_out(
    request: Request, response: Response, portal: PortalDep, body: RefreshBody | None = None
) -> None:
    """Ends this sign-in, named by the access token or by a refresh token. Idempotent. A token in the body names one that
    goes with its tab: the cookie stays if it is of another."""
    sign_in_id = _sign_in_named(portal, request, body)
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
    if sign_in_id is None or _sign_in_named(portal, request, None) == sign_in_id:
        refresh_cookie(portal).clear(response)


@router.post("/sign-out-everywhere", status_code=204)
async def sign_out_everywhere(
    actor: SignedIn, request: Request, response: Response, portal: PortalDep, session: Transaction
) -> None:
    """Ends every sign-in of the caller, this one included, with every link, code and trusted device."""
    await renew_stamp(session, actor.person.id, "signed out everywhere")
    await record(
        session,
        "signed out everywhere",
        actor=actor.key,
        request_id=actor.request_id,
        address=address_of(request),
    )
    refresh_cookie(portal).clear(response)


@router.get("/user")
async def get_auth_user(actor: SignedIn, portal: PortalDep) -> Me:
    """The initial state of the page. Whoever has no drone profile is signed out by it (shell spec 4)."""
    check_drone_profile(actor.person)
    async with reading(portal.sessions) as session:
        work = await find_work(session, actor)
    return Me(**dict(work), user=person_of(actor.person), site=actor.site)


def _next_turn(family: SignIn, presented: int) -> int | None:
    """The turn to answer with, or None when the token is an old one that somebody else must hold."""
    if presented == family.turn:
        return family.turn + 1
    is_repeat = presented == family.turn - 1 and family.since_turn <= REFRESH_GRACE
    return family.turn if is_repeat else None


def _sign_in_named(portal: Portal, request: Request, body: RefreshBody | None) -> str | None:
    try:
        token = (body.refresh_token if body else None) or refresh_cookie(portal).read(request)
        if token is not None:
            return portal.tokens.read_refresh(token).sign_in_id
        access = token_in(request)
        return portal.tokens.sign_in_once_of(access) if access else None
    except (SignedOut, InvalidToken):
        return None
