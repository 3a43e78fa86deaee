"""Whose a run is, and where it stands: what every call on one goes through."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from itertools import compress
from typing import TypeVar

from api.platform.deps import Portal
from api.platform.schemas import PathId
from db.base import Executes, plain_reading
from db.devices.ownership import facts_of_device
from db.devices.visits import permitted_visits
from db.operations.audit import Outcome, record_by
from db.runs import capabilities, device_reservations, flows
from domain.activation.activation import Person
from domain.dealers.team import NotLetIn
from domain.devices.activation_type import ActivationType
from domain.devices.ownership import (
    Asker,
    Ownership,
    Party,
    asker_of,
    asker_of_run,
    whose_device,
)
from domain.devices.visits import permits
from domain.errors import NotFound
from domain.identity.people import Actor, Role, User
from domain.runs.access import may_access
from domain.runs.projection import FlowAnswer, FlowKind, FlowOwner

ANSWER_WITHIN = timedelta(seconds=2.4)
"""How long a write waits for what its run answers or comes to: with all around it, it stays under 3 s (`api/runs/messages.py`)."""
LOOK_EVERY = timedelta(milliseconds=250)
"""Where a run is followed and its change was missed."""

BOUGHT: frozenset[FlowKind] = frozenset({"placement", "purchase", "invoice_payment"})
"""Runs by which something is bought or paid."""

FlowId = PathId


def person_of(actor: Actor, *, guest_of: str | None = None) -> Person:
    """The caller as a run knows them: names and ids, no secret."""
    user = actor.user
    if user is None:
        return Person(name="Guest", guest_of=guest_of)
    return Person(
        user_id=user.id,
        name=user.name,
        dealer_id=actor.dealer_id,
        installer=bool(user.user_type),
        acting_for=actor.impersonated.id if actor.impersonated else None,
        everywhere=Role.ADMIN in actor.roles,
    )


async def authorize_run(session: Executes, actor: Actor, kind: FlowKind, flow_id: str) -> FlowOwner:
    """The run, if the caller may touch it. Somebody else's is NotFound, like an absent one, and is audited; so is one's
    own that works on a device which, by all that the portal knows, has become another's."""
    owner = await flows.find_owner(session, kind, flow_id)
    if owner is None:
        raise NotFound
    await _check_touch(session, actor, owner)
    return owner


async def _check_touch(session: Executes, actor: Actor, owner: FlowOwner) -> None:
    if await is_authorized(session, actor, owner):
        return
    await record_by(
        session,
        actor,
        "reached for another's run",
        outcome=Outcome.REFUSED,
        on=(owner.kind, owner.id),
    )
    await session.commit()
    raise NotFound


async def is_authorized(session: Executes, actor: Actor, owner: FlowOwner) -> bool:
    """Whether the run is there for the caller: theirs, and on no device that is foreign to them."""
    return await may_touch(session, actor, owner) and not await _is_on_foreign(
        session, actor, owner
    )


async def may_touch(session: Executes, actor: Actor, owner: FlowOwner) -> bool:
    """`may_access` of this run, with what a guest's capability opens."""
    return may_access(actor, owner, opens=await _opens(session, actor, owner))


async def _opens(session: Executes, actor: Actor, owner: FlowOwner) -> bool:
    """A guest's firmware run is opened by the capability for the activation that holds the same device."""
    if actor.capability_hash is None:
        return False
    opened = await capabilities.flow_of_capability(session, actor.capability_hash)
    if owner.kind == "activation":
        return opened == owner.id
    if owner.device_key is None:
        return False
    holder = await device_reservations.holder_of(session, owner.device_key, "activation")
    return holder is not None and holder.flow_id == opened


async def _is_on_foreign(session: Executes, actor: Actor, owner: FlowOwner) -> bool:
    """What has ended is a record of one's own work, whoever has the device now."""
    if owner.kind in BOUGHT or owner.ended or owner.device_key is None:
        return False
    return not (await _may_work_on(session, [asker_of(actor)], owner, owner.device_key))[0]


async def who_could_go_on(
    session: Executes, owner: FlowOwner, people: Sequence[User]
) -> tuple[User, ...]:
    """Those to whom the activation, were it theirs, would not be absent: a service visit lets in one person alone."""
    if owner.device_key is None:
        return tuple(people)
    askers = [
        asker_of_run(
            Party(dealer_id=one.dealer_id, partner_code=one.partner_code, person_id=one.id), one
        )
        for one in people
    ]
    return tuple(compress(people, await _may_work_on(session, askers, owner, owner.device_key)))


async def check_could_go_on(session: Executes, owner: FlowOwner, *people: User) -> None:
    """Before it is handed over to them, or is to come back to them. Raises NotLetIn."""
    if len(await who_could_go_on(session, owner, people)) < len(people):
        raise NotLetIn


async def _may_work_on(
    session: Executes, askers: Sequence[Asker], owner: FlowOwner, device_key: str
) -> list[bool]:
    """Of each whether the device of the run is not foreign to them, or its owner permits them the visit that the run is."""
    facts = (await facts_of_device(session, device_key)).apart_from_runs()
    may_work = [whose_device(asker, facts) is not Ownership.FOREIGN for asker in askers]
    if all(may_work) or not await _is_service(session, owner):
        return may_work
    people = [asker.person_id for asker in askers if asker.person_id is not None]
    permitted = await permitted_visits(session, device_key, *people)
    return [
        may or permits(asker, facts, permitted) for asker, may in zip(askers, may_work, strict=True)
    ]


async def _is_service(session: Executes, owner: FlowOwner) -> bool:
    """Whether the run is of the one kind that a visit is for (decision 40)."""
    run = (
        await flows.find_flow(session, owner.kind, owner.id) if owner.kind == "activation" else None
    )
    return run is not None and run.view.get("type") == ActivationType.SERVICE_DEVICE


Seen = TypeVar("Seen")


async def follow_run(
    portal: Portal,
    run_id: str,
    look: Callable[[], Awaitable[Seen]],
    is_enough: Callable[[Seen], bool],
    *,
    ends: float | None = None,
) -> tuple[Seen, bool]:
    """What `look` sees of a run once that is enough, or once the time of a call is over or that of the loop is `ends`; and
    whether it is enough. It looks whenever the run moves, and by itself, as a move may be missed."""
    seen = await look()
    if is_enough(seen):
        return seen, True
    ends = ends or asyncio.get_running_loop().time() + ANSWER_WITHIN.total_seconds()
    with portal.live.following([run_id]) as woken, suppress(TimeoutError):
        async with asyncio.timeout_at(ends):
            while True:
                woken.clear()
                seen = await look()
                if is_enough(seen):
                    return seen, True
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_EVERY.total_seconds()):
                        await woken.wait()
    return seen, False


async def once_seen(
    portal: Portal, kind: FlowKind, run_id: str, is_enough: Callable[[FlowAnswer], bool]
) -> tuple[FlowAnswer | None, bool]:
    """The row of a run by the same rule; None while nobody has shown it."""

    async def look() -> FlowAnswer | None:
        async with plain_reading(portal.sessions) as connection:
            return await flows.find_flow(connection, kind, run_id)

    return await follow_run(
        portal, run_id, look, lambda found: found is not None and is_enough(found)
    )


async def answer_of(portal: Portal, kind: FlowKind, flow_id: str) -> FlowAnswer:
    async with plain_reading(portal.sessions) as connection:
        return await standing(connection, kind, flow_id)


async def standing(session: Executes, kind: FlowKind, flow_id: str) -> FlowAnswer:
    """How the run stands, whoever asks. Raises NotFound."""
    found = await flows.find_flow(session, kind, flow_id)
    if found is None:
        raise NotFound
    return found


async def look_at_run(session: Executes, actor: Actor, kind: FlowKind, flow_id: str) -> FlowAnswer:
    """The run as it stands, by the rule of `authorize_run`."""
    found = await flows.find_run(session, kind, flow_id)
    if found is None:
        raise NotFound
    owner, shown = found
    await _check_touch(session, actor, owner)
    return shown
