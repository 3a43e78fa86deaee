"""Who installed a device, and who helped: their rewards follow from it (devices spec 4 and 7)."""

from fastapi import APIRouter, Response

from api.devices.access import DeviceRequest
from api.devices.calls.changes import Changed, ChangingDep, PathKey, SimDigits
from api.devices.calls.installers import PersonId, check_installers
from domain.activation.device_calls import DeviceCall
from domain.base import Body

router = APIRouter(prefix="/v1/device", tags=["devices"])


class LinkInstallerBody(Body):
    """Both are people of the caller's dealer."""

    installer_id: PersonId
    involved_installer_id: PersonId | None = None


@router.post("/link-installer/{device_key}", response_model=Changed)
async def link_device_installer(
    change: ChangingDep,
    device_key: PathKey,
    body: LinkInstallerBody,
    iccid_last_digits: SimDigits = None,
) -> Response:
    """Note who installed the device and who helped."""
    wanted = DeviceRequest(DeviceCall.LINK_INSTALLER)
    found = await change.authorized_key(device_key, iccid_last_digits, wanted)
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
