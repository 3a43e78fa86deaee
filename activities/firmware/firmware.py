"""The effects of a firmware run."""

from enum import StrEnum
from typing import Any

from temporalio import activity

from db.base import Sessions, one_statement
from db.runs import intents
from domain.base import Frozen
from domain.devices.devices import FirmwareTarget
from domain.firmware.firmware import Readings, readings_of_check
from providers.device_network.device_cloud import DeviceCloud
from providers.errors import Refused


class FirmwareCommand(StrEnum):
    DOWNLOAD = "download_firmware"
    UPDATE = "update_firmware"


class SendFirmware(Frozen):
    """One attempt of one phase; `key` names it and is the provider's idempotency key."""

    flow_id: str
    key: str
    device_key: str
    command: FirmwareCommand
    target: FirmwareTarget
    version: str


NOT_DOWNLOADED = "firmware_not_downloaded"


class SendOutcome(Frozen):
    """What became of the command. `offline`: the device cannot be reached; `refused`: the network's words, `not_downloaded`
    because the device has not (or no longer) what is to be written."""

    offline: bool = False
    refused: str | None = None
    not_downloaded: bool = False


class ReadVersion(Frozen):
    device_key: str
    target: FirmwareTarget


class FirmwareActivities:
    def __init__(self, device_cloud: DeviceCloud, sessions: Sessions) -> None:
        self._device_cloud = device_cloud
        self._sessions = sessions

    @activity.defn
    async def send_firmware(self, send: SendFirmware) -> SendOutcome:
        """Hands a download or update over; its end comes as C42 or R42. Idempotent by `key`."""
        async with one_statement(self._sessions) as session:
            known = await intents.begin_intent(
                session, key=send.key, flow_id=send.flow_id, kind=f"firmware:{send.command}"
            )
        if known is not None:
            return _handed(known)
        try:
            await self._device_cloud.send_command(
                send.device_key,
                send.command,
                command_id=send.key,
                target=send.target,
                version=send.version,
            )
            handed = SendOutcome()
        except Refused as refused:
            if refused.code == "device_offline":
                async with one_statement(self._sessions) as session:
                    await intents.refuse_intents(session, [send.key])
                return SendOutcome(offline=True)
            handed = SendOutcome(
                refused=refused.detail, not_downloaded=refused.code == NOT_DOWNLOADED
            )
        async with one_statement(self._sessions) as session:
            await intents.complete_intent(session, send.key, handed.model_dump())
        return handed

    @activity.defn
    async def read_version(self, read: ReadVersion) -> str:
        """What the device runs now. Read only."""
        return await self._device_cloud.firmware_version(read.device_key, read.target)

    @activity.defn
    async def read_readings(self, device_key: str) -> Readings:
        """Battery and signal as the device last reported them. Read only."""
        return readings_of_check(await self._device_cloud.check_firmware(device_key))


def _handed(outcome: dict[str, Any]) -> SendOutcome:
    """As it was noted: by this activity, or by whoever found out later that it has happened."""
    return SendOutcome() if outcome.get("done") else SendOutcome.model_validate(outcome)
