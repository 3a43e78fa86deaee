"""The mirror of the ERP's articles: what we have of each, in the ERP's shape, and writing what differs (decision 57)."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from decimal import Decimal

from sqlalchemy import func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.catalogue.prices import PriceList, put_price_list, set_msrp, set_price
from db.catalogue.tables import (
    BrandRow,
    CategoryRow,
    PriceListRow,
    PriceRow,
    ProductPageRow,
    ProductRow,
    StockRow,
    VariantRow,
)
from db.catalogue.words import save_words
from domain.catalogue.erp_items import COMPANY_ZONE, ErpItem, ErpProduct, ItemPart
from domain.catalogue.pricing import ListKind, agreed_list_of, days_of_name, partner_of_scope
from domain.catalogue.products import slug_of, words_of
from domain.errors import Conflict


class AnotherArticle(Conflict):
    code = "another_article"
    detail = "Another article stands for this product."


class NoProduct(Conflict):
    code = "no_product"
    detail = "The article that stands for this product is not here."


async def items_of(session: AsyncSession, skus: Collection[str]) -> dict[str, ErpItem]:
    """What we have of these articles, by SKU."""
    found = await session.execute(
        select(VariantRow, ProductRow, BrandRow.name, CategoryRow.name, StockRow)
        .join(ProductRow, ProductRow.id == VariantRow.product_id)
        .join(BrandRow, BrandRow.slug == ProductRow.brand_slug)
        .join(CategoryRow, CategoryRow.slug == ProductRow.category_slug)
        .outerjoin(StockRow, StockRow.variant_id == VariantRow.id)
        .where(VariantRow.sku.in_(skus))
        .execution_options(populate_existing=True)
    )
    rows = found.all()
    prices = await _prices_of(session, [variant.id for variant, *_ in rows])
    return {
        variant.sku: ErpItem(
            sku=variant.sku,
            product_id=product.id,
            product=ErpProduct(
                name=product.name,
                brand=brand,
                category=category,
                image=product.image,
                case_quantity=product.case_quantity,
                is_for_purchase=product.is_for_purchase,
            )
            if product.default_variant_id == variant.id
            else None,
            variant_name=variant.name,
            position=variant.position,
            msrp=variant.msrp,
            prices=prices.get(variant.id, {}),
            on_hand=stock.on_hand if stock else 0,
            restock_on=stock.restock_on if stock else None,
        )
        for variant, product, brand, category, stock in rows
    }


async def lock_stock(session: AsyncSession, skus: Collection[str]) -> None:
    """Before more than one article is written: in the order in which orders lock them, so that nobody waits for each other."""
    if not skus:
        return
    await session.execute(
        select(StockRow.variant_id)
        .join(VariantRow, VariantRow.id == StockRow.variant_id)
        .where(VariantRow.sku.in_(skus))
        .order_by(StockRow.variant_id)
        .with_for_update(of=StockRow)
    )


async def write_item(session: AsyncSession, item: ErpItem, parts: Iterable[ItemPart]) -> None:
    """Writes these parts of the article; of one that is not here, all. Raises AnotherArticle, NoProduct."""
    wanted = set(parts)
    variant_id = await _variant_of(session, item.sku)
    if variant_id is None:
        variant_id, wanted = item.sku.lower().replace(".", "-"), set(ItemPart)
    if ItemPart.PRODUCT in wanted:
        await _write_product(session, item, variant_id)
    if ItemPart.PRICE in wanted:
        await _write_prices(session, item, variant_id)
    if ItemPart.STOCK in wanted:
        stock = insert(StockRow).values(
            variant_id=variant_id, on_hand=item.on_hand, restock_on=item.restock_on
        )
        changes = {"on_hand": stock.excluded.on_hand, "restock_on": stock.excluded.restock_on}
        await session.execute(
            stock.on_conflict_do_update(index_elements=["variant_id"], set_=changes)
        )


async def skus_that_left(session: AsyncSession, *, limit: int) -> dict[str, datetime]:
    """Articles of which pieces left since the ERP told of them, with the moment of the last ones."""
    found = await session.execute(
        select(VariantRow.sku, StockRow.left_at)
        .join(StockRow, StockRow.variant_id == VariantRow.id)
        .where(StockRow.left_at.is_not(None))
        .order_by(StockRow.left_at)
        .limit(limit)
    )
    return {sku: left_at for sku, left_at in found if left_at is not None}


async def forget_left(session: AsyncSession, asked: Mapping[str, datetime]) -> None:
    """The ERP was asked of these; one of which more pieces left meanwhile is asked for again."""
    for sku, left_at in asked.items():
        named = select(VariantRow.id).where(VariantRow.sku == sku).scalar_subquery()
        await session.execute(
            update(StockRow)
            .where(StockRow.variant_id == named, StockRow.left_at == left_at)
            .values(left_at=None)
        )


async def moving(session: AsyncSession, skus: Collection[str]) -> frozenset[str]:
    """Those whose pieces are being ordered just now: here and at the ERP they are counted at different moments."""
    found = await session.execute(
        text(
            """
            select v.sku from variant v join stock s on s.variant_id = v.id
            where v.sku = any(:skus) and (s.left_at is not null or exists (
                select 1 from stock_reservation r where r.variant_id = v.id))
            """
        ),
        {"skus": list(skus)},
    )
    return frozenset(row.sku for row in found)


async def skus_between(session: AsyncSession, after: str, last: str | None) -> tuple[str, ...]:
    """Our articles behind `after`, as far as `last` or to the end."""
    sku = VariantRow.sku.collate("C")
    query = select(VariantRow.sku).where(sku > after).order_by(sku)
    return tuple(await session.scalars(query if last is None else query.where(sku <= last)))


async def _variant_of(session: AsyncSession, sku: str) -> str | None:
    return await session.scalar(select(VariantRow.id).where(VariantRow.sku == sku))


async def _write_product(session: AsyncSession, item: ErpItem, variant_id: str) -> None:
    if item.product is not None:
        await _write_head(session, item, item.product, variant_id)
    elif await session.get(ProductRow, item.product_id) is None:
        raise NoProduct
    variant = insert(VariantRow).values(
        id=variant_id,
        product_id=item.product_id,
        sku=item.sku,
        name=item.variant_name,
        position=item.position,
        msrp=item.msrp,
    )
    changes = {name: variant.excluded[name] for name in ("product_id", "name", "position")}
    await session.execute(variant.on_conflict_do_update(index_elements=["sku"], set_=changes))
    await _write_words(session, item.product_id)


async def _write_head(
    session: AsyncSession, item: ErpItem, product: ErpProduct, variant_id: str
) -> None:
    brand, category = slug_of(product.brand), slug_of(product.category)
    for table, slug, name in (
        (BrandRow, brand, product.brand),
        (CategoryRow, category, product.category),
    ):
        await session.execute(insert(table).values(slug=slug, name=name).on_conflict_do_nothing())
    stands = await session.scalar(
        select(ProductRow.default_variant_id).where(ProductRow.id == item.product_id)
    )
    if stands not in (None, variant_id):
        raise AnotherArticle
    said = {
        "name": product.name,
        "brand_slug": brand,
        "category_slug": category,
        "image": product.image,
        "case_quantity": product.case_quantity,
        "is_for_purchase": product.is_for_purchase,
    }
    row = insert(ProductRow).values(
        **said,
        id=item.product_id,
        default_variant_id=variant_id,
        sku=item.sku,
        msrp=item.msrp,
        search_text="",
    )
    await session.execute(
        row.on_conflict_do_update(
            index_elements=["id"], set_={**said, "sku": item.sku, "updated_at": func.now()}
        )
    )
    named = [
        ("Brand Name", "brand-name", product.brand),
        ("Category", "category", product.category),
    ]
    page = insert(ProductPageRow).values(
        product_id=item.product_id,
        description=[],
        attributes=[{"name": n, "slug": slug, "values": [value]} for n, slug, value in named],
    )
    await session.execute(page.on_conflict_do_nothing())


async def _write_words(session: AsyncSession, product_id: str) -> None:
    """What the product is found by, and its words for those who misspell them."""
    found = await session.execute(
        select(ProductRow.name, BrandRow.name, CategoryRow.name)
        .join(BrandRow, BrandRow.slug == ProductRow.brand_slug)
        .join(CategoryRow, CategoryRow.slug == ProductRow.category_slug)
        .where(ProductRow.id == product_id)
    )
    skus = await session.scalars(
        select(VariantRow.sku)
        .where(VariantRow.product_id == product_id)
        .order_by(VariantRow.position, VariantRow.sku)
    )
    words = words_of(*found.one(), *skus)
    await session.execute(
        update(ProductRow).where(ProductRow.id == product_id).values(search_text=words)
    )
    await save_words(session, [product_id])


async def _write_prices(session: AsyncSession, item: ErpItem, variant_id: str) -> None:
    await set_msrp(session, variant_id, item.msrp)
    ours = (await _prices_of(session, [variant_id])).get(variant_id, {})
    for channel in sorted({*item.prices, *ours}):
        amount = item.prices.get(channel)
        if amount == ours.get(channel):
            continue
        list_ = _list_of(channel)
        if amount is not None and await session.get(PriceListRow, list_.id) is None:
            await put_price_list(session, list_)
        await set_price(session, list_.id, variant_id, amount)


_FOR_DAYS = "erp:"


def _list_of(name: str) -> PriceList:
    """Of a channel, or of what was agreed with a business; of what holds on some days alone a list of its own."""
    scope, days = days_of_name(name)
    code = partner_of_scope(scope)
    if not days.are_all:
        begins, ends = days.span(COMPANY_ZONE)
        return PriceList(
            id=f"{_FOR_DAYS}{name}",
            scope=scope,
            name=f"Agreed with {code} for a time" if code else "Deals",
            kind=ListKind.AGREED if code else ListKind.DEAL,
            starts_at=begins,
            ends_at=ends,
        )
    if code is None:
        return PriceList(id=scope, scope=scope, name=scope, kind=ListKind.TIER)
    name = f"Agreed with {code}"
    return PriceList(id=agreed_list_of(code), scope=scope, name=name, kind=ListKind.AGREED)


async def _prices_of(
    session: AsyncSession, variant_ids: Collection[str]
) -> dict[str, dict[str, Decimal]]:
    """By article: channels' prices, what was agreed with one business, and what the ERP gives on some days; no list of ours."""
    found = await session.execute(
        select(PriceRow.variant_id, PriceListRow.id, PriceListRow.scope, PriceRow.amount)
        .join(PriceListRow, PriceListRow.id == PriceRow.list_id)
        .where(PriceRow.variant_id.in_(variant_ids))
    )
    prices: dict[str, dict[str, Decimal]] = {}
    for variant_id, list_id, scope, amount in found:
        name = list_id.removeprefix(_FOR_DAYS) if list_id.startswith(_FOR_DAYS) else scope
        if list_id == _list_of(name).id:
            prices.setdefault(variant_id, {})[name] = amount
    return prices
