"""Reads of a device that the network is slow to tell of (decisions 34 and 71)."""

import pytest

from tests.activation.people.test_openings_api import limited
from tests.drivers.stage import a_device_key
from tests.drivers.whole_portal import Whole, iccid_of, problem

READS = {
    "its firmware": lambda key: f"/v1/device/{key}/check-firmware-update",
    "its toggles": lambda key: f"/v1/device/{key}/features",
    "its record": lambda key: f"/v1/devices/{key}",
}


@pytest.mark.parametrize("read", READS)
async def test_a_read_that_the_network_is_too_slow_for_uses_up_no_look(
    whole: Whole, read: str
) -> None:
    """Its time would end it else, and nobody would give back what it was counted as."""
    path, key = READS[read], a_device_key(traits="001")
    params = {"iccid_last_digits": iccid_of(key)}
    async with whole.signed_in() as one:
        with limited(whole, wrong_per_hour=1):
            for _ in range(2):
                answer = await one.browser.get(path(key), params=params)
                assert problem(answer) == (503, "still_asking")
