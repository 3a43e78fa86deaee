"""Whatever opens an account ends with every change of what one signs in with: every kind of secret × every event."""

import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable

import httpx
import pytest

from db.base import Sessions
from db.identity.codes import (
    ChallengeRow,
    CodeRow,
    CodeUse,
    find_challenge,
    open_challenge,
    save_code,
    use_code,
)
from db.identity.links import LinkEnded, LinkKind, LinkRow, add_link, use_link
from db.identity.security_stamp import Stamped
from db.identity.sign_ins import SignInRow, lock_sign_in, open_sign_in, renew_stamp, user_of_sign_in
from db.identity.trusted_devices import (
    TrustedDeviceRow,
    is_trusted,
    trust_device,
    trusted_devices_of,
)
from db.tables import METADATA
from dev.testing import is_whole
from domain.identity.people import MfaType, User
from tests.drivers.factories import PASSWORD, a_name, an_admin, an_installer
from tests.drivers.portal import a_browser, sign_in
from tests.identity.messages import Reachable
from tests.identity.signing_in.test_second_factor_api import code_at, with_app

NEW = "Garage-Lantern-26"

StillWorks = Callable[[], Awaitable[bool]]
Event = Callable[[], Awaitable[httpx.Response]]


@pytest.fixture
async def browser(here: Reachable) -> AsyncGenerator[httpx.AsyncClient]:
    async with a_browser(here.app) as client:
        yield client


# ---- the kinds: each makes a secret and answers how to try it


async def a_sign_in(sessions: Sessions, user: User) -> StillWorks:
    async with sessions.begin() as session:
        family = await open_sign_in(session, user.id, remembered=True)

    async def works() -> bool:
        async with sessions() as session:
            return await user_of_sign_in(session, family.id) is not None

    return works


async def a_refresh_token(sessions: Sessions, user: User) -> StillWorks:
    async with sessions.begin() as session:
        family = await open_sign_in(session, user.id, remembered=True)

    async def works() -> bool:
        async with sessions() as session:
            return await lock_sign_in(session, family.id) is not None

    return works


async def a_trusted_device(sessions: Sessions, user: User) -> StillWorks:
    token_hash = secrets.token_hex()
    async with sessions.begin() as session:
        await trust_device(session, user.id, token_hash, "Browser")

    async def works() -> bool:
        async with sessions() as session:
            listed = bool(await trusted_devices_of(session, user.id))
            trusted = await is_trusted(session, user.id, token_hash)
        assert listed == trusted
        return trusted

    return works


def a_code(use: CodeUse):
    async def make(sessions: Sessions, user: User) -> StillWorks:
        code_hash = secrets.token_hex()
        async with sessions.begin() as session:
            await save_code(session, user.id, use, code_hash)

        async def works() -> bool:
            async with sessions() as session:
                return await use_code(session, user.id, use, code_hash)

        return works

    return make


def a_challenge(kind: MfaType):
    async def make(sessions: Sessions, user: User) -> StillWorks:
        token_hash = secrets.token_hex()
        async with sessions.begin() as session:
            await open_challenge(session, token_hash, user.id, kind, remembered=False)

        async def works() -> bool:
            async with sessions() as session:
                return await find_challenge(session, token_hash) is not None

        return works

    return make


def a_link(kind: LinkKind):
    async def make(sessions: Sessions, user: User) -> StillWorks:
        token_hash = secrets.token_hex()
        async with sessions.begin() as session:
            await add_link(session, token_hash, kind, user.id, user.email)

        async def works() -> bool:
            async with sessions() as session:
                try:
                    await use_link(session, token_hash, kind)
                except LinkEnded:
                    return False
            return True

        return works

    return make


KINDS = {
    "sign-in": a_sign_in,
    "refresh token": a_refresh_token,
    "trusted device": a_trusted_device,
    **{f"{use} code": a_code(use) for use in CodeUse},
    **{f"{kind} challenge": a_challenge(kind) for kind in (MfaType.SMS, MfaType.TOTP)},
    **{f"{kind} link": a_link(kind) for kind in LinkKind if kind is not LinkKind.REVERT_EMAIL},
}
"""The way back of an old address is no such secret: it outlives them all."""
TABLES: set[type[Stamped]] = {SignInRow, TrustedDeviceRow, CodeRow, ChallengeRow, LinkRow}


# ---- the events: each prepares itself and answers how to bring it about


async def changing(here: Reachable, browser: httpx.AsyncClient, user: User) -> Event:
    await sign_in(browser, user)
    body = {"password": PASSWORD, "new_password": NEW, "confirm_new_password": NEW}
    return lambda: browser.post("/api/change-password", json=body)


async def resetting(here: Reachable, browser: httpx.AsyncClient, user: User) -> Event:
    async def act() -> httpx.Response:
        await browser.post("/v1/auth/forgot-password", json={"username": user.email})
        code = await here.last_code(user.email)
        body = {"username": user.email, "code": code, "password": NEW}
        return await browser.post("/v1/auth/reset-password", json=body)

    return act


async def another_address(here: Reachable, browser: httpx.AsyncClient, user: User) -> Event:
    await sign_in(browser, user)
    email = f"{a_name()}@new.example"

    async def act() -> httpx.Response:
        body = {"email": email, "password": PASSWORD}
        await browser.post("/v1/auth/email-change", json=body)
        token = await here.last_link(email)
        return await browser.post("/v1/auth/email-change/accept", json={"token": token})

    return act


async def factor_on(here: Reachable, browser: httpx.AsyncClient, user: User) -> Event:
    await sign_in(browser, user)
    secret = (await browser.post("/v1/auth/totp/setup")).json()["secret"]
    body = {"code": code_at(secret, 0)}
    return lambda: browser.post("/v1/auth/totp/verify", json=body)


async def factor_off(here: Reachable, browser: httpx.AsyncClient, user: User) -> Event:
    secret = await with_app(browser, user)
    body = {"mfa_type": "none", "code": code_at(secret, 0)}
    return lambda: browser.post("/v1/auth/mfa/preferred", json=body)


async def signing_out(here: Reachable, browser: httpx.AsyncClient, user: User) -> Event:
    await sign_in(browser, user)
    return lambda: browser.post("/v1/auth/sign-out-everywhere")


async def being_locked(here: Reachable, browser: httpx.AsyncClient, user: User) -> Event:
    await sign_in(browser, await an_admin(here.app.state.portal.sessions))
    return lambda: browser.post(f"/v1/user/{user.id}/lock")


EVENTS = {
    "password changed": changing,
    "password reset": resetting,
    "e-mail changed": another_address,
    "second factor on": factor_on,
    "second factor off": factor_off,
    "signed out everywhere": signing_out,
    "locked by an administrator": being_locked,
}


def pairs() -> list[tuple[str, str]]:
    """All in `make test-all`; before every change a fourth of them, which leaves out no kind and no event."""
    share = 1 if is_whole() else 4
    return [
        (kind, event)
        for i, kind in enumerate(KINDS)
        for j, event in enumerate(EVENTS)
        if (i + j) % share == 0
    ]


def test_no_kind_and_no_event_is_left_out() -> None:
    kinds, events = zip(*pairs(), strict=True)
    assert (set(kinds), set(events)) == (set(KINDS), set(EVENTS))


@pytest.mark.parametrize(("kind", "event"), pairs())
async def test_nothing_that_was_out_opens_the_account(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions, kind: str, event: str
) -> None:
    user = await an_installer(sessions)
    act = await EVENTS[event](here, browser, user)
    still_works = await KINDS[kind](sessions, user)
    assert (await act()).status_code == 204
    assert not await still_works()


@pytest.mark.parametrize("event", EVENTS)
async def test_what_a_thief_does_never_ends_the_way_back(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions, event: str
) -> None:
    user = await an_installer(sessions)
    act = await EVENTS[event](here, browser, user)
    still_works = await a_link(LinkKind.REVERT_EMAIL)(sessions, user)
    assert (await act()).status_code == 204
    assert await still_works()


@pytest.mark.parametrize("kind", KINDS)
async def test_without_an_event_it_does(sessions: Sessions, kind: str) -> None:
    user = await an_installer(sessions)
    async with sessions.begin() as session:
        await renew_stamp(session, user.id, "an earlier one")
    assert await (await KINDS[kind](sessions, user))()


def test_every_table_of_secrets_carries_the_stamp() -> None:
    """A new one needs a line here and in KINDS."""
    persons = {
        name
        for name, table in METADATA.tables.items()
        if any(column.references(METADATA.tables["person"].c.id) for column in table.c)
        and {"token_hash", "code_hash", "turn"} & set(table.c.keys())
    }
    # They open no account: a link to pay lends one invoice, a handout's shows what the car's owner may know.
    persons -= {"invitation", "pay_link", "handout_link"}
    assert persons == {row.__tablename__ for row in TABLES}  # pyright: ignore[reportAttributeAccessIssue] each is a table
    assert all("stamp" in METADATA.tables[name].c for name in persons)


async def test_a_sign_in_that_was_proved_before_the_change_opens_nothing(
    sessions: Sessions,
) -> None:
    """The password was found right, then it changed, then the family was opened."""
    user = await an_installer(sessions)
    async with sessions.begin() as session:
        await renew_stamp(session, user.id, "password changed")
        family = await open_sign_in(session, user.id, remembered=True, stamp=1)
    async with sessions() as session:
        assert await user_of_sign_in(session, family.id) is None


async def test_the_changing_page_stays_signed_in(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    await (await changing(here, browser, user))()
    assert (await browser.get("/v1/auth/user")).status_code == 200
