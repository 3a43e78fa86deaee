"""Wiring and instructions of a vehicle, from our own reference and from outside (devices spec 3 and 7)."""

from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import StringConstraints
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.answers.lists import as_json
from api.platform.deps import PortalDep
from api.platform.schemas import QueryBody
from api.vehicles.answers import (
    ExternalWiringOut,
    HarnessOut,
    InternalWiring,
    external_out,
    mirrored_out,
)
from api.vehicles.named import Number, VehicleQuery, named_vehicle
from api.vehicles.sources import external_wiring, fresh_wiring, stored_of
from db.base import plain_reading, reading
from db.vehicles.guides import guides_of
from db.vehicles.products import store_skus
from db.vehicles.wiring import (
    categories_of,
    instructions_of,
    skus_of,
    vehicle_by_id,
    wires_of,
)
from domain.vehicles.vehicles import NoVehicleData, VehicleChoice
from domain.vehicles.wiring import CategoryMissing, Instruction, Wire, category_parts

router = APIRouter(prefix="/api", tags=["vehicles"])

CategoryId = Annotated[
    str, StringConstraints(min_length=1, max_length=80, pattern=r"^[A-Za-z0-9-]+$")
]


class CategoryNamed(QueryBody):
    """`categoryId` is the uuid of a category as the vehicle has it, with the suffix of a split one."""

    vehicle_id: Number
    category_id: CategoryId


@router.post("/internal-vehicle-wiring", response_model=InternalWiring | None)
async def internal_vehicle_wiring(portal: PortalDep, named: VehicleQuery) -> Response:
    """Our own reference; null for a vehicle that we have nothing of. A vehicle that mirrors another one shows the wiring of
    that one, and names it. 404 for what is in no list."""
    async with plain_reading(portal.sessions) as connection:
        vehicle = await named_vehicle(connection, named)
        mirrored = (
            await vehicle_by_id(connection, vehicle.mirrors_vehicle)
            if vehicle.mirrors_vehicle
            else None
        )
        wired = mirrored or vehicle
        wiring, instructions = await categories_of(connection, wired.id)
        plugs, modules = await skus_of(connection, wired.id)
        documents = await guides_of(connection, [wired.id])
    harnesses = plugs if portal.features.t_harness else ()
    if not (wiring or instructions or vehicle.description or harnesses or modules or documents):
        return _nothing()
    internal = InternalWiring(
        id=vehicle.id,
        year=vehicle.year,
        make=VehicleChoice(id=vehicle.make_id, name=vehicle.make),
        model=VehicleChoice(id=vehicle.model_id, name=vehicle.model),
        trims=list(wired.trims),
        description=vehicle.description or wired.description,
        vehicle_description=vehicle.vehicle_description,
        vehicle_documents=list(documents),
        mirrors_vehicle=mirrored_out(mirrored),
        image=vehicle.image or wired.image,
        created_at=vehicle.created_at,
        updated_at=wired.updated_at,
        wiring_categories=list(wiring),
        instruction_categories=list(instructions),
        t_harnesses=[HarnessOut(sku=sku) for sku in harnesses],
        modules=[HarnessOut(sku=sku) for sku in modules],
    )
    return as_json(internal)


@router.post("/external-vehicle-wiring", response_model=ExternalWiringOut | None)
async def external_vehicle_wiring(portal: PortalDep, named: VehicleQuery) -> Response:
    """What two outside sources say, with the store's id of each product that the store knows; null when both answer and
    neither knows the vehicle. A source that is away leaves its part out, or shows what it said before. 404 for what is in no
    list."""
    async with plain_reading(portal.sessions) as connection:
        vehicle = await named_vehicle(connection, named)
        stored = await stored_of(connection, vehicle)
        wiring = fresh_wiring(portal, stored)
        known = await store_skus(connection, wiring.product_ids) if wiring else {}
    if wiring is None:
        wiring = await external_wiring(portal, vehicle, stored)
        async with plain_reading(portal.sessions) as connection:
            known = await store_skus(connection, wiring.product_ids)
    if wiring.is_empty:
        return _nothing()
    in_store = {asked: product_id for asked, (product_id, _) in known.items()}
    return as_json(external_out(wiring, in_store))


@router.post("/wiring-by-category")
async def wiring_by_category(portal: PortalDep, named: CategoryNamed) -> list[Wire]:
    """The wires of one category of our own reference. 404 without any."""
    base, ignition = category_parts(named.category_id)
    async with reading(portal.sessions) as session:
        wires = await wires_of(session, await _wired(session, named.vehicle_id), base, ignition)
    if not wires:
        raise CategoryMissing
    return list(wires)


@router.post("/instructions-by-category")
async def instructions_by_category(portal: PortalDep, named: CategoryNamed) -> list[Instruction]:
    """The instructions of one category, in order. 404 without any."""
    base, ignition = category_parts(named.category_id)
    async with reading(portal.sessions) as session:
        steps = await instructions_of(
            session, await _wired(session, named.vehicle_id), base, ignition
        )
    if not steps:
        raise CategoryMissing
    return list(steps)


def _nothing() -> Response:
    return Response("null", media_type="application/json")


async def _wired(session: AsyncSession, vehicle_id: int) -> int:
    """The id under which the vehicle's wiring stands."""
    vehicle = await vehicle_by_id(session, vehicle_id)
    if vehicle is None:
        raise NoVehicleData
    return vehicle.mirrors_vehicle or vehicle.id
