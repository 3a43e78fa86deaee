"""Days as calls name them."""

import re
from datetime import date

_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def written_day(value: object) -> object:
    """A day as YYYY-MM-DD alone: pydantic also takes a number for one, and a time."""
    if isinstance(value, date):
        return value
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        raise ValueError("a day is written YYYY-MM-DD")
    return value
