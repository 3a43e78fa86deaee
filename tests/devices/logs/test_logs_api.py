"""The log of a device: readings by name, page by page, for those whose device it is."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from db.devices.devices import store_logs
from domain.devices.devices import DeviceLog
from domain.devices.logs import LogEntry, entry_of
from tests.devices.ownership.test_release_api import finished, release
from tests.drivers.factories import a_dealer, a_name, an_admin, an_installer, an_owner
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Caller, Flow, Whole, iccid_of, problem

DAY = timedelta(days=1)
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
FIELDS = [
    "type",
    "timestamp",
    "latitude",
    "longitude",
    "cellular_signal_strength",
    "carrier",
    "speed",
    "gps_status",
    "gps_direction",
    "gps_degree",
    "backup_battery_voltage",
    "controller",
    "imei",
    "iccid",
    "ble_mac_address",
    "firmware_version",
    "ble_firmware_version",
    "controller_model",
    "controller_version",
    "obd",
    "keylocker",
    "command",
    "ok",
]


def a_log(device_key: str, **given: Any) -> DeviceLog:
    fields: dict[str, Any] = {"id": f"log_{a_name()}", "type": "report", "timestamp": NOW, **given}
    return DeviceLog(device_key=device_key, **fields)


async def store(whole: Whole, *logs: DeviceLog) -> None:
    async with whole.sessions.begin() as session:
        await store_logs(session, logs)


async def read(caller: Caller, device_key: str, **query: Any) -> Flow:
    answer = await caller.browser.get("/v1/iot/logs", params={"device_key": device_key, **query})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_every_reading_of_the_spec_has_a_field() -> None:
    assert set(FIELDS) <= set(LogEntry.model_fields)


def test_a_reading_of_another_shape_is_left_out() -> None:
    reading = {
        "speed": "fast",
        "carrier": 5,
        "obd": [],
        "keylocker": "yes",
        "latitude": 49,
        "gps_degree": True,
    }
    entry = entry_of(a_log("FT-X1-00000001", reading=reading))
    assert (entry.speed, entry.carrier, entry.obd, entry.keylocker) == (None, None, None, None)
    assert (entry.latitude, entry.gps_degree) == (49, None)


def test_the_digits_that_prove_possession_are_not_told() -> None:
    entry = entry_of(a_log("FT-X1-00000001", reading={"iccid": "8930261010400012345"}))
    assert entry.iccid == "89302610104000•••••"


async def test_what_a_device_tells_in_its_activation_is_read_by_name(whole: Whole) -> None:
    key = a_device_key()
    async with whole.signed_in() as installer:
        await installer.walk_to(await installer.started(key), "check-firmware")
        (location,) = (await read(installer, key))["results"]
    assert (location["type"], location["ok"], location["gps_status"]) == ("location", True, "fixed")
    assert location["command"] == "location"
    assert location["latitude"] == pytest.approx(49.2, abs=1)


async def test_pages_follow_each_other_without_gap_or_repeat(whole: Whole) -> None:
    key = a_device_key()
    same_time = [a_log(key, timestamp=NOW - timedelta(hours=n // 3)) for n in range(10)]
    await store(whole, *same_time)
    seen: list[str] = []
    before: dict[str, str] = {}
    async with whole.signed_in() as installer:
        while True:
            page = await read(installer, key, iccid_last_digits=iccid_of(key), limit=4, **before)
            seen += [entry["id"] for entry in page["results"]]
            if page["end_cursor"] is None:
                break
            before = {"before": page["end_cursor"]}
    expected = sorted(same_time, key=lambda log: (log.timestamp, log.id), reverse=True)
    assert seen == [log.id for log in expected]


async def test_a_device_of_nobody_asks_for_the_sim_digits(whole: Whole) -> None:
    key = a_device_key()
    async with whole.signed_in() as installer:
        for query, expected in (
            ({}, (422, "invalid")),
            ({"iccid_last_digits": "00000"}, (404, "unknown_device")),
        ):
            answer = await installer.browser.get(
                "/v1/iot/logs", params={"device_key": key, **query}
            )
            assert problem(answer) == expected


async def test_colleagues_read_along_and_others_find_nothing(whole: Whole) -> None:
    dealer, key = await a_dealer(whole.sessions), a_device_key()
    first, second = [await an_installer(whole.sessions, dealer) for _ in range(2)]
    async with whole.signed_in(first) as one:
        await one.started(key)
    await store(whole, a_log(key, timestamp=datetime.now(UTC)))
    async with whole.signed_in(second) as colleague:
        assert len((await read(colleague, key))["results"]) == 1
    async with whole.signed_in() as stranger:
        answer = await stranger.browser.get(
            "/v1/iot/logs", params={"device_key": key, "iccid_last_digits": iccid_of(key)}
        )
        assert problem(answer) == (404, "unknown_device")
    async with whole.signed_in(await an_admin(whole.sessions)) as admin:
        assert len((await read(admin, key))["results"]) == 1


async def test_who_completed_the_activation_reads_on(whole: Whole) -> None:
    dealer, key = await a_dealer(whole.sessions), a_device_key()
    first, second = [await an_installer(whole.sessions, dealer) for _ in range(2)]
    async with whole.signed_in(first) as one:
        at = await one.walk_to(await one.started(key), "complete-activation")
        await one.submit(at)
        await one.until(at["id"], lambda flow: flow["ended"])
    async with whole.signed_in(second) as colleague:
        assert (await read(colleague, key))["results"]
    async with whole.signed_in() as stranger:
        answer = await stranger.browser.get("/v1/iot/logs", params={"device_key": key})
        assert problem(answer) == (404, "unknown_device")


async def test_the_dealer_that_the_network_names_is_the_owner(whole: Whole) -> None:
    dealer, key = await a_dealer(whole.sessions), a_device_key()
    await whole.stage.control(key, owner_dealer_id=dealer.id)
    async with whole.signed_in(await an_installer(whole.sessions, dealer)) as own:
        assert (await read(own, key))["results"] == []
    async with whole.signed_in() as stranger:
        answer = await stranger.browser.get(
            "/v1/iot/logs", params={"device_key": key, "iccid_last_digits": iccid_of(key)}
        )
    assert problem(answer) == (404, "unknown_device")


async def test_whoever_has_it_next_reads_nothing_of_its_life_before(whole: Whole) -> None:
    key, first, second = a_device_key(), *[await an_owner(whole.sessions) for _ in range(2)]
    await finished(whole, key, first, timedelta(days=30))
    await store(whole, *(a_log(key, timestamp=datetime.now(UTC) - n * DAY) for n in (40, 3)))
    query = {"iccid_last_digits": iccid_of(key)}
    async with whole.signed_in(first) as home, whole.signed_in() as holder:
        assert len((await read(home, key))["results"]) == 2
        assert (await release(home, key)).json()["released"]
        assert (await read(holder, key, **query))["results"] == []
    async with whole.signed_in(second) as next_one:
        assert (await read(next_one, key, **query))["results"] == []
        await finished(whole, key, second)
        await store(whole, a_log(key, timestamp=datetime.now(UTC) + DAY))
        assert len((await read(next_one, key))["results"]) == 1
    async with whole.signed_in(await an_admin(whole.sessions)) as admin:
        assert len((await read(admin, key))["results"]) == 3


async def test_an_owner_whom_the_network_names_anew_begins_with_nothing(whole: Whole) -> None:
    key, first, second = a_device_key(), *[await an_owner(whole.sessions) for _ in range(2)]
    await finished(whole, key, first, timedelta(days=30))
    await store(whole, a_log(key, timestamp=datetime.now(UTC) - DAY))
    await whole.stage.control(key, owner_dealer_id=second.dealer_id)
    async with whole.signed_in(second) as next_one:
        assert (await read(next_one, key))["results"] == []
