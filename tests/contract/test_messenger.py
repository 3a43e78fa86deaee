"""The messenger's client against its stand-in."""

from collections.abc import AsyncGenerator

import pytest

from providers.errors import Refused, Unavailable
from tests.simulators.harness import World, a_world


@pytest.fixture(scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[World]:
    async with a_world(tmp_path_factory.mktemp("messenger") / "state.sqlite") as world:
        yield world


async def test_mail_arrives_once_per_key(world: World):
    for _ in range(2):
        await world.messenger.send_mail("ana@example.com", "Hello", "A text", key="mail-1")
    (mail,) = await world.outbox("ana@example.com")
    assert (mail["kind"], mail["subject"], mail["text"]) == ("mail", "Hello", "A text")


async def test_each_is_written_to_once_whoever_else_is(world: World):
    first, refused, second, later = (
        "ines@example.com",
        "refused@example.com",
        "omar@example.com",
        "pia@example.com",
    )
    for addresses in ((first, refused, second), (later, refused, second, first)):
        await world.messenger.send_to_each(addresses, "Hello", "A text", key="mail-each")
    for address in (first, second, later):
        assert len(await world.outbox(address)) == 1
    assert await world.outbox(refused) == []


async def test_text_message_arrives_once_per_key(world: World):
    for _ in range(2):
        await world.messenger.send_sms("+16045550100", "Your code", key="sms-1")
    (sms,) = await world.outbox("+16045550100")
    assert (sms["kind"], sms["text"]) == ("sms", "Your code")


@pytest.mark.parametrize("to", ["refused@example.com", "not an address"])
async def test_bad_recipient_is_refused_for_good(world: World, to: str):
    with pytest.raises(Refused):
        await world.messenger.send_mail(to, "Hello", "A text", key=f"bad-{to}")
    assert await world.outbox(to) == []


async def test_bad_number_is_refused_for_good(world: World):
    with pytest.raises(Refused):
        await world.messenger.send_sms("+16045550001", "Your code", key="sms-bad")


async def test_flaky_recipient_is_reached_at_the_third_try(world: World):
    for _ in range(2):
        with pytest.raises(Unavailable):
            await world.messenger.send_sms("+16045550003", "Your code", key="sms-flaky")
    await world.messenger.send_sms("+16045550003", "Your code", key="sms-flaky")
    assert len(await world.outbox("+16045550003")) == 1


async def test_lost_reply_leaves_one_mail_after_the_retry(world: World):
    with pytest.raises(Unavailable) as lost:
        await world.messenger.send_mail("lost@example.com", "Hello", "A text", key="mail-lost")
    assert lost.value.may_have_worked
    await world.messenger.send_mail("lost@example.com", "Hello", "A text", key="mail-lost")
    assert len(await world.outbox("lost@example.com")) == 1


async def test_messenger_may_be_down(world: World):
    with pytest.raises(Unavailable):
        await world.messenger.send_mail("down@example.com", "Hello", "A text", key="mail-down")
