"""The doors' side of the one rule (decision 34): the facts are read, the device network is asked, the rule is applied."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NoReturn

from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.deps import Portal, record_now
from db.base import reading
from db.devices.ownership import (
    facts_of_device,
    facts_of_devices,
    history_of_device,
    vehicles_of_device,
)
from db.devices.visits import permitted_visits
from db.operations.audit import Outcome
from domain.card_numbers import has_letter, holds_card_number, may_be_card_number
from domain.devices.devices import (
    Device,
    NotInServiceMode,
    UnknownDevice,
    VehicleDetails,
    parse_device_key,
)
from domain.devices.own_time import own_since, own_vehicle
from domain.devices.ownership import DeviceFacts, Ownership, asker_of, whose_device
from domain.devices.visits import permits
from domain.errors import Unavailable
from domain.identity.people import Actor
from providers.errors import Refused

NETWORK_WITHIN = timedelta(seconds=1)
"""How long a door waits for the device network where the run asks it again."""


@dataclass(frozen=True)
class DeviceAccess:
    """What is known of a device that is not foreign; `device` is None when the network did not answer in time."""

    facts: DeviceFacts
    device: Device | None


async def known_facts(portal: Portal, device_key: str) -> DeviceFacts:
    """The facts without what the device network says."""
    async with reading(portal.sessions) as session:
        return await facts_of_device(session, device_key)


async def known_soon(portal: Portal, device_key: str) -> Device:
    """What the network says, for screens: they ask again where it is slow. Raises UnknownDevice, Unavailable, Refused."""
    return await portal.questions.answer(
        ("device", device_key), lambda: portal.device_cloud.device(device_key)
    )


async def check_serials(portal: Portal, *device_keys: str) -> None:
    """Has the network know each that may be the number of a card, as it was typed, before anything of it is kept or told.
    Raises MalformedDeviceKey, UnknownDevice, Unavailable, Refused."""
    keys = [parse_device_key(key) for key in device_keys if holds_card_number(key)]
    doubted = [key for key in keys if not has_letter(key)]
    if not doubted:
        return
    async with reading(portal.sessions) as session:
        facts = await facts_of_devices(session, doubted)
    asked = (known_soon(portal, key) for key in doubted if facts[key].are_none)
    await asyncio.gather(*asked)


def stored_serial(portal: Portal, device_key: str) -> str:
    """How a try at a serial number is kept before the network has said that it knows it."""
    if may_be_card_number(device_key):
        return portal.tokens.serial_hash(device_key)
    return device_key


async def authorize_device(
    portal: Portal,
    actor: Actor,
    device_key: str,
    network_owner: str | None,
    *,
    visiting: bool = False,
    in_hand: bool = False,
) -> DeviceFacts:
    """The facts, once the device is not foreign to the caller; `visiting` lets in whom the owner permits a visit,
    `in_hand` whoever has proven possession of what a guest began. Raises UnknownDevice, and records it."""
    known = await known_facts(portal, device_key)
    facts = known.with_network_owner(network_owner)
    if whose_device(asker_of(actor), facts, in_hand=in_hand) is Ownership.FOREIGN:
        if (
            visiting
            and actor.user is not None
            and await _is_visiting(portal, actor, device_key, facts)
        ):
            return facts
        await refuse_foreign(portal, actor, device_key)
    return facts


async def authorized_answer(
    portal: Portal,
    actor: Actor,
    device_key: str,
    ask: Callable[[], Awaitable[Device]],
    *,
    in_hand: bool = False,
) -> Device:
    """What a check of the device network answers, or refuses, once the device is not foreign to the caller; `in_hand`
    where the check proves possession.

    Raises UnknownDevice, and what the check raises.
    """
    try:
        device = await ask()
    except (Refused, NotInServiceMode):
        owner = await portal.questions.answer(
            ("owner", device_key), lambda: portal.device_cloud.owner(device_key)
        )
        await authorize_device(portal, actor, device_key, owner, in_hand=in_hand)
        raise
    await authorize_device(portal, actor, device_key, device.owner_dealer_id, in_hand=in_hand)
    return device


async def authorize_within_deadline(
    portal: Portal,
    actor: Actor,
    device_key: str,
    *,
    visiting: bool = False,
    in_hand: bool = False,
) -> DeviceAccess:
    """As `authorized_answer`, before a run asks the same: a network that does not answer at once is left to the run, but for what may
    be the number of a card.

    Raises UnknownDevice; of the latter Unavailable and Refused too.
    """
    device = None
    if may_be_card_number(device_key) and (await known_facts(portal, device_key)).are_none:
        device = await known_soon(portal, device_key)
    else:
        with suppress(TimeoutError, Unavailable, Refused):
            async with asyncio.timeout(NETWORK_WITHIN.total_seconds()):
                device = await portal.device_cloud.device(device_key)
    owner = device.owner_dealer_id if device else None
    facts = await authorize_device(
        portal, actor, device_key, owner, visiting=visiting, in_hand=in_hand
    )
    return DeviceAccess(facts, device)


async def own_last_vehicle(
    session: AsyncSession, actor: Actor, device_key: str, facts: DeviceFacts
) -> VehicleDetails | None:
    """The vehicle that the caller's people left the device in, in their own time with it."""
    vehicles = await vehicles_of_device(session, device_key)
    if not vehicles:
        return None
    asker, history = asker_of(actor), await history_of_device(session, device_key)
    return own_vehicle(asker, vehicles, own_since(asker, facts, history, datetime.now(UTC)))


async def _is_visiting(portal: Portal, actor: Actor, device_key: str, facts: DeviceFacts) -> bool:
    async with reading(portal.sessions) as session:
        permitted = await permitted_visits(session, device_key, actor.person.id)
    return permits(asker_of(actor), facts, permitted)


async def refuse_foreign(portal: Portal, actor: Actor, device_key: str) -> NoReturn:
    """Records who asked for another's device. Raises UnknownDevice, as for a device that never was."""
    await record_now(
        portal,
        actor,
        "reached for another's device",
        outcome=Outcome.REFUSED,
        on=("device", device_key),
    )
    raise UnknownDevice
