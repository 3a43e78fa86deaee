"""Whether products fit a vehicle."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from api.platform.deps import PortalDep
from api.vehicles.fit_answers import FitVehicle, VehicleFit, fit_out
from api.vehicles.named import ProductId, VehicleQuery, named_vehicle
from db.base import reading
from db.vehicles.fit import fits_of

router = APIRouter(tags=["vehicles"])

MOST = 100


class FitQuery(VehicleQuery):
    product_ids: Annotated[list[ProductId], Field(min_length=1, max_length=MOST)]


@router.post("/v1/vehicle-fit")
async def vehicle_fit(portal: PortalDep, asked: FitQuery) -> VehicleFit:
    """A verdict on each product, in their order. 404 for a vehicle that is in no list."""
    async with reading(portal.sessions) as session:
        vehicle = await named_vehicle(session, asked)
        fits = await fits_of(session, [(vehicle.id, one) for one in asked.product_ids])
    return VehicleFit(
        vehicle=FitVehicle.model_validate(vehicle, from_attributes=True),
        fits=[fit_out(one) for one in fits.values()],
    )
