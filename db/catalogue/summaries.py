"""Products as lists show them, priced for whoever asks: one statement, however many there are."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncSession

from domain.catalogue.pricing import (
    DisplayPrice,
    Listed,
    ListKind,
    Prices,
    Viewer,
    display_price_for,
)
from domain.catalogue.products import ProductSummary, Slugged, Stock

_HOLDS = "{0}.variant_id = {1} and {0}.starts_at <= now() and {0}.ends_at > now()"

PRICE_COLUMNS = """coalesce(agreed.amount, channel.amount) as listed_amount, agreed.list_id is not null as is_agreed,
       l.name as list_name, l.kind as list_kind, l.ends_at as listed_until"""
PRICE_LIST = "left join price_list l on l.id = coalesce(agreed.list_id, channel.list_id)"

CARD_COLUMNS = f"""p.id, p.name, p.sku, p.default_variant_id, p.msrp, p.image, p.case_quantity, p.is_for_purchase,
       b.slug as brand_slug, b.name as brand_name, g.slug as category_slug, g.name as category_name,
       k.product_id is not null as is_on_approved_list, coalesce(s.on_hand, 0) as on_hand, s.restock_on,
       {PRICE_COLUMNS}"""


def price_joins(variant: str) -> str:
    """The prices that hold now, of the channel and of the business; `variant` is the column with the variant's id."""
    return (
        f"left join effective_price channel on channel.scope = :channel and {_HOLDS.format('channel', variant)}\n"
        f"left join effective_price agreed on agreed.scope = :own and {_HOLDS.format('agreed', variant)}"
    )


CARD_JOINS = f"""join brand b on b.slug = p.brand_slug
join category g on g.slug = p.category_slug
left join approved_product k on k.product_id = p.id
left join stock s on s.variant_id = p.default_variant_id
{price_joins("p.default_variant_id")}
{PRICE_LIST}"""

SHOWN_AMOUNT = """case when cast(:sees_all as boolean) or p.brand_slug = any(cast(:approved as text[]))
  then coalesce(agreed.amount, channel.amount, p.msrp) else p.msrp end"""
"""`display_price_for` in SQL, for sorting; a test holds the two together."""

_BY_IDS = (
    f"select {CARD_COLUMNS} from product p {CARD_JOINS} where p.id = any(cast(:ids as text[]))"
)


async def summaries_of(
    session: AsyncSession, viewer: Viewer, ids: Sequence[str]
) -> tuple[ProductSummary, ...]:
    """The products with these ids, in this order; those that do not exist are left out."""
    if not ids:
        return ()
    rows = await session.execute(text(_BY_IDS), {**viewer_values(viewer), "ids": list(ids)})
    found = {row["id"]: as_summary(viewer, row) for row in rows.mappings()}
    return tuple(found[id_] for id_ in dict.fromkeys(ids) if id_ in found)


def viewer_values(viewer: Viewer) -> dict[str, Any]:
    """The viewer as parameters of the statements."""
    return {"channel": viewer.channel, "own": viewer.own_scope}


def sorting_values(viewer: Viewer) -> dict[str, Any]:
    return {
        **viewer_values(viewer),
        "sees_all": viewer.sees_all_discounts,
        "approved": sorted(viewer.approved_brands),
    }


def as_summary(viewer: Viewer, row: RowMapping) -> ProductSummary:
    return ProductSummary(
        id=row["id"],
        name=row["name"],
        sku=row["sku"],
        variant_id=row["default_variant_id"],
        brand=Slugged(name=row["brand_name"], slug=row["brand_slug"]),
        category=Slugged(name=row["category_name"], slug=row["category_slug"]),
        image=row["image"],
        case_quantity=row["case_quantity"],
        is_for_purchase=row["is_for_purchase"],
        is_on_approved_list=row["is_on_approved_list"],
        stock=Stock(on_hand=row["on_hand"], restock_on=row["restock_on"]),
        tells_stock=viewer.sees_stock,
        figure=display_price_in(viewer, row["brand_slug"], row),
    )


def display_price_in(viewer: Viewer, brand: str, row: Mapping[Any, Any]) -> DisplayPrice:
    """The price in a row with PRICE_COLUMNS and `msrp`."""
    if row["listed_amount"] is None:
        return display_price_for(viewer, brand, Prices(msrp=row["msrp"]))
    listed = Listed(
        amount=row["listed_amount"],
        list_name=row["list_name"],
        kind=ListKind(row["list_kind"]),
        ends_at=row["listed_until"],
    )
    is_agreed = row["is_agreed"]
    prices = Prices(
        msrp=row["msrp"],
        channel=None if is_agreed else listed,
        agreed=listed if is_agreed else None,
    )
    return display_price_for(viewer, brand, prices)
