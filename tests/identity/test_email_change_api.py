"""Another e-mail address: asked for with the password, taken with the link that only the new address gets."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from datetime import timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select, update

from api.platform.errands import Errands
from db.base import Sessions
from db.identity.credentials import change_email, set_mfa
from db.identity.people import PersonRow, find_account
from db.identity.profiles import change_phone
from db.operations.audit import AuditRow
from domain.identity.people import MfaType, User
from domain.identity.second_factor import SET_BEFORE_CHANGE
from tests.drivers.factories import PASSWORD, a_name, an_admin, an_email, an_installer, an_owner
from tests.drivers.portal import a_browser, sign_in
from tests.identity.messages import Reachable
from tests.identity.signing_in.test_second_factor_api import with_app


@pytest.fixture
async def browser(here: Reachable) -> AsyncGenerator[httpx.AsyncClient]:
    async with a_browser(here.app) as client:
        yield client


async def ask(browser: httpx.AsyncClient, email: str, password: str = PASSWORD) -> httpx.Response:
    body = {"email": email, "password": password}
    return await browser.post("/v1/auth/email-change", json=body)


async def answer(browser: httpx.AsyncClient, how: str, token: str) -> httpx.Response:
    return await browser.post(f"/v1/auth/email-change/{how}", json={"token": token})


def problem(refused: httpx.Response) -> tuple[int, str]:
    return refused.status_code, refused.json()["code"]


def renamed(user: User, email: str) -> User:
    return user.model_copy(update={"email": email})


async def test_the_new_address_signs_in_and_the_old_one_does_not(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user, email = await an_installer(sessions), an_email()
    await sign_in(browser, user)
    assert (await ask(browser, email)).status_code == 204
    token = await here.last_link(email)
    assert (await sign_in(browser, user)).status_code == 200  # nothing has changed yet
    assert (await answer(browser, "accept", token)).status_code == 204
    async with a_browser(here.app) as fresh:
        assert problem(await sign_in(fresh, user)) == (401, "invalid_credentials")
        assert (await sign_in(fresh, renamed(user, email))).status_code == 200
    assert len(await here.texts_to(user.email)) == 2  # word when asked, and when done


async def test_every_page_is_told_that_the_credentials_changed(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user, email = await an_installer(sessions), an_email()
    await sign_in(browser, user, remember_me=True)
    await ask(browser, email)
    async with a_browser(here.app) as elsewhere:
        await answer(elsewhere, "accept", await here.last_link(email))
    told = await browser.get("/v1/auth/user")
    assert problem(told) == (401, "credentials_changed")
    assert "recent change" in told.json()["detail"]
    assert problem(await browser.post("/v1/auth/refresh")) == (401, "credentials_changed")


async def test_a_plain_sign_out_is_no_change_of_credentials(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    await sign_in(browser, await an_installer(sessions))
    await browser.post("/v1/auth/sign-out")
    assert problem(await browser.get("/v1/auth/user")) == (401, "signed_out")


async def test_the_password_is_needed(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user, email = await an_installer(sessions), an_email()
    await sign_in(browser, user)
    assert (await ask(browser, email, "not-it")).json()["detail"] == "Password invalid"
    assert await here.texts_to(email) == []


async def test_a_link_works_once_also_in_parallel(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    await sign_in(browser, await an_installer(sessions))
    email = an_email()
    await ask(browser, email)
    token = await here.last_link(email)
    answers = await asyncio.gather(*(answer(browser, "accept", token) for _ in range(5)))
    assert sorted(each.status_code for each in answers) == [204] + [410] * 4


async def test_a_declined_link_changes_nothing(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user, email = await an_installer(sessions), an_email()
    await sign_in(browser, user)
    await ask(browser, email)
    token = await here.last_link(email)
    assert (await answer(browser, "decline", token)).status_code == 204
    assert problem(await answer(browser, "accept", token)) == (410, "link_ended")
    assert (await sign_in(browser, user)).status_code == 200


async def test_a_newer_request_ends_the_older_link(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    await sign_in(browser, await an_installer(sessions))
    first, second = an_email(), an_email()
    await ask(browser, first)
    await ask(browser, second)
    assert problem(await answer(browser, "accept", await here.last_link(first))) == (
        410,
        "link_ended",
    )
    assert (await answer(browser, "accept", await here.last_link(second))).status_code == 204


async def test_an_address_that_somebody_has_ends_the_older_link_like_any_other(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    other, first = await an_installer(sessions), an_email()
    await sign_in(browser, await an_installer(sessions))
    await ask(browser, first)
    older = await here.last_link(first)
    await ask(browser, other.email)
    assert problem(await answer(browser, "accept", older)) == (410, "link_ended")


async def test_an_address_that_somebody_has_ends_the_older_link_before_that_is_mailed(
    here: Reachable,
    browser: httpx.AsyncClient,
    sessions: Sessions,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other, first = await an_installer(sessions), an_email()
    await sign_in(browser, await an_installer(sessions))
    errands: Errands = here.app.state.portal.errands
    put_off: list[tuple[str, Coroutine[Any, Any, None]]] = []
    with monkeypatch.context() as patched:
        patched.setattr(errands, "begin", lambda *errand: put_off.append(errand))
        await ask(browser, first)
        await ask(browser, other.email)
    for errand in put_off:
        errands.begin(*errand)
    assert problem(await answer(browser, "accept", await here.last_link(first))) == (
        410,
        "link_ended",
    )


async def test_an_address_that_somebody_has_is_told_apart_by_nothing(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    other = await an_installer(sessions)
    await sign_in(browser, await an_installer(sessions))
    assert (await ask(browser, other.email.upper())).status_code == 204
    assert await here.texts_to(other.email) == []


async def test_an_address_that_was_taken_meanwhile_is_refused(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    email = an_email()
    tokens: list[str] = []
    for _ in range(2):
        await sign_in(browser, await an_installer(sessions))
        await ask(browser, email)
        tokens.append(await here.last_link(email))
    assert (await answer(browser, "accept", tokens[0])).status_code == 204
    assert problem(await answer(browser, "accept", tokens[1])) == (409, "email_taken")


async def test_looking_at_a_link_uses_nothing_up(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    await sign_in(browser, await an_installer(sessions))
    email = an_email()
    await ask(browser, email)
    token = await here.last_link(email)
    for page in ("change-email-accept", "change-email-decline"):
        await browser.get(f"/{page}", params={"token": token})
    assert (await answer(browser, "accept", token)).status_code == 204


async def test_a_registration_link_is_no_link_to_change_an_address(
    here: Reachable, browser: httpx.AsyncClient
) -> None:
    email = an_email()
    body = {"first_name": "Nia", "last_name": "Newcomer", "email": email}
    assert (await browser.post("/v1/auth/register", json=body)).status_code == 204
    token = await here.last_link(email)
    assert problem(await answer(browser, "accept", token)) == (410, "link_ended")


# ---- "this was not me"


async def moved(
    here: Reachable, browser: httpx.AsyncClient, user: User, email: str, password: str = PASSWORD
) -> str:
    """Gives the account another address; answers the token that the old one is mailed."""
    await sign_in(browser, user, password=password)
    assert (await ask(browser, email, password)).status_code == 204
    assert (await answer(browser, "accept", await here.last_link(email))).status_code == 204
    return await here.last_link(user.email)


async def reset(here: Reachable, browser: httpx.AsyncClient, email: str, password: str) -> None:
    await browser.post("/v1/auth/forgot-password", json={"username": email})
    body = {"username": email, "code": await here.last_code(email), "password": password}
    assert (await browser.post("/v1/auth/reset-password", json=body)).status_code == 204


async def test_the_old_address_takes_the_account_back_and_locks_it(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user, email = await an_installer(sessions), an_email()
    token = await moved(here, browser, user, email)
    async with a_browser(here.app) as thief:
        await sign_in(thief, renamed(user, email))
        assert (await answer(browser, "revert", token)).status_code == 204
        assert problem(await thief.get("/v1/auth/user")) == (401, "credentials_changed")
        assert problem(await sign_in(thief, renamed(user, email))) == (401, "invalid_credentials")
    assert problem(await sign_in(browser, user, password="no")) == (401, "invalid_credentials")
    locked = await sign_in(browser, user)
    assert problem(locked) == (403, "reset_required")
    assert locked.json()["detail"] == "Account locked. Please reset password."
    await reset(here, browser, user.email, "Garage-Lantern-26")
    assert (await sign_in(browser, user, password="Garage-Lantern-26")).status_code == 200


async def test_a_way_back_is_walked_once_and_looking_uses_nothing_up(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    token = await moved(here, browser, await an_installer(sessions), an_email())
    await browser.get("/change-email-revert", params={"token": token})
    answers = await asyncio.gather(*(answer(browser, "revert", token) for _ in range(5)))
    assert sorted(each.status_code for each in answers) == [204] + [410] * 4
    assert problem(await answer(browser, "revert", token)) == (410, "link_used")
    assert problem(await answer(browser, "revert", "invented")) == (410, "link_ended")


async def test_of_two_changes_the_first_address_is_the_owners(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    """A thief who moves the account twice can neither end nor overrule the owner's way back."""
    user, first, second = await an_installer(sessions), an_email(), an_email()
    owners = await moved(here, browser, user, first)
    thiefs = await moved(here, browser, renamed(user, first), second)
    assert (await answer(browser, "revert", thiefs)).status_code == 204
    assert (await answer(browser, "revert", owners)).status_code == 204
    assert problem(await sign_in(browser, user)) == (403, "reset_required")


async def test_an_older_way_back_ends_the_newer(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user, first, second = await an_installer(sessions), an_email(), an_email()
    owners = await moved(here, browser, user, first)
    thiefs = await moved(here, browser, renamed(user, first), second)
    assert (await answer(browser, "revert", owners)).status_code == 204
    assert problem(await answer(browser, "revert", thiefs)) == (410, "link_ended")


async def test_a_thiefs_second_factor_goes_with_the_way_back(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user, email = await an_installer(sessions), an_email()
    token = await moved(here, browser, user, email)
    async with a_browser(here.app) as thief:
        await with_app(thief, renamed(user, email))
    assert (await answer(browser, "revert", token)).status_code == 204
    assert "second factor" in (await here.texts_to(user.email))[-1]
    assert await reverted(sessions, user) == {"is_back": True, "second_factor_removed": True}
    await reset(here, browser, user.email, "Garage-Lantern-26")
    entered = await sign_in(browser, user, password="Garage-Lantern-26")
    assert entered.json()["user"]["mfa_type"] == "none"


async def test_a_thiefs_phone_goes_with_it(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    """Switched on before the change was asked for, by the same hands."""
    user, email = await an_installer(sessions), an_email()
    await sign_in(browser, user)
    await ask(browser, email)
    mailed = await here.last_link(email)
    async with sessions.begin() as session:
        await change_phone(session, user.id, "+16045550142")
        await set_mfa(session, user.id, MfaType.SMS)
    assert (await answer(browser, "accept", mailed)).status_code == 204
    token = await here.last_link(user.email)
    assert (await answer(browser, "revert", token)).status_code == 204
    async with sessions() as session:
        account = await find_account(session, user.email)
    assert account is not None
    assert (account.user.mfa_type, account.user.phone_number) == (MfaType.NONE, None)


async def test_the_owners_own_second_factor_stays(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    """Whoever holds the old mailbox alone does not get past a factor from before the change."""
    user = await an_installer(sessions)
    token = await moved(here, browser, user, an_email())
    async with sessions.begin() as session:
        await set_mfa(session, user.id, MfaType.SMS)
        await change_phone(session, user.id, "+16045550143")
        long_ago = func.now() - SET_BEFORE_CHANGE - timedelta(minutes=1)
        which = update(PersonRow).where(PersonRow.id == user.id)
        await session.execute(which.values(mfa_since=long_ago))
    assert (await answer(browser, "revert", token)).status_code == 204
    assert await reverted(sessions, user) == {"is_back": True, "second_factor_removed": False}
    assert "this was not me" in (await here.texts_to(user.email))[-1].lower()
    await reset(here, browser, user.email, "Garage-Lantern-26")
    asked = {"username": user.email, "password": "Garage-Lantern-26"}
    assert (await browser.post("/v1/auth/sign-in", json=asked)).json()["mfa_type"] == "sms"


async def reverted(sessions: Sessions, user: User) -> object:
    """What the record of the way back says."""
    async with sessions() as session:
        return await session.scalar(
            select(AuditRow.more).where(
                AuditRow.action == "e-mail change reverted", AuditRow.object_id == user.id
            )
        )


async def test_nobody_else_gets_the_old_address_meanwhile(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    token = await moved(here, browser, user, an_email())
    body = {"first_name": "Tess", "last_name": "Thief", "email": user.email}
    assert (await browser.post("/v1/auth/register", json=body)).status_code == 204
    await sign_in(browser, await an_installer(sessions))
    before = await here.texts_to(user.email)
    assert (await ask(browser, user.email)).status_code == 204
    assert await here.texts_to(user.email) == before
    assert (await answer(browser, "revert", token)).status_code == 204
    assert problem(await sign_in(browser, user)) == (403, "reset_required")


async def test_without_a_way_back_there_is_no_change(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    """The messenger is down for the old address: the link is not used up."""
    user, email = await an_installer(sessions), an_email()
    old = f"down@{a_name()}.example"
    async with sessions.begin() as session:
        await change_email(session, user.id, old)
    await sign_in(browser, renamed(user, old))
    await ask(browser, email)
    token = await here.last_link(email)
    for _ in range(2):
        assert (await answer(browser, "accept", token)).status_code == 503
    assert (await sign_in(browser, renamed(user, old))).status_code == 200


async def test_an_administrator_locks_an_account_and_nobody_else_does(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    await sign_in(browser, await an_owner(sessions))
    assert problem(await browser.post(f"/v1/user/{user.id}/lock")) == (403, "forbidden")
    await sign_in(browser, await an_admin(sessions))
    assert (await browser.post(f"/v1/user/{user.id}/lock")).status_code == 204
    assert problem(await browser.post("/v1/user/nobody/lock")) == (404, "not_found")
    assert problem(await sign_in(browser, user)) == (403, "reset_required")


async def test_wrong_passwords_lock_no_account(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    for _ in range(20):
        await sign_in(browser, user, password="no")
    async with sessions() as session:
        account = await find_account(session, user.email)
    assert account is not None
    assert not account.reset_required
