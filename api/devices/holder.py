"""The activation that holds a device, and how often one may look for it."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from fastapi import Request
from temporalio.service import RPCError

from api.platform.deps import Portal, address_of
from api.platform.throttling import Tries
from api.runs.flows import ACCEPTED_WITHIN
from db.runs import flows
from domain.activation.activation import ActivationView
from domain.devices.devices import UnknownDevice
from domain.errors import Conflict, Invalid, PortalError, Unavailable
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

    Raises Invalid without digits, and Throttled.
    """
    if iccid_last_digits is None:
        raise Invalid(fields=[("iccid_last_digits", "Required field")])
    tries, address = Tries(portal.sessions), address_of(request)
    await tries.count_guest(device_key, address)
    try:
        yield
    except UnknownDevice:
        raise
    except PortalError:
        await tries.give_back_guest(device_key, address)
        raise
    await tries.give_back_guest(device_key, address)


@asynccontextmanager
async def persons_lookup(portal: Portal, person_id: str) -> AsyncGenerator[None]:
    """Counts a look at a device before it is made; only one that ends in UnknownDevice uses it up. Raises Throttled."""
    tries, most = Tries(portal.sessions), portal.opening_policy.wrong_per_hour
    await tries.count_lookup(person_id, most)
    try:
        yield
    except UnknownDevice:
        raise
    except PortalError:
        await tries.give_back_lookup(person_id, most)
        raise
    await tries.give_back_lookup(person_id, most)


async def live_run(portal: Portal, device_key: str) -> FlowOwner | None:
    """The unfinished activation that holds the device now, whosever it is."""
    async with portal.sessions() as session:
        holder = await flows.holder_of(session, device_key, "activation")
        run = await flows.find_owner(session, "activation", holder.flow_id) if holder else None
    return None if run is None or run.ended else run


def may_resume(actor: Actor, run: FlowOwner) -> bool:
    """Colleagues go on with each other's runs; guests, who prove possession, with a guest's."""
    if actor.user is None:
        return run.owner_id is None and run.dealer_id is None
    if Role.ADMIN in actor.roles:
        return True
    mine = run.owner_id == actor.user.id
    return mine or (actor.dealer_id is not None and run.dealer_id == actor.dealer_id)


async def view_of(portal: Portal, name: str, run_id: str | None = None) -> ActivationView:
    """What the run itself says. Raises Unavailable when no worker answers at once."""
    handle = portal.temporal.get_workflow_handle_for(ActivationWorkflow.run, name, run_id=run_id)
    try:
        return await handle.query(ActivationWorkflow.view, rpc_timeout=ACCEPTED_WITHIN)
    except RPCError:
        raise Unavailable(retry_after=RETRY_AFTER) from None
