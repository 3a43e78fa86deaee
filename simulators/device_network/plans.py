"""The plans of devices at the device network, over HTTP.

The same rules as in `routes.py`: `X-Api-Key`, `Idempotency-Key`, refusals without a trace. Setting a plan replaces
the one before; `reference` is the buyer's own name for it.
"""

from datetime import datetime

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel

from simulators.device_network.network import DeviceNetwork
from simulators.device_network.routes import with_api_key
from simulators.exchange import InExchange
from simulators.refusal import Refusal

router = APIRouter(prefix="/device-cloud/v1/device", dependencies=[Depends(with_api_key)])


class Suspension(BaseModel):
    """Of the plan that was set under this reference, and of no other."""

    is_suspended: bool
    reference: str


class PlanChange(BaseModel):
    plan_id: str
    ends_at: datetime
    reference: str


@router.put("/{device_key}/plan")
async def set_plan(device_key: str, body: PlanChange, call: InExchange) -> Response:
    return await call.change(
        "set-plan",
        device_key,
        body.model_dump(mode="json"),
        lambda: put_plan(call.network, device_key, body),
    )


@router.put("/{device_key}/plan/suspension")
async def suspend_plan(device_key: str, body: Suspension, call: InExchange) -> Response:
    return await call.change(
        "suspend-plan",
        device_key,
        body.model_dump(mode="json"),
        lambda: put_suspension(call.network, device_key, body),
    )


@router.get("/{device_key}/plan")
async def get_plan(device_key: str, call: InExchange) -> Response:
    return await call.read("plan", device_key, lambda: plan_of(call.network, device_key))


def put_plan(
    network: DeviceNetwork, device_key: str, change: PlanChange
) -> dict[str, str | bool | None]:
    device = network.known_device(device_key)
    if device.sim_retired:
        raise Refusal(409, "sim_retired", "The SIM of this device is retired and takes no plan.")
    if device.plan_refusals > 0:
        raise Refusal(
            409,
            "plan_refused",
            "The SIM of this device cannot take a plan.",
            counts_down="plan_refusals",
        )
    device.plan, device.plan_ends_at = change.plan_id, change.ends_at.isoformat()
    device.plan_reference, device.plan_suspended = change.reference, False
    network.save(device)
    return plan_of(network, device_key)


def put_suspension(
    network: DeviceNetwork, device_key: str, change: Suspension
) -> dict[str, str | bool | None]:
    device = network.known_device(device_key)
    if device.plan_reference != change.reference:
        raise Refusal(409, "other_plan", "This device has another plan by now.")
    device.plan_suspended = change.is_suspended
    network.save(device)
    return plan_of(network, device_key)


def plan_of(network: DeviceNetwork, device_key: str) -> dict[str, str | bool | None]:
    device = network.known_device(device_key)
    return {
        "plan_id": device.plan,
        "ends_at": device.plan_ends_at,
        "reference": device.plan_reference,
        "is_suspended": device.plan_suspended,
    }
