"""The file of the vehicles to choose from, in CSV: a line for each model, with the years in which it was made.

`db/vehicle_list.py` takes it.
"""

import csv
from collections.abc import Iterator
from typing import Annotated, Self

from pydantic import ConfigDict, Field, StringConstraints, ValidationError, model_validator

from domain.base import PLAIN, Frozen
from domain.errors import FaultyFile
from domain.vehicles.vehicles import FIRST_YEAR

COLUMNS = ("make", "model", "first_year", "last_year")
LAST = 2039
"""The last year that a vehicle may be of: its id is its model's, and two figures."""

Name = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80, pattern=PLAIN)
]
Year = Annotated[int, Field(ge=FIRST_YEAR, le=LAST)]


class ListedModel(Frozen):
    model_config = ConfigDict(extra="forbid")

    make: Name
    model: Name
    first_year: Year
    last_year: Year

    @property
    def key(self) -> tuple[str, str]:
        """However it is spelled."""
        return self.make.casefold(), self.model.casefold()

    @model_validator(mode="after")
    def _ends_after_its_begin(self) -> Self:
        if self.last_year < self.first_year:
            raise ValueError("last_year is before first_year")
        return self


def listed_models(text: str) -> tuple[ListedModel, ...]:
    """What the file says, in its order; its columns may be parted by semicolons. Raises FaultyFile."""
    lines = text.splitlines()
    parted_by = ";" if lines and ";" in lines[0] else ","
    rows = csv.reader(lines, delimiter=parted_by)
    head = tuple(name.strip().lower() for name in next(rows, ()))
    if head != COLUMNS:
        raise FaultyFile([f"line 1: the columns are {', '.join(COLUMNS)}, in this order"])
    found: dict[tuple[str, str], ListedModel] = {}
    faults: list[str] = []
    for row in rows:
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(COLUMNS):
            faults.append(f"line {rows.line_num}: {len(row)} columns, and not {len(COLUMNS)}")
            continue
        try:
            one = ListedModel.model_validate(dict(zip(COLUMNS, row, strict=True)))
        except ValidationError as error:
            faults += [f"line {rows.line_num}, {said}" for said in _said(error)]
            continue
        if one.key in found:
            faults.append(f"line {rows.line_num}, model: {one.make} {one.model} stands twice")
        found[one.key] = one
    if faults:
        raise FaultyFile(faults)
    return tuple(found.values())


def _said(error: ValidationError) -> Iterator[str]:
    for one in error.errors():
        where = ".".join(str(name) for name in one["loc"]) or "last_year"
        yield f"{where}: {one['msg'].removeprefix('Value error, ')}"
