"""What every shape of the domain is made of."""

import re
from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict

_NUMBER = re.compile(r"\s*[-+]?[0-9._]+\s*")


class Frozen(BaseModel):
    """A value: never changed, only replaced. Unknown fields are ignored, so that a rollback can read newer data.

    An answer has all its fields, and its documentation says so.
    """

    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)


class Body(BaseModel):
    """What a caller sends: unknown fields are refused (no mass assignment)."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _written(value: object) -> object:
    """Pydantic also takes a number for a time, and a text that looks like one."""
    if isinstance(value, int | float) or (isinstance(value, str) and _NUMBER.fullmatch(value)):
        raise ValueError("a time is written as a date")
    return value


def _aware(value: datetime) -> datetime:
    if value.tzinfo is None:
        raise ValueError("a time needs its zone")
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise ValueError("a time out of range") from None


Utc = Annotated[datetime, BeforeValidator(_written), AfterValidator(_aware)]
"""An aware time, kept in UTC."""
