"""A device's life outside the portal's own activation: swap, activate, install, welcome, installers, waiting firmware
(devices spec 4 and 7)."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field, StrictBool, StringConstraints

from api.deps import Caller, IdempotencyKey, Portal, PortalDep
from api.device_changes import Changed, PathKey, SimDigits, change_once
from api.device_reach import Wanted, reach_device
from db.identity import colleagues_of, find_user
from domain.activation import Email
from domain.base import Body, Utc
from domain.device_calls import DeviceCall
from domain.devices import DeviceKey, FirmwareCheck, FirmwareTarget, IccidDigits
from domain.errors import Invalid
from domain.identity import Actor, Role

router = APIRouter(prefix="/v1/device", tags=["devices"])

PersonId = Annotated[str, StringConstraints(min_length=1, max_length=64)]

PART_NAMES = {FirmwareTarget.MAIN: "Main device", FirmwareTarget.KL1: "KeyLocker"}
"""How a part is displayed (devices spec 3: 'kl1' is displayed as 'KeyLocker')."""


class SwapBody(Body):
    """The SIM digits prove devices that are nobody's yet: `iccid_last_digits` the new one."""

    old_device_key: DeviceKey
    new_device_key: DeviceKey
    iccid_last_digits: IccidDigits | None = None
    old_iccid_last_digits: IccidDigits | None = None


class ActivateBody(Body):
    device_key: DeviceKey
    iccid_last_digits: IccidDigits | None = None


class InstallBody(Body):
    """`involved_installers` are people of the caller's dealer."""

    device_key: DeviceKey
    exit_service_mode: StrictBool
    involved_installers: Annotated[list[PersonId], Field(max_length=10)] = []
    iccid_last_digits: IccidDigits | None = None


class WelcomeBody(Body):
    device_key: DeviceKey
    email: Email
    iccid_last_digits: IccidDigits | None = None


class LinkInstallerBody(Body):
    """Both are people of the caller's dealer."""

    installer_id: PersonId
    involved_installer_id: PersonId | None = None


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


class NotOfTheDealer(Invalid):
    """An installer who is not of the caller's dealer does not exist for the caller."""

    detail = "Please choose an installer of your business."

    def __init__(self, field: str) -> None:
        super().__init__(fields=[(field, self.detail)])


@router.patch("/swap", response_model=Changed)
async def swap_device(
    request: Request, portal: PortalDep, actor: Caller, body: SwapBody, key: IdempotencyKey = None
) -> Response:
    """Let the new device take the place of the old one. Done already counts as done."""
    old = await reach_device(
        request,
        portal,
        actor,
        body.old_device_key,
        Wanted(DeviceCall.SWAP),
        iccid_last_digits=body.old_iccid_last_digits,
    )
    new = await reach_device(
        request,
        portal,
        actor,
        body.new_device_key,
        Wanted(DeviceCall.SWAP),
        iccid_last_digits=body.iccid_last_digits,
    )

    async def swap(effect_key: str) -> Changed:
        await portal.device_cloud.swap(old, new, key=effect_key)
        return Changed(device_key=new)

    return await change_once(
        portal, actor, key, old, body, swap, action="swapped a device", more={"new_device_key": new}
    )


@router.patch("/activate", response_model=Changed)
async def activate_device(
    request: Request,
    portal: PortalDep,
    actor: Caller,
    body: ActivateBody,
    key: IdempotencyKey = None,
) -> Response:
    """Make the device active. Done already counts as done."""
    device_key = await reach_device(
        request,
        portal,
        actor,
        body.device_key,
        Wanted(DeviceCall.ACTIVATE),
        iccid_last_digits=body.iccid_last_digits,
    )

    async def activate(effect_key: str) -> Changed:
        await portal.device_cloud.activate(device_key, key=effect_key)
        return Changed(device_key=device_key)

    return await change_once(
        portal, actor, key, device_key, body, activate, action="activated a device"
    )


@router.patch("/install", response_model=Changed)
async def install_device(
    request: Request,
    portal: PortalDep,
    actor: Caller,
    body: InstallBody,
    key: IdempotencyKey = None,
) -> Response:
    """Mark the device installed. Done already counts as done."""
    device_key = await reach_device(
        request,
        portal,
        actor,
        body.device_key,
        Wanted(DeviceCall.INSTALL),
        iccid_last_digits=body.iccid_last_digits,
    )
    await _check_installers(portal, actor, "involved_installers", *body.involved_installers)

    async def install(effect_key: str) -> Changed:
        await portal.device_cloud.install(
            device_key,
            exit_service_mode=body.exit_service_mode,
            involved_installers=body.involved_installers,
            key=effect_key,
        )
        return Changed(device_key=device_key)

    return await change_once(
        portal, actor, key, device_key, body, install, action="installed a device"
    )


@router.post("/welcome", response_model=Changed)
async def welcome_device(
    request: Request,
    portal: PortalDep,
    actor: Caller,
    body: WelcomeBody,
    key: IdempotencyKey = None,
) -> Response:
    """Welcome the device's owner by mail. Needs no sign-in; without one the SIM digits prove possession."""
    device_key = await reach_device(
        request,
        portal,
        actor,
        body.device_key,
        Wanted(DeviceCall.WELCOME),
        iccid_last_digits=body.iccid_last_digits,
    )

    async def welcome(effect_key: str) -> Changed:
        await portal.device_cloud.welcome(device_key, body.email, key=effect_key)
        return Changed(device_key=device_key)

    return await change_once(
        portal, actor, key, device_key, body, welcome, action="welcomed a device's owner"
    )


@router.post("/link-installer/{device_key}", response_model=Changed)
async def link_device_installer(
    request: Request,
    portal: PortalDep,
    actor: Caller,
    device_key: PathKey,
    body: LinkInstallerBody,
    iccid_last_digits: SimDigits = None,
    key: IdempotencyKey = None,
) -> Response:
    """Note who installed the device and who helped: their rewards follow from it."""
    found = await reach_device(
        request,
        portal,
        actor,
        device_key,
        Wanted(DeviceCall.LINK_INSTALLER),
        iccid_last_digits=iccid_last_digits,
    )
    await _check_installers(portal, actor, "installer_id", body.installer_id)
    if body.involved_installer_id is not None:
        await _check_installers(portal, actor, "involved_installer_id", body.involved_installer_id)

    async def link(effect_key: str) -> Changed:
        await portal.device_cloud.link_installer(
            found, body.installer_id, body.involved_installer_id, key=effect_key
        )
        return Changed(device_key=found)

    return await change_once(
        portal,
        actor,
        key,
        found,
        body,
        link,
        action="linked an installer to a device",
        more=body.model_dump(),
    )


@router.get("/{device_key}/check-firmware-update")
async def check_device_firmware(
    request: Request,
    portal: PortalDep,
    actor: Caller,
    device_key: PathKey,
    iccid_last_digits: SimDigits = None,
) -> FirmwareCheckAnswer:
    """What firmware waits for the device and for its KeyLocker."""
    key = await reach_device(
        request, portal, actor, device_key, iccid_last_digits=iccid_last_digits
    )
    check = await portal.device_cloud.check_firmware(key)
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


async def _check_installers(portal: Portal, actor: Actor, field: str, *ids: str) -> None:
    """Raises NotOfTheDealer, naming `field`. Administrators choose among all installers."""
    if not ids:
        return
    async with portal.sessions() as session:
        if Role.ADMIN in actor.roles:
            found = [await find_user(session, id_) for id_ in ids]
            known = {user.id for user in found if user is not None and user.is_installer}
        else:
            people = await colleagues_of(session, actor.dealer_id) if actor.dealer_id else ()
            known = {user.id for user in people}
    if not set(ids) <= known:
        raise NotOfTheDealer(field)
