"""What a search could be narrowed to, with counts: each brand under the chosen categories, each category under the brands,
what is in stock under both."""

from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from db.catalogue.matching import (
    LIKENESS,
    Match,
    Slugs,
    among,
    exact,
    fits,
    guess,
    may_be_a_slip,
    on_hand,
    where,
)
from db.likeness import allow_for_errors
from domain.base import Frozen
from domain.catalogue.products import Slugged, Term


class Facets(Frozen):
    """By name; those without any product are left out."""

    brands: tuple[Slugged, ...]
    categories: tuple[Slugged, ...]
    in_stock: int


async def facets_of(
    session: AsyncSession, term: Term, brands: Slugs, categories: Slugs, *, in_stock: bool = False
) -> Facets:
    """Of everything that a search for this finds, whatever page of it is shown."""
    match = exact(term)
    if may_be_a_slip(term) and not await _finds(session, match, brands, categories, in_stock):
        match = await guess(session, term)
    values: dict[str, Any] = {}
    if match.like:
        await allow_for_errors(session, least=LIKENESS)
    found_by = [*fits(match, values), *on_hand(in_stock)]
    of_categories = among("category_slug", categories, values)
    of_brands = among("brand_slug", brands, values)
    by_brand = where([*found_by, *of_categories])
    by_category = where([*found_by, *of_brands])
    held = where([*fits(match, values), *of_categories, *of_brands, *on_hand(True)])
    statement = f"""
    with brands as (select p.brand_slug as slug, count(*) as count from product p where {by_brand} group by 1),
    categories as (select p.category_slug as slug, count(*) as count from product p where {by_category} group by 1)
    select 'brand' as kind, b.name, slug, count from brands join brand b using (slug)
    union all select 'category', g.name, slug, count from categories join category g using (slug)
    union all select 'stock', '', '', count(*) from product p where {held}
    """
    found: dict[str, list[Slugged]] = {"brand": [], "category": [], "stock": []}
    for kind, name, slug, count in await session.execute(text(statement), values):
        found[kind].append(Slugged(name=name, slug=slug, count=count))
    return Facets(
        brands=_by_name(found["brand"]),
        categories=_by_name(found["category"]),
        in_stock=found["stock"][0].count,
    )


async def _finds(
    session: AsyncSession, match: Match, brands: Slugs, categories: Slugs, in_stock: bool
) -> bool:
    values: dict[str, Any] = {}
    conditions = where(
        [
            *fits(match, values),
            *among("brand_slug", brands, values),
            *among("category_slug", categories, values),
            *on_hand(in_stock),
        ]
    )
    asked = f"select exists (select from product p where {conditions})"
    return bool(await session.scalar(text(asked), values))


def _by_name(slugged: list[Slugged]) -> tuple[Slugged, ...]:
    return tuple(sorted(slugged, key=lambda one: one.name.lower()))
