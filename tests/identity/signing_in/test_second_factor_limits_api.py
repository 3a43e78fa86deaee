"""Whoever has somebody's password alone neither guesses the second factor nor keeps its owner out."""

from collections.abc import AsyncGenerator

import httpx
import pytest

from api.platform.throttling.signing_in import (
    CHALLENGE_CODE,
    CHALLENGE_CODE_PERSON,
    CHALLENGE_SENDING,
    CHALLENGE_SENDING_PERSON,
    SignInTries,
)
from db.base import Sessions
from domain.errors import Throttled
from domain.identity.people import TooManySignIns, User
from domain.identity.second_factor import CODE_TRIES
from tests.drivers.factories import a_name, an_installer
from tests.drivers.portal import a_browser
from tests.identity.messages import Reachable
from tests.identity.signing_in.test_second_factor_api import (
    PHONE,
    ask,
    code_at,
    confirm,
    with_app,
    with_sms,
)
from tests.identity.test_passwords_api import NEW, another, forget, reset


@pytest.fixture
async def own(here: Reachable) -> AsyncGenerator[httpx.AsyncClient]:
    """The browser that the owner signed in with last."""
    async with a_browser(here.app) as client:
        yield client


@pytest.fixture
async def user(sessions: Sessions) -> User:
    return await an_installer(sessions)


async def guess(browser: httpx.AsyncClient, user: User, tries: int) -> list[int]:
    """Each guess has a challenge of its own."""
    return [
        (await confirm(browser, await ask(browser, user), "000000")).status_code
        for _ in range(tries)
    ]


async def guess_elsewhere(here: Reachable, user: User) -> None:
    """One guess more than strangers have, each from an address of its own."""
    told: list[int] = []
    for _ in range(CHALLENGE_CODE.tries + 1):
        async with a_browser(here.app) as thief:
            told += await guess(thief, user, 1)
    assert told == [422] * CHALLENGE_CODE.tries + [429]


async def start_anew(here: Reachable, browser: httpx.AsyncClient, user: User) -> httpx.Response:
    """A new password, and the challenge that signing in with it meets."""
    await forget(browser, user.email)
    assert (await reset(browser, user, await here.last_code(user.email))).status_code == 204
    body = {"username": user.email, "password": NEW}
    return await browser.post("/v1/auth/sign-in", json=body)


async def test_codes_that_are_guessed_elsewhere_keep_nobody_out_where_they_signed_in_last(
    here: Reachable, own: httpx.AsyncClient, user: User
) -> None:
    secret = await with_app(own, user)
    await guess_elsewhere(here, user)
    assert (await confirm(own, await ask(own, user), code_at(secret, 0))).status_code == 200


async def test_a_reset_is_the_way_in_from_a_new_place(
    here: Reachable, own: httpx.AsyncClient, user: User
) -> None:
    secret = await with_app(own, user)
    await guess_elsewhere(here, user)
    async with a_browser(here.app) as new_phone:
        refused = await confirm(new_phone, await ask(new_phone, user), code_at(secret, 0))
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_attempts")
        challenge = await start_anew(here, new_phone, user)
        assert (await confirm(new_phone, challenge, code_at(secret, 0))).status_code == 200


async def test_and_from_an_office_where_a_colleague_guessed(
    here: Reachable, own: httpx.AsyncClient, user: User
) -> None:
    secret = await with_app(own, user)
    assert (await guess(own, user, 11))[-1] == 429
    challenge = await start_anew(here, own, user)
    assert (await confirm(own, challenge, code_at(secret, 0))).status_code == 200


async def test_signed_in_nobody_waits_for_what_was_guessed_at_the_door(
    here: Reachable, own: httpx.AsyncClient, user: User
) -> None:
    secret = await with_app(own, user)
    await guess_elsewhere(here, user)
    off = {"mfa_type": "none", "code": code_at(secret, 0)}
    assert (await own.post("/v1/auth/mfa/preferred", json=off)).status_code == 204


async def test_codes_that_are_sent_elsewhere_keep_nobody_out_where_they_signed_in_last(
    here: Reachable, own: httpx.AsyncClient, user: User
) -> None:
    await with_sms(here, own, user)
    told: list[int] = []
    for _ in range(CHALLENGE_SENDING.tries + 1):
        async with a_browser(here.app) as thief:
            told.append((await ask(thief, user)).status_code)
    assert told == [200] * CHALLENGE_SENDING.tries + [429]
    challenge = await ask(own, user)
    assert (await confirm(own, challenge, await here.last_code(PHONE))).status_code == 200


async def test_wrong_codes_for_one_challenge_use_up_no_other_code(
    here: Reachable, own: httpx.AsyncClient, user: User
) -> None:
    await with_sms(here, own, user)
    async with a_browser(here.app) as thief:
        thiefs = await ask(thief, user)
        challenge = await ask(own, user)
        code = await here.last_code(PHONE)
        for _ in range(CODE_TRIES):
            assert (await confirm(thief, thiefs, another(code))).status_code == 422
    assert (await confirm(own, challenge, code)).status_code == 200


async def test_many_known_places_open_no_endless_guessing(sessions: Sessions) -> None:
    """Whoever reads the mail as well makes each place known by a reset."""
    tries, person_id = SignInTries(sessions), a_name()
    for number in range(CHALLENGE_CODE_PERSON.tries):
        await tries.count_challenge_code(person_id, f"address 203.0.113.{number}")
    with pytest.raises(TooManySignIns):
        await tries.count_challenge_code(person_id, "address 203.0.113.99")
    for number in range(CHALLENGE_SENDING_PERSON.tries):
        await tries.count_challenge_sending(person_id, f"address 203.0.113.{number}")
    with pytest.raises(TooManySignIns):
        await tries.count_challenge_sending(person_id, "address 203.0.113.99")


async def test_what_strangers_are_refused_does_not_count_towards_that(sessions: Sessions) -> None:
    tries, person_id = SignInTries(sessions), a_name()
    refused = 0
    for _ in range(CHALLENGE_CODE_PERSON.tries + 1):
        try:
            await tries.count_challenge_code(person_id, None)
        except Throttled:
            refused += 1
    assert refused == CHALLENGE_CODE_PERSON.tries + 1 - CHALLENGE_CODE.tries
    await tries.count_challenge_code(person_id, "address 203.0.113.1")
