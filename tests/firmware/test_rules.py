"""What is too weak for an update, and which updates a request is about."""

import pytest

from domain.devices.devices import DeviceLog, FirmwareCheck, FirmwareOffer, FirmwareTarget
from domain.firmware.firmware import (
    FirmwarePolicy,
    Readings,
    chosen_offers,
    is_strong,
    percent_of,
    weak_words,
    weaknesses,
)
from tests.drivers.times import NOON

POLICY = FirmwarePolicy(least_battery_volts=11.8, least_signal_dbm=-105)
MAIN = FirmwareOffer(target=FirmwareTarget.MAIN, from_version="1.4.0", to_version="1.5.0")
KL1 = FirmwareOffer(target=FirmwareTarget.KL1, from_version="2.0.0", to_version="2.1.0")


@pytest.mark.parametrize(
    ("volts", "dbm", "weak"),
    [
        (11.8, -105, []),
        (11.79, -105, ["battery"]),
        (12.6, -106, ["signal"]),
        (10.4, -113, ["battery", "signal"]),
        (None, None, []),
        (None, -113, ["signal"]),
        (0.0, None, ["battery"]),
    ],
)
def test_a_reading_below_the_least_is_weak_and_an_unknown_one_is_not(
    volts: float | None, dbm: int | None, weak: list[str]
):
    found = weaknesses(Readings(battery_volts=volts, signal_dbm=dbm), POLICY)
    assert [weakness.what for weakness in found] == weak


def test_the_words_name_each_reading_and_what_it_should_be():
    found = weaknesses(Readings(battery_volts=10.4, signal_dbm=-113), POLICY)
    assert weak_words(found) == (
        "The backup battery has 10.4 V; an update needs at least 11.8 V. "
        "The signal is -113 dBm; an update needs at least -105 dBm."
    )


def test_the_main_device_is_updated_before_the_keylocker_whatever_the_order_of_the_offers():
    check = FirmwareCheck(offers=(KL1, MAIN))
    assert chosen_offers(check, None) == (MAIN, KL1)
    assert chosen_offers(check, [FirmwareTarget.KL1]) == (KL1,)
    assert chosen_offers(FirmwareCheck(offers=(MAIN,)), [FirmwareTarget.KL1]) == ()


def a_log(type: str = "firmware", **reading: object) -> DeviceLog:
    return DeviceLog(id="1", device_key="FT-X1-1", type=type, timestamp=NOON, reading=reading)


@pytest.mark.parametrize(
    ("log", "percent"),
    [
        (a_log(percent=40), 40),
        (a_log(percent=40.6), 41),
        (a_log(percent=101), None),
        (a_log(percent=-1), None),
        (a_log(percent=True), None),
        (a_log(percent="40"), None),
        (a_log("report", percent=40), None),
        (a_log(), None),
    ],
)
def test_only_a_number_of_a_firmware_entry_is_progress(log: DeviceLog, percent: int | None):
    assert percent_of(log) == percent


@pytest.mark.parametrize(
    ("reading", "strong"),
    [
        ({"backup_battery_voltage": 12.6, "cellular_signal_strength": -71}, True),
        ({"backup_battery_voltage": 10.4, "cellular_signal_strength": -71}, False),
        ({"backup_battery_voltage": 12.6}, False),
        ({"backup_battery_voltage": "high", "cellular_signal_strength": -71}, False),
    ],
)
def test_a_report_shows_strength_only_with_both_readings(reading: dict[str, object], strong: bool):
    assert is_strong(a_log("report", **reading), POLICY) is strong
