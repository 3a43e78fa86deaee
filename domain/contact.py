"""Names and addresses of people (shell spec 5)."""

import re
import unicodedata
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from domain.base import EXACT
from domain.card_numbers import NO_CARD_NUMBER, holds_card_number, masked

EMAIL_INVALID = "Email invalid"
NAME_INVALID = "Must contain only letters, spaces, hyphens and apostrophes"
NO_LETTER = "Must contain a letter"

_EMAIL = re.compile(
    r"^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@"
    r"(?P<domain>(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63})\Z"
)
NAME_SIGNS = " -'’"

MAX_EMAIL = 254


def is_email(text: str) -> bool:
    """The general pattern, at most 254 characters, no dot at either end of the local part nor two in a row, no
    underscore in the domain, and no ending given twice (`shop.com.com`)."""
    address = text.lower()
    match = _EMAIL.match(address)
    if match is None or len(address) > MAX_EMAIL:
        return False
    local, labels = address.split("@")[0], match["domain"].split(".")
    if local.startswith(".") or local.endswith(".") or ".." in local:
        return False
    return labels[-1] != labels[-2]


def fault_of_email(text: str) -> str | None:
    """Why this is no address to be kept: no address at all, or a card number before its `@`."""
    if not is_email(text):
        return EMAIL_INVALID
    return NO_CARD_NUMBER if holds_card_number(text.split("@")[0]) else None


def is_letter(sign: str) -> bool:
    """Of any alphabet, with the marks that belong to one."""
    return unicodedata.category(sign).startswith(("L", "M"))


def fault_of_name(text: str) -> str | None:
    """Why this is no name: it has another sign than letters, spaces, hyphens and apostrophes, or no letter among them."""
    if not all(is_letter(sign) or sign in NAME_SIGNS for sign in text):
        return NAME_INVALID
    return None if text.strip(NAME_SIGNS) else NO_LETTER


def _email(text: str) -> str:
    if fault := fault_of_email(text):
        raise ValueError(fault)
    return text.lower()


def _name(text: str) -> str:
    if fault := fault_of_name(text):
        raise ValueError(fault)
    return text


def _company(text: str) -> str:
    if holds_card_number(text):
        raise ValueError(NO_CARD_NUMBER)
    return text


Email = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=400), AfterValidator(_email), EXACT
]
"""An e-mail address in lower case."""

AddressOrMasked = AfterValidator(lambda text: text if is_email(text.strip()) else masked(text))
"""For a name to sign in with, which is `EXACT`: an address may hold any digits, anything else is masked here."""

PersonName = Annotated[
    str,
    StringConstraints(strip_whitespace=True),
    Field(min_length=1, max_length=60),
    AfterValidator(_name),
]
"""Letters of any alphabet, spaces, hyphens and apostrophes."""

CompanyName = Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(_company)]
"""Anything but a card number."""
