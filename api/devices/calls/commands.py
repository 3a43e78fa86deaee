"""One command to a device outside its activation (devices spec 4 and 7). Its result comes as a log."""

from typing import Annotated, Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field, StringConstraints

from api.devices.access import DeviceRequest
from api.devices.calls.changes import ChangingDep
from api.platform.moves_money import MovesCar
from domain.activation.device_calls import (
    COMMON_COMMANDS,
    EVERY_COMMAND,
    CommandNotSupported,
    DeviceCall,
    check_command,
)
from domain.base import Body
from domain.devices.devices import (
    CommandKind,
    DeviceKey,
    IccidDigits,
    kind_of,
)
from providers.errors import Unavailable

router = APIRouter(prefix="/api/iot", tags=["devices"])


class SendCommandBody(Body):
    """`bit` belongs to commands that take one."""

    device_key: DeviceKey
    command: Annotated[str, StringConstraints(min_length=1, max_length=40)]
    iccid_last_digits: IccidDigits | None = None
    bit: Annotated[int, Field(ge=0, le=255)] | None = None


class CommandSent(BaseModel):
    """`command_id` is repeated by the log that answers the command. `unknown`: it was handed over, and nobody can say
    whether it arrived; it is not sent again."""

    device_key: str
    command: str
    command_id: str
    status: Literal["sent", "unknown"]


@router.post("/send-command", response_model=CommandSent, dependencies=[MovesCar])
async def send_device_command(change: ChangingDep, body: SendCommandBody) -> Response:
    """Send one command. A command that moves or wakes a car is never repeated by a machine."""
    if body.command not in EVERY_COMMAND:
        raise CommandNotSupported
    wanted = DeviceRequest(DeviceCall.COMMAND, command=body.command)
    device_key = await change.authorized_key(body.device_key, body.iccid_last_digits, wanted)
    if body.command not in COMMON_COMMANDS:
        check_command((await change.devices.device(device_key)).product_name, body.command)

    async def send(command_id: str) -> CommandSent:
        status: Literal["sent", "unknown"] = "sent"
        try:
            await change.devices.send_command(
                device_key,
                body.command,
                command_id=command_id,
                iccid_last_digits=body.iccid_last_digits,
                bit=body.bit,
            )
        except Unavailable as error:
            if kind_of(body.command) is not CommandKind.ACTING or not error.may_have_worked:
                raise
            status = "unknown"
        return CommandSent(
            device_key=device_key, command=body.command, command_id=command_id, status=status
        )

    return await change.once(
        device_key, body, send, action="sent a device command", more={"command": body.command}
    )
