"""Vehicles: how one is chosen, from lists or by its VIN (devices spec 3, 4, 5 and 8)."""

import re
from enum import StrEnum
from typing import NewType

from domain.base import Frozen, Utc
from domain.errors import Invalid, NotFound, Unavailable

FIRST_YEAR = 1940
"""The year list runs from next year down to this one (devices spec 9)."""

Vin = NewType("Vin", str)
"""Seventeen capitals and digits that name one car, and so its owner: never logged, stored or audited."""

_VIN_FORM = re.compile(r"[A-HJ-NPR-Z0-9]{17}")
"""Without I, O and Q, which look like digits (ISO 3779)."""
_VALUES = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", "12345678123457923456789", strict=True))
_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


class VehicleChoice(Frozen):
    """One entry of a list of makes or models."""

    id: int
    name: str


class Vehicle(Frozen):
    """A model of one year. `description` is the tech tip; one that `mirrors_vehicle` is wired like the vehicle with that
    id."""

    id: int
    year: int
    make_id: int
    make: str
    model_id: int
    model: str
    trims: tuple[str, ...]
    description: str
    vehicle_description: str
    image: str | None
    mirrors_vehicle: int | None
    created_at: Utc
    updated_at: Utc

    @property
    def name(self) -> str:
        return f"{self.year} {self.make} {self.model}"


class VinWarning(StrEnum):
    """What is odd about a VIN that was decoded all the same."""

    CHECK_DIGIT = "check_digit"
    """Its ninth character does not fit the others; in North America it must."""


class DecodedVehicle(Frozen):
    """What a VIN says of its car, in the words of whoever decoded it (devices spec 3)."""

    ModelYear: int
    Make: str
    Model: str
    warning: VinWarning | None = None


class VinMissing(Invalid):
    code = "vin_missing"
    detail = "Please provide a vehicle VIN number to continue"


class VinMalformed(Invalid):
    """Nobody is asked about a text that cannot be a VIN."""

    code = "vin_malformed"
    detail = (
        "Unable to find a vehicle using this vin. Please check your vin for accuracy or search by"
        " year, make, and model."
    )


class VinIncomplete(NotFound):
    """A VIN that does not tell year, make and model."""

    code = "vin_incomplete"
    detail = VinMalformed.detail


class NoVehicleData(NotFound):
    """Any failure of a look-up but the one below (devices spec 8)."""

    code = "no_vehicle_data"
    detail = "No data available. Please try again using a different vehicle."


class VinSearchUnavailable(Unavailable):
    """Whoever decodes VINs answers 503, or we ask them too much already."""

    code = "vin_search_unavailable"
    detail = (
        "Vin searching is currently unavailable. Please try again later or search by year, make,"
        " and model."
    )


def vin_in(text: str) -> Vin:
    """The VIN that was typed, in capitals and without the spaces and hyphens of a registration paper.

    The check digit does not count here: it is binding in North America alone (see `warning_of`).
    Raises VinMissing, VinMalformed.
    """
    bare = re.sub(r"[\s-]", "", text).upper()
    if not bare:
        raise VinMissing(fields=[("vin", "Required field")])
    if not _VIN_FORM.fullmatch(bare):
        raise VinMalformed(fields=[("vin", "Invalid value")])
    return Vin(bare)


def warning_of(vin: Vin) -> VinWarning | None:
    """A wrong check digit is told and still looked up (49 CFR 565.15)."""
    values = (int(_VALUES.get(character, character)) for character in vin)
    remainder = sum(w * v for w, v in zip(_WEIGHTS, values, strict=True)) % 11
    expected = "X" if remainder == 10 else str(remainder)
    return None if vin[8] == expected else VinWarning.CHECK_DIGIT


def decoded_vehicle(*, year: str, make: str, model: str) -> DecodedVehicle:
    """What was decoded, if it is all there (devices spec 5). Raises VinIncomplete."""
    make, model = make.strip(), model.strip()
    if not (re.fullmatch(r"[0-9]{4}", year.strip()) and make and model):
        raise VinIncomplete
    return DecodedVehicle(ModelYear=int(year), Make=make, Model=model)
