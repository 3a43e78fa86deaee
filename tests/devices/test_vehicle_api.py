"""The vehicle that a device sits in is known after the activation that named it, to those who named it."""

from typing import Any

from sqlalchemy import text
from structlog.testing import capture_logs

from domain.identity.people import User
from tests.devices.asking import done
from tests.devices.ownership.test_release_api import finished, release
from tests.drivers.factories import a_dealer, an_installer, an_owner
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Caller, Flow, Whole, iccid_of


async def installed(whole: Whole, key: str, by: User) -> dict[str, Any]:
    """A device that was activated to the end, and the vehicle that was named for it."""
    async with whole.signed_in(by) as installer:
        at = await installer.walk_to(await installer.started(key), "complete-activation")
        await installer.submit(at)
        ended = await installer.until(at["id"], lambda flow: flow["ended"])
    vehicle: dict[str, Any] | None = ended["view"]["facts"]["vehicle"]
    assert vehicle is not None
    return vehicle


async def shown(caller: Caller, key: str, **query: str) -> dict[str, Any] | None:
    answer = await caller.browser.get(f"/v1/devices/{key}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()["device"]["vehicle"]


def vehicle_of(run: Flow) -> dict[str, Any] | None:
    return run["view"]["facts"]["vehicle"]


async def test_the_next_activation_and_the_page_know_the_vehicle_of_the_last(whole: Whole) -> None:
    key, dealer = a_device_key(), await a_dealer(whole.sessions)
    first, second = [await an_installer(whole.sessions, dealer) for _ in range(2)]
    vehicle = await installed(whole, key, first)
    async with whole.signed_in(second) as colleague:
        assert await shown(colleague, key) == vehicle
        again = await colleague.started(key, type="service-device")
        assert vehicle_of(again) == vehicle
        asked = await colleague.walk_to(again, "set-vehicle-details")
        assert vehicle_of(asked) == vehicle


async def test_the_network_counts_before_the_portal(whole: Whole) -> None:
    key, first = a_device_key(), await an_installer(whole.sessions)
    await installed(whole, key, first)
    other = {"year": 2019, "make_id": 1, "make": "Acura", "model_id": 2, "model": "ILX"}
    await whole.stage.control(key, vehicle=other)
    async with whole.signed_in(first) as installer:
        assert await shown(installer, key) == other
        assert vehicle_of(await installer.started(key, type="service-device")) == other


async def test_whoever_has_the_device_next_learns_nothing_of_the_vehicle(whole: Whole) -> None:
    key, first, second = a_device_key(), *[await an_owner(whole.sessions) for _ in range(2)]
    await installed(whole, key, first)
    proof = {"iccid_last_digits": iccid_of(key)}
    async with whole.signed_in(first) as home:
        assert (await release(home, key)).json()["released"]
        assert await shown(home, key, **proof) is None
    async with whole.signed_in(second) as next_one:
        assert await shown(next_one, key, **proof) is None
        begun = await next_one.started(key, type="service-device", **proof)
        assert vehicle_of(begun) is None
        await finished(whole, key, second)
        assert await shown(next_one, key) is None


async def test_a_device_that_was_swapped_out_sits_in_no_vehicle(whole: Whole) -> None:
    old, new, owner = a_device_key(), a_device_key(), await an_owner(whole.sessions)
    vehicle = await installed(whole, old, owner)
    async with whole.signed_in(owner) as home:
        swapping = await home.started(old, type="replace-device")
        assert vehicle_of(swapping) == vehicle
        assert (await home.submit(swapping, data={"new_device_key": new})).status_code in (200, 202)
        await home.until(swapping["id"], lambda flow: flow["view"]["facts"]["replaced"])
        assert (await done(home, "GET", f"/v1/devices/{old}"))["device"]["vehicle"] is None


async def test_a_device_that_was_swapped_beside_an_activation_sits_in_no_vehicle(
    whole: Whole,
) -> None:
    old, new, owner = a_device_key(), a_device_key(), await an_owner(whole.sessions)
    vehicle = await installed(whole, old, owner)
    async with whole.signed_in(owner) as home:
        assert await shown(home, old) == vehicle
        body = {"old_device_key": old, "new_device_key": new, "iccid_last_digits": iccid_of(new)}
        await done(home, "PATCH", "/v1/device/swap", body)
        assert await shown(home, old) is None


async def test_a_vehicle_that_cannot_be_read_counts_as_none(whole: Whole) -> None:
    key, owner = a_device_key(), await an_owner(whole.sessions)
    await installed(whole, key, owner)
    of_no_year = text(
        "update flow set view = jsonb_set(view, '{facts,vehicle,year}', '1')"
        " where device_key = :key and outcome = 'completed'"
    )
    async with whole.sessions.begin() as session:
        await session.execute(of_no_year, {"key": key})
    async with whole.signed_in(owner) as home:
        with capture_logs() as logs:
            assert await shown(home, key) is None
        told = [one["device_key"] for one in logs if one["event"] == "a vehicle was left out"]
        assert told == [key]
        assert vehicle_of(await home.started(key, type="service-device")) is None
