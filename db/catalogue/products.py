"""Single products and the short lists: pages, brands, categories, popular ones, deals and coupons."""

from typing import Any

import structlog
from pydantic import TypeAdapter, ValidationError
from sqlalchemy import func, or_, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from db.catalogue.summaries import sorting_values, summaries_of
from db.catalogue.tables import (
    BrandRow,
    CategoryRow,
    ProductRow,
    SkuAliasRow,
    VariantRow,
)
from domain.catalogue.pricing import Viewer
from domain.catalogue.products import Attribute, ProductPage, ProductSummary, Slugged
from domain.content.pages import Block
from domain.partners.partners import DEFAULT_CHANNEL

log = structlog.stdlib.get_logger()

_BLOCK: TypeAdapter[Block] = TypeAdapter(Block)
_ATTRIBUTES = TypeAdapter(tuple[Attribute, ...])

_PAGE = """
select p.id, g.description, g.attributes,
  array(select r.related_id from related_product r where r.product_id = p.id order by r.position limit 12) as related,
  array(select a.product_id from accessory a
        where a.product_id <> p.id
          and ((a.goes_with = 'brand' and a.slug = p.brand_slug)
            or (a.goes_with = 'category' and a.slug = p.category_slug))
        group by a.product_id order by min(a.position) limit 12) as accessories
from product p left join product_page g on g.product_id = p.id
where p.id = :id
"""
_DEALS = """
with deal as (
  select e.variant_id from price_list l join effective_price e on e.list_id = l.id
  where l.kind = 'deal' and (l.scope = :channel or :channel = :msrp)
    and e.starts_at <= now() and e.ends_at > now()
)
select p.id, count(*) over () as total from product p
where p.default_variant_id in (select variant_id from deal)
  and (:channel = :msrp or cast(:sees_all as boolean) or p.brand_slug = any(cast(:approved as text[])))
order by p.popularity desc, p.id limit :limit
"""


async def page_of(session: AsyncSession, product_id: str) -> ProductPage | None:
    """What is told of the product beside its summary."""
    row = (await session.execute(text(_PAGE), {"id": product_id})).mappings().first()
    if row is None:
        return None
    return ProductPage(
        product_id=row["id"],
        description=_blocks(row["description"] or [], product_id),
        attributes=_ATTRIBUTES.validate_python(row["attributes"] or []),
        related=tuple(row["related"]),
        accessories=tuple(row["accessories"]),
    )


async def id_of_sku(session: AsyncSession, sku: str) -> str | None:
    """The product with this SKU, or with an old one, whatever the case of its letters."""
    wanted = sku.strip().upper()
    old = select(SkuAliasRow.variant_id).where(SkuAliasRow.alias == wanted)
    return await session.scalar(
        select(VariantRow.product_id)
        .where(or_(VariantRow.sku == wanted, VariantRow.id.in_(old)))
        .order_by((VariantRow.sku == wanted).desc())
        .limit(1)
    )


async def brands(session: AsyncSession) -> tuple[Slugged, ...]:
    """By name, with the number of products."""
    return await _slugged(session, BrandRow, ProductRow.brand_slug)


async def categories(session: AsyncSession) -> tuple[Slugged, ...]:
    """By name, with the number of products."""
    return await _slugged(session, CategoryRow, ProductRow.category_slug)


async def best_sold(
    session: AsyncSession, viewer: Viewer, limit: int
) -> tuple[ProductSummary, ...]:
    """What sells best and can be bought."""
    ids = await session.scalars(
        select(ProductRow.id)
        .where(ProductRow.is_for_purchase)
        .order_by(ProductRow.popularity.desc(), ProductRow.id)
        .limit(limit)
    )
    return await summaries_of(session, viewer, ids.all())


async def on_deal(
    session: AsyncSession, viewer: Viewer, limit: int
) -> tuple[tuple[ProductSummary, ...], int]:
    """Products on a deal now, of the viewer's channel and of brands whose discounts they see, best sold first, and how
    many there are. Who buys at the list price sees the deals of all channels, as an invitation."""
    values = sorting_values(viewer) | {"msrp": DEFAULT_CHANNEL, "limit": limit}
    rows = (await session.execute(text(_DEALS), values)).all()
    summaries = await summaries_of(session, viewer, [row.id for row in rows])
    return summaries, rows[0].total if rows else 0


async def _slugged(
    session: AsyncSession, table: type[BrandRow] | type[CategoryRow], column: Any
) -> tuple[Slugged, ...]:
    counts = select(column.label("slug"), func.count().label("count")).group_by(column).subquery()
    rows = await session.execute(
        select(table.name, table.slug, func.coalesce(counts.c.count, 0).label("count"))
        .outerjoin(counts, counts.c.slug == table.slug)
        .order_by(func.lower(table.name))
        .limit(200)
    )
    return tuple(Slugged.model_validate(row, from_attributes=True) for row in rows)


def _blocks(described: list[dict[str, Any]], product_id: str) -> tuple[Block, ...]:
    """Blocks of kinds that we know; the rest of the text stands without the others."""
    known: list[Block] = []
    for block in described:
        try:
            known.append(_BLOCK.validate_python(block))
        except ValidationError:
            log.warning("a block of a description was left out", product_id=product_id)
    return tuple(known)
