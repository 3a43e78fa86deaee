"""The devices that a business works on, each with all that was done with it (our own page; decision 18)."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel

from api.devices.reach import OWN_RECORDS, ProofQuery, reach_device, whose_runs
from api.platform.border.queries import counted
from api.platform.deps import PortalDep, SignedIn
from api.platform.errands import StillAsking
from api.platform.paging import from_cursor, to_cursor
from api.runs.flow_answers import card_of
from db.devices.runs import PastRun, WorkedOn, devices_worked_on, runs_of_device
from domain.base import Utc
from domain.devices.activation_type import ActivationType
from domain.devices.devices import Device, DeviceKey, UnknownDevice
from domain.errors import PortalError

router = APIRouter(prefix="/v1/devices", tags=["devices"])

MOST_ACTIVATIONS = 50


class MyDevice(BaseModel):
    """A device that somebody of the business has worked on, with the latest change of any run of it."""

    device_key: str
    product_name: str | None
    at: Utc


class MyDevices(BaseModel):
    results: list[MyDevice]
    end_cursor: str | None


class KnownDevice(Device):
    """The device's own fields; whose it is and the SIM digits, which are a proof, stay inside."""


class PastActivation(BaseModel):
    """An activation of the device. `ended_at` is null while it goes on."""

    id: str
    type: ActivationType
    state: str
    step: str
    owner: str
    created_at: Utc
    ended_at: Utc | None
    outcome: str | None


class DeviceRecord(BaseModel):
    """`device` is null while the device network does not answer: what the portal itself knows is there all the same.

    At most fifty activations, newest first.
    """

    device_key: str
    product_name: str | None
    device: KnownDevice | None
    activations: list[PastActivation]


@router.get("")
async def list_my_devices(
    portal: PortalDep,
    actor: SignedIn,
    starts_with: Annotated[str, Query(max_length=40, pattern=r"^[A-Za-z0-9-]*$")] = "",
    limit: Annotated[int, Query(ge=1, le=100), counted(10, most=100)] = 10,
    cursor: Annotated[str | None, Query(max_length=200)] = None,
) -> MyDevices:
    """Devices that the caller or the caller's dealer has worked on, newest change first."""
    async with portal.sessions() as session:
        found = await devices_worked_on(
            session,
            whose_runs(actor),
            starts_with=starts_with.upper(),
            limit=limit + 1,
            before=from_cursor(cursor) if cursor else None,
        )
    shown, more = found[:limit], len(found) > limit
    return MyDevices(
        results=[_listed(device) for device in shown],
        end_cursor=to_cursor(shown[-1].at, shown[-1].device_key) if more else None,
    )


@router.get("/{device_key}")
async def get_my_device(
    request: Request,
    portal: PortalDep,
    actor: SignedIn,
    device_key: Annotated[DeviceKey, Path()],
    iccid_last_digits: ProofQuery = None,
) -> DeviceRecord:
    """The device as the network knows it, with the activations of the caller and the caller's dealer."""
    key = await reach_device(
        request, portal, actor, device_key, OWN_RECORDS, iccid_last_digits=iccid_last_digits
    )
    try:
        device = _known(
            await portal.questions.answer(("device", key), lambda: portal.device_cloud.device(key))
        )
    except (UnknownDevice, StillAsking):
        raise
    except PortalError:
        device = None
    async with portal.sessions() as session:
        runs = await runs_of_device(
            session, "activation", key, whose_runs(actor), limit=MOST_ACTIVATIONS
        )
    return DeviceRecord(
        device_key=key,
        product_name=device.product_name if device else _product_of(runs),
        device=device,
        activations=[_past(run) for run in runs],
    )


def _listed(device: WorkedOn) -> MyDevice:
    return MyDevice.model_validate(device, from_attributes=True)


def _product_of(runs: tuple[PastRun, ...]) -> str | None:
    """What the latest activation that knew it was told."""
    names = (run.view["device"]["product_name"] for run in runs)
    return next((name for name in names if name is not None), None)


def _known(device: Device) -> KnownDevice:
    return KnownDevice(**device.model_dump(exclude={"owner_dealer_id", "iccid_last_digits"}))


def _past(run: PastRun) -> PastActivation:
    card: dict[str, Any] = card_of(run).model_dump()
    times = run.model_dump(include={"created_at", "ended_at", "outcome"})
    return PastActivation(**(card | times))
