"""Documents of the ERP in the order of their last change, a page at a time."""

from datetime import UTC, datetime
from typing import Annotated

import structlog
from pydantic import BaseModel, BeforeValidator, ValidationError

from domain.base import Frozen
from domain.operations.erp_mirror import Cursor
from providers.erp.service_layer import Record, ServiceLayer, text

BATCH = 100

log = structlog.stdlib.get_logger()

Day = Annotated[str, BeforeValidator(lambda value: str(value)[:10])]
"""Days come with a time of midnight, or without."""


class Changes(Frozen):
    """`cursor` is behind the last one; behind the last page it is before the last second, for what came later in it."""

    records: tuple[Record, ...]
    cursor: Cursor
    has_more: bool


class _Changed(BaseModel):
    DocEntry: int
    UpdateDate: Day
    UpdateTime: str


async def changes_behind(service_layer: ServiceLayer, entity: str, cursor: Cursor) -> Changes:
    """Raises Unavailable, Refused."""
    asked = {"$orderby": "UpdateDate,UpdateTime,DocEntry"}
    if cursor.on:
        asked["$filter"] = (
            f"UpdateDate gt {text(cursor.on)} or (UpdateDate eq {text(cursor.on)} and"
            f" (UpdateTime gt {text(cursor.at)} or (UpdateTime eq {text(cursor.at)} and"
            f" DocEntry gt {cursor.code or 0})))"
        )
    page = await service_layer.page(entity, asked, size=BATCH)
    behind = _behind(page.records, cursor)
    is_stuck = page.has_more and behind == cursor
    if is_stuck:
        # Asked at once it would answer the same.
        log.error("changes of the ERP cannot be followed: none has a time", entity=entity)
    return Changes(
        records=tuple(page.records),
        cursor=behind if page.has_more else behind.from_whole_second,
        has_more=page.has_more and not is_stuck,
    )


def cursor_of(cursor: str) -> Cursor:
    """Where a reader was left, or a moment; before everything where it is neither."""
    try:
        return Cursor.model_validate_json(cursor)
    except ValidationError:
        return place_at(cursor)


def place_at(moment: str) -> Cursor:
    """Before what changed in this second; before everything where it is no moment."""
    try:
        then = datetime.fromisoformat(moment).astimezone(UTC)
    except ValueError:
        return Cursor()
    return Cursor(on=f"{then:%Y-%m-%d}", at=f"{then:%H:%M:%S}")


def _behind(records: list[Record], before: Cursor) -> Cursor:
    """Where the next page begins. A last record without a time is passed over: the page before it holds the place."""
    for record in reversed(records):
        try:
            changed = _Changed.model_validate(record)
            return Cursor(on=changed.UpdateDate, at=changed.UpdateTime, code=str(changed.DocEntry))
        except ValidationError:
            continue
    return before
