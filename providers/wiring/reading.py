"""What both sources have in common: limits, and the judgement whether an answer is about the vehicle that was asked."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated

import structlog
from pydantic import BaseModel, BeforeValidator

from domain.vehicles.wiring import (
    MOST_ROWS,
    OtherVehicle,
    Source,
    SourcedWiring,
    TrimWiring,
    Wire,
    freshness_of,
    same_name,
)
from providers.errors import Unavailable

log = structlog.get_logger()

MOST_BYTES = 2_000_000
"""Wiring of one vehicle is never longer."""
LONGEST_TEXT = 500
_COLUMNS = frozenset(Wire.model_fields) - {"source", "trim", "fetched_at", "images"}


def _cut(value: object) -> object:
    """A source writes numbers and nothing as it likes, and no cell of a table is longer than this."""
    if value is None:
        return ""
    return str(value).strip()[:LONGEST_TEXT] if isinstance(value, str | int | float) else value


Cell = Annotated[str, BeforeValidator(_cut)]


class AnswerPart(BaseModel, frozen=True, extra="ignore"):
    """Part of a source's answer. Unknown fields are ignored."""


def check_vehicle(
    asked: tuple[int, str, str], *, year: str, make: str, model: str, source: Source
) -> None:
    """Raises Unavailable for an answer about another vehicle."""
    if year.strip() != str(asked[0]) or not (
        same_name(make, asked[1]) and same_name(model, asked[2])
    ):
        log.error("outside_answer_of_another_vehicle", system=source)
        raise Unavailable(system=source, may_have_worked=True) from OtherVehicle()


def sourced(
    source: Source, trims: Iterable[TrimWiring], *, now: datetime, max_age_seconds: int | None
) -> SourcedWiring:
    """Rows beyond the limit are left out, and logged."""
    left, kept = MOST_ROWS, list[TrimWiring]()
    for one in trims:
        kept.append(one.model_copy(update={"wires": one.wires[:left]}))
        if len(one.wires) > left:
            log.warning("outside_rows_left_out", system=source, rows=len(one.wires) - left)
        left -= len(kept[-1].wires)
    return SourcedWiring(
        source=source,
        trims=tuple(kept),
        fetched_at=now,
        fresh_until=now + freshness_of(max_age_seconds),
    )


def wire_of(source: Source, row: BaseModel, trim: str, now: datetime) -> Wire:
    """A row whose fields have the names of the normalised table."""
    columns = {name: cell for name, cell in row.model_dump().items() if name in _COLUMNS}
    return Wire(**columns, source=source, trim=trim, fetched_at=now)


def now_utc() -> datetime:
    return datetime.now(UTC)
