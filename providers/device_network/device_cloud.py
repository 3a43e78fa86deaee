"""The device network (devices spec 3, 4, 7 "Device" and 8).

Every method raises Unavailable when there is no usable answer and Refused for a refusal without a name
of its own. Codes of Refused that callers know: `device_offline`, `command_refused`,
`command_not_supported`, `firmware_not_offered`, `firmware_not_downloaded`, `not_activated`,
`install_refused`, `not_swappable`, `plan_refused`, `device_blocked`, `region_refused`, `idempotency_key_reused`.
Those of the calls that configure a device stand in `settings.py`.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any
from urllib.parse import quote

import structlog
from pydantic import BaseModel, Field, ValidationError, ValidatorFunctionWrapHandler, WrapValidator

from domain.devices.devices import (
    Device,
    DeviceLog,
    FirmwareCheck,
    FirmwareOffer,
    FirmwareTarget,
    SentLog,
    VehicleDetails,
)
from providers.device_network.line import SYSTEM, named
from providers.device_network.settings import DeviceSettings
from providers.errors import Refused

log = structlog.stdlib.get_logger()


class DevicePlan(BaseModel):
    """A device's plan; `reference` is the name that its buyer gave it."""

    plan_id: str | None = None
    ends_at: datetime | None = None
    reference: str | None = None
    is_suspended: bool = False


def _vehicle_or_none(value: object, read: ValidatorFunctionWrapHandler) -> "VehicleDetails | None":
    """One that cannot be read keeps no device back: it can be chosen."""
    try:
        return read(value)
    except ValidationError:
        log.error("a device's vehicle is unreadable", system=SYSTEM)
        return None


class _DeviceRecord(Device):
    vehicle: Annotated[VehicleDetails | None, WrapValidator(_vehicle_or_none)] = None

    @property
    def device(self) -> Device:
        return Device.model_validate(dict(self))


class _Devices(BaseModel):
    results: Annotated[tuple[_DeviceRecord, ...], Field(min_length=1)]


class _Logs(BaseModel):
    results: tuple[dict[str, Any], ...]


def _log_or_none(value: dict[str, Any]) -> DeviceLog | None:
    try:
        return SentLog.model_validate(value)
    except ValidationError as error:
        log.error("a log entry is unreadable", system=SYSTEM, faults=error.error_count())
        return None


class _Offer(BaseModel):
    device: FirmwareTarget
    from_version: str
    to_version: str


class _Firmware(BaseModel):
    firmware_details: _Offer | None = None
    ext_device_firmware_details: _Offer | None = None
    backup_battery_voltage: float | None = None
    cellular_signal_strength: int | None = None


class DeviceCloud(DeviceSettings):
    """The device network's calls, in the domain's shapes."""

    async def check(
        self, device_key: str, iccid_last_digits: str | None = None, canadian: bool = False
    ) -> Device:
        """The device as the network knows it. Raises UnknownDevice, NotInServiceMode. Read only."""
        return await self._check("device-check", device_key, iccid_last_digits, canadian)

    async def purchasing_check(
        self, device_key: str, iccid_last_digits: str | None = None, canadian: bool = False
    ) -> Device:
        """The device, if a plan may be bought for it. Raises UnknownDevice, NotInServiceMode. Read only."""
        return await self._check("device-purchasing-check", device_key, iccid_last_digits, canadian)

    async def device(self, device_key: str) -> Device:
        """The device without the checks. Raises UnknownDevice. Read only."""
        answer = await self._get("device", f"/device/{quote(device_key)}")
        return self._read(_DeviceRecord, "device", answer).device

    async def described(self, device_key: str) -> Device | None:
        """As `device`; None of a blocked one, of which the network says nothing. Read only."""
        try:
            return await self.device(device_key)
        except Refused:
            return None

    async def owner(self, device_key: str) -> str | None:
        """The dealer that the network names as the device's; None where it names none, or says nothing of the device.
        Raises UnknownDevice. Read only."""
        device = await self.described(device_key)
        return device.owner_dealer_id if device else None

    async def firmware_version(self, device_key: str, target: FirmwareTarget) -> str:
        """What the device now runs there. Raises UnknownDevice. Read only."""
        device = await self.device(device_key)
        keylocker = device.keylocker.version if device.keylocker is not None else None
        version = device.firmware_version if target is FirmwareTarget.MAIN else keylocker
        if version is None:
            raise Refused("no_such_part", "The device reports no such part.", system=SYSTEM)
        return version

    async def check_firmware(self, device_key: str) -> FirmwareCheck:
        """What is waiting, main device first, with battery (volts) and signal (dBm). Read only."""
        operation = "check-firmware-update"
        body = await self._get(operation, f"/device/{quote(device_key)}/check-firmware-update")
        answer = self._read(_Firmware, operation, body)
        waiting = (answer.firmware_details, answer.ext_device_firmware_details)
        return FirmwareCheck(
            offers=tuple(
                FirmwareOffer(target=o.device, from_version=o.from_version, to_version=o.to_version)
                for o in waiting
                if o is not None
            ),
            battery_volts=answer.backup_battery_voltage,
            signal_dbm=answer.cellular_signal_strength,
        )

    async def send_command(
        self,
        device_key: str,
        command: str,
        *,
        command_id: str,
        iccid_last_digits: str | None = None,
        bit: int | None = None,
        target: FirmwareTarget | None = None,
        version: str | None = None,
    ) -> None:
        """Hand a command over; its result comes as a log. One `command_id` has one effect, ever.

        After Unavailable with `may_have_worked` the same `command_id` may be sent again.
        """
        await self._change(
            "send-command",
            "POST",
            "/send-command",
            {
                "device_key": device_key,
                "command": command,
                "command_id": command_id,
                "iccid_last_digits": iccid_last_digits,
                "bit": bit,
                "target": target,
                "version": version,
            },
            key=command_id,
        )

    async def logs(
        self, device_key: str, since: datetime, limit: int = 100
    ) -> tuple[DeviceLog, ...]:
        """Log entries with a timestamp at or after `since`, as they arrived: order and copies as they come. One that cannot be
        read is passed over."""
        params = {"device_key": device_key, "since": since.isoformat(), "limit": limit}
        body = await self._get("logs", "/iot/logs", params)
        read = [_log_or_none(value) for value in self._read(_Logs, "logs", body).results]
        return tuple(one for one in read if one is not None)

    async def activate(self, device_key: str, *, key: str) -> None:
        """Make the device active; already active counts as done. Idempotent by `key`."""
        body = {"device_key": device_key}
        await self._change(
            "activate", "PATCH", "/device/activate/", body, key=key, done="already_activated"
        )

    async def install(
        self,
        device_key: str,
        *,
        exit_service_mode: bool,
        involved_installers: Iterable[str] = (),
        key: str,
    ) -> None:
        """Mark the device installed; already installed counts as done. Idempotent by `key`."""
        body = {
            "device_key": device_key,
            "exit_service_mode": exit_service_mode,
            "involved_installers": list(involved_installers),
        }
        await self._change(
            "install", "PATCH", "/device/install/", body, key=key, done="already_installed"
        )

    async def release(self, device_key: str, *, key: str) -> bool:
        """Give the device up for its owner; what is nobody's counts as done. Answers whether it was given up under this key.
        Idempotent by `key`."""
        body = {"device_key": device_key}
        return await self._change(
            "release", "PATCH", "/device/release/", body, key=key, done="already_released"
        )

    async def welcome(self, device_key: str, email: str, *, key: str) -> None:
        """Have the network welcome the device's owner by mail. Idempotent by `key`."""
        body = {"device_key": device_key, "email": email}
        await self._change("welcome", "POST", "/device/welcome", body, key=key)

    async def swap(self, old: str, new: str, *, key: str) -> None:
        """Let `new` take the place of `old`; already swapped counts as done. Idempotent by `key`."""
        body = {"old_device_key": old, "new_device_key": new}
        await self._change("swap", "PATCH", "/device/swap", body, key=key, done="already_swapped")

    async def set_plan(
        self, device_key: str, plan_id: str, ends_at: datetime, *, reference: str, key: str
    ) -> None:
        """Gives the device a plan in the place of the one it has. Idempotent by `key`; `reference` is our name for it."""
        body = {"plan_id": plan_id, "ends_at": ends_at.isoformat(), "reference": reference}
        path = f"/device/{quote(device_key)}/plan"
        await self._change("set-plan", "PUT", path, body, key=key)

    async def suspend_plan(
        self, device_key: str, *, reference: str, key: str, is_suspended: bool
    ) -> None:
        """Suspends the plan that was set under this reference, or restores it. Idempotent by `key`. Refused (`other_plan`)
        when the device has another one by now."""
        body = {"reference": reference, "is_suspended": is_suspended}
        path = f"/device/{quote(device_key)}/plan/suspension"
        await self._change("suspend-plan", "PUT", path, body, key=key)

    async def plan(self, device_key: str) -> DevicePlan:
        """The plan that the device has. Raises UnknownDevice. Read only."""
        body = await self._get("plan", f"/device/{quote(device_key)}/plan")
        return self._read(DevicePlan, "plan", body)

    async def _check(
        self, operation: str, device_key: str, iccid_last_digits: str | None, canadian: bool
    ) -> Device:
        body = {"device_key": device_key, "isCanadianUser": canadian}
        if iccid_last_digits is not None:
            body["iccid_last_digits"] = iccid_last_digits
        try:
            answer = await self._wire.call(operation, "POST", f"/{operation}", json=body)
        except Refused as refused:
            raise named(refused) from None
        return self._read(_Devices, operation, answer).results[0].device
