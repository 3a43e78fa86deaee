"""Starting and resuming an activation: one run for a device, whoever asks and however often.

A signed-in person needs the serial number of a device that is theirs or nobody's. A guest proves possession with the
ICCID digits as well: of a run that is under way by asking the device network here, of a new one by the run's own check.
Who is signed in takes a guest's device over by the same proof, at once.
"""

import time
import uuid
from datetime import timedelta

from fastapi import Request
from temporalio.client import (
    WithStartWorkflowOperation,
    WorkflowUpdateFailedError,
    WorkflowUpdateHandle,
    WorkflowUpdateStage,
)
from temporalio.exceptions import ApplicationError

from api.activation.taking_over import taken_over
from api.devices.holder import (
    RETRY_AFTER,
    InUse,
    end_run,
    guests_try,
    is_guests,
    live_run,
    may_resume,
    persons_try,
    view_of,
)
from api.devices.ownership import DeviceAccess, authorize_within_deadline, authorized_answer
from api.platform.deps import Portal
from api.platform.throttling.runs import RunTries
from api.runs.flows import ANSWER_WITHIN, answer_of, person_of
from api.runs.messages import Accepted, update_id_of, within_deadline
from db.base import reading
from db.billing.payment_methods import is_canadian
from db.operations.audit import Outcome, record_by
from db.runs import capabilities, flows
from domain.activation.activation import (
    OPENED,
    Opened,
    Person,
    Reply,
    Start,
)
from domain.activation.reducer import CURRENT_VERSION
from domain.base import Frozen
from domain.devices.activation_type import ActivationType
from domain.devices.devices import Device, NotInServiceMode, UnknownDevice
from domain.devices.ownership import DeviceFacts
from domain.errors import Conflict, PortalError, Unavailable
from domain.identity.people import Actor
from domain.kinds import ACTIVATION
from domain.letters.language import Language
from domain.runs.projection import FlowAnswer, FlowOwner
from providers.security.tokens import new_capability
from workflows import ids
from workflows.activation import ActivationWorkflow
from workflows.client import joined_as

CAPABILITY_LIFE = timedelta(days=60)

TURNS = 5
"""How many runs named for one serial number may live at once, their devices having been changed."""


class Opening(Frozen):
    """A well-formed request to activate a device."""

    device_key: str
    iccid_last_digits: str | None
    type: ActivationType
    advanced: bool
    consumer_email: str | None
    language: Language | None


class Started(FlowAnswer):
    """`resume_token` is given to guests only: their key to this one activation, valid 60 days."""

    resume_token: str | None = None


class StartAccepted(Accepted):
    """The device check takes longer; a guest follows it with the `resume_token`."""

    resume_token: str | None = None


class TooManyOpen(Conflict):
    """Unfinished activations of one person, or of one dealer."""

    code = "too_many_open"
    detail = "Too many activations are unfinished. Please finish or leave some of them first."


class RefusedDevice(PortalError):
    """The device check's refusal, with the status that fits its code."""

    def __init__(self, code: str, detail: str) -> None:
        unavailable = code in ("unexpected", "provider_unavailable")
        super().__init__(detail, code=code, retry_after=RETRY_AFTER if unavailable else None)
        self.status = {
            NotInServiceMode.code: NotInServiceMode.status,
            "unexpected": Unavailable.status,
            "provider_unavailable": Unavailable.status,
        }.get(code, Conflict.status)


async def check_next_device(
    request: Request, portal: Portal, actor: Actor, device_key: str, iccid_last_digits: str | None
) -> None:
    """Another device for an activation that is under way must be theirs or nobody's, and a guest's to hold in hand.

    Raises UnknownDevice, Throttled, and for guests what `prove_possession` raises.
    """
    if actor.user is None:
        await prove_possession(request, portal, actor, device_key, iccid_last_digits)
    else:
        async with persons_try(portal, actor, device_key, None):
            await _authorize_and_count(portal, actor, device_key)


async def prove_possession(
    request: Request, portal: Portal, actor: Actor, device_key: str, iccid_last_digits: str | None
) -> None:
    """A guest knows the device key and the last five ICCID digits; tries are limited. Raises UnknownDevice, Throttled.

    A device that is somebody's is foreign to a guest, and looks as if it did not exist.
    """
    async with reading(portal.sessions) as session:
        canadian = await is_canadian(session, actor)

    async def checked() -> Device:
        return await portal.device_cloud.check(device_key, iccid_last_digits, canadian)

    async with guests_try(request, portal, device_key, iccid_last_digits):
        await authorized_answer(portal, actor, device_key, checked)


async def open_as_guest(
    request: Request, portal: Portal, actor: Actor, opening: Opening, key: str
) -> tuple[int, Started | StartAccepted]:
    """Starts a guest's activation, or gives a guest who proves possession another key to it."""
    digits = opening.iccid_last_digits
    if await live_run(portal, opening.device_key) is not None:
        await prove_possession(request, portal, actor, opening.device_key, digits)
        return await open_activation(portal, actor, opening, key)
    async with guests_try(request, portal, opening.device_key, digits):
        return await open_activation(portal, actor, opening, key)


async def open_as_person(
    portal: Portal, actor: Actor, opening: Opening, key: str
) -> tuple[int, Started | StartAccepted]:
    """Starts or resumes a signed-in person's activation. What a guest began is taken over by whoever proves possession:
    the guest's run ends, theirs begins."""
    digits = opening.iccid_last_digits
    async with persons_try(portal, actor, opening.device_key, digits) as proving:
        run = await live_run(portal, opening.device_key) if proving else None
        in_hand = run is not None and is_guests(run)
        if in_hand:
            await authorized_answer(
                portal,
                actor,
                opening.device_key,
                lambda: portal.device_cloud.check(opening.device_key, digits),
                in_hand=True,
            )
        return await open_activation(portal, actor, opening, key, in_hand=in_hand)


async def open_activation(
    portal: Portal, actor: Actor, opening: Opening, key: str, *, in_hand: bool = False
) -> tuple[int, Started | StartAccepted]:
    """Starts or resumes; answers 200 with the first step, or 202 when the device check takes longer than 3 s.

    The same key again joins the first request: the run knows the message by its update id. Raises UnknownDevice for a
    foreign device, before any run begins, InUse, and Throttled or TooManyOpen for who begins too much. `in_hand`:
    possession is proven of what a guest began.
    """
    began = time.monotonic()
    visiting = opening.type is ActivationType.SERVICE_DEVICE
    access = await _authorize_and_count(
        portal, actor, opening.device_key, visiting=visiting, in_hand=in_hand
    )
    run = await live_run(portal, opening.device_key)
    if run is not None and not may_resume(actor, run):
        await _free(portal, actor, run, access.facts, in_hand=in_hand)
        run = None
    if actor.user is not None and run is None:
        await _check_open(portal, actor.dealer_id, actor.user.id)
    elif actor.user is not None:
        await _give_opening_back(portal, actor.user.id)
    guest = actor.user is None
    flow_id = run.id if run else uuid.uuid4().hex
    person = person_of(actor, guest_of=flow_id if guest else None)
    proof = f"{key} {opening.device_key} {opening.iccid_last_digits}" if guest else key
    update_id = update_id_of(actor, proof)
    start = await _start(portal, actor, opening, flow_id, person, access)
    within = ANSWER_WITHIN - timedelta(seconds=time.monotonic() - began)
    flow_id, reply = await _open(portal, actor, start, run, update_id, within)
    if reply is not None and reply.state == "refused":
        fault = reply.error
        if fault is None or fault.code == UnknownDevice.code:
            raise UnknownDevice
        raise RefusedDevice(fault.code, fault.detail)
    capability = new_capability() if guest else None
    async with portal.sessions.begin() as session:
        if capability is not None:
            await capabilities.add_capability(
                session,
                token_hash=capability.hash,
                flow_id=flow_id,
                life=CAPABILITY_LIFE,
            )
        await record_by(
            session,
            actor,
            OPENED,
            outcome=Outcome.DONE if reply else Outcome.ACCEPTED,
            on=("activation", flow_id),
        )
    token = capability.token if capability else None
    if reply is None:
        return 202, StartAccepted(id=flow_id, update_id=update_id, resume_token=token)
    answer = await answer_of(portal, "activation", flow_id)
    return 200, Started(**answer.model_dump(), resume_token=token)


async def _authorize_and_count(
    portal: Portal, actor: Actor, device_key: str, *, visiting: bool = False, in_hand: bool = False
) -> DeviceAccess:
    """A person's opening is counted before anything is asked, and given back while the device network is away. Raises what
    `authorize_within_deadline` raises, Throttled."""
    user = actor.user
    if user is not None:
        await RunTries(portal.sessions).count_opening(user.id, portal.opening_policy.per_hour)
    try:
        return await authorize_within_deadline(
            portal, actor, device_key, visiting=visiting, in_hand=in_hand
        )
    except Unavailable:
        if user is not None:
            await _give_opening_back(portal, user.id)
        raise


async def _give_opening_back(portal: Portal, person_id: str) -> None:
    await RunTries(portal.sessions).give_back_opening(person_id, portal.opening_policy.per_hour)


async def _free(
    portal: Portal, actor: Actor, run: FlowOwner, facts: DeviceFacts, *, in_hand: bool
) -> None:
    """Ends the run of somebody else that may not keep the device: what was begun, left alone for a day and without effect,
    and a guest's before whoever has the device in hand. Raises InUse, Unavailable."""
    if in_hand and is_guests(run):
        await end_run(portal, actor, run, "a guest's activation and took the device over")
    elif facts.run is not None and facts.run.id == run.id and facts.run.given_up:
        await end_run(portal, actor, run, "an activation that was given up")
    else:
        raise InUse


async def _check_open(portal: Portal, dealer_id: str | None, person_id: str) -> None:
    """Raises TooManyOpen."""
    limited = ((None, person_id, portal.opening_policy.open_of_person),)
    if dealer_id is not None:
        limited += ((dealer_id, None, portal.opening_policy.open_of_dealer),)
    async with reading(portal.sessions) as session:
        for dealer, person, most in limited:
            whose = {"dealer_id": dealer, "owner_id": person}
            if await flows.count_flows(session, "activation", **whose, ended=False) >= most:
                raise TooManyOpen


async def _start(
    portal: Portal,
    actor: Actor,
    opening: Opening,
    flow_id: str,
    person: Person,
    access: DeviceAccess,
) -> Start:
    async with reading(portal.sessions) as session:
        canadian = await is_canadian(session, actor)
    return Start(
        id=flow_id,
        flow_version=CURRENT_VERSION,
        kind=opening.type,
        device_key=opening.device_key,
        iccid_last_digits=opening.iccid_last_digits,
        site=actor.site.code,
        canadian=canadian,
        actor=person,
        partner=actor.partner_code or (actor.user.partner_code if actor.user else None),
        advanced=opening.advanced,
        consumer_email=opening.consumer_email,
        language=opening.language,
        policy=portal.activation_policy,
        firmware_policy=portal.firmware_policy,
        resume=await taken_over(portal, actor, opening.device_key, opening.type, access),
        portal_url=portal.url_of(actor.site),
    )


async def _open(
    portal: Portal,
    actor: Actor,
    start: Start,
    run: FlowOwner | None,
    update_id: str,
    within: timedelta,
) -> tuple[str, Reply | None]:
    """The run's id with its answer, or without one when that takes longer. Raises UnknownDevice, Conflict, Unavailable."""
    turns = [ids.activation_id(start.device_key, turn) for turn in range(1, TURNS + 1)]
    handle = None

    async def sending() -> Reply:
        nonlocal handle
        for name in [run.workflow_id] if run else turns:
            handle = None
            try:
                handle = await _send(portal, start, name, update_id)
                return await handle.result()
            except WorkflowUpdateFailedError as error:
                await _go_on_if_moved(portal, actor, start, name, error)
        raise Conflict

    try:
        reply = await within_deadline(sending, within=within)
        return reply.id, reply
    except TimeoutError:
        # A 2xx means that the request is durable; and another one may have started the run that took it.
        if handle is None:
            raise Unavailable(retry_after=RETRY_AFTER) from None
        view = await view_of(portal, handle.workflow_id, handle.workflow_run_id)
        return view.id, None


async def _go_on_if_moved(
    portal: Portal, actor: Actor, start: Start, name: str, error: WorkflowUpdateFailedError
) -> None:
    """A run that has moved on to another device keeps its name: the next turn's is tried then. Raises what every other
    refusal means to the caller."""
    code = error.cause.type if isinstance(error.cause, ApplicationError) else None
    if code == "device_moved":
        return
    if code != "not_owner":
        raise Conflict from None
    if (await view_of(portal, name)).device.device_key != start.device_key:
        return
    run = await live_run(portal, start.device_key)
    if run is not None and not may_resume(actor, run):
        raise UnknownDevice from None
    raise Conflict from None  # another request has just opened it: the next try will find it


async def _send(
    portal: Portal, start: Start, workflow_id: str, update_id: str
) -> WorkflowUpdateHandle[Reply]:
    operation = WithStartWorkflowOperation(
        ActivationWorkflow.run,
        start,
        task_queue=portal.task_queue,
        **joined_as(ACTIVATION, start, workflow_id=workflow_id, anew=True),
    )
    return await portal.temporal.start_update_with_start_workflow(  # pyright: ignore[reportUnknownMemberType] one overload of the SDK is open
        ActivationWorkflow.open,
        Opened(actor=start.actor, device_key=start.device_key),
        start_workflow_operation=operation,
        wait_for_stage=WorkflowUpdateStage.ACCEPTED,
        id=update_id,
    )
