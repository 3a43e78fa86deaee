"""Products that go with a vehicle, and what modules do in one (devices spec 3)."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Executes
from db.vehicles.tables import ProductFeatureRow

_IDS = text("""
select w.sku as asked, coalesce(v.product_id, o.product_id) as product_id, coalesce(v.sku, o.sku) as sku
from unnest(cast(:asked as text[]), cast(:upper as text[])) with ordinality w(sku, upper_sku, place)
left join variant v on v.sku = w.upper_sku
left join sku_alias a on a.alias = w.upper_sku
left join variant o on o.id = a.variant_id
where v.id is not null or o.id is not null
order by w.place
""")
_ACCESSORIES = text("""
select a.product_id from accessory a join product p on p.id = :product_id
where a.product_id <> p.id and ((a.goes_with = 'brand' and a.slug = p.brand_slug)
  or (a.goes_with = 'category' and a.slug = p.category_slug))
group by a.product_id order by min(a.position) limit :limit
""")
_ALL_ACCESSORIES = text(
    "select product_id from accessory group by product_id order by min(position), product_id limit :limit"
)


async def store_skus(session: Executes, skus: Sequence[str]) -> dict[str, tuple[str, str]]:
    """SKU as it was asked → id and SKU of the product in the store; an old SKU leads to what it is called now."""
    asked = list(dict.fromkeys(skus))
    if not asked:
        return {}
    values = {"asked": asked, "upper": [sku.strip().upper() for sku in asked]}
    return {row.asked: (row.product_id, row.sku) for row in await session.execute(_IDS, values)}


async def accessories_for(
    session: AsyncSession, product_id: str | None, limit: int
) -> tuple[str, ...]:
    """Ids of accessories that go with a product, those that its features name before those of its brand and category; or
    of all."""
    if product_id is None:
        return tuple(await session.scalars(_ALL_ACCESSORIES, {"limit": limit}))
    named = await session.scalar(
        select(ProductFeatureRow.accessories).where(ProductFeatureRow.product_id == product_id)
    )
    own = [id_ for id_, _ in (await store_skus(session, named or ())).values() if id_ != product_id]
    rows = await session.scalars(_ACCESSORIES, {"product_id": product_id, "limit": limit})
    return tuple(dict.fromkeys([*own, *rows]))[:limit]


async def features_of(session: AsyncSession, product_id: str) -> dict[str, Any] | None:
    """As `domain.vehicles.products.ProductFeatures`, without the product's id."""
    row = await session.scalar(
        select(ProductFeatureRow).where(ProductFeatureRow.product_id == product_id)
    )
    if row is None:
        return None
    return {
        "name": row.name,
        "klon": row.klon,
        "keys_for_install": row.keys_for_install,
        "keys_for_programming": row.keys_for_programming,
        "features": row.features,
        "accessories": row.accessories,
    }
