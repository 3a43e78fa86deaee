"""Serial numbers that say nothing of the device: the device network names the product (rulings "Later rulings")."""

import csv
import io
from itertools import count

import pytest

from domain.activation.device_calls import commands_of
from domain.devices.devices import Product
from tests.drivers.stage import a_device_key, an_opaque_key
from tests.drivers.whole_portal import Whole, iccid_of, keyed, problem

TYPES = [
    ("new-device", "000", "FT-X1"),
    ("verizon-sim", "000", "FT-X2"),
    ("service-device", "200", "DR3100R"),
    ("replace-device", "300", "FT-XC"),
    ("purchase-subscription", "200", "FT-X1MAX"),
]
"""Each with what has to be in the device, and a product it fits."""


@pytest.mark.parametrize(("type_", "traits", "product"), TYPES)
async def test_every_type_goes_as_with_a_serial_that_names_its_product(
    whole: Whole, type_: str, traits: str, product: str
) -> None:
    opaque = an_opaque_key(product, traits=traits)
    keys = (a_device_key(product, traits=traits) for _ in count())
    telling = next(
        key for key in keys if key[-1] == opaque[-1]
    )  # it says which controller is there
    async with whole.signed_in() as installer:
        begun = await installer.started(opaque, type=type_)
        other = await installer.started(telling, type=type_)
    assert begun["view"]["device"]["product_name"] == product.lower()
    assert (begun["state"], begun["view"]["plan"]) == (other["state"], other["view"]["plan"])


@pytest.mark.whole
@pytest.mark.parametrize(("type_", "traits", "product"), TYPES)
async def test_every_type_comes_to_its_end_with_a_serial_that_says_nothing(
    whole: Whole, type_: str, traits: str, product: str
) -> None:
    key = an_opaque_key(product, traits=traits)
    async with whole.signed_in() as installer:
        begun = await installer.started(key, type=type_)
        ended = await installer.walk_to(begun, "completed")
    assert begun["view"]["device"]["product_name"] == product.lower()
    assert ended["view"]["outcome"] == "completed"


async def test_an_opaque_device_is_activated_to_its_end_and_listed_with_its_product(
    whole: Whole,
) -> None:
    key = an_opaque_key("FT-X2I")
    async with whole.signed_in() as installer:
        ended = await installer.walk_to(await installer.started(key), "completed")
        assert ended["view"]["outcome"] == "completed"
        listed = (await installer.browser.get("/v1/devices")).json()["results"]
        file = (await installer.browser.get("/v1/devices.csv")).text
        record = (await installer.browser.get(f"/v1/devices/{key}")).json()
    assert [(one["device_key"], one["product_name"]) for one in listed] == [(key, "ft-x2i")]
    assert record["product_name"] == "ft-x2i"
    (_, row) = csv.reader(io.StringIO(file))
    assert row == [key, "ft-x2i", listed[0]["at"][:10]]


async def test_what_a_device_can_do_follows_from_the_product_that_the_network_names(
    whole: Whole,
) -> None:
    key = an_opaque_key("DR3100", traits="200")
    assert "arm" not in commands_of(Product.DR3100)
    async with whole.signed_in() as installer:
        body = {"device_key": key, "iccid_last_digits": iccid_of(key)}
        send = "/api/iot/send-command"
        refused = await installer.browser.post(
            send, json={**body, "command": "arm"}, headers=keyed(None)
        )
        located = await installer.browser.post(
            send, json={**body, "command": "location"}, headers=keyed(None)
        )
    assert problem(refused) == (422, "command_not_supported")
    assert located.status_code == 200
    assert (await whole.stage.effects(key)).get("command:arm", 0) == 0
