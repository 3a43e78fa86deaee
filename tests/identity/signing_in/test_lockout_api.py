"""Nobody locks somebody else out, and guessing is slowed all the same."""

from collections.abc import AsyncGenerator
from types import ModuleType

import httpx
import pytest
from fastapi import FastAPI

from api.platform.deps import CountedAddress
from api.platform.throttling import links, mails, resets, signing_in
from api.platform.throttling.resets import RESET_ACCOUNT, ResetTries
from api.platform.throttling.signing_in import SIGN_IN_ADDRESS
from db.base import Sessions
from db.platform.throttles import Limit
from domain.errors import Throttled
from domain.identity.people import User
from domain.identity.second_factor import CODE_TRIES
from tests.drivers.factories import a_name, an_email, an_installer
from tests.drivers.portal import a_browser, sign_in
from tests.identity.messages import Reachable, a_reachable_portal
from tests.identity.test_email_change_api import answer, ask, moved
from tests.identity.test_passwords_api import NEW, another, forget, register, reset, set_password

STRANGERS = 20


@pytest.fixture
async def browser(here: Reachable) -> AsyncGenerator[httpx.AsyncClient]:
    """A browser whose page solves no puzzle."""
    async with a_browser(here.app) as client:
        del client.headers["X-Bot-Check"]
        yield client


async def guess(here: Reachable, email: str, tries: int = STRANGERS) -> list[httpx.Response]:
    """Each guess comes from an address of its own, without a puzzle solved."""
    answers: list[httpx.Response] = []
    for number in range(tries):
        async with a_browser(here.app) as stranger:
            del stranger.headers["X-Bot-Check"]
            body = {"username": email, "password": f"no-{number}"}
            answers.append(await stranger.post("/v1/auth/sign-in", json=body))
    return answers


async def test_strangers_are_refused_and_told_for_how_long(
    here: Reachable, sessions: Sessions
) -> None:
    answers = await guess(here, (await an_installer(sessions)).email)
    assert [answer.status_code for answer in answers] == [401] * 10 + [429] * 10
    assert answers[-1].json()["code"] == "too_many_attempts"
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 900


async def test_the_address_of_the_last_sign_in_is_exempt(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    assert (await sign_in(browser, user)).status_code == 200
    await guess(here, user.email)
    assert (await sign_in(browser, user)).status_code == 200


async def test_a_trusted_browser_is_exempt_wherever_it_is(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    await sign_in(browser, user)
    assert (await browser.post("/v1/auth/devices/remember", json={})).status_code == 201
    await guess(here, user.email)
    async with a_browser(here.app) as elsewhere:
        del elsewhere.headers["X-Bot-Check"]
        assert (await sign_in(elsewhere, user)).status_code == 429
        elsewhere.cookies = browser.cookies
        assert (await sign_in(elsewhere, user)).status_code == 200


async def test_anywhere_else_a_puzzle_comes_before_the_refusal(
    here: Reachable, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    await guess(here, user.email)
    async with a_browser(here.app) as new_phone:
        assert (await sign_in(new_phone, user)).status_code == 200


async def test_puzzles_open_no_endless_guessing(here: Reachable, sessions: Sessions) -> None:
    user = await an_installer(sessions)
    async with a_browser(here.app) as solver:
        answers = [await sign_in(solver, user, password="no") for _ in range(41)]
    assert [answer.status_code for answer in answers] == [401] * 40 + [429]


async def test_a_known_place_is_limited_too(
    here: Reachable, browser: httpx.AsyncClient, sessions: Sessions
) -> None:
    """Colleagues share an address."""
    user = await an_installer(sessions)
    await sign_in(browser, user)
    answers = [await sign_in(browser, user, password="no") for _ in range(11)]
    assert [answer.status_code for answer in answers] == [401] * 10 + [429]


async def test_a_spray_over_many_accounts_is_refused_by_its_address(here: Reachable) -> None:
    async with a_browser(here.app) as sprayer:
        del sprayer.headers["X-Bot-Check"]
        told: list[int] = []
        for _ in range(SIGN_IN_ADDRESS.tries + 1):
            body = {"username": an_email(), "password": "Summer2026!"}
            told.append((await sprayer.post("/v1/auth/sign-in", json=body)).status_code)
    assert told == [401] * SIGN_IN_ADDRESS.tries + [429]


def lower(patch: pytest.MonkeyPatch, where: ModuleType, name: str, tries: int) -> None:
    """A limit of everybody's that nobody else counts against."""
    limit: Limit = getattr(where, name)
    patch.setattr(where, name, limit.model_copy(update={"kind": a_name(), "tries": tries}))


async def test_a_spray_from_many_addresses_over_many_accounts_is_refused_in_all(
    here: Reachable, sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = await an_installer(sessions)
    lower(monkeypatch, signing_in, "SIGN_IN_ALL", STRANGERS)
    told = [(await guess(here, an_email(), 1))[0].status_code for _ in range(STRANGERS + 5)]
    assert told == [401] * STRANGERS + [429] * 5
    async with a_browser(here.app) as solver:
        assert (await sign_in(solver, user)).status_code == 200


async def test_wrong_codes_of_everybody_refuse_nobodys_reset(
    here: Reachable, sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    user, other = await an_installer(sessions), await an_installer(sessions)
    async with a_browser(here.app) as own, a_browser(here.app) as elsewhere:
        await sign_in(own, user)
        lower(monkeypatch, resets, "RESET_TRY_ALL", 5)
        told: list[int] = []
        for _ in range(8):
            async with a_browser(here.app) as stranger:
                del stranger.headers["X-Bot-Check"]
                told.append((await reset(stranger, other, "000000")).status_code)
        assert told == [422] * 5 + [429] * 3
        await forget(own, user.email)
        del own.headers["X-Bot-Check"]
        assert (await reset(own, user, await here.last_code(user.email))).status_code == 204
        await forget(elsewhere, other.email)
        code = await here.last_code(other.email)
        puzzle = elsewhere.headers.pop("X-Bot-Check")
        assert (await reset(elsewhere, other, code)).status_code == 429
        elsewhere.headers["X-Bot-Check"] = puzzle
        assert (await reset(elsewhere, other, code)).status_code == 204


async def test_puzzles_open_no_endless_trying_of_codes(
    here: Reachable, sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = await an_installer(sessions)
    lower(monkeypatch, resets, "RESET_TRY_ALL", 0)
    async with a_browser(here.app) as solver:
        answers = [await reset(solver, user, "000000") for _ in range(31)]
    assert [answer.status_code for answer in answers] == [422] * 30 + [429]


async def test_those_who_ask_for_codes_shut_out_nobody_who_solved_a_puzzle(
    here: Reachable, sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = await an_installer(sessions)
    lower(monkeypatch, resets, "RESET_ALL", 5)
    for _ in range(8):
        async with a_browser(here.app) as stranger:
            await forget(stranger, an_email())
    async with a_browser(here.app) as new_phone:
        assert (await forget(new_phone, user.email)).status_code == 204
        assert (await reset(new_phone, user, await here.last_code(user.email))).status_code == 204


async def test_strangers_who_ask_and_try_keep_nobody_from_a_reset(
    here: Reachable, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    async with a_browser(here.app) as own:
        await sign_in(own, user)
        for _ in range(STRANGERS):
            async with a_browser(here.app) as stranger:
                await forget(stranger, user.email)
                await reset(stranger, user, "000000")
        assert (await forget(own, user.email)).status_code == 204
        code = await here.last_code(user.email)
        for _ in range(STRANGERS):
            async with a_browser(here.app) as stranger:
                await reset(stranger, user, another(code))
        assert (await reset(own, user, code)).status_code == 204
        assert (await sign_in(own, user, password=NEW)).status_code == 200


async def use_up(here: Reachable, user: User) -> None:
    """Strangers ask as often as anybody may, and one of them tries the newest code as often."""
    for _ in range(RESET_ACCOUNT.tries):
        async with a_browser(here.app) as stranger:
            assert (await forget(stranger, user.email)).status_code == 204
    code = await here.last_code(user.email)
    async with a_browser(here.app) as stranger:
        for _ in range(CODE_TRIES):
            assert (await reset(stranger, user, another(code))).status_code == 422


async def test_who_solved_a_puzzle_is_mailed_a_code_after_strangers_used_up_the_last(
    here: Reachable, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    await use_up(here, user)
    async with a_browser(here.app) as new_phone:
        assert (await forget(new_phone, user.email)).status_code == 204
        code = await here.last_code(user.email)
        async with a_browser(here.app) as stranger:
            for _ in range(CODE_TRIES):
                await reset(stranger, user, another(code))
        assert (await reset(new_phone, user, code)).status_code == 204
        assert (await sign_in(new_phone, user, password=NEW)).status_code == 200


async def test_puzzles_open_no_endless_asking(
    here: Reachable, sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    lower(monkeypatch, resets, "RESET_ADDRESS", 0)
    async with a_browser(here.app) as solver:
        told = [await forget(solver, (await an_installer(sessions)).email) for _ in range(11)]
    assert [answer.status_code for answer in told] == [204] * 10 + [429]


async def test_nor_for_one_account_from_many_addresses(sessions: Sessions) -> None:
    tries, email, elsewhere = ResetTries(sessions), an_email(), CountedAddress("203.0.113.99")
    for number in range(20):
        await tries.count_solved_reset_ask(email, CountedAddress(f"203.0.113.{number}"))
    with pytest.raises(Throttled):
        await tries.count_solved_reset_ask(email, elsewhere)
    await tries.count_solved_reset_ask(an_email(), elsewhere)


async def test_without_a_puzzle_a_code_that_strangers_used_up_is_waited_for(
    database_url: str, simulators: FastAPI, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    async with a_reachable_portal(database_url, simulators, bot_check_key="") as unchecked:
        await use_up(unchecked, user)
        async with a_browser(unchecked.app) as new_phone:
            assert (await forget(new_phone, user.email)).status_code == 429


async def test_a_trusted_browser_resets_wherever_it_is(
    database_url: str,
    simulators: FastAPI,
    sessions: Sessions,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever strangers have used up, in asking for a code and in trying one."""
    user = await an_installer(sessions)
    async with (
        a_reachable_portal(database_url, simulators, bot_check_key="") as unchecked,
        a_browser(unchecked.app) as own,
        a_browser(unchecked.app) as elsewhere,
    ):
        await sign_in(own, user)
        assert (await own.post("/v1/auth/devices/remember", json={})).status_code == 201
        await use_up(unchecked, user)
        lower(monkeypatch, resets, "RESET_TRY_ALL", 0)
        assert (await forget(elsewhere, user.email)).status_code == 429
        assert (await reset(elsewhere, user, "000000")).status_code == 429
        elsewhere.cookies = own.cookies
        assert (await forget(elsewhere, user.email)).status_code == 204
        code = await unchecked.last_code(user.email)
        assert (await reset(elsewhere, user, code)).status_code == 204


async def test_wrong_codes_without_a_live_one_count_against_nobody(
    here: Reachable, sessions: Sessions
) -> None:
    user = await an_installer(sessions)
    for _ in range(STRANGERS):
        async with a_browser(here.app) as stranger:
            assert (await reset(stranger, user, "000000")).status_code == 422
    async with a_browser(here.app) as new_phone:
        assert (await forget(new_phone, user.email)).status_code == 204
        assert (await reset(new_phone, user, await here.last_code(user.email))).status_code == 204


async def test_strangers_cannot_flood_a_mailbox(here: Reachable, sessions: Sessions) -> None:
    """Beyond the limit the newest code is the one that works; asking again mails no other."""
    user = await an_installer(sessions)
    for _ in range(STRANGERS):
        async with a_browser(here.app) as stranger:
            assert (await forget(stranger, user.email)).status_code == 204
    assert len(await here.texts_to(user.email)) == 10
    async with a_browser(here.app) as new_phone:
        assert (await reset(new_phone, user, await here.last_code(user.email))).status_code == 204


async def test_after_a_reset_the_place_is_known(here: Reachable, sessions: Sessions) -> None:
    user = await an_installer(sessions)
    async with a_browser(here.app) as new_phone:
        await forget(new_phone, user.email)
        await reset(new_phone, user, await here.last_code(user.email))
        await guess(here, user.email)
        del new_phone.headers["X-Bot-Check"]
        assert (await sign_in(new_phone, user, password=NEW)).status_code == 200


async def test_who_registers_and_guesses_in_an_office_shuts_nobody_there_out_of_a_mailed_link(
    here: Reachable,
    browser: httpx.AsyncClient,
    sessions: Sessions,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    user, other = await an_installer(sessions), await an_installer(sessions)
    newcomer, thiefs, declined = an_email(), an_email(), an_email()
    async with a_browser(here.app) as elsewhere:
        assert (await register(elsewhere, newcomer)).status_code == 204
        way_back = await moved(here, elsewhere, user, thiefs)
        await sign_in(elsewhere, other)
        assert (await ask(elsewhere, declined)).status_code == 204
    first, change = await here.last_link(newcomer), await here.last_link(declined)
    lower(monkeypatch, mails, "REGISTER_ADDRESS", 0)
    lower(monkeypatch, links, "LINK_ADDRESS", 3)
    body = {"email": an_email()}
    assert (await browser.post("/v1/user/email-resend", json=body)).status_code == 429
    wrong = [
        await set_password(browser, "guess"),
        await answer(browser, "accept", "guess"),
        await answer(browser, "revert", "guess"),
        await answer(browser, "decline", "guess"),
        await set_password(browser, "another"),
    ]
    assert [each.status_code for each in wrong] == [410] * 3 + [429] * 2
    assert (await set_password(browser, first)).status_code == 204
    assert (await answer(browser, "decline", change)).status_code == 204
    assert (await answer(browser, "revert", way_back)).status_code == 204
