"""Forgotten, changed and first passwords, and new accounts."""

import asyncio
from collections.abc import AsyncGenerator

import httpx
import jwt
import pytest
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.throttling.mails import SENDING
from db.base import Sessions
from db.identity.codes import CodeRow
from db.identity.credentials import change_password, renew_password_hash
from db.identity.links import LinkRow
from db.identity.people import PersonRow
from domain.identity.people import User
from domain.identity.second_factor import CODE_LIFE
from providers.security.tokens import Tokens
from settings import DEVELOPMENT_TOKEN_SECRET
from tests.drivers.factories import PASSWORD, a_name, an_email, an_installer
from tests.drivers.portal import a_browser, sign_in
from tests.identity.messages import Reachable

NEW = "Garage-Lantern-26"


@pytest.fixture
async def browser(here: Reachable) -> AsyncGenerator[httpx.AsyncClient]:
    async with a_browser(here.app) as client:
        yield client


def problem_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["detail"]


async def forget(browser: httpx.AsyncClient, email: str) -> httpx.Response:
    return await browser.post("/v1/auth/forgot-password", json={"username": email})


async def reset(
    browser: httpx.AsyncClient, user: User, code: str, password: str = NEW
) -> httpx.Response:
    body = {"username": user.email, "code": code, "password": password}
    return await browser.post("/v1/auth/reset-password", json=body)


def another(code: str) -> str:
    return f"{(int(code) + 1) % 1_000_000:06d}"


async def test_a_forgotten_password_is_replaced_by_a_mailed_code(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions, reset_required=True)
    assert (await forget(browser, user.email)).status_code == 204
    assert (await reset(browser, user, await here.last_code(user.email))).status_code == 204
    assert (await sign_in(browser, user)).status_code == 401
    assert (await sign_in(browser, user, password=NEW)).status_code == 200


async def test_a_code_works_once_also_in_parallel(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    await forget(browser, user.email)
    code = await here.last_code(user.email)
    answers = await asyncio.gather(*(reset(browser, user, code, f"{NEW}{n}") for n in range(5)))
    assert sorted(answer.status_code for answer in answers) == [204] + [422] * 4


async def test_a_wrong_code_is_told_so_and_five_kill_the_right_one(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    await forget(browser, user.email)
    code = await here.last_code(user.email)
    for _ in range(5):
        answer = await reset(browser, user, another(code))
        assert problem_of(answer) == (422, "Invalid verification code provided, please try again.")
        assert answer.json()["code"] == "code_mismatch"
    assert (await reset(browser, user, code)).json()["code"] == "code_mismatch"


async def test_a_code_expires(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    await forget(browser, user.email)
    async with sessions.begin() as session:
        await session.execute(
            update(CodeRow)
            .where(CodeRow.person_id == user.id)
            .values(expires_at=CodeRow.expires_at - CODE_LIFE)
        )
    assert (await reset(browser, user, await here.last_code(user.email))).status_code == 422


async def test_a_reset_ends_every_session(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    await sign_in(browser, user)
    await forget(browser, user.email)
    await reset(browser, user, await here.last_code(user.email))
    assert (await browser.get("/v1/auth/user")).json()["code"] == "credentials_changed"


async def test_a_throttled_sign_in_never_stops_a_reset_which_lifts_it(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    async with a_browser(here.app) as stranger:
        del stranger.headers["X-Bot-Check"]
        tries = [await sign_in(stranger, user, password="no") for _ in range(11)]
    assert tries[-1].status_code == 429
    await forget(browser, user.email)
    await reset(browser, user, await here.last_code(user.email))
    assert (await sign_in(browser, user, password=NEW)).status_code == 200


async def test_forgetting_speaks_the_specs_texts(browser: httpx.AsyncClient) -> None:
    assert problem_of(await forget(browser, "")) == (422, "Invalid Request")
    address = an_email()
    for _ in range(10):
        assert problem_of(await forget(browser, address)) == (404, "User not found")
    assert problem_of(await forget(browser, address)) == (
        429,
        "Attempt limit exceeded, please try after some time.",
    )


# ---- changing


async def change(
    browser: httpx.AsyncClient, present: str, new: str = NEW, confirmed: str | None = None
) -> httpx.Response:
    body = {
        "password": present,
        "new_password": new,
        "confirm_new_password": new if confirmed is None else confirmed,
        "access_token": browser.headers["Authorization"].removeprefix("Bearer "),
    }
    return await browser.post("/api/change-password", json=body)


async def test_a_changed_password_ends_the_other_sessions_only(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    await sign_in(browser, user)
    async with a_browser(here.app) as other:
        await sign_in(other, user)
        assert (await change(browser, PASSWORD)).status_code == 204
        assert (await other.get("/v1/auth/user")).status_code == 401
    assert (await browser.get("/v1/auth/user")).status_code == 200
    assert (await sign_in(browser, user, password=NEW)).status_code == 200


async def test_a_wrong_present_password_is_told_so_then_limited(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    await sign_in(browser, await an_installer(sessions))
    for _ in range(10):
        assert problem_of(await change(browser, "not-it")) == (403, "Password invalid")
    assert problem_of(await change(browser, PASSWORD)) == (
        429,
        "Attempt limit exceeded. Please try again in 15 minutes.",
    )


@pytest.mark.parametrize(
    ("new", "confirmed", "field", "message"),
    [
        ("weak", "weak", "new_password", "Password invalid"),
        (NEW, "Garage-Lantern-27", "confirm_new_password", "Passwords do not match"),
    ],
)
async def test_a_bad_new_password_names_its_field(
    browser: httpx.AsyncClient,
    sessions: Sessions,
    new: str,
    confirmed: str,
    field: str,
    message: str,
) -> None:
    await sign_in(browser, await an_installer(sessions))
    answer = await change(browser, PASSWORD, new, confirmed)
    assert answer.json()["validation_errors"] == [{"field": field, "message": message}]


async def test_a_password_change_with_a_revoked_token_is_refused(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    await sign_in(browser, await an_installer(sessions))
    await browser.post("/v1/auth/sign-out")
    assert (await change(browser, PASSWORD)).status_code == 401


async def test_the_token_in_the_body_may_have_run_out_when_the_request_was_sent_anew(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    await sign_in(browser, await an_installer(sessions))
    genuine = browser.headers["Authorization"].removeprefix("Bearer ")
    claims = jwt.decode(genuine, options={"verify_signature": False})
    key = Tokens(DEVELOPMENT_TOKEN_SECRET)._access_key
    headers = {"typ": "at+jwt"}
    over = {**claims, "iat": claims["iat"] - 3600, "exp": claims["exp"] - 3600}
    old = jwt.encode(over, key, algorithm="HS256", headers=headers)
    body = {"password": PASSWORD, "new_password": NEW, "confirm_new_password": NEW}
    sent = {**body, "access_token": old}
    assert (await browser.post("/api/change-password", json=sent)).status_code == 204


async def test_a_foreign_access_token_in_the_body_is_refused(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    await sign_in(browser, await an_installer(sessions))
    async with a_browser(here.app) as other:
        foreign = (await sign_in(other, await an_installer(sessions))).json()["access_token"]
    for token in (foreign, "no token at all"):
        body = {"password": PASSWORD, "new_password": NEW, "confirm_new_password": NEW}
        answer = await browser.post("/api/change-password", json={**body, "access_token": token})
        assert problem_of(answer) == (401, "Invalid JWT token")


async def test_the_old_password_is_no_new_one(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    await sign_in(browser, user)
    await change(browser, PASSWORD)
    same = await change(browser, NEW, NEW)
    await forget(browser, user.email)
    code = await here.last_code(user.email)
    for answer in (same, await reset(browser, user, code)):
        assert problem_of(answer) == (422, "Password invalid")
        assert answer.json()["reason"] == "same"
    assert (await reset(browser, user, code, "Workshop-Kettle-31")).status_code == 204


async def test_without_the_code_a_reset_tells_nothing_of_the_person(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    await forget(browser, user.email)
    code = await here.last_code(user.email)
    for guess in (PASSWORD, f"{user.last_name}-2026!X"):
        assert (await reset(browser, user, another(code), guess)).json()["code"] == "code_mismatch"


# ---- new accounts


async def set_password(browser: httpx.AsyncClient, token: str) -> httpx.Response:
    return await browser.post(
        "/v1/user/set-password",
        params={"token": token},
        json={"password": NEW, "confirm_password": NEW},
    )


async def register(browser: httpx.AsyncClient, email: str) -> httpx.Response:
    body = {"first_name": "Zoë", "last_name": "O'Neil-Test", "email": email}
    return await browser.post("/v1/auth/register", json=body)


async def confirmed_at(sessions: Sessions, email: str) -> object:
    async with sessions() as session:
        return await session.scalar(select(PersonRow.confirmed_at).where(PersonRow.email == email))


async def test_a_new_account_gets_its_password_by_a_link_that_works_once(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    email = an_email()
    assert (await register(browser, email)).status_code == 204
    token = await here.last_link(email)
    assert await confirmed_at(sessions, email) is None
    answers = await asyncio.gather(*(set_password(browser, token) for _ in range(5)))
    assert sorted(answer.status_code for answer in answers) == [204] + [410] * 4
    assert await confirmed_at(sessions, email) is not None


async def test_a_link_leads_to_the_site_where_it_was_asked_for(here: Reachable) -> None:
    email = an_email()
    async with a_browser(here.app, host="us.localhost") as browser:
        await register(browser, email)
    (text,) = await here.texts_to(email)
    assert "http://us.localhost:8000/set-password?token=" in text


async def test_registering_a_taken_address_looks_the_same_and_does_nothing(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    assert (await register(browser, user.email.upper())).status_code == 204
    assert await here.texts_to(user.email) == []
    async with sessions() as session:
        count = select(func.count()).where(PersonRow.email == user.email)
        assert await session.scalar(count) == 1
    assert (await sign_in(browser, user)).status_code == 200


@pytest.mark.parametrize("protected", ["is_owner", "access_type", "dealer_id", "user_type"])
async def test_registering_cannot_set_what_is_protected(
    browser: httpx.AsyncClient, protected: str
) -> None:
    body = {"first_name": "A", "last_name": "B", "email": "a@people.example", protected: "x"}
    answer = await browser.post("/v1/auth/register", json=body)
    assert answer.status_code == 422


async def test_an_unconfirmed_sign_in_resends_the_mail_with_a_fresh_link(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions, is_confirmed=False)
    mailed: list[list[str]] = []
    for _ in range(2):
        assert (await sign_in(browser, user)).json()["code"] == "unconfirmed"
        mailed.append(await here.texts_to(user.email))
    first, second = mailed[-1]
    assert first != second
    old = first.split("token=")[1]
    assert (await set_password(browser, old)).status_code == 410
    assert (await set_password(browser, await here.last_link(user.email))).status_code == 204
    assert (await sign_in(browser, user, password=NEW)).status_code == 200


async def test_a_person_without_a_password_yet_is_told_so_and_mailed_once_more(
    here: Reachable, browser: httpx.AsyncClient
) -> None:
    """Registered or invited, and never confirmed: no password could be the right one."""
    email = an_email()
    await register(browser, email)
    first = await here.texts_to(email)
    body = {"username": email, "password": NEW}
    answer = await browser.post("/v1/auth/sign-in", json=body)
    assert problem_of(answer) == (
        403,
        "New account setup not complete. Please check email for next steps.",
    )
    again = await here.texts_to(email)
    assert len(again) == len(first) + 1
    assert (await set_password(browser, await here.last_link(email))).status_code == 204
    assert (await browser.post("/v1/auth/sign-in", json=body)).json()["code"] == "not_an_installer"


async def test_signing_in_without_a_password_floods_no_mailbox(
    here: Reachable, sessions: Sessions
) -> None:
    user = await an_installer(sessions, is_confirmed=False)
    await forget_password_of(sessions, user)
    for _ in range(SENDING.tries + 3):
        async with a_browser(here.app) as elsewhere:
            assert (await sign_in(elsewhere, user)).json()["code"] == "unconfirmed"
    assert len(await here.texts_to(user.email)) == SENDING.tries


async def test_a_locked_account_without_a_password_is_told_nothing(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    """`Account locked. Please reset password.` is for the right password alone."""
    user = await an_installer(sessions, is_confirmed=False, reset_required=True)
    await forget_password_of(sessions, user)
    assert problem_of(await sign_in(browser, user)) == (401, "Invalid Password/Email")
    assert await here.texts_to(user.email) == []


async def forget_password_of(sessions: Sessions, user: User) -> None:
    async with sessions.begin() as session:
        await session.execute(
            update(PersonRow).where(PersonRow.id == user.id).values(password_hash=None)
        )


async def test_resending_answers_the_same_for_everybody_and_mails_only_the_waiting(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    waiting, done = await an_installer(sessions, is_confirmed=False), await an_installer(sessions)
    for email in (waiting.email, done.email, an_email()):
        answer = await browser.post("/v1/user/email-resend", json={"email": email})
        assert answer.status_code == 204
    assert len(await here.texts_to(waiting.email)) == 1
    assert await here.texts_to(done.email) == []


async def test_an_expired_link_and_an_invented_one_are_gone(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    email = an_email()
    await register(browser, email)
    expired = await here.last_link(email)
    async with sessions.begin() as session:
        await session.execute(
            update(LinkRow).where(LinkRow.email == email).values(expires_at=LinkRow.created_at)
        )
    for token in (expired, "invented"):
        assert problem_of(await set_password(browser, token)) == (
            410,
            "This link is no longer valid.",
        )


async def test_a_messenger_that_is_down_costs_no_refusal_its_text(
    browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions, is_confirmed=False)
    async with sessions.begin() as session:
        email = f"down@{a_name()}.example"
        await session.execute(update(PersonRow).where(PersonRow.id == user.id).values(email=email))
    answer = await sign_in(browser, user.model_copy(update={"email": email}))
    assert answer.json()["code"] == "unconfirmed"


async def test_renewing_a_hash_brings_no_old_password_back(sessions: Sessions) -> None:
    """It takes a moment, and the password may be changed meanwhile."""
    user = await an_installer(sessions)
    async with sessions.begin() as session:
        before = (await session.get_one(PersonRow, user.id)).password_hash
        assert before is not None
        await change_password(session, user.id, "changed")
        await renew_password_hash(session, user.id, before, "renewed")
        assert await hash_of(session, user.id) == "changed"
        await renew_password_hash(session, user.id, "changed", "renewed")
        assert await hash_of(session, user.id) == "renewed"


async def hash_of(session: AsyncSession, person_id: str) -> str | None:
    return await session.scalar(select(PersonRow.password_hash).where(PersonRow.id == person_id))
