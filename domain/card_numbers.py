"""Card numbers in texts where none belongs: nothing of them is kept, told or logged (decision 37).

A number is 12 or more digits, with spaces or dashes between them, that pass the check of ISO/IEC 7812 (Luhn). One id of
ours in 300 holds such digits among its letters, and stays as it is.
"""

import re
import unicodedata
from collections.abc import Iterator

NO_CARD_NUMBER = "A card number does not belong here"

FEWEST, MOST = 12, 19
LAST_SHOWN = 4
_SMALLEST_GROUP = 3
"""Numbers are also looked for among other digits, where they are grouped as cards group them: in threes at least."""

_DOUBLED = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)
"""The digits of twice each digit, added up."""
_DIGITS = re.compile(r"\d+")
_BETWEEN = r"[\s\u00ad\u200b\u2010-\u2015\u2212-]{0,3}"
_ID = re.compile(
    r"(?<![^\W_])(?:[0-9a-f]{24}|[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12})(?![^\W_])"
)
"""As `uuid4` and `token_hex` write them; without a letter in it is none."""
_RUN = re.compile(rf"\d(?:{_BETWEEN}\d){{{FEWEST - 1},}}")


def holds_card_number(text: str) -> bool:
    return next(_found(text), None) is not None


def may_be_card_number(serial: str) -> bool:
    """Whether a serial number may be the number of a card instead."""
    return holds_card_number(serial) and not has_letter(serial)


def has_letter(serial: str) -> bool:
    """A serial number with a letter in it is no card's."""
    return any(sign.isalpha() for sign in serial)


def masked(text: str) -> str:
    """The text with `*` for the digits of every card number but the last four. Its length stays the same."""
    signs = list(text)
    for places in _found(text):
        for place in places[:-LAST_SHOWN]:
            signs[place] = "*"
    return "".join(signs)


def passes_luhn(digits: str) -> bool:
    """Whether the last digit is the check digit of those before it; digits of any alphabet."""
    values = [*map(unicodedata.digit, reversed(digits))]
    return (sum(values[::2]) + sum(_DOUBLED[value] for value in values[1::2])) % 10 == 0


def _found(text: str) -> Iterator[list[int]]:
    """The places of the digits of each number; numbers may overlap."""
    text = _ID.sub(lambda id_: "x" * len(id_[0]) if has_letter(id_[0]) else id_[0], text)
    for run in _RUN.finditer(text):
        start, end = run.span()
        groups = [list(range(*found.span())) for found in _DIGITS.finditer(text, start, end)]
        whole = [place for group in groups for place in group]
        if len(whole) <= MOST or len(groups) == 1:
            yield from _if_number(text, whole)
        if len(groups) > 1:
            yield from _in_groups(text, groups)


def _in_groups(text: str, groups: list[list[int]]) -> Iterator[list[int]]:
    for first in range(len(groups)):
        places: list[int] = []
        for following in range(first, len(groups)):
            group = groups[following]
            places += group
            if len(group) < _SMALLEST_GROUP or len(places) > MOST:
                break
            if len(places) >= FEWEST:
                yield from _if_number(text, places)


def _if_number(text: str, places: list[int]) -> Iterator[list[int]]:
    digits = "".join(text[place] for place in places)
    if passes_luhn(digits) and digits.strip("0"):
        yield list(places)
