"""The languages of letters, and who reads them (the portal is en-CA and fr-CA)."""

import re
from enum import StrEnum
from typing import Annotated, Protocol

from pydantic import BeforeValidator

from domain.base import Frozen

_WEIGHT = re.compile(r"q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)")
_MOST = 500


class Language(StrEnum):
    EN = "en"
    FR = "fr"


class Reads(Protocol):
    """Who is written to. `language` is None where nobody knows it: that is English."""

    @property
    def email(self) -> str: ...

    @property
    def language(self) -> Language | None: ...


def preferred(accepted: str | None) -> Language | None:
    """The one that an `Accept-Language` wants most (RFC 9110 12.5.4), the first of equal ones; None where it names neither."""
    found: dict[Language, float] = {}
    for part in (accepted or "")[:_MOST].lower().split(","):
        tag, _, weight = part.partition(";")
        known = _KNOWN.get(tag.strip().partition("-")[0])
        said = _WEIGHT.fullmatch(weight.strip())
        if known is not None and known not in found and (said or not weight.strip()):
            found[known] = float(said[1]) if said else 1.0
    best = max(found, key=lambda one: found[one], default=None)
    return best if best is not None and found[best] > 0 else None


def known(word: str | None) -> Language | None:
    """None for one that this release does not speak."""
    return _KNOWN.get(word or "")


_KNOWN = {one.value: one for one in Language}


Spoken = Annotated[Language | None, BeforeValidator(known)]
"""Where it was kept, also by a later release."""


class Reader(Frozen):
    """Somebody who is written to, by address alone."""

    email: str
    language: Spoken = None
