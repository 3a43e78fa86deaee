"""Query values of reads: what is not understood is as if it had been left out (rulings "Calls", "Later rulings").

They stand last in an `Annotated`, so that they are asked before the bounds of the value.
"""

from collections.abc import Callable
from enum import Enum
from typing import Any, cast

from pydantic import BeforeValidator, ValidationError, ValidatorFunctionWrapHandler, WrapValidator

NONE = ("", "null")
"""How a caller writes that there is no value."""


def or_default(default: Any) -> WrapValidator:
    """Of a choice or a flag: an unknown value gives way to the default."""

    def read(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        try:
            return handler(value)
        except ValidationError:
            return default

    return WrapValidator(read)


def known_of(kinds: type[Enum]) -> BeforeValidator:
    """Of a list of choices: those that nobody knows are left out, the rest is kept."""
    known = {kind.value for kind in kinds}

    def read(value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return [one for one in cast("list[Any]", value) if one in known]

    return BeforeValidator(read)


def counted(default: int | None, *, least: int = 1, most: int) -> BeforeValidator:
    """Of a page, a limit or an offset: empty, null, too small or no number falls back to the default; above the most it is
    cut to it."""
    return BeforeValidator(_reading(default, least, most))


def _reading(default: int | None, least: int, most: int) -> Callable[[Any], int | None]:
    def read(value: Any) -> int | None:
        text = str(value).strip()
        if text in NONE or not text.isascii() or not text.isdigit():
            return default
        digits = text.lstrip("0") or "0"
        if len(digits) > len(str(most)):
            return most
        return min(int(digits), most) if int(digits) >= least else default

    return read
