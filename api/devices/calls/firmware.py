"""What firmware waits for a device (devices spec 3 "Firmware check result" and 7)."""

from datetime import UTC, datetime

from fastapi import APIRouter
from pydantic import BaseModel

from api.devices.calls.changes import AskingDep, PathKey, SimDigits
from domain.base import Utc
from domain.devices.devices import FirmwareCheck, FirmwareTarget

router = APIRouter(prefix="/v1/device", tags=["devices"])

PART_NAMES = {FirmwareTarget.MAIN: "Main device", FirmwareTarget.KL1: "KeyLocker"}
"""How a part is displayed: 'kl1' as 'KeyLocker'."""


class WaitingFirmware(BaseModel):
    """`device` is the part as it is displayed."""

    device: str
    from_version: str
    to_version: str


class FirmwareCheckAnswer(BaseModel):
    """`timestamp` is when the device network was asked."""

    is_firmware_available: bool
    firmware_details: WaitingFirmware | None
    is_ext_device_firmware_available: bool
    ext_device_firmware_details: WaitingFirmware | None
    timestamp: Utc


@router.get("/{device_key}/check-firmware-update")
async def check_device_firmware(
    ask: AskingDep, device_key: PathKey, iccid_last_digits: SimDigits = None
) -> FirmwareCheckAnswer:
    """What waits for the device and for its KeyLocker."""
    key = await ask.authorized_key(device_key, iccid_last_digits)
    check = await ask.devices.check_firmware(key)
    main, ext = _waiting(check, FirmwareTarget.MAIN), _waiting(check, FirmwareTarget.KL1)
    return FirmwareCheckAnswer(
        is_firmware_available=main is not None,
        firmware_details=main,
        is_ext_device_firmware_available=ext is not None,
        ext_device_firmware_details=ext,
        timestamp=datetime.now(UTC),
    )


def _waiting(check: FirmwareCheck, target: FirmwareTarget) -> WaitingFirmware | None:
    for offer in check.offers:
        if offer.target is target:
            return WaitingFirmware(
                device=PART_NAMES[target],
                from_version=offer.from_version,
                to_version=offer.to_version,
            )
    return None
