"""Second factors: setting up, answering, trusting a browser, switching off."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from fastapi import FastAPI
from pyotp.totp import TOTP
from sqlalchemy import func, select, update

from api.platform.border.cookies import DEVICE
from db.base import Sessions
from db.identity.people import PersonRow
from db.identity.trusted_devices import TrustedDeviceRow
from domain.identity.people import User
from domain.identity.second_factor import MOST_TRUSTED, totp_steps
from tests.drivers.factories import PASSWORD, an_installer
from tests.drivers.portal import a_browser, sign_in, use_token
from tests.drivers.times import NOON
from tests.identity.messages import Reachable, a_reachable_portal

PHONE = "+16045550177"


@pytest.fixture
async def browser(here: Reachable) -> AsyncGenerator[httpx.AsyncClient]:
    async with a_browser(here.app) as client:
        yield client


@pytest.fixture
async def user(sessions: Sessions) -> User:
    return await an_installer(sessions)


def code_at(secret: str, ahead: int) -> str:
    """The code of a step that no test has used yet: each works once."""
    return TOTP(secret).generate_otp(totp_steps(NOON)[0] + ahead)


async def confirm(
    browser: httpx.AsyncClient, challenge: httpx.Response, code: str, **more: object
) -> httpx.Response:
    body = {"challenge_id": challenge.json()["challenge_id"], "code": code, **more}
    answer = await browser.post("/v1/auth/mfa/confirm", json=body)
    if answer.is_success:
        use_token(browser, answer.json()["access_token"])
    return answer


async def ask(browser: httpx.AsyncClient, user: User, *, remember_me: bool = False):
    """Signs in as far as the challenge."""
    body = {"username": user.email, "password": PASSWORD, "remember_me": remember_me}
    return await browser.post("/v1/auth/sign-in", json=body)


async def with_app(browser: httpx.AsyncClient, user: User) -> str:
    """Switches the authenticator app on, with the step before the present one; answers its secret."""
    await sign_in(browser, user)
    secret = (await browser.post("/v1/auth/totp/setup")).json()["secret"]
    answer = await browser.post("/v1/auth/totp/verify", json={"code": code_at(secret, -1)})
    assert answer.status_code == 204
    return secret


async def with_sms(here: Reachable, browser: httpx.AsyncClient, user: User) -> None:
    await sign_in(browser, user)
    await browser.post("/v1/auth/phone/update", json={"phone_number": "+1 (604) 555-0177"})
    body = {"phone_number": PHONE, "code": await here.last_code(PHONE)}
    assert (await browser.post("/v1/auth/phone/verify", json=body)).status_code == 204
    answer = await browser.post("/v1/auth/mfa/preferred", json={"mfa_type": "sms"})
    assert answer.status_code == 204


async def test_an_app_is_set_up_by_secret_and_address(
    browser: httpx.AsyncClient, user: User
) -> None:
    await sign_in(browser, user)
    setup = (await browser.post("/v1/auth/totp/setup")).json()
    address = urlsplit(setup["address"])
    assert address.scheme == "otpauth"
    assert parse_qs(address.query)["secret"] == [setup["secret"]]
    assert (await ask(browser, user)).json()["access_token"]


async def test_the_secret_is_not_kept_in_clear(
    browser: httpx.AsyncClient, user: User, sessions: Sessions
) -> None:
    secret = await with_app(browser, user)
    async with sessions() as session:
        kept = await session.scalar(select(PersonRow.totp_secret).where(PersonRow.id == user.id))
    assert kept
    assert secret.encode() not in kept


async def test_an_app_code_finishes_the_sign_in(browser: httpx.AsyncClient, user: User) -> None:
    secret = await with_app(browser, user)
    challenge = await ask(browser, user, remember_me=True)
    assert challenge.json()["mfa_type"] == "totp"
    assert "access_token" not in challenge.json()
    answer = await confirm(browser, challenge, code_at(secret, 0))
    assert answer.status_code == 200
    assert answer.json()["user"]["id"] == user.id
    assert (await browser.post("/v1/auth/refresh")).status_code == 200


async def test_a_step_works_once_under_fifty_parallel_tries(
    here: Reachable, browser: httpx.AsyncClient, user: User, sessions: Sessions
) -> None:
    """Each try has a challenge of its own, so that only the step can be what is used up. A busy portal may send some
    away (503)."""
    secret = await with_app(browser, user)
    challenges = [await ask(browser, user) for _ in range(10)]
    code = code_at(secret, 0)
    answers = await asyncio.gather(
        *(confirm(browser, challenge, code) for challenge in challenges for _ in range(5))
    )
    assert [answer.status_code for answer in answers].count(200) == 1
    assert {answer.status_code for answer in answers} <= {200, 422, 429, 503}


async def test_a_challenge_works_once(browser: httpx.AsyncClient, user: User) -> None:
    secret = await with_app(browser, user)
    challenge = await ask(browser, user)
    assert (await confirm(browser, challenge, code_at(secret, 0))).status_code == 200
    assert (await confirm(browser, challenge, code_at(secret, 1))).json()["code"] == "code_mismatch"


async def test_the_code_before_the_last_used_one_is_refused(
    browser: httpx.AsyncClient, user: User
) -> None:
    secret = await with_app(browser, user)
    await confirm(browser, await ask(browser, user), code_at(secret, 1))
    answer = await confirm(browser, await ask(browser, user), code_at(secret, 0))
    assert answer.json()["detail"] == "Invalid verification code provided, please try again."


async def test_wrong_codes_are_limited_per_person(browser: httpx.AsyncClient, user: User) -> None:
    secret = await with_app(browser, user)
    for _ in range(10):
        challenge = await ask(browser, user)
        assert (await confirm(browser, challenge, "000000")).status_code in {422, 200}
    answer = await confirm(browser, await ask(browser, user), code_at(secret, 0))
    assert answer.status_code == 429


async def test_a_challenge_alone_opens_nothing(browser: httpx.AsyncClient, user: User) -> None:
    await with_app(browser, user)
    challenge = await ask(browser, user)
    use_token(browser, challenge.json()["challenge_id"])
    assert (await browser.get("/v1/auth/user")).json()["code"] == "invalid_token"


async def test_a_text_message_finishes_the_sign_in(
    here: Reachable, browser: httpx.AsyncClient, user: User
) -> None:
    await with_sms(here, browser, user)
    challenge = await ask(browser, user)
    assert challenge.json()["mfa_type"] == "sms"
    assert challenge.json()["sent_to"].endswith("77")
    assert "555" not in challenge.json()["sent_to"]
    assert (await confirm(browser, challenge, await here.last_code(PHONE))).status_code == 200


async def test_a_code_is_bound_to_its_challenge(
    here: Reachable, browser: httpx.AsyncClient, user: User
) -> None:
    await with_sms(here, browser, user)
    first = await ask(browser, user)
    await ask(browser, user)
    answer = await confirm(browser, first, await here.last_code(PHONE))
    assert answer.json()["code"] == "code_mismatch"


async def test_a_trusted_browser_skips_the_second_factor_and_no_other_does(
    here: Reachable, browser: httpx.AsyncClient, user: User, sessions: Sessions
) -> None:
    secret = await with_app(browser, user)
    challenge = await ask(browser, user)
    answer = await confirm(browser, challenge, code_at(secret, 0), remember_device=True)
    header = next(h for h in answer.headers.get_list("set-cookie") if h.startswith(DEVICE))
    assert "HttpOnly" in header
    assert (await sign_in(browser, user)).json()["access_token"]
    assert (await sign_in(browser, user, password="no")).status_code == 401
    async with a_browser(here.app) as other:
        assert "challenge_id" in (await ask(other, user)).json()
    devices = (await browser.get("/v1/auth/devices")).json()["results"]
    assert len(devices) == 1
    async with sessions() as session:
        kept = await session.scalar(
            select(TrustedDeviceRow.token_hash).where(TrustedDeviceRow.person_id == user.id)
        )
    assert kept
    assert kept not in header


async def test_a_trusted_browser_is_trusted_for_one_person(
    here: Reachable, browser: httpx.AsyncClient, user: User, sessions: Sessions
) -> None:
    await with_app(browser, user)
    await browser.post("/v1/auth/devices/remember", json={"name": "Shop tablet"})
    other = await an_installer(sessions)
    async with a_browser(here.app) as elsewhere:
        await with_app(elsewhere, other)
    assert "challenge_id" in (await ask(browser, other)).json()
    assert "access_token" in (await ask(browser, user)).json()


async def test_a_person_trusts_so_many_browsers_at_once(
    browser: httpx.AsyncClient, user: User, sessions: Sessions
) -> None:
    await sign_in(browser, user)
    used = [await a_trusted_browser(browser) for _ in range(MOST_TRUSTED)]
    async with sessions.begin() as session:
        await session.execute(
            update(TrustedDeviceRow)
            .where(TrustedDeviceRow.id == used[0])
            .values(last_used_at=func.now() + timedelta(minutes=1))
        )
        stale = TrustedDeviceRow.id == used[2]
        await session.execute(update(TrustedDeviceRow).where(stale).values(stamp=-1))
    first = await a_trusted_browser(browser)
    assert await trusted(sessions, user) == {*used, first} - {used[2]}
    second = await a_trusted_browser(browser)
    assert await trusted(sessions, user) == {*used, first, second} - {used[1], used[2]}


async def a_trusted_browser(browser: httpx.AsyncClient) -> str:
    return (await browser.post("/v1/auth/devices/remember", json={})).json()["id"]


async def trusted(sessions: Sessions, user: User) -> set[str]:
    async with sessions() as session:
        kept = await session.scalars(
            select(TrustedDeviceRow.id).where(TrustedDeviceRow.person_id == user.id)
        )
        return set(kept)


async def test_a_forgotten_browser_is_asked_again(browser: httpx.AsyncClient, user: User) -> None:
    await with_app(browser, user)
    device = (await browser.post("/v1/auth/devices/remember", json={})).json()
    assert (await browser.delete(f"/v1/auth/devices/{device['id']}")).status_code == 204
    assert (await browser.delete(f"/v1/auth/devices/{device['id']}")).status_code == 404
    assert "challenge_id" in (await ask(browser, user)).json()


async def test_somebody_elses_browser_cannot_be_forgotten(
    here: Reachable, browser: httpx.AsyncClient, user: User, sessions: Sessions
) -> None:
    await with_app(browser, user)
    device = (await browser.post("/v1/auth/devices/remember", json={})).json()
    async with a_browser(here.app) as other:
        await sign_in(other, await an_installer(sessions))
        assert (await other.delete(f"/v1/auth/devices/{device['id']}")).status_code == 404
    assert "access_token" in (await ask(browser, user)).json()


async def test_trust_ends_after_a_year(
    browser: httpx.AsyncClient, user: User, sessions: Sessions
) -> None:
    await with_app(browser, user)
    await browser.post("/v1/auth/devices/remember", json={})
    async with sessions.begin() as session:
        row = await session.scalar(
            select(TrustedDeviceRow).where(TrustedDeviceRow.person_id == user.id)
        )
        assert row
        assert (row.expires_at - row.created_at).days == 365
        await session.execute(
            update(TrustedDeviceRow)
            .where(TrustedDeviceRow.id == row.id)
            .values(expires_at=TrustedDeviceRow.created_at)
        )
    assert "challenge_id" in (await ask(browser, user)).json()


async def test_switching_on_ends_the_other_sessions(
    here: Reachable, browser: httpx.AsyncClient, user: User
) -> None:
    async with a_browser(here.app) as other:
        await sign_in(other, user)
        await with_app(browser, user)
        assert (await other.get("/v1/auth/user")).status_code == 401
    assert (await browser.get("/v1/auth/user")).status_code == 200


async def test_switching_off_needs_a_code_forgets_devices_and_signs_out(
    browser: httpx.AsyncClient, user: User
) -> None:
    secret = await with_app(browser, user)
    await browser.post("/v1/auth/devices/remember", json={})
    for code in (None, "000000"):
        refused = await browser.post(
            "/v1/auth/mfa/preferred", json={"mfa_type": "none", "code": code}
        )
        assert refused.json()["code"] == "code_mismatch"
    body = {"mfa_type": "none", "code": code_at(secret, 0)}
    assert (await browser.post("/v1/auth/mfa/preferred", json=body)).status_code == 204
    assert (await browser.get("/v1/auth/user")).status_code == 401
    await sign_in(browser, user)
    assert (await browser.get("/v1/auth/devices")).json()["results"] == []


async def test_switching_text_messages_off_takes_a_code_sent_to_the_phone(
    here: Reachable, browser: httpx.AsyncClient, user: User
) -> None:
    await with_sms(here, browser, user)
    await browser.post("/v1/auth/phone/update", json={"phone_number": PHONE})
    body = {"mfa_type": "none", "code": await here.last_code(PHONE)}
    assert (await browser.post("/v1/auth/mfa/preferred", json=body)).status_code == 204
    assert "access_token" in (await ask(browser, user)).json()


async def test_under_text_messages_the_phone_cannot_be_swapped(
    here: Reachable, browser: httpx.AsyncClient, user: User
) -> None:
    await with_sms(here, browser, user)
    answer = await browser.post("/v1/auth/phone/update", json={"phone_number": "+16045550188"})
    assert (answer.status_code, answer.json()["code"]) == (409, "mfa_in_use")


async def test_text_messages_need_a_verified_phone(browser: httpx.AsyncClient, user: User) -> None:
    await sign_in(browser, user)
    answer = await browser.post("/v1/auth/mfa/preferred", json={"mfa_type": "sms"})
    assert answer.json()["code"] == "no_verified_phone"


@pytest.mark.parametrize(
    "phone", ["", "604", "+1604555017", "+160455501777", "+44604555017", "abc"]
)
async def test_a_bad_phone_number_is_told_so(
    browser: httpx.AsyncClient, user: User, phone: str
) -> None:
    await sign_in(browser, user)
    answer = await browser.post("/v1/auth/phone/update", json={"phone_number": phone})
    assert answer.json()["validation_errors"] == [
        {"field": "phone_number", "message": "Phone number invalid"}
    ]


async def test_a_phone_counts_only_with_its_own_code(
    here: Reachable, browser: httpx.AsyncClient, user: User
) -> None:
    await sign_in(browser, user)
    await browser.post("/v1/auth/phone/update", json={"phone_number": PHONE})
    body = {"phone_number": "+16045550188", "code": await here.last_code(PHONE)}
    assert (await browser.post("/v1/auth/phone/verify", json=body)).json()[
        "code"
    ] == "code_mismatch"
    assert (await browser.get("/v1/auth/user")).json()["user"]["phone_number"] is None


async def test_switched_off_by_configuration_nobody_is_asked(
    here: Reachable,
    browser: httpx.AsyncClient,
    user: User,
    database_url: str,
    simulators: FastAPI,
) -> None:
    await with_app(browser, user)
    async with (
        a_reachable_portal(database_url, simulators, mfa_support=False) as plain,
        a_browser(plain.app) as page,
    ):
        assert (await sign_in(page, user)).json()["access_token"]
        answer = await page.post("/v1/auth/totp/setup")
        assert answer.json()["code"] == "mfa_unavailable"
