"""The articles of many SKUs at once."""

from collections.abc import Sequence

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from db.catalogue.variants import sellables_by_ids
from domain.catalogue.pricing import Viewer
from domain.catalogue.products import Sellable

# Both joins compare for equality, so that a thousand SKUs are found by their indexes or by one hash, whatever the
# planner knows of the tables. A SKU that is in use goes before an old one that is written like it.
_FIND = text("""
select w.sku as asked, coalesce(v.id, a.variant_id) as variant_id
from unnest(cast(:asked as text[]), cast(:upper as text[])) w(sku, upper_sku)
left join variant v on v.sku = w.upper_sku
left join sku_alias a on a.alias = w.upper_sku
where v.id is not null or a.variant_id is not null
""")


async def articles_by_skus(
    session: AsyncSession, viewer: Viewer, skus: Sequence[str]
) -> dict[str, Sellable]:
    """By the SKU as it was asked, letters small or not; old SKUs lead to the article that they are called now."""
    asked = list(dict.fromkeys(skus))
    if not asked:
        return {}
    values = {"asked": asked, "upper": [sku.upper() for sku in asked]}
    found = {row.asked: row.variant_id for row in await session.execute(_FIND, values)}
    sellables = await sellables_by_ids(session, viewer, list(dict.fromkeys(found.values())))
    return {
        sku: sellables[variant_id].model_copy(update={"asked": sku})
        for sku, variant_id in found.items()
    }
