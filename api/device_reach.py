"""Whose a device is, before anything is asked of it (promises 35, 39 and 42).

A device that is being activated belongs to its run: the caller's own run judges the call, a colleague's refuses it, and
anybody else's hides the device. Any other device is its dealer's: of the account that the network names, or of who
completed its latest activation. One that is nobody's is reached with the last five digits of its SIM.
"""

from dataclasses import dataclass

from fastapi import Request

from api.activation_start import guests_try, live_run, may_resume, view_of
from api.deps import Portal
from api.flows import FlowRejected
from db import flows
from db.audit import Outcome, record_by
from db.devices import finished_for
from domain.activation import REJECTIONS
from domain.device_calls import (
    COMMAND_IN_PROGRESS,
    FLASHING,
    STEP_OUT_OF_ORDER,
    DeviceCall,
    refusal_within,
)
from domain.devices import UnknownDevice, parse_device_key
from domain.flows.projection import FlowOwner
from domain.identity import Actor, Role

DEVICE_IN_USE = "device_in_use"
_IN_USE_TEXT = "A colleague is activating this device."


@dataclass(frozen=True)
class Wanted:
    """What somebody wants of a device. Without `call` nothing is changed; `own_records` asks the device for nothing."""

    call: DeviceCall | None = None
    command: str | None = None
    own_records: bool = False


READING = Wanted()


async def reach_device(
    request: Request,
    portal: Portal,
    actor: Actor,
    device_key: str,
    wanted: Wanted = READING,
    *,
    iccid_last_digits: str | None = None,
) -> str:
    """The key in its one spelling, once the caller may make the call.

    Raises UnknownDevice for what is somebody else's, FlowRejected for what a run refuses, Invalid without a proof,
    Throttled.
    """
    key = parse_device_key(device_key)
    run = await live_run(portal, key)
    if run is not None:
        await _through_run(portal, actor, run, key, wanted)
    else:
        await _prove(request, portal, actor, key, wanted, iccid_last_digits)
    if wanted.call is not None:
        await _not_while_flashing(portal, key)
    return key


async def _through_run(
    portal: Portal, actor: Actor, run: FlowOwner, key: str, wanted: Wanted
) -> None:
    if not await _is_own(portal, actor, run):
        if not may_resume(actor, run) or actor.user is None:
            await _refuse_foreign(portal, actor, key)
        if not wanted.own_records:
            await _reject(portal, run, DEVICE_IN_USE)
        return
    if wanted.call is None:
        return
    view = await view_of(portal, run.workflow_id, run.run_id)
    code = refusal_within(view, wanted.call, wanted.command)
    if code is not None:
        await _reject(portal, run, code)


async def _is_own(portal: Portal, actor: Actor, run: FlowOwner) -> bool:
    if actor.user is not None:
        return run.owner_id == actor.user.id
    if actor.capability_hash is None:
        return False
    async with portal.sessions() as session:
        return await flows.flow_of_capability(session, actor.capability_hash) == run.id


async def _prove(
    request: Request,
    portal: Portal,
    actor: Actor,
    key: str,
    wanted: Wanted,
    iccid_last_digits: str | None,
) -> None:
    if Role.ADMIN in actor.roles:
        return
    if wanted.own_records and await _finished_here(portal, actor, key):
        return
    if actor.user is None:
        await _prove_by_sim(request, portal, key, iccid_last_digits)
        return
    device = await portal.device_cloud.device(key)
    if device.owner_dealer_id is not None:
        if device.owner_dealer_id != actor.dealer_id:
            await _refuse_foreign(portal, actor, key)
    elif not await _finished_here(portal, actor, key):
        await _prove_by_sim(request, portal, key, iccid_last_digits)


async def _finished_here(portal: Portal, actor: Actor, key: str) -> bool:
    """Whether the caller, or the caller's dealer, completed the device's latest activation."""
    if actor.user is None:
        return False
    async with portal.sessions() as session:
        dealer_id, person_id = await finished_for(session, key)
    if dealer_id is not None:
        return dealer_id == actor.dealer_id
    return person_id is not None and person_id == actor.user.id


async def _prove_by_sim(
    request: Request, portal: Portal, key: str, iccid_last_digits: str | None
) -> None:
    """Tries are limited: only a wrong one uses up the limit."""
    async with guests_try(request, portal, key, iccid_last_digits):
        device = await portal.device_cloud.device(key)
        if device.owner_dealer_id is not None or device.iccid_last_digits != iccid_last_digits:
            raise UnknownDevice


async def _not_while_flashing(portal: Portal, key: str) -> None:
    """Nothing is changed in a device while firmware is written to it."""
    async with portal.sessions() as session:
        holder = await flows.holder_of(session, key, "firmware")
        run = await flows.find_flow(session, "firmware", holder.flow_id) if holder else None
    if run is not None and not run.ended and run.state in FLASHING:
        status, detail = REJECTIONS[COMMAND_IN_PROGRESS]
        raise FlowRejected(status, COMMAND_IN_PROGRESS, detail, run)


async def _reject(portal: Portal, run: FlowOwner, code: str) -> None:
    async with portal.sessions() as session:
        stands = await flows.find_flow(session, "activation", run.id)
    if code in (COMMAND_IN_PROGRESS, STEP_OUT_OF_ORDER):
        status, detail = REJECTIONS[code]
    else:
        status, detail = 409, _IN_USE_TEXT
    raise FlowRejected(status, code, detail, stands)


async def _refuse_foreign(portal: Portal, actor: Actor, key: str) -> None:
    async with portal.sessions.begin() as session:
        await record_by(
            session,
            actor,
            "reached for another's device",
            outcome=Outcome.REFUSED,
            on=("device", key),
        )
    raise UnknownDevice
