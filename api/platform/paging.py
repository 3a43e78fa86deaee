"""Cursors that a caller gets and gives back: opaque to them, the last row's sort key to us."""

import base64
import binascii
from datetime import datetime
from typing import Annotated, TypeVar

from pydantic import BaseModel, Field

from api.platform.schemas import Camel
from domain.base import EXACT
from domain.errors import Invalid

Shape = TypeVar("Shape", bound=BaseModel)


def to_cursor(at: datetime, id_: str) -> str:
    return base64.urlsafe_b64encode(f"{at.isoformat()} {id_}".encode()).decode().rstrip("=")


def from_cursor(cursor: str) -> tuple[datetime, str]:
    """Raises Invalid for anything that is no cursor of ours."""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        at, _, id_ = base64.urlsafe_b64decode(padded.encode()).decode().partition(" ")
        when = datetime.fromisoformat(at)
    except (ValueError, binascii.Error, UnicodeError):
        raise Invalid(fields=[("cursor", "Invalid value")]) from None
    if when.tzinfo is None or not id_ or "\0" in id_:
        raise Invalid(fields=[("cursor", "Invalid value")])
    return when, id_


def pack(place: BaseModel) -> str:
    """Any sort key as a cursor."""
    return base64.urlsafe_b64encode(place.model_dump_json().encode()).decode().rstrip("=")


def unpack(cursor: str, shape: type[Shape], field: str) -> Shape:
    """The sort key again. Raises Invalid, naming `field`, for anything that is no cursor of ours."""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        place = base64.urlsafe_b64decode(padded.encode())
        if b"\\u0000" in place:
            raise ValueError
        return shape.model_validate_json(place)
    except (ValueError, binascii.Error, UnicodeError):
        raise Invalid(fields=[(field, "Invalid value")]) from None


Cursor = Annotated[str, Field(max_length=1000), EXACT]


class EndFound(Camel):
    end_cursor: str | None
    has_next_page: bool
    total_count: int
