"""Variants as carts, quick orders and product pages need them: set by set, never one by one."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from sqlalchemy import RowMapping, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from db.catalogue.summaries import (
    PRICE_COLUMNS,
    PRICE_LIST,
    display_price_in,
    price_joins,
    viewer_values,
)
from db.catalogue.tables import StockRow
from domain.catalogue.pricing import Viewer
from domain.catalogue.products import Sellable, Stock, Variant

_SELLABLE = f"""
select v.sku as asked, v.id as variant_id, v.product_id, v.sku, v.name as variant_name, v.msrp, v.position,
       p.name as product_name, p.brand_slug, p.category_slug, p.image, p.case_quantity, p.is_for_purchase,
       coalesce(s.on_hand, 0) as on_hand, s.restock_on, {PRICE_COLUMNS}
from variant v
join product p on p.id = v.product_id
left join stock s on s.variant_id = v.id
{price_joins("v.id")}
{PRICE_LIST}
"""
_OF_PRODUCT = _SELLABLE + "where v.product_id = :product_id order by v.position, v.id limit 100"
_BY_IDS = _SELLABLE + "where v.id = any(cast(:ids as text[]))"


async def variants_of(
    session: AsyncSession, viewer: Viewer, product_id: str
) -> tuple[Variant, ...]:
    """The product's variants, the default one first."""
    rows = await _rows(session, _OF_PRODUCT, viewer, product_id=product_id)
    return tuple(
        Variant(
            id=row["variant_id"],
            sku=row["sku"],
            name=row["variant_name"],
            stock=Stock(on_hand=row["on_hand"], restock_on=row["restock_on"]),
            figure=display_price_in(viewer, row["brand_slug"], row),
        )
        for row in rows
    )


async def sellables_by_ids(
    session: AsyncSession, viewer: Viewer, variant_ids: Sequence[str]
) -> dict[str, Sellable]:
    """By the variant's id; what does not exist is left out."""
    rows = await _rows(session, _BY_IDS, viewer, ids=list(dict.fromkeys(variant_ids)))
    return {row["variant_id"]: _sellable(viewer, row) for row in rows}


async def _rows(
    session: AsyncSession, statement: str, viewer: Viewer, **values: Any
) -> Sequence[RowMapping]:
    return (
        (await session.execute(text(statement), {**viewer_values(viewer), **values}))
        .mappings()
        .all()
    )


def _sellable(viewer: Viewer, row: RowMapping) -> Sellable:
    name, variant = row["product_name"], row["variant_name"]
    return Sellable(
        asked=row["asked"],
        variant_id=row["variant_id"],
        product_id=row["product_id"],
        sku=row["sku"],
        name=f"{name}, {variant}" if variant else name,
        brand=row["brand_slug"],
        category=row["category_slug"],
        image=row["image"],
        case_quantity=row["case_quantity"],
        is_for_purchase=row["is_for_purchase"],
        stock=Stock(on_hand=row["on_hand"], restock_on=row["restock_on"]),
        figure=display_price_in(viewer, row["brand_slug"], row),
    )


async def restocks_of(session: AsyncSession, variant_ids: Sequence[str]) -> dict[str, date]:
    """Variant → the day on which more of it is expected, where that is known."""
    if not variant_ids:
        return {}
    rows = await session.execute(
        select(StockRow.variant_id, StockRow.restock_on).where(
            StockRow.variant_id.in_(variant_ids), StockRow.restock_on.is_not(None)
        )
    )
    return {row.variant_id: row.restock_on for row in rows}
