"""What a JSON body may be, before anybody looks at its fields (promise 25)."""

import json
import math
import re
from typing import Any, cast

MAX_DEPTH = 20
MAX_LIST = 100
MAX_INTEGER_DIGITS = 18

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
"""One that is never closed goes to the end of the body: it is read once, and not again from every sign of it."""


class MalformedBody(Exception):
    """Not JSON, or JSON that means different things to different readers, or too deep, too long, too large."""


def check_json(body: bytes, most_entries: int = MAX_LIST) -> None:
    """Raises MalformedBody for bad JSON, duplicate keys, NaN and infinities, NUL and lone surrogates, more than 20
    levels, lists over 100 (or what the call takes) and integers over 18 digits."""
    _check_depth(body)
    try:
        value = json.loads(
            body.decode(),
            object_pairs_hook=_unique,
            parse_constant=_refuse,
            parse_float=_finite,
            parse_int=_small,
        )
    except (ValueError, RecursionError):
        raise MalformedBody from None
    _check_values(value, most_entries)


def _check_depth(body: bytes) -> None:
    """Counted before parsing, so that no depth can exhaust the parser."""
    depth = 0
    for byte in _STRING.sub(b"", body):
        if byte in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise MalformedBody
        elif byte in b"]}":
            depth -= 1


def _check_values(value: Any, most_entries: int) -> None:
    match value:
        case str():
            _check_text(value)
        case list():
            entries = cast("list[Any]", value)
            if len(entries) > most_entries:
                raise MalformedBody
            for entry in entries:
                _check_values(entry, most_entries)
        case dict():
            for name, entry in cast("dict[str, Any]", value).items():
                _check_text(name)
                _check_values(entry, most_entries)
        case _:
            pass


def _check_text(text: str) -> None:
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise MalformedBody


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key appears twice")
    return found


def _refuse(_: str) -> float:
    raise ValueError("not a number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("too large")
    return number


def _small(text: str) -> int:
    if len(text) > MAX_INTEGER_DIGITS + 1:
        raise ValueError("too large")
    return int(text)
