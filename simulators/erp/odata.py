"""Questions in OData's words, as SQL over JSON records: `$filter` (eq ne gt ge lt le, and, or, not, parentheses, startswith)
and `$orderby`. Dates and times are compared as the texts that they are."""

import re
from collections.abc import Iterator

_TOKENS = re.compile(
    r"\s*(?:(?P<text>'(?:[^']|'')*')|(?P<number>-?\d+(?:\.\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<sign>[(),]))"
)
_COMPARE = {"eq": "=", "ne": "<>", "gt": ">", "ge": ">=", "lt": "<", "le": "<="}
_WORDS = {*_COMPARE, "and", "or", "not", "startswith"}
_DEEPEST = 40

Sql = tuple[str, list[str | float]]


class BadQuestion(Exception):
    """It cannot be read."""


def where(asked: str) -> Sql:
    """The condition of a `$filter`, with its parameters. Raises BadQuestion."""
    reading = _Reading(asked)
    condition = reading.either()
    if reading.kind:
        raise BadQuestion
    return condition, reading.values


def names_in(asked: str) -> set[str]:
    """The fields that a `$filter` names. Raises BadQuestion."""
    return {
        token for kind, token in _Reading.split(asked) if kind == "name" and token not in _WORDS
    }


def order(asked: str) -> str:
    """The `order by` of an `$orderby`. Raises BadQuestion."""
    parts: list[str] = []
    for part in asked.split(","):
        found = re.fullmatch(r"\s*([A-Za-z_]\w*)(?:\s+(asc|desc))?\s*", part)
        if found is None:
            raise BadQuestion
        parts.append(f"{_field(found[1])} {found[2] or 'asc'}")
    return ", ".join(parts)


def _field(name: str) -> str:
    """Names hold letters, digits and underscores alone."""
    return f"json_extract(body, '$.{name}')"


class _Reading:
    """One way through the text; `kind` and `token` are what comes next."""

    def __init__(self, asked: str) -> None:
        self._tokens = self.split(asked)
        self.values: list[str | float] = []
        self._depth = 0
        self.kind: str = ""
        self.token: str = ""
        self._next()

    def either(self) -> str:
        left = self._both()
        while self.token == "or":
            self._next()
            left = f"({left} or {self._both()})"
        return left

    def _both(self) -> str:
        left = self._one()
        while self.token == "and":
            self._next()
            left = f"({left} and {self._one()})"
        return left

    def _one(self) -> str:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise BadQuestion
        if self.token == "not":
            self._next()
            return f"not {self._one()}"
        if self.token == "(":
            self._next()
            inner = self.either()
            self._expect(")")
            return f"({inner})"
        if self.token == "startswith":
            self._next()
            self._expect("(")
            field = self._name()
            self._expect(",")
            text = str(self._value())
            self._expect(")")
            self.values += [float(len(text)), text]
            return f"substr({field}, 1, cast(? as integer)) = ?"
        field = self._name()
        sign = _COMPARE.get(self.token)
        if sign is None:
            raise BadQuestion
        self._next()
        self.values.append(self._value())
        return f"{field} {sign} ?"

    def _name(self) -> str:
        if self.kind != "name":
            raise BadQuestion
        field = _field(self.token)
        self._next()
        return field

    def _value(self) -> str | float:
        kind, token = self.kind, self.token
        if kind not in ("text", "number"):
            raise BadQuestion
        self._next()
        return float(token) if kind == "number" else token[1:-1].replace("''", "'")

    def _expect(self, sign: str) -> None:
        if self.token != sign:
            raise BadQuestion
        self._next()

    def _next(self) -> None:
        self.kind, self.token = next(self._tokens, ("", ""))

    @staticmethod
    def split(asked: str) -> Iterator[tuple[str, str]]:
        place, text = 0, asked.rstrip()
        while place < len(text):
            found = _TOKENS.match(text, place)
            if found is None or found.lastgroup is None:
                raise BadQuestion
            yield found.lastgroup, found[found.lastgroup]
            place = found.end()
