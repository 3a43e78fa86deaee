"""The bot check in the shape of Turnstile's siteverify: its words, its secrets for tests, and how each failure reads."""

from collections.abc import AsyncGenerator

import httpx
import pytest

from providers.bot_check import BotCheck
from providers.errors import Unavailable
from simulators.bot_check import FAILS, PASSES, SECRET, SPENT
from tests.simulators.harness import BASE, World, a_world


@pytest.fixture(scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[World]:
    async with a_world(tmp_path_factory.mktemp("bot-check") / "state.sqlite") as world:
        yield world


def a_verifier(client: httpx.AsyncClient, secret: str = SECRET) -> BotCheck:
    url = f"{BASE}/bot-check"
    return BotCheck(client, base_url=url, site_key="key", secret=secret, has_widget=True)


@pytest.mark.parametrize(("secret", "is_human"), [(PASSES, True), (FAILS, False), (SPENT, False)])
async def test_the_secrets_for_tests_do_what_they_are_for(
    world: World, secret: str, is_human: bool
) -> None:
    assert (
        await a_verifier(world.http, secret).verify("XXXX.DUMMY.TOKEN.XXXX", "10.0.0.1") is is_human
    )


async def test_a_token_is_sent_as_a_form_with_the_callers_address(world: World) -> None:
    seen: list[httpx.Request] = []

    async def see(request: httpx.Request) -> None:
        seen.append(request)

    transport = httpx.ASGITransport(world.app)
    async with httpx.AsyncClient(transport=transport, event_hooks={"request": [see]}) as client:
        assert await a_verifier(client).verify("human-1", "10.0.0.1")
    (request,) = seen
    assert request.url.path == "/bot-check/siteverify"
    form = dict(httpx.QueryParams(request.content.decode()))
    assert form == {"secret": SECRET, "response": "human-1", "remoteip": "10.0.0.1"}


async def test_an_answer_has_the_words_of_the_document(world: World) -> None:
    told = {"secret": SECRET, "response": "wrong"}
    as_form = (await world.http.post("/bot-check/siteverify", data=told)).json()
    as_json = (await world.http.post("/bot-check/siteverify", json=told)).json()
    for answer in (as_form, as_json):
        assert answer["success"] is False
        assert answer["error-codes"] == ["invalid-input-response"]
        assert {"challenge_ts", "hostname", "action", "cdata"} <= set(answer)
    nothing = (await world.http.post("/bot-check/siteverify", data={"secret": SECRET})).json()
    assert nothing["error-codes"] == ["missing-input-response"]


async def test_a_secret_that_is_not_taken_is_ours_to_mend_and_nobodys_refusal(
    world: World,
) -> None:
    with pytest.raises(Unavailable) as shut:
        await a_verifier(world.http, "another").verify("human-1", "10.0.0.1")
    assert shut.value.answered == 401


@pytest.mark.parametrize("answer", ["misled", "down"])
async def test_what_is_no_verdict_turns_nobody_away(world: World, answer: str) -> None:
    with pytest.raises(Unavailable):
        await a_verifier(world.http).verify(answer, "10.0.0.1")


async def test_every_verdict_stands_in_the_ledger_without_its_token(world: World) -> None:
    for answer in ("human-1", "wrong"):
        await a_verifier(world.http).verify(answer, "10.0.0.1")
    *_, right, wrong = (await world.http.get("/bot-check/_ledger")).json()["results"]
    assert (right["detail"], wrong["detail"]) == ("", "invalid-input-response")
    assert "human-1" not in str(right)


async def test_a_verdict_counts_whatever_its_status(world: World) -> None:
    assert not await a_verifier(world.http).verify("bad", "10.0.0.1")


async def test_without_an_answer_nobody_is_asked() -> None:
    assert not await a_verifier(httpx.AsyncClient()).verify("", "10.0.0.1")
