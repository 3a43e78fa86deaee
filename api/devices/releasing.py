"""A device that is being given up is kept from what would begin meanwhile (decision 34)."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from api.platform.deps import Portal
from db.devices.changes import begin_change, end_change
from db.devices.ownership import facts_of_device
from db.runs import device_reservations
from domain.devices.changes import GAVE_UP
from domain.devices.devices import UnknownDevice
from domain.devices.ownership import (
    DeviceFacts,
    Ownership,
    asker_of,
    may_give_up,
    refusal_to_release,
    whose_device,
)
from domain.errors import Forbidden, PortalError
from domain.identity.people import Actor
from domain.runs.projection import FlowKind
from providers.errors import may_have_worked

KEPT_FROM: tuple[FlowKind, ...] = ("activation", "purchase")
"""Runs that ask for a device before they take it. An update of firmware takes what it finds: it is looked for alone."""


@asynccontextmanager
async def set_aside(
    portal: Portal, actor: Actor, device_key: str, network_owner: str | None, effect_key: str
) -> AsyncGenerator[DeviceFacts]:
    """The facts of a device that may be given up; no run takes it before the block ends, which records what came of it. What a
    process that dies has taken belongs to no run, and the reconciler lets it go; who asked for it is noted until then, also
    where the network does not answer. Raises UnknownDevice, Forbidden, StillPaid, StillInWork."""
    name = f"release-{effect_key}"
    async with portal.sessions.begin() as session:
        taken = [
            await device_reservations.reserve(
                session, device_key=device_key, kind=kind, flow_id=name, workflow_id=name
            )
            for kind in KEPT_FROM
        ]
        is_updated = await device_reservations.is_held(session, device_key, "firmware")
        # Read after the device is taken: a plan that is set up meanwhile has held it until then, and an activation that
        # ended a moment ago has made it another's.
        facts = (await facts_of_device(session, device_key)).with_network_owner(network_owner)
        if whose_device(asker_of(actor), facts) is Ownership.FOREIGN:
            raise UnknownDevice
        if not may_give_up(actor.roles, facts):
            raise Forbidden
        refusal = refusal_to_release(facts, is_held=is_updated or not all(taken))
        if refusal is not None:
            raise refusal
        await begin_change(
            session, actor, key=effect_key, device_key=device_key, action=GAVE_UP, more=None
        )
    is_over = False
    try:
        yield facts
        is_over = True
    except PortalError as error:
        is_over = not may_have_worked(error)
        raise
    finally:
        async with portal.sessions.begin() as session:
            await device_reservations.release(session, flow_id=name)
            if is_over:
                await end_change(session, effect_key)
