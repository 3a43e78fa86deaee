"""One text in each language, and how numbers and days stand in it."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from string import Formatter
from typing import Any

from domain.letters.language import Language

_MONTHS = (
    "janvier", "février", "mars", "avril", "mai", "juin",
    "juillet", "août", "septembre", "octobre", "novembre", "décembre",
)  # fmt: skip
_BOUND = re.compile(r" (?=[:»$]|%(?!-?[A-Za-z]))|(?<=«) ")
"""Where French has a space that no line ends at; not before the `%B` of a day."""
_SEPARATORS = str.maketrans({",": "\N{NO-BREAK SPACE}", ".": ","})


@dataclass(frozen=True)
class Text:
    """Templates as of `str.format`, with the same names in both. French as it is typed: no-break spaces come by themselves. What is
    said may be a text itself.

    In French `{total:,.2f} $` is `1 234,56 $` and `{until:%-d %B %Y}` is `5 mars 2026`.
    """

    en: str
    fr: str

    def __call__(self, language: Language | None, /, **said: object) -> str:
        said = {name: one(language) if isinstance(one, Text) else one for name, one in said.items()}
        if language is Language.FR:
            return _FRENCH.vformat(_BOUND.sub("\N{NO-BREAK SPACE}", self.fr), (), said)
        return self.en.format(**said)

    def read(self, line: str) -> dict[str, object] | None:
        """What was said in the English `line`, if this is the text of it."""
        pattern, fields = _pattern(self.en)
        found = pattern.fullmatch(line)
        if found is None:
            return None
        try:
            return {name: _value(found[name], spec) for name, spec in fields.items()}
        except ValueError:
            return None


Written = Callable[[Language], tuple[str, str]]
"""Subject and text of one letter, in a language."""


def written(subject: Text, text: Text, /, **said: object) -> Written:
    """Of a letter whose words are the same in each language."""
    return lambda language: (subject(language, **said), text(language, **said))


def reread(language: Language | None, written: str, texts: Iterable[Text]) -> str:
    """What was written in English, line by line, in this language: as a run has it in its history. A line that is none of these
    texts stays as it is. Of several the first counts."""
    if language is not Language.FR:
        return written
    known = tuple(texts)
    return "\n".join(_reread(language, line, known) for line in written.split("\n"))


def _reread(language: Language, line: str, texts: tuple[Text, ...]) -> str:
    for text in texts:
        if (said := text.read(line)) is not None:
            # What was said may itself be one of these texts: why something failed, in a line that says so.
            within = tuple(one for one in texts if one is not text)
            anew = {
                name: _reread(language, value, within) if isinstance(value, str) else value
                for name, value in said.items()
            }
            return text(language, **anew)
    return line


@cache
def _pattern(template: str) -> tuple[re.Pattern[str], Mapping[str, str]]:
    parts, fields = list[str](), dict[str, str]()
    for literal, name, spec, _ in Formatter().parse(template):
        parts.append(re.escape(literal))
        if name is not None:
            parts.append(f"(?P={name})" if name in fields else f"(?P<{name}>{_shape(spec or '')})")
            fields.setdefault(name, spec or "")
    return re.compile("".join(parts)), fields


def _shape(spec: str) -> str:
    return r"-?[\d,]+(?:\.\d+)?" if spec.endswith("f") else ".+?"


def _value(said: str, spec: str) -> object:
    if spec.endswith("f"):
        return Decimal(said.replace(",", ""))
    # A day has no zone here: it is written again as it was.
    return datetime.strptime(said, spec.replace("%-", "%")) if "%" in spec else said  # noqa: DTZ007


class _French(Formatter):
    def format_field(self, value: Any, format_spec: str) -> Any:
        if isinstance(value, Decimal):
            return format(value, format_spec).translate(_SEPARATORS)
        if isinstance(value, date):
            first = format_spec.replace("%-d %B", "1er %B") if value.day == 1 else format_spec
            format_spec = first.replace("%B", _MONTHS[value.month - 1])
        return super().format_field(value, format_spec)


_FRENCH = _French()
