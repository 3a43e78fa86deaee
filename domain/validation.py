"""The rules for what people type, one function each (shell spec 5, shop spec 5).

Every rule answers the spec's message, or None when the text passes. Apart from `required` a rule lets an empty text
pass: whether a field may stay empty is another question. `tests/identity/validation/cases.json` drives these and the browser's
twins to the same verdicts.
"""

import re
from collections.abc import Callable, Iterable, Mapping

from domain.card_numbers import NO_CARD_NUMBER, holds_card_number
from domain.contact import NAME_SIGNS, fault_of_email, fault_of_name, is_letter
from domain.identity.passwords import PASSWORD_INVALID, follows_rule

REQUIRED = "Required field"
NOT_A_NUMBER = "Must be a number"
NOT_WHOLE = "Must be a whole number"
NOT_ALPHANUMERIC = "Must contain only letters and numbers, no spaces or special characters"
NOT_A_UNIQUE_NAME = "Must contain only letters, numbers, spaces, hyphens and apostrophes"
NOT_NUMBERS_OR_HYPHENS = "Numbers and/or hyphens only"
NOT_A_PO_NUMBER = "Must contain only letters, numbers, spaces and ~!@#$%^&.*()_-"
NO_SCHEME = "Must start with http or https"
NOT_A_URL = 'Must be a whole web address, without spaces or "<>'
PHONE_INVALID = "Phone number invalid"

PHONE_DIGITS = 10

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_WHOLE = re.compile(r"[+-]?[0-9]+")
_ALPHANUMERIC = re.compile(r"[A-Za-z0-9]+")
_NUMBERS_OR_HYPHENS = re.compile(r"[0-9 '-]+")
_PO_NUMBER = re.compile(r"[A-Za-z0-9 ~!@#$%^&.*()_-]+")
_SCHEME = re.compile(r"https?://", re.IGNORECASE)
_URL = re.compile(r"https?://[^\s\"<>/?#][^\s\"<>]*", re.IGNORECASE)


def required(text: str) -> str | None:
    return None if text.strip() else REQUIRED


def number(text: str) -> str | None:
    return None if not text or _NUMBER.fullmatch(text) else NOT_A_NUMBER


def whole_number(text: str) -> str | None:
    return number(text) or (None if not text or _WHOLE.fullmatch(text) else NOT_WHOLE)


def alphanumeric(text: str) -> str | None:
    return None if not text or _ALPHANUMERIC.fullmatch(text) else NOT_ALPHANUMERIC


def name(text: str) -> str | None:
    """Letters of any alphabet, spaces, hyphen, apostrophe."""
    return fault_of_name(text) if text else None


def unique_name(text: str) -> str | None:
    """Like a name, with digits."""
    fits = all(is_letter(sign) or sign in NAME_SIGNS or sign in "0123456789" for sign in text)
    return None if fits else NOT_A_UNIQUE_NAME


def numbers_or_hyphens(text: str) -> str | None:
    return None if not text or _NUMBERS_OR_HYPHENS.fullmatch(text) else NOT_NUMBERS_OR_HYPHENS


def po_number(text: str) -> str | None:
    """The union of both documents' signs (rulings)."""
    return None if not text or _PO_NUMBER.fullmatch(text) else NOT_A_PO_NUMBER


def no_card_number(text: str) -> str | None:
    return NO_CARD_NUMBER if holds_card_number(text) else None


def url(text: str) -> str | None:
    if text and not _SCHEME.match(text):
        return NO_SCHEME
    return None if not text or _URL.fullmatch(text) else NOT_A_URL


def email(text: str) -> str | None:
    return fault_of_email(text) if text else None


def password(text: str) -> str | None:
    """Length and kinds of characters. That it is not a common word is asked on top, by the server alone."""
    return None if not text or follows_rule(text) else PASSWORD_INVALID


def phone(text: str) -> str | None:
    """Exactly ten digits, however they are spaced: `(604) 555 - 0100`."""
    if not text:
        return None
    digits = re.sub(r"[\s().-]", "", text)
    is_phone = len(digits) == PHONE_DIGITS and digits.isascii() and digits.isdigit()
    return None if is_phone else PHONE_INVALID


def min_length(text: str, least: int) -> str | None:
    return None if not text or len(text) >= least else f"Must have at least {least} characters"


def max_length(text: str, most: int) -> str | None:
    return None if len(text) <= most else f"Must have less than {most + 1} characters"


def min_value(text: str, least: int) -> str | None:
    if fault := number(text):
        return fault
    return None if not text or float(text) >= least else f"Must be at least {least}"


def max_value(text: str, most: int) -> str | None:
    if fault := number(text):
        return fault
    return None if not text or float(text) <= most else f"Must be at most {most}"


Rule = Callable[[str], str | None]
Bound = Callable[[str, int], str | None]

RULES: Mapping[str, Rule] = {
    "required": required,
    "number": number,
    "whole_number": whole_number,
    "alphanumeric": alphanumeric,
    "name": name,
    "unique_name": unique_name,
    "numbers_or_hyphens": numbers_or_hyphens,
    "po_number": po_number,
    "no_card_number": no_card_number,
    "url": url,
    "email": email,
    "password": password,
    "phone": phone,
}
BOUNDS: Mapping[str, Bound] = {
    "min_length": min_length,
    "max_length": max_length,
    "min_value": min_value,
    "max_value": max_value,
}


def is_partner_address(address: str, domains: Iterable[str]) -> bool:
    """Whether an e-mail address is of a partner's own domain, or of one below it."""
    domain = address.lower().rpartition("@")[2]
    return any(domain == own or domain.endswith(f".{own}") for own in map(str.lower, domains))
