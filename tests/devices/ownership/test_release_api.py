"""An owner gives a device up: it is nobody's then (rulings "Later rulings"; decision 34)."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from api.devices import my_devices
from api.platform.idempotency import Claim
from db.runs import device_reservations
from domain.devices.ownership import DeviceFacts, Party
from domain.errors import Unavailable
from domain.identity.people import User
from domain.runs.projection import FlowKind
from tests.devices.asking import ask, done, fresh_key, recorded
from tests.devices.ownership.test_whose_device_api import a_row
from tests.devices.visits.test_api import pays
from tests.drivers.factories import (
    a_dealer,
    a_name,
    an_inside_rep,
    an_installer,
    an_outside_rep,
    an_owner,
)
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Caller, Whole, problem
from tests.partners.factories import a_primary, let_see

GIVEN_UP = ("gave a device up", "done", {})


async def release(caller: Caller, device_key: str, key: str | None = None) -> httpx.Response:
    return await ask(caller, "POST", f"/v1/devices/{device_key}/release", key=key or fresh_key())


async def finished(whole: Whole, key: str, owner: User, ago: timedelta = timedelta(0)) -> None:
    """The people of the owner have installed the device."""
    party = Party(dealer_id=owner.dealer_id, partner_code=owner.partner_code, person_id=owner.id)
    row = a_row("activation", a_name(), key, party, ended=True)
    row.ended_at = datetime.now(UTC) - ago
    async with whole.sessions.begin() as session:
        session.add(row)


async def is_offered(caller: Caller, key: str) -> bool:
    return (await done(caller, "GET", f"/v1/devices/{key}"))["may_release"]


async def test_what_is_given_up_goes_to_whoever_has_it_in_hand(whole: Whole) -> None:
    """Whoever named it as the owner's: the network, and who installed it."""
    key, owner = a_device_key(), await an_owner(whole.sessions)
    await whole.stage.control(key, owner_dealer_id=owner.dealer_id)
    await finished(whole, key, owner)
    once = fresh_key()
    async with whole.signed_in(owner) as home, whole.signed_in() as stranger:
        assert problem(await stranger.start(key)) == (404, "unknown_device")
        assert await is_offered(home, key)
        answers = [await release(home, key, once) for _ in range(2)]
        assert [answer.json() for answer in answers] == [{"device_key": key, "released": True}] * 2
        await stranger.started(key)
        assert problem(await release(home, key)) == (404, "unknown_device")
    assert await whole.stage.effects(key) == {"release": 1}
    assert (await recorded(whole, key)).count(GIVEN_UP) == 1


async def test_a_rep_gives_up_what_is_theirs_alone_and_nothing_of_a_business(whole: Whole) -> None:
    outside, inside = await an_outside_rep(whole.sessions), await an_inside_rep(whole.sessions)
    for rep in (outside, inside):
        key = a_device_key()
        await finished(whole, key, rep)
        async with whole.signed_in(rep) as caller, whole.signed_in() as stranger:
            assert await is_offered(caller, key)
            answer = await release(caller, key)
            assert answer.json() == {"device_key": key, "released": True}
            await stranger.started(key)
    key, dealer = a_device_key(), await a_dealer(whole.sessions)
    await finished(whole, key, await a_primary(whole.sessions, dealer))
    await let_see(whole.sessions, inside, dealer.partner_code)
    async with whole.signed_in(inside) as caller:
        code = {"sapBpCode": dealer.partner_code}
        assert (await caller.browser.put("/v1/auth/business", json=code)).status_code == 200
        assert not await is_offered(caller, key)
        assert problem(await release(caller, key))[0] == 403


@pytest.mark.parametrize("comes", ["the rep's", "another's"])
async def test_whose_it_becomes_while_it_is_asked_for_counts(
    whole: Whole, monkeypatch: pytest.MonkeyPatch, comes: str
) -> None:
    """A business whose people the rep acts for, and one that the rep has nothing to do with."""
    key, rep = a_device_key(), await an_inside_rep(whole.sessions)
    dealer = await a_dealer(whole.sessions)
    primary = await a_primary(whole.sessions, dealer)
    await let_see(whole.sessions, rep, dealer.partner_code)
    await finished(whole, key, rep, timedelta(days=1))
    installs = primary if comes == "the rep's" else await an_owner(whole.sessions)
    authorize = my_devices.authorize_device

    async def and_then(*asked: Any) -> DeviceFacts:
        facts = await authorize(*asked)
        await finished(whole, key, installs)
        return facts

    async with whole.signed_in(rep) as caller:
        code = {"sapBpCode": dealer.partner_code}
        assert (await caller.browser.put("/v1/auth/business", json=code)).status_code == 200
        monkeypatch.setattr(my_devices, "authorize_device", and_then)
        answer = await release(caller, key)
    assert answer.status_code == (403 if comes == "the rep's" else 404)
    assert "release" not in await whole.stage.effects(key)


def _between_network_and_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(my_devices, "save_release", dies)


def _between_row_and_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Claim, "answer", dies)


async def dies(*_: Any, **__: Any) -> None:
    raise Unavailable


@pytest.mark.parametrize("dying", [_between_network_and_row, _between_row_and_answer])
@pytest.mark.parametrize("named_by", ["the network", "its installation", "both"])
async def test_a_repeat_answers_and_records_as_the_first_would_have(
    whole: Whole,
    monkeypatch: pytest.MonkeyPatch,
    dying: Callable[[pytest.MonkeyPatch], None],
    named_by: str,
) -> None:
    key, owner, once = a_device_key(), await an_owner(whole.sessions), fresh_key()
    if named_by != "its installation":
        await whole.stage.control(key, owner_dealer_id=owner.dealer_id)
    if named_by != "the network":
        await finished(whole, key, owner, timedelta(days=1))
    async with whole.signed_in(owner) as home:
        with monkeypatch.context() as dead:
            dying(dead)
            assert (await release(home, key, once)).status_code == 503
        answers = [await release(home, key, once) for _ in range(2)]
        assert [answer.json() for answer in answers] == [{"device_key": key, "released": True}] * 2
        assert not (await release(home, key)).json()["released"]
    assert (await recorded(whole, key)).count(GIVEN_UP) == 1


async def test_nothing_takes_a_device_while_the_network_is_asked_to_let_it_go(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, owner = a_device_key(), await an_owner(whole.sessions)
    await whole.stage.control(key, owner_dealer_id=owner.dealer_id)
    devices = whole.app.state.portal.device_cloud
    let_go = devices.release
    async with whole.signed_in(owner) as home:

        async def meanwhile(device_key: str, **by: Any) -> bool:
            begun = await home.start(key)
            assert problem(begun) == (409, "device_in_use")
            async with whole.sessions.begin() as session:
                held = await device_reservations.held_by_others(session, [key], "purchase", "p")
            assert held == {key}, "a purchase finds that it cannot have it"
            return await let_go(device_key, **by)

        with monkeypatch.context() as asked:
            asked.setattr(devices, "release", meanwhile)
            assert (await release(home, key)).json()["released"]
        await home.started(key)


async def test_a_device_is_free_again_though_the_network_did_not_let_it_go(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, owner = a_device_key(), await an_owner(whole.sessions)
    await whole.stage.control(key, owner_dealer_id=owner.dealer_id)
    async with whole.signed_in(owner) as home:
        with monkeypatch.context() as away:
            away.setattr(whole.app.state.portal.device_cloud, "release", dies)
            assert (await release(home, key)).status_code == 503
        assert await is_offered(home, key)
        await home.started(key)


async def test_who_installs_it_afterwards_has_it_again(whole: Whole) -> None:
    """What the network names nobody for is given up as well."""
    key, owner = a_device_key(), await an_owner(whole.sessions)
    await finished(whole, key, owner, timedelta(days=1))
    async with whole.signed_in(owner) as home, whole.signed_in() as stranger:
        assert (await release(home, key)).json()["released"]
        assert not (await release(home, key)).json()["released"]
        assert (await done(stranger, "POST", "/api/iot/device-check", {"device_key": key}))[
            "results"
        ]
        await finished(whole, key, owner)
        assert await is_offered(home, key)
        answer = await ask(stranger, "POST", "/api/iot/device-check", {"device_key": key})
        assert problem(answer) == (404, "unknown_device")


async def test_a_device_with_a_plan_or_a_run_stays_whose_it_is(whole: Whole) -> None:
    owner = await an_owner(whole.sessions)
    paid, active, updated, bought = (a_device_key() for _ in range(4))
    for key in (paid, active, updated, bought):
        await whole.stage.control(key, owner_dealer_id=owner.dealer_id)
    await pays(whole, paid, owner)
    async with whole.sessions.begin() as session:
        holders: tuple[tuple[str, FlowKind], ...] = ((updated, "firmware"), (bought, "purchase"))
        for key, kind in holders:
            assert await device_reservations.reserve(
                session, device_key=key, kind=kind, flow_id=a_name(), workflow_id=a_name()
            )
    async with whole.signed_in(owner) as home:
        await home.started(active)
        for key, code in (
            (paid, "device_still_paid"),
            (active, "device_still_in_work"),
            (updated, "device_still_in_work"),
            (bought, "device_still_in_work"),
        ):
            assert not await is_offered(home, key)
            assert problem(await release(home, key)) == (409, code)
            assert "release" not in await whole.stage.effects(key)


async def test_only_an_owner_gives_a_device_up(whole: Whole) -> None:
    """Of the business whose it is."""
    key, dealer = a_device_key(), await a_dealer(whole.sessions)
    await whole.stage.control(key, owner_dealer_id=dealer.id)
    installer, other = await an_installer(whole.sessions, dealer), await an_owner(whole.sessions)
    async with whole.signed_in(installer) as one:
        assert not await is_offered(one, key)
        assert (await release(one, key)).status_code == 403
    async with whole.signed_in(other) as stranger:
        refused, unknown = [
            await release(stranger, serial) for serial in (key, a_device_key(traits="900"))
        ]
        assert problem(refused) == problem(unknown) == (404, "unknown_device")
    assert await whole.stage.effects(key) == {}
