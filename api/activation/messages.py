"""What people tell an activation that is under way: submit, command, skip, go back, begin again, hand over, abandon.

Each call finds out whose the run is, judges the form, and sends one message, once for each key.
"""

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Response
from pydantic import Field, StrictBool, StringConstraints, TypeAdapter, ValidationError

from api.activation.colleague_mail import notify_new_owner
from api.activation.command import ActivationCommand, OnActivation, Seq
from api.activation.start import check_next_device
from api.devices.calls.installers import NotOfTheDealer
from api.platform.border.errors import message_of
from api.platform.deps import Portal, SignedIn
from api.platform.idempotency import REPEATED_HEADER
from api.platform.moves_money import MovesCar
from api.runs.flow_answers import ActivationAnswer
from api.runs.flows import check_could_go_on
from api.runs.messages import ANSWERS
from db.base import reading
from db.identity.people import find_user
from db.vehicles.vehicles import is_vehicle
from domain.activation.activation import (
    Abandon,
    Act,
    Back,
    ChangeDevice,
    Form,
    HandOver,
    Person,
    Reset,
    Skip,
    StepName,
    Submit,
    VehicleForm,
    WelcomeForm,
)
from domain.activation.configuring import ReplaceForm, RewardsForm
from domain.base import EXACT, Body
from domain.card_numbers import masked
from domain.contact import fault_of_email
from domain.dealers.team import NotAColleague
from domain.devices.devices import DeviceKey, IccidDigits, parse_device_key
from domain.errors import Invalid
from domain.runs.projection import FlowOwner
from workflows.activation import ActivationWorkflow

router = APIRouter(prefix="/v1/activations", tags=["activation"])


_FORM: TypeAdapter[Form] = TypeAdapter(Form)


class SubmitBody(Body):
    """`data` is the step's form; steps that only confirm send none."""

    step: StepName
    seq: Seq
    data: dict[str, Any] = {}


class CommandBody(Body):
    seq: Seq
    command: Annotated[str, StringConstraints(min_length=1, max_length=40)]
    bit: Annotated[int, Field(ge=0, le=255)] | None = None


class SkipBody(Body):
    step: StepName
    seq: Seq
    reason: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


class BackBody(Body):
    step: StepName
    seq: Seq


class ResetBody(Body):
    seq: Seq


class ChangeDeviceBody(Body):
    seq: Seq
    device_key: DeviceKey
    iccid_last_digits: IccidDigits | None = None


class HandOverBody(Body):
    seq: Seq
    user_id: Annotated[str, Field(min_length=1, max_length=64), EXACT]
    note: Annotated[str, StringConstraints(strip_whitespace=True, max_length=400)] = ""
    only_to_pay: StrictBool = False
    """It comes back once the step of the plan is left; only at that step."""


class AbandonBody(Body):
    seq: Seq
    reason: Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)] = ""


@router.post(
    "/{id}/submit", response_model=ActivationAnswer, responses=ANSWERS, dependencies=[MovesCar]
)
async def submit_step(command: OnActivation, body: SubmitBody) -> Response:
    """Send the form of the present step. A device that replaces another must be theirs or nobody's; a guest proves
    possession of it."""
    return await command.send(ActivationWorkflow.submit, _submission(command, body), body)


@router.post(
    "/{id}/commands", response_model=ActivationAnswer, responses=ANSWERS, dependencies=[MovesCar]
)
async def send_activation_command(command: OnActivation, body: CommandBody) -> Response:
    """Send one command of the present step to the device."""
    act = Act(actor=command.person, seq=body.seq, command=body.command, bit=body.bit)
    return await command.send(ActivationWorkflow.act, act, body, audit="sent a device command")


@router.post(
    "/{id}/skip", response_model=ActivationAnswer, responses=ANSWERS, dependencies=[MovesCar]
)
async def skip_step(command: OnActivation, body: SkipBody) -> Response:
    """Leave the present step out, with a reason."""
    skip = Skip(actor=command.person, seq=body.seq, step=body.step, reason=body.reason)
    return await command.send(ActivationWorkflow.skip, skip, body)


@router.post(
    "/{id}/back", response_model=ActivationAnswer, responses=ANSWERS, dependencies=[MovesCar]
)
async def back_step(command: OnActivation, body: BackBody) -> Response:
    """Go back one step; from the first one, back to the choice of a type. A form that waits for its device is taken back
    instead."""
    back = Back(actor=command.person, seq=body.seq, step=body.step)
    return await command.send(ActivationWorkflow.go_back, back, body)


@router.post(
    "/{id}/reset", response_model=ActivationAnswer, responses=ANSWERS, dependencies=[MovesCar]
)
async def reset_activation(command: OnActivation, body: ResetBody) -> Response:
    """Begin again at the first step; steps, firmware and commands are cleared."""
    reset = Reset(actor=command.person, seq=body.seq)
    return await command.send(ActivationWorkflow.begin_again, reset, body)


@router.post(
    "/{id}/change-device",
    response_model=ActivationAnswer,
    responses=ANSWERS,
    dependencies=[MovesCar],
)
async def change_activation_device(command: OnActivation, body: ChangeDeviceBody) -> Response:
    """Go on with another device; what was known of the first is cleared. It must be theirs or nobody's; a guest
    proves possession of it too."""
    device_key = parse_device_key(body.device_key)
    change = _change(command, body, device_key)
    return await command.send(ActivationWorkflow.change_device, change, body)


@router.post(
    "/{id}/abandon", response_model=ActivationAnswer, responses=ANSWERS, dependencies=[MovesCar]
)
async def abandon_activation(command: OnActivation, body: AbandonBody) -> Response:
    """End the activation unfinished; it can be taken up again later."""
    abandon = Abandon(actor=command.person, seq=body.seq, reason=body.reason)
    return await command.send(
        ActivationWorkflow.abandon, abandon, body, audit="abandoned an activation"
    )


@router.post("/{id}/hand-over", response_model=ActivationAnswer, responses=ANSWERS)
async def hand_over_activation(command: OnActivation, _: SignedIn, body: HandOverBody) -> Response:
    """Make a colleague the owner, who is told by mail what one writes to them, once that has happened."""
    answer = await command.send(
        ActivationWorkflow.hand_over,
        _handing_over(command, body),
        body,
        audit="handed an activation over",
    )
    if answer.status_code == HTTPStatus.OK and REPEATED_HEADER not in answer.headers:
        notifying = notify_new_owner(command, body.user_id, body.note, only_to_pay=body.only_to_pay)
        command.portal.errands.begin("tell a colleague of a hand-over", notifying)
    return answer


async def _submission(command: ActivationCommand, body: SubmitBody) -> Submit:
    """Raises what the form of the step is refused for."""
    form = _form(body)
    match form:
        case VehicleForm():
            await _check_vehicle(command.portal, form)
        case RewardsForm():
            await _check_involved(command.portal, form, await command.run())
        case WelcomeForm():
            form = _addressed(form)
        case ReplaceForm():
            form = _well_formed(form)
            await _check_device(command, form.new_device_key, form.iccid_last_digits)
        case _:
            pass
    return Submit(actor=command.person, seq=body.seq, form=form)


async def _change(
    command: ActivationCommand, body: ChangeDeviceBody, device_key: str
) -> ChangeDevice:
    digits = body.iccid_last_digits
    await _check_device(command, device_key, digits)
    return ChangeDevice(
        actor=command.person, seq=body.seq, device_key=device_key, iccid_last_digits=digits
    )


async def _check_device(
    command: ActivationCommand, device_key: str, iccid_last_digits: str | None
) -> None:
    await check_next_device(
        command.request, command.portal, command.actor, device_key, iccid_last_digits
    )


async def _handing_over(command: ActivationCommand, body: HandOverBody) -> HandOver:
    """Raises NotAColleague, or NotLetIn for one to whom the activation would be absent."""
    run = await command.run()
    async with reading(command.portal.sessions) as session:
        to = await find_user(session, body.user_id)
        if to is None or to.is_retired or to.dealer_id is None or to.dealer_id != run.dealer_id:
            raise NotAColleague
        await check_could_go_on(session, run, to)
    new = Person(user_id=to.id, name=to.name, dealer_id=to.dealer_id, installer=bool(to.user_type))
    return HandOver(
        actor=command.person,
        seq=body.seq,
        to=new,
        note=body.note,
        only_to_pay=body.only_to_pay,
    )


def _form(body: SubmitBody) -> Form:
    """The step's form. Raises Invalid that names the fields at fault, never their values."""
    if "step" in body.data and body.data["step"] != body.step:
        raise Invalid(fields=[("data.step", "Invalid value")])
    try:
        form = _FORM.validate_python({**body.data, "step": body.step})
    except ValidationError as error:
        raise Invalid(
            code="invalid_step_data",
            fields=[
                (masked(".".join(["data", *map(str, fault["loc"][1:])])), message_of(fault))
                for fault in error.errors()[:20]
            ],
        ) from None
    if set(body.data) - set(type(form).model_fields):
        raise Invalid(code="invalid_step_data", fields=[("data", "Unknown field")])
    return form


def _addressed(form: WelcomeForm) -> WelcomeForm:
    """With the address in lower case. Raises Invalid."""
    if fault := fault_of_email(form.email):
        raise Invalid(code="invalid_step_data", fields=[("data.email", fault)])
    return form.model_copy(update={"email": form.email.lower()})


def _well_formed(form: ReplaceForm) -> ReplaceForm:
    """With the new key in its one spelling. Raises MalformedDeviceKey."""
    return form.model_copy(update={"new_device_key": parse_device_key(form.new_device_key)})


async def _check_involved(portal: Portal, form: RewardsForm, run: FlowOwner) -> None:
    """Whoever shares a reward is a colleague of the same dealer. Raises NotOfTheDealer."""
    if form.involved_installer_id is None:
        return
    async with reading(portal.sessions) as session:
        involved = await find_user(session, form.involved_installer_id)
    if (
        involved is None
        or involved.is_retired
        or involved.dealer_id is None
        or involved.dealer_id != run.dealer_id
        or not involved.user_type
    ):
        raise NotOfTheDealer("data.involved_installer_id")


async def _check_vehicle(portal: Portal, form: VehicleForm) -> None:
    async with reading(portal.sessions) as session:
        known = await is_vehicle(session, **form.model_dump(exclude={"step"}))
    if not known:
        raise Invalid(
            "Please select a Year, Make and Model to continue",
            code="invalid_step_data",
            fields=[("data.model_id", "Invalid value")],
        )
