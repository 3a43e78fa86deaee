"""Text messages in the shape of Twilio's Messages: what is sent is held against the provider's own document."""

import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import httpx
import pytest

from providers.errors import Refused, Unavailable
from providers.messages.texts import Texts
from simulators.messages.texts import ACCOUNT, TOKEN
from tests.simulators.harness import BASE, World, a_world

DOCUMENT: dict[str, Any] = json.loads(Path(__file__).with_name("twilio_messages.json").read_text())
"""Of https://github.com/twilio/twilio-oai, spec/json/twilio_api_v2010.json: creating and reading a message alone."""


@pytest.fixture(scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[World]:
    async with a_world(tmp_path_factory.mktemp("texts") / "state.sqlite") as world:
        yield world


def texts(world: World, client: httpx.AsyncClient | None = None, **more: Any) -> Texts:
    known: dict[str, Any] = {"account": ACCOUNT, "token": TOKEN, "sender": "+16045550199"}
    return Texts(client or world.http, base_url=f"{BASE}/sms", **(known | more))


async def test_a_text_message_arrives(world: World) -> None:
    await world.messenger.send_sms("+16045550100", "Your code")
    (sms,) = await world.outbox("+16045550100")
    assert (sms["kind"], sms["text"]) == ("sms", "Your code")


async def test_request_and_answer_are_those_of_the_providers_document(world: World) -> None:
    seen: list[tuple[httpx.Request, httpx.Response]] = []

    async def see(response: httpx.Response) -> None:
        await response.aread()
        seen.append((response.request, response))

    transport = httpx.ASGITransport(world.app)
    async with httpx.AsyncClient(transport=transport, event_hooks={"response": [see]}) as client:
        await texts(world, client).send("+16045550111", "By number")
        await texts(world, client, sender="MG" + "1" * 32).send("+16045550111", "By service")
    for request, answer in seen:
        path = f"/2010-04-01/Accounts/{ACCOUNT}/Messages.json"
        assert str(request.url) == f"{BASE}/sms{path}"
        assert request.headers["content-type"] == "application/x-www-form-urlencoded"
        form = dict(httpx.QueryParams(request.content.decode()))
        wanted = DOCUMENT["create"]["properties"]
        assert set(form) <= set(wanted)
        assert set(DOCUMENT["create"]["required"]) <= set(form)
        assert answer.status_code == 201
        message = answer.json()
        assert set(message) <= set(DOCUMENT["message"])
        assert message["status"] in DOCUMENT["statuses"]


@pytest.mark.parametrize("to", ["+16045550001", "6045550100"])
async def test_a_bad_number_is_refused_for_good(world: World, to: str) -> None:
    with pytest.raises(Refused) as refusal:
        await world.messenger.send_sms(to, "Your code")
    assert refusal.value.detail == "This is no phone number that can be reached."
    assert await world.outbox(to) == []


async def test_a_flaky_number_is_reached_at_the_third_try(world: World) -> None:
    for _ in range(2):
        with pytest.raises(Unavailable):
            await world.messenger.send_sms("+16045550003", "Your code")
    await world.messenger.send_sms("+16045550003", "Your code")
    assert len(await world.outbox("+16045550003")) == 1


async def test_too_many_at_once_is_no_refusal_of_the_number(world: World) -> None:
    with pytest.raises(Unavailable) as busy:
        await world.messenger.send_sms("+16045550006", "Your code")
    assert busy.value.answered == 429
    assert not busy.value.may_have_worked


async def test_a_lost_reply_may_have_worked(world: World) -> None:
    with pytest.raises(Unavailable) as lost:
        await world.messenger.send_sms("+16045550004", "Your code")
    assert lost.value.may_have_worked


async def test_a_token_that_is_not_taken_is_ours_to_mend(world: World) -> None:
    with pytest.raises(Unavailable) as shut:
        await texts(world, token="another").send("+16045550100", "Your code")
    assert shut.value.answered == 401
    assert await texts(world).account() == "active"


async def test_a_sender_that_is_not_taken_is_ours_to_mend(world: World) -> None:
    with pytest.raises(Unavailable) as ours:
        await texts(world, sender="no number").send("+16045550100", "Your code")
    assert ours.value.answered == 400
    assert not ours.value.may_have_worked


async def test_what_was_never_delivered_can_be_read(world: World) -> None:
    sid = await texts(world).send("+16045550007", "Your code")
    answer = await world.http.get(
        f"/sms/2010-04-01/Accounts/{ACCOUNT}/Messages/{sid}.json", auth=(ACCOUNT, TOKEN)
    )
    assert (answer.json()["status"], answer.json()["error_code"]) == ("undelivered", 30005)
