"""A device's life outside the portal's own activation: swap, activate, install, welcome (devices spec 4 and 7)."""

from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import Field, StrictBool

from api.devices.access import DeviceRequest
from api.devices.calls.changes import Changed, Changing, ChangingDep
from api.devices.calls.installers import PersonId, check_installers
from api.platform.moves_money import MovesCar
from api.platform.throttling.mails import MailTries
from db.dealers.swaps import save_swap
from domain.activation.device_calls import DeviceCall
from domain.base import Body
from domain.contact import Email
from domain.devices.changes import NEW_DEVICE, SWAPPED
from domain.devices.devices import DeviceKey, IccidDigits, Product
from domain.errors import PortalError

router = APIRouter(prefix="/v1/device", tags=["devices"])


class SwapBody(Body):
    """The SIM digits prove devices that are nobody's yet; `iccid_last_digits` the new one."""

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


@router.patch("/swap", response_model=Changed, dependencies=[MovesCar])
async def swap_device(change: ChangingDep, body: SwapBody) -> Response:
    """Let the new device take the place of the old one, and its plan with it; what the old one earned lately is taken back. Done
    already counts as done."""
    wanted = DeviceRequest(DeviceCall.SWAP)
    old = await change.authorized_key(body.old_device_key, body.old_iccid_last_digits, wanted)
    new = await change.authorized_key(body.new_device_key, body.iccid_last_digits, wanted)

    async def swap(effect_key: str) -> Changed:
        await change.devices.swap(old, new, key=effect_key)
        product = await _product_of(change, new)
        async with change.portal.sessions.begin() as session:
            await save_swap(session, old, new, product)
        return Changed(device_key=new)

    return await change.once(
        old, body, swap, action=SWAPPED, more={NEW_DEVICE: new}, is_looked_up=True
    )


@router.patch("/activate", response_model=Changed, dependencies=[MovesCar])
async def activate_device(change: ChangingDep, body: ActivateBody) -> Response:
    """Make the device active. Done already counts as done."""
    wanted = DeviceRequest(DeviceCall.ACTIVATE)
    device_key = await change.authorized_key(body.device_key, body.iccid_last_digits, wanted)

    async def activate(effect_key: str) -> Changed:
        await change.devices.activate(device_key, key=effect_key)
        return Changed(device_key=device_key)

    return await change.once(device_key, body, activate, action="activated a device")


@router.patch("/install", response_model=Changed, dependencies=[MovesCar])
async def install_device(change: ChangingDep, body: InstallBody) -> Response:
    """Mark the device installed. Done already counts as done."""
    wanted = DeviceRequest(DeviceCall.INSTALL)
    device_key = await change.authorized_key(body.device_key, body.iccid_last_digits, wanted)
    people = body.involved_installers
    await check_installers(change.portal, change.actor, "involved_installers", *people)

    async def install(effect_key: str) -> Changed:
        await change.devices.install(
            device_key,
            exit_service_mode=body.exit_service_mode,
            involved_installers=people,
            key=effect_key,
        )
        return Changed(device_key=device_key)

    return await change.once(device_key, body, install, action="installed a device")


@router.post("/welcome", response_model=Changed)
async def welcome_device(change: ChangingDep, body: WelcomeBody) -> Response:
    """Welcome the device's owner by mail. Needs no sign-in; without one the SIM digits prove possession. Limited per person,
    or per address without a sign-in; a repeat under the same key uses nothing up."""
    wanted = DeviceRequest(DeviceCall.WELCOME)
    device_key = await change.authorized_key(body.device_key, body.iccid_last_digits, wanted)

    async def welcome(effect_key: str) -> Changed:
        await MailTries(change.portal.sessions).count_welcome(change.counted_as)
        await change.devices.welcome(device_key, body.email, key=effect_key)
        return Changed(device_key=device_key)

    return await change.once(device_key, body, welcome, action="welcomed a device's owner")


async def _product_of(change: Changing, device_key: str) -> Product | None:
    """None while the device network does not tell: the swap itself is done."""
    try:
        return (await change.devices.device(device_key)).product_name
    except PortalError:
        return None
