"""Firmware runs on their own: check, start, ask, and the history of a device (devices spec 4; decision 18)."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from api.devices.access import BEGINNING, OWN_RECORDS, ProofQuery, authorize_call, whose_runs
from api.firmware.command import DeferBody, EmptyBody, OnFirmware
from api.firmware.start import FirmwareRequest, start_or_join
from api.platform.border.queries import counted
from api.platform.deps import Caller, PortalDep, SignedIn
from api.platform.idempotency import claimed
from api.platform.moves_money import MovesCar
from api.platform.paging import from_cursor, to_cursor
from api.runs.flow_answers import FirmwareAnswer, Transitions
from api.runs.flows import FlowId, authorize_run, look_at_run
from api.runs.messages import ANSWERS, RequiredKey
from db.base import plain_reading, reading
from db.devices.runs import PastRun, runs_of_device
from db.runs import flows
from domain.base import Body, Utc
from domain.devices.devices import DeviceKey, FirmwareTarget, IccidDigits
from domain.firmware.firmware import (
    LABELS,
    FirmwareMessage,
    Reason,
    Weakness,
    chosen_offers,
    readings_of_check,
    weaknesses,
)
from workflows.firmware import FirmwareWorkflow

router = APIRouter(prefix="/v1/firmware", tags=["firmware"])


DeviceKeyQuery = Annotated[DeviceKey, Query()]


class OverruleBody(Body):
    """Why the device is updated although it is weak; kept in the audit."""

    reason: Reason


class StartFirmware(Body):
    """`targets` are the parts to update, by default all that have an update waiting. A `reason` given by an owner
    overrules weak readings."""

    device_key: DeviceKey
    iccid_last_digits: IccidDigits | None = None
    targets: Annotated[tuple[FirmwareTarget, ...], Field(min_length=1, max_length=2)] | None = None
    reason: Reason | None = None


class Offered(BaseModel):
    """One waiting update; `label` is what people call the part."""

    target: FirmwareTarget
    label: str
    from_version: str
    to_version: str


class FirmwareOffers(BaseModel):
    """What is waiting for a device, and whether it is strong enough. Volts and dBm; null when it never reported."""

    device_key: str
    offers: list[Offered]
    battery_volts: float | None
    signal_dbm: int | None
    least_battery_volts: float
    least_signal_dbm: int
    weaknesses: list[Weakness]
    checked_at: Utc


class PastFirmware(FirmwareAnswer):
    created_at: Utc
    ended_at: Utc | None
    outcome: str | None


class FirmwareRuns(BaseModel):
    """`present` is the run that is under way; `results` are all of them, newest first."""

    present: FirmwareAnswer | None
    results: list[PastFirmware]
    end_cursor: str | None


class _Runs(BaseModel):
    """The same with views as they are kept."""

    present: PastRun | None
    results: list[PastRun]
    end_cursor: str | None


@router.get("", response_model=FirmwareRuns)
async def list_firmware_runs(
    request: Request,
    portal: PortalDep,
    actor: SignedIn,
    device_key: DeviceKeyQuery,
    iccid_last_digits: ProofQuery = None,
    limit: Annotated[int, Query(ge=1, le=100), counted(10, most=100)] = 10,
    cursor: Annotated[str | None, Query(max_length=200)] = None,
) -> Response:
    """The updates of one device by the caller and the caller's dealer."""
    authorized = await authorize_call(
        request, portal, actor, device_key, OWN_RECORDS, iccid_last_digits=iccid_last_digits
    )
    key = authorized.key
    async with reading(portal.sessions) as session:
        found = await runs_of_device(
            session,
            "firmware",
            key,
            whose_runs(actor),
            limit=limit + 1,
            before=from_cursor(cursor) if cursor else None,
        )
    shown, more = found[:limit], len(found) > limit
    return _stored(
        _Runs(
            present=next((run for run in found if not run.ended), None),
            results=list(shown),
            end_cursor=to_cursor(shown[-1].created_at, shown[-1].id) if more else None,
        )
    )


@router.get("/offers")
async def check_firmware(
    request: Request,
    portal: PortalDep,
    actor: SignedIn,
    device_key: DeviceKeyQuery,
    iccid_last_digits: ProofQuery = None,
) -> FirmwareOffers:
    """Asks the device network what is waiting, and whether battery and signal suffice."""
    authorized = await authorize_call(
        request, portal, actor, device_key, OWN_RECORDS, iccid_last_digits=iccid_last_digits
    )
    key = authorized.key
    policy = portal.firmware_policy
    check = await portal.questions.answer(
        ("firmware", key), lambda: portal.device_cloud.check_firmware(key)
    )
    return FirmwareOffers(
        device_key=key,
        offers=[
            Offered(label=LABELS[offer.target], **offer.model_dump())
            for offer in chosen_offers(check, None)
        ],
        battery_volts=check.battery_volts,
        signal_dbm=check.signal_dbm,
        least_battery_volts=policy.least_battery_volts,
        least_signal_dbm=policy.least_signal_dbm,
        weaknesses=list(weaknesses(readings_of_check(check), policy)),
        checked_at=datetime.now(UTC),
    )


@router.post("", response_model=FirmwareAnswer, responses=ANSWERS, dependencies=[MovesCar])
async def start_firmware(
    request: Request, portal: PortalDep, actor: SignedIn, body: StartFirmware, key: RequiredKey
) -> Response:
    """Check the device and update it, or join the update that is under way.

    Refused while battery or signal are too weak, with the readings; an owner may overrule that with a reason.
    """

    async with claimed(portal.sessions, actor, key, "start_firmware", body, joins=True) as held:
        if held.replayed is not None:
            return held.replayed
        authorized = await authorize_call(
            request,
            portal,
            actor,
            body.device_key,
            BEGINNING,
            iccid_last_digits=body.iccid_last_digits,
        )
        wanted = FirmwareRequest(
            device_key=authorized.key, targets=body.targets, reason=body.reason
        )
        return await held.answer(*await start_or_join(portal, actor, wanted, key))


@router.get("/{id}", response_model=FirmwareAnswer)
async def get_firmware_run(portal: PortalDep, actor: Caller, id: FlowId) -> Response:
    """The run as it stands."""
    async with plain_reading(portal.sessions) as connection:
        return _stored(await look_at_run(connection, actor, "firmware", id))


@router.get("/{id}/transitions")
async def list_firmware_transitions(
    portal: PortalDep,
    actor: Caller,
    id: FlowId,
    after: Annotated[int, Query(ge=-1, le=1_000_000), counted(-1, least=-1, most=1_000_000)] = -1,
    limit: Annotated[int, Query(ge=1, le=100), counted(100, most=100)] = 100,
) -> Transitions:
    """What happened, by whom and when."""
    async with reading(portal.sessions) as session:
        await authorize_run(session, actor, "firmware", id)
        moves = await flows.transitions_of(session, id, after=after, limit=limit)
    return Transitions(results=list(moves))


@router.post(
    "/{id}/retry", response_model=FirmwareAnswer, responses=ANSWERS, dependencies=[MovesCar]
)
async def retry_firmware_run(command: OnFirmware, body: EmptyBody) -> Response:
    """Try again now instead of waiting; a device that was too weak is looked at again."""
    return await command.retry(body)


@router.post(
    "/{id}/cancel", response_model=FirmwareAnswer, responses=ANSWERS, dependencies=[MovesCar]
)
async def cancel_firmware_run(command: OnFirmware, body: EmptyBody) -> Response:
    """Give the update up, before it is written to the device."""
    return await command.cancel(body)


@router.post(
    "/{id}/defer", response_model=FirmwareAnswer, responses=ANSWERS, dependencies=[MovesCar]
)
async def defer_firmware_run(command: OnFirmware, body: DeferBody) -> Response:
    """Put the update off until a later time."""
    return await command.defer(body)


@router.post(
    "/{id}/overrule", response_model=FirmwareAnswer, responses=ANSWERS, dependencies=[MovesCar]
)
async def overrule_firmware_run(command: OnFirmware, body: OverruleBody) -> Response:
    """Let a device be updated although battery or signal are too weak. For owners; the reason is kept."""
    ask = FirmwareMessage(**command.sender, reason=body.reason)
    return await command.send(
        FirmwareWorkflow.overrule, ask, body, audit="overruled a weak reading"
    )


def _stored(answer: BaseModel) -> Response:
    """Views go out as the run itself wrote them."""
    return Response(answer.model_dump_json(), media_type="application/json")
