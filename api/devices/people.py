"""Who installed a device, and who helped: their rewards follow from it (devices spec 4 and 7)."""

from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import StringConstraints

from api.devices.changes import Changed, ChangingDep, PathKey, SimDigits
from api.devices.reach import Wanted
from api.platform.deps import Portal
from db.identity.people import colleagues_of, find_user
from domain.activation.device_calls import DeviceCall
from domain.base import Body
from domain.errors import Invalid
from domain.identity.people import Actor, Role

router = APIRouter(prefix="/v1/device", tags=["devices"])

PersonId = Annotated[
    str, StringConstraints(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9-]+$")
]


class LinkInstallerBody(Body):
    """Both are people of the caller's dealer."""

    installer_id: PersonId
    involved_installer_id: PersonId | None = None


class NotOfTheDealer(Invalid):
    """An installer who is not of the caller's dealer does not exist for the caller."""

    detail = "Please choose an installer of your business."

    def __init__(self, field: str) -> None:
        super().__init__(fields=[(field, self.detail)])


@router.post("/link-installer/{device_key}", response_model=Changed)
async def link_device_installer(
    change: ChangingDep,
    device_key: PathKey,
    body: LinkInstallerBody,
    iccid_last_digits: SimDigits = None,
) -> Response:
    """Note who installed the device and who helped."""
    wanted = Wanted(DeviceCall.LINK_INSTALLER)
    found = await change.reach(device_key, iccid_last_digits, wanted)
    await check_installers(change.portal, change.actor, "installer_id", body.installer_id)
    involved = body.involved_installer_id
    if involved is not None:
        await check_installers(change.portal, change.actor, "involved_installer_id", involved)

    async def link(effect_key: str) -> Changed:
        await change.devices.link_installer(found, body.installer_id, involved, key=effect_key)
        return Changed(device_key=found)

    return await change.once(
        found, body, link, action="linked an installer to a device", more=body.model_dump()
    )


async def check_installers(portal: Portal, actor: Actor, field: str, *ids: str) -> None:
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
