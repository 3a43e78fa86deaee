"""The wires of a vehicle that serve a command which was tested."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, StringConstraints

from api.platform.deps import PortalDep
from api.vehicles.answers import HarnessOut, Mirrored, mirrored_out
from api.vehicles.named import VehicleNamed, named_vehicle
from api.vehicles.sources import external_wiring, stored_of
from db.base import reading
from db.vehicles.wiring import skus_of, vehicle_by_id, wires_of
from domain.vehicles.served_wires import SERVED, FirstCheck, FunctionWires, wires_for
from domain.vehicles.wiring import SourceReport

router = APIRouter(tags=["vehicles"])


class TestedCommand(VehicleNamed):
    command: Annotated[str, StringConstraints(max_length=40, pattern=r"^[a-z0-9_]+$")]


class ServedWires(BaseModel):
    """`checks` come before any wire, `functions` in the order in which they are worth a look. `t_harnesses` are plugs that
    fit this vehicle."""

    vehicle: str
    mirrors_vehicle: Mirrored | None
    checks: list[FirstCheck]
    functions: list[FunctionWires]
    t_harnesses: list[HarnessOut]
    sources: list[SourceReport]


@router.post("/v1/served-wires")
async def served_wires(portal: PortalDep, asked: TestedCommand) -> ServedWires:
    """Of every source that answers; nothing for a command that no wire serves. 404 for a vehicle that is in no list."""
    async with reading(portal.sessions) as session:
        vehicle = await named_vehicle(session, asked)
        mirrored = (
            await vehicle_by_id(session, vehicle.mirrors_vehicle)
            if vehicle.mirrors_vehicle
            else None
        )
        wired = mirrored or vehicle
        own = await wires_of(session, wired.id)
        harnesses, _ = await skus_of(session, wired.id)
        stored = await stored_of(session, vehicle)
    external = await external_wiring(portal, vehicle, stored)
    from_sources = [
        wire
        for source in (external.ads, external.automob)
        if source
        for trim in source.trims
        for wire in trim.wires
    ]
    served = SERVED.get(asked.command)
    return ServedWires(
        vehicle=vehicle.name,
        mirrors_vehicle=mirrored_out(mirrored),
        checks=list(served.checks) if served else [],
        functions=list(wires_for(asked.command, [*own, *from_sources])),
        t_harnesses=[HarnessOut(sku=sku) for sku in harnesses if portal.features.t_harness],
        sources=list(external.reports),
    )
