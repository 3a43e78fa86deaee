"""The firmware run of an activation: what a person may ask of it there (devices spec 4)."""

from typing import Any

from fastapi import APIRouter, Response

from api.firmware.ask import AskBody, DeferBody, ask_run, until_of
from api.platform.deps import Caller, Portal, PortalDep
from api.runs.flow_answers import FirmwareAnswer
from api.runs.flows import ANSWERS, FlowId, RequiredKey, answer_of, reach
from domain.base import Body
from domain.errors import NotFound
from domain.identity.people import Actor
from workflows.firmware import FirmwareWorkflow

router = APIRouter(prefix="/v1/activations", tags=["firmware"])


@router.post("/{id}/firmware/retry", response_model=FirmwareAnswer, responses=ANSWERS)
async def retry_firmware(
    portal: PortalDep, actor: Caller, id: FlowId, body: AskBody, key: RequiredKey
) -> Response:
    """Try again now instead of waiting."""
    return await _ask(portal, actor, id, "retry_firmware", body, key, FirmwareWorkflow.retry_now)


@router.post("/{id}/firmware/cancel", response_model=FirmwareAnswer, responses=ANSWERS)
async def cancel_firmware(
    portal: PortalDep, actor: Caller, id: FlowId, body: AskBody, key: RequiredKey
) -> Response:
    """Give the update up, before it is written to the device."""
    return await _ask(portal, actor, id, "cancel_firmware", body, key, FirmwareWorkflow.cancel)


@router.post("/{id}/firmware/defer", response_model=FirmwareAnswer, responses=ANSWERS)
async def defer_firmware(
    portal: PortalDep, actor: Caller, id: FlowId, body: DeferBody, key: RequiredKey
) -> Response:
    """Put the update off until a later time."""
    return await _ask(portal, actor, id, "defer_firmware", body, key, FirmwareWorkflow.defer)


async def _ask(
    portal: Portal, actor: Actor, id: str, operation: str, body: Body, key: str, update: Any
) -> Response:
    """Finds the run by its activation, then asks it like any other."""
    async with portal.sessions() as session:
        await reach(session, actor, "activation", id)
    activation = await answer_of(portal, "activation", id)
    firmware = activation.view["facts"]["firmware"]
    if firmware is None:
        raise NotFound
    return await ask_run(
        portal,
        actor,
        firmware["run_id"],
        f"{operation} {id}",
        body,
        key,
        update,
        until=until_of(body),
    )
