"""Choosing a vehicle by year, make and model (devices spec 4 and 7)."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from api.deps import Transaction
from db.vehicles import makes_of, models_of
from domain.base import Body
from domain.errors import Invalid
from domain.vehicles import FIRST_YEAR, Choice

router = APIRouter(prefix="/api", tags=["vehicles"])


class YearMakeModelBody(Body):
    """A year asks for its makes; a year and a make for its models."""

    year: int
    makeId: Annotated[int, Field(ge=1, le=2_000_000_000)] | None = None


@router.post("/year-make-model")
async def year_make_model(session: Transaction, body: YearMakeModelBody) -> list[Choice]:
    """Makes or models, by name. Years run from next year down to 1940."""
    if not FIRST_YEAR <= body.year <= datetime.now(UTC).year + 1:
        raise Invalid(
            "Please select a Year, Make and Model to continue",
            fields=[("year", "Invalid value")],
        )
    if body.makeId is None:
        return list(await makes_of(session, body.year))
    return list(await models_of(session, body.year, body.makeId))
