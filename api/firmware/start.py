"""Starting a firmware run beside any activation: one run for a device, whoever asks and however often."""

import asyncio
from contextlib import suppress
from datetime import UTC, datetime

from temporalio.exceptions import WorkflowAlreadyStartedError

from api.platform.deps import Portal
from api.runs.flows import ANSWER_WITHIN, LOOK_EVERY, answer_of, may_touch, once_seen, person_of
from api.runs.messages import Accepted, send_command, sender_of, update_id_of
from db.base import plain_reading, reading
from db.operations.audit import record_by
from db.runs import device_reservations, flows
from domain.base import Frozen
from domain.devices.devices import FirmwareOffer, FirmwareTarget, UnknownDevice
from domain.errors import Forbidden, Unavailable
from domain.firmware.firmware import (
    CURRENT_VERSION,
    FirmwareMessage,
    FirmwareStart,
    Overruling,
    TooWeak,
    UpToDate,
    Weakness,
    chosen_offers,
    readings_of_check,
    weaknesses,
)
from domain.identity.people import Actor, Role
from domain.kinds import FIRMWARE
from domain.runs.projection import FlowAnswer, FlowOwner
from workflows import ids
from workflows.client import begun_as
from workflows.firmware import FirmwareWorkflow

RETRY_AFTER = 2
"""Seconds after which an unanswered start is worth another try."""
OVERRULERS = frozenset({Role.OWNER, Role.ADMIN})


class MayNotOverrule(Forbidden):
    code = "may_not_overrule"
    detail = "Only an owner of the business may overrule a weak reading."


class FirmwareRequest(Frozen):
    """A well-formed request to update a device. No `targets` means everything that is waiting."""

    device_key: str
    targets: tuple[FirmwareTarget, ...] | None
    reason: str | None


async def start_or_join(
    portal: Portal, actor: Actor, wanted: FirmwareRequest, key: str
) -> tuple[int, FlowAnswer | Accepted]:
    """Starts the device's run, or joins the one that is under way; one that has failed begins again. The run that the same key
    has begun is answered wherever it stands by now.

    The caller may make the call on the device. Raises UpToDate, TooWeak, MayNotOverrule, UnknownDevice for a run of somebody
    else's, Unavailable.
    """
    async with plain_reading(portal.sessions) as connection:
        begun = await flows.find_flow(connection, "firmware", update_id_of(actor, key))
    if begun is not None:
        return 200, begun
    present = await present_run(portal, actor, wanted.device_key)
    if present is not None:
        return await _join(portal, actor, present, key)
    check = await portal.questions.answer(
        ("firmware", wanted.device_key),
        lambda: portal.device_cloud.check_firmware(wanted.device_key),
    )
    offers = chosen_offers(check, wanted.targets)
    if not offers:
        raise UpToDate
    readings = readings_of_check(check)
    overruling = _overruling(actor, wanted, weaknesses(readings, portal.firmware_policy))
    start = _start(portal, actor, wanted, key, offers).model_copy(
        update={"readings": readings, "overruling": overruling}
    )
    if not await _begin(portal, start):
        joined = await _wait_for_present(portal, actor, wanted.device_key)
        return await _join(portal, actor, joined, key)
    async with portal.sessions.begin() as session:
        await record_by(session, actor, "started a firmware run", on=("firmware", start.run_id))
        if overruling is not None:
            await record_by(
                session,
                actor,
                "overruled a weak reading",
                on=("firmware", start.run_id),
                more=overruling.model_dump(mode="json", include={"reason", "weaknesses"}),
            )
    shown = await _shown(portal, start.run_id)
    return (200, shown) if shown else (202, Accepted(id=start.run_id, update_id=start.run_id))


async def present_run(portal: Portal, actor: Actor, device_key: str) -> FlowOwner | None:
    """The device's run that is under way. Raises UnknownDevice for somebody else's."""
    async with reading(portal.sessions) as session:
        holder = await device_reservations.holder_of(session, device_key, "firmware")
        run = await flows.find_owner(session, "firmware", holder.flow_id) if holder else None
        if run is None or run.ended:
            return None
        if not await may_touch(session, actor, run):
            raise UnknownDevice
    return run


async def _join(
    portal: Portal, actor: Actor, run: FlowOwner, key: str
) -> tuple[int, FlowAnswer | Accepted]:
    stands = await answer_of(portal, "firmware", run.id)
    if stands.state != "failed":
        return 200, stands
    ask = FirmwareMessage(**sender_of(actor))
    return await send_command(portal, run, FirmwareWorkflow.retry_now, ask, actor=actor, key=key)


def _overruling(
    actor: Actor, wanted: FirmwareRequest, found: tuple[Weakness, ...]
) -> Overruling | None:
    if not found:
        return None
    if wanted.reason is None:
        raise TooWeak(found)
    if not actor.roles & OVERRULERS:
        raise MayNotOverrule
    person = person_of(actor)
    return Overruling(
        by_id=person.user_id,
        by=person.name,
        reason=wanted.reason,
        at=datetime.now(UTC),
        weaknesses=found,
    )


def _start(
    portal: Portal,
    actor: Actor,
    wanted: FirmwareRequest,
    key: str,
    offers: tuple[FirmwareOffer, ...],
) -> FirmwareStart:
    """The run's id follows from the caller's key: a repeat after a crash means the same run."""
    person = person_of(actor)
    return FirmwareStart(
        run_id=update_id_of(actor, key),
        version=CURRENT_VERSION,
        device_key=wanted.device_key,
        offers=offers,
        dealer_id=person.dealer_id,
        owner_id=person.user_id,
        owner_name=person.name,
        partner=actor.business_code,
        site=actor.site.code,
        policy=portal.firmware_policy,
        portal_url=portal.url_of(actor.site),
        reason=wanted.reason or "",
    )


async def _begin(portal: Portal, start: FirmwareStart) -> bool:
    """False when another request has just started the device's run. Raises Unavailable."""
    try:
        async with asyncio.timeout(ANSWER_WITHIN.total_seconds()):
            await portal.temporal.start_workflow(  # pyright: ignore[reportUnknownMemberType] one overload of the SDK is open
                FirmwareWorkflow.run,
                start,
                id=ids.firmware_id(start.device_key),
                task_queue=portal.task_queue,
                **begun_as(FIRMWARE, start),
            )
    except TimeoutError:
        raise Unavailable(retry_after=RETRY_AFTER) from None
    except WorkflowAlreadyStartedError:
        return False
    return True


async def _wait_for_present(portal: Portal, actor: Actor, device_key: str) -> FlowOwner:
    """A run that was started this very moment shows itself soon. Raises Unavailable when it does not."""
    with suppress(TimeoutError):
        async with asyncio.timeout(ANSWER_WITHIN.total_seconds()):
            while True:
                run = await present_run(portal, actor, device_key)
                if run is not None:
                    return run
                await asyncio.sleep(LOOK_EVERY.total_seconds())
    raise Unavailable(retry_after=RETRY_AFTER)


async def _shown(portal: Portal, run_id: str) -> FlowAnswer | None:
    """The run, once a worker has written it for everybody to see; None when that takes longer."""
    found, _ = await once_seen(portal, "firmware", run_id, lambda _: True)
    return found
