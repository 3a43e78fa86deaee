"""What a guest began is taken over at once by whoever signs in and proves possession (rulings "Later rulings"; decision 48)."""

from collections.abc import Callable

import pytest

from api.platform.throttling.devices import GUEST_DEVICE
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Caller, Flow, Whole, iccid_of, problem


async def a_guests(whole: Whole, key: str) -> Flow:
    async with whole.anonymous() as guest:
        return await guest.started(key, iccid_last_digits=iccid_of(key))


def wrong_digits(key: str) -> str:
    return f"{(int(iccid_of(key)) + 1) % 100_000:05d}"


async def check(caller: Caller, key: str, digits: str | None = None) -> int:
    body = {"device_key": key} | ({"iccid_last_digits": digits} if digits else {})
    return (await caller.browser.post("/api/iot/device-check", json=body)).status_code


async def test_who_has_the_device_in_hand_takes_it_over_and_goes_on(whole: Whole) -> None:
    key = a_device_key()
    guests = await a_guests(whole, key)
    async with whole.signed_in() as installer:
        assert await check(installer, key, iccid_of(key)) == 200
        taken = await installer.started(key, iccid_last_digits=iccid_of(key))
        assert taken["id"] != guests["id"]
        assert taken["view"]["guest"] is False
        assert (await installer.started(key))["id"] == taken["id"]
        await installer.walk_to(taken, "completed")
    async with whole.anonymous(guests["resume_token"]) as guest:
        left = await guest.look(guests["id"])
        assert (left["ended"], left["state"]) == (True, "abandoned")
        assert (await guest.submit(guests)).status_code == 410


@pytest.mark.parametrize("digits", [None, wrong_digits])
async def test_without_the_proof_it_looks_as_if_it_never_was(
    whole: Whole, digits: Callable[[str], str] | None
) -> None:
    key, absent = a_device_key(), a_device_key(traits="900")
    guests = await a_guests(whole, key)
    async with whole.signed_in() as installer:
        more = [{"iccid_last_digits": digits(each)} if digits else {} for each in (key, absent)]
        refused = await installer.start(key, **more[0])
        never = await installer.start(absent, **more[1])
        assert problem(refused) == problem(never) == (404, "unknown_device")
        assert await check(installer, key, more[0].get("iccid_last_digits")) == 404
    async with whole.anonymous(guests["resume_token"]) as guest:
        assert (await guest.look(guests["id"]))["ended"] is False


async def test_guessing_comes_to_an_end_and_tells_nothing(whole: Whole) -> None:
    key, absent = a_device_key(), a_device_key(traits="900")
    await a_guests(whole, key)
    async with whole.signed_in() as installer:

        async def tried(device: str) -> list[int]:
            wrong = wrong_digits(device)
            return [await check(installer, device, wrong) for _ in range(GUEST_DEVICE.tries + 1)]

        assert await tried(key) == await tried(absent) == [404] * GUEST_DEVICE.tries + [429]
        refused = await installer.start(key, iccid_last_digits=iccid_of(key))
        assert problem(refused) == (429, "throttled")


async def test_the_digits_take_nothing_from_another_business(whole: Whole) -> None:
    key = a_device_key()
    async with whole.signed_in() as first, whole.signed_in() as second:
        begun = await first.started(key)
        refused = await second.start(key, iccid_last_digits=iccid_of(key))
        assert problem(refused) == (404, "unknown_device")
        assert (await first.look(begun["id"]))["ended"] is False


async def test_what_is_known_as_ones_own_has_no_digits_to_run_out_of(whole: Whole) -> None:
    key = a_device_key()
    async with whole.signed_in() as installer, whole.signed_in() as stranger:
        begun = await installer.started(key)
        for _ in range(GUEST_DEVICE.tries + 1):
            await check(stranger, key, wrong_digits(key))
        assert await check(installer, key, iccid_of(key)) == 200
        started = await installer.started(key, iccid_last_digits=iccid_of(key))
        assert started["id"] == begun["id"]
