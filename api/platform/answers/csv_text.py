"""Files for spreadsheets, as text; cells are never formulas."""

import csv
import io
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Annotated, Any, Literal, TypeVar

from fastapi.responses import StreamingResponse

from api.platform.border.queries import or_default

Language = Annotated[Literal["en", "fr"], or_default("en")]
"""That of the headings."""
Headings = dict[Literal["en", "fr"], tuple[str, ...]]
Row = tuple[str, ...]
Item = TypeVar("Item")
Place = TypeVar("Place")

BATCH = 500
"""Rows that are read at once."""
BYTE_ORDER_MARK = "\ufeff"
"""Without it spreadsheets take UTF-8 for something else."""
CSV: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/csv": {"schema": {"type": "string"}}}}
}
"""What the API's document says of such an answer."""
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")


def plain(text: str | None) -> str:
    """What a spreadsheet would take for a formula begins with an apostrophe (decision "Quick order")."""
    cell = text or ""
    return f"'{cell}" if cell.startswith(_FORMULA_SIGNS) else cell


async def batches(
    read: Callable[[Place | None], Awaitable[tuple[Sequence[Item], Place | None]]],
    cells: Callable[[Item], Row],
) -> AsyncIterator[Sequence[Row]]:
    """A whole list. `read` gives what follows on a place, from the beginning for None, and the place where that ends; None where
    nothing follows."""
    after: Place | None = None
    while True:
        items, after = await read(after)
        yield [cells(one) for one in items]
        if after is None:
            return


def as_csv(
    name: str, headings: tuple[str, ...], found: AsyncIterator[Sequence[Row]]
) -> StreamingResponse:
    """A file of this name in UTF-8, sent as it is read."""
    return StreamingResponse(
        _written(headings, found),
        media_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.csv"'},
    )


async def _written(
    headings: tuple[str, ...], found: AsyncIterator[Sequence[Row]]
) -> AsyncIterator[str]:
    yield BYTE_ORDER_MARK + _lines([headings])
    async for rows in found:
        yield _lines(rows)


def _lines(rows: Sequence[Row]) -> str:
    written = io.StringIO()
    csv.writer(written).writerows(rows)
    return written.getvalue()
