"""The hands of tests and demonstrations: set a fault at run time, read the ledger, forget everything."""

import time
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request
from pydantic import BaseModel, ConfigDict, Field, ValidationError

router = APIRouter()

Seconds = Annotated[float, Field(ge=0, le=86_400)]
Times = Annotated[int, Field(ge=0, le=1_000_000)]


class KnobChange(BaseModel):
    """What holds for the whole network. Only what is given is changed."""

    model_config = ConfigDict(extra="forbid")

    latency: Seconds = 0
    answer_min: Seconds = 0
    answer_max: Seconds = 0
    slow_seconds: Seconds = 0
    offline_seconds: Seconds = 0
    lost_reply_seconds: Seconds = 0
    outage: bool = False
    webhook: bool = True


class DeviceChange(BaseModel):
    """Traits of one device. Only what is given is changed; counters count down by themselves."""

    model_config = ConfigDict(extra="forbid")

    device_state: str = "new"
    service_mode: bool = False
    service_locked: bool = False
    plan: str | None = None
    vehicle: dict[str, Any] | None = None
    owner_dealer_id: str | None = None
    battery_volts: float = 12.6
    signal_dbm: int = -71
    unknown: bool = False
    blocked: bool = False
    refused_to_canadians: bool = False
    outages: Times = 0
    slow: bool = False
    answer_seconds: Seconds | None = None
    offline_seconds: Seconds = 0
    offline_on_contact: bool = False
    updating_seconds: Seconds = 0
    loses_first_replies: bool = False
    lose_replies: Times = 0
    duplicate_logs: bool = False
    tells_progress: bool = False
    out_of_order_logs: bool = False
    refuse_commands: bool = False
    refuse_install: bool = False
    silent_commands: Times = 0
    c42_failures: Times = 0
    r42_failures: Times = 0
    failing_part: str | None = None
    stuck_updates: Times = 0
    lost_downloads: Times = 0
    special_refusals: Times = 0
    slow_tables: bool = False
    refuse_secondary_pin: bool = False
    refuse_pins: bool = False
    refuse_features: bool = False
    refuse_swap: bool = False
    refuse_hardwire: bool = False
    refuse_link: bool = False
    plan_refusals: Times = 0
    sim_retired: bool = False
    controller: str | None = None
    firmware: dict[str, str] = {}
    offered: dict[str, str] = {}


@router.post("/device-cloud/_control")
async def control(request: Request, body: dict[str, Any]) -> dict[str, Any]:
    """With `device_key`: change traits of that device. Without: turn knobs. Answers the state after it."""
    device_key = body.pop("device_key", None)
    try:
        if device_key is None:
            answer = _turn_knobs(request, KnobChange.model_validate(body))
        else:
            answer = _change_device(request, str(device_key), DeviceChange.model_validate(body))
    except ValidationError as error:
        raise HTTPException(422, error.errors(include_url=False)) from None
    request.app.state.webhooks.wake()
    return answer


def _turn_knobs(request: Request, change: KnobChange) -> dict[str, Any]:
    return request.app.state.network.turn(change.model_dump(exclude_unset=True)).model_dump()


def _change_device(request: Request, device_key: str, change: DeviceChange) -> dict[str, Any]:
    network = request.app.state.network
    device = network.device(device_key)
    if device is None:
        raise HTTPException(404, "No such device")
    changes = change.model_dump(exclude_unset=True)
    offline = changes.pop("offline_seconds", None)
    if "updating_seconds" in changes:
        changes["updating_until"] = time.time() + changes.pop("updating_seconds")
    for parts in ("firmware", "offered"):
        if parts in changes:
            changes[parts] = getattr(device, parts) | changes[parts]
    device = device.model_copy(update=changes)
    network.save(device)
    if offline is not None:
        network.go_offline(device, offline)
    return network.device(device_key).model_dump()


@router.get("/device-cloud/_ledger")
async def ledger(
    request: Request,
    device_key: str | None = None,
    operation: str | None = None,
    after: Annotated[int, Query(ge=0)] = 0,
) -> dict[str, Any]:
    """Every request with operation, idempotency key, time (unix seconds) and whether it had an effect."""
    return request.app.state.ledger.read(device_key, operation, after)


@router.post("/_reset", status_code=204)
async def reset(request: Request) -> None:
    """Empty the state file: devices, logs, ledger, messages, knobs."""
    request.app.state.file.empty()
    request.app.state.webhooks.wake()
