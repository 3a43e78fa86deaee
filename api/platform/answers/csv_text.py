"""Files for spreadsheets, as text; cells are never formulas."""

import csv
import io
from collections.abc import Sequence

BYTE_ORDER_MARK = "\ufeff"
"""Without it spreadsheets take UTF-8 for something else."""
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")


def plain(text: str | None) -> str:
    """What a spreadsheet would take for a formula begins with an apostrophe (decision "Quick order")."""
    cell = text or ""
    return f"'{cell}" if cell.startswith(_FORMULA_SIGNS) else cell


def lines(rows: Sequence[tuple[str, ...]]) -> str:
    written = io.StringIO()
    csv.writer(written).writerows(rows)
    return written.getvalue()
