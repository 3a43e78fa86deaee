"""Searching products: words, filters, the caller's own price as the sort key, pages by cursor or by number.

One statement finds, counts, sorts and reads a page. Only a term without any exact match is looked for by likeness.
"""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncSession

from db.catalogue_cards import (
    CARD_COLUMNS,
    CARD_JOINS,
    SHOWN_AMOUNT,
    as_card,
    price_joins,
    sorting_eyes,
)
from domain.base import Frozen
from domain.catalogue import Card, Sort, Term
from domain.pricing import Viewer

LIKENESS = "0.45"
"""The least word similarity (0 to 1) of a word that is found in spite of errors: two letters swapped still are."""

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


class Wanted(Frozen):
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
    by_likeness: bool


async def search_products(session: AsyncSession, viewer: Viewer, wanted: Wanted) -> Found:
    """A page of products. Exact matches first; without any, those that are like the term."""
    rows, total, by_likeness = await _find(session, viewer, wanted, columns=CARD_COLUMNS)
    cards = tuple(as_card(viewer, row) for row in rows[: wanted.limit])
    return Found(
        cards=cards,
        end=_end(wanted, rows, by_likeness=by_likeness),
        total=total,
        by_likeness=by_likeness,
    )


async def find_end(
    session: AsyncSession, viewer: Viewer, wanted: Wanted
) -> tuple[Place | None, int]:
    """Where the page ends, without its products, and how many there are in all."""
    rows, total, by_likeness = await _find(session, viewer, wanted, columns=None)
    return _end(wanted, rows, by_likeness=by_likeness), total


async def jump_target(session: AsyncSession, term: Term) -> str | None:
    """The product that the term stands for: the only one with a SKU, or an old one, that begins so."""
    if not term.may_jump or not any(sign.isdigit() for sign in term.sku):
        return None
    found = (await session.scalars(text(_JUMP), {"begin": f"{term.sku}%"})).all()
    return found[0] if len(found) == 1 else None


async def _find(
    session: AsyncSession, viewer: Viewer, wanted: Wanted, *, columns: str | None
) -> tuple[Sequence[RowMapping], int, bool]:
    by_likeness = wanted.after.by_likeness if wanted.after else False
    rows, total = await _look(session, viewer, wanted, columns=columns, by_likeness=by_likeness)
    may_guess = wanted.after is None and any(len(word) > 2 for word in wanted.term.words)
    if total == 0 and may_guess:
        rows, total = await _look(session, viewer, wanted, columns=columns, by_likeness=True)
        by_likeness = True
    return rows, total, by_likeness


async def _look(
    session: AsyncSession,
    viewer: Viewer,
    wanted: Wanted,
    *,
    columns: str | None,
    by_likeness: bool,
) -> tuple[Sequence[RowMapping], int]:
    values = sorting_eyes(viewer) | {"limit": wanted.limit + 1, "skip": wanted.skip}
    if by_likeness:
        await _allow_for_errors(session)
    matched = _matched(viewer, wanted, values, by_likeness=by_likeness)
    order = _ORDER[wanted.sort]
    page = f"select id, name_key, price from matched {_after(wanted, values)} order by {order} limit :limit offset :skip"
    if columns is None:
        body = "select page.*, (select count(*) from matched) as total from page"
    else:
        body = (
            f"select page.name_key, page.price, (select count(*) from matched) as total, {columns}"
            f" from page join product p on p.id = page.id {CARD_JOINS}"
        )
    order = order.replace("name_key", "page.name_key").replace("price", "page.price")
    order = f"{order.removesuffix('id')}page.id"
    statement = f"with matched as ({matched}), page as ({page}) {body} order by {order}"
    rows = (await session.execute(text(statement), values)).mappings().all()
    if rows:
        return rows, rows[0]["total"]
    counting = f"with matched as ({matched}) select count(*) from matched"
    return (), await session.scalar(text(counting), values) or 0


def _matched(viewer: Viewer, wanted: Wanted, values: dict[str, Any], *, by_likeness: bool) -> str:
    """The statement of everything that fits, with its sort key. Prices are looked up only where they decide."""
    sees_discounts = viewer.sees_all_discounts or viewer.approved_brands
    price, joins = "cast(null as numeric)", ""
    if wanted.sort.is_by_price:
        price, joins = "p.msrp", ""
        if sees_discounts:
            price, joins = SHOWN_AMOUNT, price_joins("p.default_variant_id")
    conditions = ["true"]
    if wanted.term.words and by_likeness:
        for place, word in enumerate(word for word in wanted.term.words if len(word) > 2):
            values[f"word{place}"] = word
            conditions.append(f":word{place} <% p.search_text")
    elif wanted.term.words:
        values["query"] = " & ".join(f"'{word}':*" for word in wanted.term.words)
        conditions.append("p.words @@ cast(:query as tsquery)")
    for name, column in (("brands", "brand_slug"), ("categories", "category_slug")):
        slugs = getattr(wanted, name)
        if slugs is not None:
            values[name] = list(slugs)
            conditions.append(f"p.{column} = any(cast(:{name} as text[]))")
    return f"select p.id, p.name_key, {price} as price from product p {joins} where {' and '.join(conditions)}"


def _after(wanted: Wanted, values: dict[str, Any]) -> str:
    place = wanted.after
    if place is None:
        return ""
    values |= {"price": place.price, "name": place.name, "id": place.id}
    if wanted.sort.is_by_price and place.price is None:
        return f"where {_AFTER_UNPRICED}"
    return f"where {_AFTER[wanted.sort]}"


def _end(wanted: Wanted, rows: Sequence[RowMapping], *, by_likeness: bool) -> Place | None:
    if len(rows) <= wanted.limit:
        return None
    last = rows[wanted.limit - 1]
    return Place(
        sort=wanted.sort,
        price=last["price"],
        name=last["name_key"],
        id=last["id"],
        by_likeness=by_likeness,
    )


async def _allow_for_errors(session: AsyncSession) -> None:
    """For this transaction; the planner must be shown the way to the index (see `db.businesses`)."""
    await session.execute(
        text(
            "select set_config('pg_trgm.word_similarity_threshold', :least, true),"
            " set_config('random_page_cost', '1.1', true), set_config('cpu_operator_cost', '0.02', true)"
        ),
        {"least": LIKENESS},
    )
