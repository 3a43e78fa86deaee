"""The device network's client against its stand-in: shapes, refusals, every fault that a key can ask for."""

import asyncio
from collections.abc import AsyncGenerator

import httpx
import pytest

from domain.devices import devices
from domain.devices.devices import (
    DeviceState,
    FirmwareTarget,
    NotInServiceMode,
    Product,
    UnknownDevice,
)
from providers.device_network.device_cloud import DeviceCloud
from providers.errors import Busy, Refused, Unavailable
from tests.drivers.until import until
from tests.drivers.whole_portal import iccid_of
from tests.simulators.harness import START, World, a_key, a_world

MAIN, KL1 = FirmwareTarget.MAIN, FirmwareTarget.KL1


@pytest.fixture(scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[World]:
    async with a_world(tmp_path_factory.mktemp("network") / "state.sqlite") as world:
        yield world


async def download(world: World, key: str, command_id: str, target: FirmwareTarget = MAIN) -> bool:
    """Whether the download succeeded, by its C42."""
    version = "1.5.0" if target is MAIN else "2.1.0"
    await world.cloud.send_command(
        key, "download_firmware", command_id=command_id, target=target, version=version
    )
    return await result_of(world, key, command_id, "C42")


async def update(world: World, key: str, command_id: str, target: FirmwareTarget = MAIN) -> bool:
    """Whether the update succeeded, by its R42."""
    version = "1.5.0" if target is MAIN else "2.1.0"
    await world.cloud.send_command(
        key, "update_firmware", command_id=command_id, target=target, version=version
    )
    return await result_of(world, key, command_id, "R42")


async def result_of(world: World, key: str, command_id: str, command: str) -> bool:
    logs = await until(
        lambda: world.logs(key), lambda logs: any(log.command_id == command_id for log in logs)
    )
    log = next(log for log in logs if log.command_id == command_id)
    assert (log.type, log.command) == ("firmware", command)
    return log.ok


@pytest.mark.parametrize("product", Product)
async def test_every_product_answers_a_check_and_its_own_tests(world: World, product: Product):
    key = a_key(product=product.value.upper())
    device = await world.cloud.check(key, iccid_of(key))
    assert (device.product_name, device.device_state) == (product, DeviceState.NEW)
    sent = {*devices.testing_commands(product), *devices.QUERY_COMMANDS}
    for command in sent:
        await world.cloud.send_command(key, command, command_id=f"{key}-{command}")
    logs = await world.logs(key, at_least=len(sent))
    assert {log.command for log in logs if log.ok} == sent
    assert {log.command_id for log in logs} == {f"{key}-{command}" for command in sent}


async def test_erase_is_refused_off_the_x1_family(world: World):
    with pytest.raises(Refused) as refusal:
        await world.cloud.send_command(
            a_key(product="FT-X2"), "erase_device", command_id="erase-x2"
        )
    assert refusal.value.code == "command_not_supported"


@pytest.mark.parametrize(
    ("digits", "state", "service_mode"),
    [
        ("000", DeviceState.NEW, False),
        ("100", DeviceState.ACTIVATED, False),
        ("200", DeviceState.INSTALLED, True),
        ("300", DeviceState.PAUSED, True),
    ],
)
async def test_first_digit_says_where_the_device_stands(
    world: World, digits: str, state: DeviceState, service_mode: bool
):
    device = await world.cloud.check(a_key(digits))
    assert (device.device_state, device.service_mode) == (state, service_mode)


async def test_unknown_malformed_and_mistaken_devices_are_not_told_apart(world: World):
    for key, iccid in ((a_key("900"), None), ("FT-X9-00000001", None), (a_key(), "99999")):
        with pytest.raises(UnknownDevice):
            await world.cloud.check(key, iccid)
        with pytest.raises(UnknownDevice):
            await world.cloud.purchasing_check(key, iccid)


async def test_locked_device_is_told_by_the_service_mode_text(world: World):
    with pytest.raises(NotInServiceMode):
        await world.cloud.check(a_key("400"))


async def test_blocked_device_is_refused(world: World):
    with pytest.raises(Refused) as refusal:
        await world.cloud.check(a_key("800"))
    assert refusal.value.code == "device_blocked"


async def test_canadian_flag_reaches_the_network(world: World):
    key = a_key("600")
    assert (await world.cloud.check(key)).device_key == key
    with pytest.raises(Refused) as refusal:
        await world.cloud.check(key, canadian=True)
    assert refusal.value.code == "region_refused"


async def test_live_plan_and_vehicle_are_reported(world: World):
    device = await world.cloud.purchasing_check(a_key("160"))
    assert device.plan is not None
    assert device.vehicle is not None
    assert device.vehicle.model == "Camry"


@pytest.mark.parametrize(
    ("digits", "targets"),
    [
        ("000", ()),
        ("010", (MAIN,)),
        ("020", (MAIN,)),
        ("030", (MAIN, KL1)),
        ("040", (KL1,)),
        ("050", ()),
        ("080", (MAIN,)),
    ],
)
async def test_second_digit_says_which_firmware_waits(
    world: World, digits: str, targets: tuple[FirmwareTarget, ...]
):
    check = await world.cloud.check_firmware(a_key(digits))
    assert tuple(offer.target for offer in check.offers) == targets
    assert check.battery_volts is not None
    assert check.signal_dbm is not None
    assert (check.battery_volts < 11) == (digits == "080")


async def test_firmware_goes_from_the_old_version_to_the_new_one(world: World):
    key = a_key("030")
    before = (await world.cloud.check_firmware(key)).offers
    for offer in before:
        assert await world.cloud.firmware_version(key, offer.target) == offer.from_version
        assert await download(world, key, f"{key}-d-{offer.target}", offer.target)
        assert await update(world, key, f"{key}-u-{offer.target}", offer.target)
        assert await world.cloud.firmware_version(key, offer.target) == offer.to_version
    assert (await world.cloud.check_firmware(key)).offers == ()
    assert await world.effects(key) == {
        "command:download_firmware": 2,
        "command:update_firmware": 2,
    }


async def test_update_before_its_download_is_refused(world: World):
    with pytest.raises(Refused) as refusal:
        await update(world, a_key("010"), "too-early")
    assert refusal.value.code == "firmware_not_downloaded"


async def test_firmware_that_is_not_offered_is_refused(world: World):
    with pytest.raises(Refused) as refusal:
        await world.cloud.send_command(
            a_key("010"), "download_firmware", command_id="odd", target=MAIN, version="9.9.9"
        )
    assert refusal.value.code == "firmware_not_offered"


async def test_part_that_the_device_does_not_have_has_no_version(world: World):
    with pytest.raises(Refused) as refusal:
        await world.cloud.firmware_version(a_key("000"), KL1)
    assert refusal.value.code == "no_such_part"


async def test_download_fails_twice_then_succeeds(world: World):
    key = a_key("017")
    assert [await download(world, key, f"{key}-{n}") for n in range(3)] == [False, False, True]


async def test_update_fails_twice_then_succeeds(world: World):
    key = a_key("018")
    assert await download(world, key, f"{key}-d")
    assert [await update(world, key, f"{key}-{n}") for n in range(3)] == [False, False, True]
    assert await world.cloud.firmware_version(key, MAIN) == "1.5.0"


async def test_version_can_stay_the_same_after_a_good_update(world: World):
    key = a_key("019")
    before = await world.cloud.firmware_version(key, MAIN)
    assert await download(world, key, f"{key}-d")
    assert await update(world, key, f"{key}-u")
    assert await world.cloud.firmware_version(key, MAIN) == before


async def test_slow_device_answers_late_but_rightly(world: World):
    key = a_key("001")
    await world.control(slow_seconds=0.3)
    begun = asyncio.get_running_loop().time()
    assert (await world.cloud.check(key)).device_key == key
    assert asyncio.get_running_loop().time() - begun >= 0.3


async def test_offline_device_refuses_then_reports_that_it_is_back(world: World):
    key = a_key("002")
    await world.control(offline_seconds=1.0)
    with pytest.raises(Refused) as refusal:
        await world.cloud.send_command(key, "location", command_id=f"{key}-1")
    assert refusal.value.code == "device_offline"
    (back,) = await world.logs(key)
    assert (back.type, back.command) == ("report", None)
    await world.cloud.send_command(key, "location", command_id=f"{key}-1")
    assert [log.command for log in await world.logs(key, at_least=2)] == [None, "location"]
    assert await world.effects(key) == {"command:location": 1}


async def test_answer_under_way_waits_for_the_device_to_come_back(world: World):
    key = a_key()
    await world.control(device_key=key, answer_seconds=0.1)
    await world.cloud.send_command(key, "arm", command_id=f"{key}-1")
    await world.control(device_key=key, offline_seconds=0.4)
    logs = await world.logs(key, at_least=2)
    assert [log.command for log in logs] == [None, "arm"]


async def test_lost_reply_is_unavailable_and_its_retry_has_no_second_effect(world: World):
    old, new = a_key("203"), a_key()
    key = a_key("013")
    cloud = world.cloud
    calls = {
        "command:arm": lambda: cloud.send_command(key, "arm", command_id=f"{key}-arm"),
        "activate": lambda: cloud.activate(key, key=f"{key}-a"),
        "install": lambda: cloud.install(key, exit_service_mode=True, key=f"{key}-i"),
        "welcome": lambda: cloud.welcome(key, "owner@example.com", key=f"{key}-w"),
        "swap": lambda: cloud.swap(old, new, key=f"{old}-s"),
    }
    await world.control(lost_reply_seconds=0)
    for operation, call in calls.items():
        with pytest.raises(Unavailable) as lost:
            await call()
        assert lost.value.may_have_worked
        await call()
        lines = await world.ledger(old if operation == "swap" else key)
        mine = [line for line in lines if line["operation"] == operation]
        assert [(line["effect"], line["replayed"]) for line in mine] == [
            (True, False),
            (False, True),
        ]
    assert len([log for log in await world.logs(key) if log.command == "arm"]) == 1


async def test_logs_may_come_twice_under_one_id(world: World):
    key = a_key("004")
    await world.cloud.send_command(key, "location", command_id=f"{key}-1")
    logs = await world.logs(key)
    assert len(logs) == 2
    assert len({log.id for log in logs}) == 1


async def test_logs_may_come_out_of_order(world: World):
    key = a_key("005")
    await world.cloud.send_command(key, "location", command_id=f"{key}-1")
    newer, older = await world.logs(key, at_least=2)
    assert newer.command == "location"
    assert older.timestamp < newer.timestamp


async def test_device_may_refuse_commands(world: World):
    with pytest.raises(Refused) as refusal:
        await world.cloud.send_command(a_key("006"), "arm", command_id="refused-arm")
    assert refusal.value.code == "command_refused"


async def test_first_command_of_a_silent_device_is_never_answered(world: World):
    key = a_key("500")
    await world.cloud.send_command(key, "arm", command_id=f"{key}-1")
    await world.cloud.send_command(key, "disarm", command_id=f"{key}-2")
    assert [log.command for log in await world.logs(key)] == ["disarm"]


async def test_first_two_requests_may_meet_an_outage(world: World):
    key = a_key("700")
    for _ in range(2):
        with pytest.raises(Unavailable):
            await world.cloud.check(key)
    assert (await world.cloud.check(key)).device_key == key


async def test_device_goes_from_new_to_installed(world: World):
    key = a_key()
    await world.cloud.activate(key, key=f"{key}-a")
    assert (await world.cloud.check(key)).device_state is DeviceState.ACTIVATED
    await world.cloud.install(key, exit_service_mode=True, key=f"{key}-i")
    assert (await world.cloud.check(key)).device_state is DeviceState.INSTALLED


async def test_serviced_device_leaves_service_mode(world: World):
    key = a_key("200")
    await world.cloud.install(key, exit_service_mode=True, key=f"{key}-i")
    assert not (await world.cloud.check(key)).service_mode


async def test_what_is_done_already_counts_as_done(world: World):
    key, old, new = a_key(), a_key("100"), a_key()
    for n in range(2):
        await world.cloud.activate(key, key=f"{key}-a{n}")
        await world.cloud.install(key, exit_service_mode=False, key=f"{key}-i{n}")
        await world.cloud.swap(old, new, key=f"{old}-s{n}")
    assert await world.effects(key) == {"activate": 1, "install": 1}
    assert await world.effects(old) == {"swap": 1}


async def test_a_device_that_is_given_up_is_nobodys_and_goes_on_as_it_is(world: World):
    key = a_key("200")
    await world.control(device_key=key, owner_dealer_id="harbour")
    before = await world.cloud.device(key)
    assert before.owner_dealer_id == "harbour"
    by = [await world.cloud.release(key, key=f"{key}-r{n}") for n in (0, 1, 0)]
    assert by == [True, False, True], "it tells whether it was given up under this key"
    assert await world.cloud.device(key) == before.model_copy(update={"owner_dealer_id": None})
    assert await world.effects(key) == {"release": 1}


async def test_swap_hands_over_plan_and_vehicle_and_is_refused_for_used_devices(world: World):
    old, new = a_key("160"), a_key()
    await world.cloud.swap(old, new, key=f"{old}-s")
    device = await world.cloud.check(new)
    assert (device.device_state, device.plan) == (DeviceState.ACTIVATED, "premium-1-year")
    assert device.vehicle is not None
    with pytest.raises(Refused) as refusal:
        await world.cloud.swap(new, a_key("100"), key=f"{new}-s")
    assert refusal.value.code == "not_swappable"


async def test_install_before_activation_is_refused(world: World):
    with pytest.raises(Refused) as refusal:
        await world.cloud.install(a_key(), exit_service_mode=False, key="early-install")
    assert refusal.value.code == "not_activated"


async def test_idempotency_key_with_another_body_is_refused(world: World):
    key = a_key()
    await world.cloud.welcome(key, "first@example.com", key=f"{key}-w")
    with pytest.raises(Refused) as refusal:
        await world.cloud.welcome(key, "second@example.com", key=f"{key}-w")
    assert refusal.value.code == "idempotency_key_reused"
    assert await world.effects(key) == {"welcome": 1}


async def test_wrong_api_key_is_unavailable_and_not_the_devices_fault(world: World):
    with pytest.raises(Unavailable):
        await world.cloud_with(api_key="another").check(a_key())


async def test_too_many_calls_at_once_fail_fast_without_asking(world: World):
    key = a_key("001")
    await world.control(slow_seconds=0.3)
    cloud = world.cloud_with(at_once=1)
    async with asyncio.TaskGroup() as group:
        first = group.create_task(cloud.check(key))
        await until(lambda: asyncio.sleep(0, cloud._wire._free), lambda free: free == 0)
        with pytest.raises(Busy) as busy:
            await cloud.check(a_key())
    assert not busy.value.may_have_worked
    assert first.result().device_key == key
    assert (await cloud.check(a_key())).device_key


async def test_nobody_there_is_unavailable_without_effect(unused_tcp_port: int):
    async with httpx.AsyncClient() as client:
        cloud = DeviceCloud(
            client, base_url=f"http://127.0.0.1:{unused_tcp_port}", api_key="any", seconds=1
        )
        with pytest.raises(Unavailable) as absent:
            await cloud.activate(a_key(), key="nobody")
    assert not absent.value.may_have_worked


async def test_page_of_a_proxy_is_no_answer():
    page = httpx.MockTransport(lambda _: httpx.Response(200, html="<h1>Welcome</h1>"))
    async with httpx.AsyncClient(transport=page) as client:
        cloud = DeviceCloud(client, base_url="http://proxy", api_key="any")
        with pytest.raises(Unavailable):
            await cloud.check(a_key())


async def test_a_log_that_cannot_be_read_is_passed_over():
    entry = {"id": "1", "device_key": "FT-X1-1", "type": "report", "timestamp": START.isoformat()}
    entries = [entry | {"id": "2" * 201}, entry | {"timestamp": "once"}, entry]

    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"results": entries})

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as client:
        cloud = DeviceCloud(client, base_url="http://network", api_key="key")
        assert [log.id for log in await cloud.logs("FT-X1-1", START)] == ["1"]


async def test_no_address_and_no_secret_enters_a_log(
    world: World, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
):
    key = a_key("400")
    with caplog.at_level("DEBUG"):
        with pytest.raises(NotInServiceMode):
            await world.cloud.check(key)
        await world.cloud.logs(key, START)
    written = caplog.text + "".join(capsys.readouterr())
    assert "device-check" in written
    assert "since=" not in written
    assert "api-key" not in written.lower()
    assert "device-cloud-key" not in written
