"""Vehicles and products as calls name them: a vehicle by year, make and model (devices spec 7)."""

from typing import Annotated

from pydantic import Field

from api.platform.schemas import Id, QueryBody, SpecBody
from db.base import Executes
from db.vehicles.wiring import find_vehicle
from domain.vehicles.vehicles import NoVehicleData, Vehicle

Number = Annotated[int, Field(strict=True, ge=1, le=2_000_000_000)]

ProductId = Id


class VehicleNamed(SpecBody):
    year: Annotated[int, Field(strict=True, ge=1, le=9999)]
    make_id: Number
    model_id: Number


class VehicleQuery(VehicleNamed, QueryBody):
    """Of a call that only reads."""


async def named_vehicle(session: Executes, named: VehicleNamed) -> Vehicle:
    """Raises NoVehicleData for what is in no list."""
    vehicle = await find_vehicle(
        session, year=named.year, make_id=named.make_id, model_id=named.model_id
    )
    if vehicle is None:
        raise NoVehicleData
    return vehicle
