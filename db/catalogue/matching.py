"""What fits a search: the words of a term, a term that was probably meant, and the filters, as conditions on `product p`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from db.catalogue.words import meant_by
from domain.catalogue.products import Term

LIKENESS = "0.45"
"""The least word similarity (0 to 1) of a part of a SKU that is found in spite of errors: two signs swapped still are."""

Slugs = tuple[str, ...] | None


@dataclass(frozen=True)
class Match:
    """How a term is looked for: by a query of words, and by likeness to parts of SKUs. `words` are those that count when
    they stand whole; `meant` is the term that was put in the place of what was typed. Nothing fits a void one."""

    query: str | None = None
    like: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    meant: str | None = None
    is_void: bool = False


def exact(term: Term) -> Match:
    query = " & ".join(map(begins, term.words)) or None
    return Match(query=query, words=term.words, is_void=term.is_void)


async def guess(session: AsyncSession, term: Term) -> Match:
    """What was probably meant: nothing when a word is like none of the catalogue's."""
    words = [word for word in term.words if not any(sign.isdigit() for sign in word)]
    like = tuple(word for word in term.words if word not in words and len(word) > 2)
    meant = await meant_by(session, words) if words else {}
    if not all(meant.values()) or not (words or like):
        return exact(term)
    parts = [f"({' | '.join(map(begins, (word, *meant[word])))})" for word in words]
    said = tuple(meant[word][0] if word in meant else word for word in term.words)
    return Match(query=" & ".join(parts) or None, like=like, words=said, meant=" ".join(said))


def may_be_a_slip(term: Term) -> bool:
    """Whether a term without any match is looked for by likeness."""
    return any(len(word) > 2 for word in term.words)


def begins(word: str) -> str:
    return f"'{word}':*"


def fits(match: Match, values: dict[str, Any]) -> list[str]:
    """The conditions of the term; their parameters are added to `values`."""
    conditions = ["false"] if match.is_void else []
    if match.query:
        values["query"] = match.query
        conditions.append("p.words @@ cast(:query as tsquery)")
    for place, word in enumerate(match.like):
        values[f"word{place}"] = word
        conditions.append(f":word{place} <% p.search_text")
    return conditions


def among(column: str, slugs: Slugs, values: dict[str, Any]) -> list[str]:
    """The condition of a filter by slugs; none without one."""
    if slugs is None:
        return []
    values[column] = list(slugs)
    return [f"p.{column} = any(cast(:{column} as text[]))"]


def on_hand(in_stock: bool) -> list[str]:
    """The condition of what can be had now; none where that is not asked for."""
    if not in_stock:
        return []
    held = "select from stock s where s.variant_id = p.default_variant_id and s.on_hand > 0"
    return [f"p.is_for_purchase and exists ({held})"]


def where(conditions: Sequence[str]) -> str:
    return " and ".join(conditions) or "true"
