"""The firmware run of an activation: what a person may ask of it there (devices spec 4)."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from api.firmware.command import DeferBody, EmptyBody, FirmwareCommand
from api.platform.deps import Caller, PortalDep
from api.platform.moves_money import MovesCar
from api.runs.flow_answers import FirmwareAnswer
from api.runs.flows import FlowId, authorize_run, look_at_run
from api.runs.messages import ANSWERS, RequiredKey
from db.base import Executes
from domain.errors import NotFound
from domain.runs.projection import FlowOwner

router = APIRouter(prefix="/v1/activations", tags=["firmware"])


class _FirmwareOfActivation(FirmwareCommand):
    """`id` is the activation's."""

    async def find_run(self, connection: Executes) -> FlowOwner:
        activation = await look_at_run(connection, self.actor, "activation", self.id)
        firmware = activation.view["facts"]["firmware"]
        if firmware is None:
            raise NotFound
        return await authorize_run(connection, self.actor, "firmware", firmware["run_id"])


async def firmware_command(
    request: Request, portal: PortalDep, actor: Caller, id: FlowId, key: RequiredKey
) -> FirmwareCommand:
    return _FirmwareOfActivation(request, portal, actor, id, key)


OnFirmware = Annotated[FirmwareCommand, Depends(firmware_command)]


@router.post(
    "/{id}/firmware/retry",
    response_model=FirmwareAnswer,
    responses=ANSWERS,
    dependencies=[MovesCar],
)
async def retry_firmware(command: OnFirmware, body: EmptyBody) -> Response:
    """Try again now instead of waiting."""
    return await command.retry(body)


@router.post(
    "/{id}/firmware/cancel",
    response_model=FirmwareAnswer,
    responses=ANSWERS,
    dependencies=[MovesCar],
)
async def cancel_firmware(command: OnFirmware, body: EmptyBody) -> Response:
    """Give the update up, before it is written to the device."""
    return await command.cancel(body)


@router.post(
    "/{id}/firmware/defer",
    response_model=FirmwareAnswer,
    responses=ANSWERS,
    dependencies=[MovesCar],
)
async def defer_firmware(command: OnFirmware, body: DeferBody) -> Response:
    """Put the update off until a later time."""
    return await command.defer(body)
