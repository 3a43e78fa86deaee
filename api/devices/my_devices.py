"""The devices that a business works on, each with all that was done with it (our own page; decision 18)."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from api.devices.access import OWN_RECORDS, ProofQuery, authorize_call, whose_runs
from api.devices.holder import end_run, held_by_another, live_run, persons_try
from api.devices.ownership import (
    authorize_device,
    check_serials,
    known_soon,
    own_last_vehicle,
    stored_serial,
)
from api.devices.releasing import set_aside
from api.platform.border.queries import counted, or_default
from api.platform.deps import PortalDep, SignedIn
from api.platform.errands import StillAsking
from api.platform.idempotency import answer_once
from api.platform.paging import from_cursor, to_cursor
from api.runs.flow_answers import summary_of
from api.runs.messages import RequiredKey, update_id_of
from db.base import reading
from db.devices.ownership import save_release
from db.devices.runs import (
    DeviceCounts,
    PastRun,
    WorkedOn,
    devices_worked_on,
    first_devices,
    runs_of_device,
)
from db.operations.audit import record_by
from db.plans.plans import present_subscriptions
from db.platform.idempotency import store_answer
from db.runs import device_reservations
from domain.base import Utc
from domain.devices.activation_type import ActivationType
from domain.devices.changes import GAVE_UP
from domain.devices.devices import Device, DeviceKey, UnknownDevice, parse_device_key
from domain.devices.ownership import (
    DeviceFacts,
    asker_of,
    is_somebodys_own,
    may_give_up,
    owner_of,
    refusal_to_release,
)
from domain.errors import PortalError
from domain.identity.people import Actor
from domain.identity.policy import POLICY

router = APIRouter(prefix="/v1/devices", tags=["devices"])

MOST_ACTIVATIONS = 50


class MyDevice(BaseModel):
    """A device that somebody of the business has worked on, with the latest change of any run of it."""

    device_key: str
    product_name: str | None
    at: Utc


class MyDevices(BaseModel):
    """`counts` come with the first page of a business; what everybody works on is not counted."""

    results: list[MyDevice]
    counts: DeviceCounts | None
    end_cursor: str | None


class KnownDevice(Device):
    """The device's own fields; whose it is and the SIM digits, which are a proof, stay inside. `vehicle`: as the caller's
    people told the portal last, where the device network knows none."""


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

    At most fifty activations, newest first. `in_use`: somebody else activates this device of one's own; `free` ends that.
    `may_release`: the caller may give the device up now. `is_plan_suspended`: its plan is not paid, and rests.
    """

    device_key: str
    product_name: str | None
    device: KnownDevice | None
    in_use: bool
    may_release: bool
    is_plan_suspended: bool
    activations: list[PastActivation]


class ReleasedDevice(BaseModel):
    """`released`: it was somebody's until now."""

    device_key: str
    released: bool


class FreedDevice(BaseModel):
    """`ended`: there was somebody else's activation to end."""

    device_key: str
    ended: bool


@router.get("")
async def list_my_devices(
    portal: PortalDep,
    actor: SignedIn,
    starts_with: Annotated[str, Query(max_length=40, pattern=r"^[A-Za-z0-9-]*$")] = "",
    in_work: Annotated[bool, Query(), or_default(False)] = False,
    limit: Annotated[int, Query(ge=1, le=100), counted(10, most=100)] = 10,
    cursor: Annotated[str | None, Query(max_length=200)] = None,
) -> MyDevices:
    """Devices that the caller or the caller's dealer has worked on, newest change first; `in_work` are those that an
    unfinished run of theirs holds."""
    whose, begin = whose_runs(actor), starts_with.upper()
    async with reading(portal.sessions) as session:
        if cursor or whose.everybodys:
            counts = None
            found = await devices_worked_on(
                session,
                whose,
                starts_with=begin,
                in_work=in_work,
                limit=limit + 1,
                before=from_cursor(cursor) if cursor else None,
            )
        else:
            found, counts = await first_devices(
                session, whose, starts_with=begin, in_work=in_work, limit=limit + 1
            )
    shown, more = found[:limit], len(found) > limit
    return MyDevices(
        results=[_listed(device) for device in shown],
        counts=counts,
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
    authorized = await authorize_call(
        request, portal, actor, device_key, OWN_RECORDS, iccid_last_digits=iccid_last_digits
    )
    key, described = authorized.key, authorized.device
    try:
        described = described or await known_soon(portal, key)
    except (UnknownDevice, StillAsking):
        raise
    except PortalError:
        pass
    device = _known(described) if described else None
    facts = authorized.facts.with_network_owner(described.owner_dealer_id if described else None)
    async with reading(portal.sessions) as session:
        runs = await runs_of_device(
            session, "activation", key, whose_runs(actor), limit=MOST_ACTIVATIONS
        )
        may_release = (
            bool(actor.roles & POLICY["release_my_device"].roles)
            and may_give_up(actor.roles, facts)
            and await _is_releasable(session, actor, key, facts)
        )
        plan = (await present_subscriptions(session, [key])).get(key)
        if device is not None and device.vehicle is None:
            vehicle = await own_last_vehicle(session, actor, key, facts)
            device = device.model_copy(update={"vehicle": vehicle})
    return DeviceRecord(
        device_key=key,
        product_name=device.product_name if device else _product_of(runs),
        device=device,
        in_use=held_by_another(actor, authorized.run, facts) is not None,
        may_release=may_release,
        is_plan_suspended=plan is not None and plan.suspended_at is not None,
        activations=[_past(run) for run in runs],
    )


@router.post("/{device_key}/free", response_model=FreedDevice)
async def free_my_device(
    portal: PortalDep, actor: SignedIn, device_key: Annotated[DeviceKey, Path()], key: RequiredKey
) -> Response:
    """Ends the activation by which somebody else holds a device of one's own, once what it is doing to the device is over.

    Where nobody does, nothing is ended. Raises UnknownDevice, Throttled, Unavailable.
    """
    serial = parse_device_key(device_key)

    async def work() -> tuple[int, FreedDevice]:
        async with persons_try(portal, actor, serial, None):
            await check_serials(portal, serial)
            network_owner = await portal.device_cloud.owner(serial)
            facts = await authorize_device(portal, actor, serial, network_owner)
        run = held_by_another(actor, await live_run(portal, serial), facts)
        if run is not None:
            await end_run(portal, actor, run, "another's activation of one's own device")
        return 200, FreedDevice(device_key=serial, ended=run is not None)

    operation = f"free_my_device {stored_serial(portal, serial)}"
    return await answer_once(portal.sessions, actor, key, operation, None, work)


@router.post("/{device_key}/release", response_model=ReleasedDevice)
async def release_my_device(
    portal: PortalDep, actor: SignedIn, device_key: Annotated[DeviceKey, Path()], key: RequiredKey
) -> Response:
    """Gives a device of one's own up: it is nobody's from then on, and whoever has it in hand may activate it.

    Reps give up what is theirs alone. What is nobody's already stays so. Raises UnknownDevice, Throttled, Forbidden, StillPaid,
    StillInWork, Unavailable.
    """
    serial = parse_device_key(device_key)

    async def work() -> tuple[int, ReleasedDevice]:
        async with persons_try(portal, actor, serial, None):
            await check_serials(portal, serial)
            network_owner = await portal.device_cloud.owner(serial)
            await authorize_device(portal, actor, serial, network_owner)
        effect_key = update_id_of(actor, f"release {key}")
        async with set_aside(portal, actor, serial, network_owner, effect_key) as facts:
            # Asked of what is nobody's too: it may be so by an earlier try of this request, which nothing here tells of.
            is_given_up = await portal.device_cloud.release(serial, key=effect_key)
            released = is_given_up or owner_of(facts) is not None
            answer = ReleasedDevice(device_key=serial, released=released)
            if released:
                async with portal.sessions.begin() as session:
                    await save_release(session, serial)
                    await record_by(session, actor, GAVE_UP, on=("device", serial))
                    # With what it tells of: a repeat that found the one without the other would do it again.
                    await store_answer(
                        session,
                        actor=actor.key,
                        key=key,
                        status=200,
                        answer=answer.model_dump_json(),
                    )
        return 200, answer

    operation = f"release_my_device {stored_serial(portal, serial)}"
    return await answer_once(portal.sessions, actor, key, operation, None, work)


async def _is_releasable(
    session: AsyncSession, actor: Actor, device_key: str, facts: DeviceFacts
) -> bool:
    if not is_somebodys_own(asker_of(actor), facts):
        return False
    is_held = await device_reservations.is_held(session, device_key, "firmware", "purchase")
    return refusal_to_release(facts, is_held=is_held) is None


def _listed(device: WorkedOn) -> MyDevice:
    return MyDevice.model_validate(device, from_attributes=True)


def _product_of(runs: tuple[PastRun, ...]) -> str | None:
    """What the latest activation that knew it was told."""
    names = (run.view["device"]["product_name"] for run in runs)
    return next((name for name in names if name is not None), None)


def _known(device: Device) -> KnownDevice:
    return KnownDevice(**device.model_dump(exclude={"owner_dealer_id", "iccid_last_digits"}))


def _past(run: PastRun) -> PastActivation:
    summary: dict[str, Any] = summary_of(run).model_dump()
    times = run.model_dump(include={"created_at", "ended_at", "outcome"})
    return PastActivation(**(summary | times))
