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

from db.catalogue.matching import (
    LIKENESS,
    Match,
    among,
    begins,
    exact,
    fits,
    guess,
    may_be_a_slip,
    on_hand,
    where,
)
from db.catalogue.summaries import (
    CARD_COLUMNS,
    CARD_JOINS,
    SHOWN_AMOUNT,
    as_summary,
    price_joins,
    sorting_values,
)
from db.likeness import allow_for_errors
from domain.base import Frozen
from domain.catalogue.closeness import SKU_COUNTS, STEP
from domain.catalogue.pricing import Viewer
from domain.catalogue.products import ProductSummary, Sort, Term

_ORDER = {
    Sort.PRICE_DESC: "figure desc nulls last, name_key, id",
    Sort.PRICE_ASC: "figure asc nulls last, name_key, id",
    Sort.BEST_MATCH: "figure desc, name_key, id",
    Sort.NAME_ASC: "name_key, id",
    Sort.NAME_DESC: "name_key desc, id",
}
"""A product without a price is last in both directions; ties go by name, then id (rulings "Screens")."""

_SAME_FIGURE = "(name_key, id) > (:name, :id)"
_AFTER = {
    Sort.PRICE_DESC: f"(figure < :figure or figure is null or (figure = :figure and {_SAME_FIGURE}))",
    Sort.PRICE_ASC: f"(figure > :figure or figure is null or (figure = :figure and {_SAME_FIGURE}))",
    Sort.BEST_MATCH: f"(figure < :figure or (figure = :figure and {_SAME_FIGURE}))",
    Sort.NAME_ASC: _SAME_FIGURE,
    Sort.NAME_DESC: "(name_key < :name or (name_key = :name and id > :id))",
}
_AFTER_UNPRICED = f"(figure is null and {_SAME_FIGURE})"

_JUMP = """
select v.product_id from variant v where v.sku_key like :begin
union select v.product_id from sku_alias a join variant v on v.id = a.variant_id where a.alias_key like :begin
limit 2
"""


class Place(Frozen):
    """Where a page ended: the last product's sort key, `figure` its price or how near it is. `by_likeness`: the term was
    looked for in spite of errors."""

    sort: Sort
    figure: Decimal | None
    name: str
    id: str
    by_likeness: bool = False


class ProductQuery(Frozen):
    """What is searched for. None means no filter, an empty list nothing at all. `skip` products are left out from where
    `after` says."""

    term: Term
    brands: tuple[str, ...] | None = None
    categories: tuple[str, ...] | None = None
    in_stock: bool = False
    sort: Sort = Sort.PRICE_DESC
    limit: int
    after: Place | None = None
    skip: int = 0


class Found(Frozen):
    """`end` is where the next page begins, None on the last one; `total` counts the products of all pages."""

    products: tuple[ProductSummary, ...]
    end: Place | None
    total: int
    meant: str | None
    """The term that was looked for in place of one without any match."""


@dataclass(frozen=True)
class _Looked:
    rows: Sequence[RowMapping]
    total: int
    match: Match


async def find_products(session: AsyncSession, viewer: Viewer, wanted: ProductQuery) -> Found:
    """A page of products. Exact matches first; without any, those that are like the term."""
    looked = await _find(session, viewer, wanted, columns=CARD_COLUMNS)
    return Found(
        products=tuple(as_summary(viewer, row) for row in looked.rows[: wanted.limit]),
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
        return await _look(session, viewer, wanted, await guess(session, wanted.term), columns)
    looked = await _look(session, viewer, wanted, exact(wanted.term), columns)
    if looked.total or wanted.after or not may_be_a_slip(wanted.term):
        return looked
    probably = await guess(session, wanted.term)
    return await _look(session, viewer, wanted, probably, columns) if probably.meant else looked


async def _look(
    session: AsyncSession, viewer: Viewer, wanted: ProductQuery, match: Match, columns: str | None
) -> _Looked:
    """`columns` of the products on the page; None for their sort keys alone."""
    values = sorting_values(viewer) | {"limit": wanted.limit + 1, "skip": wanted.skip}
    if match.like:
        await allow_for_errors(session, least=LIKENESS)
    matched = _matched(viewer, wanted, match, values)
    order = _ORDER[wanted.sort]
    page = (
        f"select id, name_key, figure from matched {_after(wanted, values)}"
        f" order by {order} limit :limit offset :skip"
    )
    if columns is None:
        body = "select page.*, (select count(*) from matched) as total from page"
    else:
        body = (
            f"select page.name_key, page.figure, (select count(*) from matched) as total, {columns}"
            f" from page join product p on p.id = page.id {CARD_JOINS}"
        )
    order = ", ".join(f"page.{key}" for key in order.split(", "))
    statement = f"with matched as ({matched}), page as ({page}) {body} order by {order}"
    rows = (await session.execute(text(statement), values)).mappings().all()
    if rows:
        return _Looked(rows, rows[0]["total"], match)
    counting = f"with matched as ({matched}) select count(*) from matched"
    return _Looked((), await session.scalar(text(counting), values) or 0, match)


def _matched(viewer: Viewer, wanted: ProductQuery, match: Match, values: dict[str, Any]) -> str:
    """The statement of everything that fits, with its sort key. Prices are looked up only where they decide."""
    figure, joins = "cast(null as numeric)", ""
    if wanted.sort is Sort.BEST_MATCH:
        figure = _closeness(wanted.term, match, values)
    elif wanted.sort.is_by_price:
        figure = "p.msrp"
        if viewer.sees_all_discounts or viewer.approved_brands:
            figure, joins = SHOWN_AMOUNT, price_joins("p.default_variant_id")
    conditions = [
        *fits(match, values),
        *among("brand_slug", wanted.brands, values),
        *among("category_slug", wanted.categories, values),
        *on_hand(wanted.in_stock),
    ]
    return f"select p.id, p.name_key, {figure} as figure from product p {joins} where {where(conditions)}"


def _closeness(term: Term, match: Match, values: dict[str, Any]) -> str:
    """`domain.catalogue.closeness` in SQL; a test holds the two together."""
    parts = list[str]()
    if term.sku:
        values["joined"] = begins(term.sku.lower())
        parts.append(f"cast(p.words @@ cast(:joined as tsquery) as int) * {SKU_COUNTS}")
    for place, word in enumerate(match.words):
        values[f"whole{place}"] = f"'{word}'"
        parts.append(f"cast(p.words @@ cast(:whole{place} as tsquery) as int)")
    near = " + ".join(parts) or "0"
    return f"cast(({near}) * {STEP} + least(p.popularity, {STEP - 1}) as numeric)"


def _after(wanted: ProductQuery, values: dict[str, Any]) -> str:
    place = wanted.after
    if place is None:
        return ""
    values |= {"figure": place.figure, "name": place.name, "id": place.id}
    if wanted.sort.is_by_price and place.figure is None:
        return f"where {_AFTER_UNPRICED}"
    return f"where {_AFTER[wanted.sort]}"


def _end(wanted: ProductQuery, looked: _Looked) -> Place | None:
    if len(looked.rows) <= wanted.limit:
        return None
    last = looked.rows[wanted.limit - 1]
    return Place(
        sort=wanted.sort,
        figure=last["figure"],
        name=last["name_key"],
        id=last["id"],
        by_likeness=looked.match.meant is not None,
    )
