"""The device network over HTTP, as a third party would offer it (devices spec 7, "Device").

Everything under `/device-cloud/v1` takes `X-Api-Key`. A changing call takes `Idempotency-Key`: the same
key again answers what it answered the first time and has no second effect; for a command its
`command_id` is the key. Refusals leave no trace but a ledger line and may be tried again.
Known keys and their faults: `simulators/device_network/device.py`. Faults at run time: `simulators/control.py`.
"""

import hmac
from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, HTTPException, Query, Request, Response
from pydantic import BaseModel

from simulators.exchange import InExchange


def with_api_key(request: Request, x_api_key: Annotated[str, Header()] = "") -> None:
    if not hmac.compare_digest(x_api_key.encode(), request.app.state.api_key.encode()):
        raise HTTPException(401, "Invalid API key")


router = APIRouter(prefix="/device-cloud/v1", dependencies=[Depends(with_api_key)])


class DeviceCheck(BaseModel):
    device_key: str
    iccid_last_digits: str | None = None
    isCanadianUser: bool = False


class Command(BaseModel):
    device_key: str
    command: str
    command_id: str
    iccid_last_digits: str | None = None
    bit: int | None = None
    target: str | None = None
    version: str | None = None


class DeviceOnly(BaseModel):
    device_key: str


class Install(DeviceOnly):
    exit_service_mode: bool
    involved_installers: list[str] = []


class Welcome(DeviceOnly):
    email: str


class Swap(BaseModel):
    old_device_key: str
    new_device_key: str


@router.post("/device-check")
async def device_check(body: DeviceCheck, call: InExchange) -> Response:
    return await call.read(
        "device-check",
        body.device_key,
        lambda: {
            "results": [
                call.network.check(body.device_key, body.iccid_last_digits, body.isCanadianUser)
            ]
        },
    )


@router.post("/device-purchasing-check")
async def device_purchasing_check(body: DeviceCheck, call: InExchange) -> Response:
    return await call.read(
        "device-purchasing-check",
        body.device_key,
        lambda: {
            "results": [
                call.network.check(body.device_key, body.iccid_last_digits, body.isCanadianUser)
            ]
        },
    )


@router.post("/send-command")
async def send_command(body: Command, call: InExchange) -> Response:
    call.network.goes_offline_on_contact(body.device_key)
    return await call.keyed(body.command_id).change(
        f"command:{body.command}",
        body.device_key,
        body.model_dump(),
        lambda: call.network.command(
            body.device_key,
            body.command,
            body.command_id,
            iccid_last_digits=body.iccid_last_digits,
            bit=body.bit,
            target=body.target,
            version=body.version,
        ),
    )


@router.get("/iot/logs")
async def logs(
    call: InExchange,
    device_key: str,
    since: datetime | None = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> Response:
    after = 0.0 if since is None else since.timestamp()
    return await call.read(
        "logs", device_key, lambda: {"results": call.network.logs(device_key, after, limit)}
    )


@router.get("/device/{device_key}/check-firmware-update")
async def check_firmware_update(device_key: str, call: InExchange) -> Response:
    return await call.read(
        "check-firmware-update", device_key, lambda: call.network.firmware(device_key)
    )


@router.get("/device/{device_key}")
async def device(device_key: str, call: InExchange) -> Response:
    return await call.read(
        "device", device_key, lambda: call.network.known_device(device_key).described()
    )


@router.patch("/device/activate/")
async def activate(body: DeviceOnly, call: InExchange) -> Response:
    return await _change(call, "activate", body, call.network.activate)


@router.patch("/device/install/")
async def install(body: Install, call: InExchange) -> Response:
    return await _change(
        call, "install", body, lambda key: call.network.install(key, body.exit_service_mode)
    )


@router.patch("/device/release/")
async def release(body: DeviceOnly, call: InExchange) -> Response:
    return await _change(call, "release", body, call.network.release)


@router.post("/device/welcome")
async def welcome(body: Welcome, call: InExchange) -> Response:
    return await _change(call, "welcome", body, call.network.welcome)


@router.patch("/device/swap")
async def swap(body: Swap, call: InExchange) -> Response:
    return await call.change(
        "swap",
        body.old_device_key,
        body.model_dump(),
        lambda: call.network.swap(body.old_device_key, body.new_device_key),
    )


async def _change(
    call: InExchange, operation: str, body: DeviceOnly, work: Callable[[str], dict[str, Any]]
) -> Response:
    """A change of the device that the body names, known again by the whole body."""
    return await call.change(
        operation, body.device_key, body.model_dump(), lambda: work(body.device_key)
    )
