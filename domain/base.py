"""What every shape of the domain is made of."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from typing import Annotated, Any, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    ValidationInfo,
    field_validator,
)
from pydantic.fields import FieldInfo

from domain.card_numbers import masked

ID_PATTERN = r"^[A-Za-z0-9_-]+$"
"""Of ids and tokens: the portal's own, and those of third parties."""
PLAIN = r"^[^\x00-\x1f\x7f]*$"
"""Of a text without control characters: the database takes no NUL."""
_NUMBER = re.compile(r"\s*[-+]?[0-9._]+\s*")


class Frozen(BaseModel):
    """A value: never changed, only replaced. Unknown fields are ignored, so that a rollback can read newer data.

    An answer has all its fields, and its documentation says so.
    """

    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)


class Exact:
    """Marks a text that counts sign by sign: a password, a token, an id, what is looked for. No pattern says so of it."""


EXACT = Exact()


class Body(BaseModel):
    """What a caller sends: unknown fields are refused (no mass assignment), and card numbers in texts are masked before
    anybody sees them (decision 37). Texts with a pattern of their own, secrets and `EXACT` ones stay as they are."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @field_validator("*")
    @classmethod
    def _without_card_numbers(cls, value: Any, info: ValidationInfo) -> Any:
        return _masked(value) if info.field_name in free_texts(cls) else value


@cache
def free_texts(body: type[BaseModel]) -> frozenset[str]:
    """The fields into which a person may type what they like."""
    return frozenset(
        name
        for name, field in body.model_fields.items()
        if not _is_exact(field.annotation, field.metadata)
    )


def _is_exact(annotation: object, marks: Sequence[object] = ()) -> bool:
    """Looks through `Annotated`, unions and lists."""
    own: Sequence[object] = getattr(annotation, "__metadata__", ())
    inner: Sequence[object] = getattr(annotation, "__args__", ())
    return any(_says_exact(mark) for mark in (*marks, *own)) or any(map(_is_exact, inner))


def _says_exact(mark: object) -> bool:
    if isinstance(mark, FieldInfo):
        return any(_says_exact(one) for one in mark.metadata)
    return isinstance(mark, Exact) or getattr(mark, "pattern", None) is not None


def _masked(value: Any) -> Any:
    if isinstance(value, str) and not isinstance(value, Enum):
        return masked(value)
    if isinstance(value, list):
        return [_masked(entry) for entry in cast("list[Any]", value)]
    if isinstance(value, tuple):
        return tuple(_masked(entry) for entry in cast("tuple[Any, ...]", value))
    return value


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
