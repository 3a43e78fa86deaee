"""The agreement with the device network, `docs/device-network.yaml`: every operation of client and stand-in is in it, asks
as it says, and is answered as it says. The other contract tests are held against it, too, with all their refusals."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime

import httpx
import pytest
from fastapi.routing import APIRoute
from pydantic import SecretStr

from domain.devices.hardwire import HardwiredInput, HardwiredOutput
from domain.devices.keylocker import KeylockerMode
from domain.devices.option_tables import OptionTable
from providers.device_network.device_cloud import DeviceCloud
from simulators.device_network import plans, routes, settings
from tests.simulators.agreement import Agreement
from tests.simulators.harness import START, World, a_key, a_world

AGREEMENT = Agreement("device-network.yaml")
(BASE,) = AGREEMENT.addresses


@pytest.fixture
async def world(tmp_path) -> AsyncGenerator[World]:
    async with a_world(tmp_path / "state.sqlite") as world:
        yield world


def test_the_stand_in_has_the_operations_of_the_document_and_no_others() -> None:
    built = {
        (method, route.path)
        for module in (routes, plans, settings)
        for route in module.router.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    assert built == AGREEMENT.operations()


def test_each_schema_of_the_document_is_one() -> None:
    AGREEMENT.check_schemas()


async def test_the_client_uses_every_operation_as_the_document_says(world: World) -> None:
    device, other, cloud = a_key("050", "FT-X1MAX"), a_key("000", "FT-X1MAX"), world.cloud
    ends = datetime(2027, 1, 1, tzinfo=UTC)
    asked = await cloud.check(device, None, canadian=True)
    await cloud.purchasing_check(device, None, canadian=True)
    await cloud.device(device)
    await cloud.check_firmware(device)
    await cloud.activate(device, key="a")
    await cloud.send_command(device, "location", command_id="b")
    await world.logs(device)
    await cloud.logs(device, START)
    await cloud.set_plan(device, "plan", ends, reference="mine", key="c")
    await cloud.suspend_plan(device, reference="mine", key="d", is_suspended=True)
    await cloud.plan(device)
    tables = await cloud.option_tables(device, OptionTable.CONTROLLER)
    row = tables.sections[0].rows[0].key
    await cloud.patch_option_tables(
        device, OptionTable.CONTROLLER, {row: tables.values[row]}, skip_query=False, key="e"
    )
    await cloud.option_tables(device, OptionTable.KEYLOCKER)
    await cloud.special_option_tables(device)
    await cloud.patch_special_option_tables(device, {}, key="f")
    features = await cloud.features(device, iccid_last_digits=asked.iccid_last_digits)
    await cloud.patch_features(device, {next(iter(features)): True}, key="g")
    await cloud.set_pin(device, SecretStr("4815"), is_secondary_pin=False, duration=None, key="h")
    await cloud.delete_pin(device, SecretStr("4815"), key="i")
    await cloud.set_keylocker_mode(device, KeylockerMode.STANDALONE, key="j")
    await cloud.hardwired_mode(
        device, next(iter(HardwiredOutput)), next(iter(HardwiredInput)), key="k"
    )
    await cloud.link_installer(device, "installer", None, key="l")
    await cloud.install(device, exit_service_mode=True, key="m")
    await cloud.release(device, key="p")
    await cloud.welcome(device, "owner@example.com", key="n")
    await cloud.swap(device, other, key="o")
    assert world.agreement.asked == AGREEMENT.operations()


async def test_a_device_of_which_little_is_known_is_read(world: World) -> None:
    device = await world.cloud.device(a_key("090", "FT-X1"))
    assert (device.controller_model, device.controller, device.vehicle) == (None, None, None)


@pytest.mark.parametrize("vehicle", [{"year": 2022, "name": "A truck"}, {}, "Camry"])
async def test_a_vehicle_that_cannot_be_read_keeps_no_device_back(
    world: World, vehicle: object
) -> None:
    key = a_key("060", "FT-X1")
    known = await world.cloud.device(key)
    told = known.model_dump(mode="json") | {"vehicle": vehicle}

    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"results": [told]} if request.method == "POST" else told)

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as client:
        cloud = DeviceCloud(client, base_url="http://network", api_key="x")
        read = [await cloud.device(key), await cloud.check(key, None)]
    assert known.vehicle is not None
    assert read == [known.model_copy(update={"vehicle": None})] * 2


async def test_what_is_not_in_the_document_is_found(world: World) -> None:
    device = a_key()
    headers = {"X-Api-Key": "x", "Idempotency-Key": "1"}
    good = httpx.Request(
        "PATCH", f"{BASE}/device/activate/", json={"device_key": device}, headers=headers
    )
    described = await world.cloud.device(device)
    answer = httpx.Response(200, content=b'{"device_key": "x"}')
    with pytest.raises(AssertionError, match="answers 200"):
        AGREEMENT.hold(good, answer)
    refused = httpx.Response(409, json={"code": "x", "detail": "No."})
    AGREEMENT.hold(good, refused)
    more = httpx.Request(
        "PATCH", f"{BASE}/device/activate/", json={"device_key": device, "x": 1}, headers=headers
    )
    with pytest.raises(AssertionError, match="asks"):
        AGREEMENT.hold(more, refused)
    with pytest.raises(AssertionError, match="not in the document"):
        AGREEMENT.hold(httpx.Request("GET", f"{BASE}/devices", headers=headers), refused)
    assert described.device_key == device
