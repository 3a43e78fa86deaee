"""Who may make a call on a device, before anything is asked of it (promises 35, 39 and 42; decisions 19 and 34).

What is foreign by `whose_device` is not there. A device that is being activated belongs to its run: the caller's own run
judges the call, a colleague's refuses it. What is nobody's is opened with the last five digits of its SIM.
"""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Query, Request

from api.devices.holder import InUse, live_run, may_resume, persons_lookup, proving, view_of
from api.devices.ownership import (
    authorized_answer,
    check_serials,
    known_facts,
    known_soon,
    refuse_foreign,
)
from api.platform.deps import Portal
from api.runs.messages import FlowRejected
from db.base import reading
from db.devices.runs import RunScope, has_runs
from db.runs import capabilities, device_reservations, flows
from domain.activation.activation import REJECTIONS
from domain.activation.device_calls import (
    COMMAND_IN_PROGRESS,
    FLASHING,
    STEP_OUT_OF_ORDER,
    DeviceCall,
    refusal_within,
)
from domain.devices.devices import Device, IccidDigits, UnknownDevice, parse_device_key
from domain.devices.ownership import DeviceFacts, Ownership, asker_of, owner_of, whose_device
from domain.errors import Unavailable
from domain.identity.people import Actor, Role
from domain.runs.projection import FlowOwner
from providers.errors import Refused

DEVICE_IN_USE = InUse.code
_IN_USE_TEXT = "A colleague is activating this device."


@dataclass(frozen=True)
class DeviceRequest:
    """What somebody wants of a device. Without `call` nothing is changed by the call itself; `begins_run`: by a run that it
    begins; `own_records` asks the device for nothing."""

    call: DeviceCall | None = None
    command: str | None = None
    own_records: bool = False
    begins_run: bool = False

    @property
    def is_read(self) -> bool:
        return self.call is None and not self.begins_run


@dataclass(frozen=True)
class AuthorizedDevice:
    """A device that the caller may make the call on, with what was read for that: its key in the one spelling, the activation that holds
    it, the facts without what the network says, and what that says, where it was asked and answered."""

    key: str
    run: FlowOwner | None
    facts: DeviceFacts
    device: Device | None = None

    @property
    def known(self) -> DeviceFacts:
        """The facts with what the device network says, where it answered."""
        owner = self.device.owner_dealer_id if self.device else None
        return self.facts.with_network_owner(owner)


READING = DeviceRequest()
BEGINNING = DeviceRequest(begins_run=True)


async def authorize_call(
    request: Request,
    portal: Portal,
    actor: Actor,
    device_key: str,
    wanted: DeviceRequest = READING,
    *,
    iccid_last_digits: str | None = None,
) -> AuthorizedDevice:
    """The device, once the caller may make the call.

    Raises UnknownDevice for what is somebody else's, FlowRejected for what a run refuses, Invalid without a proof,
    Throttled.
    """
    key = parse_device_key(device_key)
    authorize = _authorize_guest if actor.user is None else _authorize_person
    found = await authorize(request, portal, actor, key, wanted, iccid_last_digits)
    if wanted.call is not None:
        await _not_while_flashing(portal, key)
    return found


async def _authorize_person(
    request: Request,
    portal: Portal,
    actor: Actor,
    key: str,
    wanted: DeviceRequest,
    iccid_last_digits: str | None,
) -> AuthorizedDevice:
    run, facts = await live_run(portal, key), await known_facts(portal, key)
    known = whose_device(asker_of(actor), facts)
    is_counted = not (
        known is Ownership.OWN or (wanted.own_records and await _worked_on(portal, actor, key))
    )
    async with persons_lookup(portal, actor.person.id, is_counted=is_counted):
        ownership, device = await _ownership(portal, actor, key, facts, known, wanted)
        if ownership is Ownership.FOREIGN:
            await refuse_foreign(portal, actor, key)
    if run is not None:
        await _through_run(portal, actor, run, wanted)
    elif ownership is Ownership.NOBODYS:
        await _prove_by_sim(request, portal, actor, key, iccid_last_digits, wanted)
    return AuthorizedDevice(key, run, facts, device)


async def _worked_on(portal: Portal, actor: Actor, key: str) -> bool:
    """Whether a run of theirs names the device: their lists show it, and to look at it again is no guess."""
    async with reading(portal.sessions) as session:
        return await has_runs(session, key, whose_runs(actor))


async def _ownership(
    portal: Portal,
    actor: Actor,
    key: str,
    facts: DeviceFacts,
    known: Ownership,
    wanted: DeviceRequest,
) -> tuple[Ownership, Device | None]:
    """With what the device network says, and that; `known` is without. Of one's own records no more than the portal itself knows is
    needed while the network does not answer. Raises UnknownDevice, Unavailable, and Refused of what is not foreign."""
    asker = asker_of(actor)
    if asker.everywhere:
        await check_serials(portal, key)
        return known, None
    try:
        device = await _ask_network(portal, key, wanted)
    except Refused:
        if known is Ownership.FOREIGN:
            return known, None
        raise
    except Unavailable:
        if known is Ownership.OWN and wanted.own_records:
            return known, None
        raise
    return whose_device(asker, facts.with_network_owner(device.owner_dealer_id)), device


async def _ask_network(portal: Portal, key: str, wanted: DeviceRequest) -> Device:
    """A read that is cancelled for its time would use up the try that it was counted as; a change goes on to its end."""
    if wanted.is_read:
        return await known_soon(portal, key)
    return await portal.device_cloud.device(key)


async def _authorize_guest(
    request: Request,
    portal: Portal,
    actor: Actor,
    key: str,
    wanted: DeviceRequest,
    iccid_last_digits: str | None,
) -> AuthorizedDevice:
    """The device of one's own run, or one that is nobody's and held in hand: any other looks the same."""
    run, facts = await live_run(portal, key), await known_facts(portal, key)
    if run is not None and await _is_own(portal, actor, run) and owner_of(facts) is None:
        await _through_run(portal, actor, run, wanted)
    else:
        await _prove_by_sim(request, portal, actor, key, iccid_last_digits, wanted)
    return AuthorizedDevice(key, run, facts)


async def _through_run(portal: Portal, actor: Actor, run: FlowOwner, wanted: DeviceRequest) -> None:
    if not await _is_own(portal, actor, run):
        if not wanted.own_records:
            await _reject(portal, actor, run, DEVICE_IN_USE)
        return
    if wanted.call is None:
        return
    view = await view_of(portal, run.workflow_id, run.run_id)
    code = refusal_within(view, wanted.call, wanted.command)
    if code is not None:
        await _reject(portal, actor, run, code)


async def _is_own(portal: Portal, actor: Actor, run: FlowOwner) -> bool:
    if actor.user is not None:
        return run.owner_id == actor.user.id
    if actor.capability_hash is None:
        return False
    async with reading(portal.sessions) as session:
        return await capabilities.flow_of_capability(session, actor.capability_hash) == run.id


async def _prove_by_sim(
    request: Request,
    portal: Portal,
    actor: Actor,
    key: str,
    iccid_last_digits: str | None,
    wanted: DeviceRequest,
) -> None:
    """Tries are limited: only a wrong one uses up the limit. A run that one cannot name holds the device for itself."""

    async def asked() -> Device:
        return await _ask_network(portal, key, wanted)

    async with proving(request, portal, actor, key, iccid_last_digits):
        device = await authorized_answer(portal, actor, key, asked)
        if device.iccid_last_digits != iccid_last_digits or await live_run(portal, key) is not None:
            raise UnknownDevice


async def _not_while_flashing(portal: Portal, key: str) -> None:
    """Nothing is changed in a device while firmware is written to it."""
    async with reading(portal.sessions) as session:
        holder = await device_reservations.holder_of(session, key, "firmware")
        run = await flows.find_flow(session, "firmware", holder.flow_id) if holder else None
    if run is not None and not run.ended and run.state in FLASHING:
        status, detail = REJECTIONS[COMMAND_IN_PROGRESS]
        raise FlowRejected(status, COMMAND_IN_PROGRESS, detail, run)


async def _reject(portal: Portal, actor: Actor, run: FlowOwner, code: str) -> None:
    """Where the run stands is told to its own people."""
    stands = None
    if actor.user is None or may_resume(actor, run):
        async with reading(portal.sessions) as session:
            stands = await flows.find_flow(session, "activation", run.id)
    if code in (COMMAND_IN_PROGRESS, STEP_OUT_OF_ORDER):
        status, detail = REJECTIONS[code]
    else:
        status, detail = 409, _IN_USE_TEXT if stands else InUse.detail
    raise FlowRejected(status, code, detail, stands)


OWN_RECORDS = DeviceRequest(own_records=True)


ProofQuery = Annotated[IccidDigits | None, Query()]
"""The last five ICCID digits: needed for a device that belongs to nobody."""


def whose_runs(actor: Actor) -> RunScope:
    """The caller's own runs and those of the caller's dealer; an administrator sees everybody's."""
    return RunScope(
        dealer_id=actor.dealer_id,
        owner_id=actor.person.id,
        everybodys=Role.ADMIN in actor.roles,
    )
