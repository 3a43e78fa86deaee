"""Nobody tries one serial number after the other, and nobody holds more devices than they can work on (decision 34)."""

import uuid
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import httpx
import pytest
from sqlalchemy import update

from db.runs.flows import FlowRow
from domain.activation.activation import OpeningPolicy
from domain.devices.ownership import Party
from tests.devices.ownership.doors import DOORS, READS_NO_DEVICE, Named, knocks, needs_own_run
from tests.devices.ownership.test_whose_device_api import a_row
from tests.drivers.factories import a_dealer, an_installer, an_owner
from tests.drivers.stage import a_device_key
from tests.drivers.until import until
from tests.drivers.whole_portal import Whole, iccid_of, problem
from tests.plans.purchases.buying import PREMIUM, a_buyer, devices, ready


@contextmanager
def limited(whole: Whole, **policy: int) -> Generator[None]:
    """The portal with these limits."""
    before = whole.app.state.portal
    whole.app.state.portal = replace(before, opening_policy=OpeningPolicy(**policy))
    try:
        yield
    finally:
        whole.app.state.portal = before


async def test_who_tries_one_serial_number_after_the_other_is_slowed(whole: Whole) -> None:
    absent = [a_device_key(traits="900") for _ in range(3)]
    with limited(whole, per_hour=2):
        async with whole.signed_in() as one, whole.signed_in() as other:
            tried = [problem(await one.start(key)) for key in absent]
            assert tried == [(404, "unknown_device")] * 2 + [(429, "throttled")]
            refused = await one.start(a_device_key())
            assert problem(refused) == (429, "throttled")
            assert 0 < int(refused.headers["retry-after"]) <= 3600
            await other.started(a_device_key())


async def test_going_on_with_what_is_under_way_begins_nothing(whole: Whole) -> None:
    key = a_device_key()
    with limited(whole, per_hour=2):
        async with whole.signed_in() as one:
            begun = await one.started(key)
            for _ in range(4):
                assert (await one.started(key))["id"] == begun["id"]
            await one.started(a_device_key())
            assert problem(await one.start(a_device_key())) == (429, "throttled")


async def test_another_device_for_a_run_counts_as_one_begun(whole: Whole) -> None:
    with limited(whole, per_hour=1):
        async with whole.signed_in() as one:
            begun = await one.started(a_device_key())
            changed = await one.send(
                begun["id"], "change-device", seq=begun["seq"], device_key=a_device_key()
            )
            assert problem(changed) == (429, "throttled")
            assert (await one.look(begun["id"]))["seq"] == begun["seq"]


@pytest.mark.parametrize("path", ["device-check", "device-purchasing-check"])
async def test_only_wrong_serial_numbers_use_up_the_looks(whole: Whole, path: str) -> None:
    with limited(whole, wrong_per_hour=2):
        async with whole.signed_in() as one:

            async def look(key: str) -> int:
                answer = await one.browser.post(f"/api/iot/{path}", json={"device_key": key})
                return answer.status_code

            assert [await look(a_device_key()) for _ in range(4)] == [200] * 4
            absent = [await look(a_device_key(traits="900")) for _ in range(3)]
            assert absent == [404, 404, 429]


async def a_foreign_device(whole: Whole) -> str:
    key, dealer = a_device_key(), await a_dealer(whole.sessions)
    await whole.stage.control(key, owner_dealer_id=dealer.id)
    return key


async def test_starts_in_vain_are_counted_as_looks(whole: Whole) -> None:
    """At the limits of production: fewer than one may begin."""
    foreign, most = await a_foreign_device(whole), OpeningPolicy().wrong_per_hour
    async with whole.signed_in() as one, whole.signed_in() as other:
        own = a_device_key()
        begun = await one.started(own)
        told = [problem(await one.start(foreign)) for _ in range(most + 1)]
        assert told == [(404, "unknown_device")] * most + [(429, "throttled")]
        assert problem(await one.start(a_device_key())) == (429, "throttled")
        assert (await one.started(own))["id"] == begun["id"]
        await other.started(a_device_key())


COUNTING = [
    named for named, door in DOORS.items() if not door.of_run and door.operation != READS_NO_DEVICE
]


@pytest.mark.parametrize("named", COUNTING, ids=" ".join)
async def test_every_door_counts_what_is_foreign_or_unknown(
    whole: Whole, named: tuple[str, str]
) -> None:
    door, wrong = DOORS[named], 409 if DOORS[named].like_absent else 404
    dealer, foreign, own = (
        await a_dealer(whole.sessions),
        await a_foreign_device(whole),
        a_device_key(),
    )
    owner = await an_owner(whole.sessions, dealer)
    await ready(whole)
    party = Party(dealer_id=dealer.id, partner_code=dealer.partner_code, person_id=owner.id)
    async with whole.sessions.begin() as session:
        session.add(a_row("activation", uuid.uuid4().hex, own, party, ended=True))
    async with whole.signed_in(owner) as one:
        own_run = (await one.started(a_device_key()))["id"] if needs_own_run(door) else ""

        async def knock(key: str) -> httpx.Response:
            behind = Named(key, own_run, a_device_key() if key != own else own, own_run)
            return await until(
                lambda: knocks(one, door, behind, digits=iccid_of(key)),
                lambda answer: answer.status_code != 202,
            )

        with limited(whole, wrong_per_hour=2):
            tried = [foreign, a_device_key(traits="900"), foreign]
            assert [(await knock(key)).status_code for key in tried] == [wrong, wrong, 429]
            assert (await knock(a_device_key())).status_code == 429
            reached = await knock(own)
            assert reached.is_success or problem(reached)[1] not in ("unknown_device", "throttled")


async def test_of_a_purchase_each_wrong_serial_number_counts(whole: Whole) -> None:
    await ready(whole)
    async with a_buyer(whole) as buyer:
        absent = [a_device_key(traits="900") for _ in range(3)]
        with limited(whole, wrong_per_hour=3):
            await buyer.quoted(dict.fromkeys([*devices(1), *absent], PREMIUM))
            refused = await buyer.pay(dict.fromkeys(devices(1), PREMIUM), validate="true")
            assert problem(refused) == (429, "throttled")
            bought = await buyer.pay(dict.fromkeys(devices(1), PREMIUM))
            assert problem(bought) == (429, "throttled")


async def test_a_cart_with_somebody_elses_device_in_it_is_priced_as_often_as_one_likes(
    whole: Whole,
) -> None:
    """It tells nothing new; what one has agreed to is bought all the same."""
    await ready(whole)
    async with a_buyer(whole) as buyer:
        cart = dict.fromkeys([*devices(2), await a_foreign_device(whole)], PREMIUM)
        with limited(whole, wrong_per_hour=2):
            told = [await buyer.quoted(cart) for _ in range(4)]
            absent = dict.fromkeys([a_device_key(traits="900")], PREMIUM)
            assert (await buyer.pay(absent, validate="true")).status_code in (202, 409)
            assert problem(await buyer.pay(cart, validate="true")) == (429, "throttled")
            confirmed = await buyer.confirmed(told[-1]["uuid"])
            assert confirmed.status_code in (200, 202)


async def test_to_look_again_at_what_one_has_worked_on_is_no_guess(whole: Whole) -> None:
    key = a_device_key()
    async with whole.signed_in() as one:
        begun = await one.started(key)
        left = await one.send(begun["id"], "abandon", seq=begun["seq"], reason="sold")
        assert left.status_code == 200, left.text
        async with whole.signed_in() as another:
            await another.started(key)
        with limited(whole, wrong_per_hour=2):
            told = [(await one.browser.get(f"/v1/devices/{key}")).status_code for _ in range(4)]
            assert told == [404] * 4
            assert (await one.start(a_device_key(traits="900"))).status_code == 404


async def test_another_device_for_a_run_that_is_foreign_counts_too(whole: Whole) -> None:
    foreign = await a_foreign_device(whole)
    async with whole.signed_in() as one:
        begun = await one.started(a_device_key())
        with limited(whole, wrong_per_hour=2):
            for status in (404, 404, 429):
                answer = await one.send(
                    begun["id"], "change-device", seq=begun["seq"], device_key=foreign
                )
                assert answer.status_code == status, answer.text


async def test_unfinished_activations_of_a_person_and_of_a_dealer_have_an_end(whole: Whole) -> None:
    dealer = await a_dealer(whole.sessions)
    first, second = [await an_installer(whole.sessions, dealer) for _ in range(2)]
    async with whole.signed_in(first) as one, whole.signed_in(second) as colleague:
        with limited(whole, open_of_person=1, open_of_dealer=2):
            begun = await one.started(a_device_key())
            assert problem(await one.start(a_device_key())) == (409, "too_many_open")
            await colleague.started(a_device_key())
        with limited(whole, open_of_person=2, open_of_dealer=2):
            assert problem(await one.start(a_device_key())) == (409, "too_many_open")
            left = await one.send(begun["id"], "abandon", seq=begun["seq"], reason="sold")
            assert left.status_code == 200, left.text
            await one.started(a_device_key())


async def left_alone(whole: Whole, flow_id: str, for_: timedelta = timedelta(days=1)) -> None:
    async with whole.sessions.begin() as session:
        await session.execute(
            update(FlowRow)
            .where(FlowRow.id == flow_id)
            .values(updated_at=FlowRow.updated_at - for_)
        )


@pytest.mark.parametrize("state", ["power-on-device", "check-firmware"])
async def test_what_was_begun_and_left_for_a_day_keeps_nobody_from_the_device(
    whole: Whole, state: str
) -> None:
    """Nor where the device was asked whether it is there."""
    key = a_device_key()
    async with whole.signed_in() as first, whole.signed_in() as second:
        left = await first.walk_to(await first.started(key), state)
        await left_alone(whole, left["id"], timedelta(hours=23))
        assert problem(await second.start(key)) == (404, "unknown_device")
        await left_alone(whole, left["id"])
        begun = await second.started(key)
        assert begun["id"] != left["id"]
        ended = await first.until(left["id"], lambda flow: flow["ended"])
        assert ended["state"] == "abandoned"
        assert problem(await first.start(key)) == (404, "unknown_device")
        answer = await second.submit(begun)
        assert answer.status_code in (200, 202), answer.text


async def test_who_has_done_something_to_a_device_keeps_it(whole: Whole) -> None:
    key = a_device_key()
    async with whole.signed_in() as first, whole.signed_in() as second:
        held = await first.started(key)
        held = await first.walk_to(held, "device-testing")
        sent = await first.send(held["id"], "commands", seq=held["seq"], command="arm")
        assert sent.status_code in (200, 202), sent.text
        await left_alone(whole, held["id"], timedelta(days=3))
        assert problem(await second.start(key)) == (404, "unknown_device")
