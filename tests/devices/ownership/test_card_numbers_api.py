"""A card number that is typed for a serial number looks like a serial number that nobody knows, and is kept, told and logged
nowhere; a serial number of digits alone works like any other (decision 37)."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace

import pytest
from structlog.testing import capture_logs
from temporalio.client import Client

from api.platform.throttling.devices import GUEST_DEVICE
from domain.activation.activation import OpeningPolicy
from domain.identity.people import User
from tests.activation.people.test_openings_api import limited
from tests.canary.scan import Canary, search, tables
from tests.devices.ownership.doors import NAMING, READS_NO_DEVICE, Named, knocks
from tests.drivers.factories import an_admin, an_owner
from tests.drivers.portal import a_key, running_portal
from tests.drivers.stage import a_card_number, a_device_key, a_number_key, check_digit
from tests.drivers.whole_portal import Caller, ToStandIns, Whole, iccid_of, keyed, problem
from tests.plans.purchases.buying import ONCE, PREMIUM, a_buyer, ready, stubborn


class Left:
    """What was logged meanwhile, and what the database holds."""

    def __init__(self, url: str, temporal: Client) -> None:
        self._url, self._temporal = url, temporal
        self.logged: list[bytes] = []

    async def of(self, number: str) -> list[str]:
        """Where any form of the number is, its plain hash among them."""
        canary = Canary("number", number, is_short=True)
        parts = [*tables(self._url), ("logs", b"\n".join(self.logged))]
        found = await asyncio.to_thread(search, [canary], parts)
        runs = await self._temporal.count_workflows(f"DeviceKey = '{number}'")
        return found + ["runs"] * runs.count

    @contextmanager
    def listening(self) -> Generator[None]:
        with capture_logs() as lines:
            yield
        self.logged += [repr(line).encode() for line in lines]


@pytest.fixture
def left(database_urls: tuple[str, str], temporal: Client) -> Left:
    return Left(database_urls[1], temporal)


@asynccontextmanager
async def without_network(
    whole: Whole, database_url: str, temporal_address: str
) -> AsyncGenerator[Whole]:
    """The same portal, as another process of it that does not reach the device network."""
    async with running_portal(
        database_url, temporal_address=temporal_address, outside=ToStandIns()
    ) as app:
        yield Whole(app, whole.stage, whole.sessions)


async def own_run(caller: Caller) -> str:
    return (await caller.started(a_device_key()))["id"]


async def refusals(caller: Caller, number: str, run_id: str) -> dict[str, tuple[int, str]]:
    """Door → how the number was refused there."""
    found: dict[str, tuple[int, str]] = {}
    for door in NAMING:
        answer = await knocks(caller, door, Named(number, run_id, a_device_key(), run_id))
        assert number not in answer.text, (door.operation, answer.text)
        if door.operation != READS_NO_DEVICE:
            found[f"{door.operation} {len(found)}"] = problem(answer)
    return found


async def the_owner(whole: Whole) -> User:
    await ready(whole)
    return await an_owner(whole.sessions)


async def test_at_every_door_it_is_a_device_that_nobody_knows(whole: Whole, left: Left) -> None:
    """Of which there are more than anybody may try in vain."""
    number = a_card_number()
    async with whole.signed_in(await the_owner(whole)) as owner:
        run_id = await own_run(owner)
        with left.listening(), limited(whole, wrong_per_hour=len(NAMING)):
            told = await refusals(owner, number, run_id)
    assert set(told.values()) == {(404, "unknown_device")}, told
    assert await left.of(number) == []
    assert await whole.stage.effects(number) == {}


async def test_nor_does_an_administrator_have_it_kept(whole: Whole, left: Left) -> None:
    number = a_card_number()
    async with whole.signed_in(await an_admin(whole.sessions)) as admin:
        run_id = await own_run(admin)
        with left.listening():
            told = await refusals(admin, number, run_id)
    barred = {name: said for name, said in told.items() if said != (404, "unknown_device")}
    assert set(barred.values()) == {(403, "forbidden"), (409, "no_business_for_plans")}, barred
    assert len(barred) < len(told) / 4
    assert await left.of(number) == []


async def test_nor_a_guest_who_guesses(whole: Whole, left: Left) -> None:
    number = a_card_number()
    body = {"device_key": number, "iccid_last_digits": "12345"}
    async with whole.anonymous() as guest:
        with left.listening():
            checked = await guest.browser.post("/api/iot/device-check", json=body)
            begun = await guest.start(number, iccid_last_digits="12345")
    assert problem(checked) == problem(begun) == (404, "unknown_device")
    assert await left.of(number) == []


async def test_while_the_network_is_away_nothing_is_kept_and_no_opening_used_up(
    whole: Whole, left: Left, database_url: str, temporal_address: str
) -> None:
    number = a_card_number()
    person = await the_owner(whole)
    async with whole.signed_in(person) as here:
        run_id = await own_run(here)
    async with (
        without_network(whole, database_url, temporal_address) as away,
        away.signed_in(person) as owner,
    ):
        one_more = OpeningPolicy(per_hour=2)
        away.app.state.portal = replace(away.app.state.portal, opening_policy=one_more)
        with left.listening():
            first = [problem(await owner.start(number))[0] for _ in range(3)]
            changed = await owner.send(run_id, "change-device", seq=1, device_key=number)
            told = await refusals(owner, number, run_id)
    assert first == [503] * 3
    assert problem(changed)[0] == 503
    assert {status for status, _ in told.values()} == {503}, told
    assert await left.of(number) == []


async def test_an_administrator_is_told_of_no_device_while_the_network_is_away(
    whole: Whole, database_url: str, temporal_address: str
) -> None:
    async with (
        without_network(whole, database_url, temporal_address) as away,
        away.signed_in(await an_admin(whole.sessions)) as admin,
    ):
        read = await admin.browser.get(f"/v1/devices/{a_card_number()}")
        known = await admin.browser.get(f"/v1/devices/{a_device_key()}")
    assert (problem(read)[0], known.status_code) == (503, 200)


@pytest.mark.parametrize("typed", ["4532 0151 1283 0366", "Visa 4532015112830366"])
async def test_what_no_serial_number_looks_like_comes_into_no_purchase(
    whole: Whole, left: Left, typed: str
) -> None:
    async with a_buyer(whole) as buyer:
        for validate in ("true", None):
            answer = await buyer.pay({typed: PREMIUM}, validate=validate)
            assert problem(answer) == (422, "malformed_device_key")
            assert "0366" not in answer.text
    assert await left.of(typed) == []


async def test_what_is_tried_again_is_of_the_purchase(whole: Whole, left: Left) -> None:
    number = a_card_number()
    async with a_buyer(whole) as buyer:
        quote = await buyer.quoted({stubborn(ONCE, 7): PREMIUM})
        await buyer.confirmed(quote["uuid"], buyer.card)
        await buyer.until(quote["uuid"], "part_failed")
        refused = await buyer.browser.post(
            f"/v1/purchases/{quote['uuid']}/retry", json={"device_keys": [number]}, headers=a_key()
        )
    assert problem(refused) == (404, "unknown_device")
    assert await left.of(number) == []


async def test_the_name_of_a_row_is_not_told_again(whole: Whole) -> None:
    number = a_card_number()
    async with whole.signed_in() as installer:
        begun = await installer.started(a_device_key())
        form = {"changes": {number: "twelve"}}
        answer = await installer.submit(begun, step="keylocker-option-tables", data=form)
        key = begun["view"]["device"]["device_key"]
        patched = await installer.browser.patch(
            f"/v1/device/{key}/option-tables", json=form, headers=a_key()
        )
    assert (answer.status_code, patched.status_code) == (422, 422)
    assert number not in answer.text + patched.text


async def test_what_the_network_refuses_is_refused_in_its_words(whole: Whole) -> None:
    async with whole.signed_in() as installer:
        told = {
            problem(await installer.start(key))
            for key in (a_number_key(traits="800"), a_device_key(traits="800"))
        }
    assert told == {(409, "device_blocked")}


async def test_a_device_with_a_number_for_a_serial_number_is_activated_to_its_end(
    whole: Whole,
) -> None:
    key = a_number_key()
    async with whole.signed_in() as installer:
        body = {"device_key": key}
        checked = await installer.browser.post("/api/iot/device-check", json=body)
        assert checked.json()["results"][0]["device_key"] == key
        begun = await installer.started(key)
        assert (await installer.started(key))["id"] == begun["id"]
        ended = await installer.walk_to(begun, "completed")
        assert ended["view"]["device"]["device_key"] == key
        record = (await installer.browser.get(f"/v1/devices/{key}")).json()
        assert [one["id"] for one in record["activations"]] == [begun["id"]]


async def test_it_is_sent_commands_visited_and_given_a_plan(whole: Whole) -> None:
    key, foreign = a_number_key(traits="200"), a_number_key(traits="270")
    owner = await the_owner(whole)
    await whole.stage.control(foreign, owner_dealer_id=owner.dealer_id)
    async with whole.signed_in() as installer, whole.signed_in(owner) as buyer:
        body = {"device_key": key, "iccid_last_digits": iccid_of(key), "command": "location"}
        sent = await installer.browser.post("/api/iot/send-command", json=body, headers=keyed(None))
        assert sent.status_code == 200, sent.text
        assert problem(await installer.start(foreign, type="service-device"))[0] == 404
        request = {"device_key": foreign, "iccid_last_digits": iccid_of(foreign), "reason": "siren"}
        asked = await installer.browser.post("/v1/visits", json=request, headers=a_key())
        assert (asked.status_code, asked.json()["device_key"]) == (200, foreign)
        line = {"device_key": key, "plan_id": PREMIUM}
        chosen = await buyer.browser.put("/v1/plan-lines", json=line)
        assert [one["device_key"] for one in chosen.json()["results"]] == [key]


async def test_tries_at_two_of_them_are_counted_apart(whole: Whole) -> None:
    """Although they end in the same four digits."""
    one, other = alike()
    async with whole.anonymous() as guest:

        async def tried(key: str) -> int:
            wrong = f"{(int(iccid_of(key)) + 1) % 100_000:05d}"
            body = {"device_key": key, "iccid_last_digits": wrong}
            return (await guest.browser.post("/api/iot/device-check", json=body)).status_code

        assert [await tried(one) for _ in range(GUEST_DEVICE.tries + 1)][-1] == 429
        assert await tried(other) == 404


def alike() -> tuple[str, str]:
    """Two serial numbers with the same last four digits."""
    tail = a_number_key()[-4:-1]
    ends: dict[str, str] = {}
    while True:
        digits = f"{a_number_key()[:11]}{tail}"
        key = f"{digits}{check_digit(digits)}"
        if ends.setdefault(key[-1], key) != key:
            return ends[key[-1]], key
