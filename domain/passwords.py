"""What a password must be (shell spec 5; promise 28), and what may go wrong in changing one (shell spec 8)."""

import re
from typing import Annotated

from pydantic import Field

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

_LEETS = (str.maketrans("013457@$!", "oleastasi"), str.maketrans("013457@$!", "oieastasi"))
_EDGE = re.compile(r"^[^a-z]+|[^a-z]+$")

TypedPassword = Annotated[str, Field(max_length=1000, repr=False), EXACT]
"""A password as typed: nothing is cut off or altered; the rule judges it."""


class PasswordInvalid(Invalid):
    """A new password that breaks the rule; names the field."""

    code = "password_invalid"
    detail = PASSWORD_INVALID

    def __init__(self, field: str) -> None:
        super().__init__(fields=[(field, PASSWORD_INVALID)])


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
    code = "too_many_attempts"
    detail = "Attempt limit exceeded. Please try again in 15 minutes."


class UserNotFound(NotFound):
    code = "user_not_found"
    detail = "User not found"


def check_new_password(
    password: str, confirmed: str, *, field: str = "password", about: tuple[str, ...] = ()
) -> None:
    """Raises PasswordInvalid or PasswordsDiffer. `about` are the person's own words: name and address."""
    if not follows_rule(password) or is_common(password, about):
        raise PasswordInvalid(field)
    if password != confirmed:
        raise PasswordsDiffer(f"confirm_{field}")


def follows_rule(password: str) -> bool:
    """At least 8 and fewer than 100 characters, with a lowercase, an uppercase, a digit and a special character."""
    return MIN_LENGTH <= len(password) < LENGTH_LIMIT and all(
        kind.search(password) for kind in (_LOWER, _UPPER, _DIGIT, _SPECIAL)
    )


def is_common(password: str, about: tuple[str, ...] = ()) -> bool:
    """Whether the password is a common word, or one of the person's own, dressed up with digits and signs."""
    own = {
        word.lower() for given in about for word in re.split(r"[^A-Za-z]+", given) if len(word) > 3
    }
    plain = password.lower()
    cores = {plain, _EDGE.sub("", plain)}
    cores |= {core.translate(leet) for core in cores for leet in _LEETS}
    letters = {re.sub(r"[^a-z]", "", core) for core in cores}
    return bool(letters & (COMMON_WORDS | own))
