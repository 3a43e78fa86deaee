"""Refresh tokens: rotation, two honest tabs, theft, and what remember-me keeps."""

import asyncio

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import select, update

from api.platform.border.cookies import HINT
from api.platform.border.cookies import REFRESH as COOKIE
from db.base import Sessions
from db.identity.sign_ins import REFRESH_GRACE, SignInRow
from db.operations.audit import AuditRow
from tests.drivers.factories import an_installer
from tests.drivers.portal import a_browser, running_portal, sign_in, use_token


async def refresh(browser: httpx.AsyncClient, token: str | None = None) -> httpx.Response:
    """With the browser's cookie, or with this token in its place."""
    if token is not None:
        browser.cookies.clear()
        return await browser.post("/v1/auth/refresh", headers={"Cookie": f"{COOKIE}={token}"})
    return await browser.post("/v1/auth/refresh")


def cookie_of(answer: httpx.Response) -> str:
    value = answer.cookies.get(COOKIE)
    assert value is not None
    return value


@pytest.fixture
async def first(browser: httpx.AsyncClient, sessions: Sessions) -> str:
    """The refresh token of a fresh, remembered sign-in."""
    return cookie_of(await sign_in(browser, await an_installer(sessions), remember_me=True))


async def let_grace_pass(sessions: Sessions, token: str) -> None:
    async with sessions.begin() as session:
        await session.execute(
            update(SignInRow)
            .where(SignInRow.id == token.split(".")[0])
            .values(turned_at=SignInRow.turned_at - 2 * REFRESH_GRACE)
        )


async def test_a_refresh_gives_a_new_access_token_and_a_new_cookie(
    browser: httpx.AsyncClient, first: str
) -> None:
    answer = await refresh(browser)
    assert answer.status_code == 200
    assert cookie_of(answer) != first
    use_token(browser, answer.json()["access_token"])
    assert (await browser.get("/v1/auth/user")).status_code == 200
    assert (await refresh(browser)).status_code == 200


async def test_the_refresh_token_is_kept_from_scripts_and_other_sites(
    portal: FastAPI, sessions: Sessions
) -> None:
    async with a_browser(portal) as browser:
        answer = await sign_in(browser, await an_installer(sessions), remember_me=True)
    header, hint = answer.headers.get_list("set-cookie")
    assert hint.startswith(f"{HINT}=1;")
    assert "HttpOnly" not in hint
    assert "HttpOnly" in header
    assert "SameSite=strict" in header
    assert "Path=/v1/auth" in header
    assert answer.json()["refresh_token"] is None


async def test_behind_tls_the_cookie_is_bound_to_the_host(
    database_url: str, sessions: Sessions
) -> None:
    async with (
        running_portal(database_url, portal_url="https://portal.test") as app,
        a_browser(app, scheme="https") as browser,
    ):
        answer = await sign_in(browser, await an_installer(sessions), remember_me=True)
        header, hint = answer.headers.get_list("set-cookie")
        assert "Secure" in hint
        assert header.startswith(f"__Host-{COOKIE}=")
        assert "Secure" in header
        assert "Path=/;" in header
        assert "Domain" not in header
        assert answer.headers["strict-transport-security"].startswith("max-age=31536000")
        assert (await browser.post("/v1/auth/refresh")).status_code == 200


async def test_two_tabs_refreshing_at_once_both_stay_signed_in(portal: FastAPI, first: str) -> None:
    async with a_browser(portal) as one, a_browser(portal) as other:
        answers = await asyncio.gather(refresh(one, first), refresh(other, first))
    assert [answer.status_code for answer in answers] == [200, 200]
    assert cookie_of(answers[0]) == cookie_of(answers[1])


async def test_fifty_tabs_end_with_one_and_the_same_token(portal: FastAPI, first: str) -> None:
    async def tab(browser: httpx.AsyncClient) -> httpx.Response:
        """A tab that is told to come again, because the machine is busy, does."""
        while (answer := await refresh(browser, first)).status_code == 503:
            continue
        return answer

    async with a_browser(portal) as browser:
        answers = await asyncio.gather(*(tab(browser) for _ in range(50)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({cookie_of(answer) for answer in answers}) == 1


async def test_a_stolen_old_token_ends_the_family_and_is_audited(
    portal: FastAPI, browser: httpx.AsyncClient, sessions: Sessions, first: str
) -> None:
    newest = await refresh(browser)
    await let_grace_pass(sessions, first)
    async with a_browser(portal) as thief:
        refused = await refresh(thief, first)
    assert (refused.status_code, refused.json()["code"]) == (401, "signed_out")
    assert (await refresh(browser, cookie_of(newest))).status_code == 401
    use_token(browser, newest.json()["access_token"])
    assert (await browser.get("/v1/auth/user")).status_code == 401
    async with sessions() as session:
        action = await session.scalar(
            select(AuditRow.action).where(AuditRow.request_id == refused.json()["instance"])
        )
    assert action == "refresh token reused"


async def test_a_token_two_turns_old_has_no_grace(browser: httpx.AsyncClient, first: str) -> None:
    second = cookie_of(await refresh(browser))
    await refresh(browser, second)
    assert (await refresh(browser, first)).status_code == 401


async def test_a_forged_token_ends_nothing(browser: httpx.AsyncClient, first: str) -> None:
    sign_in_id = first.split(".")[0]
    for forged in (
        f"{sign_in_id}.1.{'0' * 64}",
        f"{sign_in_id}.0.x",
        "x",
        "a.b.c",
        f"{sign_in_id}.².",
    ):
        answer = await browser.post(
            "/v1/auth/refresh", json={"refresh_token": forged}, headers={"Cookie": ""}
        )
        assert answer.status_code == 401
    assert (await refresh(browser, first)).status_code == 200


async def test_an_expired_family_refreshes_no_more(
    browser: httpx.AsyncClient, sessions: Sessions, first: str
) -> None:
    async with sessions.begin() as session:
        await session.execute(
            update(SignInRow)
            .where(SignInRow.id == first.split(".")[0])
            .values(expires_at=SignInRow.created_at)
        )
    assert (await refresh(browser)).status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://portal.test.evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {},
    ],
)
async def test_another_sites_page_cannot_refresh(
    portal: FastAPI, first: str, headers: dict[str, str]
) -> None:
    async with a_browser(portal) as page:
        del page.headers["Origin"]
        cookie = {"Cookie": f"{COOKIE}={first}"}
        answer = await page.post("/v1/auth/refresh", headers={**cookie, **headers})
        assert (answer.status_code, answer.json()["code"]) == (403, "foreign_origin")
        allowed = await page.post(
            "/v1/auth/refresh", headers={**cookie, "Sec-Fetch-Site": "same-origin"}
        )
        assert allowed.status_code == 200


async def test_without_remember_me_nothing_is_kept_but_in_memory(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    answer = await sign_in(browser, await an_installer(sessions))
    assert COOKIE not in browser.cookies
    reloaded = await browser.post("/v1/auth/refresh")
    assert reloaded.status_code == 401
    in_memory = answer.json()["refresh_token"]
    next_one = await browser.post("/v1/auth/refresh", json={"refresh_token": in_memory})
    assert next_one.status_code == 200
    assert next_one.json()["refresh_token"] not in {None, in_memory}
    assert COOKIE not in browser.cookies


async def test_signing_in_without_remember_me_drops_the_older_cookie(
    browser: httpx.AsyncClient, sessions: Sessions, first: str
) -> None:
    assert COOKIE in browser.cookies
    await sign_in(browser, await an_installer(sessions))
    assert COOKIE not in browser.cookies


async def test_a_page_is_not_handed_another_persons_session(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    """Two people sign in one after the other in two tabs of one browser: they share the cookie."""
    first, second = await an_installer(sessions), await an_installer(sessions)
    await sign_in(browser, first, remember_me=True)
    await sign_in(browser, second, remember_me=True)
    refused = await browser.post("/v1/auth/refresh", json={"sub": first.id})
    assert (refused.status_code, refused.json()["code"]) == (409, "identity_mismatch")
    renewed = await browser.post("/v1/auth/refresh", json={"sub": second.id})
    assert renewed.json()["user"]["sub"] == second.id
