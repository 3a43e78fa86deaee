"""Who owns a device ends what somebody else does to it (rulings "Later rulings"; decision 48)."""

from datetime import timedelta

from tests.activation.people.test_openings_api import left_alone
from tests.devices.asking import ask, done
from tests.devices.visits.test_api import an_owned_device, answers, asked
from tests.drivers.factories import a_dealer, an_owner
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Caller, Whole, problem


async def free(caller: Caller, key: str) -> bool:
    headers = {"Idempotency-Key": key + "-free"}
    answer = await caller.browser.post(f"/v1/devices/{key}/free", headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()["ended"]


async def test_an_owner_ends_what_somebody_else_began(whole: Whole) -> None:
    key, owner = a_device_key(), await an_owner(whole.sessions)
    async with whole.signed_in() as stranger, whole.signed_in(owner) as home:
        begun = await stranger.started(key)
        await whole.stage.control(key, owner_dealer_id=owner.dealer_id)
        assert problem(await home.start(key)) == (409, "device_in_use")
        record = await done(home, "GET", f"/v1/devices/{key}")
        assert (record["in_use"], record["activations"]) == (True, [])
        assert await free(home, key)
        assert (await stranger.look(begun["id"]))["state"] == "abandoned"
        assert (await done(home, "GET", f"/v1/devices/{key}"))["in_use"] is False
        mine = await home.started(key)
        assert mine["id"] != begun["id"]


async def test_an_owner_ends_a_visitors_work(whole: Whole) -> None:
    key, owner = await an_owned_device(whole)
    async with whole.signed_in() as visitor, whole.signed_in(owner) as home:
        visit = await asked(visitor, key)
        await answers(home, visit, "yes")
        run = await visitor.started(key, type="service-device")
        assert await free(home, key)
        assert (await visitor.look(run["id"]))["ended"]
        refused = await visitor.start(key, type="service-device")
        assert problem(refused) == (404, "unknown_device")


async def test_nobody_ends_what_is_done_to_a_foreign_device(whole: Whole) -> None:
    key, absent = a_device_key(), a_device_key(traits="900")
    async with whole.signed_in() as installer, whole.signed_in() as stranger:
        begun = await installer.started(key)
        tried = [await ask(stranger, "POST", f"/v1/devices/{k}/free", key=k) for k in (key, absent)]
        assert [problem(each) for each in tried] == [(404, "unknown_device")] * 2
        assert (await installer.look(begun["id"]))["ended"] is False


async def test_the_work_of_ones_own_people_is_not_ended(whole: Whole) -> None:
    key, dealer = a_device_key(), await a_dealer(whole.sessions)
    owner = await an_owner(whole.sessions, dealer)
    await whole.stage.control(key, owner_dealer_id=dealer.id)
    async with whole.signed_in(owner) as home:
        begun = await home.started(key)
        assert not await free(home, key)
        assert (await home.look(begun["id"]))["ended"] is False


async def test_what_was_left_for_a_day_makes_way_for_the_owner_without_asking(whole: Whole) -> None:
    key, owner = a_device_key(), await an_owner(whole.sessions)
    async with whole.signed_in() as stranger, whole.signed_in(owner) as home:
        begun = await stranger.started(key)
        await whole.stage.control(key, owner_dealer_id=owner.dealer_id)
        await left_alone(whole, begun["id"], timedelta(days=1))
        mine = await home.started(key)
        assert mine["id"] != begun["id"]
        ended = await stranger.until(begun["id"], lambda flow: flow["ended"])
        assert ended["state"] == "abandoned"
