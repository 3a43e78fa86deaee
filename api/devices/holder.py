"""The activation that holds a device, and how often one may look for it."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from fastapi import Request
from temporalio.client import WorkflowQueryFailedError
from temporalio.service import RPCError

from api.devices.ownership import stored_serial
from api.identity.signing_in.human import solved
from api.platform.deps import Portal, counted_address, record_now
from api.platform.throttling.devices import DeviceTries
from api.runs.messages import ACCEPTED_WITHIN, within_deadline
from db.base import reading
from db.devices.ownership import facts_of_device
from db.runs import device_reservations, flows
from domain.activation.activation import ActivationView
from domain.devices.devices import UnknownDevice
from domain.devices.ownership import DeviceFacts, Ownership, asker_of, is_of, owner_of, whose_device
from domain.errors import Conflict, Invalid, PortalError, Throttled, Unavailable
from domain.identity.people import Actor, Role
from domain.runs.projection import FlowOwner
from workflows.activation import ActivationWorkflow

RETRY_AFTER = 2
"""Seconds after which an unanswered start is worth another try."""


class InUse(Conflict):
    """Somebody else's activation holds a device of one's own."""

    code = "device_in_use"
    detail = "This device is being activated already."


@asynccontextmanager
async def guests_try(
    request: Request, portal: Portal, device_key: str, iccid_last_digits: str | None
) -> AsyncGenerator[None]:
    """Counts a guest's try before it is made; only what ends in UnknownDevice, or without an end, uses it up.

    Raises Invalid without digits, and Throttled. Beyond the limits of all guests a solved bot check in `X-Bot-Check` comes
    before the refusal; nothing lifts that of the device.
    """
    _check_there(iccid_last_digits)
    tries, address = DeviceTries(portal.sessions), counted_address(request)
    try:
        await tries.count_guest(address)
    except Throttled:
        if not await solved(portal, request):
            raise
        await tries.count_solved_guest(address)
    async with (
        _only_wrong(lambda: tries.give_back_guest(address), (UnknownDevice, Throttled)),
        _proof(portal, device_key),
    ):
        yield


@asynccontextmanager
async def proving(
    request: Request,
    portal: Portal,
    actor: Actor,
    device_key: str,
    iccid_last_digits: str | None,
) -> AsyncGenerator[None]:
    """The try of whoever has to have the device in hand. Who is signed in has tries of their own, that no guest uses up.
    Raises what `guests_try` raises."""
    if actor.user is None:
        async with guests_try(request, portal, device_key, iccid_last_digits):
            yield
        return
    _check_there(iccid_last_digits)
    async with persons_lookup(portal, actor.user.id), _proof(portal, device_key):
        yield


def _check_there(iccid_last_digits: str | None) -> None:
    if iccid_last_digits is None:
        raise Invalid(fields=[("iccid_last_digits", "Required field")])


@asynccontextmanager
async def _proof(portal: Portal, device_key: str) -> AsyncGenerator[None]:
    """Counts a try at one device, whoever makes it; only a wrong one uses up the limit. Raises Throttled."""
    tries, device = DeviceTries(portal.sessions), stored_serial(portal, device_key)
    await tries.count_proof(device)
    async with _only_wrong(lambda: tries.give_back_proof(device)):
        yield


@asynccontextmanager
async def _only_wrong(
    give_back: Callable[[], Awaitable[None]],
    wrong: tuple[type[PortalError], ...] = (UnknownDevice,),
) -> AsyncGenerator[None]:
    """Gives a try back that was counted before, unless it ends in what is `wrong`, or without an end."""
    try:
        yield
    except wrong:
        raise
    except PortalError:
        await give_back()
        raise
    await give_back()


@asynccontextmanager
async def persons_try(
    portal: Portal, actor: Actor, device_key: str, iccid_last_digits: str | None
) -> AsyncGenerator[bool]:
    """`persons_lookup` by serial number, but of one's own device by what the portal knows: whoever has tried too often still
    gets to theirs. With digits the proof of possession counts for the device, whatever it is, and a wrong one alone uses it
    up. Yields whether there is a proof to be judged: without digits, or for one's own device, there is none. Raises Throttled."""
    async with reading(portal.sessions) as session:
        facts = await facts_of_device(session, device_key)
    is_own = whose_device(asker_of(actor), facts) is Ownership.OWN
    async with persons_lookup(portal, actor.person.id, is_counted=not is_own):
        if iccid_last_digits is None or is_own:
            yield False
            return
        async with _proof(portal, device_key):
            yield True


@asynccontextmanager
async def persons_lookup(
    portal: Portal, person_id: str, *, is_counted: bool = True
) -> AsyncGenerator[None]:
    """Counts a look at a device before it is made; only one that ends in UnknownDevice uses it up. Raises Throttled."""
    if not is_counted:
        yield
        return
    tries, most = DeviceTries(portal.sessions), portal.opening_policy.wrong_per_hour
    await tries.count_lookup(person_id, most)
    async with _only_wrong(lambda: tries.give_back_lookup(person_id, most)):
        yield


async def live_run(portal: Portal, device_key: str) -> FlowOwner | None:
    """The unfinished activation that holds the device now, whosever it is."""
    async with reading(portal.sessions) as session:
        holder = await device_reservations.holder_of(session, device_key, "activation")
        run = await flows.find_owner(session, "activation", holder.flow_id) if holder else None
    return None if run is None or run.ended else run


def may_resume(actor: Actor, run: FlowOwner) -> bool:
    """Colleagues go on with each other's runs; guests, who prove possession, with a guest's."""
    if actor.user is None:
        return is_guests(run)
    if Role.ADMIN in actor.roles:
        return True
    mine = run.owner_id == actor.user.id
    return mine or (actor.dealer_id is not None and run.dealer_id == actor.dealer_id)


def held_by_another(actor: Actor, run: FlowOwner | None, facts: DeviceFacts) -> FlowOwner | None:
    """The activation that holds the device, where that is the caller's own and the run somebody else's: it began before the
    device became theirs, or by their leave."""
    if run is None or may_resume(actor, run):
        return None
    owner = owner_of(facts)
    return run if owner is not None and is_of(asker_of(actor), owner) else None


def is_guests(run: FlowOwner) -> bool:
    return run.owner_id is None and run.dealer_id is None


async def end_run(portal: Portal, actor: Actor, run: FlowOwner, why: str) -> None:
    """Ends somebody else's activation, so that the device is free; recorded with the reason. What it is doing to the device
    ends first. Raises Unavailable when that takes longer."""
    await record_now(portal, actor, f"ended {why}", on=("activation", run.id))

    async def ended() -> None:
        handle = portal.temporal.get_workflow_handle(run.workflow_id, run_id=run.run_id)
        await handle.cancel()
        await handle.result()

    try:
        await within_deadline(ended, within=ACCEPTED_WITHIN)
    except (TimeoutError, RPCError):
        raise Unavailable(retry_after=RETRY_AFTER) from None


async def view_of(portal: Portal, name: str, run_id: str | None = None) -> ActivationView:
    """What the run itself says. Raises Unavailable when no worker answers at once, or one that has to replay the run first
    cannot: a question in the middle of a local activity may meet its marker too early (the run itself goes on)."""
    handle = portal.temporal.get_workflow_handle_for(ActivationWorkflow.run, name, run_id=run_id)
    try:
        return await handle.query(ActivationWorkflow.view, rpc_timeout=ACCEPTED_WITHIN)
    except (RPCError, WorkflowQueryFailedError):
        raise Unavailable(retry_after=RETRY_AFTER) from None
