"""Signing in and out, as a browser meets it."""

import asyncio
from typing import Any

import httpx
import jwt
import pytest
from fastapi import FastAPI
from sqlalchemy import select, update

from db.base import Sessions
from db.demo.people import PASSWORD
from db.identity.people import InstallerRow, PersonRow
from db.operations.audit import AuditRow
from domain.identity.people import User
from providers.security.tokens import Tokens
from settings import DEVELOPMENT_TOKEN_SECRET
from tests.drivers.factories import a_non_installer, an_admin, an_inside_rep, an_installer, an_owner
from tests.drivers.portal import a_browser, sign_in, use_token


def problem_of(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, answer.json()["detail"]


async def who(browser: httpx.AsyncClient) -> httpx.Response:
    return await browser.get("/v1/auth/user")


async def audited(sessions: Sessions, request_id: str) -> list[tuple[str, str, str | None]]:
    async with sessions() as session:
        rows = await session.scalars(select(AuditRow).where(AuditRow.request_id == request_id))
        return [(row.action, row.outcome, row.object_id) for row in rows]


async def test_an_installer_signs_in_and_is_known(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    answer = await sign_in(browser, user)
    assert answer.status_code == 200
    assert answer.json()["user"]["email"] == user.email
    me = (await who(browser)).json()
    assert me["user"]["id"] == user.id
    assert me["user"]["label"] == "Installer"
    assert me["user"]["purchasing_rights"] is False


async def test_the_address_may_be_typed_in_any_case(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_owner(sessions)
    body = {"username": f"  {user.email.upper()} ", "password": PASSWORD}
    assert (await browser.post("/v1/auth/sign-in", json=body)).status_code == 200


@pytest.mark.parametrize("header", ["Authorization", "X-Access-Token"])
async def test_the_token_is_taken_from_either_header(
    browser: httpx.AsyncClient, sessions: Sessions, header: str
) -> None:
    answer = await sign_in(browser, await an_inside_rep(sessions))
    del browser.headers["Authorization"]
    token = answer.json()["access_token"]
    value = f"Bearer {token}" if header == "Authorization" else token
    assert (await browser.get("/v1/auth/user", headers={header: value})).status_code == 200


@pytest.mark.parametrize(
    "body",
    [{}, {"username": "a@people.example"}, {"password": "x"}, {"username": " ", "password": "x"}],
)
async def test_an_incomplete_form_is_told_to_be_completed(
    browser: httpx.AsyncClient, body: dict[str, str]
) -> None:
    answer = await browser.post("/v1/auth/sign-in", json=body)
    assert problem_of(answer) == (422, "Please complete all fields")


async def test_unknown_user_and_wrong_password_are_told_the_same(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    wrong = await sign_in(browser, user, password="not-it")
    unknown = await sign_in(browser, user.model_copy(update={"email": "nobody@people.example"}))
    assert problem_of(wrong) == problem_of(unknown) == (401, "Invalid Password/Email")
    assert wrong.json()["code"] == unknown.json()["code"]
    assert [row[:2] for row in await audited(sessions, wrong.json()["instance"])] == [
        ("sign-in refused", "refused")
    ]


async def test_every_character_of_a_long_password_counts(
    portal: FastAPI, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    password = "Aa1!" + "x" * 95
    kept = await portal.state.portal.passwords.hash(password)
    await change(sessions, user, password_hash=kept)
    assert (await sign_in(browser, user, password=password[:-1])).status_code == 401
    assert (await sign_in(browser, user, password=password)).status_code == 200


async def test_a_locked_account_is_told_so_only_with_the_right_password(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions, reset_required=True)
    assert problem_of(await sign_in(browser, user, password="no"))[1] == "Invalid Password/Email"
    assert problem_of(await sign_in(browser, user)) == (
        403,
        "Account locked. Please reset password.",
    )


async def test_an_unconfirmed_account_is_told_so_only_with_the_right_password(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions, is_confirmed=False)
    assert problem_of(await sign_in(browser, user, password="no"))[1] == "Invalid Password/Email"
    assert problem_of(await sign_in(browser, user)) == (
        403,
        "New account setup not complete. Please check email for next steps.",
    )


async def test_a_non_installer_is_refused(browser: httpx.AsyncClient, sessions: Sessions) -> None:
    answer = await sign_in(browser, await a_non_installer(sessions))
    assert problem_of(answer) == (403, "Invalid Installer Account. Please activate as guest.")


async def test_the_eleventh_wrong_try_on_an_account_is_refused_even_if_right(
    portal: FastAPI, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    for _ in range(10):
        async with a_browser(portal) as elsewhere:
            assert (await sign_in(elsewhere, user, password="no")).status_code == 401
    async with a_browser(portal) as browser:
        answer = await sign_in(browser, user)
    assert problem_of(answer) == (429, "Attempt limit exceeded, please try after some time.")
    assert 0 < int(answer.headers["Retry-After"]) <= 900


async def test_parallel_wrong_tries_do_not_slip_past_the_limit(
    portal: FastAPI, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    async with a_browser(portal) as browser:
        answers = await asyncio.gather(
            *(sign_in(browser, user, password=f"no-{n}") for n in range(20))
        )
    assert sorted(answer.status_code for answer in answers) == [401] * 10 + [429] * 10


async def test_right_tries_use_up_no_limit(browser: httpx.AsyncClient, sessions: Sessions) -> None:
    user = await an_installer(sessions)
    for _ in range(12):
        assert (await sign_in(browser, user)).status_code == 200


async def test_a_forwarding_header_does_not_change_the_address(
    portal: FastAPI, sessions: Sessions
) -> None:
    async with a_browser(portal, address="10.200.0.1") as browser:
        browser.headers["X-Forwarded-For"] = "203.0.113.9"
        answer = await sign_in(browser, await an_installer(sessions), password="no")
    async with sessions() as session:
        found = await session.scalar(
            select(AuditRow.address).where(AuditRow.request_id == answer.json()["instance"])
        )
    assert found == "10.200.0.1"


# ---- tokens


async def change(sessions: Sessions, user: User, **values: object) -> None:
    async with sessions.begin() as session:
        await session.execute(update(PersonRow).where(PersonRow.id == user.id).values(**values))


async def test_rights_are_read_on_each_request(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_owner(sessions)
    await sign_in(browser, user)
    async with sessions.begin() as session:
        await session.execute(
            update(InstallerRow).where(InstallerRow.person_id == user.id).values(is_owner=False)
        )
    me = (await who(browser)).json()["user"]
    assert me["roles"] == ["installer"]
    await change(sessions, user, is_retired=True)
    assert (await who(browser)).json()["user"]["roles"] == ["retired"]


FORGERIES: dict[str, dict[str, Any]] = {
    "another key": {"key": b"x" * 48},
    "another algorithm": {"algorithm": "HS384", "key": b"x" * 48},
    "no signature": {"algorithm": "none", "key": None},
    "another type": {"headers": {"typ": "JWT"}},
    "another audience": {"claims": {"aud": "elsewhere"}},
    "another issuer": {"claims": {"iss": "elsewhere"}},
}


@pytest.mark.parametrize("forgery", FORGERIES)
async def test_a_forged_token_is_refused(
    browser: httpx.AsyncClient, sessions: Sessions, forgery: str
) -> None:
    genuine = (await sign_in(browser, await an_admin(sessions))).json()["access_token"]
    claims = jwt.decode(genuine, options={"verify_signature": False})
    change = FORGERIES[forgery]
    key = change.get("key", Tokens(DEVELOPMENT_TOKEN_SECRET)._access_key)
    use_token(
        browser,
        jwt.encode(
            {**claims, **change.get("claims", {})},
            key,
            algorithm=change.get("algorithm", "HS256"),
            headers=change.get("headers", {"typ": "at+jwt"}),
        ),
    )
    assert problem_of(await who(browser)) == (401, "Invalid JWT token")


async def test_an_expired_token_says_so(browser: httpx.AsyncClient, sessions: Sessions) -> None:
    genuine = (await sign_in(browser, await an_admin(sessions))).json()["access_token"]
    claims = jwt.decode(genuine, options={"verify_signature": False})
    assert claims["exp"] - claims["iat"] <= 15 * 60
    key = Tokens(DEVELOPMENT_TOKEN_SECRET)._access_key
    old = {**claims, "iat": claims["iat"] - 3600, "exp": claims["exp"] - 3600}
    use_token(browser, jwt.encode(old, key, algorithm="HS256", headers={"typ": "at+jwt"}))
    answer = await who(browser)
    assert (answer.status_code, answer.json()["code"]) == (401, "token_expired")


async def test_the_same_forgery_without_a_change_is_genuine(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    """Guards the two tests above: the hand-made token is right but for the change."""
    genuine = (await sign_in(browser, await an_admin(sessions))).json()["access_token"]
    claims = jwt.decode(genuine, options={"verify_signature": False})
    key = Tokens(DEVELOPMENT_TOKEN_SECRET)._access_key
    use_token(browser, jwt.encode(claims, key, algorithm="HS256", headers={"typ": "at+jwt"}))
    assert (await who(browser)).status_code == 200


async def test_without_a_drone_profile_nobody_signs_in_or_stays(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    await sign_in(browser, user, remember_me=True)
    async with sessions.begin() as session:
        person = update(PersonRow).where(PersonRow.id == user.id)
        await session.execute(person.values(drone_user_id=None))
    for answer in (
        await who(browser),
        await browser.post("/v1/auth/refresh"),
        await sign_in(browser, user),
    ):
        assert (answer.status_code, answer.json()["code"]) == (401, "no_drone_profile")


# ---- signing out


async def test_signing_out_acts_on_the_next_request(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    await sign_in(browser, await an_installer(sessions), remember_me=True)
    assert (await browser.post("/v1/auth/sign-out")).status_code == 204
    answer = await who(browser)
    assert (answer.status_code, answer.json()["code"]) == (401, "signed_out")
    assert (await browser.post("/v1/auth/refresh")).status_code == 401


async def test_signing_out_works_twice_and_without_a_session(browser: httpx.AsyncClient) -> None:
    for _ in range(2):
        assert (await browser.post("/v1/auth/sign-out")).status_code == 204


async def test_signing_out_here_leaves_the_other_browser_alone(
    portal: FastAPI, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    async with a_browser(portal) as here, a_browser(portal) as there:
        await sign_in(here, user)
        await sign_in(there, user)
        await here.post("/v1/auth/sign-out")
        assert (await who(there)).status_code == 200


async def test_a_sign_in_that_goes_with_its_tab_leaves_and_the_cookie_of_another_stays(
    portal: FastAPI, sessions: Sessions, browser: httpx.AsyncClient
) -> None:
    async with a_browser(portal) as tab:
        left = (await sign_in(tab, await an_installer(sessions))).json()
        await sign_in(browser, await an_installer(sessions), remember_me=True)
        body = {"refresh_token": left["refresh_token"]}
        assert (await browser.post("/v1/auth/sign-out", json=body)).status_code == 204
        assert (await who(tab)).status_code == 401
    assert (await browser.post("/v1/auth/refresh")).status_code == 200


async def test_a_token_that_ran_out_signs_out_all_the_same(
    portal: FastAPI, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    genuine = (await sign_in(browser, await an_installer(sessions))).json()["access_token"]
    claims = jwt.decode(genuine, options={"verify_signature": False})
    key = Tokens(DEVELOPMENT_TOKEN_SECRET)._access_key
    old = {**claims, "iat": claims["iat"] - 3600, "exp": claims["exp"] - 3600}
    async with a_browser(portal) as leaving:
        use_token(leaving, jwt.encode(old, key, algorithm="HS256", headers={"typ": "at+jwt"}))
        assert (await leaving.post("/v1/auth/sign-out")).status_code == 204
    assert (await who(browser)).status_code == 401


async def test_a_browser_that_was_left_without_a_network_is_signed_out_by_its_cookie_alone(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    await sign_in(browser, await an_installer(sessions), remember_me=True)
    use_token(browser, "")
    assert (await browser.post("/v1/auth/sign-out", json={})).status_code == 204
    assert (await browser.post("/v1/auth/refresh")).status_code == 401


async def test_signing_out_everywhere_ends_every_session(
    portal: FastAPI, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    async with a_browser(portal) as here, a_browser(portal) as there:
        await sign_in(here, user)
        await sign_in(there, user, remember_me=True)
        assert (await here.post("/v1/auth/sign-out-everywhere")).status_code == 204
        assert (await who(here)).status_code == 401
        assert (await who(there)).status_code == 401
        assert (await there.post("/v1/auth/refresh")).status_code == 401


async def test_nobody_cannot_sign_out_everywhere(browser: httpx.AsyncClient) -> None:
    assert problem_of(await browser.post("/v1/auth/sign-out-everywhere")) == (
        401,
        "Please log in to continue.",
    )
