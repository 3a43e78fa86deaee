"""Versions that the device network does not tell at once, after an update."""

from datetime import timedelta

import pytest

from domain.devices.devices import FirmwareTarget
from providers.device_network.device_cloud import DeviceCloud
from providers.errors import Unavailable
from tests.drivers.stage import Stage
from tests.firmware.runs import PATIENT, begin
from workflows.firmware import VERSION_WITHIN


async def test_a_version_is_asked_for_until_the_network_tells_it(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
):
    read, asked = DeviceCloud.firmware_version, list[str]()

    async def read_in_the_end(cloud: DeviceCloud, key: str, target: FirmwareTarget) -> str:
        asked.append(key)
        if len(asked) == 1:
            raise Unavailable(system="device network", may_have_worked=False)
        return await read(cloud, key, target)

    monkeypatch.setattr(DeviceCloud, "firmware_version", read_in_the_end)
    run = await begin(stage)
    await run.at("done")
    assert len(asked) == 2
    history = await run.handle.fetch_history()
    scheduled = [event.activity_task_scheduled_event_attributes for event in history.events]
    (limit,) = [
        one.schedule_to_close_timeout.ToTimedelta()
        for one in scheduled
        if one.activity_type.name == "read_version"
    ]
    assert limit == min(PATIENT.offline, VERSION_WITHIN)


async def test_a_version_that_nobody_could_read_is_not_told_as_the_old_one(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
):
    async def never_read(cloud: DeviceCloud, key: str, target: FirmwareTarget) -> str:
        raise Unavailable(system="device network", may_have_worked=False)

    monkeypatch.setattr(DeviceCloud, "firmware_version", never_read)
    policy = PATIENT.model_copy(update={"offline": timedelta(milliseconds=300)})
    run = await begin(stage, policy=policy)
    failed = await run.at("failed")
    assert failed.view["error"] == "The device could not be reached."
    await run.ask("cancel")
    await run.handle.result()
