"""Option tables: what a controller or a KeyLocker can be set to (devices spec 3, 4 and 9).

The device network brings each table with its schema; the portal shows it, checks what was changed and sends the
changes alone. A refusal for special rows is answered by asking the device first (`skip_query=False`), at most twice.
"""

import hashlib
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from domain.base import Frozen
from domain.card_numbers import masked
from domain.validation import REQUIRED

CONTROLLERS_IN_SCOPE = frozenset(
    {"FT-7000AS", "FT-7200S", "CM900AS", "CM900S", "CM2400", "CM2500", "CM7300", "CMX"}
)
"""Controllers whose option tables can be written."""

REQUERY_LIMIT = 2
"""How often a refusal for special rows is answered by a retry with a query."""

CMX = "CMX"
RUNTIMES = (3, 15, 25, 45)
"""Remote start runtimes in minutes to choose from; the CMX takes any in CMX_RUNTIME (devices spec 5)."""

RUNTIME_ROWS = frozenset({"runtime", "kl_runtime"})
CMX_RUNTIME = (3, 45)
SECONDS = (1, 99)
MINUTES = (1, 15)
"""Bounds of time options (devices spec 5)."""


class OptionTable(StrEnum):
    CONTROLLER = "controller"
    KEYLOCKER = "keylocker"
    POC_PIC = "poc-pic"


GOES_ALONG = frozenset({OptionTable.KEYLOCKER, OptionTable.POC_PIC})
"""Tables of the KeyLocker: it keeps them where another device takes over."""


class RowKind(StrEnum):
    """How a row is entered. Times are whole seconds or minutes; `number` is any other whole number."""

    CHOICE = "choice"
    NUMBER = "number"
    SECONDS = "seconds"
    MINUTES = "minutes"


_BOUNDS = {RowKind.SECONDS: SECONDS, RowKind.MINUTES: MINUTES}


class OptionChoice(Frozen):
    value: int
    label: str


class Row(Frozen):
    """One option. `minimum` and `maximum` bound every kind but `choice`. A `special` row has custom values that the
    network refuses to write without asking the device; an `advanced` one is shown in the advanced flow only."""

    key: str
    label: str
    kind: RowKind
    choices: tuple[OptionChoice, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    default: int
    special: bool = False
    advanced: bool = False


class Section(Frozen):
    title: str
    rows: tuple[Row, ...]


class OptionTables(Frozen):
    """One table with its schema. `values` holds every row's present value; `digest` names that state of them."""

    table: OptionTable
    controller: str | None = None
    sections: tuple[Section, ...]
    values: dict[str, int]
    digest: str

    @property
    def rows(self) -> dict[str, Row]:
        return {row.key: row for section in self.sections for row in section.rows}


RowKey = Annotated[str, StringConstraints(min_length=1, max_length=40), AfterValidator(masked)]
"""As somebody sends it: no form of a run is a `Body`, so that a card number in it is masked here."""
Changes = Annotated[
    dict[RowKey, Annotated[int, Field(ge=-1_000_000, le=1_000_000)]], Field(max_length=100)
]
"""Row key → new value, of the changed rows alone."""

Values = dict[str, int]
"""Row key → present value."""


def digest_of(values: Mapping[str, int]) -> str:
    """Names a state of the values: two screens that show the same values hold the same digest (16 hex digits).

    One in some thousands looks like the number of a card. It is masked here as it is where it comes back.
    """
    said = "".join(f"{key}={values[key]};" for key in sorted(values))
    return masked(hashlib.sha256(said.encode()).hexdigest()[:16])


def check_changes(tables: OptionTables, changes: Mapping[str, int]) -> list[tuple[str, str]]:
    """(field, message) of everything that the schema does not take; empty when all may be sent."""
    rows = tables.rows
    faults: list[tuple[str, str]] = []
    for key, value in changes.items():
        row = rows.get(key)
        if row is None:
            faults.append((key, "This option does not exist."))
        elif message := check_value(row, value):
            faults.append((key, message))
    return faults


def check_value(row: Row, value: int) -> str | None:
    """Why a row does not take a value, in words; None when it does. Twin: `option-tables.ts`."""
    if row.kind is RowKind.CHOICE:
        return None if value in {choice.value for choice in row.choices} else REQUIRED
    if row.minimum is not None and value < row.minimum:
        return f"Must be at least {row.minimum}"
    if row.maximum is not None and value > row.maximum:
        return f"Must be at most {row.maximum}"
    return None


def within_spec(tables: OptionTables) -> OptionTables:
    """The table with its rows held to the portal's own bounds, whatever the device network says of them."""
    sections = tuple(
        section.model_copy(
            update={"rows": tuple(_held(row, tables.controller) for row in section.rows)}
        )
        for section in tables.sections
    )
    return tables.model_copy(update={"sections": sections})


def _held(row: Row, controller: str | None) -> Row:
    if row.key in RUNTIME_ROWS:
        return _runtime(row) if controller == CMX else _runtime_to_choose(row)
    return _bounded(row, _BOUNDS.get(row.kind))


def _runtime(row: Row) -> Row:
    """Of a CMX: any number of minutes within its range."""
    if row.kind is not RowKind.CHOICE:
        return _bounded(row, CMX_RUNTIME)
    least, most = CMX_RUNTIME
    kept = tuple(choice for choice in row.choices if least <= choice.value <= most)
    return row.model_copy(update={"choices": kept})


def _runtime_to_choose(row: Row) -> Row:
    """Of every other controller: a choice, also where the network says that any number will do."""
    if row.kind is RowKind.CHOICE:
        kept = tuple(choice for choice in row.choices if choice.value in RUNTIMES)
        return row.model_copy(update={"choices": kept})
    some = tuple(
        OptionChoice(value=value, label=str(value))
        for value in RUNTIMES
        if check_value(row, value) is None
    )
    changed = {"kind": RowKind.CHOICE, "choices": some, "minimum": None, "maximum": None}
    return row.model_copy(update=changed)


def _bounded(row: Row, bounds: tuple[int, int] | None) -> Row:
    if bounds is None:
        return row
    least, most = bounds
    lower = least if row.minimum is None else max(least, row.minimum)
    upper = most if row.maximum is None else min(most, row.maximum)
    return row.model_copy(update={"minimum": lower, "maximum": upper})
