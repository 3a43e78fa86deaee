"""A device's SIM digits stand on its label alone: they follow from nothing that can be seen (rulings "Later rulings")."""

import re
from pathlib import Path

import httpx
import pytest

from simulators.device_network.commands import report
from simulators.device_network.device import device_from_digits, sim_digits
from simulators.main import create_app
from tests.simulators.harness import BASE

ROOT = Path(__file__).parents[2]
SERIALS = [f"{product}000{number:05d}" for number in range(100) for product in ("FT-X1-", "24E")]
NUMBER = "352099000000428"


def test_the_serial_number_does_not_hold_them() -> None:
    assert not [serial for serial in SERIALS if sim_digits(serial) in serial]
    apart = {(int(sim_digits(serial)) - int(serial[-5:])) % 100_000 for serial in SERIALS}
    assert len(apart) > 190


def test_nothing_that_the_device_tells_beside_its_iccid_holds_them() -> None:
    for serial in SERIALS:
        device = device_from_digits(serial)
        assert device is not None
        told = [str(value) for name, value in report(device).items() if name != "iccid"]
        assert not [value for value in told if sim_digits(serial) in re.sub(r"\W", "", value)]


@pytest.fixture
async def browser(tmp_path: Path):
    transport = httpx.ASGITransport(create_app(tmp_path / "s.sqlite"))
    async with httpx.AsyncClient(transport=transport, base_url=BASE) as browser:
        yield browser


@pytest.mark.parametrize("serial", ["FT-X1-00000042", "24e00000042", NUMBER])
async def test_they_stand_on_the_devices_page(browser: httpx.AsyncClient, serial: str) -> None:
    page = await browser.get(f"/device-cloud/devices/{serial}")
    assert f'<dd id="sim">{sim_digits(serial.upper())}</dd>' in page.text


@pytest.mark.parametrize("text", ["<b>", "352099000000427", "4532015112830366"])
async def test_what_is_no_device_has_no_page(browser: httpx.AsyncClient, text: str) -> None:
    assert (await browser.get(f"/device-cloud/devices/{text}")).status_code == 404


def test_that_of_a_number_stands_in_the_document_too() -> None:
    told = (ROOT / "simulators/README.md").read_text()
    assert re.search(rf"`{NUMBER}`[^`]*`{sim_digits(NUMBER)}`", told)


@pytest.mark.parametrize("document", ["README.md", "simulators/README.md"])
@pytest.mark.parametrize("serial", ["FT-X1-00000042", "24E00000042"])
def test_those_of_the_demo_devices_stand_in_the_documents(document: str, serial: str) -> None:
    told = (ROOT / document).read_text()
    assert re.search(rf"`{serial}`[^`]*`{sim_digits(serial)}`", told)
