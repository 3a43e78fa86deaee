"""What the simulators remember, and the calls that steer and read them."""

import re
from pathlib import Path

import httpx
import pytest

import settings
from domain.devices.devices import DeviceState, FirmwareTarget
from providers.errors import Unavailable
from simulators import main
from simulators.device_network import device
from tests.simulators.harness import API_KEY, World, a_key, a_world


async def test_restart_forgets_nothing(tmp_path: Path):
    key = a_key("010")
    async with a_world(tmp_path / "s.sqlite") as world:
        await world.control(answer_max=0.03)
        await world.control(device_key=key, c42_failures=7)
        await world.cloud.activate(key, key="a")
        await world.cloud.send_command(key, "arm", command_id="c1")
        logs = await world.logs(key)
    async with a_world(tmp_path / "s.sqlite") as world:
        assert (await world.cloud.check(key)).device_state is DeviceState.ACTIVATED
        assert await world.logs(key) == logs
        await world.cloud.activate(key, key="a")
        assert await world.effects(key) == {"activate": 1, "command:arm": 1}
        assert [line["replayed"] for line in await world.ledger(key)].count(True) == 1
        assert (await world.control(device_key=key))["c42_failures"] == 7
        assert (await world.control())["answer_max"] == 0.03


async def test_reset_empties_everything(tmp_path: Path):
    key = a_key()
    async with a_world(tmp_path / "s.sqlite") as world:
        await world.control(outage=True)
        await world.control(outage=False, latency=0.01)
        await world.cloud.activate(key, key="a")
        await world.messenger.send_mail("ana@example.com", "Hello", "A text", key="m")
        assert (await world.http.post("/_reset")).status_code == 204
        assert await world.ledger(key) == []
        assert await world.outbox("ana@example.com") == []
        assert (await world.control())["latency"] == 0
        assert (await world.cloud.check(key)).device_state is DeviceState.NEW


async def test_ledger_tells_every_request_with_key_time_and_effect(tmp_path: Path):
    key = a_key()
    async with a_world(tmp_path / "s.sqlite") as world:
        await world.cloud.check(key)
        for idempotency_key in ("a1", "a1", "a2"):
            await world.cloud.activate(key, key=idempotency_key)
        lines = await world.ledger(key)
    told = [
        (line["operation"], line["idempotency_key"], line["status"], line["effect"])
        for line in lines
    ]
    assert told == [
        ("device-check", None, 200, False),
        ("activate", "a1", 200, True),
        ("activate", "a1", 200, False),
        ("activate", "a2", 409, False),
    ]
    assert [line["at"] for line in lines] == sorted(line["at"] for line in lines)


async def test_refused_request_leaves_its_key_free(tmp_path: Path):
    key = a_key("006")
    async with a_world(tmp_path / "s.sqlite") as world:
        body = {"device_key": key, "command": "arm", "command_id": "c1"}
        headers = {"X-Api-Key": API_KEY}
        first = await world.http.post("/device-cloud/v1/send-command", json=body, headers=headers)
        await world.control(device_key=key, refuse_commands=False)
        second = await world.http.post("/device-cloud/v1/send-command", json=body, headers=headers)
    assert (first.status_code, second.status_code) == (409, 200)


async def test_every_fault_can_be_asked_for_at_run_time(tmp_path: Path):
    key = a_key()
    async with a_world(tmp_path / "s.sqlite") as world:
        faults = {
            name: 3 if isinstance(value, int) and not isinstance(value, bool) else True
            for name, value in device.SimulatedDevice(
                device_key=key, product_name="ft-x1", iccid_last_digits="00000"
            )
            if name in _fault_names()
        }
        changed = await world.control(device_key=key, **faults)
    assert {name: changed[name] for name in faults} == faults


async def test_reply_lost_on_request_and_firmware_put_back(tmp_path: Path):
    key = a_key()
    async with a_world(tmp_path / "s.sqlite") as world:
        await world.control(lost_reply_seconds=0)
        await world.control(device_key=key, lose_replies=1, firmware={"main": "1.0.0"})
        with pytest.raises(Unavailable):
            await world.cloud.activate(key, key="a")
        await world.cloud.activate(key, key="a")
        assert await world.effects(key) == {"activate": 1}
        assert await world.cloud.firmware_version(key, FirmwareTarget.MAIN) == "1.0.0"


async def test_outage_of_the_whole_network_and_its_end(tmp_path: Path):
    key = a_key()
    async with a_world(tmp_path / "s.sqlite") as world:
        await world.control(outage=True)
        answer = await _check(world, key)
        assert answer.status_code == 503
        await world.control(outage=False)
        answer = await _check(world, key)
        assert answer.status_code == 200


async def test_unknown_control_is_refused(tmp_path: Path):
    async with a_world(tmp_path / "s.sqlite") as world:
        for body in ({"no_such_knob": 1}, {"slow": True}, {"device_key": a_key(), "latency": 1}):
            answer = await world.http.post("/device-cloud/_control", json=body)
            assert answer.status_code == 422


async def test_api_key_is_asked_for(tmp_path: Path):
    async with a_world(tmp_path / "s.sqlite") as world:
        answer = await world.http.get(f"/device-cloud/v1/device/{a_key()}")
    assert answer.status_code == 401


def test_development_secrets_are_those_of_the_portal():
    assert main.API_KEY == settings.DEVELOPMENT_DEVICE_CLOUD_KEY
    assert main.WEBHOOK_SECRET == settings.DEVELOPMENT_WEBHOOK_SECRET


def test_readme_documents_every_digit_and_every_control():
    readme = (Path(main.__file__).parent / "README.md").read_text()
    for position in ("First", "Second", "Third"):
        table = re.search(rf"### {position} digit.*?\n\n(.*?)\n\n", readme, re.DOTALL)
        assert table is not None
        assert re.findall(r"^\| (\d) ", table[1], re.MULTILINE) == list("0123456789")
    table = readme.partition("### Digits 4 to 6")[2].partition("| Digit |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| (\d) ", table, re.MULTILINE) == list("0123456789")
    for name in _fault_names():
        assert f"`{name}`" in readme


def _fault_names() -> set[str]:
    names = list(device.SimulatedDevice.model_fields)
    told_apart = {"answer_seconds", "failing_part", "replies_lost"}
    told_apart |= {"offline_until", "updating_until"}  # asked for as `…_seconds`
    return set(names[names.index("unknown") :]) - told_apart


async def _check(world: World, key: str) -> httpx.Response:
    return await world.http.post(
        "/device-cloud/v1/device-check", json={"device_key": key}, headers={"X-Api-Key": API_KEY}
    )
