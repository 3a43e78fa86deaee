"""Choosing a vehicle by year, make and model, or by its VIN (devices spec 4 and 7)."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import Field, SecretStr, WithJsonSchema

from api.platform.deps import Caller, PortalDep, Transaction, counted_as
from api.platform.schemas import QueryBody
from api.platform.throttling.devices import DeviceTries
from db.vehicles.vehicles import makes_of, models_of
from domain.errors import Invalid
from domain.vehicles.vehicles import FIRST_YEAR, DecodedVehicle, VehicleChoice, vin_in, warning_of

router = APIRouter(prefix="/api", tags=["vehicles"])


class YearMakeModelBody(QueryBody):
    """A year asks for its makes; a year and a make for its models."""

    year: int
    make_id: Annotated[int, Field(ge=1, le=2_000_000_000)] | None = None


TypedVin = Annotated[
    SecretStr, Field(max_length=100), WithJsonSchema({"type": "string", "maxLength": 100})
]


class VinBody(QueryBody):
    """`vin` has 17 letters and digits, without I, O and Q; case, spaces and hyphens do not matter."""

    vin: TypedVin = SecretStr("")


@router.post("/year-make-model")
async def year_make_model(session: Transaction, body: YearMakeModelBody) -> list[VehicleChoice]:
    """Makes or models, by name. Years run from next year down to 1940."""
    if not FIRST_YEAR <= body.year <= datetime.now(UTC).year + 1:
        raise Invalid(
            "Please select a Year, Make and Model to continue",
            fields=[("year", "Invalid value")],
        )
    if body.make_id is None:
        return list(await makes_of(session, body.year))
    return list(await models_of(session, body.year, body.make_id))


@router.post("/dot-vehicle-by-vin")
async def decode_vin(
    request: Request, portal: PortalDep, actor: Caller, body: VinBody
) -> DecodedVehicle:
    """Year, make and model in the decoder's words, which need not be those of our lists.

    `warning` tells of a wrong check digit. The VIN is asked about and forgotten: no record, log or error shows it.
    """
    vin = vin_in(body.vin.get_secret_value())
    await DeviceTries(portal.sessions).count_vin(counted_as(request, actor))
    decoded = await portal.vin_decoder.decode(vin)
    return decoded.model_copy(update={"warning": warning_of(vin)})
