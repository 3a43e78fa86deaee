"""Starting and resuming an activation: one run for a device, whoever asks and however often."""

import asyncio
import uuid
from datetime import UTC, datetime, timedelta

from fastapi import Request
from temporalio.client import (
    WithStartWorkflowOperation,
    WorkflowUpdateFailedError,
    WorkflowUpdateHandle,
    WorkflowUpdateRPCTimeoutOrCancelledError,
    WorkflowUpdateStage,
)
from temporalio.common import (
    SearchAttributePair,
    TypedSearchAttributes,
    WorkflowIDConflictPolicy,
    WorkflowIDReusePolicy,
)
from temporalio.exceptions import ApplicationError

from api.deps import Portal, address_of
from api.flows import Accepted, answer_of, person_of, update_id_of
from api.throttling import Tries
from db import flows
from db.audit import record
from domain.activation import (
    ActivationType,
    ActivationView,
    Opened,
    Person,
    Reply,
    Resume,
    Start,
)
from domain.base import Frozen
from domain.devices import Device, NotInServiceMode, UnknownDevice
from domain.errors import Conflict, Invalid, PortalError, Unavailable
from domain.flows.activation import CURRENT_VERSION
from domain.flows.projection import FlowAnswer, FlowOwner
from domain.identity import Actor
from providers.tokens import new_capability
from workflows import ids
from workflows.activation import ActivationWorkflow

ANSWER_WITHIN = timedelta(seconds=2.8)
CAPABILITY_LIFE = timedelta(days=60)
TURNS = 5
"""How many runs named for one serial number may live at once, their devices having been changed."""


class Opening(Frozen):
    """A well-formed wish to activate a device."""

    device_key: str
    iccid_last_digits: str | None
    type: ActivationType
    advanced: bool
    consumer_email: str | None


class Started(FlowAnswer):
    """`resume_token` is given to guests only: their key to this one activation, valid 60 days."""

    resume_token: str | None = None


class RefusedDevice(PortalError):
    """The device check's refusal, with the status that fits its code."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail, code=code)
        self.status = {  # pyright: ignore[reportAttributeAccessIssue]
            UnknownDevice.code: UnknownDevice.status,
            NotInServiceMode.code: NotInServiceMode.status,
            "unexpected": Unavailable.status,
            "provider_unavailable": Unavailable.status,
        }.get(code, Conflict.status)


async def prove_possession(
    request: Request, portal: Portal, device_key: str, iccid_last_digits: str | None, canadian: bool
) -> Device:
    """A guest knows the device key and the last five ICCID digits; tries are limited. Raises UnknownDevice, Throttled.

    A device that belongs to an account is out of a guest's reach, and looks as if it did not exist.
    """
    if iccid_last_digits is None:
        raise Invalid(fields=[("iccid_last_digits", "Required field")])
    tries, address = Tries(portal.sessions), address_of(request)
    await tries.count_guest(device_key, address)
    device = await portal.device_cloud.check(device_key, iccid_last_digits, canadian)
    if device.owner_dealer_id is not None:
        raise UnknownDevice
    await tries.give_back_guest(device_key, address)
    return device


async def live_run(portal: Portal, device_key: str) -> FlowOwner | None:
    """The activation that holds the device now, whosever it is."""
    async with portal.sessions() as session:
        holder = await flows.holder_of(session, device_key, "activation")
        return await flows.find_owner(session, "activation", holder.flow_id) if holder else None


def may_resume(actor: Actor, run: FlowOwner) -> bool:
    """Colleagues go on with each other's runs; guests, who have proven possession, with a guest's."""
    if actor.user is None:
        return run.owner_id is None and run.dealer_id is None
    mine = run.owner_id == actor.user.id
    return mine or (actor.dealer_id is not None and run.dealer_id == actor.dealer_id)


async def open_activation(
    portal: Portal, actor: Actor, opening: Opening, key: str
) -> tuple[int, Started | Accepted]:
    """Starts or resumes; answers 200 with the first step, or 202 when the device check takes longer than 3 s."""
    run = await live_run(portal, opening.device_key)
    if run is not None and not run.ended and not may_resume(actor, run):
        raise UnknownDevice
    mine = run.id if run is not None and not run.ended else uuid.uuid4().hex
    capability = new_capability() if actor.user is None else None
    person = person_of(actor, guest_of=mine if capability else None)
    if capability is not None:
        async with portal.sessions.begin() as session:
            await flows.add_capability(
                session,
                token_hash=capability.hash,
                flow_id=mine,
                expires_at=datetime.now(UTC) + CAPABILITY_LIFE,
            )
    start = await _start(portal, actor, opening, mine, person)
    reply = await _open(portal, start, run, person, update_id_of(actor, key))
    token = capability.token if capability else None
    if reply is None:
        return 202, Accepted(id=mine, update_id=update_id_of(actor, key))
    if reply.state == "refused":
        fault = reply.error
        raise RefusedDevice(fault.code, fault.detail) if fault else UnknownDevice
    async with portal.sessions.begin() as session:
        await record(
            session,
            "opened an activation",
            actor=actor.key,
            acting_for=person.acting_for,
            on=("activation", reply.id),
            request_id=actor.request_id,
        )
    answer = await answer_of(portal, "activation", reply.id)
    return 200, Started(**answer.model_dump(), resume_token=token)


async def _start(
    portal: Portal, actor: Actor, opening: Opening, flow_id: str, person: Person
) -> Start:
    return Start(
        id=flow_id,
        flow_version=CURRENT_VERSION,
        kind=opening.type,
        device_key=opening.device_key,
        iccid_last_digits=opening.iccid_last_digits,
        site=actor.site.code,
        canadian=actor.site.country == "CA",
        actor=person,
        partner=actor.partner_code or (actor.user.partner_code if actor.user else None),
        advanced=opening.advanced,
        consumer_email=opening.consumer_email,
        policy=portal.activation_policy,
        firmware_policy=portal.firmware_policy,
        resume=await _left_behind(portal, opening, person),
        portal_url=portal.portal_url,
    )


async def _left_behind(portal: Portal, opening: Opening, person: Person) -> Resume | None:
    """What an abandoned run of the same dealer and type knew; the device itself is asked anew."""
    if person.dealer_id is None:
        return None
    async with portal.sessions() as session:
        last = await flows.last_unfinished(session, opening.device_key, person.dealer_id)
        moves = await flows.transitions_of(session, last.id, limit=1000) if last else ()
    if last is None or not moves:
        return None
    view = ActivationView.model_validate(last.view)
    if view.type is not opening.type:
        return None
    left = moves[-1].from_state.partition("/")[0]
    return Resume(
        entry=next((step for step in view.plan if step == left), None),
        vehicle=view.facts.vehicle,
        consumer_email=view.consumer_email,
        skipped=view.skipped,
    )


async def _open(
    portal: Portal, start: Start, run: FlowOwner | None, person: Person, update_id: str
) -> Reply | None:
    """The run's answer, or None when it takes longer. A run that has moved on to another device keeps its name: the
    next turn's is tried then."""
    turns = [ids.activation_id(start.device_key, turn) for turn in range(1, TURNS + 1)]
    names = [run.workflow_id] if run is not None and not run.ended else turns
    try:
        async with asyncio.timeout(ANSWER_WITHIN.total_seconds()):
            for name in names:
                try:
                    handle = await _send(portal, start, person, name, update_id)
                    return await handle.result()
                except WorkflowUpdateFailedError as error:
                    code = error.cause.type if isinstance(error.cause, ApplicationError) else None
                    if code == "not_owner":
                        raise UnknownDevice from None
                    if code != "device_moved":
                        raise Conflict from None
    except (TimeoutError, WorkflowUpdateRPCTimeoutOrCancelledError):
        return None
    raise Conflict


async def _send(
    portal: Portal, start: Start, person: Person, workflow_id: str, update_id: str
) -> WorkflowUpdateHandle[Reply]:
    pairs = [
        SearchAttributePair(ids.FLOW_KIND, "activation"),
        SearchAttributePair(ids.FLOW_STEP, "checking"),
        SearchAttributePair(ids.DEVICE_KEY, start.device_key),
        SearchAttributePair(ids.SITE, start.site),
    ]
    for name, value in (
        (ids.DEALER_ID, person.dealer_id),
        (ids.INSTALLER_ID, person.user_id),
        (ids.BP_CODE, start.partner),
    ):
        if value is not None:
            pairs.append(SearchAttributePair(name, value))
    operation = WithStartWorkflowOperation(
        ActivationWorkflow.run,
        start,
        id=workflow_id,
        task_queue=portal.task_queue,
        id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
        id_reuse_policy=WorkflowIDReusePolicy.ALLOW_DUPLICATE,
        search_attributes=TypedSearchAttributes(pairs),
        static_summary=f"{start.device_key} · {start.kind} · dealer {person.dealer_id or 'none'} · {start.site}",
    )
    return await portal.temporal.start_update_with_start_workflow(  # pyright: ignore[reportUnknownMemberType] one overload of the SDK is open
        ActivationWorkflow.open,
        Opened(actor=person, device_key=start.device_key),
        start_workflow_operation=operation,
        wait_for_stage=WorkflowUpdateStage.ACCEPTED,
        id=update_id,
    )
