"""What a new activation takes over from those before it on the same device; the device itself is asked anew."""

import structlog
from pydantic import ValidationError

from api.devices.ownership import DeviceAccess, own_last_vehicle
from api.platform.deps import Portal
from db.base import reading
from db.runs import flows
from domain.activation import beside
from domain.activation.activation import LeftBehind, Resume
from domain.devices.activation_type import ActivationType
from domain.identity.people import Actor

log = structlog.stdlib.get_logger()


async def taken_over(
    portal: Portal, actor: Actor, device_key: str, kind: ActivationType, access: DeviceAccess
) -> Resume | None:
    """What an abandoned run of the same dealer and type knew, if that can be read; else the vehicle that the caller's people
    left the device in, if the device network knows none. A guest takes nothing over."""
    if actor.user is None:
        return None
    left = await _left_behind(portal, actor, device_key, kind)
    if (left is not None and left.vehicle) or (access.device is not None and access.device.vehicle):
        return left
    async with reading(portal.sessions) as session:
        vehicle = await own_last_vehicle(session, actor, device_key, access.facts)
    return (left or Resume()).model_copy(update={"vehicle": vehicle}) if vehicle else left


async def _left_behind(
    portal: Portal, actor: Actor, device_key: str, kind: ActivationType
) -> Resume | None:
    if actor.dealer_id is None:
        return None
    async with reading(portal.sessions) as session:
        last = await flows.last_unfinished(session, device_key, actor.dealer_id)
        moves = await flows.transitions_of(session, last.id, limit=1000) if last else ()
    if last is None or not moves:
        return None
    try:
        view = LeftBehind.model_validate(last.view)
    except ValidationError:
        log.warning("an abandoned run was left alone", run=last.id, device_key=device_key)
        return None
    if view.type is not kind:
        return None
    left = moves[-1].from_state.partition("/")[0]
    return Resume(
        entry=beside.goes_on_at(view, left),
        vehicle=view.facts.vehicle,
        consumer_email=view.consumer_email,
        skipped=view.skipped,
        replaced=view.facts.replaced,
    )
