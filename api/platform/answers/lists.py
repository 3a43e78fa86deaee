"""The lists of a business that are read page by page, by number or by cursor (shop spec 7 and 9; rulings "Later
rulings"): what each is asked with, and what it answers."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Protocol, TypeVar

from fastapi import Response
from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema

from api.platform.paging import EndFound, pack, unpack
from domain.errors import Invalid

MOST_PAGES = 1_000_000

_WHOLE = re.compile(r"\d{1,40}", re.ASCII)


Key = TypeVar("Key", bound=BaseModel)


class Found(Protocol):
    """`end` is where the page ended, None on the last one; `total` counts all that fit."""

    @property
    def end(self) -> BaseModel | None: ...
    @property
    def total(self) -> int: ...


class Paged(Protocol):
    """What a page is asked for with."""

    @property
    def page(self) -> int: ...
    @property
    def limit(self) -> int: ...
    @property
    def end_cursor(self) -> str | None: ...


@dataclass(frozen=True)
class WholeNumber:
    """Reads a page or a limit: what is empty, null, zero or no number falls back to the default, what is above the most
    is cut to it."""

    default: int
    most: int

    def read(self, value: object) -> int:
        number = 0
        if isinstance(value, str):
            number = int(value) if _WHOLE.fullmatch(value) else 0
        elif isinstance(value, float) and value.is_integer():
            number = int(value)
        elif isinstance(value, int) and not isinstance(value, bool):
            number = value
        return min(number, self.most) if number > 0 else self.default

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_before_validator_function(self.read, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {"description": f"A whole number up to {self.most}; all else is {self.default}"}


PageNumber = Annotated[int, WholeNumber(1, MOST_PAGES)]


def place_after(cursor: str | None, shape: type[Key], fits: Callable[[Key], bool]) -> Key | None:
    """The sort key where the page before ended. Raises Invalid for a cursor that is none, or of another sort."""
    if not cursor:
        return None
    place = unpack(cursor, shape, "endCursor")
    if not fits(place):
        raise Invalid(fields=[("endCursor", "Invalid value")])
    return place


def skipped(wanted: Paged) -> int:
    """How many come before the page. Raises Invalid for a page that is named both by number and by cursor."""
    if wanted.end_cursor is not None and wanted.page != 1:
        raise Invalid(fields=[("page", "Invalid value")])
    return (wanted.page - 1) * wanted.limit


def page_facts(wanted: Paged, found: Found) -> dict[str, Any]:
    """What every page tells of its list, in the names of the answers' fields."""
    return {
        "count": found.total,
        "page": wanted.page,
        "limit": wanted.limit,
        "end_cursor": pack(found.end) if found.end else None,
    }


def end_of(found: Found) -> EndFound:
    return EndFound(
        end_cursor=pack(found.end) if found.end else None,
        has_next_page=found.end is not None,
        total_count=found.total,
    )


def as_json(answer: BaseModel) -> Response:
    """Written once: a page of a hundred documents is not validated again on its way out."""
    return Response(answer.model_dump_json(by_alias=True), media_type="application/json")
