"""What a password must be (shell spec 5; promise 28), and what may go wrong in changing one (shell spec 8)."""

import re
import unicodedata
from enum import StrEnum
from itertools import pairwise, permutations
from typing import Annotated

from pydantic import Field
from zxcvbn.frequency_lists import FREQUENCY_LISTS

from domain.base import EXACT
from domain.errors import Forbidden, Invalid, NotFound, Throttled

MIN_LENGTH = 8
LENGTH_LIMIT = 100
"""A password is shorter than this."""

PASSWORD_INVALID = "Password invalid"

_LOWER = re.compile(r"[a-z]")
_UPPER = re.compile(r"[A-Z]")
_DIGIT = re.compile(r"[0-9]")
_SPECIAL = re.compile(r"[^A-Za-z0-9\s]")

COMMON_WORDS = frozenset(
    {
        "abc",
        "abcabc",
        "abcd",
        "abcdef",
        "admin",
        "administrator",
        "baseball",
        "changeit",
        "changeme",
        "default",
        "dragon",
        "football",
        "guest",
        "hello",
        "iloveyou",
        "letmein",
        "login",
        "master",
        "monkey",
        "p",
        "pass",
        "passw",
        "password",
        "princess",
        "qwer",
        "qwerty",
        "qwertyuiop",
        "root",
        "secret",
        "shadow",
        "starwars",
        "summer",
        "sunshine",
        "superman",
        "temp",
        "test",
        "trustno",
        "user",
        "welcome",
        "whatever",
        "winter",
        "zaq",
    }
)
"""Words that, with digits and signs round them, head every list of stolen passwords."""

COMMON_PASSWORDS = frozenset(FREQUENCY_LISTS["passwords"])
"""The 30,000 most frequent of stolen ones, in lower case, as the package holds them."""

_LEETS = (str.maketrans("013457@$!", "oleastasi"), str.maketrans("013457@$!", "oieastasi"))
_EDGE = re.compile(r"^[^a-z]+|[^a-z]+$")
_BEHIND = re.compile(r"[^a-z]+$")
_SIGNS_BEHIND = re.compile(r"[^a-z0-9]+$")
_UNSHIFTED = str.maketrans("!@#$%^&*()_+{}:<>?", "1234567890-=[];,./")

TypedPassword = Annotated[str, Field(max_length=1000, repr=False), EXACT]
"""A password as typed: nothing is cut off or altered; the rule judges it."""


class Weakness(StrEnum):
    """Why a new password is refused."""

    RULE = "rule"
    COMMON = "common"
    WALK = "walk"
    OWN_NAME = "own_name"
    OWN_DOMAIN = "own_domain"
    SAME = "same"


class PasswordInvalid(Invalid):
    """A new password that may not be; names the field, and behind the spec's text the reason (`reason` of the problem)."""

    code = "password_invalid"
    detail = PASSWORD_INVALID

    def __init__(self, field: str, reason: Weakness = Weakness.RULE) -> None:
        super().__init__(fields=[(field, PASSWORD_INVALID)], extra={"reason": reason})


class PasswordsDiffer(Invalid):
    code = "passwords_differ"
    detail = "Passwords do not match"

    def __init__(self, field: str) -> None:
        super().__init__(fields=[(field, self.detail)])


class WrongPassword(Forbidden):
    """The present password, asked for again, was not the right one."""

    code = "wrong_password"
    detail = PASSWORD_INVALID


class TooManyChanges(Throttled):
    code = "too_many_password_changes"
    detail = "Attempt limit exceeded. Please try again in 15 minutes."


class UserNotFound(NotFound):
    code = "user_not_found"
    detail = "User not found"


def check_new_password(
    password: str, confirmed: str, *, field: str = "password", about: tuple[str, ...] = ()
) -> None:
    """Raises PasswordInvalid or PasswordsDiffer. `about` are the person's own words: names and addresses."""
    weakness = weakness_of(password, about)
    if weakness is not None:
        raise PasswordInvalid(field, weakness)
    if password != confirmed:
        raise PasswordsDiffer(f"confirm_{field}")


def follows_rule(password: str) -> bool:
    """At least 8 and fewer than 100 characters, with a lowercase, an uppercase, a digit and a special character."""
    return MIN_LENGTH <= len(password) < LENGTH_LIMIT and all(
        kind.search(password) for kind in (_LOWER, _UPPER, _DIGIT, _SPECIAL)
    )


def weakness_of(password: str, about: tuple[str, ...] = ()) -> Weakness | None:
    """The first reason to refuse it, or None."""
    if not follows_rule(password):
        return Weakness.RULE
    cores = _cores(password)
    letters = set(map(_letters, cores))
    if letters & COMMON_WORDS or cores & COMMON_PASSWORDS:
        return Weakness.COMMON
    if any(map(_is_walk, cores)):
        return Weakness.WALK
    names, domains = _own_words(about)
    if letters & names:
        return Weakness.OWN_NAME
    return Weakness.OWN_DOMAIN if letters & domains else None


def _cores(password: str) -> set[str]:
    """The password without what people put on: capitals, signs for letters, digits and signs at the ends."""
    plain = password.lower()
    unshifted = plain.translate(_UNSHIFTED)
    bare = {plain, unshifted}
    bare |= {_SIGNS_BEHIND.sub("", plain), _BEHIND.sub("", plain), _EDGE.sub("", plain)}
    return bare | {core.translate(leet) for core in bare for leet in _LEETS}


def _is_walk(core: str) -> bool:
    """Whether it is nothing but walks over the keyboard of three keys or more: `1qaz2wsx`, `zxcvbnm`."""
    if len(core) < 6:
        return False
    lengths = [1]
    for last, key in pairwise(core):
        if key in _NEIGHBOURS.get(last, ""):
            lengths[-1] += 1
        else:
            lengths.append(1)
    return min(lengths) >= 3


def _own_words(about: tuple[str, ...]) -> tuple[set[str], set[str]]:
    """(names, words of the address's domain), without those too short to tell and the top-level domain: each by itself and
    as one with what it stands beside, the given names in any order."""
    names: set[str] = set()
    domains: set[str] = set()
    for given in about:
        name, _, domain = given.partition("@")
        names |= {*_words(name), _letters(name), _letters(name.partition("+")[0])}
        domain = domain.rpartition(".")[0]
        domains |= {*_words(domain), *map(_letters, domain.split("."))}
    given_names = [_letters(given) for given in about if "@" not in given]
    names |= {one + other for one, other in permutations(given_names, 2)}
    return _long(names), _long(domains)


def _words(text: str) -> list[str]:
    return re.split(r"[^a-z]+", _bare(text))


def _letters(text: str) -> str:
    return re.sub(r"[^a-z]", "", _bare(text))


def _bare(text: str) -> str:
    """In lower case, without accents."""
    apart = unicodedata.normalize("NFKD", text.lower())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def _long(words: set[str]) -> set[str]:
    return {word for word in words if len(word) > 3}


def _neighbours() -> dict[str, str]:
    """Each key with itself and those that touch it, on the keyboard most people have."""
    rows = ("1234567890-=", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./")
    place = {key: (row, n) for row, keys in enumerate(rows) for n, key in enumerate(keys)}
    steps = {(0, 0), (0, 1), (0, -1), (1, 0), (1, -1), (-1, 0), (-1, 1)}
    return {
        key: "".join(
            other
            for other, (its_row, its_n) in place.items()
            if (its_row - row, its_n - n) in steps
        )
        for key, (row, n) in place.items()
    }


_NEIGHBOURS = _neighbours()
