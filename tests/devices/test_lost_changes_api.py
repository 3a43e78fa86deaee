"""A change of a device whose process dies, or gets no answer of the network: it is recorded all the same (promises 49 and 51)."""

from datetime import timedelta
from typing import Any

import pytest

from activities.devices.changes import LostChanges
from api.devices.calls import changes, lifecycle
from db.devices.changes import changes_left
from db.plans.plans import present_subscriptions
from domain.identity.people import User
from providers.errors import Unavailable
from tests.devices.asking import ask, done, fresh_key, recorded
from tests.devices.visits.test_api import pays
from tests.drivers.factories import an_owner
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Whole, problem

AT_ONCE = timedelta(0)
ARM = {"command": "arm"}


async def dies(*_: Any, **__: Any) -> None:
    raise Unavailable(system="device_cloud", may_have_worked=True)


async def round_of(whole: Whole) -> None:
    """What the reconciler finds of changes that nobody has recorded."""
    devices = whole.app.state.portal.device_cloud
    await LostChanges(devices, whole.sessions, AT_ONCE).complete()


async def left(whole: Whole) -> tuple[str, ...]:
    async with whole.sessions() as session:
        found = await changes_left(session, after=AT_ONCE, limit=100)
    return tuple(change.device_key for change in found)


async def own_devices(whole: Whole, owner: User, count: int = 1) -> list[str]:
    keys = [a_device_key() for _ in range(count)]
    for key in keys:
        await whole.stage.control(key, owner_dealer_id=owner.dealer_id)
    return keys


async def a_swap_that_fails(whole: Whole) -> tuple[str, str]:
    """Of an owner's device that has a plan, with another one; both devices."""
    owner = await an_owner(whole.sessions)
    old, new = await own_devices(whole, owner, 2)
    await pays(whole, old, owner)
    async with whole.signed_in(owner) as home:
        await done(home, "PATCH", "/v1/device/activate", {"device_key": old})
        body = {"old_device_key": old, "new_device_key": new}
        answer = await ask(home, "PATCH", "/v1/device/swap", body)
    assert problem(answer) == (503, "provider_unavailable")
    return old, new


async def payers(whole: Whole, *keys: str) -> set[str]:
    """Those of the devices that have a plan in our own books."""
    async with whole.sessions() as session:
        return set(await present_subscriptions(session, list(keys)))


async def test_a_command_whose_process_died_is_recorded_and_not_sent_again(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = await an_owner(whole.sessions)
    (key,) = await own_devices(whole, owner)
    async with whole.signed_in(owner) as home:
        with monkeypatch.context() as dead:
            dead.setattr(changes, "end_change", dies)
            body = {"device_key": key, **ARM}
            answer = await ask(home, "POST", "/api/iot/send-command", body, key=fresh_key())
            assert answer.status_code == 503
        assert await recorded(whole, key) == []
        assert key in await left(whole)
        for _ in range(2):
            await round_of(whole)
    facts = {**ARM, "came_of_it": "unknown"}
    of_person = [one for one in await recorded(whole, key) if one[0] == "sent a device command"]
    assert of_person == [("sent a device command", "accepted", facts)]
    assert await whole.stage.effects(key) == {"command:arm": 1}
    assert key not in await left(whole)


async def test_a_plan_goes_along_though_the_process_died_after_the_swap(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as dead:
        dead.setattr(lifecycle, "save_swap", dies)
        old, new = await a_swap_that_fails(whole)
    assert await payers(whole, old, new) == {old}
    await round_of(whole)
    assert await payers(whole, old, new) == {new}
    swaps = [one for one in await recorded(whole, old) if one[0] == "swapped a device"]
    assert swaps == [("swapped a device", "done", {"new_device_key": new})]
    assert (await whole.stage.effects(old))["swap"] == 1


async def test_a_swap_that_the_network_never_knew_of_moves_no_plan(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as away:
        away.setattr(whole.app.state.portal.device_cloud, "swap", dies)
        old, new = await a_swap_that_fails(whole)
    await round_of(whole)
    assert await payers(whole, old, new) == {old}
    facts = {"new_device_key": new, "code": "unavailable"}
    assert ("swapped a device", "refused", facts) in await recorded(whole, old)
    assert "swap" not in await whole.stage.effects(old)
    assert old not in await left(whole)


async def test_who_gives_a_device_up_is_recorded_though_the_network_did_not_answer(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = await an_owner(whole.sessions)
    (key,) = await own_devices(whole, owner)
    path = f"/v1/devices/{key}/release"
    async with whole.signed_in(owner) as home:
        with monkeypatch.context() as away:
            away.setattr(whole.app.state.portal.device_cloud, "release", dies)
            assert (await ask(home, "POST", path, key=fresh_key())).status_code == 503
        await round_of(whole)
        assert (await ask(home, "POST", path, key=fresh_key())).status_code == 200
    told = [one for one in await recorded(whole, key) if one[0] == "gave a device up"]
    unknown = ("gave a device up", "accepted", {"came_of_it": "unknown"})
    assert told == [unknown, ("gave a device up", "done", {})]
    assert key not in await left(whole)
