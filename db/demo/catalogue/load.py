"""Loads the invented catalogue by COPY: products, prices, aliases, the approved list, accessories and coupons.

Runs in the transaction of its session. Products that are there already stay as they are; only further ones are added.
"""

import itertools
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.base import Base
from db.catalogue.tables import (
    AccessoryRow,
    ApprovedProductRow,
    BrandRow,
    CategoryRow,
    ProductPageRow,
    ProductRow,
    RelatedProductRow,
    SkuAliasRow,
    StockRow,
    VariantRow,
)
from db.catalogue.words import save_words
from db.demo.catalogue.prices import add_coupons, add_prices
from db.demo.catalogue.products import DEMO_PRODUCTS, KINDS, DemoProduct, product_id, products
from db.demo.partners import BRANDS
from db.partner_tables import PartnerRow
from db.platform.copying import copy_rows
from domain.catalogue.products import slug_of

BLOCK = 2000
"""Products that are in memory at a time."""

OLD_SKUS = range(3, DEMO_PRODUCTS, 24)
"""20 products that had another SKU once."""
APPROVED = range(3, DEMO_PRODUCTS, 14)
"""The approved list names 35; those that are in both are listed under their old SKU."""

APPROVED_BRANDS = {
    "harbour": ["Compustar", "Compustar Pro", "DroneMobile", "Firstech", "iDatalink", "Maestro"],
    "prairie": ["Arctic Start", "FTX", "iDataStart", "Momento"],
}
"""Of the first two businesses; the others have theirs."""


async def add_catalogue(
    session: AsyncSession, *, count: int = DEMO_PRODUCTS, today: date | None = None
) -> int:
    """Products up to this number; answers how many were added. Deals are dated round `today` (UTC)."""
    await _add(session, BrandRow, [{"slug": slug_of(name), "name": name} for name in BRANDS])
    await _add(session, CategoryRow, [{"slug": kind.slug, "name": kind.name} for kind in KINDS])
    invented = select(func.count()).where(ProductRow.id.regexp_match("^p[0-9]+$"))
    held = await session.scalar(invented) or 0
    numbers = range(held + 1, count + 1)
    for first in numbers[::BLOCK]:
        await _load(session, list(products(first, min(first + BLOCK - 1, count))), today)
    if not numbers:
        return 0
    await save_words(session)
    if held == 0:
        await _add_lists(session)
        await _approve_brands(session)
        await add_coupons(session, _midnight(today))
    await add_prices(session, count=count, midnight=_midnight(today))
    return len(numbers)


async def _load(session: AsyncSession, block: list[DemoProduct], today: date | None) -> None:
    expected = _midnight(today).date() + timedelta(days=21)
    await copy_rows(session, ProductRow, "id name brand_slug category_slug default_variant_id sku msrp image"
                " case_quantity is_for_purchase popularity search_text", map(_product, block))  # fmt: skip
    await copy_rows(session, ProductPageRow, "product_id description attributes", map(_page, block))
    variants = [
        (product, place, v) for product in block for place, v in enumerate(product.variants)
    ]
    await copy_rows(
        session,
        VariantRow,
        "id product_id sku name position msrp",
        ((v.id, product.id, v.sku, v.name, place, v.msrp) for product, place, v in variants),
    )
    await copy_rows(
        session,
        StockRow,
        "variant_id on_hand restock_on",
        ((v.id, v.on_hand, expected if v.is_awaited else None) for _, _, v in variants),
    )
    await copy_rows(
        session,
        RelatedProductRow,
        "product_id related_id position",
        (
            (product.id, product_id(other), place)
            for product in block
            for place, other in enumerate(product.related)
        ),
    )


def _product(product: DemoProduct) -> tuple[object, ...]:
    first = product.variants[0]
    return (
        product.id,
        product.name,
        slug_of(product.brand),
        product.kind.slug,
        first.id,
        first.sku,
        first.msrp,
        f"/pictures/products/{product.kind.slug}.svg",
        product.case_quantity,
        product.is_for_purchase,
        product.popularity,
        product.search_text,
    )


def _page(product: DemoProduct) -> tuple[object, ...]:
    return product.id, Jsonb(product.description), Jsonb(product.attributes)


async def _add_lists(session: AsyncSession) -> None:
    """Old SKUs, the approved list, and what goes with DroneMobile and with RF kits."""
    demo = {product.number: product for product in products(1, DEMO_PRODUCTS)}
    old = {number: _old_sku(demo[number].sku) for number in OLD_SKUS}
    await copy_rows(
        session,
        SkuAliasRow,
        "alias variant_id",
        ((alias, demo[number].variants[0].id) for number, alias in old.items()),
    )
    await copy_rows(
        session,
        ApprovedProductRow,
        "product_id position listed_as",
        (
            (demo[number].id, place, old.get(number, demo[number].sku))
            for place, number in enumerate(APPROVED)
        ),
    )
    goes_with = [
        ("brand", "dronemobile", "Controllers"),
        ("category", "rf-kit", "Replacement Parts"),
    ]
    await copy_rows(
        session,
        AccessoryRow,
        "goes_with slug product_id position",
        (
            (what, slug, product.id, place)
            for what, slug, category in goes_with
            for place, product in enumerate(
                itertools.islice((p for p in demo.values() if p.kind.name == category), 6)
            )
        ),
    )


def _old_sku(sku: str) -> str:
    """As it was written before the brand's code stood in front."""
    _, kind, number, suffix = sku.split("-")
    return f"{kind}{number}{suffix}-OLD"


async def _approve_brands(session: AsyncSession) -> None:
    for partner, approved in APPROVED_BRANDS.items():
        await session.execute(
            update(PartnerRow)
            .where(PartnerRow.id == partner, func.cardinality(PartnerRow.approved_brands) == 0)
            .values(approved_brands=approved)
        )


async def _add(session: AsyncSession, table: type[Base], rows: list[dict[str, Any]]) -> None:
    await session.execute(insert(table).on_conflict_do_nothing(), rows)


def _midnight(today: date | None) -> datetime:
    return datetime.combine(today or datetime.now(UTC).date(), time(), UTC)


async def checksums(session: AsyncSession) -> Iterator[str]:
    """One line for each table of the catalogue: rows, and a sum over them that no order of rows changes."""
    lines: list[str] = []
    for table in (
        "product",
        "product_page",
        "variant",
        "stock",
        "sku_alias",
        "related_product",
        "price",
    ):
        found = await session.execute(
            text(
                "select count(*) as rows,"
                " coalesce(sum(('x' || substr(md5(t::text), 1, 8))::bit(32)::bigint), 0) as total"
                f" from (select * from {table}) t"
            )
        )
        row = found.one()
        lines.append(f"{table:<16} {row.rows:>9} {row.total:x}")
    return iter(lines)
