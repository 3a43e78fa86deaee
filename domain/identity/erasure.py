"""Forgetting a person on request, and telling them what is known of them (decision 82).

Ledgers keep what they count: the person's id stays where it stood, and their name, address and number become one token.
"""

import re
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from domain.base import Frozen
from domain.errors import Conflict
from domain.identity.people import User

ERASED_ADDRESS = "erased.invalid"
"""A domain that no mail ever reaches (RFC 2606)."""

NOBODY = ""
"""The id of somebody without an account."""


class StillAtWork(Conflict):
    """Runs under way write their people's names anew: they end, or go to somebody else, first."""

    code = "open_runs_left"
    detail = "Runs of this person are still open. End them, or hand them over, then try again."


class NotThatPerson(Conflict):
    code = "not_that_person"
    detail = "The email address is not that of this account."


class AlreadyErased(Conflict):
    code = "already_erased"
    detail = "This person has been erased."


class NotOneself(Conflict):
    code = "not_oneself"
    detail = "Another administrator has to erase your account."


class HasAccount(Conflict):
    code = "has_account"
    detail = "This address has an account. Look it up by its address."


class OpenRun(Frozen):
    """`kind` as runs are called, `id` as the operators' page finds it."""

    kind: str
    id: str


class Erased(Frozen):
    """`rows` are how many were deleted or rewritten, by table."""

    token: str
    rows: dict[str, int]


class Known(Frozen):
    """What the portal holds of one person: rows by table, without what only proves who they are. Who has no account has no
    `person_id`."""

    person_id: str | None
    tables: dict[str, list[dict[str, JsonValue]]]


def stranger(email: str) -> User:
    """Somebody who has no account, and of whom nothing but an address is known. Their id is that of nobody."""
    return User(id=NOBODY, email=email, first_name="", last_name="")


def as_a_whole(word: str) -> str:
    """The pattern of a word that is not a piece of another one, for Python and PostgreSQL alike. Of an address, `jim.bob@x.com`
    and `bob@x.com.au` are others than `bob@x.com`, which may stand in quotes, or end a sentence."""
    if "@" in word:
        return rf"(?<!\w)(?<![\w.%+'-][.%+'-]){re.escape(word)}(?!-*\w|\.\w)"
    return rf"(?<!\w){re.escape(word)}(?!\w)"


def rewritten(value: JsonValue, words: Sequence[str], token: str) -> JsonValue:
    """The same with each of the words, wherever it stands as a whole, replaced by the token; in any case of its letters."""
    wanted = [as_a_whole(word) for word in sorted(words, key=len, reverse=True) if word]
    if not wanted:
        return value
    pattern = re.compile("|".join(wanted), re.IGNORECASE)

    def of(part: JsonValue) -> JsonValue:
        if isinstance(part, str):
            return pattern.sub(token, part)
        if isinstance(part, Mapping):
            return {key: of(one) for key, one in part.items()}
        if isinstance(part, list):
            return [of(one) for one in part]
        return part

    return of(value)
