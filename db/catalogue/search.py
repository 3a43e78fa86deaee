"""Searching products: words, filters, the caller's own price as the sort key, pages by cursor or by number.

One statement finds, counts, sorts and reads a page. Only a term without any exact match is looked for by likeness: words
by the catalogue's own ones, parts of SKUs by their trigrams.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncSession

from db.catalogue.cards import (
    CARD_COLUMNS,
    CARD_JOINS,
    SHOWN_AMOUNT,
    as_card,
    price_joins,
    sorting_eyes,
)
from db.catalogue.words import meant_by
from domain.base import Frozen
from domain.catalogue.pricing import Viewer
from domain.catalogue.products import Card, Sort, Term

LIKENESS = "0.45"
"""The least word similarity (0 to 1) of a part of a SKU that is found in spite of errors: two signs swapped still are."""

_ORDER = {
    Sort.PRICE_DESC: "price desc nulls last, name_key, id",
    Sort.PRICE_ASC: "price asc nulls last, name_key, id",
    Sort.NAME_ASC: "name_key, id",
    Sort.NAME_DESC: "name_key desc, id",
}
"""A product without a price is last in both directions; ties go by name, then id (rulings "Screens")."""

_SAME_PRICE = "(name_key, id) > (:name, :id)"
_AFTER = {
    Sort.PRICE_DESC: f"(price < :price or price is null or (price = :price and {_SAME_PRICE}))",
    Sort.PRICE_ASC: f"(price > :price or price is null or (price = :price and {_SAME_PRICE}))",
    Sort.NAME_ASC: _SAME_PRICE,
    Sort.NAME_DESC: "(name_key < :name or (name_key = :name and id > :id))",
}
_AFTER_UNPRICED = f"(price is null and {_SAME_PRICE})"

_JUMP = """
select v.product_id from variant v where v.sku_key like :begin
union select v.product_id from sku_alias a join variant v on v.id = a.variant_id where a.alias_key like :begin
limit 2
"""


class Place(Frozen):
    """Where a page ended: the last product's sort key. `by_likeness`: the term was looked for in spite of errors."""

    sort: Sort
    price: Decimal | None
    name: str
    id: str
    by_likeness: bool = False


class ProductQuery(Frozen):
    """What is searched for. None means no filter, an empty list nothing at all. `skip` products are left out from where
    `after` says."""

    term: Term
    brands: tuple[str, ...] | None = None
    categories: tuple[str, ...] | None = None
    sort: Sort = Sort.PRICE_DESC
    limit: int
    after: Place | None = None
    skip: int = 0


class Found(Frozen):
    """`end` is where the next page begins, None on the last one; `total` counts the products of all pages."""

    cards: tuple[Card, ...]
    end: Place | None
    total: int
    meant: str | None
    """The term that was looked for in place of one without any match."""


@dataclass(frozen=True)
class _Match:
    """How a term is looked for: by a query of words, and by likeness to parts of SKUs. `meant` is the term that was put
    in the place of what was typed."""

    query: str | None = None
    like: tuple[str, ...] = ()
    meant: str | None = None


@dataclass(frozen=True)
class _Looked:
    rows: Sequence[RowMapping]
    total: int
    match: _Match


async def find_products(session: AsyncSession, viewer: Viewer, wanted: ProductQuery) -> Found:
    """A page of products. Exact matches first; without any, those that are like the term."""
    looked = await _find(session, viewer, wanted, columns=CARD_COLUMNS)
    return Found(
        cards=tuple(as_card(viewer, row) for row in looked.rows[: wanted.limit]),
        end=_end(wanted, looked),
        total=looked.total,
        meant=looked.match.meant,
    )


async def find_end(
    session: AsyncSession, viewer: Viewer, wanted: ProductQuery
) -> tuple[Place | None, int]:
    """Where the page ends, without its products, and how many there are in all."""
    looked = await _find(session, viewer, wanted, columns=None)
    return _end(wanted, looked), looked.total


async def jump_target(session: AsyncSession, term: Term) -> str | None:
    """The product that the term stands for: the only one with a SKU, or an old one, that begins so."""
    if not term.may_jump or not any(sign.isdigit() for sign in term.sku):
        return None
    found = (await session.scalars(text(_JUMP), {"begin": f"{term.sku}%"})).all()
    return found[0] if len(found) == 1 else None


async def _find(
    session: AsyncSession, viewer: Viewer, wanted: ProductQuery, *, columns: str | None
) -> _Looked:
    if wanted.after and wanted.after.by_likeness:
        return await _look(session, viewer, wanted, await _guess(session, wanted.term), columns)
    looked = await _look(session, viewer, wanted, _exact(wanted.term), columns)
    if looked.total or wanted.after or not any(len(word) > 2 for word in wanted.term.words):
        return looked
    guess = await _guess(session, wanted.term)
    return await _look(session, viewer, wanted, guess, columns) if guess.meant else looked


def _exact(term: Term) -> _Match:
    return _Match(query=" & ".join(map(_begins, term.words)) or None)


async def _guess(session: AsyncSession, term: Term) -> _Match:
    """What was probably meant: nothing when a word is like none of the catalogue's."""
    words = [word for word in term.words if not any(sign.isdigit() for sign in word)]
    like = tuple(word for word in term.words if word not in words and len(word) > 2)
    meant = await meant_by(session, words) if words else {}
    if not all(meant.values()) or not (words or like):
        return _Match(query=_exact(term).query)
    parts = [f"({' | '.join(map(_begins, (word, *meant[word])))})" for word in words]
    said = [meant[word][0] if word in meant else word for word in term.words]
    return _Match(query=" & ".join(parts) or None, like=like, meant=" ".join(said))


def _begins(word: str) -> str:
    return f"'{word}':*"


async def _look(
    session: AsyncSession, viewer: Viewer, wanted: ProductQuery, match: _Match, columns: str | None
) -> _Looked:
    """`columns` of the products on the page; None for their sort keys alone."""
    values = sorting_eyes(viewer) | {"limit": wanted.limit + 1, "skip": wanted.skip}
    if match.like:
        await _allow_for_errors(session)
    matched = _matched(viewer, wanted, match, values)
    order = _ORDER[wanted.sort]
    page = (
        f"select id, name_key, price from matched {_after(wanted, values)}"
        f" order by {order} limit :limit offset :skip"
    )
    if columns is None:
        body = "select page.*, (select count(*) from matched) as total from page"
    else:
        body = (
            f"select page.name_key, page.price, (select count(*) from matched) as total, {columns}"
            f" from page join product p on p.id = page.id {CARD_JOINS}"
        )
    order = ", ".join(f"page.{key}" for key in order.split(", "))
    statement = f"with matched as ({matched}), page as ({page}) {body} order by {order}"
    rows = (await session.execute(text(statement), values)).mappings().all()
    if rows:
        return _Looked(rows, rows[0]["total"], match)
    counting = f"with matched as ({matched}) select count(*) from matched"
    return _Looked((), await session.scalar(text(counting), values) or 0, match)


def _matched(viewer: Viewer, wanted: ProductQuery, match: _Match, values: dict[str, Any]) -> str:
    """The statement of everything that fits, with its sort key. Prices are looked up only where they decide."""
    price, joins = "cast(null as numeric)", ""
    if wanted.sort.is_by_price:
        price = "p.msrp"
        if viewer.sees_all_discounts or viewer.approved_brands:
            price, joins = SHOWN_AMOUNT, price_joins("p.default_variant_id")
    conditions = ["true"]
    if match.query:
        values["query"] = match.query
        conditions.append("p.words @@ cast(:query as tsquery)")
    for place, word in enumerate(match.like):
        values[f"word{place}"] = word
        conditions.append(f":word{place} <% p.search_text")
    for name, column in (("brands", "brand_slug"), ("categories", "category_slug")):
        slugs: tuple[str, ...] | None = getattr(wanted, name)
        if slugs is not None:
            values[name] = list(slugs)
            conditions.append(f"p.{column} = any(cast(:{name} as text[]))")
    return (
        f"select p.id, p.name_key, {price} as price from product p {joins}"
        f" where {' and '.join(conditions)}"
    )


def _after(wanted: ProductQuery, values: dict[str, Any]) -> str:
    place = wanted.after
    if place is None:
        return ""
    values |= {"price": place.price, "name": place.name, "id": place.id}
    if wanted.sort.is_by_price and place.price is None:
        return f"where {_AFTER_UNPRICED}"
    return f"where {_AFTER[wanted.sort]}"


def _end(wanted: ProductQuery, looked: _Looked) -> Place | None:
    if len(looked.rows) <= wanted.limit:
        return None
    last = looked.rows[wanted.limit - 1]
    return Place(
        sort=wanted.sort,
        price=last["price"],
        name=last["name_key"],
        id=last["id"],
        by_likeness=looked.match.meant is not None,
    )


async def _allow_for_errors(session: AsyncSession) -> None:
    """For this transaction; the planner must be shown the way to the index (see `db.partners.businesses`)."""
    await session.execute(
        text(
            "select set_config('pg_trgm.word_similarity_threshold', :least, true),"
            " set_config('random_page_cost', '1.1', true), set_config('cpu_operator_cost', '0.02', true)"
        ),
        {"least": LIKENESS},
    )
